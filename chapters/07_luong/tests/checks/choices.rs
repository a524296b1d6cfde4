//! What the program's choices make of a model, and which are refused.

use bahdanau::Reading;
use clap::ValueEnum;
use luong::Scoring;
use luong::program::{CHAPTER, Choices};
use luong::windows::Reach;
use seq2seq::translating::Words;
use seq2seq::translating::recurrent::{Config, SizeArgs};
use shared::Module;

/// Nothing is built before its size is known, and what cannot be built is refused.
#[test]
fn the_number_of_parameters_is_known_before_a_model_is_built() {
    let words = Words { source: 11, target: 7 };
    let mut tried = 0;
    for (score, reach) in Scoring::value_variants()
        .iter()
        .flat_map(|score| Reach::value_variants().iter().map(move |reach| (*score, *reach)))
    {
        for (reading, projected, feeding) in [
            (Reading::BothDirections, true, true),
            (Reading::BothDirections, true, false),
            (Reading::BothDirections, false, true),
            (Reading::Forward, true, true),
            (Reading::Forward, false, false),
        ] {
            let usual = Choices { positions: 6, ..Choices::default() };
            let choices = Choices { score, reach, reading, projected, feeding, ..usual };
            let sizes = SizeArgs { embedding: 3, hidden: 6, layers: 1 + tried % 2, dropout: 0.0 };
            let config = Config { sizes, choices };
            let built = (CHAPTER.build)(&config, words, &mut shared::rng(0)).parameter_count();
            assert_eq!((CHAPTER.size)(&config, words).parameters, Some(built as u64), "{config:?}");
            tried += 1;
        }
    }
    let halved = Choices { projected: false, ..Choices::default() };
    for (hidden, choices) in [
        (16, Choices { window: 0, ..Choices::default() }),
        (16, Choices { positions: 0, ..Choices::default() }),
        (15, halved),
    ] {
        let sizes = SizeArgs { embedding: 3, hidden, layers: 1, dropout: 0.0 };
        assert!((CHAPTER.check)(&Config { sizes, choices }, false).is_err());
    }
}
