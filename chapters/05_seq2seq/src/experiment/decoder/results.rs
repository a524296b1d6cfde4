//! Everything the page quotes of the decoder.

use super::beams::Beam;
use super::exposure::Exposure;
use super::gender::Pronouns;
use crate::translating::Repetitions;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use workbench::program::{Table, say};
use workbench::study::{Claim, Findings};

/// `results.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Results {
    /// What was repeated, and on what.
    #[serde(flatten)]
    pub plan: Repetitions,
    /// What it costs to read one's own words.
    pub exposure: Exposure,
    /// The test part, by way of searching.
    pub beams: BTreeMap<String, Beam>,
    /// Sentences about people, by group and English pronoun.
    pub pronouns: BTreeMap<String, Pronouns>,
    /// What was written down before the first run, and whether it held.
    pub claims: BTreeMap<String, Claim>,
    /// Differs from run to run: minutes, those of kept trainings left out.
    pub minutes: f64,
}

impl Findings for Results {
    fn tell(&self) {
        let mut table = Table::new(["search", "BLEU", "length", "proven", "empty"]);
        for (name, beam) in &self.beams {
            table.row([
                name.clone(),
                format!("{:.1}", beam.bleu.mean),
                format!("{:.3}", beam.length_ratio.mean),
                beam.proven
                    .as_ref()
                    .map_or("–".to_owned(), |p| format!("{:.1} %", 100.0 * p.mean)),
                format!("{:.1} %", 100.0 * beam.empty.mean),
            ]);
        }
        say(format!("means over {} seeds\n\n{table}", self.plan.seeds.len()));
        let [truly, own] = [&self.exposure.all.after_true, &self.exposure.all.after_own];
        say(format!("nats a word: {:.2}; after its own words {:.2}", truly.mean, own.mean));
    }

    fn claims(&self) -> &BTreeMap<String, Claim> {
        &self.claims
    }
}
