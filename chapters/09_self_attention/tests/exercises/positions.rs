//! 9.13: a vector for every position.

use self_attention::positions::sinusoids;
use shared::{Matrix, Operand, product};
use tests::exercises::{Exercise, unhinted, wrong};

type PositionTable = fn(usize, usize) -> Matrix;

const COMES_ROUND: &str =
    "two positions look as if they were one: what moves fast comes round again";
const ONE_LENGTH: &str = "distance 0 is the same everywhere: all positions have one length";

pub const EXERCISE: Exercise<PositionTable> = Exercise {
    check,
    wrong: &[
        wrong(ONE_LENGTH, |d, n| Matrix::from_fn(d, n, |_, i| (i + n) as f32 / (2 * n) as f32)),
        wrong(
            "it should depend on the distance alone. Which products of numbers depend on a difference?",
            |d, n| Matrix::from_fn(d, n, |r, i| if (i >> r.min(20)) % 2 == 0 { -1.0 } else { 1.0 }),
        ),
        wrong(COMES_ROUND, |d, n| Matrix::from_fn(d, n, |r, i| f32::from(u8::from(r == i % d)))),
        wrong(
            "neighbours hardly differ: something has to change much from one position to the next",
            |d, n| sinusoids(d, 0, n),
        ),
        wrong(COMES_ROUND, |d, n| turning(d, n, |_| 1.0)),
        unhinted("hands that are too long", |d, n| turning(d, n, |j| 0.5_f32.powi(j)) * 2.0),
        unhinted("nearly nothing", |d, n| sinusoids(d, 0, n) * 0.05),
    ],
};

/// Pair `j` turns by `angle(j)` from position to position.
fn turning(d: usize, n: usize, angle: fn(i32) -> f32) -> Matrix {
    Matrix::from_fn(d, n, |r, i| {
        let turned = i as f32 * angle(r as i32 / 2);
        if r % 2 == 0 { turned.sin() } else { turned.cos() }
    })
}

fn check(positions: PositionTable) {
    for (d, n) in [(16, 400), (32, 60), (18, 100), (64, 400), (16, 1)] {
        let p = positions(d, n);
        let call = format!("positions({d}, {n})");
        assert!(p.shape() == (d, n), "{call} has the shape {:?}, not ({d}, {n})", p.shape());
        let within = p.iter().all(|p| (-1.00001..=1.00001).contains(p));
        assert!(within, "{call} has an entry that is not between −1 and 1");
        let dots = product(&p.t(), &p);
        let whole = dots[(0, 0)];
        assert!(whole >= 0.1, "{call}: p₀·p₀ is {whole:.3}: at least 0.1 is asked for");
        for k in 0..n {
            let first = dots[(k, 0)];
            for i in 0..n - k {
                let found = dots[(i + k, i)];
                assert!(
                    (found - first).abs() <= 0.01 * whole,
                    "{call}: at distance {k}, the product is {first:.2} from position 0 and {found:.2} from \
                     position {i}"
                );
            }
            assert!(
                k == 0 || first <= 0.9 * whole,
                "{call}: at distance {k} the product is {first:.3}, at distance 0 {whole:.3}, and at most 0.9 of \
                 that is asked for"
            );
        }
    }
}
