//! Does 1/√d make training faster? `cargo run --release -p scoring_functions -- --compare`.

mod scaling;

pub use scaling::{Best, Form, Scaled, projected, scaled};

use super::config::Config;
use serde::{Deserialize, Serialize};
use shared::Float;
use std::collections::BTreeMap;
use workbench::program::{Table, say};
use workbench::study::{Findings, Spread};
use workbench::{Claim, smaller};

/// Everything the page quotes of the comparison: its `figures/compare.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Compared {
    /// By `d16`, `d64` … `d1024`.
    pub scaling: BTreeMap<String, Scaled>,
    pub claims: BTreeMap<String, Claim>,
}

fn spreads<const N: usize>(runs: &[[Float; N]]) -> [Spread; N] {
    std::array::from_fn(|i| Spread::by(|x| x, runs.iter().map(|run| f64::from(run[i]))))
}

pub fn compare(config: &Config) -> Compared {
    let scaling: BTreeMap<_, _> =
        scaling::WIDTHS.map(|d| (format!("d{d}"), scaled(d, config))).into();
    let claims = claims(&scaling);
    Compared { scaling, claims }
}

impl Findings for Compared {
    fn print(&self) {
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
    }

    fn claims(&self) -> &BTreeMap<String, Claim> {
        &self.claims
    }
}

/// What was claimed before the first run.
pub fn claims(scaling: &BTreeMap<String, Scaled>) -> BTreeMap<String, Claim> {
    let faster = |d: &str| {
        let Scaled { unscaled, scaled } = &scaling[d];
        smaller(&scaled.fastest.steps.of_seeds, &unscaled.fastest.steps.of_seeds)
    };
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
    ])
}
