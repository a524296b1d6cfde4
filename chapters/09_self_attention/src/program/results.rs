//! Everything the page quotes, section by section.

use super::config::Config;
use super::section::Section;
use super::{adding, heads, own, padding, places, pronoun, walk};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use workbench::Claim;
use workbench::error::Result;
use workbench::figure::Svg;
use workbench::study::Findings;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Results {
    pub own: own::Own,
    pub walk: walk::Walk,
    pub padding: padding::Padding,
    pub places: places::Places,
    pub adding: adding::Adding,
    pub pronoun: pronoun::Pronoun,
    pub heads: heads::Heads,
    pub claims: BTreeMap<String, Claim>,
}

pub fn run(config: &Config) -> Result<Results> {
    let mut results = Results {
        own: own::measure(config),
        walk: walk::measure(config),
        padding: padding::measure(config),
        places: places::measure(config),
        adding: adding::measure(config)?,
        pronoun: pronoun::measure(&pronoun::Config { seed: config.seed, ..Default::default() })?,
        heads: heads::measure(&heads::Config { seed: config.seed, ..Default::default() })?,
        claims: BTreeMap::new(),
    };
    results.claims = results.judged();
    Ok(results)
}

impl Results {
    fn sections(&self) -> [&dyn Section; 7] {
        let Results { own, walk, padding, places, adding, pronoun, heads, .. } = self;
        [own, walk, padding, places, adding, pronoun, heads]
    }

    pub fn judged(&self) -> BTreeMap<String, Claim> {
        workbench::claims(self.sections().iter().flat_map(|section| section.claims()))
    }
}

impl Findings for Results {
    fn print(&self) {
        self.sections().iter().for_each(|section| section.report());
    }

    fn claims(&self) -> &BTreeMap<String, Claim> {
        &self.claims
    }

    fn figures(&self) -> Vec<(String, Svg)> {
        let all = self.sections().into_iter().flat_map(|section| section.figures());
        all.map(|(name, figure)| (name.to_owned(), figure)).collect()
    }
}
