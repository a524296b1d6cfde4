//! 11.3: fifteen of a hundred.

use crate::solutions;
use crate::support::{FIRST_FIVE, SPECIAL};
use bert::{MaskedToken, Special};
use rand::RngExt;
use rand::seq::SliceRandom;
use shared::{Rng, rng};
use std::collections::BTreeMap;
use tests::exercises::{Exercise, unhinted};

pub type Mask = fn(&mut [usize], &Special, usize, &mut Rng) -> Vec<MaskedToken>;

pub const EXERCISE: Exercise<Mask> = Exercise {
    check,
    wrong: &[
        unhinted("each with probability 0.15", |pieces, special, vocabulary, rng| {
            at(pieces, special, vocabulary, rng, |mut positions, _, rng| {
                positions.retain(|_| rng.random_bool(0.15));
                positions
            })
        }),
        unhinted("marks are counted", |pieces, special, vocabulary, rng| {
            let count = share(pieces.len());
            at(pieces, special, vocabulary, rng, |positions, _, rng| some(positions, count, rng))
        }),
        unhinted("special pieces are chosen", |pieces, special, vocabulary, rng| {
            let all = (0..pieces.len()).collect();
            at(pieces, special, vocabulary, rng, |_, count, rng| some(all, count, rng))
        }),
        unhinted("a position may be drawn twice", |pieces, special, vocabulary, rng| {
            at(pieces, special, vocabulary, rng, |positions, count, rng| {
                (0..count).map(|_| positions[rng.random_range(0..positions.len())]).collect()
            })
        }),
        unhinted("what stands there now", |pieces, special, vocabulary, rng| {
            let mut masked = solutions::mask(pieces, special, vocabulary, rng);
            masked.iter_mut().for_each(|masked| masked.original = pieces[masked.position]);
            masked
        }),
        unhinted("any piece of the vocabulary", |pieces, special, vocabulary, rng| {
            let masked = solutions::mask(pieces, special, vocabulary, rng);
            for MaskedToken { position, original } in &masked {
                if ![special.mask, *original].contains(&pieces[*position]) {
                    pieces[*position] = rng.random_range(0..vocabulary);
                }
            }
            masked
        }),
        unhinted("one coin for the whole sequence", |pieces, special, vocabulary, rng| {
            let masked = solutions::mask(pieces, special, vocabulary, rng);
            let all = rng.random_bool(0.8);
            for MaskedToken { position, original } in &masked {
                pieces[*position] = if all { special.mask } else { *original };
            }
            masked
        }),
    ],
};

/// The right change, at the positions that `choose(those that may be, how many, …)`.
fn at(
    pieces: &mut [usize],
    special: &Special,
    vocabulary: usize,
    rng: &mut Rng,
    choose: impl FnOnce(Vec<usize>, usize, &mut Rng) -> Vec<usize>,
) -> Vec<MaskedToken> {
    let may_be =
        (0..pieces.len()).filter(|position| !special.contains(pieces[*position])).collect();
    let mut positions = choose(may_be, share(unmarked(pieces, special)), rng);
    positions.sort_unstable();
    let mut mask = |position: usize| {
        let original = pieces[position];
        solutions::mask(&mut pieces[position..=position], special, vocabulary, rng);
        MaskedToken { position, original }
    };
    positions.into_iter().map(&mut mask).collect()
}

fn some(mut positions: Vec<usize>, count: usize, rng: &mut Rng) -> Vec<usize> {
    positions.partial_shuffle(rng, count).0.to_vec()
}

/// How many of n pieces are chosen, if there are so many.
fn share(n: usize) -> usize {
    ((15 * n + 50) / 100).max(1)
}

/// How many pieces are neither `[CLS]` nor `[SEP]`.
fn unmarked(pieces: &[usize], special: &Special) -> usize {
    pieces.iter().filter(|piece| ![special.cls, special.sep].contains(piece)).count()
}

const VOCABULARY: usize = 25;

fn check(mask: Mask) {
    let words: Vec<usize> = (0..VOCABULARY).filter(|piece| !SPECIAL.contains(*piece)).collect();
    let (word, unknown) = (|i: usize| words[i % words.len()], SPECIAL.unknown);
    let mut texts: Vec<_> = [44, 100, 1, 2, 4, 10, 12, 17, 23, 30, 0].map(|n| text(n, word)).into();
    texts.extend([1, 2, 24, 0].map(|n| (0..n).map(word).collect())); // without marks
    texts.push(text(52, |i| if i % 13 < 5 { unknown } else { word(i) }));
    texts.push(text(52, |i| if i % 20 > 0 { unknown } else { word(i) })); // all but three
    texts.push(vec![SPECIAL.cls, unknown, 7, SPECIAL.pad, 8, SPECIAL.mask, SPECIAL.sep]);
    for before in &texts {
        for seed in 0..20 {
            let [once, again] = [(); 2].map(|()| one(mask, before, &SPECIAL, VOCABULARY, seed));
            assert!(once == again, "two calls with equal generators differ: draw all from `rng`");
        }
    }
    as_often(mask, &text(100, |_| 17), &SPECIAL, VOCABULARY, 8000);
    as_often(mask, &text(100, word), &SPECIAL, VOCABULARY, 8000);
    as_often(mask, &text(600, word), &SPECIAL, VOCABULARY, 1000);
    let few = [FIRST_FIVE.cls, 5, FIRST_FIVE.sep, 5, 5, FIRST_FIVE.sep];
    as_often(mask, &few, &FIRST_FIVE, 7, 8000);
}

/// `[CLS]`, n pieces, and `[SEP]` among them and at the end.
fn text(n: usize, piece: impl Fn(usize) -> usize) -> Vec<usize> {
    let mut pieces: Vec<usize> = (0..n).map(piece).collect();
    pieces.insert(n / 2, SPECIAL.sep);
    [&[SPECIAL.cls], &pieces[..], &[SPECIAL.sep]].concat()
}

/// Pieces afterwards, and what was masked, of which everything is so that must be so in every sequence.
fn one(
    mask: Mask,
    before: &[usize],
    special: &Special,
    vocabulary: usize,
    seed: u64,
) -> (Vec<usize>, Vec<MaskedToken>) {
    let mut pieces = before.to_vec();
    let masked = mask(&mut pieces, special, vocabulary, &mut rng(seed));
    assert!(
        masked.windows(2).all(|two| two[0].position < two[1].position),
        "{masked:?}: different positions are wanted, in their order"
    );
    let n = unmarked(before, special);
    let ordinary = before.iter().filter(|piece| !special.contains(**piece)).count();
    let (found, right) = (masked.len(), share(n).min(ordinary));
    for &MaskedToken { position, original } in &masked {
        let stood = *before
            .get(position)
            .unwrap_or_else(|| panic!("position {position} of {}", before.len()));
        assert!(
            !special.contains(stood),
            "position {position} was chosen, but {stood} there is special"
        );
        assert!(
            original == stood,
            "at position {position} you return {original} as the original, not {stood}, the piece before it was changed"
        );
    }
    assert!(
        found == right,
        "of {n} pieces that are neither [CLS] nor [SEP], {ordinary} of them not special, {found} were chosen, not \
         {right}: 0.15·{n} = {:.2}, to the nearest whole number, at least 1 and at most all {ordinary}",
        0.15 * n as f64
    );
    for (position, (now, stood)) in pieces.iter().zip(before).enumerate() {
        let chosen = masked.iter().any(|masked| masked.position == position);
        assert!(
            chosen || now == stood,
            "position {position} was changed, but is not among those returned"
        );
        assert!(
            !chosen || *now == special.mask || (!special.contains(*now) && *now < vocabulary),
            "at position {position} there is {now} now: a special piece was drawn, or one that does not exist"
        );
    }
    (pieces, masked)
}

/// What may happen in a sequence: a number, in what sense, and the rule that it is under.
type Event = (usize, &'static str, &'static str);

const SETS: &str = "all sets of so many positions are equally likely, whatever stands there";
const FATES: &str = "each chosen piece has a random number of its own: 0.8 for [MASK], 0.1 for a drawn piece, 0.1 to stay";
const DRAWN: &str = "each drawn piece is a draw of its own from all that are not special";

fn events(before: &[usize], after: &[usize], masked: &[MaskedToken], mark: usize) -> Vec<Event> {
    let (mut events, mut drawn) = (Vec::new(), Vec::new());
    for (rank, &MaskedToken { position, original }) in masked.iter().enumerate() {
        events.extend([(position, "position chosen", SETS), (original, "piece chosen", SETS)]);
        match after[position] {
            now if now == mark => events.extend([
                (original, "piece that became [MASK]", FATES),
                (rank, "of the chosen in order, became [MASK]", FATES),
            ]),
            now if now == original => events.push((original, "piece that stayed", FATES)),
            now => {
                let changed = (original, "piece that became another", FATES);
                events.extend([changed, (now, "piece drawn", DRAWN)]);
                drawn.push(now);
            }
        }
    }
    let pairs = masked.windows(2).filter(|two| two[0].position + 1 == two[1].position);
    let close: Vec<Event> = pairs
        .map(|two| (two[0].position, "position chosen together with the next", SETS))
        .collect();
    let first = |n: usize| masked.iter().filter(|masked| masked.position < n).count();
    let mut once: Vec<usize> = masked.iter().map(|masked| masked.original).collect();
    once.sort_unstable();
    once.dedup();
    events.extend([
        (usize::from(close.is_empty()), "1 when no neighbours were chosen", SETS),
        (first(before.len() / 2), "chosen in the first half", SETS),
        (first(before.len() / 4), "chosen in the first quarter", SETS),
        (once.len(), "different pieces chosen", SETS),
        (masked.iter().filter(|one| after[one.position] == mark).count(), "became [MASK]", FATES),
    ]);
    if let [a, b, ..] = drawn[..] {
        events.push((usize::from(a == b), "1 when the first two drawn are equal", DRAWN));
    }
    events.extend(close);
    events
}

/// Every event as often as with the solution, within 6.5 standard deviations: of a right answer's some
/// thousand events, one is further off less than once in a million checks.
fn as_often(mask: Mask, before: &[usize], special: &Special, vocabulary: usize, runs: u64) {
    // How often each event came, and the squares of how often it came in one sequence.
    let counted = |mask, first: u64| {
        let mut counts: BTreeMap<Event, [f64; 2]> = BTreeMap::new();
        for seed in first..first + runs {
            let (after, masked) = one(mask, before, special, vocabulary, seed);
            let mut events = events(before, &after, &masked, special.mask);
            events.sort_unstable();
            for same in events.chunk_by(|a, b| a == b) {
                let times = same.len() as f64;
                let [sum, squares] = counts.entry(same[0]).or_default();
                (*sum, *squares) = (*sum + times, *squares + times * times);
            }
        }
        counts
    };
    let (found, right) = (counted(mask, 0), counted(solutions::mask, 1 << 32));
    for event in found.keys().chain(right.keys()) {
        let [(a, aa), (b, bb)] = [&found, &right].map(|counts| {
            let [sum, squares] = counts.get(event).copied().unwrap_or_default();
            (sum, squares - sum * sum / runs as f64)
        });
        let (number, what, rule) = event;
        assert!(
            (a - b).abs() <= 6.5 * (aa + bb).sqrt() + 20.0,
            "in {runs} sequences of {} pieces, {number} ({what}): {a} times, where about {b} would be usual\nhint: {rule}",
            before.len()
        );
    }
}
