//! 5.7: a mean of means is no mean.

use super::solutions;
use tests::exercises::{Exercise, bug, wrong};
use tests::expect;

pub type Perplexity = fn(&[(f64, usize)]) -> f64;

const TOTALS: &str = "exp of all cross-entropies together, divided by the number of words";

pub const EXERCISE: Exercise<Perplexity> = Exercise {
    check,
    wrong: &[
        bug("30 of 31 words have a cross-entropy of 3", |batches| {
            let means = batches.iter().map(|(loss, words)| loss / *words as f64);
            (means.sum::<f64>() / batches.len() as f64).exp()
        }),
        wrong("an empty batch changes nothing", |batches| {
            let means = batches.iter().map(|(loss, n)| loss / *n as f64 * *n as f64);
            (means.sum::<f64>() / words(batches)).exp()
        }),
        wrong(TOTALS, |batches| {
            let each = batches.iter().map(|(loss, words)| (loss / *words as f64).exp());
            each.sum::<f64>() / batches.len() as f64
        }),
        wrong(TOTALS, |batches| solutions::perplexity(batches).ln()),
        wrong("exp, not 2 to the power: these are nats", |batches| {
            solutions::perplexity(batches).ln().exp2()
        }),
        wrong("take the mean before you exponentiate", |batches| {
            let loss: f64 = batches.iter().map(|(loss, _)| loss).sum();
            loss.exp().powf(1.0 / words(batches))
        }),
    ],
};

fn check(perplexity: Perplexity) {
    for batches in [
        &[(30.0, 10), (50.0, 10)][..],
        &[(90.0, 30), (9.0, 1)],
        &[(0.0, 0), (30.0, 10), (9.0, 1), (24.0, 8)],
        &[(2000.0, 1000), (3000.0, 1000)],
    ] {
        expect(perplexity(batches), solutions::perplexity(batches), 1e-9)
            .of(format!("perplexity({batches:?})"))
            .check();
    }
}

fn words(batches: &[(f64, usize)]) -> f64 {
    batches.iter().map(|(_, words)| *words as f64).sum()
}
