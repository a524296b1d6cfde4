//! Normalisation token by token, and the feed-forward network.

use crate::support::{same_bits, uneven};
use shared::{Matrix, Tape, Var, rng};
use tests::assert_close;
use transformer::{FeedForward, LayerNorm};

/// A normalisation whose gain and bias are not those it begins with.
fn uneven_norm(d: usize) -> LayerNorm {
    let mut norm = LayerNorm::new(d);
    *norm.weight.value_mut() = uneven(d, 1, 0.4);
    *norm.bias.value_mut() = uneven(d, 1, 1.4);
    norm
}

fn run(x: &Matrix, layer: impl for<'t> Fn(Var<'t>) -> Var<'t>) -> Matrix {
    let tape = Tape::no_grad();
    Matrix::clone(&layer(tape.constant(x.clone())).value())
}

/// Widths below, at and between the lengths of vectors that a processor adds at once.
#[test]
fn layer_normalisation_is_its_definition() {
    for d in [1, 2, 7, 16, 33] {
        let (norm, x) = (uneven_norm(d), uneven(d, 5, 0.3) * 3.0);
        let mut expected = Matrix::zeros(d, 5);
        for (x, mut y) in x.column_iter().zip(expected.column_iter_mut()) {
            let n = d as f64;
            let mean = x.iter().map(|x| f64::from(*x)).sum::<f64>() / n;
            let variance = x.iter().map(|x| (f64::from(*x) - mean).powi(2)).sum::<f64>() / n;
            for i in 0..d {
                let z = (f64::from(x[i]) - mean) / (variance + 1e-5).sqrt();
                y[i] = norm.weight.value()[i] * z as f32 + norm.bias.value()[i];
            }
        }
        assert_close!(run(&x, |x| norm.forward(x)), expected, 1e-5, "width {d}");
    }
}

/// It is so to the last bit, whatever stands beside it.
#[test]
fn a_token_is_normalised_by_itself() {
    let (norm, x) = (uneven_norm(9), uneven(9, 4, 0.3));
    let together = run(&x, |x| norm.forward(x));
    for j in 0..4 {
        let alone = run(&x.columns(j, 1).into_owned(), |x| norm.forward(x));
        assert!(same_bits(&together.columns(j, 1).into_owned(), &alone), "token {j}");
    }
}

/// A large mean, in which E[x²] − μ² would lose the variance.
#[test]
fn a_large_mean_is_taken_out_first() {
    let (norm, x) = (uneven_norm(16), uneven(16, 3, 0.3).map(|x| (x * 8.0).round() / 8.0));
    let far = run(&x.add_scalar(1000.0), |x| norm.forward(x)); // eighths: exact in single precision
    assert_close!(far, run(&x, |x| norm.forward(x)), 1e-3);
}

/// A constant token has variance 0, and ε is what it is divided by.
#[test]
fn a_constant_token_becomes_the_bias() {
    let norm = uneven_norm(6);
    let y = run(&Matrix::from_element(6, 2, 3.0), |x| norm.forward(x));
    assert_close!(y.column(1), norm.bias.value().column(0), 1e-6);
}

/// `y_i = Σ_k W_k x_{i + k − r} + b`, for kernels of width 2r + 1; tokens beyond the ends are zero.
fn convolution(kernels: &[&Matrix], b: &Matrix, x: &Matrix) -> Matrix {
    let r = kernels.len() / 2;
    Matrix::from_columns(&Vec::from_iter((0..x.ncols()).map(|i| {
        let near =
            kernels.iter().enumerate().filter(|(k, _)| (r..x.ncols() + r).contains(&(i + k)));
        near.fold(b.column(0).into_owned(), |y, (k, w)| y + *w * x.column(i + k - r))
    })))
}

/// Vaswani et al. 2017, section 3.3: "two convolutions with kernel size 1".
#[test]
fn the_position_wise_network_is_two_convolutions_of_width_one() {
    let mut network = FeedForward::new(4, 6, &mut rng(1));
    for (layer, rows) in [(&mut network.inner, 6), (&mut network.outer, 4)] {
        *layer.bias.as_mut().unwrap().value_mut() = uneven(rows, 1, 0.7);
    }
    let [(w_1, b_1), (w_2, b_2)] = [&network.inner, &network.outer]
        .map(|layer| (layer.weight.value(), layer.bias.as_ref().unwrap().value()));
    let x = uneven(4, 5, 0.2);
    let y = run(&x, |x| network.forward(x));
    let two = |inner: &[&Matrix]| {
        convolution(&[w_2], b_2, &convolution(inner, b_1, &x).map(|h| h.max(0.0)))
    };
    assert_close!(&y, two(&[w_1]), 1e-5);
    // Of width 3 the first would see the neighbours too.
    let wider = two(&[&(w_1 * 0.1), w_1, &(w_1 * 0.1)]);
    assert!((0..5).all(|j| (wider.column(j) - y.column(j)).amax() > 1e-2));
}
