//! The answers of `questions.md`, computed.

use self_attention::{MultiHead, SelfAttention, plain};
use shared::{Matrix, Module, Tape, Var, rng};
use tests::questions::{answers, option};

fn run(x: &Matrix, layer: impl for<'t> Fn(Var<'t>) -> Var<'t>) -> Matrix {
    Matrix::clone(&layer(Tape::no_grad().constant(x.clone())).value())
}

#[test]
fn answers_are_those_computed() {
    let bank = run(&Matrix::from_row_slice(2, 3, &[2.0, 1.0, 0.0, 0.0, 1.0, 2.0]), plain);

    let [one, eight] = [1, 8].map(|h| MultiHead::new(512, h, &mut rng(0)).parameter_count());

    let [lower, upper] = [0, 1].map(|seed| SelfAttention::new(6, 6, &mut rng(seed)));
    let (x, mut exchanged) = (tests::uneven(6, 5, 0.0), tests::uneven(6, 5, 0.0));
    exchanged.set_column(2, &tests::uneven::<f32>(6, 1, 3.0).column(0));
    let [before, after] = [&x, &exchanged].map(|x| run(x, |x| upper.causal(lower.causal(x))));
    let changed = [0, 1, 2, 3, 4].map(|j| (before.column(j) - after.column(j)).amax() > 1e-4);
    let said: [&[usize]; 4] = [&[2], &[0, 1], &[2, 3, 4], &[0, 1, 2, 3, 4]];
    let change = said.map(|these| (0..5).all(|j| changed[j] == these.contains(&j)));

    let words = x.select_columns(&[0, 1, 2, 0, 3]); // the dog bit the man
    let read = |words| run(words, |x| lower.forward(x));
    let (read, turned) = (read(&words), read(&x.select_columns(&[0, 3, 2, 0, 1])));
    let same = (read.column(1) - turned.column(4)).amax() < 1e-5;
    let equal = (read.column(1) - read.column(0)).amax() < 1e-5; // weights, and with them outputs
    answers(
        env!("CARGO_MANIFEST_DIR"),
        &[
            ("9a", bank[(0, 1)].to_string()),
            ("9b", option([eight == 8 * one, eight == one, 8 * eight == one])),
            ("9c", option(change)),
            ("9d", option([!same, same && !equal, same && equal])),
        ],
    );
}
