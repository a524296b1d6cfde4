//! Two questions that only training answers: `cargo run --release -p scoring_functions -- --compare`.
//!
//! | file | about |
//! |---|---|
//! | `scaling` | does 1/√d make training faster? |
//! | `dropout` | what does it do to leave weights out at random? |

mod dropout;
mod scaling;

pub use dropout::{Dropped, dropped};
pub use scaling::{Best, Form, Scaled, projected, scaled};

use super::config::Config;
use serde::{Deserialize, Serialize};
use shared::Float;
use std::collections::BTreeMap;
use workbench::program::{Table, say};
use workbench::study::{Findings, Spread};
use workbench::{Claim, smaller};

/// Everything the page quotes of the comparisons: its `figures/compare.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Compared {
    /// By `d16`, `d64` … `d1024`.
    pub scaling: BTreeMap<String, Scaled>,
    /// By `p0`, `p10` … `p50`: the probability in per cent.
    pub dropout: BTreeMap<String, Dropped>,
    pub claims: BTreeMap<String, Claim>,
}

fn spreads<const N: usize>(runs: &[[Float; N]]) -> [Spread; N] {
    std::array::from_fn(|i| Spread::by(|x| x, runs.iter().map(|run| f64::from(run[i]))))
}

pub fn compare(config: &Config) -> Compared {
    let scaling: BTreeMap<_, _> =
        scaling::WIDTHS.map(|d| (format!("d{d}"), scaled(d, config))).into();
    let dropout: BTreeMap<_, _> =
        dropout::SHARES.map(|p| (format!("p{:.0}", 100.0 * p), dropped(p, config))).into();
    let claims = claims(&scaling, &dropout);
    Compared { scaling, dropout, claims }
}

impl Findings for Compared {
    fn print(&self) {
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

/// What was claimed before the first run.
pub fn claims(
    scaling: &BTreeMap<String, Scaled>,
    dropout: &BTreeMap<String, Dropped>,
) -> BTreeMap<String, Claim> {
    let faster = |d: &str| {
        let Scaled { unscaled, scaled } = &scaling[d];
        smaller(&scaled.fastest.steps.of_seeds, &unscaled.fastest.steps.of_seeds)
    };
    let fresh = |p: &str| &dropout[p].fresh.of_seeds;
    workbench::claims([
        (
            "a_first_loss",
            "without $1/\\sqrt d$ the loss before the first step is larger at $d = 1024$ than at $d = 16$",
            smaller(
                &scaling["d16"].unscaled.fastest.first.of_seeds,
                &scaling["d1024"].unscaled.fastest.first.of_seeds,
            ),
        ),
        ("b_d16", "at $d = 16$ training with $1/\\sqrt d$ needs fewer steps to 0.9", faster("d16")),
        ("c_d64", "at $d = 64$ training with $1/\\sqrt d$ needs fewer steps to 0.9", faster("d64")),
        (
            "d_d256",
            "at $d = 256$ training with $1/\\sqrt d$ needs fewer steps to 0.9",
            faster("d256"),
        ),
        (
            "e_d1024",
            "at $d = 1024$ training with $1/\\sqrt d$ needs fewer steps to 0.9",
            faster("d1024"),
        ),
        (
            "f_some",
            "leaving out a tenth of the weights lowers the error on new episodes",
            smaller(fresh("p10"), fresh("p0")),
        ),
        (
            "g_many",
            "leaving out half of the weights raises the error on new episodes",
            smaller(fresh("p0"), fresh("p50")),
        ),
    ])
}
