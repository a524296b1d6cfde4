//! Solutions of the exercises of chapter 15.

use shared::{Matrix, Vector};

/// 15.1
pub fn neighbourhood(x: &Matrix, side: usize, row: usize, column: usize) -> Vector {
    let c = x.nrows();
    let mut stacked = Vector::zeros(9 * c);
    for k in 0..9 {
        let (y, x_) = (row + k / 3, column + k % 3); // one more than the pixel's
        if (1..=side).contains(&y) && (1..=side).contains(&x_) {
            stacked.rows_mut(k * c, c).copy_from(&x.column((y - 1) * side + x_ - 1));
        }
    }
    stacked
}

/// 15.2
pub fn receptive_field(layers: &[(usize, usize)]) -> usize {
    let (mut sees, mut apart) = (1, 1);
    for (width, stride) in layers {
        sees += (width - 1) * apart;
        apart *= stride;
    }
    sees
}

/// 15.3: of the weights it is −2 (1 − Σₜ αₜᵢ); each word's softmax passes that on.
pub fn even_gradient(scores: &Matrix) -> Matrix {
    let mut alpha = softmax(scores);
    let d_alpha = alpha.column_sum().map(|sum| -2.0 * (1.0 - sum));
    for mut word in alpha.column_iter_mut() {
        let mean = word.dot(&d_alpha);
        word.zip_apply(&d_alpha, |alpha, d| *alpha *= d - mean);
    }
    alpha
}

pub fn softmax(scores: &Matrix) -> Matrix {
    let mut alpha = scores.clone();
    for mut word in alpha.column_iter_mut() {
        let most = word.max();
        word.apply(|score| *score = (*score - most).exp());
        word /= word.sum();
    }
    alpha
}

/// 15.4: of each caption by itself; the largest count is the limit.
pub fn clipped(said: &[&str], captions: &[&[&str]]) -> usize {
    let times = |words: &[&str], word| words.iter().filter(|one| **one == word).count();
    let most = |word| captions.iter().map(|caption| times(caption, word)).max().unwrap_or(0);
    (0..said.len()).filter(|i| times(&said[..*i], said[*i]) < most(said[*i])).count()
}

/// 15.5
pub fn pointing(weights: &[f32], shown: &[Option<usize>], side: usize, thing: usize) -> f32 {
    let row = side / 4;
    let belongs = |place: usize| {
        let mut counts = std::collections::BTreeMap::new();
        for pixel in 0..16 {
            let (y, x) = (place / row * 4 + pixel / 4, place % row * 4 + pixel % 4);
            if let Some(thing) = shown[y * side + x] {
                *counts.entry(thing).or_insert(0) += 1;
            }
        }
        let most = counts.values().max().copied();
        counts.into_iter().find(|(_, count)| Some(*count) == most).map(|(thing, _)| thing)
    };
    let own = weights.iter().enumerate().filter(|(place, _)| belongs(*place) == Some(thing));
    own.map(|(_, weight)| weight).sum()
}

/// 15.6: as in 15.1, the other way.
pub fn back_to_pixels(dy: &Matrix, side: usize, stride: usize) -> Matrix {
    let (c, row) = (dy.nrows() / 9, side / stride);
    let mut dx = Matrix::zeros(c, side * side);
    for (to, dy) in dy.column_iter().enumerate() {
        for k in 0..9 {
            let (y, x) = (to / row * stride + k / 3, to % row * stride + k % 3); // one more than the pixel's
            if (1..=side).contains(&y) && (1..=side).contains(&x) {
                let mut dx = dx.column_mut((y - 1) * side + x - 1);
                dx += dy.rows(k * c, c);
            }
        }
    }
    dx
}

/// 15.7
pub fn query_for_a_ring() -> Vector {
    Vector::from_column_slice(&[0.0, 0.0, 8.0, 0.0])
}

/// 15.8: each place has `words` / 64, whoever gives it.
pub fn under_evenness(words: usize, own: usize, naming: usize) -> f32 {
    ((words * own) as f32 / 64.0 / naming as f32).min(1.0)
}
