//! 9.7: which place was it?

use self_attention::positions::{frequency, sinusoids};
use shared::{Matrix, Vector};
use tests::exercises::{Exercise, Kind, Wrong};

type PlaceOf = fn(&Vector, usize) -> usize;

pub fn exercise() -> Exercise<PlaceOf> {
    Exercise {
        number: 7,
        title: "which place was it?",
        kind: Kind::Implement,
        difficulty: 2,
        minutes: 15,
        check,
        wrong: &[
            Wrong { name: "the slowest pair", hint: "slowest pair", answer: slowest },
            Wrong {
                name: "the fastest pair",
                hint: "fastest pair",
                answer: |p, n| nearest(&p.rows(0, 2).into_owned(), &sinusoids(p.len(), 0, n)),
            },
            Wrong {
                name: "all but the fastest pair",
                hint: "its neighbour",
                answer: |p, n| without_the_fastest(p, n),
            },
            Wrong { name: "sines alone", hint: "cosine", answer: sines },
            Wrong { name: "the very same position", hint: "disturbed", answer: the_same },
            Wrong {
                name: "sines above cosines",
                hint: "take turns",
                answer: |p, n| {
                    let d = p.len();
                    let halves = Matrix::from_fn(d, n, |row, i| {
                        let angle = i as f64 * frequency(d, row % (d / 2));
                        (if row < d / 2 { angle.sin() } else { angle.cos() }) as f32
                    });
                    nearest(p, &halves)
                },
            },
            Wrong {
                name: "counted from one",
                hint: "count from 0",
                answer: |p, n| nearest(p, &sinusoids(p.len(), 0, n)) + 1,
            },
        ],
    }
}

fn check(place_of: PlaceOf) {
    for (d, n) in [(16, 2000), (32, 300), (64, 2000)] {
        let table = sinusoids(d, 0, n);
        let waves = |place: usize, row: usize| (2.3 * row as f32 + place as f32).sin();
        let mut trials: Vec<(usize, f32, Vector)> = Vec::new();
        for (place, noise) in [(0, 0.0), (n / 2, 0.0), (3, 0.1), (n - 1, 0.1), (n / 3 + 44, 0.1)] {
            let p = Vector::from_fn(d, |row, _| table[(row, place)] + noise * waves(place, row));
            trials.push((place, noise, p));
        }
        // The worst that may happen: every entry is disturbed towards another place.
        for (place, other) in
            [(116, 176), (164, 166), (261, 262), (983, 1385), (1169, 1170), (1815, 1816)]
        {
            if other < n {
                let towards = |row: usize| (table[(row, other)] - table[(row, place)]).signum();
                let p = Vector::from_fn(d, |row, _| table[(row, place)] + 0.099 * towards(row));
                trials.push((place, 0.1, p));
            }
        }
        for (place, noise, p) in trials {
            let found = place_of(&p, n);
            let given = format!(
                "the position of place {place} of {n}, d = {d}, disturbed by up to {noise}"
            );
            if found == place {
                continue;
            }
            let hint = if noise == 0.0 && found == place + 1 {
                "places count from 0"
            } else if noise > 0.0 && found == the_same(&p, n) && sines(&p, n) != found {
                "it was disturbed, so it is nobody's very own position: which is nearest?"
            } else if found == slowest(&p, n) {
                "the slowest pair hardly turns: a little noise there is many places"
            } else if noise > 0.0 && found == without_the_fastest(&p, n) {
                "the fastest pair tells a place from its neighbour: leave no pair out"
            } else if noise > 0.0 && found == sines(&p, n) {
                "an angle has a sine and a cosine: places with nearly the same sines are told apart by the others"
            } else if found == nearest(&p.rows(0, 2).into_owned(), &table) {
                "the fastest pair is where it was after 2π places already: use all pairs"
            } else {
                "this one's position is not the nearest to p: let all rows of all places decide, and mind \
                 that sines and cosines take turns from row to row"
            };
            panic!("place_of({given}) is {found}\nhint: {hint}");
        }
    }
}

/// The column that points most in the direction of `p`, as far as p has rows.
fn nearest(p: &Vector, table: &Matrix) -> usize {
    table.rows(0, p.len()).tr_mul(p).imax()
}

fn the_same(p: &Vector, n: usize) -> usize {
    let table = sinusoids(p.len(), 0, n);
    table.column_iter().position(|column| (column - p).amax() < 1e-6).unwrap_or(0)
}

fn without_the_fastest(p: &Vector, n: usize) -> usize {
    let (table, rest) = (sinusoids(p.len(), 0, n), p.len() - 2);
    table.rows(2, rest).tr_mul(&p.rows(2, rest)).imax()
}

fn sines(p: &Vector, n: usize) -> usize {
    let table = sinusoids(p.len(), 0, n);
    let apart = table.column_iter().map(|column| {
        (0..p.len()).step_by(2).map(|row| (column[row] - p[row]).powi(2)).sum::<f32>()
    });
    Vector::from_iterator(n, apart).imin()
}

fn slowest(p: &Vector, _: usize) -> usize {
    let d = p.len();
    let angle = p[d - 2].atan2(p[d - 1]).rem_euclid(std::f32::consts::TAU);
    (f64::from(angle) / frequency(d, d / 2 - 1)).round() as usize
}
