//! Benchmarks stand in `benches/`: `cargo bench -p benches`.
