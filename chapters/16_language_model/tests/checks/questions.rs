//! The answers of `questions.md`, computed.

use language_model::induction::induction_score;
use language_model::{Config, Gpt};
use shared::{Float, Matrix, rng};
use tests::questions::answers;

/// The best model of a die gives every face the same probability.
fn perplexity_of_a_die() -> f64 {
    let p = 1.0_f64 / 6.0;
    (-(0..6).map(|_| p * p.ln()).sum::<f64>()).exp()
}

/// The numbers of a cache of one token.
fn kept() -> usize {
    let config =
        Config { width: 128, blocks: 4, heads: 8, groups: 4, feed_forward: 8, ..Config::today(3) };
    let (model, token) = (Gpt::new(&config, &mut rng(0)), [1]);
    let mut cache = model.cache();
    model.step(&token, &mut cache);
    cache.iter().flatten().map(|kept| kept.keys.len() + kept.values.len()).sum()
}

/// The position, counted from 1, of the weight of the last of seven tokens, for which the score is 1. A 9 and the 9
/// before it are four tokens apart; queries before the last look as far back as it does.
fn attended() -> usize {
    let last = |key: usize| {
        let alpha = Matrix::from_fn(7, 7, |j, i| Float::from(u8::from(j + 6 == key + i)));
        induction_score(&alpha, 4)
    };
    1 + (0..7).find(|key| last(*key) == 1.0).expect("a position")
}

#[test]
fn answers_are_those_computed() {
    let right = [
        ("16a", format!("{:.0}", perplexity_of_a_die())),
        ("16b", kept().to_string()),
        ("16c", attended().to_string()),
    ];
    answers(env!("CARGO_MANIFEST_DIR"), &right);
}
