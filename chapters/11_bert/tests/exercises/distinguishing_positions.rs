//! 11.6: one test for six wrong losses.

use tests::exercises::{Exercise, unhinted, wrong};

type Positions = [(u8, bool); 6];
type Distinguishing = fn() -> Positions;

pub const EXERCISE: Exercise<Distinguishing> = Exercise {
    check,
    wrong: &[
        wrong("“right” and “machines”", || positions([1, 5, 2, 9, 0, 4], &[0, 3])),
        wrong("“right” and “no-op”", || positions([3; 6], &[0, 1, 3])),
        wrong("“right” and “machines”", || positions([2, 4, 7, 3, 0, 9], &[0, 1, 3])),
        unhinted("masked on one machine alone", || positions([1, 2, 3, 4, 5, 7], &[0, 1])),
        wrong("“no-op” and “too many”", || positions([1, 2, 0, 7, 0, 0], &[0, 1, 3])),
        wrong("“right” and “too many”", || positions([0, 0, 5, 0, 3, 1], &[0, 1, 3])),
        wrong("“too many” and “inverted”", || positions([1, 2, 4, 7, 1, 0], &[0, 1, 3])),
        wrong("more than 0.5", || positions([1, 2, 4, 7, 0, 3], &[0, 1, 3])),
    ],
};

/// Losses, masked at these positions.
fn positions(losses: [u8; 6], masked: &[usize]) -> Positions {
    let mut positions = 0..;
    losses.map(|loss| (loss, positions.next().is_some_and(|position| masked.contains(&position))))
}

fn check(distinguishing_positions: Distinguishing) {
    let positions = distinguishing_positions();
    let masked = |own: &[(u8, bool)]| own.iter().any(|(_, masked)| *masked);
    let fit = positions.iter().all(|(loss, _)| *loss <= 9)
        && positions.chunks(3).all(masked)
        && !positions.iter().all(|(_, masked)| *masked);
    assert!(
        fit,
        "{positions:?}: losses are whole numbers from 0 to 9, at least one is masked on either machine, and there \
         must be one that is not masked"
    );
    let found = losses(&positions);
    for (i, (a, left)) in found.iter().enumerate() {
        for (b, right) in &found[i + 1..] {
            assert!(
                (left - right).abs() > 0.5 + 1e-9, // both are fractions, rounded
                "{positions:?}: “{a}” and “{b}” are {left:.3} and {right:.3}, and any two must differ by more than \
                 0.5\nall seven: {found:.3?}"
            );
        }
    }
}

/// The seven numbers.
fn losses(positions: &Positions) -> [(&'static str, f64); 7] {
    let sum = |own: &[(u8, bool)], of: bool| -> f64 {
        let chosen = own.iter().filter(|(_, masked)| *masked == of);
        chosen.map(|(loss, _)| f64::from(*loss)).sum()
    };
    let count = |own: &[(u8, bool)]| own.iter().filter(|(_, masked)| *masked).count() as f64;
    let (masked, others) = (sum(positions, true), sum(positions, false));
    let m = count(positions);
    let [one, other] = [&positions[..3], &positions[3..]].map(|own| sum(own, true) / count(own));
    [
        ("right", masked / m),
        ("no-op", (masked + others) / 6.0),
        ("broadcast", masked + others), // all losses times all of the mask, which sums to m, by m
        ("too many", masked / 6.0),
        ("sum", masked),
        ("inverted", others / (6.0 - m)),
        ("machines", f64::midpoint(one, other)),
    ]
}
