//! 10.10: count them.

use shared::{Module, rng};
use tests::exercises::{Exercise, Kind, Wrong};
use transformer::{BlockSizes, Config, Norm, Tied, Transformer};

type Parameters = fn(usize, usize, usize, [usize; 2], [usize; 2], bool, bool) -> usize;

pub fn exercise() -> Exercise<Parameters> {
    Exercise {
        number: 10,
        title: "count them",
        kind: Kind::Implement,
        difficulty: 2,
        minutes: 20,
        check,
        wrong: &[
            Wrong {
                name: "the keys have a bias",
                hint: "the keys have none",
                answer: |d, d_ff, _, blocks, words, pre, tied| {
                    right(d, d_ff, blocks, words, pre, tied) + (blocks[0] + 2 * blocks[1]) * d
                },
            },
            Wrong {
                name: "every head has a matrix of the whole width",
                hint: "divide the rows",
                answer: |d, d_ff, heads, blocks, words, pre, tied| {
                    let more = (heads - 1) * (3 * d * d + 2 * d);
                    right(d, d_ff, blocks, words, pre, tied) + (blocks[0] + 2 * blocks[1]) * more
                },
            },
            Wrong {
                name: "one attention in the decoder",
                hint: "a decoder's block has two attentions",
                answer: |d, d_ff, _, blocks, words, pre, tied| {
                    right(d, d_ff, blocks, words, pre, tied) - blocks[1] * attention(d)
                },
            },
            Wrong {
                name: "two normalisations in the decoder",
                hint: "three normalisations",
                answer: |d, d_ff, _, blocks, words, pre, tied| {
                    right(d, d_ff, blocks, words, pre, tied) - blocks[1] * 2 * d
                },
            },
            Wrong {
                name: "stacks end without a normalisation",
                hint: "one more normalisation",
                answer: |d, d_ff, _, blocks, words, _, tied| {
                    right(d, d_ff, blocks, words, false, tied)
                },
            },
            Wrong {
                name: "the output counted though it is tied",
                hint: "same table",
                answer: |d, d_ff, _, blocks, words, pre, _| {
                    right(d, d_ff, blocks, words, pre, false)
                },
            },
            Wrong {
                name: "the heads' outputs are not mixed",
                hint: "mixes the heads",
                answer: |d, d_ff, _, blocks, words, pre, tied| {
                    let less = (blocks[0] + 2 * blocks[1]) * (d * d + d);
                    right(d, d_ff, blocks, words, pre, tied) - less
                },
            },
            Wrong {
                name: "stacks always end with a normalisation",
                hint: "after the sum",
                answer: |d, d_ff, _, blocks, words, _, tied| {
                    right(d, d_ff, blocks, words, true, tied)
                },
            },
        ],
    }
}

/// Models are built and counted.
fn check(parameters: Parameters) {
    for (d, d_ff, heads, blocks, words, pre, tied) in [
        (12, 7, 1, [1, 0], [5, 3], false, false),
        (12, 7, 2, [1, 0], [5, 3], false, false),
        (12, 7, 2, [0, 1], [5, 3], false, false),
        (12, 7, 2, [3, 2], [5, 3], false, true),
        (12, 7, 3, [3, 3], [5, 7], true, true),
        (12, 7, 3, [2, 4], [5, 7], true, false),
        (8, 32, 4, [1, 2], [11, 6], false, false),
        (4, 1, 1, [0, 0], [1, 1], false, false),
        (6, 5, 3, [0, 0], [4, 9], true, true),
    ] {
        let block = BlockSizes {
            d_model: d,
            d_ff,
            heads,
            dropout: 0.0,
            norm: if pre { Norm::Pre } else { Norm::Post },
        };
        let config = Config {
            source_words: words[0],
            target_words: words[1],
            encoder_blocks: blocks[0],
            decoder_blocks: blocks[1],
            block,
            tied: if tied { Tied::Output } else { Tied::Nothing },
            smoothing: 0.0,
            longest: 64,
        };
        let count = Transformer::new(&config, &mut rng(0)).parameter_count();
        let found = parameters(d, d_ff, heads, blocks, words, pre, tied);
        let attentions = blocks[0] + 2 * blocks[1];
        let off = found as i64 - count as i64;
        let hints = [
            ((attentions * d) as i64, "a bias of the keys changes no softmax: the keys have none"),
            (
                (attentions * (heads - 1) * (3 * d * d + 2 * d)) as i64,
                "the heads divide the rows of one matrix and its bias among them",
            ),
            (-((blocks[1] * attention(d)) as i64), "a decoder's block has two attentions"),
            (-((blocks[1] * 2 * d) as i64), "a decoder's block has three normalisations"),
            (
                -((4 * d) as i64),
                "blocks that normalise before their parts: each stack ends with one more normalisation",
            ),
            (
                -((attentions * (d * d + d)) as i64),
                "one more matrix, W_o with its bias, mixes the heads of an attention",
            ),
            (
                -((norms(blocks, pre) * d) as i64),
                "a normalisation has a gain and a bias for each entry",
            ),
            (
                (4 * d) as i64,
                "blocks that normalise after the sum leave nothing to be normalised at a stack's end",
            ),
            ((words[1] * d) as i64, "tied: the output and the target's words are the same table"),
        ];
        let hint = hints.iter().find(|(by, _)| off == *by);
        let hint = hint.map_or(String::new(), |(_, hint)| format!("\nhint: {hint}"));
        assert!(
            off == 0,
            "parameters({d}, {d_ff}, {heads}, {blocks:?}, {words:?}, {pre}, {tied}) is {found}, {off:+} \
             against the {count} of the model that is built so{hint}"
        );
    }
}

/// How many normalisations there are.
fn norms(blocks: [usize; 2], pre: bool) -> usize {
    2 * blocks[0] + 3 * blocks[1] + if pre { 2 } else { 0 }
}

fn attention(d: usize) -> usize {
    4 * d * d + 3 * d
}

fn right(
    d: usize,
    d_ff: usize,
    blocks: [usize; 2],
    words: [usize; 2],
    pre: bool,
    tied: bool,
) -> usize {
    crate::solutions::parameters(d, d_ff, 1, blocks, words, pre, tied)
}
