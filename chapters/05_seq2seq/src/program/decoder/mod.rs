//! Questions about the chapter's decoder: what its own words cost it, how it is searched, and whom it
//! takes for a he or a she.

mod beams;
mod claims;
mod exposure;
mod gender;
mod results;

pub use beams::Beam;
pub use claims::claims;
pub use exposure::{Exposure, Twice};
pub use gender::{Pronouns, sentences};
pub use results::Results;

use super::arguments::Arguments;
use super::recipe::{Chapter, Choices};
use super::searches::{SearchResult, held};
use crate::translating::Repetitions;
use crate::translating::recurrent::Config;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use workbench::error::Result;
use workbench::study::over_seeds;

/// What a seed's model answered.
#[derive(Serialize, Deserialize)]
struct Asked {
    losses: Exposure<f64>,
    searched: Vec<SearchResult<beams::Probable<f64>>>,
    pronouns: BTreeMap<String, Pronouns<f64>>,
}

pub(super) fn compare(arguments: &Arguments) -> Result<()> {
    let usual = &arguments.usual;
    let corpus = usual.corpus()?;
    let config = Config::new(&usual.sizes(&corpus), Choices {});
    let row = usual.repeated.row("default", config, None);
    let rows = usual.repeated.study.choose(vec![row])?;
    let mut study = arguments.study(&corpus)?;
    let asked = study.run(&rows, |row, seed, progress| {
        let training = usual.training(&row.name, seed, &corpus, progress);
        let (model, _) = training.model::<Chapter>(&row.config)?;
        Ok(Asked {
            losses: exposure::losses(&model, &corpus.tests[0]),
            searched: beams::search(&model, &corpus),
            pronouns: gender::count(&model, &corpus),
        })
    })?;
    let asked = &asked["default"];
    let mut results = Results {
        plan: Repetitions::new(&usual.repeated, &corpus),
        exposure: over_seeds(&asked.iter().map(|model| &model.losses).collect::<Vec<_>>()),
        beams: held(
            &asked.iter().map(|model| &model.searched[..]).collect::<Vec<_>>(),
            beams::of_four,
        ),
        pronouns: over_seeds(&asked.iter().map(|model| &model.pronouns).collect::<Vec<_>>()),
        claims: BTreeMap::new(),
        minutes: study.minutes(),
    };
    results.claims = claims(&results);
    study.publish(&results)
}
