//! 4.4 clipping: one factor for all matrices

use super::solutions;
use shared::Matrix;
use tests::exercises::{Exercise, wrong};
use tests::{expect, uneven};

type Clip = fn(&[Matrix], f32) -> Vec<Matrix>;

pub const EXERCISE: Exercise<Clip> = Exercise {
    check,
    wrong: &[
        wrong("the limit is for all matrices together", |g, longest| {
            g.iter().flat_map(|d| solutions::clip(std::slice::from_ref(d), longest)).collect()
        }),
        wrong("clipping shortens; this turns it", |g, longest| {
            times(g, |d| d.map(|x| x.clamp(-longest, longest)))
        }),
        wrong("this gradient is short enough", |g, longest| times(g, |d| d * (longest / norm(g)))),
        wrong("this gradient is too long", |g, _| g.to_vec()),
        wrong("a length is the root of the sum", |g, longest| {
            times(g, |d| d * (longest / norm(g).powi(2)).min(1.0))
        }),
        wrong("the squares overflow, the length does not", |g, longest| {
            let norm = g.iter().map(|d| d.norm_squared()).sum::<f32>().sqrt();
            times(g, |d| if norm > longest { d * (longest / norm) } else { d.clone() })
        }),
        wrong("a length of 0 gives NaN", |g, longest| {
            times(g, |d| d * (norm(g).min(longest) / norm(g)))
        }),
    ],
};

fn check(clip: Clip) {
    // The second is the longer one, and all negative.
    let gradients = [uneven(2, 3, 0.0), uneven(4, 1, 1.0).abs() * -3.0];
    let norm = norm(&gradients);
    for (factors, longest) in [
        ([1.0, 1.0], 1.5),
        ([1.0, 1.0], 2.0 * norm),
        ([1.0, 1.0], 1.001 * norm),
        ([1e25, 1e25], 1.5),
        ([1.0, 1e25], 1.5),
        ([0.0, 1e25], 1.5),
        ([0.0, 0.0], 1.5),
    ] {
        let [first, second] = [&gradients[0] * factors[0], &gradients[1] * factors[1]];
        let given = [first, second];
        let (found, right) = (clip(&given, longest), solutions::clip(&given, longest));
        assert!(found.len() == 2, "clip returned {} matrices for 2", found.len());
        for i in 0..2 {
            expect(&found[i], &right[i], 1e-5)
                .of(format!("matrix {i} of clip(gradients, {longest})"))
                .given("gradients[0]", &given[0])
                .given("gradients[1]", &given[1])
                .check();
        }
    }
}

fn times(gradients: &[Matrix], f: impl Fn(&Matrix) -> Matrix) -> Vec<Matrix> {
    gradients.iter().map(f).collect()
}

fn norm(gradients: &[Matrix]) -> f32 {
    let squares = gradients.iter().flat_map(|d| d.iter()).map(|x| f64::from(*x).powi(2));
    squares.sum::<f64>().sqrt() as f32
}
