//! 5.7: a mean of means is no mean.

use crate::solutions;
use tests::exercises::{Exercise, Kind, ORIGINAL_BUG, Wrong};

type Perplexity = fn(&[(f64, usize)]) -> f64;

pub fn exercise() -> Exercise<Perplexity> {
    Exercise {
        number: 7,
        title: "spot the bug: perplexity",
        kind: Kind::SpotTheBug,
        difficulty: 1,
        minutes: 5,
        check,
        wrong: &[
            Wrong {
                name: ORIGINAL_BUG,
                hint: "30 of 31 words",
                answer: |batches| {
                    let means = batches.iter().map(|(loss, words)| loss / *words as f64);
                    (means.sum::<f64>() / batches.len() as f64).exp()
                },
            },
            Wrong {
                name: "means weighted by the number of words",
                hint: "a batch without words",
                answer: |batches| {
                    let words: usize = batches.iter().map(|(_, words)| words).sum();
                    let share =
                        |(loss, n): &(f64, usize)| loss / *n as f64 * (*n as f64 / words as f64);
                    batches.iter().map(share).sum::<f64>().exp()
                },
            },
            Wrong {
                name: "a mean of perplexities",
                hint: "not e⁴",
                answer: |batches| {
                    let each = batches.iter().map(|(loss, words)| (loss / *words as f64).exp());
                    each.sum::<f64>() / batches.len() as f64
                },
            },
            Wrong {
                name: "the cross-entropy itself",
                hint: "not e⁴",
                answer: |batches| solutions::perplexity(batches).ln(),
            },
            Wrong {
                name: "two to the power",
                hint: "not e⁴",
                answer: |batches| solutions::perplexity(batches).ln().exp2(),
            },
            Wrong {
                name: "a root of the exponential",
                hint: "before you exponentiate",
                answer: |batches| {
                    let words: usize = batches.iter().map(|(_, words)| words).sum();
                    let loss: f64 = batches.iter().map(|(loss, _)| loss).sum();
                    loss.exp().powf(1.0 / words as f64)
                },
            },
            Wrong {
                name: "a sum without a mean",
                hint: "not e⁴",
                answer: |batches| batches.iter().map(|(loss, _)| loss).sum::<f64>().exp(),
            },
        ],
    }
}

fn check(perplexity: Perplexity) {
    let even = [(30.0, 10), (50.0, 10)];
    let found = perplexity(&even);
    let right = 4.0_f64.exp();
    assert!(
        (found - right).abs() < 1e-9,
        "perplexity({even:?}) is {found:.3}, not e⁴, which is {right:.3}"
    );
    let uneven = [(90.0, 30), (9.0, 1)];
    let (found, right) = (perplexity(&uneven), (99.0 / 31.0_f64).exp());
    assert!(
        (found - right).abs() < 1e-9,
        "perplexity({uneven:?}) is {found:.3}, not {right:.3}\nhint: 30 of 31 words have a cross-entropy of 3"
    );
    let mixed = [(0.0, 0), (30.0, 10), (9.0, 1), (24.0, 8)];
    let (found, right) = (perplexity(&mixed), (63.0 / 19.0_f64).exp());
    assert!(
        (found - right).abs() < 1e-9,
        "perplexity({mixed:?}) is {found:.3}, not {right:.3}\nhint: a batch without words changes nothing"
    );
    let long = [(2000.0, 1000), (3000.0, 1000)];
    let (found, right) = (perplexity(&long), 2.5_f64.exp());
    assert!(
        (found - right).abs() < 1e-9,
        "perplexity({long:?}) is {found:.3}, not {right:.3}\nhint: take the mean before you exponentiate"
    );
}
