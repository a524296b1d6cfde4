//! 11.3: fifteen of a hundred.

use crate::solutions;
use crate::support::SPECIAL;
use bert::{Hidden, Masking, Special};
use rand::RngExt;
use rand::seq::SliceRandom;
use shared::{Rng, rng};
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
                    let text = |place: &usize| !special.contains(pieces[*place]);
                    let places: Vec<usize> = (0..pieces.len()).filter(text).collect();
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
                    let text = |place: &usize| !special.contains(pieces[*place]);
                    let places = (0..pieces.len()).filter(text);
                    let chosen = places.take(count(pieces, special)).collect();
                    change(pieces, chosen, special, vocabulary, rng)
                },
            },
            Wrong {
                name: "one stretch",
                hint: "neighbours",
                answer: |pieces, special, vocabulary, rng| {
                    let text = |place: &usize| !special.contains(pieces[*place]);
                    let mut places: Vec<usize> = (0..pieces.len()).filter(text).collect();
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
                    let text = |place: &usize| !special.contains(pieces[*place]);
                    let places: Vec<usize> = (0..pieces.len()).filter(text).collect();
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
                    let text = |place: &usize| !special.contains(before[*place]);
                    let places: Vec<usize> = (0..pieces.len()).filter(text).collect();
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
                    Masking { masked: 1.0, ..Masking::default() }
                        .hide(pieces, special, vocabulary, rng)
                },
            },
            Wrong {
                name: "a tenth of the rest",
                hint: "became another piece",
                answer: |pieces, special, vocabulary, rng| {
                    Masking { replaced: 0.02, ..Masking::default() }
                        .hide(pieces, special, vocabulary, rng)
                },
            },
            Wrong {
                name: "never left as it is",
                hint: "stayed",
                answer: |pieces, special, vocabulary, rng| {
                    Masking { replaced: 0.2, ..Masking::default() }
                        .hide(pieces, special, vocabulary, rng)
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
                    let count = count(pieces, special);
                    let chosen = choose(pieces, |piece| !special.contains(piece), count, rng);
                    let words: Vec<usize> =
                        (0..vocabulary).filter(|piece| !special.contains(*piece)).collect();
                    let coin = rng.random_range(0..10);
                    let hide = |place: usize| {
                        let original = pieces[place];
                        match coin {
                            0 => pieces[place] = words[rng.random_range(0..words.len())],
                            1 => {}
                            _ => pieces[place] = special.mask,
                        }
                        Hidden { place, original }
                    };
                    chosen.into_iter().map(hide).collect()
                },
            },
            Wrong {
                name: "one substitute for the whole sequence",
                hint: "a draw of its own",
                answer: |pieces, special, vocabulary, rng| {
                    let count = count(pieces, special);
                    let chosen = choose(pieces, |piece| !special.contains(piece), count, rng);
                    let words: Vec<usize> =
                        (0..vocabulary).filter(|piece| !special.contains(*piece)).collect();
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
                hint: "alone",
                answer: |pieces, special, vocabulary, rng| {
                    let count = count(pieces, special);
                    let chosen = choose(pieces, |piece| !special.contains(piece), count, rng);
                    let words: Vec<usize> =
                        (0..vocabulary).filter(|piece| !special.contains(*piece)).collect();
                    let mut order: Vec<usize> = (0..chosen.len()).collect();
                    order.shuffle(rng);
                    let n = chosen.len() as f64;
                    let extra = if rng.random_bool(0.5) { 0.5 } else { 0.0 };
                    let (masked, changed) =
                        ((0.8 * n).round() as usize, (0.9 * n + extra) as usize);
                    let hide = |(i, place): (usize, usize)| {
                        let original = pieces[place];
                        match order[i] {
                            i if i < masked => pieces[place] = special.mask,
                            i if i < changed => {
                                pieces[place] = words[rng.random_range(0..words.len())]
                            }
                            _ => {}
                        }
                        Hidden { place, original }
                    };
                    chosen.into_iter().enumerate().map(hide).collect()
                },
            },
            Wrong {
                name: "never the very same",
                hint: "the very same",
                answer: |pieces, special, vocabulary, rng| {
                    let count = count(pieces, special);
                    let chosen = choose(pieces, |piece| !special.contains(piece), count, rng);
                    let words: Vec<usize> =
                        (0..vocabulary).filter(|piece| !special.contains(*piece)).collect();
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
const WORDS: usize = VOCABULARY - 5;

fn check(hide: Hide) {
    // 0.15·n is never a half, which may be rounded to either side.
    for n in [44, 100, 1, 2, 3, 4, 8, 12, 17, 23, 204] {
        for seed in 0..20 {
            one(hide, &text(n, |i| 10 + i % 15), n, seed);
        }
    }
    for seed in 0..40 {
        let before = [SPECIAL.cls, SPECIAL.unknown, 7, SPECIAL.pad, 8, SPECIAL.mask, SPECIAL.sep];
        for Hidden { place, .. } in hide(&mut before.clone(), &SPECIAL, VOCABULARY, &mut rng(seed))
        {
            assert!(
                !SPECIAL.contains(before[place]),
                "seed {seed}: place {place} was chosen\nhint: what stands there, {}, is a special piece",
                before[place]
            );
        }
    }
    for seed in 0..20 {
        let [once, again] = [(); 2].map(|()| one(hide, &text(40, |i| 10 + i % 15), 40, seed));
        assert!(
            once == again,
            "seed {seed}: two calls with equal generators differ, {:?} and {:?}\nhint: all that is drawn comes from `rng`",
            once.1,
            again.1
        );
    }
    let mut marks = [SPECIAL.cls, SPECIAL.sep, SPECIAL.sep];
    let none = hide(&mut marks, &SPECIAL, VOCABULARY, &mut rng(0));
    assert!(
        none.is_empty() && marks == [SPECIAL.cls, SPECIAL.sep, SPECIAL.sep],
        "nothing but marks: {none:?} were hidden, and they are now {marks:?}\nhint: none when n = 0"
    );
    frequencies(hide);
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

/// What must be so in every sequence.
fn one(hide: Hide, before: &[usize], n: usize, seed: u64) -> (Vec<usize>, Vec<Hidden>) {
    let mut pieces = before.to_vec();
    let hidden = hide(&mut pieces, &SPECIAL, VOCABULARY, &mut rng(seed));
    let wanted = (0.15 * n as f64).round().max(1.0) as usize;
    let with_special = (0.15 * before.len() as f64).round() as usize;
    let exactly = match hidden.len() {
        0 => "at least one",
        20 if wanted > 20 => "exactly so many, however long the sequence is",
        found if found == with_special => "0.15·n, of the pieces that are not special",
        _ => "exactly so many: 0.15·n, rounded",
    };
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
        "seed {seed}: of {n} pieces and {} special ones {} were chosen, not {wanted}\nhint: {exactly}",
        before.len() - n,
        hidden.len()
    );
    assert!(
        hidden.windows(2).all(|two| two[0].place < two[1].place),
        "seed {seed}: {hidden:?}\nhint: different places, in the order of the places"
    );
    for (place, (now, before)) in pieces.iter().zip(before).enumerate() {
        let chosen = hidden.iter().any(|hidden| hidden.place == place);
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

/// How far the frequency in n independent draws of something with probability p may lie from p, so that one
/// of `events` right ones fails this test less than once in 10⁹ times: by Bernstein's inequality,
/// `2·events·e^(−nt²/(2p(1 − p) + 2t/3)) = 10⁻⁹`.
fn bound(n: usize, p: f64, events: usize) -> f64 {
    let exponent = (2e9 * events as f64).ln() / n as f64;
    exponent / 3.0 + ((exponent / 3.0).powi(2) + 2.0 * p * (1.0 - p) * exponent).sqrt()
}

/// What must be so in many sequences.
fn frequencies(hide: Hide) {
    const RUNS: usize = 1500;
    const WORD: usize = 17;
    let before = text(100, |_| WORD);
    let (mut places, mut now) = (vec![0; before.len()], [0; VOCABULARY]);
    let mut neighbours = vec![0; before.len()];
    let (mut apart, mut all_masked, mut two_others, mut equal_others) = (0, 0, 0, 0);
    for seed in 0..RUNS {
        let (pieces, hidden) = one(hide, &before, 100, seed as u64);
        for two in hidden.windows(2).filter(|two| two[0].place + 1 == two[1].place) {
            neighbours[two[0].place] += 1;
        }
        apart += usize::from(hidden.windows(2).all(|two| two[0].place + 1 < two[1].place));
        let after: Vec<usize> = hidden.iter().map(|hidden| pieces[hidden.place]).collect();
        all_masked += usize::from(after.iter().all(|piece| *piece == SPECIAL.mask));
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
    let far = bound(RUNS, 0.15, 100);
    for (place, chosen) in places.iter().enumerate().filter(|(place, _)| before[*place] == WORD) {
        let share = f64::from(*chosen) / RUNS as f64;
        assert!(
            (share - 0.15).abs() < far,
            "place {place} was chosen in {chosen} of {RUNS} sequences\nhint: all places should be equally likely"
        );
    }
    let both = 15.0 * 14.0 / (100.0 * 99.0);
    for (place, chosen) in neighbours.iter().enumerate().filter(|(_, chosen)| **chosen > 0) {
        let share = f64::from(*chosen) / RUNS as f64;
        assert!(
            (share - both).abs() < bound(RUNS, both, 98),
            "places {place} and {} were both chosen in {chosen} of {RUNS} sequences\nhint: all sets should be equally \
             likely, neighbours or not",
            place + 1
        );
    }
    // Of n places in a row, k of which no two are neighbours can be chosen in (n + 1 − k over k) ways; here are two
    // rows of 50 words, on either side of [SEP].
    let over =
        |n: usize, k: usize| -> f64 { (0..k).map(|i| (n - i) as f64 / (k - i) as f64).product() };
    let ways = |k: usize| over(51 - k, k);
    let none = (0..=15).map(|k| ways(k) * ways(15 - k)).sum::<f64>() / over(100, 15);
    let share = apart as f64 / RUNS as f64;
    assert!(
        (share - none).abs() < bound(RUNS, none, 1),
        "in {apart} of {RUNS} sequences no two neighbours were chosen, where {:.0} would be usual\nhint: all sets \
         should be equally likely, neighbours or not",
        none * RUNS as f64
    );
    let all = 0.8f64.powi(15);
    assert!(
        all_masked as f64 / RUNS as f64 - all < bound(RUNS, all, 1),
        "in {all_masked} of {RUNS} sequences all 15 chosen pieces became [MASK]\nhint: a random number for each \
         chosen piece, not one for all"
    );
    let draws = 15 * RUNS;
    let same = 0.1 / WORDS as f64; // drawn, and the very same
    let others: usize = now.iter().sum::<usize>() - now[SPECIAL.mask] - now[WORD];
    let parts = [
        (now[SPECIAL.mask], 0.8, "became [MASK]"),
        (others, 0.1 - same, "became another piece"),
        (now[WORD], 0.1 + same, "stayed"),
    ];
    let told = parts.map(|(count, probability, what)| {
        let share = count as f64 / draws as f64;
        let right = (share - probability).abs() < bound(draws, probability, 3);
        (right, format!("{share:.3} of the chosen pieces {what}, where {probability:.3} should"))
    });
    let wrong: Vec<&str> =
        told.iter().filter(|(right, _)| !right).map(|(_, text)| &**text).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let even = 1.0 / (WORDS - 1) as f64;
    assert!(
        equal_others as f64 / two_others as f64 - even < bound(two_others, even, 1),
        "in {two_others} sequences several pieces became others, and in {equal_others} of these the first two became \
         the same\nhint: each has a draw of its own"
    );
    let other = |piece: &usize| *piece != WORD && !SPECIAL.contains(*piece);
    for piece in (0..VOCABULARY).filter(other) {
        let share = now[piece] as f64 / others as f64;
        assert!(
            (share - even).abs() < bound(others, even, WORDS - 1),
            "piece {piece} was drawn {} times of {others}\nhint: all that are not special equally often, wherever \
             their numbers lie",
            now[piece]
        );
    }
}

/// One piece is chosen, and the vocabulary has two words: half of what is drawn is what stood there.
fn one_alone(hide: Hide) {
    const RUNS: usize = 6000;
    const WORD: usize = 5;
    let special = Special { pad: 0, unknown: 1, cls: 2, sep: 3, mask: 4 };
    let (mut masked, mut same) = (0, 0);
    for seed in 0..RUNS {
        let mut pieces = [special.cls, WORD, WORD, WORD, special.sep];
        hide(&mut pieces, &special, WORD + 2, &mut rng(seed as u64));
        masked += usize::from(pieces.contains(&special.mask));
        same += usize::from(pieces[1..4] == [WORD; 3]);
    }
    let far = |count: usize, probability: f64| {
        (count as f64 / RUNS as f64 - probability).abs() > bound(RUNS, probability, 2)
    };
    assert!(
        !far(masked, 0.8),
        "of three words one is chosen: it became [MASK] in {masked} of {RUNS} sequences\nhint: 0.8 is a probability, \
         also of a piece that is chosen alone"
    );
    assert!(
        !far(same, 0.15),
        "the vocabulary has two words: what was chosen is there unchanged in {same} of {RUNS} sequences\nhint: it \
         stays with probability 0.1, and what is drawn may be the very same"
    );
}

fn count(pieces: &[usize], special: &Special) -> usize {
    let n = pieces.iter().filter(|piece| !special.contains(**piece)).count();
    (0.15 * n as f64).round().max(1.0) as usize
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

/// The right change, at these places.
fn change(
    pieces: &mut [usize],
    chosen: Vec<usize>,
    special: &Special,
    vocabulary: usize,
    rng: &mut Rng,
) -> Vec<Hidden> {
    let words: Vec<usize> = (0..vocabulary).filter(|piece| !special.contains(*piece)).collect();
    let hide = |place| {
        let original = pieces[place];
        match rng.random_range(0..10) {
            0 => pieces[place] = words[rng.random_range(0..words.len())],
            1 => {}
            _ => pieces[place] = special.mask,
        }
        Hidden { place, original }
    };
    chosen.into_iter().map(hide).collect()
}
