//! The solutions of chapter 13: same signatures as `exercises/mod.rs`.

use shared::{Matrix, Vector};

/// 13.1: the share of the possible places that are among the first k.
pub fn hit(scores: &[f32], bought: usize, k: usize) -> f32 {
    let above = scores.iter().filter(|score| **score > scores[bought]).count();
    let alike = scores.iter().filter(|score| **score == scores[bought]).count(); // itself, too
    k.saturating_sub(above).min(alike) as f32 / alike as f32
}

/// 13.2: the keys that are left times the weights.
pub fn interest(q: &Vector, keys: &Matrix, softmax: bool, without: Option<usize>) -> Vector {
    let left: Vec<usize> = (0..keys.ncols()).filter(|i| Some(*i) != without).collect();
    if left.is_empty() {
        return Vector::zeros(q.len());
    }
    let keys = keys.select_columns(&left);
    let scores = keys.tr_mul(q);
    keys * if softmax { softmax_of(&scores) } else { scores }
}

/// 13.3: a key is read as a value, and has a score.
pub fn interest_backward(
    q: &Vector,
    keys: &Matrix,
    du: &Vector,
    softmax: bool,
) -> (Vector, Matrix) {
    let (mut weights, mut d_scores) = (keys.tr_mul(q), keys.tr_mul(du)); // of the scores as weights
    if softmax {
        weights = softmax_of(&weights);
        let mean = weights.dot(&d_scores);
        d_scores.zip_apply(&weights, |d, alpha| *d = alpha * (*d - mean));
    }
    (keys * &d_scores, du * weights.transpose() + q * d_scores.transpose())
}

pub fn softmax_of(scores: &Vector) -> Vector {
    let most = scores.max();
    let exponentials = scores.map(|score| (score - most).exp());
    &exponentials / exponentials.sum()
}

/// 13.4: A is first or nowhere; B is always fiftieth, where a sample of 100 leaves about five above it.
pub fn places() -> [[usize; 4]; 2] {
    [[1, 1, 1000, 1000], [50; 4]]
}

/// 13.5: the history ended with the purchase itself.
pub fn examples(actions: &[(usize, bool)], longest: usize) -> Vec<(Vec<usize>, usize)> {
    let mut examples = Vec::new();
    for (at, (item, is_bought)) in actions.iter().enumerate() {
        if *is_bought && at > 0 {
            let first = at.saturating_sub(longest);
            let history = actions[first..at].iter().map(|(item, _)| *item).collect();
            examples.push((history, *item));
        }
    }
    examples
}

/// 13.6: every place is as probable as another.
pub fn chance() -> [f32; 3] {
    let gains: f32 = (1..=10).map(|place| 1.0 / (place as f32 + 1.0).log2()).sum();
    [10.0 / 180.0, 10.0 / 101.0, gains / 180.0]
}

/// 13.7: others bought later than T in 0, 2 and 3; in 4 the vectors know.
pub fn saw_the_future() -> [bool; 6] {
    [true, false, true, true, true, false]
}
