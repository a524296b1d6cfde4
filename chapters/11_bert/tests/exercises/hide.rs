//! 11.3: fifteen of a hundred.

use crate::solutions;
use crate::support::{FIRST_FIVE, SPECIAL};
use bert::{Hidden, Masking, Special};
use rand::RngExt;
use rand::seq::SliceRandom;
use shared::{Rng, rng};
use std::collections::BTreeSet;
use std::hash::{BuildHasher, RandomState};
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
                hint: "exactly",
                answer: |pieces, special, vocabulary, rng| {
                    let places = places(pieces, special);
                    let chosen = places.into_iter().filter(|_| rng.random_bool(0.15)).collect();
                    change(pieces, chosen, special, vocabulary, rng)
                },
            },
            Wrong {
                name: "special pieces are counted",
                hint: "of the pieces that are not special",
                answer: |pieces, special, vocabulary, rng| {
                    let count = (0.15 * pieces.len() as f64).round().max(1.0) as usize;
                    let chosen = choose(pieces, |piece| !special.contains(piece), count, rng);
                    change(pieces, chosen, special, vocabulary, rng)
                },
            },
            Wrong {
                name: "special pieces are chosen",
                hint: "is a special piece",
                answer: |pieces, special, vocabulary, rng| {
                    let count = count(pieces, special);
                    let chosen = choose(pieces, |_| true, count, rng);
                    change(pieces, chosen, special, vocabulary, rng)
                },
            },
            Wrong {
                name: "rounded down",
                hint: "rounded",
                answer: |pieces, special, vocabulary, rng| {
                    let n = pieces.iter().filter(|piece| !special.contains(**piece)).count();
                    let count = ((0.15 * n as f64) as usize).max(1);
                    let chosen = choose(pieces, |piece| !special.contains(piece), count, rng);
                    change(pieces, chosen, special, vocabulary, rng)
                },
            },
            Wrong {
                name: "sometimes nothing",
                hint: "at least one",
                answer: |pieces, special, vocabulary, rng| {
                    let n = pieces.iter().filter(|piece| !special.contains(**piece)).count();
                    let count = (0.15 * n as f64).round() as usize;
                    let chosen = choose(pieces, |piece| !special.contains(piece), count, rng);
                    change(pieces, chosen, special, vocabulary, rng)
                },
            },
            Wrong {
                name: "at most twenty",
                hint: "however long",
                answer: |pieces, special, vocabulary, rng| {
                    let count = count(pieces, special).min(20);
                    let chosen = choose(pieces, |piece| !special.contains(piece), count, rng);
                    change(pieces, chosen, special, vocabulary, rng)
                },
            },
            Wrong {
                name: "the first places",
                hint: "equally likely",
                answer: |pieces, special, vocabulary, rng| {
                    let places = places(pieces, special);
                    let chosen = places.into_iter().take(count(pieces, special)).collect();
                    change(pieces, chosen, special, vocabulary, rng)
                },
            },
            Wrong {
                name: "one stretch",
                hint: "neighbours",
                answer: |pieces, special, vocabulary, rng| {
                    let mut places = places(pieces, special);
                    let begin = rng.random_range(0..places.len().max(1));
                    let begin = begin.min(places.len());
                    places.rotate_left(begin);
                    places.truncate(count(pieces, special));
                    places.sort_unstable();
                    change(pieces, places, special, vocabulary, rng)
                },
            },
            Wrong {
                name: "one from each of equal parts",
                hint: "neighbours",
                answer: |pieces, special, vocabulary, rng| {
                    let places = places(pieces, special);
                    let (n, count) = (places.len(), count(pieces, special).min(places.len()));
                    let draw = |i| places[rng.random_range(i * n / count..(i + 1) * n / count)];
                    let chosen = (0..count).map(draw).collect();
                    change(pieces, chosen, special, vocabulary, rng)
                },
            },
            Wrong {
                name: "a place may be drawn twice",
                hint: "different places",
                answer: |pieces, special, vocabulary, rng| {
                    let before = pieces.to_vec();
                    let places = places(&before, special);
                    let draw = |_| places[rng.random_range(0..places.len())];
                    let mut chosen: Vec<usize> = (0..count(pieces, special)).map(draw).collect();
                    chosen.sort_unstable();
                    let mut hidden = change(pieces, chosen, special, vocabulary, rng);
                    hidden.iter_mut().for_each(|hidden| hidden.original = before[hidden.place]);
                    hidden
                },
            },
            Wrong {
                name: "in the order they were drawn",
                hint: "in the order of the places",
                answer: |pieces, special, vocabulary, rng| {
                    let mut hidden = solutions::hide(pieces, special, vocabulary, rng);
                    hidden.shuffle(rng);
                    hidden
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
                name: "always [MASK]",
                hint: "became [MASK]",
                answer: |pieces, special, vocabulary, rng| {
                    treated(pieces, special, vocabulary, rng, |_, _, _| 0.0)
                },
            },
            Wrong {
                name: "a tenth of the rest",
                hint: "became another piece",
                answer: |pieces, special, vocabulary, rng| {
                    treated(pieces, special, vocabulary, rng, |_, _, rng| match rng.random() {
                        u if u < 0.82 => u,
                        _ => 0.95,
                    })
                },
            },
            Wrong {
                name: "never left as it is",
                hint: "stayed",
                answer: |pieces, special, vocabulary, rng| {
                    treated(pieces, special, vocabulary, rng, |_, _, rng| {
                        rng.random::<f64>().min(0.89)
                    })
                },
            },
            Wrong {
                name: "any piece of the vocabulary",
                hint: "a special piece was drawn",
                answer: |pieces, special, vocabulary, rng| {
                    let hidden = solutions::hide(pieces, special, vocabulary, rng);
                    for hidden in &hidden {
                        let now = &mut pieces[hidden.place];
                        if *now != special.mask && *now != hidden.original {
                            *now = rng.random_range(0..vocabulary);
                        }
                    }
                    hidden
                },
            },
            Wrong {
                name: "all special pieces come first in the vocabulary",
                hint: "equally often",
                answer: |pieces, special, vocabulary, rng| {
                    let hidden = solutions::hide(pieces, special, vocabulary, rng);
                    for hidden in &hidden {
                        let now = &mut pieces[hidden.place];
                        if *now != special.mask && *now != hidden.original {
                            *now = rng.random_range(special.mask + 1..vocabulary);
                        }
                    }
                    hidden
                },
            },
            Wrong {
                name: "one coin for the whole sequence",
                hint: "not one for all",
                answer: |pieces, special, vocabulary, rng| {
                    let coin = rng.random();
                    treated(pieces, special, vocabulary, rng, |_, _, _| coin)
                },
            },
            Wrong {
                name: "one substitute for the whole sequence",
                hint: "a draw of its own",
                answer: |pieces, special, vocabulary, rng| {
                    let count = count(pieces, special);
                    let chosen = choose(pieces, |piece| !special.contains(piece), count, rng);
                    let words = words(special, vocabulary);
                    let substitute = words[rng.random_range(0..words.len())];
                    let hide = |place: usize| {
                        let original = pieces[place];
                        match rng.random_range(0..10) {
                            0 => pieces[place] = substitute,
                            1 => {}
                            _ => pieces[place] = special.mask,
                        }
                        Hidden { place, original }
                    };
                    chosen.into_iter().map(hide).collect()
                },
            },
            Wrong {
                name: "eight of ten, counted",
                hint: "none depends on another",
                answer: |pieces, special, vocabulary, rng| {
                    let m = count(pieces, special);
                    let mut order: Vec<usize> = (0..m).collect();
                    order.shuffle(rng);
                    treated(pieces, special, vocabulary, rng, |rank, _, rng| {
                        (order[rank] as f64 + rng.random::<f64>()) / m as f64
                    })
                },
            },
            Wrong {
                name: "never the very same",
                hint: "the very same",
                answer: |pieces, special, vocabulary, rng| {
                    let count = count(pieces, special);
                    let chosen = choose(pieces, |piece| !special.contains(piece), count, rng);
                    let words = words(special, vocabulary);
                    let hide = |place: usize| {
                        let original = pieces[place];
                        match rng.random_range(0..10) {
                            0 => {
                                let others: Vec<usize> = words
                                    .iter()
                                    .copied()
                                    .filter(|word| *word != original)
                                    .collect();
                                pieces[place] = others[rng.random_range(0..others.len())]
                            }
                            1 => {}
                            _ => pieces[place] = special.mask,
                        }
                        Hidden { place, original }
                    };
                    chosen.into_iter().map(hide).collect()
                },
            },
            Wrong {
                name: "[UNK] is counted",
                hint: "[UNK], [PAD] and [MASK] are",
                answer: |pieces, special, vocabulary, rng| {
                    Masking::default().hide(pieces, special, vocabulary, rng)
                },
            },
            Wrong {
                name: "text is what comes after [MASK]",
                hint: "wherever the numbers lie",
                answer: |pieces, special, vocabulary, rng| {
                    let text = |piece: usize| piece > special.mask;
                    let n = pieces.iter().filter(|piece| text(**piece)).count();
                    let count = (0.15 * n as f64).round().max(1.0) as usize;
                    let chosen = choose(pieces, text, count, rng);
                    change(pieces, chosen, special, vocabulary, rng)
                },
            },
            Wrong {
                name: "marks at both ends are taken for granted",
                hint: "the ends are text",
                answer: |pieces, special, vocabulary, rng| {
                    let inner = 1..pieces.len().max(1) - 1;
                    let mut chosen = places(pieces, special);
                    chosen.retain(|place| inner.contains(place));
                    chosen.shuffle(rng);
                    chosen.truncate(count(pieces, special));
                    chosen.sort_unstable();
                    change(pieces, chosen, special, vocabulary, rng)
                },
            },
            Wrong {
                name: "a first piece is taken for granted",
                hint: "", // there may be none, and that panics
                answer: |pieces, special, vocabulary, rng| {
                    let begin = usize::from(pieces[0] == special.cls);
                    let mut hidden =
                        solutions::hide(&mut pieces[begin..], special, vocabulary, rng);
                    hidden.iter_mut().for_each(|hidden| hidden.place += begin);
                    hidden
                },
            },
            Wrong {
                name: "at most forty",
                hint: "however long",
                answer: |pieces, special, vocabulary, rng| {
                    let count = count(pieces, special).min(40);
                    let chosen = choose(pieces, |piece| !special.contains(piece), count, rng);
                    change(pieces, chosen, special, vocabulary, rng)
                },
            },
            Wrong {
                name: "of the first 128 pieces alone",
                hint: "however long",
                answer: |pieces, special, vocabulary, rng| {
                    shuffled(pieces, special, vocabulary, rng, |places, rng| {
                        let n = places.len().min(128);
                        places[..n].shuffle(rng);
                    })
                },
            },
            Wrong {
                name: "each is swapped with any",
                hint: "equally likely",
                answer: |pieces, special, vocabulary, rng| {
                    shuffled(pieces, special, vocabulary, rng, |places, rng| {
                        let n = places.len();
                        (0..n).for_each(|i| places.swap(i, rng.random_range(0..n)));
                    })
                },
            },
            Wrong {
                name: "each is swapped with any, and the last are taken",
                hint: "equally likely",
                answer: |pieces, special, vocabulary, rng| {
                    shuffled(pieces, special, vocabulary, rng, |places, rng| {
                        let n = places.len();
                        (0..n).for_each(|i| places.swap(i, rng.random_range(0..n)));
                        places.reverse();
                    })
                },
            },
            Wrong {
                name: "each is swapped with another",
                hint: "equally likely",
                answer: |pieces, special, vocabulary, rng| {
                    shuffled(pieces, special, vocabulary, rng, |places, rng| {
                        let n = places.len();
                        (1..n).for_each(|i| places.swap(i - 1, rng.random_range(i..n)));
                    })
                },
            },
            Wrong {
                name: "late places twice as likely",
                hint: "equally likely",
                answer: |pieces, special, vocabulary, rng| {
                    shuffled(pieces, special, vocabulary, rng, |places, rng| {
                        let n = places.len() as f64;
                        let late = |i: usize| (1.0 + i as f64 / n) / 2.0;
                        // By Efraimidis and Spirakis: the largest u^(1/weight) come first.
                        let mut keyed: Vec<(f64, usize)> = places
                            .iter()
                            .enumerate()
                            .map(|(i, place)| (rng.random::<f64>().powf(1.0 / late(i)), *place))
                            .collect();
                        keyed.sort_by(|a, b| b.0.total_cmp(&a.0));
                        places.iter_mut().zip(keyed).for_each(|(place, (_, drawn))| *place = drawn);
                    })
                },
            },
            Wrong {
                name: "of few the first",
                hint: "when there are few",
                answer: |pieces, special, vocabulary, rng| {
                    shuffled(pieces, special, vocabulary, rng, |places, rng| {
                        if places.len() >= 4 {
                            places.shuffle(rng);
                        }
                    })
                },
            },
            Wrong {
                name: "half from either half",
                hint: "leave a part out",
                answer: |pieces, special, vocabulary, rng| {
                    in_parts(2, pieces, special, vocabulary, rng)
                },
            },
            Wrong {
                name: "a quarter from each quarter",
                hint: "neighbours",
                answer: |pieces, special, vocabulary, rng| {
                    in_parts(4, pieces, special, vocabulary, rng)
                },
            },
            Wrong {
                name: "no piece twice",
                hint: "at several of them",
                answer: |pieces, special, vocabulary, rng| {
                    let before = pieces.to_vec();
                    shuffled(pieces, special, vocabulary, rng, |places, rng| {
                        places.shuffle(rng);
                        let mut seen = BTreeSet::new();
                        places.sort_by_cached_key(|place| !seen.insert(before[*place]));
                    })
                },
            },
            Wrong {
                name: "odd pieces first",
                hint: "what stands there",
                answer: |pieces, special, vocabulary, rng| {
                    let before = pieces.to_vec();
                    shuffled(pieces, special, vocabulary, rng, |places, rng| {
                        places.shuffle(rng);
                        places.sort_by_key(|place| before[*place] % 2 == 0);
                    })
                },
            },
            Wrong {
                name: "even pieces are always masked",
                hint: "which it is",
                answer: |pieces, special, vocabulary, rng| {
                    treated(pieces, special, vocabulary, rng, |_, piece, rng| match piece % 2 {
                        0 => 0.0,
                        _ => rng.random(),
                    })
                },
            },
            Wrong {
                name: "one random number, stretched over all",
                hint: "the first and the last",
                answer: |pieces, special, vocabulary, rng| {
                    let m = count(pieces, special) as f64;
                    let u: f64 = rng.random();
                    treated(pieces, special, vocabulary, rng, |rank, _, _| (rank as f64 + u) / m)
                },
            },
            Wrong {
                name: "every tenth from a random one on",
                hint: "none depends on another",
                answer: |pieces, special, vocabulary, rng| {
                    let first = rng.random_range(0..10);
                    treated(pieces, special, vocabulary, rng, |rank, _, _| {
                        ((rank + first) % 10) as f64 / 10.0 + 0.05
                    })
                },
            },
            Wrong {
                name: "the last is always masked",
                hint: "the first and the last",
                answer: |pieces, special, vocabulary, rng| {
                    let last = count(pieces, special) - 1;
                    treated(pieces, special, vocabulary, rng, |rank, _, rng| {
                        let u: f64 = rng.random();
                        if rank == last && last > 0 { 0.0 } else { u }
                    })
                },
            },
            Wrong {
                name: "a piece alone is always masked",
                hint: "chosen alone",
                answer: |pieces, special, vocabulary, rng| {
                    let alone = count(pieces, special) == 1;
                    treated(pieces, special, vocabulary, rng, |_, _, rng| {
                        if alone { 0.0 } else { rng.random() }
                    })
                },
            },
            Wrong {
                name: "a generator of its own",
                hint: "comes from `rng`",
                answer: |pieces, special, vocabulary, _| {
                    let seed = RandomState::new().hash_one(0); // another one whenever it is asked
                    solutions::hide(pieces, special, vocabulary, &mut rng(seed))
                },
            },
        ],
    }
}

const VOCABULARY: usize = 25;

/// Pieces that are not special.
const WORDS: [usize; 20] =
    [1, 2, 4, 7, 8, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24];

/// All of them, one after the other.
fn word(i: usize) -> usize {
    WORDS[i % WORDS.len()]
}

fn check(hide: Hide) {
    // 0.15·n is never a half, which may be rounded to either side.
    for n in [44, 100, 1, 2, 3, 4, 8, 12, 17, 23, 204, 600] {
        several(hide, &text(n, word));
    }
    let [unknown, pad, mask] = [SPECIAL.unknown, SPECIAL.pad, SPECIAL.mask];
    several(hide, &[SPECIAL.cls, unknown, 7, pad, 8, mask, SPECIAL.sep]);
    several(hide, &text(52, |i| if i % 13 < 5 { unknown } else { word(i) })); // 20 of 52
    several(hide, &[SPECIAL.cls, SPECIAL.sep, SPECIAL.sep]);
    for n in [1, 2, 40, 0] {
        several(hide, &(0..n).map(word).collect::<Vec<_>>()); // without marks
    }
    for seed in 0..20 {
        let [once, again] = [(); 2].map(|()| one(hide, &text(40, word), seed));
        assert!(
            once == again,
            "seed {seed}: two calls with equal generators differ, {:?} and {:?}\nhint: all that is drawn comes from `rng`",
            once.1,
            again.1
        );
    }
    frequencies(hide);
    long(hide);
    by_piece(hide);
    one_alone(hide);
}

/// `[CLS]`, n words, and `[SEP]` among them and at the end.
fn text(n: usize, word: impl Fn(usize) -> usize) -> Vec<usize> {
    let mut pieces: Vec<usize> = (0..n).map(word).collect();
    pieces.insert(n / 2, SPECIAL.sep);
    pieces.insert(0, SPECIAL.cls);
    pieces.push(SPECIAL.sep);
    pieces
}

fn several(hide: Hide, before: &[usize]) {
    (0..20).for_each(|seed| drop(one(hide, before, seed)));
}

/// What must be so in every sequence.
fn one(hide: Hide, before: &[usize], seed: u64) -> (Vec<usize>, Vec<Hidden>) {
    let mut pieces = before.to_vec();
    let hidden = hide(&mut pieces, &SPECIAL, VOCABULARY, &mut rng(seed));
    let n = before.iter().filter(|piece| !SPECIAL.contains(**piece)).count();
    let wanted = if n == 0 { 0 } else { share(n).max(1) };
    for &Hidden { place, original } in &hidden {
        assert!(place < before.len(), "place {place} of {}", before.len());
        assert!(
            !SPECIAL.contains(before[place]),
            "seed {seed}: place {place} was chosen\nhint: what stands there, {}, is a special piece",
            before[place]
        );
        assert!(
            original == before[place],
            "seed {seed}: at place {place} the original is told to be {original}, not {}\n\
             hint: the piece before it was changed",
            before[place]
        );
    }
    assert!(
        hidden.len() == wanted,
        "seed {seed}: of {n} pieces and {} special ones {} were chosen, not {wanted}\nhint: {}",
        before.len() - n,
        hidden.len(),
        counted(hidden.len(), before)
    );
    assert!(
        hidden.windows(2).all(|two| two[0].place < two[1].place),
        "seed {seed}: {hidden:?}\nhint: different places, in the order of the places"
    );
    let mut chosen = vec![false; before.len()];
    hidden.iter().for_each(|hidden| chosen[hidden.place] = true);
    for (place, ((now, before), chosen)) in pieces.iter().zip(before).zip(chosen).enumerate() {
        assert!(
            chosen || now == before,
            "seed {seed}: place {place} was changed from {before} to {now}, but is not told to be hidden"
        );
        assert!(
            !chosen || *now == SPECIAL.mask || (!SPECIAL.contains(*now) && *now < VOCABULARY),
            "seed {seed}: at place {place} there is {now} now\nhint: a special piece was drawn, or one that does not exist"
        );
    }
    (pieces, hidden)
}

fn share(n: usize) -> usize {
    (0.15 * n as f64).round() as usize
}

/// What to say when so many were chosen, and should not have been.
fn counted(found: usize, before: &[usize]) -> &'static str {
    let count = |may: fn(usize) -> bool| before.iter().filter(|piece| may(**piece)).count();
    let n = count(|piece| !SPECIAL.contains(piece));
    let special = [|_| true, |piece| ![SPECIAL.cls, SPECIAL.sep].contains(&piece)];
    match found {
        0 if n == before.len() => "at least one: where there are no marks, the ends are text, too",
        0 => "at least one",
        found if n > 200 && found + 1 < share(n) => "exactly so many, however long the sequence is",
        found if special.map(|may| share(count(may))).contains(&found) => {
            "0.15·n, of the pieces that are not special: [UNK], [PAD] and [MASK] are, like the marks"
        }
        found if found == share(count(|piece| piece > SPECIAL.mask)) => {
            "`special.contains` says what is special, wherever the numbers lie"
        }
        _ => "exactly so many: 0.15·n, rounded",
    }
}

/// How far the frequency in n independent draws of something with probability p may lie from p, so that one
/// of `events` right ones fails this test less than once in 10⁹ times: by Bernstein's inequality,
/// `2·events·e^(−nt²/(2p(1 − p) + 2t/3)) = 10⁻⁹`. It holds for draws without replacement, too (Hoeffding 1963,
/// theorem 4).
fn bound(n: usize, p: f64, events: usize) -> f64 {
    let exponent = (2e9 * events as f64).ln() / n as f64;
    exponent / 3.0 + ((exponent / 3.0).powi(2) + 2.0 * p * (1.0 - p) * exponent).sqrt()
}

/// Whether `count` of n draws are within that bound.
fn usual(count: usize, n: usize, p: f64, events: usize) -> bool {
    (count as f64 / n as f64 - p).abs() < bound(n, p, events)
}

/// In how many ways k of n can be chosen.
fn ways(n: usize, k: usize) -> f64 {
    (0..k).map(|i| (n - i) as f64 / (k - i) as f64).product()
}

/// How many sequences had 0, 1, … of the 15, each as often as `right` says.
fn as_often(seen: &[usize; 16], right: impl Fn(usize) -> f64, what: &str, hint: &str) {
    let runs = seen.iter().sum();
    for (k, count) in seen.iter().enumerate() {
        assert!(
            usual(*count, runs, right(k), seen.len()),
            "in {count} of {runs} sequences {k} of 15 {what}, where {:.0} would be usual\nhint: {hint}",
            right(k) * runs as f64
        );
    }
}

/// Each tenth of the text as often as any other: `places` says how often each place was chosen.
fn evenly(before: &[usize], places: &[usize], runs: usize) {
    let text = before.iter().zip(places).filter(|(piece, _)| !SPECIAL.contains(**piece));
    let chosen: Vec<usize> = text.map(|(_, chosen)| *chosen).collect();
    let length = chosen.len() / 10;
    for (i, stretch) in chosen.chunks(length).enumerate() {
        let (count, draws) = (stretch.iter().sum(), runs * length);
        assert!(
            usual(count, draws, 0.15, 10),
            "of the {length} pieces from the {}th on {count} were chosen in {runs} sequences, where {:.0} would be \
             usual\nhint: all places should be equally likely, however long the sequence is",
            i * length,
            0.15 * draws as f64
        );
    }
}

/// What must be so in many sequences.
fn frequencies(hide: Hide) {
    const RUNS: usize = 3000;
    const WORD: usize = 17;
    let before = text(100, |_| WORD);
    let (mut places, mut now) = (vec![0; before.len()], [0; VOCABULARY]);
    let mut neighbours = vec![0; before.len()];
    let (mut apart, mut two_others, mut equal_others) = (0, 0, 0);
    let (mut halves, mut masked, mut ranks) = ([0; 16], [0; 16], [0; 15]);
    for seed in 0..RUNS {
        let (pieces, hidden) = one(hide, &before, seed as u64);
        for two in hidden.windows(2).filter(|two| two[0].place + 1 == two[1].place) {
            neighbours[two[0].place] += 1;
        }
        apart += usize::from(hidden.windows(2).all(|two| two[0].place + 1 < two[1].place));
        halves[hidden.iter().filter(|hidden| hidden.place <= 50).count()] += 1;
        let after: Vec<usize> = hidden.iter().map(|hidden| pieces[hidden.place]).collect();
        masked[after.iter().filter(|piece| **piece == SPECIAL.mask).count()] += 1;
        for (rank, piece) in ranks.iter_mut().zip(&after) {
            *rank += usize::from(*piece == SPECIAL.mask);
        }
        let mut others = after.iter().filter(|piece| ![SPECIAL.mask, WORD].contains(piece));
        if let (Some(a), Some(b)) = (others.next(), others.next()) {
            two_others += 1;
            equal_others += usize::from(a == b);
        }
        for hidden in hidden {
            places[hidden.place] += 1;
            now[pieces[hidden.place]] += 1;
        }
    }
    for (place, chosen) in places.iter().enumerate().filter(|(place, _)| before[*place] == WORD) {
        assert!(
            usual(*chosen, RUNS, 0.15, 100),
            "place {place} was chosen in {chosen} of {RUNS} sequences\nhint: all places should be equally likely"
        );
    }
    let both = 15.0 * 14.0 / (100.0 * 99.0);
    for (place, chosen) in neighbours.iter().enumerate().filter(|(_, chosen)| **chosen > 0) {
        assert!(
            usual(*chosen, RUNS, both, 98),
            "places {place} and {} were both chosen in {chosen} of {RUNS} sequences\nhint: all sets should be equally \
             likely, neighbours or not",
            place + 1
        );
    }
    // Of n places in a row, k of which no two are neighbours can be chosen in (n + 1 − k over k) ways; here are two
    // rows of 50 words, on either side of [SEP].
    let alone = |k: usize| ways(51 - k, k);
    let none = (0..=15).map(|k| alone(k) * alone(15 - k)).sum::<f64>() / ways(100, 15);
    assert!(
        usual(apart, RUNS, none, 1),
        "in {apart} of {RUNS} sequences no two neighbours were chosen, where {:.0} would be usual\nhint: all sets \
         should be equally likely, neighbours or not",
        none * RUNS as f64
    );
    evenly(&before, &places, RUNS);
    as_often(
        &halves,
        |k| ways(50, k) * ways(50, 15 - k) / ways(100, 15),
        "lay in the first half",
        "all sets should be equally likely, those too that leave a part out",
    );
    for (i, count) in ranks.into_iter().enumerate() {
        assert!(
            usual(count, RUNS, 0.8, 15),
            "of the chosen pieces number {i} became [MASK] in {count} of {RUNS} sequences\nhint: 0.8 is the probability \
             of each, the first and the last as well"
        );
    }
    as_often(
        &masked,
        |k| ways(15, k) * 0.8f64.powi(k as i32) * 0.2f64.powi(15 - k as i32),
        "became [MASK]",
        "a random number for each chosen piece, not one for all, and none depends on another",
    );
    let draws = 15 * RUNS;
    let same = 0.1 / WORDS.len() as f64; // drawn, and the very same
    let others: usize = now.iter().sum::<usize>() - now[SPECIAL.mask] - now[WORD];
    let even = 1.0 / (WORDS.len() - 1) as f64;
    for piece in WORDS.into_iter().filter(|piece| *piece != WORD) {
        assert!(
            usual(now[piece], others, even, WORDS.len() - 1),
            "piece {piece} was drawn {} times of {others}\nhint: all that are not special equally often, wherever \
             their numbers lie",
            now[piece]
        );
    }
    let parts = [
        (now[SPECIAL.mask], 0.8, "became [MASK]"),
        (others, 0.1 - same, "became another piece"),
        (now[WORD], 0.1 + same, "stayed"),
    ];
    let told = parts.map(|(count, probability, what)| {
        let share = count as f64 / draws as f64;
        let right = usual(count, draws, probability, 3);
        (right, format!("{share:.3} of the chosen pieces {what}, where {probability:.3} should"))
    });
    let wrong: Vec<&str> =
        told.iter().filter(|(right, _)| !right).map(|(_, text)| &**text).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        usual(equal_others, two_others, even, 1),
        "in {two_others} sequences several pieces became others, and in {equal_others} of these the first two became \
         the same\nhint: each has a draw of its own"
    );
}

/// No part of a long sequence is left out.
fn long(hide: Hide) {
    const RUNS: usize = 20;
    let before = text(600, word);
    let mut places = vec![0; before.len()];
    for seed in 0..RUNS {
        let (_, hidden) = one(hide, &before, seed as u64);
        hidden.iter().for_each(|hidden| places[hidden.place] += 1);
    }
    evenly(&before, &places, RUNS);
}

/// What must be so whichever piece it is: every word stands five times among a hundred.
fn by_piece(hide: Hide) {
    const RUNS: usize = 1000;
    let before = text(100, word);
    let [mut chosen, mut masked, mut stayed] = [[0; VOCABULARY]; 3];
    let mut different = 0;
    for seed in 0..RUNS {
        let (pieces, hidden) = one(hide, &before, seed as u64);
        let once: BTreeSet<usize> = hidden.iter().map(|hidden| hidden.original).collect();
        different += usize::from(once.len() == hidden.len());
        for Hidden { place, original } in hidden {
            chosen[original] += 1;
            masked[original] += usize::from(pieces[place] == SPECIAL.mask);
            stayed[original] += usize::from(pieces[place] == original);
        }
    }
    let same = 0.1 / WORDS.len() as f64;
    for word in WORDS {
        let (n, masked, stayed) = (chosen[word], masked[word], stayed[word]);
        assert!(
            usual(n, 5 * RUNS, 0.15, WORDS.len()),
            "piece {word} stands five times in {RUNS} sequences, and was chosen {n} times\nhint: which places are \
             chosen does not depend on what stands there"
        );
        assert!(
            usual(masked, n, 0.8, 2 * WORDS.len()) && usual(stayed, n, 0.1 + same, 2 * WORDS.len()),
            "piece {word} was chosen {n} times: {masked} times it became [MASK], {stayed} times it stayed\nhint: what \
             becomes of a piece does not depend on which it is"
        );
    }
    let all = ways(20, 15) * 5f64.powi(15) / ways(100, 15);
    assert!(
        usual(different, RUNS, all, 1),
        "in {different} of {RUNS} sequences no word was chosen twice, where {:.0} would be usual\nhint: places are \
         drawn, and the same piece may stand at several of them",
        all * RUNS as f64
    );
}

/// One piece is chosen, and the vocabulary has two words: half of what is drawn is what stood there.
fn one_alone(hide: Hide) {
    const RUNS: usize = 12_000;
    const WORD: usize = 5;
    let special = FIRST_FIVE;
    let before = [special.cls, WORD, special.sep, WORD, WORD, special.sep];
    let (mut masked, mut same, mut places) = (0, 0, [0; 6]);
    for seed in 0..RUNS {
        let mut pieces = before;
        let hidden = hide(&mut pieces, &special, WORD + 2, &mut rng(seed as u64));
        hidden.iter().for_each(|hidden| places[hidden.place] += 1);
        masked += usize::from(pieces.contains(&special.mask));
        same += usize::from(pieces == before);
    }
    for place in [1, 3, 4] {
        assert!(
            usual(places[place], RUNS, 1.0 / 3.0, 3),
            "of three words, at the places 1, 3 and 4, one is chosen: place {place} in {} of {RUNS} sequences\nhint: \
             all places should be equally likely, when there are few as well",
            places[place]
        );
    }
    assert!(
        usual(masked, RUNS, 0.8, 2),
        "of three words one is chosen: it became [MASK] in {masked} of {RUNS} sequences\nhint: 0.8 is a probability, \
         also of a piece that is chosen alone"
    );
    assert!(
        usual(same, RUNS, 0.15, 2),
        "the vocabulary has two words: what was chosen is there unchanged in {same} of {RUNS} sequences\nhint: it \
         stays with probability 0.1, and what is drawn may be the very same"
    );
}

fn count(pieces: &[usize], special: &Special) -> usize {
    share(pieces.iter().filter(|piece| !special.contains(**piece)).count()).max(1)
}

/// The places of pieces that are not special.
fn places(pieces: &[usize], special: &Special) -> Vec<usize> {
    (0..pieces.len()).filter(|place| !special.contains(pieces[*place])).collect()
}

/// The numbers of pieces that are not special.
fn words(special: &Special, vocabulary: usize) -> Vec<usize> {
    (0..vocabulary).filter(|piece| !special.contains(*piece)).collect()
}

/// So many places of pieces that may be chosen, in order.
fn choose(
    pieces: &[usize],
    may: impl Fn(usize) -> bool,
    count: usize,
    rng: &mut Rng,
) -> Vec<usize> {
    let mut places: Vec<usize> = (0..pieces.len()).filter(|place| may(pieces[*place])).collect();
    let mut chosen = places.partial_shuffle(rng, count).0.to_vec();
    chosen.sort_unstable();
    chosen
}

/// As many places as it should be, as a list that is shuffled in this way begins with them.
fn shuffled(
    pieces: &mut [usize],
    special: &Special,
    vocabulary: usize,
    rng: &mut Rng,
    shuffle: impl Fn(&mut [usize], &mut Rng),
) -> Vec<Hidden> {
    let mut chosen = places(pieces, special);
    shuffle(&mut chosen, rng);
    chosen.truncate(count(pieces, special));
    chosen.sort_unstable();
    change(pieces, chosen, special, vocabulary, rng)
}

/// As many places as it should be, of each of `parts` equal parts the same number, one more or less.
fn in_parts(
    parts: usize,
    pieces: &mut [usize],
    special: &Special,
    vocabulary: usize,
    rng: &mut Rng,
) -> Vec<Hidden> {
    shuffled(pieces, special, vocabulary, rng, |places, rng| {
        let n = places.len();
        let mut stretches: Vec<Vec<usize>> =
            (0..parts).map(|i| places[i * n / parts..(i + 1) * n / parts].to_vec()).collect();
        stretches.iter_mut().for_each(|stretch| stretch.shuffle(rng));
        stretches.shuffle(rng);
        let longest = n.div_ceil(parts);
        let dealt = (0..longest).flat_map(|i| stretches.iter().filter_map(move |s| s.get(i)));
        let dealt: Vec<usize> = dealt.copied().collect();
        places.copy_from_slice(&dealt);
    })
}

/// The right change, at these places.
fn change(
    pieces: &mut [usize],
    chosen: Vec<usize>,
    special: &Special,
    vocabulary: usize,
    rng: &mut Rng,
) -> Vec<Hidden> {
    change_by(pieces, chosen, special, vocabulary, rng, |_, _, rng| rng.random())
}

/// Right places, and of each the random number that `u` makes of its rank among them and its piece.
fn treated(
    pieces: &mut [usize],
    special: &Special,
    vocabulary: usize,
    rng: &mut Rng,
    u: impl Fn(usize, usize, &mut Rng) -> f64,
) -> Vec<Hidden> {
    let count = count(pieces, special);
    let chosen = choose(pieces, |piece| !special.contains(piece), count, rng);
    change_by(pieces, chosen, special, vocabulary, rng, u)
}

fn change_by(
    pieces: &mut [usize],
    chosen: Vec<usize>,
    special: &Special,
    vocabulary: usize,
    rng: &mut Rng,
    u: impl Fn(usize, usize, &mut Rng) -> f64,
) -> Vec<Hidden> {
    let words = words(special, vocabulary);
    let hide = |(rank, place): (usize, usize)| {
        let original = pieces[place];
        match u(rank, original, rng) {
            u if u < 0.8 => pieces[place] = special.mask,
            u if u < 0.9 => pieces[place] = words[rng.random_range(0..words.len())],
            _ => {}
        }
        Hidden { place, original }
    };
    chosen.into_iter().enumerate().map(hide).collect()
}
