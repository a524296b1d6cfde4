//! `train`: learn from purchases, judge beside what only counts, keep the model.

use super::data::Data;
use super::fit::{Fitted, fit};
use super::interactions::{DataArgs, read_interactions};
use super::judge::{RULERS, judge, reason_rate};
use super::recipe::{Choice, Recipe};
use super::recommend::{Description, KIND, explain};
use super::split::Parts;
use super::weights::Case;
use crate::world::Sizes;
use clap::Args;
use serde::Serialize;
use shared::Module;
use std::path::Path;
use workbench::error::{Error, Result};
use workbench::files::holds_own_model;
use workbench::parameters::{MODEL_FILE, save_parameters};
use workbench::program::{Session, Table, TrainingArgs, progress, say};
use workbench::statistics::Interval;
use workbench::training::{Epoch, Options};

#[derive(Args, Clone, Debug)]
pub struct TrainArgs {
    #[command(flatten)]
    pub training: TrainingArgs,
    #[command(flatten)]
    pub data: DataArgs,
    /// What is trained [default: din in the shop, sasrec on a file]
    #[arg(long, value_enum)]
    pub model: Option<Choice>,
}

#[derive(Serialize)]
struct Results<'a> {
    seed: u64,
    model: String,
    parameters: usize,
    data: &'a str,
    /// HR@10 and NDCG@10, by ruler.
    scores: Vec<[Interval; 2]>,
    epochs: &'a [Epoch],
}

/// Customers that are judged.
const MOST: usize = 10_000;

pub fn train(arguments: &TrainArgs) -> Result<()> {
    let TrainArgs { training, data: of, model } = arguments;
    let choice = model.unwrap_or(if of.data.is_some() { Choice::Sasrec } else { Choice::Din });
    if choice.is_counted() {
        let reason = format!(
            "--model {}: it only counts; a trained model is judged beside it",
            choice.name()
        );
        return Err(Error::argument(reason));
    }
    let (recipe, seed) = (Recipe::new(choice), training.common.seed);
    let mut session = Session::begin(KIND, training, recipe.options(seed))?;
    holds_own_model(session.model(), &[KIND])?;
    let data = open(of, seed)?;
    let parts = split(&data)?;
    let (fitted, history) = session.train(|options| fit(&recipe, &data, &parts, options))?;
    let Fitted::Trained(mut model) = fitted else { unreachable!("is trained") };
    let (epochs, rate) = (session.options.epochs, session.options.schedule.rate);
    let description = Description {
        model: KIND.to_owned(),
        recipe: Recipe { epochs, rate, ..recipe },
        items: data.items.clone(),
        kinds: data.kinds.clone(),
    };
    session.save("it was not judged", |folder| {
        save_parameters(&folder.join(MODEL_FILE), &mut model, &description)
    })?;
    let parameters = model.parameter_count();
    let fitted = Fitted::Trained(model);
    let scores = report(&recipe, &fitted, &data, &parts)?;
    let case = if of.data.is_none() { Case::of(seed + 1) } else { None };
    if let Some(picture) = case.and_then(|case| case.picture(&fitted)) {
        session.output.figure("weights", &picture)?;
    }
    let (model, epochs, data) = (choice.name(), &history.epochs, &data.name);
    session.finish(&Results { seed, model, parameters, data, scores, epochs })
}

fn open(arguments: &DataArgs, seed: u64) -> Result<Data> {
    let Some(path) = &arguments.data else { return Ok(Data::shop(&Sizes::default(), seed)) };
    let (data, notices) = read_interactions(path, arguments)?;
    notices.iter().for_each(say);
    Ok(data)
}

/// Leave-last-out, with at most [`MOST`] customers in the test.
fn split(data: &Data) -> Result<Parts> {
    let mut parts = Parts::last_out(data);
    if parts.training(data).next().is_none() || parts.test.is_empty() {
        let reason = "nothing is left to train on when two purchases a customer are held out";
        return Err(Error::file(Path::new(&data.name), reason));
    }
    let every = parts.test.len().div_ceil(MOST);
    if every > 1 {
        parts.test = parts.test.into_iter().step_by(every).collect();
        say(format!("{} customers are judged: one of {every}", parts.test.len()));
    }
    Ok(parts)
}

/// How well a trained model ranks, beside what only counts; how often it points at the reason; one recommendation.
fn report(
    recipe: &Recipe,
    fitted: &Fitted,
    data: &Data,
    parts: &Parts,
) -> Result<Vec<[Interval; 2]>> {
    let mut table = Table::new(["model", "ruler", "HR@10, %", "NDCG@10, %"]);
    let scores = judge_into(&mut table, &recipe.choice.name(), fitted, data, parts)?;
    for choice in [Choice::ItemToItem, Choice::LastItem, Choice::Popularity] {
        match fit(&Recipe::new(choice), data, parts, &Options::default()) {
            Ok((counted, _)) => _ = judge_into(&mut table, &choice.name(), &counted, data, parts)?,
            Err(error) => say(format!("{} is left out: {error}", choice.name())),
        }
    }
    say(format!("\n{table}"));
    say(
        "mean over customers, 95 % of 1000 resamplings of them; the last purchase of each is held out\n",
    );
    let case = (data, &parts.test[..], recipe.longest);
    if let Some((count, rate)) = reason_rate(case, &|history, item| fitted.weights(history, item)) {
        let percent = 100.0 * rate;
        say(format!(
            "the largest weight lies on the reason in {percent:.1} % of {count} purchases that have one\n"
        ));
    }
    let example = parts.test[0];
    explain(fitted, example.history(data, recipe.longest), data);
    say(format!("bought: {}", data.items[example.bought(data)]));
    Ok(scores)
}

/// Judges a model by every ruler, a line of the table each.
fn judge_into(
    table: &mut Table<4>,
    name: &str,
    fitted: &Fitted,
    data: &Data,
    parts: &Parts,
) -> Result<Vec<[Interval; 2]>> {
    let message = format!("judging {name}");
    let bar = progress(parts.test.len() as u64, "customers").with_message(message);
    let case = (data, &parts.test[..], Recipe::new(Choice::Din).longest);
    let rulers = RULERS.map(|(_, ruler)| ruler);
    let judged = judge(case, parts.popularity(data).counts(), &rulers, &|histories| {
        bar.inc(histories.len() as u64);
        fitted.scores(histories, data.items.len())
    })?;
    bar.finish_and_clear();
    let show = |x: Interval| {
        let [mean, low, high] = [x.estimate, x.low, x.high].map(|x| format!("{:.1}", 100.0 * x));
        format!("{mean} ({low} to {high})")
    };
    for ((ruler, _), [hit, ndcg]) in RULERS.iter().zip(&judged) {
        table.row([name.to_owned(), (*ruler).to_owned(), show(*hit), show(*ndcg)]);
    }
    Ok(judged.into_iter().map(|both| both.map(Interval::rounded)).collect())
}
