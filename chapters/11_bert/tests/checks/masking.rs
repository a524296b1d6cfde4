//! Masking: how many tokens, which, and by what.
//!
//! A seed is fixed, so no test fails by chance. The bounds say how far a count may be from its mean: a right
//! program goes beyond one of them for one seed in 10⁹ (Bernstein's inequality).

use bert::{MaskedToken, Masking, Special};
use shared::rng;

/// Spread over the vocabulary, so that no rule about the first numbers finds them.
const SPECIAL: Special = Special { pad: 0, unknown: 7, cls: 3, sep: 11, mask: 20 };

/// Pieces of the vocabulary, and those of them that are text.
const VOCABULARY: usize = 25;
const TEXT: usize = VOCABULARY - 5;

/// The `i`-th piece that is text.
fn piece(i: usize) -> usize {
    (0..VOCABULARY).filter(|piece| !SPECIAL.contains(*piece)).cycle().nth(i % TEXT).unwrap()
}

/// `[CLS] a [SEP] b [SEP]` with `n` pieces of text.
fn pair(n: usize) -> Vec<usize> {
    let text: Vec<usize> = (0..n).map(|i| piece(3 * i + n)).collect();
    let (a, b) = text.split_at(n / 2);
    [&[SPECIAL.cls], a, &[SPECIAL.sep], b, &[SPECIAL.sep]].concat()
}

fn mask(pieces: &[usize], seed: u64) -> (Vec<usize>, Vec<MaskedToken>) {
    let mut changed = pieces.to_vec();
    let chosen = Masking::default().mask(&mut changed, &SPECIAL, VOCABULARY, &mut rng(seed));
    (changed, chosen)
}

/// How far a sum of `n` independent draws of probability `p` is from `n·p` at most.
fn far(n: usize, p: f64) -> f64 {
    let nats = (2.0 / 1e-9_f64).ln();
    (2.0 * n as f64 * p * (1.0 - p) * nats).sqrt() + nats / 3.0
}

#[track_caller]
fn about(found: usize, n: usize, p: f64) {
    let mean = n as f64 * p;
    assert!((found as f64 - mean).abs() <= far(n, p), "{found} of {n}, expected {mean}");
}

#[test]
fn as_many_as_the_paper_says_and_at_least_one() {
    // round(0.15·n): 3/20 of n, half a piece more, cut off.
    let count = |n: usize| ((3 * n + 10) / 20).max(1);
    for n in 1..=60 {
        assert_eq!(Masking::default().count(n), count(n), "{n} pieces");
        assert_eq!(mask(&pair(n), n as u64).1.len(), count(n), "{n} pieces");
    }
}

/// Tokens are masked in order, each once, with what stood there; everything else stays.
#[test]
fn originals_are_what_stood_there() {
    for seed in 0..200 {
        let pieces = pair(1 + seed as usize % 50);
        let (changed, chosen) = mask(&pieces, seed);
        assert!(chosen.is_sorted_by(|a, b| a.position < b.position));
        for MaskedToken { position, original } in &chosen {
            assert_eq!(*original, pieces[*position]);
            assert!(!SPECIAL.contains(*original));
        }
        let others = (0..pieces.len()).filter(|i| chosen.iter().all(|one| one.position != *i));
        for position in others {
            assert_eq!(changed[position], pieces[position], "position {position} was not chosen");
        }
    }
}

/// The count is that of the whole text; unknown words are passed over, and may use up all positions.
#[test]
fn unknown_words_are_not_asked_for() {
    let Special { unknown, cls, sep, .. } = SPECIAL;
    let text = [vec![unknown; 30], vec![piece(0)], vec![unknown; 9]].concat();
    let pieces = [vec![cls], text, vec![sep]].concat();
    let (_, chosen) = mask(&pieces, 0);
    assert_eq!(chosen, [MaskedToken { position: 31, original: piece(0) }]);
    let nothing = [cls, unknown, unknown, unknown, sep];
    assert_eq!(mask(&nothing, 0), (nothing.to_vec(), vec![]));
}

/// 80, 10 and 10 in a hundred; every position as often as any other; drawn pieces are text, all as often.
#[test]
fn chance_is_as_it_should_be() {
    let (sequences, n) = (6000, 40);
    let pieces = pair(n);
    let (mut masked, mut same) = (0, 0);
    let (mut positions, mut drawn) = (vec![0; pieces.len()], [0; VOCABULARY]);
    for seed in 0..sequences {
        let (changed, chosen) = mask(&pieces, seed as u64);
        for MaskedToken { position, original } in chosen {
            positions[position] += 1;
            match changed[position] {
                piece if piece == SPECIAL.mask => masked += 1,
                piece if piece == original => same += 1,
                piece => drawn[piece] += 1,
            }
        }
    }
    let (chosen, chance) = (6 * sequences, 1.0 / TEXT as f64);
    about(masked, chosen, 0.8);
    about(same, chosen, 0.1 + 0.1 * chance); // left, or drawn again
    about(drawn.iter().sum(), chosen, 0.1 * (1.0 - chance));
    for (position, found) in positions.into_iter().enumerate() {
        if SPECIAL.contains(pieces[position]) {
            assert_eq!(found, 0, "a mark at position {position}");
        } else {
            about(found, sequences, 6.0 / n as f64);
        }
    }
    for (piece, found) in drawn.into_iter().enumerate() {
        // Each stands twice in the forty positions, so what is drawn elsewhere is 38 of 40.
        if SPECIAL.contains(piece) {
            assert_eq!(found, 0, "special piece {piece}");
        } else {
            about(found, chosen, 0.1 * chance * 38.0 / 40.0);
        }
    }
}
