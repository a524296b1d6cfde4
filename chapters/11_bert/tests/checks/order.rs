//! NSP first: the weight of the MLM loss, and the rate.

use bert::program::{NspFirst, options};

const SHARES: [f64; 8] = [0.0, 1e-4, 1e-3, 0.01, 0.099, 0.15, 0.5, 0.999];

/// Whichever share of whichever run it is, and however short: the rate begins low, rises in many steps, is
/// once the highest and ends at nothing.
#[test]
fn the_rate_never_leaps() {
    for total in [2, 9, 10, 50, 100, 1000, 9156] {
        for first in SHARES.map(|share| NspFirst { steps: (share * total as f64) as u64 }) {
            let schedule = options(total, 1.0).schedule;
            let rates: Vec<f32> = (1..=total).map(|s| first.rate(&schedule, s)).collect();
            assert!(rates.iter().all(|rate| (0.0..=1.0).contains(rate)), "{first:?} of {total}");
            assert_eq!(rates.last(), Some(&0.0), "{first:?} of {total}");
            if total < 100 {
                continue;
            }
            let highest = rates.iter().position(|rate| *rate == 1.0).unwrap() as u64 + 1;
            assert_eq!(highest, first.steps.max(total / 10), "{first:?} of {total}");
            let all = [&[0.0], &rates[..]].concat();
            let leap = all.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f32::max);
            assert!(leap <= 26.0 / total as f32, "{leap} in {first:?} of {total}");
        }
    }
}

/// However few steps come first, the MLM loss counts ever more, and fully when they are over.
#[test]
fn the_mlm_loss_counts_ever_more() {
    for steps in [0, 1, 2, 3, 7, 100] {
        let first = NspFirst { steps };
        let weights: Vec<f32> = (0..=steps).map(|before| first.weight(before)).collect();
        assert!(weights.is_sorted(), "{weights:?}");
        assert_eq!(weights.last(), Some(&1.0));
        assert!(steps == 0 || (weights[0] - 0.03).abs() < 1e-6, "{weights:?}");
    }
}
