//! 7.4: what input feeding costs, counted in the chapter's own model.

use super::solutions;
use luong::program::{Choices, build};
use seq2seq::Sizes;
use shared::Module;
use tests::exercises::{Exercise, wrong};

type DecoderParameters = fn(usize, usize, usize, bool) -> usize;

pub const EXERCISE: Exercise<DecoderParameters> = Exercise {
    check,
    wrong: &[
        wrong("only the first layer reads s̃", |e, h, layers, feeding| {
            let more = if feeding { layers * 3 * h * h } else { 0 };
            solutions::decoder_parameters(e, h, layers, false) + more
        }),
        wrong("s̃ has H entries, not 2H", |e, h, layers, feeding| {
            let more = if feeding { 3 * h * 2 * h } else { 0 };
            solutions::decoder_parameters(e, h, layers, false) + more
        }),
        wrong("a gate has two biases", |e, h, layers, feeding| {
            solutions::decoder_parameters(e, h, layers, feeding) - 3 * h * layers
        }),
        wrong("s̃ is read, too", |e, h, layers, _| {
            solutions::decoder_parameters(e, h, layers, false)
        }),
    ],
};

fn check(decoder_parameters: DecoderParameters) {
    for (e, h, layers) in [(3, 5, 1), (4, 6, 3), (64, 128, 2)] {
        for feeding in [false, true] {
            let found = decoder_parameters(e, h, layers, feeding);
            let right = in_the_model(e, h, layers, feeding);
            assert!(
                found == right,
                "decoder_parameters({e}, {h}, {layers}, {feeding}) is {found}, not {right}"
            );
        }
    }
}

fn in_the_model(embedding: usize, hidden: usize, layers: usize, feeding: bool) -> usize {
    let sizes = Sizes { source_words: 3, target_words: 3, embedding, hidden, layers, dropout: 0.0 };
    let choices = Choices { feeding, ..Choices::default() };
    let mut count = 0;
    build(&sizes, &choices, &mut shared::rng(0)).for_each_parameter(|name, param| {
        if name.starts_with("decoder.") || name.starts_with("feed.") {
            count += param.value().len();
        }
    });
    count
}
