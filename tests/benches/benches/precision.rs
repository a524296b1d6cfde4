//! Products with factors in f32, in bf16 and split into two of bf16, on one thread: how far from the exact
//! result, and how fast; and how fast the instructions for f32 and tiles multiply what is rounded to bf16.
//! `cargo bench -p benches --bench precision` prints one line of JSON for each size.
//!
//! Factors are drawn from the standard normal distribution. The error is the Frobenius norm of what is
//! wrong, divided by that of the exact result, over the first sixteen rows; exact is a sum in f64.

use rand_distr::{Distribution, StandardNormal};
use shared::{Backend, Float, Matrix, Precision, gemm, rng};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Rows whose exact values are computed.
const ROWS: usize = 16;

fn main() {
    if !Precision::Bf16.is_supported() {
        eprintln!("this processor has no AVX-512 BF16");
        return;
    }
    let rng = &mut rng(0);
    for size in [16, 32, 64, 128, 256, 512, 1024, 2048] {
        let mut normal = || {
            Matrix::from_fn(size, size, |_, _| {
                let z: f64 = StandardNormal.sample(rng);
                z as Float
            })
        };
        let (a, b) = (normal(), normal());
        let measure = |precision: Precision, unit: Backend| {
            precision.begin();
            unit.begin();
            let mut c = Matrix::zeros(size, size);
            gemm(0.0, &mut c, 1.0, &a, &b);
            (error(&a, &b, &c), gflops(&a, &b, &mut c))
        };
        let all = measure(Precision::F32, Backend::F32);
        let half = measure(Precision::Bf16, Backend::Bf16);
        let wide = measure(Precision::Bf16, Backend::F32);
        let split = measure(Precision::Bf16x3, Backend::Bf16);
        let has_tiles = Backend::Tiles.is_supported();
        let [tiles, tiles_split] = [Precision::Bf16, Precision::Bf16x3]
            .map(|precision| has_tiles.then(|| measure(precision, Backend::Tiles)));
        let line = serde_json::json!({
            "size": size,
            "f32_error": all.0,
            "bf16_error": half.0,
            "bf16x3_error": split.0,
            "f32_gflops": all.1,
            "bf16_gflops": half.1,
            "bf16_by_f32_gflops": wide.1,
            "bf16x3_gflops": split.1,
            "bf16_by_tiles_gflops": tiles.map(|tiles| tiles.1),
            "bf16x3_by_tiles_gflops": tiles_split.map(|tiles| tiles.1),
        });
        println!("{line}");
    }
}

fn error(a: &Matrix, b: &Matrix, c: &Matrix) -> f64 {
    let (mut wrong, mut all) = (0.0, 0.0);
    for i in 0..ROWS {
        for j in 0..c.ncols() {
            let terms = (0..a.ncols()).map(|k| f64::from(a[(i, k)]) * f64::from(b[(k, j)]));
            let exact: f64 = terms.sum();
            wrong += (f64::from(c[(i, j)]) - exact).powi(2);
            all += exact.powi(2);
        }
    }
    (wrong / all).sqrt()
}

/// The speed of the fastest of many products.
fn gflops(a: &Matrix, b: &Matrix, c: &mut Matrix) -> f64 {
    let (begin, mut best) = (Instant::now(), f64::INFINITY);
    while begin.elapsed() < Duration::from_secs(1) {
        let start = Instant::now();
        gemm(0.0, black_box(&mut *c), 1.0, a, b);
        best = best.min(start.elapsed().as_secs_f64());
    }
    2.0 * (a.nrows() * a.ncols() * b.ncols()) as f64 / best / 1e9
}
