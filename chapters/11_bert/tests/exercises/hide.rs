//! 11.3: fifteen of a hundred.

use crate::solutions;
use crate::support::{FIRST_FIVE, SPECIAL};
use bert::{Hidden, Special};
use rand::RngExt;
use shared::{Rng, rng};
use std::collections::BTreeMap;
use tests::exercises::{Exercise, Kind, Wrong};

pub type Hide = fn(&mut [usize], &Special, usize, &mut Rng) -> Vec<Hidden>;

pub fn exercise() -> Exercise<Hide> {
    Exercise {
        number: 3,
        title: "fifteen of a hundred",
        kind: Kind::Implement,
        difficulty: 2,
        minutes: 25,
        check,
        wrong: &[
            Wrong {
                name: "each with probability 0.15",
                hint: "to the nearest",
                answer: |pieces, special, vocabulary, rng| {
                    at(pieces, special, vocabulary, rng, |places, _, rng| {
                        places.retain(|_| rng.random_bool(0.15));
                    })
                },
            },
            Wrong {
                name: "marks are counted",
                hint: "neither [CLS] nor [SEP]",
                answer: |pieces, special, vocabulary, rng| {
                    let n = pieces.len();
                    at(pieces, special, vocabulary, rng, |places, _, rng| {
                        shuffle(places, rng);
                        places.truncate(share(n));
                    })
                },
            },
            Wrong {
                name: "special pieces are chosen",
                hint: "is a special piece",
                answer: |pieces, special, vocabulary, rng| {
                    let all = 0..pieces.len();
                    at(pieces, special, vocabulary, rng, |places, count, rng| {
                        *places = all.collect();
                        shuffle(places, rng);
                        places.truncate(count);
                    })
                },
            },
            Wrong {
                name: "a place may be drawn twice",
                hint: "different places",
                answer: |pieces, special, vocabulary, rng| {
                    at(pieces, special, vocabulary, rng, |places, count, rng| {
                        let draw = |_| places[rng.random_range(0..places.len())];
                        *places = (0..count).map(draw).collect();
                    })
                },
            },
            Wrong {
                name: "one from each of equal parts",
                hint: "equally likely",
                answer: |pieces, special, vocabulary, rng| {
                    at(pieces, special, vocabulary, rng, |places, count, rng| {
                        let (n, count) = (places.len(), count.min(places.len()));
                        let part = |i| i * n / count..(i + 1) * n / count;
                        *places = (0..count).map(|i| places[rng.random_range(part(i))]).collect();
                    })
                },
            },
            Wrong {
                name: "what stands there now",
                hint: "before it was changed",
                answer: |pieces, special, vocabulary, rng| {
                    let mut hidden = solutions::hide(pieces, special, vocabulary, rng);
                    hidden.iter_mut().for_each(|hidden| hidden.original = pieces[hidden.place]);
                    hidden
                },
            },
            Wrong {
                name: "any piece of the vocabulary",
                hint: "a special piece was drawn",
                answer: |pieces, special, vocabulary, rng| {
                    let hidden = solutions::hide(pieces, special, vocabulary, rng);
                    for Hidden { place, original } in &hidden {
                        if ![special.mask, *original].contains(&pieces[*place]) {
                            pieces[*place] = rng.random_range(0..vocabulary);
                        }
                    }
                    hidden
                },
            },
            Wrong {
                name: "one coin for the whole sequence",
                hint: "of its own",
                answer: |pieces, special, vocabulary, rng| {
                    let before = pieces.to_vec();
                    let hidden = solutions::hide(pieces, special, vocabulary, rng);
                    let all = rng.random_bool(0.8);
                    for Hidden { place, .. } in &hidden {
                        pieces[*place] = if all { special.mask } else { before[*place] };
                    }
                    hidden
                },
            },
        ],
    }
}

/// The right change, at the places that `choose` makes of all that may be chosen.
fn at(
    pieces: &mut [usize],
    special: &Special,
    vocabulary: usize,
    rng: &mut Rng,
    choose: impl FnOnce(&mut Vec<usize>, usize, &mut Rng),
) -> Vec<Hidden> {
    let mut places: Vec<usize> =
        (0..pieces.len()).filter(|place| !special.contains(pieces[*place])).collect();
    choose(&mut places, share(unmarked(pieces, special)), rng);
    places.sort_unstable();
    let words: Vec<usize> = (0..vocabulary).filter(|piece| !special.contains(*piece)).collect();
    let mut hide = |place: usize| {
        let hidden = Hidden { place, original: pieces[place] };
        match rng.random_range(0..10) {
            0 => pieces[place] = words[rng.random_range(0..words.len())],
            1 => {}
            _ => pieces[place] = special.mask,
        }
        hidden
    };
    places.into_iter().map(&mut hide).collect()
}

fn shuffle(places: &mut [usize], rng: &mut Rng) {
    (1..places.len()).for_each(|i| places.swap(i, rng.random_range(0..=i)));
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

/// One piece after the other, none of them special.
fn word(i: usize) -> usize {
    [1, 2, 4, 7, 8, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24][i % 20]
}

/// `[CLS]`, n pieces, and `[SEP]` among them and at the end.
fn text(n: usize, piece: impl Fn(usize) -> usize) -> Vec<usize> {
    let mut pieces: Vec<usize> = (0..n).map(piece).collect();
    pieces.insert(n / 2, SPECIAL.sep);
    [vec![SPECIAL.cls], pieces, vec![SPECIAL.sep]].concat()
}

fn check(hide: Hide) {
    let unknown = SPECIAL.unknown;
    let mut texts: Vec<_> = [44, 100, 1, 2, 4, 10, 12, 17, 23, 30, 0].map(|n| text(n, word)).into();
    texts.extend([1, 2, 40, 0].map(|n| (0..n).map(word).collect::<Vec<_>>())); // without marks
    texts.push(text(52, |i| if i % 13 < 5 { unknown } else { word(i) }));
    texts.push(text(52, |i| if i % 20 > 0 { unknown } else { word(i) })); // all but three
    texts.push(vec![SPECIAL.cls, unknown, 7, SPECIAL.pad, 8, SPECIAL.mask, SPECIAL.sep]);
    for before in &texts {
        for seed in 0..20 {
            let [once, again] = [(); 2].map(|()| one(hide, before, &SPECIAL, VOCABULARY, seed));
            assert!(
                once == again,
                "two calls with equal generators differ\nhint: all that is drawn comes from `rng`"
            );
        }
    }
    as_often(hide, &text(100, |_| 17), &SPECIAL, VOCABULARY, 8000);
    as_often(hide, &text(100, word), &SPECIAL, VOCABULARY, 8000);
    as_often(hide, &text(600, word), &SPECIAL, VOCABULARY, 1000);
    let few = [FIRST_FIVE.cls, 5, FIRST_FIVE.sep, 5, 5, FIRST_FIVE.sep];
    as_often(hide, &few, &FIRST_FIVE, 7, 8000);
}

/// Pieces afterwards, and what was hidden, of which everything is so that must be so in every sequence.
fn one(
    hide: Hide,
    before: &[usize],
    special: &Special,
    vocabulary: usize,
    seed: u64,
) -> (Vec<usize>, Vec<Hidden>) {
    let mut pieces = before.to_vec();
    let hidden = hide(&mut pieces, special, vocabulary, &mut rng(seed));
    assert!(
        hidden.windows(2).all(|two| two[0].place < two[1].place),
        "{hidden:?}\nhint: different places, in their order"
    );
    for &Hidden { place, original } in &hidden {
        assert!(place < before.len(), "place {place} of {}", before.len());
        let stood = before[place];
        assert!(
            !special.contains(stood),
            "place {place} was chosen\nhint: what stands there, {stood}, is a special piece"
        );
        assert!(
            original == stood,
            "at place {place} the original is told to be {original}, not {stood}\nhint: the piece before it was changed"
        );
    }
    let n = unmarked(before, special);
    let ordinary = before.iter().filter(|piece| !special.contains(**piece)).count();
    assert!(
        hidden.len() == share(n).min(ordinary),
        "of {n} pieces that are neither [CLS] nor [SEP], {ordinary} of them not special, {} were chosen, not {}\n\
         hint: 0.15·{n} = {:.2}, to the nearest whole number, at least 1 and at most all {ordinary}",
        hidden.len(),
        share(n).min(ordinary),
        0.15 * n as f64
    );
    for (place, (now, stood)) in pieces.iter().zip(before).enumerate() {
        let chosen = hidden.iter().any(|hidden| hidden.place == place);
        assert!(chosen || now == stood, "place {place} was changed, but is not told to be hidden");
        assert!(
            !chosen || *now == special.mask || (!special.contains(*now) && *now < vocabulary),
            "at place {place} there is {now} now\nhint: a special piece was drawn, or one that does not exist"
        );
    }
    (pieces, hidden)
}

/// What may happen in a sequence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Place(usize),
    Neighbours(usize),
    AnyNeighbours(bool),
    FirstHalf(usize),
    FirstQuarter(usize),
    Piece(usize),
    Different(usize),
    Masked(usize),
    Stayed(usize),
    Changed(usize),
    RankMasked(usize),
    AllMasked(usize),
    Drawn(usize),
    DrawnAlike(bool),
}

impl Event {
    /// In words, and the rule that it is under.
    fn told(self) -> (String, &'static str) {
        use Event::*;
        let sets = "all sets of so many places are equally likely, whatever stands there";
        let fates = "each chosen piece has a random number of its own: 0.8 for [MASK], 0.1 for a drawn piece, 0.1 to stay";
        let drawn = "each drawn piece is a draw of its own from all that are not special";
        match self {
            Place(i) => (format!("place {i} was chosen"), sets),
            Neighbours(i) => (format!("place {i} and the next were chosen"), sets),
            AnyNeighbours(any) => (format!("that two neighbours were chosen was {any}"), sets),
            FirstHalf(n) => (format!("{n} lay in the first half"), sets),
            FirstQuarter(n) => (format!("{n} lay in the first quarter"), sets),
            Piece(piece) => (format!("piece {piece} was chosen"), sets),
            Different(n) => (format!("{n} different pieces were chosen"), sets),
            Masked(piece) => (format!("piece {piece} became [MASK]"), fates),
            Stayed(piece) => (format!("piece {piece} stayed"), fates),
            Changed(piece) => (format!("piece {piece} became another"), fates),
            RankMasked(i) => (format!("number {i} of the chosen became [MASK]"), fates),
            AllMasked(n) => (format!("{n} of the chosen became [MASK]"), fates),
            Drawn(piece) => (format!("piece {piece} was drawn"), drawn),
            DrawnAlike(alike) => (format!("that the first two drawn are equal was {alike}"), drawn),
        }
    }
}

fn events(before: &[usize], after: &[usize], hidden: &[Hidden], mask: usize) -> Vec<Event> {
    let (mut events, mut drawn) = (Vec::new(), Vec::new());
    for (rank, &Hidden { place, original }) in hidden.iter().enumerate() {
        events.extend([Event::Place(place), Event::Piece(original)]);
        match after[place] {
            now if now == mask => events.extend([Event::Masked(original), Event::RankMasked(rank)]),
            now if now == original => events.push(Event::Stayed(original)),
            now => {
                events.extend([Event::Changed(original), Event::Drawn(now)]);
                drawn.push(now);
            }
        }
    }
    let close = |two: &&[Hidden]| two[0].place + 1 == two[1].place;
    events.extend(hidden.windows(2).filter(close).map(|two| Event::Neighbours(two[0].place)));
    events.push(Event::AnyNeighbours(hidden.windows(2).any(|two| close(&two))));
    let first = |n: usize| hidden.iter().filter(|hidden| hidden.place < n).count();
    events.push(Event::FirstHalf(first(before.len() / 2)));
    events.push(Event::FirstQuarter(first(before.len() / 4)));
    let mut once: Vec<usize> = hidden.iter().map(|hidden| hidden.original).collect();
    once.sort_unstable();
    once.dedup();
    events.push(Event::Different(once.len()));
    let masked = hidden.iter().filter(|hidden| after[hidden.place] == mask);
    events.push(Event::AllMasked(masked.count()));
    if let [a, b, ..] = drawn[..] {
        events.push(Event::DrawnAlike(a == b));
    }
    events
}

/// How often each event came in so many sequences, and the squares of how often it came in one.
fn counted(
    hide: Hide,
    (before, special, vocabulary): (&[usize], &Special, usize),
    seeds: std::ops::Range<u64>,
) -> BTreeMap<Event, [f64; 2]> {
    let mut counts: BTreeMap<Event, [f64; 2]> = BTreeMap::new();
    for seed in seeds {
        let (after, hidden) = one(hide, before, special, vocabulary, seed);
        let mut events = events(before, &after, &hidden, special.mask);
        events.sort_unstable();
        for same in events.chunk_by(|a, b| a == b) {
            let times = same.len() as f64;
            let [sum, squares] = counts.entry(same[0]).or_default();
            (*sum, *squares) = (*sum + times, *squares + times * times);
        }
    }
    counts
}

/// Every event as often as with the solution, but for 6.5 standard deviations: of a right answer's some
/// thousand events, one is further off less than once in a million checks.
fn as_often(hide: Hide, before: &[usize], special: &Special, vocabulary: usize, runs: u64) {
    let of = |hide, first| counted(hide, (before, special, vocabulary), first..first + runs);
    let (found, right) = (of(hide, 0), of(solutions::hide, 1 << 32));
    for event in found.keys().chain(right.keys()) {
        let [(a, aa), (b, bb)] = [&found, &right].map(|counts| {
            let [sum, squares] = counts.get(event).copied().unwrap_or_default();
            (sum, squares - sum * sum / runs as f64)
        });
        if (a - b).abs() <= 6.5 * (aa + bb).sqrt() + 20.0 {
            continue;
        }
        let (told, rule) = event.told();
        panic!(
            "in {runs} sequences of {} pieces, {told}: {a} times, where about {b} would be usual\nhint: {rule}",
            before.len()
        );
    }
}
