//! Against products in f32, in every layout.

use super::*;
use crate::{Matrix, product};

/// Shapes with and without whole tiles, panels, pairs and blocks of depth; of these the last has
/// three.
const SHAPES: [(usize, usize, usize); 12] = [
    (1, 1, 1),
    (3, 5, 7),
    (16, 2, 12),
    (32, 32, 12),
    (33, 31, 13),
    (64, 64, 24),
    (31, 33, 11),
    (100, 47, 1),
    (1, 129, 50),
    (70, 90, 80),
    (40, 1500, 30),
    (40, 9000, 33),
];

fn numbers(rows: usize, columns: usize, seed: usize) -> Matrix {
    Matrix::from_fn(rows, columns, |i, j| ((i * 7 + j * 13 + seed) % 9) as f32 - 4.0)
}

/// The same numbers in four layouts: by columns, by rows, in a block of a matrix, with gaps.
fn with_layouts(a: &Matrix, mut check: impl FnMut(&View)) {
    let (m, n) = a.shape();
    check(&a.whole());
    check(&a.transpose().t());
    let mut around = Matrix::from_element(m + 3, n + 2, f32::NAN);
    around.view_mut((2, 1), (m, n)).copy_from(a);
    check(&around.view((2, 1), (m, n)).whole());
    let mut sparse = Matrix::from_element(2 * m, n, f32::NAN);
    sparse.rows_with_step_mut(0, m, 1).copy_from(a);
    check(&sparse.rows_with_step(0, m, 1).whole());
}

/// `beta·c + alpha·a·b` with `c` by columns, by rows and with gaps, in a field of numbers of which
/// no other may change.
fn in_all_places(beta: f32, c: &Matrix, alpha: f32, a: &View, b: &View) -> Vec<Matrix> {
    let (m, n) = c.shape();
    let strides = [(1, m + 2), (n + 1, 1), (2, 2 * m)];
    let compute = |(rows, columns): (usize, usize)| {
        let place = |i: usize, j: usize| 3 + i * rows + j * columns;
        let mut field = vec![77.0; 8 + (m + 2) * (n + 2) * 2];
        let mut expected = field.clone();
        (0..n).for_each(|j| (0..m).for_each(|i| field[place(i, j)] = c[(i, j)]));
        // SAFETY: the places of the field that were just written.
        unsafe { kernel(beta, field.as_mut_ptr().add(3), (rows, columns), alpha, a, b) };
        let found = Matrix::from_fn(m, n, |i, j| field[place(i, j)]);
        (0..n).for_each(|j| (0..m).for_each(|i| expected[place(i, j)] = found[(i, j)]));
        let same = field.iter().zip(&expected).all(|(a, b)| a.to_bits() == b.to_bits());
        assert!(same, "what lies beside the result was written");
        found
    };
    strides.into_iter().map(compute).collect()
}

/// A test of the instructions on a processor that has none would test nothing.
fn here() -> bool {
    let supported = supported();
    if !supported {
        eprintln!("not tested: this processor has no AVX-512 BF16");
    }
    supported
}

#[test]
fn whole_numbers_give_the_product_of_f32_in_every_layout() {
    for (m, k, n) in SHAPES.into_iter().filter(|_| here()) {
        let (a, b, c) = (numbers(m, k, 1), numbers(k, n, 2), numbers(m, n, 3));
        let ab = product(&a, &b); // exact, as every factor is below
        for (beta, alpha) in [(0.0, 1.0), (1.0, 1.0), (1.0, -2.0), (0.5, 0.25)] {
            let expected = &ab * alpha + &c * beta;
            let start = if beta == 0.0 { Matrix::from_element(m, n, f32::NAN) } else { c.clone() };
            with_layouts(&a, |a| {
                with_layouts(&b, |b| {
                    for found in in_all_places(beta, &start, alpha, a, b) {
                        assert_eq!(found, expected, "({m} × {k})·({k} × {n}), beta {beta}");
                    }
                });
            });
        }
    }
}

#[test]
fn factors_are_rounded_to_the_nearest_and_sums_are_not() {
    if !here() {
        return;
    }
    // 8 bits: 257 lies between 256 and 258, and goes to the even one; 259 to 260.
    for (number, rounded) in [(257.0, 256.0), (259.0, 260.0), (257.1, 258.0), (-257.0, -256.0)] {
        let (a, one) = (Matrix::from_element(1, 1, number), Matrix::from_element(1, 1, 1.0));
        for (a, b) in [(&a, &one), (&one, &a)] {
            let found = &in_all_places(0.0, &one, 1.0, &a.whole(), &b.whole())[0];
            assert_eq!(found[0], rounded);
        }
    }
    // Denormal numbers count as 0, in f32 they do not.
    let one = Matrix::from_element(1, 1, 1.0);
    let product_with = |factor: f32, other: f32| {
        let (a, b) = (&one * factor, &one * other);
        in_all_places(0.0, &one, 1.0, &a.whole(), &b.whole())[0][0]
    };
    let smallest = f32::MIN_POSITIVE; // 2⁻¹²⁶, the smallest that is not denormal
    assert_eq!(product_with(smallest, 1.0), smallest);
    assert_eq!(product_with(smallest / 2.0, 4.0), 0.0);
    assert_eq!(product_with(smallest, 0.5), 0.0);
    // 300 ones: a sum in bf16 would stop at 256.
    let ones = Matrix::from_element(1, 301, 1.0);
    let c = Matrix::zeros(1, 1);
    assert_eq!(in_all_places(0.0, &c, 1.0, &ones.whole(), &ones.t())[0][0], 301.0);
}

#[test]
fn what_is_no_number_stays_none() {
    if !here() {
        return;
    }
    for odd in [f32::NAN, f32::INFINITY] {
        let (mut a, b) = (Matrix::from_element(40, 40, 1.0), Matrix::from_element(40, 40, 1.0));
        a[(7, 9)] = odd;
        let c = &in_all_places(0.0, &Matrix::zeros(40, 40), 1.0, &a.whole(), &b.whole())[0];
        let expected = |i: usize| if i == 7 { odd } else { 40.0 };
        let same = |x: f32, y: f32| x == y || (x.is_nan() && y.is_nan());
        assert!((0..40).all(|i| (0..40).all(|j| same(c[(i, j)], expected(i)))));
    }
}
