//! Chapter 7 in f64: the loss of a ragged batch against finite differences, for every parameter of
//! every mechanism, the predicted position's among them.

use bahdanau::Reading;
use gradients::check_parameters;
use luong::windows::Reach;
use luong::{Config, Luong, Scoring};
use seq2seq::{Batch, Sizes, Translator};
use shared::rng;

/// Three pairs of different lengths, their targets not in the order of their sources.
fn batch() -> Batch {
    let pairs: [(&[usize], &[usize]); 3] =
        [(&[3, 4, 5, 2], &[4, 2]), (&[5, 2], &[3, 5, 4, 2]), (&[4, 3, 2], &[5, 3, 2])];
    Batch::new(&pairs, 1)
}

/// A model whose predicted positions are spread over the sentences. (They must not come within the
/// step of the differences to the edge of a window: there the loss jumps.)
fn model(config: &Config) -> Luong {
    let mut model = Luong::new(config, &mut rng(5));
    if let Some(position) = &mut model.position {
        *position.v.value_mut() *= 6.0;
    }
    model
}

/// One layer over both directions, fed, looking everywhere; windows of three, and three positions.
fn config(scoring: Scoring) -> Config {
    let (source_words, target_words, embedding, hidden) = (6, 6, 3, 4);
    Config {
        sizes: Sizes { source_words, target_words, embedding, hidden, layers: 1, dropout: 0.0 },
        reading: Reading::BothDirections,
        projected: true,
        scoring,
        reach: Reach::Global,
        width: 1,
        feeding: true,
        positions: 3,
    }
}

fn check(config: &Config) {
    let batch = batch();
    check_parameters(model(config), |model, tape| model.loss(tape, &batch), &format!("{config:?}"));
}

#[test]
fn every_score_in_every_window_with_and_without_feeding() {
    for score in [Scoring::Dot, Scoring::General, Scoring::Concat, Scoring::Location] {
        for reach in [Reach::Global, Reach::LocalM, Reach::LocalP] {
            for feeding in [false, true] {
                check(&Config { reach, feeding, ..config(score) });
            }
        }
    }
}

/// Scores of the annotations themselves, with no matrix that makes them as long as a state.
#[test]
fn scores_of_annotations_that_are_not_projected() {
    for score in [Scoring::Dot, Scoring::General] {
        let config = Config { projected: false, ..config(score) };
        assert!(model(&config).narrow.is_none());
        check(&config);
    }
}

#[test]
fn two_layers_over_one_direction() {
    for feeding in [false, true] {
        let mut config = Config { reading: Reading::Forward, feeding, ..config(Scoring::General) };
        config.sizes.layers = 2;
        check(&config);
    }
}
