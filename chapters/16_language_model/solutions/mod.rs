//! Solutions of the exercises of chapter 16.

use shared::Matrix;
use std::ops::Range;

/// 16.1
pub fn rms_norm(x: &Matrix, g: &Matrix, epsilon: f32) -> Matrix {
    let mut y = x.clone();
    for mut column in y.column_iter_mut() {
        let mean = column.norm_squared() / column.len() as f32;
        column /= (mean + epsilon).sqrt();
        column.component_mul_assign(&g.column(0));
    }
    y
}

/// 16.2
pub fn gated(x: &Matrix, w_g: &Matrix, w_1: &Matrix, w_2: &Matrix) -> Matrix {
    let passes = (w_g * x).map(|z| z / (1.0 + (-z).exp()));
    w_2 * passes.component_mul(&(w_1 * x))
}

/// 16.3
pub fn nucleus(p: &[f32], top_p: f32) -> Vec<f32> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|a, b| p[*b].total_cmp(&p[*a]));
    let (mut kept, mut sum) = (vec![0.0; p.len()], 0.0);
    for word in order {
        if sum < top_p {
            kept[word] = p[word];
            sum += p[word];
        }
    }
    kept.iter().map(|p| p / sum).collect()
}

/// 16.4: neighbours share, so the number of a head is divided, not counted round.
pub fn rows_of_group(head: usize, heads: usize, groups: usize, d: usize) -> Range<usize> {
    let group = head * groups / heads;
    group * d..(group + 1) * d
}

/// 16.5: the nats of a sentence over its words, both on average.
pub fn floor(names: usize, places: usize, went: f64) -> f64 {
    let entropy = |p: f64| if p > 0.0 { -p * p.ln() } else { 0.0 };
    let verb = entropy(went) + entropy(1.0 - went);
    let nats = (names as f64).ln() + verb + went * (places as f64).ln();
    nats / (6.0 * went + 3.0 * (1.0 - went))
}

/// 16.6: the query is the token, the key the token before.
pub fn induction_head(v: usize) -> [Matrix; 2] {
    let w_k = Matrix::from_fn(v, 2 * v, |i, j| if j == v + i { 8.0 } else { 0.0 });
    [Matrix::identity(v, v), w_k]
}

/// 16.7
pub fn kept(tokens: usize, blocks: usize, width: usize, heads: usize, groups: usize) -> usize {
    2 * tokens * blocks * groups * (width / heads)
}
