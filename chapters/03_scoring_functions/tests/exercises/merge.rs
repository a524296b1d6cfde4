//! 3.7 merging two halves of an attention

use shared::Vector;
use tests::close::Expectation;
use tests::exercises::{Exercise, Kind, Wrong};
use tests::expect;

use crate::attempts::Part;
use crate::solutions;

type Merge = fn(&Part, &Part) -> Part;

pub fn exercise() -> Exercise<Merge> {
    Exercise {
        number: 7,
        title: "merging two halves",
        kind: Kind::Implement,
        difficulty: 3,
        minutes: 20,
        check,
        wrong: &[
            Wrong {
                name: "sums added as they are",
                hint: "same maximum",
                answer: |a, b| Part {
                    max: a.max.max(b.max),
                    sum: a.sum + b.sum,
                    weighted: &a.weighted + &b.weighted,
                },
            },
            Wrong {
                name: "only the sums rescaled",
                hint: "the weighted values",
                answer: |a, b| Part {
                    weighted: &a.weighted + &b.weighted,
                    ..solutions::merge(a, b)
                },
            },
            Wrong {
                name: "already divided",
                hint: "not yet divided by the sum",
                answer: |a, b| {
                    let merged = solutions::merge(a, b);
                    Part { weighted: &merged.weighted / merged.sum, ..merged }
                },
            },
            Wrong { name: "factors exchanged", hint: "the other part's factor", answer: exchanged },
            Wrong {
                name: "back to plain exponentials",
                hint: "overflow",
                answer: |a, b| Part {
                    max: 0.0,
                    sum: a.sum * a.max.exp() + b.sum * b.max.exp(),
                    weighted: &a.weighted * a.max.exp() + &b.weighted * b.max.exp(),
                },
            },
            Wrong {
                name: "of two equal maxima one part dropped",
                hint: "scores [1, 3] and [3, 2, 3]",
                answer: |a, b| match a.max == b.max {
                    true => a.clone(),
                    false => solutions::merge(a, b),
                },
            },
            Wrong {
                name: "a distant part dropped",
                hint: "10.5",
                answer: |a, b| match a.max - b.max {
                    10.0.. => a.clone(),
                    ..=-10.0 => b.clone(),
                    _ => solutions::merge(a, b),
                },
            },
        ],
    }
}

fn check(merge: Merge) {
    let part = |scores: &[f32], values: &[[f32; 2]]| -> Part {
        let max = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        // In f64: many small exponentials are added.
        let exponential = |s: &f32| f64::from(s - max).exp();
        let exponentials: Vec<f64> = scores.iter().map(exponential).collect();
        let weighted = |a: usize| -> f64 {
            exponentials.iter().zip(values).map(|(e, v)| e * f64::from(v[a])).sum()
        };
        let weighted = Vector::from_column_slice(&[weighted(0) as f32, weighted(1) as f32]);
        Part { max, sum: exponentials.iter().sum::<f64>() as f32, weighted }
    };
    let values = [[1.0, -2.0], [3.0, 0.5], [-1.0, 4.0], [2.0, 2.0], [0.0, 7.0]];
    let mut cases = [
        ([0.5, 1.5, -0.5, 2.5, 1.0], "scores [0.5, 1.5] and [-0.5, 2.5, 1.0]"),
        ([2.0, 3.0, 0.0, 1.0, -1.0], "scores [2, 3] and [0, 1, -1]"),
        ([1.0, 3.0, 3.0, 2.0, 3.0], "scores [1, 3] and [3, 2, 3], with equal maxima"),
        ([500.0, 501.0, 499.0, 500.5, 0.0], "scores [500, 501] and [499, 500.5, 0]"),
        ([-500.0, -501.0, -499.0, -500.5, -900.0], "scores [-500, -501] and [-499, -500.5, -900]"),
    ]
    .map(|(scores, what)| (scores.to_vec(), values.to_vec(), 2, what))
    .to_vec();
    // A thousand keys, each of which hardly counts, count together: 1000·e^(−10.5) is 0.03.
    let (mut scores, mut many) = (vec![0.0; 1001], vec![[3.0, 0.5]; 1001]);
    (scores[0], many[0]) = (10.5, [1.0, -2.0]);
    cases.push((scores.clone(), many.clone(), 1, "score 10.5 and a thousand scores 0"));
    scores.reverse();
    many.reverse();
    cases.push((scores, many, 1000, "a thousand scores 0 and score 10.5"));
    for (scores, values, at, what) in cases {
        let (a, b) = (part(&scores[..at], &values[..at]), part(&scores[at..], &values[at..]));
        let (found, whole) = (merge(&a, &b), part(&scores, &values));
        let given = |expectation: Expectation| {
            expectation
                .given("a.max", a.max)
                .given("a.sum", a.sum)
                .given("a.weighted", &a.weighted)
                .given("b.max", b.max)
                .given("b.sum", b.sum)
                .given("b.weighted", &b.weighted)
        };
        assert!(
            found.max == whole.max,
            "{what}: the merged maximum is {}, the largest score {}\nhint: with any other, exponentials \
             overflow or vanish as soon as scores are large",
            found.max,
            whole.max
        );
        let mut sum =
            expect(found.sum, whole.sum, 1e-5).of(format!("the sum of merge(a, b), {what}"));
        let mut weighted = expect(found.weighted, &whole.weighted, 1e-5)
            .of(format!("the weighted values of merge(a, b), {what}"))
            .or_hint(
                &whole.weighted / whole.sum,
                "`weighted` is not yet divided by the sum: another part may still be merged",
            );
        if a.max != b.max {
            let hint = "each part was multiplied by the other part's factor: a part shrinks by \
                        e^(its own maximum − the common one)";
            sum = sum.or_hint(exchanged(&a, &b).sum, hint);
            weighted = weighted.or_hint(exchanged(&a, &b).weighted, hint);
            sum = sum.or_hint(
                a.sum + b.sum,
                "the parts' sums were added as they are, but they are not relative to the same maximum",
            );
            weighted = weighted.or_hint(
                &a.weighted + &b.weighted,
                "the weighted values must be brought to the common maximum, as the sums are",
            );
        }
        given(sum).check();
        given(weighted).check();
    }
}

fn exchanged(a: &Part, b: &Part) -> Part {
    let max = a.max.max(b.max);
    let (of_a, of_b) = ((b.max - max).exp(), (a.max - max).exp());
    let weighted = &a.weighted * of_a + &b.weighted * of_b;
    Part { max, sum: a.sum * of_a + b.sum * of_b, weighted }
}
