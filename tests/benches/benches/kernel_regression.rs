//! 10⁵ queries against 10⁵ keys: `cargo bench -p benches --bench kernel_regression`. Beside NumPy:
//! `tests/peers/kernel_regression.py`.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use kernel_regression::streaming::smooth;
use shared::Float;

fn kernel_regression(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("kernel_regression");
    for n in [10_000, 100_000] {
        let x: Vec<Float> = (0..n).map(|i| 5.0 * ((i * 7919) % n) as Float / n as Float).collect();
        let y: Vec<Float> = x.iter().map(|x| 2.0 * x.sin() + x.powf(0.8)).collect();
        group.throughput(Throughput::Elements((n * n) as u64)); // weights
        group.sample_size(10);
        group.bench_function(n.to_string(), |bencher| bencher.iter(|| smooth(&x, &x, &y, 0.1)));
    }
    group.finish();
}

criterion_group!(benches, kernel_regression);
criterion_main!(benches);
