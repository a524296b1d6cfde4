//! `train`: learn from generated scenes, caption unseen ones, keep the model.

use super::data::{picture, png, spoken};
use super::draw;
use super::judge::{judge, tests};
use super::saved::{MODEL, save};
use super::training::{Plan, options, train as learn};
use crate::{Attention, Captioner};
use clap::Args;
use seq2seq::decoding;
use serde::Serialize;
use shared::{Float, Module};
use std::collections::BTreeMap;
use workbench::error::{Error, Result};
use workbench::files::holds_own_model;
use workbench::memory::must_fit;
use workbench::program::{Common, Output, Table, TrainingArgs, say};
use workbench::study::rounded;
use workbench::training::{Epoch, Watch};

#[derive(Args, Clone, Debug)]
pub struct TrainArgs {
    #[command(flatten)]
    pub common: Common,
    #[command(flatten)]
    pub training: TrainingArgs,
    /// Give the decoder the mean of all places, or one that is drawn
    #[arg(long, value_enum, default_value = "soft")]
    pub attention: Attention,
    /// The weight of the doubly stochastic term
    #[arg(long, value_name = "LAMBDA", default_value_t = 0.0)]
    pub even: Float,
}

#[derive(Serialize)]
struct Results<'a> {
    seed: u64,
    parameters: usize,
    test: BTreeMap<&'static str, f64>,
    epochs: &'a [Epoch],
}

/// Scenes that are captioned on the screen, watched after each epoch, and in each test.
const SHOWN: usize = 3;
const WATCHED: usize = 100;
const TEST: usize = 500;

/// What trainings were measured to hold, soft and hard: 145 and 158 MiB.
const MEMORY: u64 = 160 << 20;

pub fn train(arguments: &TrainArgs) -> Result<()> {
    let TrainArgs { common, training, attention, even } = arguments;
    if !(0.0..=100.0).contains(even) {
        return Err(Error::argument(format!("--even {even}: a number from 0 to 100 is needed")));
    }
    let mut plan = Plan::new(*attention);
    plan.config.even = *even;
    let chosen = training.options(common, options(plan.epochs))?;
    let chosen = training.options(common, options(chosen.epochs))?; // the rate falls to 0 at the last step
    training.precision.begin()?;
    let output = Output::open(common, "captioning")?;
    let folder = Output::at(output.folder().join(MODEL))?;
    holds_own_model(folder.folder(), &["captioning"])?;
    (1..=SHOWN).try_for_each(|number| output.will_write(&format!("scene_{number}.png")))?;
    must_fit("training this model", Some(MEMORY))?;
    let watch = Watch::begin(); // from here on until the model is saved, Ctrl-C waits
    let (mut model, history) = learn(&plan.config, &chosen, WATCHED)?;
    save(folder.folder(), &mut model, &plan.config)?;
    watch.saved(format!(
        "interrupted after training: the model is in {}",
        folder.folder().display()
    ))?;
    show(&model, &output)?;
    let test: BTreeMap<_, _> = judge(&mut model, TEST).map(|(name, x)| (name, rounded(x))).into();
    print(&test);
    let (seed, parameters) = (common.seed, model.parameter_count());
    output.results(&Results { seed, parameters, test, epochs: &history.epochs })?;
    say(format!("the model, looks.svg and results.json are in {}", output.folder().display()));
    Ok(())
}

/// Captions of a few unseen scenes; their pictures are left as PNG files, the first one under its weights.
fn show(model: &Captioner, output: &Output) -> Result<()> {
    let [scenes, ..] = tests(SHOWN);
    for (i, scene) in scenes.iter().enumerate() {
        let picture = picture(scene);
        let said = decoding::greedy(model, &picture);
        let words = spoken(&said.words);
        let right = if words == scene.caption().words { "right" } else { "not the true caption" };
        say(format!("\nscene_{}.png ({right}): {}", i + 1, words.join(" ")));
        output.write(&format!("scene_{}.png", i + 1), &png(scene))?;
        if i == 0 {
            say(draw::in_terminal(&words, &said.alignment));
            output.figure("looks", &draw::figure(&picture, &words, &said.alignment))?;
        }
    }
    Ok(())
}

fn print(test: &BTreeMap<&'static str, f64>) {
    let percent = |name: &str| format!("{:.1}", 100.0 * test[name]);
    let mut table = Table::new(["of 500 unseen scenes each", "%"]);
    table.row(["captions right word for word".to_owned(), percent("exact")]);
    table.row(["… or true, with the things in another order".to_owned(), percent("exact_any")]);
    table.row(["… with pairs of shape and colour never seen".to_owned(), percent("exact_new")]);
    table.row(["… with four things, one more than ever seen".to_owned(), percent("exact_four")]);
    table.row(["weight on the thing when its shape is named".to_owned(), percent("things")]);
    table.row(["… when its colour is named".to_owned(), percent("colours")]);
    table.row(["… on the next thing when a relation is named".to_owned(), percent("next_thing")]);
    table.row(["… if all places had the same weight".to_owned(), percent("uniform")]);
    say(format!("\n{table}"));
}
