//! 9.1: a rival.

use super::support::uneven;
use shared::Vector;
use tests::exercises::{Exercise, Kind, Wrong};
use tests::expect;

type Rival = fn(&Vector) -> Vector;

pub fn exercise() -> Exercise<Rival> {
    Exercise {
        number: 1,
        title: "a rival",
        kind: Kind::Construct,
        difficulty: 2,
        minutes: 15,
        check,
        wrong: &[
            Wrong { name: "a copy", hint: "just as much", answer: |x| x.clone() },
            Wrong {
                name: "one quarter for the other",
                hint: "the other way round",
                answer: |x| apart_by(x, -root(x) * 3f32.ln()),
            },
            Wrong {
                name: "without √d", hint: "divided by √d", answer: |x| apart_by(x, 3f32.ln())
            },
            Wrong {
                name: "ln 4 apart",
                hint: "one against three",
                answer: |x| apart_by(x, root(x) * 4f32.ln()),
            },
            Wrong {
                name: "the own score forgotten",
                hint: "scores itself",
                answer: |x| x * (root(x) * 3f32.ln() / x.norm_squared()),
            },
            Wrong {
                name: "divided by the length",
                hint: "‖x‖²",
                answer: |x| x * (1.0 + root(x) * 3f32.ln() / x.norm()),
            },
            Wrong {
                name: "three more instead of ln 3",
                hint: "ln 3",
                answer: |x| apart_by(x, root(x) * 3.0),
            },
            Wrong {
                name: "x taken for a unit vector",
                hint: "‖x‖² is not 1",
                answer: |x| x * (1.0 + root(x) * 3f32.ln()),
            },
        ],
    }
}

fn check(rival: Rival) {
    let of_length = |d, length| uneven(d, 1, d as f32).column(0).normalize() * length;
    let mut tokens =
        vec![of_length(2, 0.6), of_length(4, 2.5), of_length(9, 7.0), of_length(3, 1.6)];
    // Entries that are 0, and that sum to 0.
    tokens.push(Vector::from_column_slice(&[0.0, 1.5, -1.0, 0.5, -1.0]));
    for x in tokens {
        let (d, length, y) = (x.len(), x.norm(), rival(&x));
        assert!(y.len() == d, "the rival has {} entries, x has {d}", y.len());
        expect(own_weight(&x, &y), 0.25, 1e-3)
            .of(format!(
                "the weight of x on itself, beside rival(x), for a length of x of {length}"
            ))
            .given("x", &x)
            .given("rival(x)", &y)
            .or_hint(0.5, "the rival has the same score as x itself: it gets just as much")
            .or_hint(0.75, "the other way round: the rival is to have the larger score")
            .or_hint(
                own_weight(&x, &apart_by(&x, 3f32.ln())),
                "the scores differ by ln 3 before they are divided by √d",
            )
            .or_hint(
                own_weight(&x, &apart_by(&x, d as f32 * 3f32.ln())),
                "scores are divided by √d, not by d",
            )
            .or_hint(
                own_weight(&x, &apart_by(&x, root(&x) * 3.0)),
                "a softmax makes ratios of differences: for three times as much, scores differ by ln 3",
            )
            .or_hint(
                own_weight(&x, &(&x * (1.0 + root(&x) * 3f32.ln()))),
                "x·(c x) is c‖x‖², and ‖x‖² is not 1",
            )
            .or_hint(0.2, "a quarter is one against three, not one against four")
            .or_hint(
                own_weight(&x, &(&x * (root(&x) * 3f32.ln() / x.norm_squared()))),
                "the rival's score is √d·ln 3 over √d; but x scores itself, too, with ‖x‖²/√d",
            )
            .or_hint(
                own_weight(&x, &(&x * (1.0 + root(&x) * 3f32.ln() / x.norm()))),
                "x·(c x) is c‖x‖², not c‖x‖",
            )
            .check();
    }
}

/// Of `x` between `x` and `y`, in f64.
fn own_weight(x: &Vector, y: &Vector) -> f64 {
    let [x, y] = [x, y].map(|v| v.map(f64::from));
    1.0 / (1.0 + (x.dot(&(y - &x)) / (x.len() as f64).sqrt()).exp())
}

/// The token along `x` whose product with x is larger by `difference`.
fn apart_by(x: &Vector, difference: f32) -> Vector {
    x * (1.0 + difference / x.norm_squared())
}

fn root(x: &Vector) -> f32 {
    (x.len() as f32).sqrt()
}
