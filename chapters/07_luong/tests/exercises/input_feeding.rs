//! 7.4: what input feeding costs, counted in the chapter's own model.

use crate::solutions;
use luong::experiment::{Choices, build};
use seq2seq::Sizes;

use shared::Module;
use tests::exercises::{Exercise, Kind, Wrong};

type DecoderParameters = fn(usize, usize, usize, bool) -> usize;

pub fn exercise() -> Exercise<DecoderParameters> {
    Exercise {
        number: 4,
        title: "what input feeding costs",
        kind: Kind::Derive,
        difficulty: 1,
        minutes: 10,
        check,
        wrong: &[
            Wrong {
                name: "every layer is fed",
                hint: "only the first layer",
                answer: |e, h, layers, feeding| {
                    let more = if feeding { h } else { 0 };
                    layer(e + more, h, 2) + (layers - 1) * layer(h + more, h, 2)
                },
            },
            Wrong {
                name: "the context is fed",
                hint: "as many entries as a state",
                answer: |e, h, layers, feeding| {
                    let more = if feeding { 2 * h } else { 0 };
                    layer(e + more, h, 2) + (layers - 1) * layer(h, h, 2)
                },
            },
            Wrong {
                name: "one bias",
                hint: "two biases",
                answer: |e, h, layers, feeding| {
                    let more = if feeding { h } else { 0 };
                    layer(e + more, h, 1) + (layers - 1) * layer(h, h, 1)
                },
            },
            Wrong {
                name: "for free",
                hint: "s̃ is read, too",
                answer: |e, h, layers, _| solutions::decoder_parameters(e, h, layers, false),
            },
        ],
    }
}

fn check(decoder_parameters: DecoderParameters) {
    for (e, h, layers) in [(3, 5, 1), (4, 6, 3), (64, 128, 2)] {
        let fed = in_the_model(e, h, layers, true);
        let plain = in_the_model(e, h, layers, false);
        let found = decoder_parameters(e, h, layers, false);
        let call = format!("({e}, {h}, {layers}, false)");
        assert!(
            found + 3 * h * layers != plain,
            "decoder_parameters{call} is {found}: a gate has two biases"
        );
        assert!(found == plain, "decoder_parameters{call} is {found}, not {plain}");
        let found = decoder_parameters(e, h, layers, true);
        let call = format!("({e}, {h}, {layers}, true)");
        assert!(found != plain, "decoder_parameters{call} is {found}: s̃ is read, too");
        assert!(
            layers == 1 || found != plain + layers * (fed - plain),
            "decoder_parameters{call} is {found}: only the first layer reads s̃"
        );
        assert!(
            found == fed,
            "decoder_parameters{call} is {found}, not {fed}: s̃ has as many entries as a state"
        );
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

fn layer(inputs: usize, hidden: usize, biases: usize) -> usize {
    3 * (hidden * inputs + hidden * hidden + biases * hidden)
}
