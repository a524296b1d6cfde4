//! What the page measures: one vector between two networks, and what it costs.

mod claims;
mod figures;
mod results;
mod spreads;
mod trials;

pub use claims::claims;
pub use figures::figures;
pub use results::{ModelScores, Results, Search};
pub use spreads::{LengthSpread, PartScores, Plan, Spread};
pub use trials::{Quick, Trial, quick, reverse_sources, trials};

use crate::commands::{CompareArgs, Recipe, side_by_side};
use crate::{EncoderDecoder, Sizes};
use clap::Args;
use serde::{Deserialize, Serialize};
use shared::Rng;
use std::time::Instant;
use workbench::error::{Error, Result};
use workbench::program::{Output, Table, say};

/// This chapter's model in the common program.
pub struct Chapter;

/// Nothing to choose beside the sizes.
#[derive(Args, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Choices {}

impl Recipe for Chapter {
    const CHAPTER: &'static str = "seq2seq";
    type Model = EncoderDecoder;
    type Choices = Choices;
    type Compare = CompareArgs;

    fn build(sizes: &Sizes, _: &Choices, rng: &mut Rng) -> EncoderDecoder {
        EncoderDecoder::new(sizes, rng)
    }

    fn textbook() -> Choices {
        Choices {}
    }

    /// Every trial with every seed: scores, claims, figures.
    fn compare(arguments: &CompareArgs) -> Result<()> {
        let output = Output::open(&arguments.common, Self::CHAPTER)?;
        let begin = Instant::now();
        let corpus = arguments.corpus()?;
        if corpus.tests.len() < 3 {
            return Err(Error::argument("compare wants the generated pairs: leave out --data"));
        }
        let mut backwards = arguments.corpus()?;
        reverse_sources(&mut backwards);
        let sizes = arguments.sizes.sizes(&corpus)?;
        let (jobs, epochs) = (trials(&sizes, &arguments.seeds()), arguments.epochs as usize);
        let judged = side_by_side("trials", &jobs, jobs.len() * epochs, |trial, progress| {
            let corpus = if trial.reversed { &backwards } else { &corpus };
            trial.run(corpus, arguments, progress)
        })?;
        let mut results = Results::new(arguments, &corpus, &judged);
        results.measured.minutes = begin.elapsed().as_secs_f64() / 60.0;
        tell(&results);
        for (name, figure) in figures(&results) {
            output.figure(name, &figure)?;
        }
        output.results(&results)?;
        say(format!("figures and results.json are in {}", output.folder().display()));
        Ok(())
    }
}

fn tell(results: &Results) {
    let mut table = Table::new(["model", "parameters", "test", "long", "compositional", "exact"]);
    for (name, model) in &results.models {
        let bleu = |part: &str| format!("{:.1}", model.parts[part].bleu.mean);
        let exact = format!("{:.1} %", 100.0 * model.parts["test"].exact.mean);
        let parameters = model.parameters.to_string();
        table.row([
            name.clone(),
            parameters,
            bleu("test"),
            bleu("long"),
            bleu("compositional"),
            exact,
        ]);
    }
    say(format!("BLEU, means over {} seeds\n\n{table}", results.plan.seeds.len()));
    say("What the page expects of its own, full-sized comparison:");
    results.claims.values().for_each(say);
}
