//! 9.7: which position was it?

use super::solutions;
use self_attention::positions::{frequency, sinusoids};
use shared::Vector;
use tests::exercises::{Exercise, wrong};

type PositionOf = fn(&Vector, usize) -> usize;

pub const EXERCISE: Exercise<PositionOf> = Exercise {
    check,
    wrong: &[
        wrong("a little noise there is many positions", |p, _| {
            let d = p.len();
            let angle = p[d - 2].atan2(p[d - 1]).rem_euclid(std::f32::consts::TAU);
            (f64::from(angle) / frequency(d, d / 2 - 1)).round() as usize
        }),
        wrong("it comes round after 2π positions: use all pairs", |p, n| {
            sinusoids(p.len(), 0, n).rows(0, 2).tr_mul(&p.rows(0, 2)).imax()
        }),
        wrong(
            "the fastest pair distinguishes a position from its neighbour: leave no pair out",
            |p, n| {
                let rest = p.len() - 2;
                sinusoids(p.len(), 0, n).rows(2, rest).tr_mul(&p.rows(2, rest)).imax()
            },
        ),
        wrong(
            "an angle has a sine and a cosine: positions with nearly the same sines are distinguished by the cosines",
            |p, n| {
                let (table, rows) = (sinusoids(p.len(), 0, n), 0..p.len());
                let distances = Vector::from_fn(n, |position, _| {
                    let sines = rows.clone().step_by(2).map(|row| table[(row, position)] - p[row]);
                    sines.map(|sine| sine.powi(2)).sum::<f32>()
                });
                distances.imin()
            },
        ),
        wrong(
            "it was disturbed, so it is nobody's very own position: which is nearest?",
            |p, n| {
                let table = sinusoids(p.len(), 0, n);
                table.column_iter().position(|column| (column - p).amax() < 1e-6).unwrap_or(0)
            },
        ),
        wrong("positions count from 0", |p, n| solutions::position_of(p, n) + 1),
    ],
};

fn check(position_of: PositionOf) {
    for (d, n) in [(16, 2000), (32, 300), (64, 2000)] {
        let table = sinusoids(d, 0, n);
        let any = [(0, 0.0), (n / 2, 0.0), (3, 0.1), (n - 1, 0.1), (n / 3 + 44, 0.1)];
        let any = any.map(|(position, noise)| {
            let p = Vector::from_fn(d, |row, _| {
                table[(row, position)] + noise * (2.3 * row as f32 + position as f32).sin()
            });
            (position, noise, p)
        });
        // The worst that may happen: every entry is disturbed towards another position.
        let worst = [(116, 176), (164, 166), (261, 262), (983, 1385), (1169, 1170), (1815, 1816)];
        let worst = worst.into_iter().filter(|(_, other)| *other < n).map(|(position, other)| {
            let p = Vector::from_fn(d, |row, _| {
                let towards = (table[(row, other)] - table[(row, position)]).signum();
                table[(row, position)] + 0.099 * towards
            });
            (position, 0.1, p)
        });
        for (position, noise, p) in any.into_iter().chain(worst) {
            let found = position_of(&p, n);
            assert!(
                found == position,
                "position_of(the encoding of position {position} of {n}, d = {d}, disturbed by up to {noise}) is {found}"
            );
        }
    }
}
