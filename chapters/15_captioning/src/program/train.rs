//! `train`: learn from generated scenes, caption unseen ones, keep the model.

use super::data::{VOCABULARY, picture, png, spoken};
use super::draw;
use super::judge::{exact, forced, pointing, tests};
use super::saved::{KIND, save};
use super::training::{EPOCHS, fit, options};
use crate::{Attention, Captioner, Config};
use clap::Args;
use seq2seq::decoding;
use shared::{Float, Module, rng};
use std::collections::BTreeMap;
use workbench::error::{Error, Result};
use workbench::files::holds_own_model;
use workbench::program::{Output, Session, Table, TrainingArgs, say};
use workbench::statistics::rounded;
use workbench::stream;
use workbench::training::json;

#[derive(Args, Clone, Debug)]
pub struct TrainArgs {
    #[command(flatten)]
    pub training: TrainingArgs,
    /// Give the decoder the mean of all places, or one that is drawn
    #[arg(long, value_enum, default_value = "soft")]
    pub attention: Attention,
    /// The weight of the doubly stochastic term
    #[arg(long, value_name = "LAMBDA", default_value_t = 0.0)]
    pub even: Float,
}

/// Scenes that are captioned on the screen, watched after each epoch, and in each test.
const SHOWN: usize = 3;
const WATCHED: usize = 100;
const TEST: usize = 500;

pub fn train(arguments: &TrainArgs) -> Result<()> {
    let TrainArgs { training, attention, even } = arguments;
    if !(0.0..=100.0).contains(even) {
        return Err(Error::argument(format!("--even {even}: a number from 0 to 100 is needed")));
    }
    let config = Config { attention: *attention, even: *even, ..Config::new(VOCABULARY) };
    let mut session = Session::begin(KIND, training, options(EPOCHS))?;
    session.options.schedule.shape = options(session.options.epochs).schedule.shape;
    holds_own_model(session.model(), &[KIND])?;
    (1..=SHOWN).try_for_each(|i| session.output.will_write(&format!("scene_{i}.png")))?;
    let mut model = Captioner::new(&config, &mut rng(stream(training.common.seed, 0)));
    let history = session.train(|options| fit(&mut model, &config, options, WATCHED))?;
    session.save("it was not tested", |folder| save(folder, &mut model, &config))?;
    show(&model, &session.output)?;
    let test = test(&model);
    let mut table = Table::new(["of 500 unseen scenes each", "%"]);
    for (what, share) in &test {
        table.row([(*what).to_owned(), format!("{:.1}", 100.0 * share)]);
    }
    say(format!("\n{table}"));
    let (seed, parameters, epochs) =
        (training.common.seed, model.parameter_count(), &history.epochs);
    let test: BTreeMap<_, _> = test.map(|(what, share)| (what, rounded(share))).into();
    session
        .finish(&json!({ "seed": seed, "parameters": parameters, "test": test, "epochs": epochs }))
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

fn test(model: &Captioner) -> [(&'static str, f64); 6] {
    let [known, new, four] = tests(TEST);
    let found = pointing(&known, &forced(model, &known));
    [
        ("captions right word for word", exact(model, &known)),
        ("… with pairs of shape and colour never seen", exact(model, &new)),
        ("… with four things, one more than ever seen", exact(model, &four)),
        ("weight on the thing when its shape is named", found.things),
        ("… when its colour is named", found.colours),
        ("… if all places had the same weight", found.uniform),
    ]
}
