//! Functions of every entry, against the exact ones.

use shared::Matrix;
use shared::elementwise::{dot, dots, exp, normal_distribution, softmax, softmax_columns, tanh};

/// The largest relative error of `f` against `exact` over a fine grid of its interesting range.
fn worst(f: impl Fn(f32) -> f32, exact: impl Fn(f64) -> f64, low: f32, high: f32) -> f64 {
    let steps = 400_000;
    (0..=steps)
        .map(|i| low + (high - low) * i as f32 / steps as f32)
        .filter(|x| *x != 0.0)
        .map(|x| ((f(x) as f64 - exact(x as f64)) / exact(x as f64)).abs())
        .fold(0.0, f64::max)
}

#[test]
fn exp_is_accurate_and_ends_well() {
    assert!(worst(exp, f64::exp, -87.3, 88.3) < 2e-7);
    assert!(worst(exp, f64::exp, -1e-3, 1e-3) < 2e-7);
    assert_eq!((exp(0.0), exp(-1000.0), exp(f32::NEG_INFINITY)), (1.0, 0.0, 0.0));
    assert_eq!((exp(89.0), exp(f32::INFINITY)), (f32::INFINITY, f32::INFINITY));
    assert!(exp(f32::NAN).is_nan());
}

#[test]
fn tanh_is_accurate_and_saturates() {
    assert!(worst(tanh, f64::tanh, -12.0, 12.0) < 5e-7);
    assert!(worst(tanh, f64::tanh, -1e-3, 1e-3) < 5e-7);
    assert_eq!((tanh(0.0), tanh(f32::INFINITY), tanh(f32::NEG_INFINITY)), (0.0, 1.0, -1.0));
    assert!(tanh(f32::NAN).is_nan());
}

#[test]
fn the_normal_distribution_is_accurate_and_ends_at_0_and_1() {
    let errors = (-9000..=9000).map(|i| {
        let x = i as f32 / 1000.0;
        let exact = 0.5 * libm::erfc(-f64::from(x) * std::f64::consts::FRAC_1_SQRT_2);
        (f64::from(normal_distribution(x)) - exact).abs()
    });
    assert!(errors.fold(0.0, f64::max) < 3e-7);
    assert_eq!((normal_distribution(-40.0), normal_distribution(40.0)), (0.0, 1.0));
    assert!(normal_distribution(f32::NAN).is_nan());
}

#[test]
fn sums_in_lanes_equal_plain_sums() {
    for n in [0, 1, 31, 32, 33, 100] {
        let a: Vec<f32> = (0..n).map(|i| (i % 7) as f32).collect();
        assert_eq!(dot(&a, &a), a.iter().map(|x| x * x).sum::<f32>());
        let mut soft = a.clone();
        softmax(&mut soft);
        let sum: f64 = a.iter().map(|&x| (x as f64).exp()).sum();
        for (soft, x) in soft.iter().zip(&a) {
            assert!((*soft as f64 - (*x as f64).exp() / sum).abs() < 1e-6);
        }
    }
}

#[test]
fn several_dot_products_have_the_bits_of_one() {
    for n in [1, 8, 31, 32, 33, 64, 100] {
        let column = |j: usize| -> Vec<f32> {
            (0..n).map(|i| ((i * 7 + j * 5) as f32).sin() / 3.0).collect()
        };
        let (x, columns) = (column(9), [0, 1, 2].map(column));
        let [a, b, c] = &columns;
        let each = [[a, &x], [b, &x], [&x, c]].map(|[a, b]| [&a[..], &b[..]]);
        assert_eq!(dots(each), [dot(a, &x), dot(b, &x), dot(&x, c)], "{n} entries");
        let mut lanes = [0.0; 32]; // entry i in lane i mod 32, the last ones one by one
        let whole = n / 32 * 32;
        (0..whole).for_each(|i| lanes[i % 32] += a[i] * x[i]);
        let rest: f32 = (whole..n).map(|i| a[i] * x[i]).sum();
        assert_eq!(dot(a, &x), lanes.iter().sum::<f32>() + rest, "{n} entries");
    }
}

#[test]
fn columns_of_any_length_have_the_bits_of_one_column() {
    for rows in [1, 2, 9, 31, 32, 33, 70] {
        let mut x = Matrix::from_fn(rows, 5, |i, j| ((i * 7 + j * 5) % 11) as f32 * 0.7 - 3.0);
        x.column_mut(1).fill(f32::NEG_INFINITY);
        x[(0, 2)] = f32::NEG_INFINITY;
        x[(rows - 1, 3)] = f32::NAN;
        let mut each = x.clone();
        for mut column in each.column_iter_mut() {
            softmax(column.as_mut_slice());
        }
        softmax_columns(&mut x);
        let bits = |x: &Matrix| x.iter().map(|x| x.to_bits() << 1 >> 1).collect::<Vec<_>>();
        assert_eq!(bits(&x), bits(&each), "{rows} rows"); // the sign of a NaN aside
    }
}

#[test]
fn a_softmax_does_not_hide_nan() {
    let mut x = [0.0, f32::NAN, 1.0];
    softmax(&mut x);
    assert!(x.iter().all(|x| x.is_nan()));
}
