//! The chapter's model with every seed, asked about its decoder.

use super::super::arguments::Arguments;
use super::super::recipe::{Chapter, Choices};
use super::beams::{self, Beam, Searched};
use super::claims::claims;
use super::exposure::{Exposure, Losses, losses};
use super::gender::{self, Counted, Pronouns};
use crate::translating::Repetitions;
use crate::translating::recurrent::Config;
use crate::translating::train_counted;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Instant;
use workbench::Claim;
use workbench::error::Result;
use workbench::program::{Output, Table, say};
use workbench::study::side_by_side;

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

/// What a seed's model answered.
struct Asked {
    losses: Losses,
    searched: Vec<Searched>,
    pronouns: Vec<Counted>,
}

/// Trains and asks, and writes what the page quotes.
///
/// # Errors
/// When a file cannot be read or written, or a training fails.
pub fn compare(arguments: &Arguments) -> Result<()> {
    let usual = &arguments.usual;
    let output = Output::open(&usual.repeated.common, "seq2seq")?;
    let begin = Instant::now();
    let corpus = usual.corpus()?;
    let config = Config::new(&usual.sizes(&corpus), Choices {});
    let (seeds, epochs) = (usual.repeated.seeds(), usual.repeated.epochs as usize);
    let asked = side_by_side("seeds", &seeds, seeds.len() * epochs, |seed, progress| {
        let options = arguments.options("default", *seed);
        let trained =
            train_counted::<Chapter>(progress, &corpus, &config, usual.batch as usize, &options)?;
        let model = trained.model;
        Ok(Asked {
            losses: losses(&model, &corpus.tests[0]),
            searched: beams::search(&model, &corpus),
            pronouns: gender::count(&model, &corpus),
        })
    })?;
    let of = |beams: fn(&Asked) -> &[Searched]| asked.iter().map(beams).collect::<Vec<_>>();
    let pronouns: Vec<_> = asked.iter().map(|model| &model.pronouns[..]).collect();
    let mut results = Results {
        plan: Repetitions::new(&usual.repeated, &corpus),
        exposure: Exposure::of(&asked.iter().map(|model| &model.losses).collect::<Vec<_>>()),
        beams: beams::over_seeds(&of(|model| &model.searched)),
        pronouns: gender::over_seeds(&pronouns),
        claims: BTreeMap::new(),
        minutes: begin.elapsed().as_secs_f64() / 60.0,
    };
    results.claims = claims(&results);
    tell(&results);
    output.results(&results)?;
    say(format!("results.json is in {}", output.folder().display()));
    Ok(())
}

fn tell(results: &Results) {
    let mut table = Table::new(["search", "BLEU", "length", "proven", "empty"]);
    for (name, beam) in &results.beams {
        table.row([
            name.clone(),
            format!("{:.1}", beam.bleu.mean),
            format!("{:.3}", beam.length_ratio.mean),
            beam.proven.as_ref().map_or("–".to_owned(), |p| format!("{:.1} %", 100.0 * p.mean)),
            format!("{:.1} %", 100.0 * beam.empty.mean),
        ]);
    }
    say(format!("means over {} seeds\n\n{table}", results.plan.seeds.len()));
    let [truly, own] = [&results.exposure.all.after_true, &results.exposure.all.after_own];
    say(format!("nats a word: {:.2}; after its own words {:.2}", truly.mean, own.mean));
    results.claims.values().for_each(say);
}
