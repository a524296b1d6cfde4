//! What the page measures: the same translator with and without a look back.

mod claims;
mod figures;
mod looks;
mod results;
mod trials;

pub use claims::claims;
pub use figures::figures;
pub use looks::{Class, Look, best_possible, class_of, looks};
pub use results::{Curve, ModelScores, Results, Translated};
pub use trials::{Model, equal_sizes};

use crate::{Bahdanau, Config, Reading};
use clap::Args;
use seq2seq::commands::{CompareArgs, Recipe, columns_of, side_by_side};
use seq2seq::{Batch, Sizes, distinct};
use serde::{Deserialize, Serialize};
use shared::Rng;
use std::time::Instant;
use trials::{Judged, Trial};
use workbench::error::{Error, Result};
use workbench::program::{Output, Table, say};

/// This chapter's model in the common program.
pub struct Chapter;

/// What can be chosen beside the sizes.
#[derive(Args, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Choices {
    /// How the source is read
    #[arg(long, value_enum, default_value_t = Reading::BothDirections)]
    pub reading: Reading,
}

impl Recipe for Chapter {
    const CHAPTER: &'static str = "bahdanau";
    type Model = Bahdanau;
    type Choices = Choices;
    type Compare = CompareArgs;

    fn build(sizes: &Sizes, choices: &Choices, rng: &mut Rng) -> Bahdanau {
        let score = sizes.hidden;
        Bahdanau::new(&Config { sizes: sizes.clone(), reading: choices.reading, score }, rng)
    }

    fn textbook() -> Choices {
        Choices { reading: Reading::Forward }
    }

    fn columns_of(_: &Bahdanau, parameter: &str, batch: &Batch) -> usize {
        match parameter {
            "score.w_k.weight" => batch.source.len(),
            "decoder.layers.0.weight_x" => distinct(&batch.previous).0.len(),
            name if name.starts_with("start.") => batch.sentences(),
            name => columns_of(name, batch),
        }
    }

    /// With and without attention on equal parameters, with every seed.
    fn compare(arguments: &CompareArgs) -> Result<()> {
        let output = Output::open(&arguments.common, "bahdanau")?;
        let begin = Instant::now();
        let corpus = arguments.corpus()?;
        if corpus.tests.len() < 3 {
            return Err(Error::argument("compare wants the generated pairs: leave out --data"));
        }
        let sizes = arguments.sizes.sizes(&corpus)?;
        let trials = trials::all(&sizes, &arguments.seeds());
        let epochs = trials.len() * arguments.epochs as usize;
        let run = |trial: &Trial, progress: &_| trial.run(&corpus, arguments, progress);
        let judged: Vec<Judged> = side_by_side("with and without", &trials, epochs, run)?;
        let mut results = Results::new(arguments, &corpus, &judged);
        results.measured.minutes = (begin.elapsed().as_secs_f64() / 6.0).round() / 10.0;
        tell(&results);
        for (name, figure) in figures(&results) {
            output.figure(name, &figure)?;
        }
        let drawn = judged.iter().find(|run| !run.alignments.is_empty());
        for (number, figure) in drawn.iter().flat_map(|run| &run.alignments).enumerate() {
            output.figure(&format!("alignment_{}", number + 1), figure)?;
        }
        output.results(&results)?;
        say(format!("figures and results.json are in {}", output.folder().display()));
        Ok(())
    }
}

fn tell(results: &Results) {
    let heads = ["model", "parameters", "test", "long", "compositional", "exact", "AER"];
    let mut table = Table::new(heads);
    for (name, model) in &results.models {
        let bleu = |part: &str| format!("{:.1}", model.parts[part].bleu.mean);
        let percent = |x: f64| format!("{:.1} %", 100.0 * x);
        let aer = model.parts["test"].aer.as_ref();
        table.row([
            name.clone(),
            model.parameters.to_string(),
            bleu("test"),
            bleu("long"),
            bleu("compositional"),
            percent(model.parts["test"].exact.mean),
            aer.map_or("–".to_owned(), |aer| percent(aer.mean)),
        ]);
    }
    say(format!("BLEU, means over {} seeds\n\n{table}", results.plan.seeds.len()));
    say("What the page expects of its own, full-sized comparison:");
    results.claims.values().for_each(say);
}
