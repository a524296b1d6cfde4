//! 9.13: a vector for every place.

use self_attention::positions::sinusoids;
use shared::{Matrix, Operand, product};
use tests::exercises::{Exercise, Kind, Wrong};

type Places = fn(usize, usize) -> Matrix;

pub fn exercise() -> Exercise<Places> {
    Exercise {
        number: 13,
        title: "a vector for every place",
        kind: Kind::Construct,
        difficulty: 2,
        minutes: 20,
        check,
        wrong: &[
            Wrong {
                name: "the number of the place",
                hint: "one length",
                answer: |d, n| Matrix::from_fn(d, n, |_, i| (i + n) as f32 / (2 * n) as f32),
            },
            Wrong {
                name: "binary digits",
                hint: "the distance alone",
                answer: |d, n| Matrix::from_fn(d, n, |r, i| sign(i >> r.min(20))),
            },
            Wrong {
                name: "a one that moves on",
                hint: "as if they were one",
                answer: |d, n| Matrix::from_fn(d, n, |r, i| f32::from(u8::from(r == i % d))),
            },
            Wrong {
                name: "the chapter's own",
                hint: "hardly differ",
                answer: |d, n| sinusoids(d, 0, n),
            },
            Wrong {
                name: "one fast hand",
                hint: "as if they were one",
                answer: |d, n| turning(d, n, |_| 1.0),
            },
            Wrong {
                name: "sines alone",
                hint: "one length",
                answer: |d, n| {
                    Matrix::from_fn(d, n, |r, i| (i as f32 * 0.7_f32.powi(r as i32) + 0.3).sin())
                },
            },
            Wrong {
                name: "hands of two lengths, too long",
                hint: "between −1 and 1",
                answer: |d, n| turning(d, n, |j| 0.5_f32.powi(j as i32)) * 2.0,
            },
            Wrong {
                name: "nearly nothing",
                hint: "at least 0.1",
                answer: |d, n| sinusoids(d, 0, n) * 0.05,
            },
            Wrong {
                name: "a row a place",
                hint: "(16, 400)",
                answer: |d, n| turning(d, n, |j| 0.5_f32.powi(j as i32)).transpose(),
            },
        ],
    }
}

fn sign(bits: usize) -> f32 {
    if bits.is_multiple_of(2) { -1.0 } else { 1.0 }
}

/// Pair `j` turns by `angle(j)` from place to place.
fn turning(d: usize, n: usize, angle: impl Fn(usize) -> f32) -> Matrix {
    Matrix::from_fn(d, n, |r, i| {
        let turned = i as f32 * angle(r / 2);
        if r % 2 == 0 { turned.sin() } else { turned.cos() }
    })
}

fn check(places: Places) {
    for (d, n) in [(16, 400), (32, 60), (18, 100), (64, 400), (16, 1)] {
        let p = places(d, n);
        let call = format!("places({d}, {n})");
        assert!(p.shape() == (d, n), "{call} has the shape {:?}, not ({d}, {n})", p.shape());
        assert!(
            p.iter().all(|p| (-1.00001..=1.00001).contains(p)),
            "{call} has an entry that is not between −1 and 1"
        );
        let dots = product(&p.t(), &p);
        let whole = dots[(0, 0)];
        assert!(whole >= 0.1, "{call}: p₀·p₀ is {whole:.3}: at least 0.1 is asked for");
        for i in 0..n {
            let own = dots[(i, i)];
            assert!(
                (own - whole).abs() <= 0.01 * whole,
                "{call}: p₀·p₀ is {whole:.2}, but the product of place {i} with itself is {own:.2}\n\
                 hint: distance 0 is the same everywhere: all places have one length"
            );
        }
        for k in 1..n {
            let first = dots[(k, 0)];
            for i in 0..n - k {
                let found = dots[(i + k, i)];
                assert!(
                    (found - first).abs() <= 0.01 * whole,
                    "{call}: at distance {k}, the product is {first:.2} from place 0 and {found:.2} from \
                     place {i}\nhint: it should depend on the distance alone. Which products of \
                     numbers depend on a difference?"
                );
            }
            let why = match k {
                1 => {
                    "neighbours hardly differ: something has to change much from one place to the next"
                }
                _ => {
                    "two places far apart look as if they were one: what moves fast comes round again"
                }
            };
            assert!(
                first <= 0.9 * whole,
                "{call}: at distance {k} the product is {first:.3}, at distance 0 {whole:.3}\nhint: {why}"
            );
        }
    }
}
