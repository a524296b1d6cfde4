//! Chapter 7 in f64: the loss of a ragged batch against finite differences, for every parameter of
//! every mechanism, the predicted position's among them.

use luong::experiment::{Chapter, Choices};
use luong::windows::Reach;
use luong::{Luong, Scoring};
use seq2seq::commands::Recipe;
use seq2seq::{Batch, Sizes, Translator};
use shared::{Matrix, Module, Param, Tape, rng};
use tests::assert_close;

/// Three pairs of different lengths, their targets not in the order of their sources.
fn batch() -> Batch {
    let pairs: [(&[usize], &[usize]); 3] =
        [(&[3, 4, 5, 2], &[4, 2]), (&[5, 2], &[3, 5, 4, 2]), (&[4, 3, 2], &[5, 3, 2])];
    Batch::new(&pairs, 1)
}

/// A model whose predicted positions are spread over the sentences. (They must not come within the
/// step of the differences to the edge of a window: there the loss jumps.)
fn model(choices: &Choices, layers: usize) -> Luong {
    let sizes =
        Sizes { source_words: 6, target_words: 6, embedding: 3, hidden: 4, layers, dropout: 0.0 };
    let mut model = Chapter::build(&sizes, choices, &mut rng(5));
    if let Some(position) = &mut model.position {
        *position.v.value_mut() *= 6.0;
    }
    model
}

/// Finite differences, parameter by parameter, entry by entry.
fn check(mut model: Luong, what: &str) {
    let batch = batch();
    let tape = Tape::new();
    let gradients = model.loss(&tape, &batch, None).backward();
    for name in model.parameter_names() {
        let mut start = Matrix::zeros(0, 0);
        let mut analytic = Matrix::zeros(0, 0);
        with(&mut model, &name, |param| {
            start = param.value().clone();
            analytic = gradients.of(param).unwrap_or_else(|| panic!("no gradient: {name}")).clone();
        });
        let mut numeric = Matrix::zeros(start.nrows(), start.ncols());
        let h = f64::EPSILON.cbrt();
        for i in 0..start.len() {
            let mut at = |x| {
                with(&mut model, &name, |param| param.value_mut()[i] = x);
                model.loss(&Tape::new(), &batch, None).scalar()
            };
            numeric[i] = (at(start[i] + h) - at(start[i] - h)) / (2.0 * h);
            at(start[i]);
        }
        assert!(numeric.amax() > 1e-4, "{what}: {name} has no influence");
        assert_close!(analytic, numeric, 1e-8, "{what}: {name}");
    }
}

fn with(model: &mut Luong, name: &str, mut f: impl FnMut(&mut Param)) {
    model.for_each_parameter(|other, param| {
        if other == name {
            f(param);
        }
    });
}

#[test]
fn every_score_in_every_window_with_and_without_feeding() {
    for score in [Scoring::Dot, Scoring::General, Scoring::Concat, Scoring::Location] {
        for reach in [Reach::Global, Reach::LocalM, Reach::LocalP] {
            for feeding in [false, true] {
                let choices = Choices {
                    score,
                    reach,
                    feeding,
                    window: 1,
                    positions: 3,
                    ..Choices::default()
                };
                check(model(&choices, 1), &format!("{choices:?}"));
            }
        }
    }
}

#[test]
fn two_layers_over_one_direction() {
    for feeding in [false, true] {
        let choices = Choices { feeding, score: Scoring::General, ..Chapter::textbook() };
        check(model(&choices, 2), &format!("{feeding}"));
    }
}
