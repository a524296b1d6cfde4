//! 11.6: one test for six wrong losses.

use tests::exercises::{Exercise, Kind, wrong};

type Positions = [(u8, bool); 6];
type Telling = fn() -> Positions;

pub const EXERCISE: Exercise<Telling> = Exercise {
    number: 6,
    title: "one test for six wrong losses",
    kind: Kind::Design,
    difficulty: 2,
    minutes: 15,
    check,
    wrong: &[
        wrong("one hidden position on either machine", "“right” and “machines”", || {
            positions([1, 5, 2, 9, 0, 4], &[0, 3])
        }),
        wrong("all losses are equal", "“right” and “no-op”", || {
            positions([3; 6], &[0, 1, 3])
        }),
        wrong("machines with equal means", "“right” and “machines”", || {
            positions([2, 4, 7, 3, 0, 9], &[0, 1, 3])
        }),
        wrong("hidden on one machine alone", "", || positions([1, 2, 3, 4, 5, 7], &[0, 1])),
        wrong("nothing costs where nothing is hidden", "“no-op” and “too many”", || {
            positions([1, 2, 0, 7, 0, 0], &[0, 1, 3])
        }),
        wrong("hidden pieces that cost nothing", "“right” and “too many”", || {
            positions([0, 0, 5, 0, 3, 1], &[0, 1, 3])
        }),
        wrong(
            "the others sum to half of the hidden ones",
            "“too many” and “inverted”",
            || positions([1, 2, 4, 7, 1, 0], &[0, 1, 3]),
        ),
        wrong("different by a half", "more than 0.5", || positions([1, 2, 4, 7, 0, 3], &[0, 1, 3])),
    ],
};

/// Losses, hidden at these places.
fn positions(losses: [u8; 6], hidden: &[usize]) -> Positions {
    let mut places = 0..;
    losses.map(|loss| (loss, places.next().is_some_and(|place| hidden.contains(&place))))
}

fn check(telling_positions: Telling) {
    let positions = telling_positions();
    let hidden = |own: &[(u8, bool)]| own.iter().any(|(_, hidden)| *hidden);
    let fit = positions.iter().all(|(loss, _)| *loss <= 9)
        && positions.chunks(3).all(hidden)
        && !positions.iter().all(|(_, hidden)| *hidden);
    assert!(
        fit,
        "{positions:?}: losses are whole numbers from 0 to 9, at least one is hidden on either machine, and there \
         must be one that is not hidden"
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
        let chosen = own.iter().filter(|(_, hidden)| *hidden == of);
        chosen.map(|(loss, _)| f64::from(*loss)).sum()
    };
    let count = |own: &[(u8, bool)]| own.iter().filter(|(_, hidden)| *hidden).count() as f64;
    let (hidden, others) = (sum(positions, true), sum(positions, false));
    let m = count(positions);
    let [one, other] = [&positions[..3], &positions[3..]].map(|own| sum(own, true) / count(own));
    [
        ("right", hidden / m),
        ("no-op", (hidden + others) / 6.0),
        ("broadcast", hidden + others), // all losses times all of the mask, which sums to m, by m
        ("too many", hidden / 6.0),
        ("sum", hidden),
        ("inverted", others / (6.0 - m)),
        ("machines", f64::midpoint(one, other)),
    ]
}
