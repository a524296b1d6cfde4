//! Matrix products of the course beside the `gemm` crate called directly: `cargo bench -p benches
//! --bench products`.
//!
//! Ours may cost at most 10 % more; the call adds a shape check and swaps strides for transposes. `-- narrow`
//! times a transposed weight beside few tokens, where the course takes another way to the same sums.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use shared::{Float, Matrix, Operand, View, gemm, product};
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
            call_directly(0.0, &mut direct, &a_view, &b_view);
            assert_eq!(ours, direct);
            assert_eq!(product(&a_view, &b_view), direct);

            group.throughput(Throughput::Elements(2 * (n * n * n) as u64)); // floating-point operations
            group.bench_function(BenchmarkId::new("ours", n), |bencher| {
                bencher.iter(|| gemm(beta, black_box(&mut ours), 1.0, &a_view, &b_view));
            });
            group.bench_function(BenchmarkId::new("gemm_crate", n), |bencher| {
                bencher.iter(|| call_directly(beta, black_box(&mut direct), &a_view, &b_view));
            });
        }
        group.finish();
    }
}

/// A transposed weight beside few columns, `Wᵀ·dy`: the rows and columns of `W`, tokens, and what becomes
/// of the result. Position-wise layers of BERT-Base, of the Transformer's base and of a small one, the
/// vectors of all words.
const NARROW: [([usize; 3], Float, &str); 7] = [
    ([768, 3072, 256], 0.0, ""),
    ([3072, 768, 256], 0.0, ""),
    ([3072, 768, 256], 1.0, "_added"),
    ([512, 2048, 256], 0.0, ""),
    ([256, 1024, 64], 0.0, ""),
    ([256, 8000, 64], 0.0, ""),
    ([768, 30_522, 38], 0.0, ""),
];

fn narrow(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("narrow");
    for ([k, m, n], beta, added) in NARROW {
        let fill = |i: usize, j: usize| ((i * 31 + j * 17) % 13) as Float - 6.0;
        let (weight, dy) = (Matrix::from_fn(k, m, fill), Matrix::from_fn(k, n, fill));
        let mut dx = Matrix::zeros(m, n);
        let mut direct = Matrix::zeros(m, n);
        gemm(beta, &mut dx, 1.0, &weight.t(), &dy);
        call_directly(beta, &mut direct, &weight.t(), &dy.whole());
        assert_eq!(dx, direct);

        group.throughput(Throughput::Elements(2 * (m * k * n) as u64)); // floating-point operations
        let shape = format!("{k}x{m}x{n}{added}");
        group.bench_function(BenchmarkId::new("ours", &shape), |bencher| {
            bencher.iter(|| gemm(beta, black_box(&mut dx), 1.0, &weight.t(), &dy));
        });
        group.bench_function(BenchmarkId::new("gemm_crate", &shape), |bencher| {
            bencher.iter(|| call_directly(beta, black_box(&mut direct), &weight.t(), &dy.whole()));
        });
    }
    group.finish();
}

/// The call that [`shared::gemm`] makes where it takes no other way.
fn call_directly(beta: Float, dst: &mut Matrix, a: &View, b: &View) {
    let ((m, n), k) = (dst.shape(), a.ncols());
    assert_eq!((a.nrows(), b.shape()), (m, (k, n)));
    let [(a_rows, a_columns), (b_rows, b_columns)] =
        [a, b].map(|x| (x.strides().0 as isize, x.strides().1 as isize));
    // SAFETY: the three shapes fit, as asserted, and `dst` is borrowed exclusively.
    unsafe {
        gemm::gemm(
            m,
            n,
            k,
            dst.as_mut_ptr(),
            m as isize,
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

criterion_group!(benches, products, narrow);
criterion_main!(benches);
