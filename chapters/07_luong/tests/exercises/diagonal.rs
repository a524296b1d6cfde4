//! 7.8: a diagonal without words.

use super::solutions;
use shared::{Float, Matrix, elementwise};
use tests::exercises::{Exercise, unhinted, wrong};

pub const EXERCISE: Exercise<fn() -> Matrix> = Exercise {
    check,
    wrong: &[
        unhinted("the right position, not sharp enough", || solutions::diagonal() * 0.25),
        wrong("it should fall again after i", || {
            Matrix::from_fn(10, 2, |j, k| if k == 0 { 8.0 * j as Float } else { 0.0 })
        }),
        wrong("positions are counted from 0", || {
            let right = solutions::diagonal();
            Matrix::from_fn(10, 2, |j, k| {
                right[(j, k)] - if k == 1 { 8.0 * j as Float } else { 0.0 }
            })
        }),
        wrong("word 0 is looked at whatever i is", || {
            Matrix::from_fn(10, 2, |j, k| if j == 0 && k == 1 { 9.0 } else { 0.0 })
        }),
        unhinted("a row a state", || solutions::diagonal().transpose()),
    ],
};

fn check(diagonal: fn() -> Matrix) {
    let w = diagonal();
    assert!(w.shape() == (10, 2), "W_a is {:?}, not (10, 2), a row a position", w.shape());
    for (i, m) in (1..=10).rev().flat_map(|m| (0..m).rev().map(move |i| (i, m))) {
        let mut weights = w.rows(0, m) * Matrix::from_column_slice(2, 1, &[i as Float, 1.0]);
        elementwise::softmax_columns(&mut weights);
        let (most, weight) = (weights.column(0).imax(), weights[i]);
        let hint = if most == i { "\nhint: make all scores larger" } else { "" };
        assert!(
            weight > 0.9,
            "of {m} words, the state ({i}, 1) gives word {i} a weight of {weight:.2}, not more than 0.9, \
             and most to word {most}{hint}"
        );
    }
}
