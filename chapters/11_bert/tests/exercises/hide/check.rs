//! What must be so in every sequence, and in many.

use super::{Hide, between_marks, places, share};
use crate::support::{FIRST_FIVE, SPECIAL};
use bert::Hidden;
use shared::rng;
use std::collections::BTreeSet;

const VOCABULARY: usize = 25;

/// Pieces that are not special.
const WORDS: [usize; 20] =
    [1, 2, 4, 7, 8, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24];

/// All of them, one after the other.
fn word(i: usize) -> usize {
    WORDS[i % WORDS.len()]
}

pub fn check(hide: Hide) {
    // 0.15·n is never a half, which may be rounded to either side.
    for n in [44, 100, 1, 2, 3, 4, 8, 12, 17, 23, 204, 600] {
        several(hide, &text(n, word));
    }
    let [unknown, pad, mask] = [SPECIAL.unknown, SPECIAL.pad, SPECIAL.mask];
    several(hide, &[SPECIAL.cls, unknown, 7, pad, 8, mask, SPECIAL.sep]);
    several(hide, &text(52, |i| if i % 13 < 5 { unknown } else { word(i) })); // 20 of 52
    several(hide, &text(52, |i| if i % 20 > 0 { unknown } else { word(i) })); // all but 3
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
    let n = between_marks(before, &SPECIAL);
    let wanted = share(n).max(1).min(places(before, &SPECIAL).len());
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
        "seed {seed}: of {n} pieces and {} marks {} were chosen, not {wanted}\nhint: {}",
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

/// What to say when so many were chosen, and should not have been.
fn counted(found: usize, before: &[usize]) -> &'static str {
    let n = between_marks(before, &SPECIAL);
    let behind_mask = before.iter().filter(|piece| **piece > SPECIAL.mask).count();
    match found {
        0 if n == before.len() => "at least one: where there are no marks, the ends are text, too",
        0 => "at least one",
        found if n > 200 && found + 1 < share(n) => "exactly so many, however long the sequence is",
        found if found == share(before.len()) => "0.15·n, of all pieces but [CLS] and [SEP]",
        found if found == share(places(before, &SPECIAL).len()) => {
            "an [UNK] stands for a word that is there: it counts, though it is not chosen"
        }
        found if found == share(behind_mask) => {
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
    const RUNS: usize = 2000;
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
    const RUNS: usize = 800;
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
    const RUNS: usize = 8000;
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
