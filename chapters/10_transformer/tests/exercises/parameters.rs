//! 10.10: count them.

use super::solutions;
use shared::{Module, rng};
use tests::exercises::{Exercise, wrong};
use tests::expect;
use transformer::{BlockSizes, Config, Norm, Tied, Transformer};

type Parameters = fn(usize, usize, usize, [usize; 2], [usize; 2], bool, bool) -> usize;

pub const EXERCISE: Exercise<Parameters> = Exercise {
    check,
    wrong: &[
        wrong(
            "a bias of the keys changes no softmax: the keys have none",
            |d, f, h, b, w, pre, tied| {
                solutions::parameters(d, f, h, b, w, pre, tied) + (b[0] + 2 * b[1]) * d
            },
        ),
        wrong(
            "the heads divide the rows of one matrix and its bias among them",
            |d, f, h, b, w, pre, tied| {
                solutions::parameters(d, f, h, b, w, pre, tied)
                    + (b[0] + 2 * b[1]) * (h - 1) * (3 * d * d + 2 * d)
            },
        ),
        wrong("a decoder's block has two attentions", |d, f, h, b, w, pre, tied| {
            solutions::parameters(d, f, h, b, w, pre, tied) - b[1] * (4 * d * d + 3 * d)
        }),
        wrong("a decoder's block has three normalisations", |d, f, h, b, w, pre, tied| {
            solutions::parameters(d, f, h, b, w, pre, tied) - b[1] * 2 * d
        }),
        wrong(
            "blocks that normalise before their parts: each stack ends with one more normalisation",
            |d, f, h, b, w, _, tied| solutions::parameters(d, f, h, b, w, false, tied),
        ),
        wrong(
            "blocks that normalise after the sum leave nothing to be normalised at a stack's end",
            |d, f, h, b, w, _, tied| solutions::parameters(d, f, h, b, w, true, tied),
        ),
        wrong(
            "tied: the output and the target's words are the same table",
            |d, f, h, b, w, pre, _| solutions::parameters(d, f, h, b, w, pre, false),
        ),
        wrong(
            "one more matrix, W_o with its bias, mixes the heads of an attention",
            |d, f, h, b, w, pre, tied| {
                solutions::parameters(d, f, h, b, w, pre, tied) - (b[0] + 2 * b[1]) * (d * d + d)
            },
        ),
    ],
};

/// Models are built and counted.
fn check(parameters: Parameters) {
    for (d_model, d_ff, heads, blocks, words, pre, tied) in [
        (12, 7, 2, [1, 0], [5, 3], false, false),
        (12, 7, 2, [3, 2], [5, 3], false, true),
        (12, 7, 3, [3, 3], [5, 7], true, true),
        (12, 7, 3, [2, 4], [5, 7], true, false),
        (6, 5, 3, [0, 0], [4, 9], true, true),
    ] {
        let norm = if pre { Norm::Pre } else { Norm::Post };
        let config = Config {
            source_words: words[0],
            target_words: words[1],
            encoder_blocks: blocks[0],
            decoder_blocks: blocks[1],
            block: BlockSizes { d_model, d_ff, heads, dropout: 0.0, norm },
            tied: if tied { Tied::Output } else { Tied::Nothing },
            smoothing: 0.0,
            encoding: transformer::Encoding::PAPER,
            longest: 64,
        };
        let count = Transformer::new(&config, &mut rng(0)).parameter_count();
        let found = parameters(d_model, d_ff, heads, blocks, words, pre, tied);
        let sizes = format!("{d_model}, {d_ff}, {heads}, {blocks:?}, {words:?}, {pre}, {tied}");
        expect(found as f64, count as f64, 0.0).of(format!("parameters({sizes})")).check();
    }
}
