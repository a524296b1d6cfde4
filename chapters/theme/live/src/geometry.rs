//! Chapter 3's query and keys in the plane, and four ways to compare them.

use scoring_functions::{Cosine, General, covariance, dot, scaled_dot};
use shared::{Float, Linear, Matrix, Param, Tape};

/// A way to compare – 0: dot, 1: scaled dot, 2: cosine, 3: general with a W that turns –, the turn of W in degrees,
/// a factor on the scores, the query, then as many keys, all of two numbers → for each key its score, its weight,
/// the key as the query meets it (turned by W, or as it is), and which way from there the score grows; then the
/// entropy of the weights in nats, and the norm of the softmax's Jacobian.
///
/// The factor is the strength β of the cosine.
///
/// ```
/// let market = [/* wish */ 2.0, 1.0, /* melon */ 1.0, 0.0, /* radish */ 0.0, 1.0, /* apple */ 1.0, 1.0];
/// let answer = live::geometry(&[&[1.0, 0.0, 1.0][..], &market].concat());
/// let expected = [1.41, 0.71, 2.12, /* weights */ 0.28, 0.14, 0.58];
/// assert!(answer.iter().zip(expected).all(|(a, b)| (a - b).abs() < 0.005));
/// ```
pub fn geometry(numbers: &[Float]) -> Vec<Float> {
    let [kind, turn, factor, query @ ..] = numbers else { panic!("too few numbers") };
    let (query, keys) = query.split_at(2);
    let m = keys.len() / 2;
    let tape = Tape::new();
    let query = tape.constant(Matrix::from_column_slice(2, 1, query));
    let keys = tape.leaf(Matrix::from_column_slice(2, m, keys)); // (2, m)
    let general = General { w: turning(turn.to_radians()) };
    let scores = match *kind {
        0.0 => dot(query, keys) * *factor,
        1.0 => scaled_dot(query, keys) * *factor,
        2.0 => Cosine::new(*factor).forward(query, keys),
        _ => general.forward(query, keys) * *factor,
    }; // (m, 1)
    let weights = scores.softmax().value(); // (m, 1)
    let turned = |x: &Matrix| if *kind == 3.0 { general.w.weight.value() * x } else { x.clone() };
    let (scored, met) = (scores.value(), turned(&keys.value()));
    let growth = turned(&scores.sum().backward().wrt(keys)); // (2, m); WWᵀq = q, since W turns
    let entropy = -weights.iter().filter(|a| **a > 0.0).map(|a| a * a.ln()).sum::<Float>();
    let jacobian = covariance(&Matrix::identity(m, m), &weights); // (m, m)
    let parts = [&*scored, &*weights, &met, &growth];
    let each = parts.iter().flat_map(|part| part.iter().copied());
    each.chain([entropy, jacobian.norm()]).collect()
}

/// The W that turns a key by an angle.
fn turning(angle: Float) -> Linear {
    let (sin, cos) = angle.sin_cos();
    let weight = Param::new(Matrix::from_row_slice(2, 2, &[cos, -sin, sin, cos]));
    Linear { weight, bias: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scoring_functions::Score;

    const PLANE: [Float; 8] = [1.0, 0.5, 0.5, 2.0, 2.9, 0.0, 1.6, 0.8];

    #[test]
    fn scores_are_those_of_the_formulas() {
        let w = Linear { weight: turning(0.5).weight, bias: None };
        let scores = [
            Score::Dot,
            Score::ScaledDot,
            Score::Cosine(Cosine::new(1.0)),
            Score::General(General { w }),
        ];
        let query = shared::Vector::from_column_slice(&PLANE[..2]);
        let keys = Matrix::from_column_slice(2, 3, &PLANE[2..]);
        for (kind, score) in scores.iter().enumerate() {
            let choice = [kind as Float, Float::to_degrees(0.5), 3.0];
            let answer = geometry(&[&choice[..], &PLANE].concat());
            for (i, ours) in answer[..3].iter().enumerate() {
                let theirs = 3.0 * score.of(&query, &keys, i);
                assert!((ours - theirs).abs() < 1e-5, "{score:?}: {ours} for {theirs}");
            }
        }
    }

    /// A small step across the growth leaves the score, a step along it does not.
    #[test]
    fn across_its_growth_a_score_stays() {
        for kind in [0.0, 1.0, 2.0, 3.0] {
            let choice = [kind, 0.0, 1.0];
            let answer = geometry(&[&choice[..], &PLANE].concat());
            let [x, y] = [answer[12], answer[13]]; // of the first key
            let length = x.hypot(y);
            let moved = |dx: Float, dy: Float| {
                let mut plane = PLANE;
                plane[2] += 0.01 * dx / length;
                plane[3] += 0.01 * dy / length;
                geometry(&[&choice[..], &plane].concat())[0] - answer[0]
            };
            assert!(moved(-y, x).abs() < 1e-4 && moved(x, y) > 1e-3, "{kind}");
        }
    }

    /// Three equal weights: diag(1/3) − 1/9 has the norm √2/3; one that takes all: none.
    #[test]
    fn the_jacobian_is_small_where_the_softmax_is_saturated() {
        let soft = geometry(&[0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
        assert!((soft[18] - Float::ln(3.0)).abs() < 1e-6);
        assert!((soft[19] - Float::sqrt(2.0) / 3.0).abs() < 1e-6);
        let hard = geometry(&[&[0.0, 0.0, 64.0][..], &PLANE].concat());
        assert!(hard[18] < 1e-6 && hard[19] < 1e-6, "{hard:?}");
    }
}
