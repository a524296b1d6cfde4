//! Our side of `tests/peers/kernel_regression.py`: prints seconds, peak resident mebibytes and one
//! prediction.

use kernel_regression::streaming::smooth;
use shared::Float;
use workbench::memory::peak_memory;

fn main() {
    let n = 100_000;
    let x: Vec<Float> = (0..n).map(|i| 5.0 * ((i * 7919) % n) as Float / n as Float).collect();
    let y: Vec<Float> = x.iter().map(|x| 2.0 * x.sin() + x.powf(0.8)).collect();
    let start = std::time::Instant::now();
    let predictions = smooth(&x, &x, &y, 0.1);
    let seconds = start.elapsed().as_secs_f64();
    let mebibytes = peak_memory().map_or(f64::NAN, |bytes| bytes as f64 / (1 << 20) as f64);
    println!("{seconds} {mebibytes} {}", predictions[3]);
}
