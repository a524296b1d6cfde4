//! 15.6: what the others lost.

use crate::solutions;
use tests::exercises::{Exercise, Kind, wrong};
use tests::expect;

type LessTheOthers = fn(&[f32]) -> Vec<f32>;

fn less(credits: &[f32], baseline: impl Fn(f32, f32, f32) -> f32) -> Vec<f32> {
    let (b, sum) = (credits.len() as f32, credits.iter().sum::<f32>());
    credits.iter().map(|c| c - baseline(*c, sum, b)).collect()
}

pub const EXERCISE: Exercise<LessTheOthers> = Exercise {
    number: 6,
    title: "what the others lost",
    kind: Kind::Implement,
    difficulty: 2,
    minutes: 20,
    check,
    wrong: &[
        wrong(
            "the mean of all",
            "that mean contains the very draw it is subtracted from: the estimate becomes too small",
            |credits| {
                if credits.len() > 1 {
                    less(credits, |_, sum, b| sum / b)
                } else {
                    credits.to_vec()
                }
            },
        ),
        wrong(
            "alone, nothing is left",
            "a caption alone has no others: its credit stays",
            |credits| less(credits, |c, sum, b| if b > 1.0 { (sum - c) / (b - 1.0) } else { c }),
        ),
        wrong("divided by all", "the others are one fewer", |credits| {
            less(credits, |c, sum, b| (sum - c) / b)
        }),
        wrong("nothing by nothing", "a caption alone has no others: 0/0 is no number", |credits| {
            less(credits, |c, sum, b| (sum - c) / (b - 1.0))
        }),
        wrong("the other sign", "", |credits| {
            if credits.len() > 1 {
                solutions::less_the_others(credits).iter().map(|x| -x).collect()
            } else {
                credits.to_vec()
            }
        }),
    ],
};

fn check(less_the_others: LessTheOthers) {
    let cases: [(&[f32], &[f32]); 3] =
        [(&[4.0, 1.0, 1.0], &[3.0, -1.5, -1.5]), (&[2.0, 6.0], &[-4.0, 4.0]), (&[5.0], &[5.0])];
    for (credits, right) in cases {
        expect(less_the_others(credits), right.to_vec(), 1e-6)
            .of(format!("less_the_others(&{credits:?})"))
            .check();
    }
}
