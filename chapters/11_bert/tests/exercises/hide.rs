//! 11.3: fifteen of a hundred.

mod check;

use crate::solutions;
use bert::{Hidden, Special};
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
        check: check::check,
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
                name: "marks are counted",
                hint: "but [CLS] and [SEP]",
                answer: |pieces, special, vocabulary, rng| {
                    let count = share(pieces.len()).max(1);
                    so_many(count, pieces, special, vocabulary, rng)
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
                    let count = ((0.15 * between_marks(pieces, special) as f64) as usize).max(1);
                    so_many(count, pieces, special, vocabulary, rng)
                },
            },
            Wrong {
                name: "sometimes nothing",
                hint: "at least one",
                answer: |pieces, special, vocabulary, rng| {
                    let count = share(between_marks(pieces, special));
                    so_many(count, pieces, special, vocabulary, rng)
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
                name: "[UNK] is not counted",
                hint: "an [UNK] stands for a word",
                answer: |pieces, special, vocabulary, rng| {
                    let count = share(places(pieces, special).len()).max(1);
                    so_many(count, pieces, special, vocabulary, rng)
                },
            },
            Wrong {
                name: "text is what comes after [MASK]",
                hint: "wherever the numbers lie",
                answer: |pieces, special, vocabulary, rng| {
                    let text = |piece: usize| piece > special.mask;
                    let n = pieces.iter().filter(|piece| text(**piece)).count();
                    let count = share(n).max(1);
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
                    so_many(count, pieces, special, vocabulary, rng)
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

/// Of n pieces, to the nearest.
fn share(n: usize) -> usize {
    (0.15 * n as f64).round() as usize
}

/// How many pieces are no marks.
fn between_marks(pieces: &[usize], special: &Special) -> usize {
    pieces.iter().filter(|piece| ![special.cls, special.sep].contains(piece)).count()
}

fn count(pieces: &[usize], special: &Special) -> usize {
    share(between_marks(pieces, special)).max(1)
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

/// The right change, at so many places.
fn so_many(
    count: usize,
    pieces: &mut [usize],
    special: &Special,
    vocabulary: usize,
    rng: &mut Rng,
) -> Vec<Hidden> {
    let chosen = choose(pieces, |piece| !special.contains(piece), count, rng);
    change(pieces, chosen, special, vocabulary, rng)
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
