//! 11.3: fifteen of a hundred.

use super::solutions;
use super::support::{FIRST_FIVE, SPECIAL};
use bert::{MaskedToken, Special};
use rand::RngExt;
use shared::{Rng, rng};
use tests::exercises::{Exercise, unhinted};

type Masked = Vec<MaskedToken>;
pub type Mask = fn(&mut [usize], &Special, usize, &mut Rng) -> Masked;
const VOCABULARY: usize = 25;

pub const EXERCISE: Exercise<Mask> = Exercise {
    check,
    wrong: &[
        unhinted("a share of all, marks too", |p, s, v, r| {
            solutions::mask(p, &Special { unknown: s.sep, sep: 99, cls: 99, ..*s }, v, r)
        }),
        unhinted("what stands there now", |p, s, v, r| {
            let masked = solutions::mask(p, s, v, r).into_iter();
            masked.map(|m| MaskedToken { original: p[m.position], ..m }).collect()
        }),
        unhinted("any piece of the vocabulary", |p, s, v, r| {
            let (masked, now) = (solutions::mask(p, s, v, r), p.to_vec());
            let drawn = masked.iter().filter(|m| ![s.mask, m.original].contains(&now[m.position]));
            drawn.for_each(|m| p[m.position] = r.random_range(0..v));
            masked
        }),
        unhinted("one coin for the whole sequence", |p, s, v, r| {
            let (masked, all) = (solutions::mask(p, s, v, r), r.random_bool(0.8));
            masked.iter().for_each(|m| p[m.position] = if all { s.mask } else { m.original });
            masked
        }),
    ],
};

fn check(mask: Mask) {
    for special in [SPECIAL, FIRST_FIVE] {
        let words: Vec<usize> = (0..VOCABULARY).filter(|piece| !special.contains(*piece)).collect();
        let (mut fates, mut alike, mut chosen) = ([0.0_f64; 3], 0, [0; 102]);
        for n in [100, 44, 30, 23, 10, 4, 1, 0] {
            let mut before: Vec<usize> = (0..n).map(|i| words[i % words.len()]).collect();
            before.extend([special.unknown].repeat(n / 40)); // counted, and not chosen
            before.insert(n / 2, special.sep);
            for seed in 0..if n == 100 { 2000 } else { 20 } {
                let (now, masked) = one(mask, &before, &special, seed);
                let is = |m: &MaskedToken, piece| usize::from(now[m.position] == piece);
                let fate = |m: &MaskedToken| 2 - 2 * is(m, special.mask) - is(m, m.original);
                if n == 100 {
                    masked.iter().for_each(|m| (fates[fate(m)] += 1.0, chosen[m.position] += 1).0);
                    alike += usize::from(masked.iter().all(|m| fate(m) == fate(&masked[0])));
                }
            }
        }
        let shares = fates.map(|count| count / 30_000.0); // 0.8, 0.1 and 0.1, of which 1/20 the same
        let near = (shares[0] - 0.8).abs() < 0.01 && (shares[1] - 0.105).abs() < 0.01;
        assert!(near && alike < 200, "[MASK], stayed, changed: {shares:.3?}, {alike}: all alike");
        let even = (0..101).filter(|i| *i != 50).all(|i| (200..400).contains(&chosen[i]));
        assert!(even, "of 2000 sequences {chosen:?}: all positions are equally likely");
    }
}

/// Pieces afterwards, and what was masked, of which everything is so that must be so in every sequence.
fn one(mask: Mask, before: &[usize], special: &Special, seed: u64) -> (Vec<usize>, Masked) {
    let ordinary = |piece: usize| !special.contains(piece);
    let mut now = before.to_vec();
    let masked = mask(&mut now, special, VOCABULARY, &mut rng(seed));
    let all = before.iter().filter(|piece| ordinary(**piece)).count();
    let right = ((15 * (before.len() - 1) + 50) / 100).max(1).min(all);
    let stood = masked.iter().all(|m| before[m.position] == m.original && ordinary(m.original));
    let fits =
        masked.len() == right && stood && masked.is_sorted_by(|a, b| a.position < b.position);
    assert!(fits, "{masked:?} of {before:?}: {right} ordinary pieces are wanted, in their order");
    for (i, piece) in now.iter().enumerate() {
        let may_be = *piece == special.mask || (ordinary(*piece) && *piece < VOCABULARY);
        let fits = *piece == before[i] || may_be && masked.iter().any(|m| m.position == i);
        assert!(fits, "at position {i} of {before:?} there is {piece} now");
    }
    (now, masked)
}
