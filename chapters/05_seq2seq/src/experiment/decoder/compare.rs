//! The chapter's model with every seed, asked about its decoder.

use super::super::arguments::Arguments;
use super::super::recipe::{Chapter, Choices};
use super::beams::{self, Searched};
use super::claims::claims;
use super::exposure::{Exposure, Losses, losses};
use super::gender::{self, Counted};
use super::results::Results;
use crate::translating::recurrent::Config;
use crate::translating::{Repetitions, train_counted};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use workbench::error::Result;

/// What a seed's model answered.
#[derive(Serialize, Deserialize)]
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
    let corpus = usual.corpus()?;
    let config = Config::new(&usual.sizes(&corpus), Choices {});
    let rows = usual.repeated.study.choose(vec![arguments.row("default", config, None)])?;
    let mut study = arguments.study(&corpus)?;
    let asked = study.run(&rows, |row, seed, progress| {
        let (batch, options) = (usual.batch as usize, arguments.options(&row.name, seed));
        let model =
            train_counted::<Chapter>(progress, &corpus, &row.config, batch, &options)?.model;
        Ok(Asked {
            losses: losses(&model, &corpus.tests[0]),
            searched: beams::search(&model, &corpus),
            pronouns: gender::count(&model, &corpus),
        })
    })?;
    let asked = &asked["default"];
    let mut results = Results {
        plan: Repetitions::new(&usual.repeated, &corpus),
        exposure: Exposure::of(&asked.iter().map(|model| &model.losses).collect::<Vec<_>>()),
        beams: beams::over_seeds(
            &asked.iter().map(|model| &model.searched[..]).collect::<Vec<_>>(),
        ),
        pronouns: gender::over_seeds(
            &asked.iter().map(|model| &model.pronouns[..]).collect::<Vec<_>>(),
        ),
        claims: BTreeMap::new(),
        minutes: study.minutes(),
    };
    results.claims = claims(&results);
    study.publish(&results)
}
