//! 3.7 merging two halves of an attention

use super::attempts::Part;
use super::solutions;
use shared::Vector;
use tests::exercises::{Exercise, wrong};
use tests::expect;

type Merge = fn(&Part, &Part) -> Part;

pub const EXERCISE: Exercise<Merge> = Exercise {
    check,
    wrong: &[
        wrong("the parts were added as they are, and are relative to two maxima", |a, b| Part {
            max: a.max.max(b.max),
            sum: a.sum + b.sum,
            weighted: &a.weighted + &b.weighted,
        }),
        wrong("the weighted values, too, must be brought to the common maximum", |a, b| Part {
            weighted: &a.weighted + &b.weighted,
            ..solutions::merge(a, b)
        }),
        wrong("`weighted` is not yet divided by the sum: another part may come", |a, b| {
            let merged = solutions::merge(a, b);
            Part { weighted: &merged.weighted / merged.sum, ..merged }
        }),
        wrong(
            "the factors were exchanged: a part shrinks by exp(its own maximum − the common one)",
            |a, b| {
                let max = a.max.max(b.max);
                let exchanged = |a: &Part, b: &Part| Part { max: b.max, ..a.clone() };
                Part { max, ..solutions::merge(&exchanged(a, b), &exchanged(b, a)) }
            },
        ),
        wrong(
            "the maximum is the largest score: with any other, exponentials overflow or vanish",
            |a, b| Part {
                max: 0.0,
                sum: a.sum * a.max.exp() + b.sum * b.max.exp(),
                weighted: &a.weighted * a.max.exp() + &b.weighted * b.max.exp(),
            },
        ),
    ],
};

fn check(merge: Merge) {
    let many = [0.0; 1000]; // each of them hardly counts, together they do: 1000·e^(−10.5) is 0.03
    for (of_a, of_b) in [
        (&[0.5, 1.5][..], &[-0.5, 2.5, 1.0][..]),
        (&[1.0, 3.0], &[3.0, 2.0, 3.0]),
        (&[500.0, 501.0], &[499.0, 500.5, 0.0]),
        (&[-500.0, -501.0], &[-499.0, -500.5, -900.0]),
        (&[10.5], &many),
        (&many, &[10.5]),
    ] {
        let (a, b) = (part(of_a, 0), part(of_b, of_a.len()));
        let whole = part(&[of_a, of_b].concat(), 0);
        let of = |s: &[f32]| format!("{} scores from {:?} on", s.len(), s[0]);
        let what = format!("merge(a, b): max, sum, weighted, for {} and {}", of(of_a), of(of_b));
        let expectation = expect(numbers(&merge(&a, &b)), numbers(&whole), 1e-5).of(what);
        expectation.given("a", numbers(&a)).given("b", numbers(&b)).check();
    }
}

/// The part of some scores, whose values are counted from `first`.
fn part(scores: &[f32], first: usize) -> Part {
    let max = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sums = [0.0; 3]; // in f64: many small exponentials are added
    for (i, score) in (first..).zip(scores) {
        let values = [1.0, (1.7 * i as f64).sin(), 0.5 + i as f64 % 3.0];
        sums = std::array::from_fn(|k| sums[k] + f64::from(score - max).exp() * values[k]);
    }
    let [sum, weighted @ ..] = sums.map(|x| x as f32);
    Part { max, sum, weighted: Vector::from_column_slice(&weighted) }
}

fn numbers(part: &Part) -> Vec<f32> {
    [&[part.max, part.sum], part.weighted.as_slice()].concat()
}
