//! Matrix products of the course beside the `gemm` crate called directly: `cargo bench -p benches
//! --bench products`.
//!
//! Ours may cost at most 10 % more; the call adds a shape check and swaps strides for transposes.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use shared::{Float, Matrix, Operand, gemm, product};
use std::hint::black_box;
use std::time::Duration;

/// What is multiplied: whether the left and right factors are transposed, and whether the result is
/// added.
const KINDS: [(&str, bool, bool, bool); 4] = [
    ("plain", false, false, false),
    ("left_transposed", true, false, false),
    ("right_transposed", false, true, false),
    ("accumulating", false, false, true),
];

fn products(criterion: &mut Criterion) {
    for (name, left, right, add) in KINDS {
        let mut group = criterion.benchmark_group(name);
        group.warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(2));
        for n in [64, 128, 256, 512, 1024] {
            let fill = |i: usize, j: usize| ((i * 31 + j * 17) % 13) as Float - 6.0;
            let (a, b) =
                (Matrix::from_fn(n, n, fill), Matrix::from_fn(n, n, |i, j| fill(j, i + 5)));
            let (a_view, b_view) =
                (if left { a.t() } else { a.whole() }, if right { b.t() } else { b.whole() });
            let beta = if add { 1.0 } else { 0.0 };
            let mut ours = Matrix::zeros(n, n);
            let mut direct = Matrix::zeros(n, n);
            gemm(0.0, &mut ours, 1.0, &a_view, &b_view);
            call_directly(0.0, &mut direct, &a, left, &b, right);
            assert_eq!(ours, direct);
            assert_eq!(product(&a_view, &b_view), direct);

            group.throughput(Throughput::Elements(2 * (n * n * n) as u64)); // floating-point operations
            group.bench_function(BenchmarkId::new("ours", n), |bencher| {
                bencher.iter(|| gemm(beta, black_box(&mut ours), 1.0, &a_view, &b_view));
            });
            group.bench_function(BenchmarkId::new("gemm_crate", n), |bencher| {
                bencher.iter(|| call_directly(beta, black_box(&mut direct), &a, left, &b, right));
            });
        }
        group.finish();
    }
}

/// The call that [`shared::gemm`] makes, for square matrices.
fn call_directly(beta: Float, dst: &mut Matrix, a: &Matrix, left: bool, b: &Matrix, right: bool) {
    let n = dst.nrows();
    let strides = |transposed: bool| if transposed { (1, n as isize) } else { (n as isize, 1) };
    let ((a_columns, a_rows), (b_columns, b_rows)) = (strides(left), strides(right));
    // SAFETY: all three matrices are n × n, and `dst` is borrowed exclusively.
    unsafe {
        gemm::gemm(
            n,
            n,
            n,
            dst.as_mut_ptr(),
            n as isize,
            1,
            beta != 0.0,
            a.as_ptr(),
            a_columns,
            a_rows,
            b.as_ptr(),
            b_columns,
            b_rows,
            beta,
            1.0,
            false,
            false,
            false,
            gemm::Parallelism::None,
        );
    }
}

criterion_group!(benches, products);
criterion_main!(benches);
