//! Our side of `tests/peers/kernel_regression.py`: prints seconds, peak resident mebibytes and one
//! prediction.

use kernel_regression::streaming::smooth;
use shared::Float;

fn main() {
    let n = 100_000;
    let x: Vec<Float> = (0..n).map(|i| 5.0 * ((i * 7919) % n) as Float / n as Float).collect();
    let y: Vec<Float> = x.iter().map(|x| 2.0 * x.sin() + x.powf(0.8)).collect();
    let start = std::time::Instant::now();
    let predictions = smooth(&x, &x, &y, 0.1);
    println!("{} {} {}", start.elapsed().as_secs_f64(), peak_mebibytes(), predictions[3]);
}

/// The largest resident set so far, as Linux tells it; NaN elsewhere.
fn peak_mebibytes() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = peak.and_then(|peak| peak.trim().trim_end_matches(" kB").parse::<f64>().ok());
    kibibytes.map_or(f64::NAN, |kibibytes| kibibytes / 1024.0)
}
