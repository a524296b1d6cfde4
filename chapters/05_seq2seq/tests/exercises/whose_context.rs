//! 5.8: which source belongs to which target.

use crate::solutions;
use seq2seq::{Batch, Packed};
use std::cmp::Reverse;
use tests::exercises::{Exercise, Kind, ORIGINAL_BUG, Wrong};

type SourceOf = fn(&[(usize, usize)]) -> Vec<usize>;

pub fn exercise() -> Exercise<SourceOf> {
    Exercise {
        number: 8,
        title: "spot the bug: whose context?",
        kind: Kind::SpotTheBug,
        difficulty: 2,
        minutes: 15,
        check,
        wrong: &[
            Wrong {
                name: ORIGINAL_BUG,
                hint: "another sentence's context",
                answer: |pairs| {
                    let places = solutions::source_of(pairs);
                    let mut inverse = vec![0; places.len()];
                    places.iter().enumerate().for_each(|(j, place)| inverse[*place] = j);
                    inverse
                },
            },
            Wrong {
                name: "as if there were one order",
                hint: "another sentence's context",
                answer: |pairs| (0..pairs.len()).collect(),
            },
            Wrong {
                name: "the pair's number for its place",
                hint: "another sentence's context",
                answer: |pairs| longest_first(pairs.len(), |i| pairs[i].1),
            },
            Wrong {
                name: "shortest first",
                hint: "",
                answer: |pairs| solutions::source_of(pairs).into_iter().rev().collect(),
            },
            Wrong {
                name: "equal lengths turned round",
                hint: "",
                answer: |pairs| {
                    let last = pairs.len() - 1;
                    let turned = longest_first(pairs.len(), |i| pairs[last - i].0);
                    let by_source: Vec<usize> = turned.iter().map(|i| last - i).collect();
                    places(&longest_first(pairs.len(), |i| pairs[i].1), &by_source)
                },
            },
            Wrong {
                name: "equal lengths turned round on both sides",
                hint: "stay in the order given",
                answer: |pairs| {
                    let turned: Vec<_> = pairs.iter().rev().copied().collect();
                    solutions::source_of(&turned)
                },
            },
            Wrong {
                name: "targets in the order of the sources",
                hint: "stay in the order given",
                answer: |pairs| {
                    let by_source = longest_first(pairs.len(), |i| pairs[i].0);
                    longest_first(pairs.len(), |j| pairs[by_source[j]].1)
                },
            },
            Wrong {
                name: "an unstable sort",
                hint: "stay in the order given",
                answer: |pairs| {
                    let mut by_source: Vec<usize> = (0..pairs.len()).collect();
                    by_source.sort_unstable_by_key(|&i| Reverse(pairs[i].0));
                    let mut by_target: Vec<usize> = (0..pairs.len()).collect();
                    by_target.sort_unstable_by_key(|&i| Reverse(pairs[i].1));
                    places(&by_target, &by_source)
                },
            },
        ],
    }
}

fn check(source_of: SourceOf) {
    let check = |pairs: &[(usize, usize)], call: &str, hint: &str| {
        let pairs_of_words: Vec<(Vec<usize>, Vec<usize>)> =
            pairs.iter().map(|(s, t)| (vec![3; *s], vec![4; *t])).collect();
        let borrowed: Vec<(&[usize], &[usize])> =
            pairs_of_words.iter().map(|(s, t)| (&s[..], &t[..])).collect();
        let right = Packed::new(&Batch::new(&borrowed, 1)).source_of;
        let found = source_of(pairs);
        assert!(
            found.len() == right.len(),
            "{call}: {} places for {} pairs",
            found.len(),
            right.len()
        );
        let by_target = longest_first(pairs.len(), |i| pairs[i].1);
        if let Some(j) = (0..found.len()).find(|j| found[*j] != right[*j]) {
            let pair = by_target[j];
            panic!(
                "{call}: entry {j} is {}, not {}. At place {j} among the targets stands pair {pair} (counted \
                 from 0), {:?}, and its place among the sources is {}\nhint: {hint}",
                found[j], right[j], pairs[pair], right[j]
            );
        }
    };
    let other = "a target would start from another sentence's context";
    let cases: [(&[_], _); 5] = [
        (&[(3, 5), (6, 2)], other),
        (&[(4, 2), (7, 6), (5, 9)], other),
        (&[(2, 8), (9, 3), (5, 5), (7, 1)], other),
        (&[(3, 3), (3, 4), (3, 3)], STAY),
        (&[(3, 5), (3, 2), (4, 5)], STAY),
    ];
    for (pairs, hint) in cases {
        check(pairs, &format!("source_of({pairs:?})"), hint);
    }
    let many: Vec<_> = (0..40).map(|i| (1 + 7 * i % 3, 1 + 5 * i % 4)).collect(); // an unstable sort shows
    check(&many, "source_of of 40 pairs, many of them equally long", STAY);
}

const STAY: &str = "equally long ones stay in the order given, on both sides";

fn longest_first(count: usize, length: impl Fn(usize) -> usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|&i| Reverse(length(i)));
    order
}

/// For each entry of `order`, its place in `other`.
fn places(order: &[usize], other: &[usize]) -> Vec<usize> {
    order.iter().map(|i| other.iter().position(|j| j == i).expect("a pair")).collect()
}
