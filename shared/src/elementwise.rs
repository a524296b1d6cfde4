//! Functions applied to every entry, compiled once for each vector width.
//!
//! `#[multiversion]` compiles each loop for AVX-512, AVX2 and the baseline, and picks at run time.

pub use crate::functions::{exp, normal_distribution, sigmoid, tanh};
use multiversion::multiversion;
use products::{Float, Matrix};

/// Both shapes in one message, for operations that need them equal.
#[track_caller]
pub(crate) fn assert_same_shape(operation: &str, a: &Matrix, b: &Matrix) {
    assert!(
        a.shape() == b.shape(),
        "{operation} of {:?} and {:?}: the shapes must be equal",
        a.shape(),
        b.shape()
    );
}

/// `f` of every entry, as a new matrix. For `f` free of branches and calls, as [`exp`] and [`tanh`]
/// are, the loop is vectorised.
pub fn map(x: &Matrix, f: impl Fn(Float) -> Float) -> Matrix {
    let mut y = x.clone();
    map_slice(y.as_mut_slice(), f);
    y
}

/// `f(a_ij, b_ij)` for every entry, in place of `a`.
///
/// # Panics
/// When the shapes differ.
pub fn zip(mut a: Matrix, b: &Matrix, f: impl Fn(Float, Float) -> Float) -> Matrix {
    assert_same_shape("entrywise function", &a, b);
    zip_slices(a.as_mut_slice(), b.as_slice(), f);
    a
}

/// `f(a_ij, b_ij, c_ij)` for every entry, in place of `a`.
///
/// # Panics
/// When the shapes differ.
pub fn zip3(
    mut a: Matrix,
    b: &Matrix,
    c: &Matrix,
    f: impl Fn(Float, Float, Float) -> Float,
) -> Matrix {
    assert_same_shape("entrywise function", &a, b);
    assert_same_shape("entrywise function", &a, c);
    zip3_slices(a.as_mut_slice(), b.as_slice(), c.as_slice(), f);
    a
}

/// `f` of every entry, in place.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
pub fn map_slice<F: Fn(Float) -> Float>(x: &mut [Float], f: F) {
    for x in x {
        *x = f(*x);
    }
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn zip_slices<F: Fn(Float, Float) -> Float>(a: &mut [Float], b: &[Float], f: F) {
    for (a, b) in a.iter_mut().zip(b) {
        *a = f(*a, *b);
    }
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn zip3_slices<F: Fn(Float, Float, Float) -> Float>(
    a: &mut [Float],
    b: &[Float],
    c: &[Float],
    f: F,
) {
    for ((a, b), c) in a.iter_mut().zip(b).zip(c) {
        *a = f(*a, *b, *c);
    }
}

/// `y ← y + a·x`
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
pub fn add_scaled(y: &mut [Float], a: Float, x: &[Float]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += a * x;
    }
}

/// Adds a column to every column of a matrix, given as the slice of its entries.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
pub(crate) fn add_to_columns(x: &mut [Float], column: &[Float]) {
    for x in x.chunks_exact_mut(column.len().max(1)) {
        for (x, b) in x.iter_mut().zip(column) {
            *x += b;
        }
    }
}

/// Adds every column of a matrix, given as the slice of its entries, to one column.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
pub(crate) fn add_columns_to(sum: &mut [Float], x: &[Float]) {
    for x in x.chunks_exact(sum.len().max(1)) {
        for (sum, x) in sum.iter_mut().zip(x) {
            *sum += x;
        }
    }
}

/// Softmax of one column in place: `xᵢ ← e^{xᵢ} / Σⱼ e^{xⱼ}`; returns the largest entry and the
/// normaliser `Σⱼ e^{xⱼ − max}`, whose logarithms make up log-sum-exp.
///
/// The largest entry is subtracted first, which changes nothing (numerator and denominator shrink
/// by the same factor) and keeps every exponent at or below zero: no overflow, and at least one
/// term is 1. A column of only `−∞`, which a mask can produce, has no largest entry: it becomes
/// zeros, never NaN.
///
/// ```
/// let mut x = [1000.0, 1000.0, shared::Float::NEG_INFINITY];
/// shared::elementwise::softmax(&mut x);
/// assert_eq!(x, [0.5, 0.5, 0.0]);
/// ```
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
pub fn softmax(x: &mut [Float]) -> (Float, Float) {
    softmax_inline(x)
}

/// [`softmax`] of every column of a matrix, in place.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
pub fn softmax_columns(x: &mut Matrix) {
    let rows = x.nrows().max(1);
    if rows < LANES {
        return softmax_short(x.as_mut_slice(), rows);
    }
    for column in x.as_mut_slice().chunks_exact_mut(rows) {
        softmax_inline(column);
    }
}

/// [`softmax`] of columns that are too short to fill the lanes, to the same bits: the exponentials
/// of all columns are one loop.
#[inline(always)]
fn softmax_short(x: &mut [Float], rows: usize) {
    for column in x.chunks_exact_mut(rows) {
        let max = largest_inline(column);
        // A column of only −∞ stays what it is, and e^−∞ is 0.
        let shift = if max == Float::NEG_INFINITY { 0.0 } else { max };
        for x in column {
            *x -= shift;
        }
    }
    for x in x.iter_mut() {
        *x = exp(*x);
    }
    for column in x.chunks_exact_mut(rows) {
        let sum: Float = column.iter().sum();
        let scale = if sum == 0.0 { 0.0 } else { 1.0 / sum };
        for x in column {
            *x *= scale;
        }
    }
}

#[inline(always)]
fn softmax_inline(x: &mut [Float]) -> (Float, Float) {
    let max = largest_inline(x);
    if max == Float::NEG_INFINITY && !x.iter().any(|x| x.is_nan()) {
        x.fill(0.0);
        return (max, 0.0);
    }
    let sum = exp_sum_inline(x, max);
    let scale = 1.0 / sum;
    for x in x {
        *x *= scale;
    }
    (max, sum)
}

/// Backward of a softmax of every column: with `A` its value and `d` the gradient dA, in place
/// `dS = A ⊙ (dA − 1·δᵀ)`, where `δⱼ = Σᵢ Aᵢⱼ dAᵢⱼ`.
///
/// # Panics
/// When the shapes differ.
// ANCHOR: softmax_backward
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
pub fn softmax_backward(d: &mut Matrix, alpha: &Matrix) {
    assert_same_shape("backward of a softmax", d, alpha);
    let rows = d.nrows().max(1);
    let columns = d.as_mut_slice().chunks_exact_mut(rows).zip(alpha.as_slice().chunks_exact(rows));
    for (d, alpha) in columns {
        let delta = dot_inline(alpha, d);
        for (d, alpha) in d.iter_mut().zip(alpha) {
            *d = alpha * (*d - delta);
        }
    }
}
// ANCHOR_END: softmax_backward

/// `xᵢ ← e^{xᵢ − shift}` in place; returns the sum.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
pub fn exp_sum(x: &mut [Float], shift: Float) -> Float {
    exp_sum_inline(x, shift)
}

#[inline(always)]
fn exp_sum_inline(x: &mut [Float], shift: Float) -> Float {
    let mut lanes = [0.0; LANES];
    let mut chunks = x.chunks_exact_mut(LANES);
    for chunk in &mut chunks {
        for (lane, x) in lanes.iter_mut().zip(chunk) {
            *x = exp(*x - shift);
            *lane += *x;
        }
    }
    let mut sum: Float = lanes.iter().sum();
    for x in chunks.into_remainder() {
        *x = exp(*x - shift);
        sum += *x;
    }
    sum
}

/// The largest entry, `−∞` for none; NaN entries may be passed over.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
pub fn largest(x: &[Float]) -> Float {
    largest_inline(x)
}

#[inline(always)]
fn largest_inline(x: &[Float]) -> Float {
    // One running maximum per lane: a single one would chain every step to the last.
    let mut lanes = [Float::NEG_INFINITY; LANES];
    let mut chunks = x.chunks_exact(LANES);
    for chunk in &mut chunks {
        for (lane, &x) in lanes.iter_mut().zip(chunk) {
            *lane = larger(*lane, x);
        }
    }
    chunks.remainder().iter().chain(&lanes).fold(Float::NEG_INFINITY, |a, &b| larger(a, b))
}

/// The dot product `Σ aᵢ bᵢ`, summed in lanes.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
pub fn dot(a: &[Float], b: &[Float]) -> Float {
    dot_inline(a, b)
}

#[inline(always)]
fn dot_inline(a: &[Float], b: &[Float]) -> Float {
    let (lanes, rest) = dot_in_lanes(a, b);
    lanes.iter().sum::<Float>() + rest
}

/// Several dot products, each to the bits of [`dot`]. For loops that are compiled for each vector
/// width.
///
/// Adding up the lanes takes longer than to fill them: 32 additions that wait for one another. With
/// the lanes of all products side by side, one addition serves all.
///
/// # Panics
/// When two factors differ in length.
#[inline(always)]
pub fn dots<const N: usize>(factors: [[&[Float]; 2]; N]) -> [Float; N] {
    let (mut turned, mut rests) = ([[0.0; N]; LANES], [0.0; N]);
    for (i, [a, b]) in factors.into_iter().enumerate() {
        let (lanes, rest) = dot_in_lanes(a, b);
        for (turned, lane) in turned.iter_mut().zip(lanes) {
            turned[i] = lane;
        }
        rests[i] = rest;
    }
    let mut sums = [0.0; N];
    for lanes in turned.iter().chain([&rests]) {
        for (sum, lane) in sums.iter_mut().zip(lanes) {
            *sum += lane;
        }
    }
    sums
}

/// The products `aᵢ bᵢ`: a sum for every lane, and one of those that fill no more lanes.
#[inline(always)]
fn dot_in_lanes(a: &[Float], b: &[Float]) -> ([Float; LANES], Float) {
    assert_eq!(a.len(), b.len(), "dot product of slices of different length");
    let mut lanes = [0.0; LANES];
    let (mut a_chunks, mut b_chunks) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    for (a, b) in (&mut a_chunks).zip(&mut b_chunks) {
        for ((lane, a), b) in lanes.iter_mut().zip(a).zip(b) {
            *lane += a * b;
        }
    }
    let rest = a_chunks.remainder().iter().zip(b_chunks.remainder()).map(|(a, b)| a * b);
    (lanes, rest.sum())
}

/// The sum `Σ xᵢ`, in lanes.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
pub fn sum(x: &[Float]) -> Float {
    let mut lanes = [0.0; LANES];
    let (chunks, rest) = x.as_chunks::<LANES>();
    for chunk in chunks {
        for (lane, x) in lanes.iter_mut().zip(chunk) {
            *lane += x;
        }
    }
    lanes.iter().sum::<Float>() + rest.iter().sum::<Float>()
}

/// Values per step of a lane-wise loop: two AVX-512 registers of f32.
const LANES: usize = 32;

/// The larger of two numbers, NaN when the second is: a comparison and a selection, which
/// vectorise; `Float::max` would drop NaN.
#[inline(always)]
fn larger(a: Float, b: Float) -> Float {
    if a > b { a } else { b }
}
