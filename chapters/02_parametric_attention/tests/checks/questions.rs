//! The answers of `questions.md`, computed.

use parametric_attention::{Attention, predict_with_slope, weights};
use shared::{Matrix, Tape};
use tests::questions::{answers, option};

#[test]
fn answers_are_those_computed() {
    let slope = |w, values: [f32; 3]| predict_with_slope(1.0, &[0.0, 1.5, 4.0], &values, w, None).1;
    let slopes = [[3.0, 1.0, 9.0], [9.0, 1.0, 3.0]].map(|values| slope(0.0, values));
    let elsewhere = slope(0.5, [3.0, 1.0, 9.0]).abs();
    let zero = slopes == [0.0, 0.0];
    let largest = slopes.iter().all(|slope| slope.abs() > elsewhere);

    let mut alpha = weights(1.0, &[0.0, 1.0, 2.0], 0.0, None);
    alpha[1] = 0.0;
    let too_late: f32 = alpha.iter().map(|alpha| alpha * 6.0).sum();

    let w = Attention::new(Matrix::from_row_slice(2, 2, &[3.0, 0.0, 0.0, 0.5]));
    let tape = Tape::no_grad();
    let [query, keys, values] = [
        Matrix::zeros(2, 1),
        Matrix::from_column_slice(2, 2, &[2.0, 0.0, 0.0, 10.0]),
        Matrix::from_row_slice(1, 2, &[1.0, 2.0]),
    ]
    .map(|matrix| tape.constant(matrix));
    let mean = w.forward(query, keys, values).scalar(); // 1.5 where the weights are equal
    answers(
        env!("CARGO_MANIFEST_DIR"),
        &[
            ("2a", option([zero, largest, slopes[0] * slopes[1] < 0.0])),
            ("2b", too_late.round().to_string()),
            ("2c", option([mean < 1.5, mean > 1.5, mean == 1.5])),
        ],
    );
}
