//! 11.2: two texts, one sequence.

use super::solutions;
use super::support::{FIRST_FIVE, SPECIAL};
use bert::Special;
use tests::exercises::{Exercise, wrong};

pub type Sequence = (Vec<usize>, Vec<usize>);
pub type Pair = fn(&[usize], &[usize], usize, &Special) -> Sequence;

pub const EXERCISE: Exercise<Pair> = Exercise {
    check,
    wrong: &[
        wrong("[SEP] ends every segment, the second as well", |a, b, longest, special| {
            let (mut pieces, mut segments) = solutions::pair(a, b, longest, special);
            pieces.pop();
            segments.pop();
            (pieces, segments)
        }),
        wrong(
            "the first [SEP] belongs to segment 0, all that comes after it to segment 1",
            |a, b, longest, special| {
                let (pieces, mut segments) = solutions::pair(a, b, longest, special);
                let middle = pieces.iter().position(|piece| *piece == special.sep);
                segments[middle.expect("a mark")] = 1;
                (pieces, segments)
            },
        ),
        wrong("that is too long: the three marks count", |a, b, longest, special| {
            solutions::pair(a, b, longest + 3, special)
        }),
        wrong("the longer text loses a piece, again and again", |a, b, longest, special| {
            let a = &a[..a.len().min(longest - 3)];
            let b = &b[..b.len().min(longest - 3 - a.len())];
            solutions::pair(a, b, longest, special)
        }),
        wrong("a text loses its last piece, not its first", |a, b, longest, special| {
            let turned = |text: &[usize]| text.iter().rev().copied().collect::<Vec<_>>();
            let (mut pieces, segments) = solutions::pair(&turned(a), &turned(b), longest, special);
            pieces.split_mut(|piece| *piece == special.sep).for_each(<[usize]>::reverse);
            pieces.retain(|piece| *piece != special.cls);
            pieces.insert(0, special.cls);
            (pieces, segments)
        }),
        wrong("when both are equally long, the second loses a piece", |a, b, longest, special| {
            let (mut first, mut second) = (a.len(), b.len());
            while first + second + 3 > longest {
                if first >= second { first -= 1 } else { second -= 1 }
            }
            solutions::pair(&a[..first], &b[..second], longest, special)
        }),
    ],
};

fn check(pair: Pair) {
    let (first, second): (Vec<usize>, Vec<usize>) = ((20..40).collect(), (40..60).collect());
    for special in [SPECIAL, FIRST_FIVE] {
        let roomy = [(2, 3, 20), (3, 2, 8), (0, 2, 9), (3, 0, 9), (0, 0, 9)];
        let tight = [(9, 3, 12), (3, 9, 12), (9, 8, 12), (6, 6, 14), (4, 1, 3), (20, 20, 40)];
        let texts = roomy
            .into_iter()
            .chain(tight)
            .map(|(a, b, longest)| (&first[..a], &second[..b], longest));
        let (one, other) = ([20, 20, special.unknown, 21], [special.unknown, 40, 40]);
        let as_they_are = [20, 8].map(|longest| (&one[..], &other[..], longest));
        for (a, b, longest) in texts.into_iter().chain(as_they_are) {
            let [found, right] = [pair, solutions::pair].map(|f| f(a, b, longest, &special));
            let what = format!("pair({a:?}, {b:?}, {longest}, {special:?})");
            assert!(found == right, "{what} is\n    {found:?}\nnot\n    {right:?}");
        }
    }
}
