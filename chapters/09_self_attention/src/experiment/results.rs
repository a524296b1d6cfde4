//! Everything the page quotes, section by section.

use super::adding::{self, Adding};
use super::config::Config;
use super::cost::{self, Cost};
use super::heads::{self, Heads};
use super::own::{self, Own};
use super::padding::{self, Padding};
use super::places::{self, Places};
use super::pronoun::{self, Pronoun};
use super::reach::{self, Reach};
use super::section::Section;
use super::walk::{self, Walk};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use workbench::Claim;
use workbench::error::Result;
use workbench::figure::Svg;

/// Everything the page quotes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Results {
    /// How much a token looks at itself.
    pub own: Own,
    /// Two words, step by step.
    pub walk: Walk,
    /// What a wrong mask does.
    pub padding: Padding,
    /// What sinusoids say of places.
    pub places: Places,
    /// How many layers connect two ends.
    pub reach: Reach,
    /// How much is computed, and how long it takes.
    pub cost: Cost,
    /// The adding problem and its gradients.
    pub adding: Adding,
    /// What *it* looks at.
    pub pronoun: Pronoun,
    /// One head or several, how far they look, and along which relations.
    pub heads: Heads,
    /// What was claimed before the first run, and whether it held.
    pub claims: BTreeMap<String, Claim>,
}

/// The number of trainings that [`run`] will do.
pub fn trainings(config: &Config) -> usize {
    let further = pronoun::trainings(&config.pronoun()) + heads::trainings(&config.heads());
    adding::trainings(config) + further
}

/// Measures everything; `done` is called after each training. Times come first, while nothing else
/// runs.
///
/// # Errors
/// When a number is not finite, or Ctrl-C was pressed.
pub fn run(config: &Config, done: impl Fn() + Sync) -> Result<Results> {
    let mut results = Results {
        cost: cost::measure(config),
        own: own::measure(config),
        walk: walk::measure(config),
        padding: padding::measure(config),
        places: places::measure(config),
        reach: reach::measure(config),
        adding: adding::measure(config, &done)?,
        pronoun: pronoun::measure(&config.pronoun(), &done)?,
        heads: heads::measure(&config.heads(), &done)?,
        claims: BTreeMap::new(),
    };
    results.claims = results.judged();
    Ok(results)
}

impl Results {
    /// All sections, in the order of the page.
    pub fn sections(&self) -> Vec<&dyn Section> {
        vec![
            &self.own,
            &self.walk,
            &self.padding,
            &self.places,
            &self.reach,
            &self.cost,
            &self.adding,
            &self.pronoun,
            &self.heads,
        ]
    }

    /// The claims of all sections, decided by the numbers.
    pub fn judged(&self) -> BTreeMap<String, Claim> {
        workbench::claims(self.sections().iter().flat_map(|section| section.claims()))
    }

    /// All figures, by file name, drawn from the numbers.
    pub fn figures(&self) -> Vec<(&'static str, Svg)> {
        self.sections().iter().flat_map(|section| section.figures()).collect()
    }
}
