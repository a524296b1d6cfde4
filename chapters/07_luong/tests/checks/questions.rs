//! The answers of `questions.md`, computed.

use luong::attention::near;
use luong::program::{Choices, build};
use luong::windows::around;
use scoring_functions::Sequences;
use seq2seq::{BEGIN, END, Sizes, Translator};
use shared::{Matrix, Module, Tape, rng};
use tests::questions::{answers, option};

fn sizes() -> Sizes {
    Sizes { source_words: 9, target_words: 8, embedding: 3, hidden: 4, layers: 1, dropout: 0.0 }
}

#[test]
fn answers_are_those_computed() {
    let choices = Choices { feeding: false, ..Choices::default() };
    let mut model = build(&sizes(), &choices, &mut rng(0));
    let mut three_steps = |larger: f32| {
        model.for_each_parameter(|name, param| {
            if name.starts_with("score") {
                *param.value_mut() *= larger; // other weights, so other contexts
            }
        });
        let mut state = model.encode(&[&[3, 4, 5, END]]);
        [BEGIN, 4, 5]
            .map(|last| (model.next(&mut state, &[last]).alignments, state.hidden[0].clone()))
    };
    let (as_it_is, other) = (three_steps(1.0), three_steps(9.0));
    assert!((0..3).all(|step| as_it_is[step].0 != other[step].0), "the same contexts");
    let changed = [1, 2].map(|step| as_it_is[step].1 != other[step].1);
    let changes = [[false, false], [true, false], [true, true]].map(|said| said == changed);
    let tape = Tape::no_grad();
    let row = |n, entry| tape.constant(Matrix::from_element(1, n, entry));
    let (thirds, middle) = (row(3, 1.0 / 3.0), row(1, 1.0));
    let sum = near(thirds, middle, &Sequences::single(1, 3), 1.0).value().sum();
    let words = around(6.0, 3, 8).len().to_string();
    let right = [("7a", option(changes)), ("7b", words), ("7c", format!("{sum:.2}"))];
    answers(env!("CARGO_MANIFEST_DIR"), &right);
}
