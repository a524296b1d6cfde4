//! 11.6: one test for six wrong losses.

use tests::exercises::{Exercise, Kind, Wrong};

type Positions = [(u8, bool); 6];
type Telling = fn() -> Positions;

pub fn exercise() -> Exercise<Telling> {
    Exercise {
        number: 6,
        title: "one test for six wrong losses",
        kind: Kind::Design,
        difficulty: 2,
        minutes: 15,
        check,
        wrong: &[
            Wrong {
                name: "one hidden position on either machine",
                hint: "“right” and “machines”",
                answer: || positions([1, 5, 2, 9, 0, 4], [0, 3]),
            },
            Wrong {
                name: "all losses are equal",
                hint: "“right” and “no-op”",
                answer: || positions([3; 6], [0, 1, 3]),
            },
            Wrong {
                name: "hidden ones as large as the others",
                hint: "“right” and “no-op”",
                answer: || positions([1, 5, 3, 3, 2, 4], [0, 1, 3]),
            },
            Wrong {
                name: "machines with equal means",
                hint: "“right” and “machines”",
                answer: || positions([2, 4, 7, 3, 0, 9], [0, 1, 3]),
            },
            Wrong {
                name: "everything is hidden",
                hint: "one that is not hidden",
                answer: || positions([1, 2, 3, 4, 5, 7], [0, 1, 2, 3, 4, 5]),
            },
            Wrong {
                name: "hidden on one machine alone",
                hint: "on either machine",
                answer: || positions([1, 2, 3, 4, 5, 7], [0, 1]),
            },
            Wrong {
                name: "nothing costs where nothing is hidden",
                hint: "“no-op” and “too many”",
                answer: || positions([1, 2, 0, 7, 0, 0], [0, 1, 3]),
            },
            Wrong {
                name: "hidden pieces that cost nothing",
                hint: "“right” and “too many”",
                answer: || positions([0, 0, 5, 0, 3, 1], [0, 1, 3]),
            },
            Wrong {
                name: "larger than nine",
                hint: "0 to 9",
                answer: || positions([1, 2, 4, 17, 0, 3], [0, 1, 3]),
            },
            Wrong {
                name: "the others sum to half of the hidden ones",
                hint: "“too many” and “inverted”",
                answer: || positions([1, 2, 4, 7, 1, 0], [0, 1, 3]),
            },
            Wrong {
                name: "different, but by thirds",
                hint: "more than 0.5",
                answer: || positions([1, 2, 4, 9, 0, 3], [0, 1, 3]),
            },
            Wrong {
                name: "different by a half",
                hint: "more than 0.5",
                answer: || positions([1, 2, 4, 7, 0, 3], [0, 1, 3]),
            },
        ],
    }
}

/// Losses, hidden at these places.
fn positions<const N: usize>(losses: [u8; 6], hidden: [usize; N]) -> Positions {
    let mut places = 0..;
    losses.map(|loss| (loss, places.next().is_some_and(|place| hidden.contains(&place))))
}

fn check(telling_positions: Telling) {
    let positions = telling_positions();
    assert!(
        positions.iter().all(|(loss, _)| *loss <= 9),
        "{positions:?}: losses are whole numbers from 0 to 9"
    );
    let machines = [&positions[..3], &positions[3..]];
    assert!(
        machines.iter().all(|own| own.iter().any(|(_, hidden)| *hidden)),
        "{positions:?}: at least one is hidden on either machine"
    );
    assert!(
        positions.iter().any(|(_, hidden)| !hidden),
        "{positions:?}: there must be one that is not hidden"
    );
    let found = losses(&positions);
    let pairs = (0..found.len()).flat_map(|a| (0..a).map(move |b| (found[b], found[a])));
    let apart = |((_, left), (_, right)): &((_, f64), (_, f64))| (left - right).abs();
    let nearest = pairs.min_by(|a, b| apart(a).total_cmp(&apart(b))).expect("seven numbers");
    let ((a, left), (b, right)) = nearest;
    assert!(
        apart(&nearest) > 0.5 + 1e-9, // both are fractions, rounded
        "{positions:?}: “{a}” and “{b}” are {left:.3} and {right:.3}\nhint: this test cannot tell them apart well: any \
         two must differ by more than 0.5\nall seven: {found:.3?}"
    );
}

/// The seven numbers.
fn losses(positions: &Positions) -> [(&'static str, f64); 7] {
    let sum = |which: &[(u8, bool)], of: fn(bool) -> bool| {
        let chosen = which.iter().filter(|(_, hidden)| of(*hidden));
        chosen.map(|(loss, _)| f64::from(*loss)).sum::<f64>()
    };
    let count = |which: &[(u8, bool)]| which.iter().filter(|(_, hidden)| *hidden).count() as f64;
    let (hidden, all) = (sum(positions, |hidden| hidden), sum(positions, |_| true));
    let (m, n) = (count(positions), positions.len() as f64);
    let products = positions.iter().flat_map(|(loss, _)| {
        positions.iter().map(|(_, hidden)| f64::from(*loss) * f64::from(u8::from(*hidden)))
    });
    let mean = |own: &[(u8, bool)]| sum(own, |hidden| hidden) / count(own);
    [
        ("right", hidden / m),
        ("no-op", all / n),
        ("broadcast", products.sum::<f64>() / m),
        ("too many", hidden / n),
        ("sum", hidden),
        ("inverted", sum(positions, |hidden| !hidden) / (n - m)),
        ("machines", (mean(&positions[..3]) + mean(&positions[3..])) / 2.0),
    ]
}
