//! 14.5: how old is a sentence?

use crate::solutions;
use tests::exercises::{Exercise, Kind, wrong};
use tests::expect;

pub type Ages = fn(&[usize]) -> Vec<usize>;

pub const EXERCISE: Exercise<Ages> = Exercise {
    number: 5,
    title: "spot the bug: how old is a sentence?",
    kind: Kind::SpotTheBug,
    difficulty: 1,
    minutes: 10,
    check,
    wrong: &[
        wrong("the original bug", "a sentence of the next story is not after it", |offsets| {
            let sentences = offsets[offsets.len() - 1];
            (0..sentences).map(|i| sentences - 1 - i).collect()
        }),
        wrong("counts from the beginning", "after it, not before it", |offsets| {
            offsets.windows(2).flat_map(|ends| 0..ends[1] - ends[0]).collect()
        }),
        wrong("the last has 1", "after the last sentence there is none: 0", |offsets| {
            solutions::ages(offsets).iter().map(|age| age + 1).collect()
        }),
        wrong("the first story's length for all", "stories have different lengths", |offsets| {
            let first = offsets[1] - offsets[0];
            (0..offsets[offsets.len() - 1]).map(|i| (first - 1).saturating_sub(i % first)).collect()
        }),
    ],
};

fn check(ages: Ages) {
    for offsets in [&[0, 3][..], &[0, 2, 5], &[0, 4, 5, 5, 8]] {
        let numbers =
            |ages: Vec<usize>| -> Vec<f64> { ages.iter().map(|age| *age as f64).collect() };
        expect(numbers(ages(offsets)), numbers(solutions::ages(offsets)), 0.0)
            .of(format!("ages({offsets:?})"))
            .check();
    }
}
