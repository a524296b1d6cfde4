//! 4.4 clipping: one factor for all matrices

use shared::Matrix;
use tests::assert_close;
use tests::exercises::{Exercise, Kind, Wrong};

use super::support::uneven;
use crate::solutions;

type Clip = fn(&[Matrix], f32) -> Vec<Matrix>;

pub fn exercise() -> Exercise<Clip> {
    Exercise {
        number: 4,
        title: "clipping",
        kind: Kind::Implement,
        difficulty: 1,
        minutes: 10,
        check,
        wrong: &[
            Wrong {
                name: "each matrix for itself",
                hint: "all matrices together",
                answer: |g, l| g.iter().map(|d| shortened(d, l)).collect(),
            },
            Wrong {
                name: "each entry for itself",
                hint: "turns it",
                answer: |g, l| g.iter().map(|d| d.map(|x| x.clamp(-l, l))).collect(),
            },
            Wrong {
                name: "always to the full length",
                hint: "short enough",
                answer: |g, l| {
                    let norm = all_norm(g);
                    g.iter().map(|d| d * (l / norm)).collect()
                },
            },
            Wrong { name: "never", hint: "too long", answer: |g, _| g.to_vec() },
            Wrong {
                name: "the square of the norm",
                hint: "",
                answer: |g, l| {
                    let square = all_norm(g).powi(2);
                    let factor = if square > l { l / square } else { 1.0 };
                    g.iter().map(|d| d * factor).collect()
                },
            },
            Wrong {
                name: "squares that overflow",
                hint: "squares",
                answer: |g, l| {
                    let norm = g.iter().map(|d| d.norm_squared()).sum::<f32>().sqrt();
                    let factor = if norm > l { l / norm } else { 1.0 };
                    g.iter().map(|d| d * factor).collect()
                },
            },
            Wrong {
                name: "large gradients thrown away",
                hint: "squares",
                answer: |g, l| match all_norm(g) > 1e19 {
                    true => g.iter().map(|d| d * 0.0).collect(),
                    false => solutions::clip(g, l),
                },
            },
            Wrong {
                name: "nothing divided by nothing",
                hint: "NaN",
                answer: |g, l| {
                    let norm = all_norm(g);
                    g.iter().map(|d| d * (norm.min(l) / norm)).collect()
                },
            },
        ],
    }
}

fn check(clip: Clip) {
    let gradients = [uneven(2, 3, 0.0), uneven(4, 1, 1.0) * 3.0]; // the second is the longer one
    let norm = all_norm(&gradients);
    let longest = 1.5;
    let found = clip(&gradients, longest);
    assert!(found.len() == 2, "clip returned {} matrices for 2", found.len());
    let direction: f32 = found.iter().zip(&gradients).map(|(a, b)| a.dot(b)).sum();
    let cosine = direction / (all_norm(&found) * norm);
    let (length, each) =
        (all_norm(&found), gradients.iter().map(|d| shortened(d, longest)).collect::<Vec<_>>());
    assert!(
        length < norm * 0.99,
        "a gradient of length {norm} is too long for {longest}, but came back with length {length}"
    );
    let apart = (&found[0] - &each[0]).amax() + (&found[1] - &each[1]).amax();
    assert!(apart > 1e-4, "one limit for each matrix: it counts for all matrices together");
    assert!(cosine > 0.9999, "clipping shortens a gradient; this turns it: the cosine is {cosine}");
    assert_close!(length, longest, 1e-5, "the length after clipping at {longest}");
    for (found, d) in found.iter().zip(&gradients) {
        assert_close!(found, d * (longest / norm), 1e-5);
    }
    for longest in [2.0 * norm, norm * 1.001] {
        let found = clip(&gradients, longest);
        for (found, d) in found.iter().zip(&gradients) {
            assert_close!(
                found,
                d,
                1e-6,
                "a gradient of length {norm} is short enough for {longest}"
            );
        }
    }
    let huge: Vec<Matrix> = gradients.iter().map(|d| d * 1e25).collect();
    for (found, d) in clip(&huge, longest).iter().zip(&gradients) {
        assert_close!(
            found,
            d * (longest / norm),
            1e-5,
            "a gradient of length {:e} clipped at {longest}: its squares are too large for an f32, it \
             is not",
            f64::from(norm) * 1e25
        );
    }
    let beside = [gradients[0].clone(), &gradients[1] * 1e25];
    let right = &gradients[1] * (longest / gradients[1].norm());
    assert_close!(clip(&beside, longest)[1], right, 1e-5, "a matrix of 10²⁵ behind a small one");
    let nothing = [Matrix::zeros(2, 3), Matrix::zeros(4, 1)];
    for (found, d) in clip(&nothing, longest).iter().zip(&nothing) {
        assert_close!(found, d, 1e-6, "a gradient of zeros has length 0: dividing by it gives NaN");
    }
}

fn all_norm(gradients: &[Matrix]) -> f32 {
    let squares = gradients.iter().flat_map(|d| d.iter()).map(|x| f64::from(*x).powi(2));
    squares.sum::<f64>().sqrt() as f32
}

fn shortened(d: &Matrix, longest: f32) -> Matrix {
    if d.norm() > longest { d * (longest / d.norm()) } else { d.clone() }
}
