//! 11.5: a mask that hides nothing.

use crate::support::matrix;
use shared::Matrix;
use tests::exercises::{Exercise, Kind, ORIGINAL_BUG, Wrong};
use tests::expect;

pub type MaskedLoss = fn(&Matrix, &[usize], &[bool]) -> f32;

pub fn exercise() -> Exercise<MaskedLoss> {
    Exercise {
        number: 5,
        title: "spot the bug: a mask that hides nothing",
        kind: Kind::SpotTheBug,
        difficulty: 1,
        minutes: 10,
        check,
        wrong: &[
            Wrong {
                name: ORIGINAL_BUG,
                hint: "over all positions",
                answer: |logits, targets, hidden| {
                    let losses = losses(logits, targets);
                    let mean = losses.iter().sum::<f32>() / losses.len() as f32;
                    let weights = hidden.iter().map(|hidden| if *hidden { 1.0 } else { 0.0 });
                    weights.clone().map(|weight| weight * mean).sum::<f32>() / weights.sum::<f32>()
                },
            },
            Wrong {
                name: "all products",
                hint: "every loss with every entry of the mask",
                answer: |logits, targets, hidden| {
                    let losses = losses(logits, targets);
                    let weights = || hidden.iter().map(|hidden| if *hidden { 1.0 } else { 0.0 });
                    let all: f32 =
                        losses.iter().flat_map(|loss| weights().map(move |w| w * loss)).sum();
                    all / weights().sum::<f32>()
                },
            },
            Wrong {
                name: "divided by all positions",
                hint: "divided by how many are hidden",
                answer: |logits, targets, hidden| {
                    summed(logits, targets, hidden) / hidden.len() as f32
                },
            },
            Wrong { name: "not divided", hint: "that is the sum", answer: summed },
            Wrong {
                name: "the others",
                hint: "those that are not hidden",
                answer: |logits, targets, hidden| {
                    let others: Vec<bool> = hidden.iter().map(|hidden| !hidden).collect();
                    crate::solutions::masked_loss(logits, targets, &others)
                },
            },
            Wrong {
                name: "nothing by nothing",
                hint: "when there are none",
                answer: |logits, targets, hidden| {
                    summed(logits, targets, hidden) / count(hidden) as f32
                },
            },
            Wrong {
                name: "logits of hidden positions alone",
                hint: "a softmax of zeros",
                answer: |logits, targets, hidden| {
                    let mut masked = logits.clone();
                    for (mut o, hidden) in masked.column_iter_mut().zip(hidden) {
                        if !hidden {
                            o.fill(0.0);
                        }
                    }
                    losses(&masked, targets).iter().sum::<f32>() / count(hidden).max(1) as f32
                },
            },
            Wrong {
                name: "large logits",
                hint: "subtract the largest",
                answer: |logits, targets, hidden| shifted(logits, targets, hidden, |_| 0.0),
            },
            Wrong {
                name: "large logits in double precision",
                hint: "subtract the largest",
                answer: |logits, targets, hidden| {
                    let loss = |((o, target), hidden): ((Column, &usize), &bool)| {
                        let exps = o.iter().map(|o| f64::from(*o).exp());
                        hidden.then(|| exps.sum::<f64>().ln() - f64::from(o[*target]))
                    };
                    let all = logits.column_iter().zip(targets).zip(hidden);
                    let sum: f64 = all.filter_map(loss).sum();
                    (sum / count(hidden).max(1) as f64) as f32
                },
            },
            Wrong {
                name: "one largest for all positions",
                hint: "its own position",
                answer: |logits, targets, hidden| {
                    let largest = logits.max();
                    shifted(logits, targets, hidden, |_| largest)
                },
            },
            Wrong {
                name: "the largest, or 0",
                hint: "its own position",
                answer: |logits, targets, hidden| {
                    shifted(logits, targets, hidden, |o| o.max().max(0.0))
                },
            },
        ],
    }
}

fn check(masked_loss: MaskedLoss) {
    let logits = matrix(5, 6, 0.4);
    let targets = [3, 0, 4, 1, 2, 2];
    for hidden in [
        [false, true, false, false, true, true],
        [false, true, false, false, false, false],
        [true, false, true, true, false, true],
    ] {
        let own = losses(&logits, &targets);
        let sum = summed(&logits, &targets, &hidden);
        let (n, count) = (hidden.len() as f32, count(&hidden) as f32);
        let all: f32 = own.iter().sum();
        let expected = expect(masked_loss(&logits, &targets, &hidden), sum / count, 1e-5)
            .of(format!("masked_loss(logits, targets, {hidden:?}), where the positions' losses are {own:.3?},"))
            .or_hint(all / n, "that is the mean over all positions: whatever is hidden, it is the same")
            .or_hint(all, "every loss with every entry of the mask: each belongs to its own")
            .or_hint(sum / n, "the sum is divided by how many are hidden, not by all")
            .or_hint(
                (all - sum) / (n - count),
                "that is the mean over those that are not hidden",
            )
            .or_hint(
                (sum + (n - count) * 5f32.ln()) / count,
                "a softmax of zeros is not nothing: each costs ln 5",
            );
        match count {
            1.0 => expected.check(),
            _ => expected.or_hint(sum, "that is the sum").check(),
        }
    }
    let none = masked_loss(&logits, &targets, &[false; 6]);
    assert!(none == 0.0, "with nothing hidden it is {none}\nhint: 0 when there are none");
    let mut below = logits.clone();
    below.column_mut(4).add_scalar_mut(-400.0);
    let hidden = [false, true, false, false, true, true];
    for (logits, what) in [
        (below, "the logits of one position far below the others'"),
        (logits * 1000.0, "logits of up to ±1200"),
    ] {
        let found = masked_loss(&logits, &targets, &hidden);
        assert!(
            found.is_finite(),
            "with {what} it is {found}\nhint: before you exponentiate, subtract the largest of its own position from \
             each logit; and take no logarithm of p, which may be 0"
        );
        expect(found, summed(&logits, &targets, &hidden) / 3.0, 1e-4)
            .of(format!("masked_loss with {what}"))
            .check();
    }
}

type Column<'m> = nalgebra::DVectorView<'m, f32>;

/// With something else than a position's largest logit subtracted.
fn shifted(
    logits: &Matrix,
    targets: &[usize],
    hidden: &[bool],
    shift: impl Fn(&Column) -> f32,
) -> f32 {
    let loss = |((o, target), hidden): ((Column, &usize), &bool)| {
        let most = shift(&o);
        hidden.then(|| most + o.map(|o| (o - most).exp()).sum().ln() - o[*target])
    };
    let all = logits.column_iter().zip(targets).zip(hidden);
    all.filter_map(loss).sum::<f32>() / count(hidden).max(1) as f32
}

/// Of every position.
fn losses(logits: &Matrix, targets: &[usize]) -> Vec<f32> {
    let loss = |(o, target): (Column, &usize)| {
        let largest = o.max();
        largest + o.map(|o| (o - largest).exp()).sum().ln() - o[*target]
    };
    logits.column_iter().zip(targets).map(loss).collect()
}

/// Over the hidden ones.
fn summed(logits: &Matrix, targets: &[usize], hidden: &[bool]) -> f32 {
    let losses = losses(logits, targets);
    losses.iter().zip(hidden).filter(|(_, hidden)| **hidden).map(|(loss, _)| loss).sum()
}

fn count(hidden: &[bool]) -> usize {
    hidden.iter().filter(|hidden| **hidden).count()
}
