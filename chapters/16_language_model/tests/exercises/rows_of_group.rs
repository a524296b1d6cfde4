//! 16.4: a head and its group.

use super::solutions;
use std::ops::Range;
use tests::exercises::{Exercise, bug, wrong};

type RowsOfGroup = fn(usize, usize, usize, usize) -> Range<usize>;

pub const EXERCISE: Exercise<RowsOfGroup> = Exercise {
    check,
    wrong: &[
        bug("neighbours share: groups are not dealt out like cards", |head, _, groups, d| {
            let group = head % groups;
            group * d..(group + 1) * d
        }),
        wrong("a group has a block of rows, not a head", |head, _, _, d| head * d..(head + 1) * d),
        wrong("a group has heads/groups heads, not `groups` of them", |head, _, groups, d| {
            let group = head / groups;
            group * d..(group + 1) * d
        }),
        wrong("d rows each", |head, heads, groups, _| {
            let group = solutions::rows_of_group(head, heads, groups, 1).start;
            group..group + 1
        }),
        wrong("only a single group begins at 0 for everybody", |_, _, _, d| 0..d),
    ],
};

fn check(rows_of_group: RowsOfGroup) {
    for (heads, groups, d) in [(4, 2, 3), (4, 4, 2), (6, 2, 5), (8, 1, 4), (12, 3, 2)] {
        let share = heads / groups;
        for head in (0..heads).rev() {
            let found = rows_of_group(head, heads, groups, d);
            let first = (0..groups).find(|group| head < (group + 1) * share).unwrap() * d;
            assert!(
                found == (first..first + d),
                "rows_of_group({head}, {heads}, {groups}, {d}) is {found:?}, not {:?}: {share} heads a group",
                first..first + d
            );
        }
    }
}
