//! A memory asked with noisy keys.

use super::config::Config;
use crate::{Kernel, mean_squared_error, nadaraya_watson};
use rand::Rng as _;
use rand_distr::{Distribution, Normal, Uniform};
use serde::{Deserialize, Serialize};
use shared::{Float, rng};
use workbench::figure::{Chart, Svg, colour};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Lookup {
    pub noise: Float,
    pub best_over_noise: f64,
    pub error: f64,
    pub error_sharp: f64,
    pub error_blunt: f64,
}

/// A hundred values under random keys in [0, 1]; each query is one of the keys plus noise.
pub fn lookup(config: &Config) -> (Vec<Lookup>, Svg) {
    let over_noise: Vec<Float> =
        (-16..=16).map(|i| (10.0 as Float).powf(i as Float / 16.0)).collect();
    let (mut results, mut minima) = (Vec::new(), Vec::new());
    let mut chart = Chart::new("", "bandwidth, over the noise σ", "mean squared error");
    for noise in [0.002, 0.01, 0.05] {
        let errors = lookup_errors(noise, &over_noise, config);
        let best = (0..errors.len()).fold(0, |a, b| if errors[b] < errors[a] { b } else { a });
        results.push(Lookup {
            noise,
            best_over_noise: f64::from(over_noise[best]),
            error: errors[best],
            error_sharp: errors[0],
            error_blunt: errors[errors.len() - 1],
        });
        minima.push((f64::from(over_noise[best]), errors[best]));
        let x = over_noise.iter().map(|h| f64::from(*h));
        chart = chart.line(&format!("σ = {noise}"), &x.zip(errors).collect::<Vec<_>>());
    }
    let chart = chart.rings("the smallest error", &minima).coloured(colour::CHOSEN);
    (results, chart.log(true, false).draw())
}

/// The mean squared error of what the memory returns, for every bandwidth (in units of the noise).
fn lookup_errors(noise: Float, over_noise: &[Float], config: &Config) -> Vec<f64> {
    let mut rng = rng(config.seed);
    let unit = Uniform::new(0.0 as Float, 1.0).expect("0 < 1");
    let standard = Normal::new(0.0 as Float, 1.0).expect("1 is positive");
    // Many small memories, so that the result is not that of one set of keys.
    const ITEMS: usize = 100;
    let memories = config.lookups / ITEMS;
    let mut sums = vec![0.0; over_noise.len()];
    for _ in 0..memories {
        let keys: Vec<Float> = (0..ITEMS).map(|_| unit.sample(&mut rng)).collect();
        let values: Vec<Float> = (0..ITEMS).map(|_| standard.sample(&mut rng)).collect();
        let asked: Vec<usize> = (0..ITEMS).map(|_| (rng.next_u32() as usize) % ITEMS).collect();
        let queries: Vec<Float> =
            asked.iter().map(|i| keys[*i] + noise * standard.sample(&mut rng)).collect();
        let wanted: Vec<Float> = asked.iter().map(|i| values[*i]).collect();
        for (sum, h) in sums.iter_mut().zip(over_noise) {
            let found = nadaraya_watson(&queries, &keys, &values, Kernel::Gaussian, h * noise);
            *sum += mean_squared_error(&found, &wanted) / memories as f64;
        }
    }
    sums
}
