//! Everything the page quotes of the decoder.

use super::beams::Beam;
use super::exposure::Exposure;
use super::gender::Pronouns;
use crate::translating::Repetitions;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use workbench::program::{Table, say};
use workbench::study::{Claim, Findings, Spread};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Results {
    #[serde(flatten)]
    pub plan: Repetitions,
    pub exposure: Exposure,
    /// The test part, by way of searching.
    pub beams: BTreeMap<String, Beam>,
    /// Sentences about people, by group and English pronoun.
    pub pronouns: BTreeMap<String, Pronouns>,
    pub claims: BTreeMap<String, Claim>,
    pub minutes: f64,
}

impl Findings for Results {
    fn print(&self) {
        let mut table = Table::new(["search", "BLEU", "length", "proven", "empty"]);
        for (name, beam) in &self.beams {
            let percent = |share: &Spread| format!("{:.1} %", 100.0 * share.mean);
            table.row([
                name.clone(),
                format!("{:.1}", beam.bleu.mean),
                format!("{:.3}", beam.length_ratio.mean),
                beam.more.proven.as_ref().map_or("–".to_owned(), percent),
                percent(&beam.more.empty),
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
