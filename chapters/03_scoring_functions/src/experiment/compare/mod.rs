//! Two questions that only training answers: `cargo run --release -p scoring_functions -- --compare`.
//!
//! | file | about |
//! |---|---|
//! | `scaling` | does 1/√d make training faster? |
//! | `dropout` | what does it do to leave weights out at random? |
//! | `claims` | what was claimed beforehand |

mod claims;
mod dropout;
mod scaling;

pub use claims::claims;
pub use dropout::{Dropped, dropped};
pub use scaling::{Best, Form, Scaled, projected, scaled};

use super::config::Config;
use serde::{Deserialize, Serialize};
use shared::Float;
use std::collections::BTreeMap;
use workbench::Claim;
use workbench::program::{Table, say};
use workbench::study::{Findings, Spread};

/// Everything the page quotes of the comparisons: its `figures/compare.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Compared {
    /// By `d16`, `d64` … `d1024`.
    pub scaling: BTreeMap<String, Scaled>,
    /// By `p0`, `p10` … `p50`: the probability in per cent.
    pub dropout: BTreeMap<String, Dropped>,
    /// What was claimed before the first run, and whether it held.
    pub claims: BTreeMap<String, Claim>,
}

/// Each of several numbers over the seeds, as they are: some are small.
fn spreads<const N: usize>(runs: &[[Float; N]]) -> [Spread; N] {
    std::array::from_fn(|i| Spread::by(|x| x, runs.iter().map(|run| f64::from(run[i]))))
}

/// Runs both comparisons.
pub fn compare(config: &Config) -> Compared {
    let scaling: BTreeMap<_, _> =
        scaling::WIDTHS.map(|d| (format!("d{d}"), scaled(d, config))).into();
    let dropout: BTreeMap<_, _> =
        dropout::SHARES.map(|p| (format!("p{:.0}", 100.0 * p), dropped(p, config))).into();
    let claims = claims(&scaling, &dropout);
    Compared { scaling, dropout, claims }
}

impl Findings for Compared {
    fn tell(&self) {
        let three = |x: f64| format!("{x:.3}");
        let mut table =
            Table::new(["d", "", "first loss", "rate", "steps to 0.9", "rate", "last loss"]);
        for (d, both) in &self.scaling {
            for (name, best) in [("q·k", &both.unscaled), ("q·k/√d", &both.scaled)] {
                let (steps, last) = (&best.fastest.steps, &best.lowest.last);
                table.row([
                    d[1..].to_string(),
                    name.into(),
                    format!("{:.2}", best.fastest.first.mean),
                    best.fastest.rate.to_string(),
                    format!("{:.1} ({} to {})", steps.mean, steps.lowest, steps.highest),
                    best.lowest.rate.to_string(),
                    format!("{:.3} ({:.3} to {:.3})", last.mean, last.lowest, last.highest),
                ]);
            }
        }
        say(&table);
        let mut table =
            Table::new(["left out", "error seen", "error fresh", "from", "to", "right"]);
        for (p, Dropped { seen, fresh, accuracy }) in &self.dropout {
            let numbers = [seen.mean, fresh.mean, fresh.lowest, fresh.highest, accuracy.mean];
            let [a, b, c, d, e] = numbers.map(three);
            table.row([format!("{} %", &p[1..]), a, b, c, d, e]);
        }
        say(&table);
    }

    fn claims(&self) -> &BTreeMap<String, Claim> {
        &self.claims
    }
}
