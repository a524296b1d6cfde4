//! 5.8: which source belongs to which target.

use super::solutions;
use std::cmp::Reverse;
use tests::exercises::{Exercise, bug, wrong};

pub type SourceOf = fn(&[(usize, usize)]) -> Vec<usize>;

const OTHER: &str = "a target would start from another sentence's context";
const STAY: &str = "equally long ones stay in the order given, on both sides";

pub const EXERCISE: Exercise<SourceOf> = Exercise {
    check,
    wrong: &[
        bug(OTHER, |pairs| {
            let right = solutions::source_of(pairs);
            places(&(0..pairs.len()).collect::<Vec<_>>(), &right)
        }),
        wrong(OTHER, |pairs| (0..pairs.len()).collect()),
        wrong("a position among the sources is asked for, not the number of the pair", |pairs| {
            longest_first(pairs, |pair| pair.1)
        }),
        wrong("the longest stand first, on both sides", |pairs| {
            solutions::source_of(pairs).into_iter().rev().collect()
        }),
        wrong(STAY, |pairs| {
            let turned: Vec<_> = pairs.iter().rev().copied().collect();
            let by_source = longest_first(&turned, |pair| pair.0);
            let by_source: Vec<usize> = by_source.iter().map(|i| pairs.len() - 1 - i).collect();
            places(&longest_first(pairs, |pair| pair.1), &by_source)
        }),
        wrong(STAY, |pairs| {
            let mut sorted = pairs.to_vec();
            sorted.sort_by_key(|pair| Reverse(pair.0));
            longest_first(&sorted, |pair| pair.1)
        }),
        wrong(STAY, |pairs| {
            let order = |length: fn(&(usize, usize)) -> usize| {
                let mut order: Vec<usize> = (0..pairs.len()).collect();
                order.sort_unstable_by_key(|&i| Reverse(length(&pairs[i])));
                order
            };
            places(&order(|pair| pair.1), &order(|pair| pair.0))
        }),
    ],
};

fn check(source_of: SourceOf) {
    let many: Vec<_> = (0..40).map(|i| (1 + 7 * i % 3, 1 + 5 * i % 4)).collect(); // an unstable sort shows
    for pairs in [
        &[(2, 8), (9, 3), (5, 5), (7, 1)][..],
        &[(3, 5), (6, 2)],
        &[(4, 2), (7, 6), (5, 9)],
        &[(3, 3), (3, 4), (3, 3)],
        &[(3, 5), (3, 2), (4, 5)],
        &many,
    ] {
        let (found, right) = (source_of(pairs), solutions::source_of(pairs));
        assert!(found == right, "source_of({pairs:?}) is {found:?}, not {right:?}");
    }
}

fn longest_first(pairs: &[(usize, usize)], length: fn(&(usize, usize)) -> usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..pairs.len()).collect();
    order.sort_by_key(|&i| Reverse(length(&pairs[i])));
    order
}

/// The position in `other` of each entry of `order`.
fn places(order: &[usize], other: &[usize]) -> Vec<usize> {
    order.iter().map(|i| other.iter().position(|j| j == i).expect("a pair")).collect()
}
