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

/// 15.3
pub fn even_gradient(weights: &Matrix) -> Matrix {
    Matrix::from_fn(weights.nrows(), weights.ncols(), |i, _| -2.0 * (1.0 - weights.row(i).sum()))
}

/// 15.4
pub fn found(values: &Matrix, places: &[usize]) -> Matrix {
    let l = values.ncols() / places.len();
    let columns: Vec<usize> = places.iter().enumerate().map(|(j, place)| j * l + place).collect();
    values.select_columns(&columns)
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

/// 15.6
pub fn less_the_others(credits: &[f32]) -> Vec<f32> {
    let (b, sum) = (credits.len() as f32, credits.iter().sum::<f32>());
    let less = |c: &f32| if credits.len() > 1 { c - (sum - c) / (b - 1.0) } else { *c };
    credits.iter().map(less).collect()
}

/// 15.7
pub fn query_for_a_ring() -> Vector {
    Vector::from_column_slice(&[0.0, 0.0, 8.0, 0.0])
}

/// 15.8
pub fn under_evenness(words: usize, own: usize) -> (f32, f32) {
    let missing = 1.0 - words as f32 / 64.0;
    (own as f32 / 64.0, 64.0 * missing * missing)
}
