//! `train`, `recommend` and `evaluate`.

use super::data::Data;
use super::fit::{Choice, Fitted, Recipe, fit, popularity};
use super::interactions::{DataArgs, read_interactions};
use super::judge::{Judged, RULERS, judge, reason_rate, reasons};
use super::split::{Example, Parts, Split};
use super::weights::Case;
use crate::rulers::Ruler;
use crate::world::Sizes;
use crate::{Action, Histories, Model, top};
use clap::Args;
use serde::{Deserialize, Serialize};
use shared::{Float, Module};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use workbench::error::{Error, Result};
use workbench::files::holds_own_model;
use workbench::files::marks::{must_be_free, of_program, write_marked};
use workbench::memory::must_fit;
use workbench::parameters::{MODEL_FILE, ParameterFile, save_parameters};
use workbench::program::{Common, Output, Table, TrainingArgs, progress, say, within};
use workbench::study::Interval;
use workbench::training::{Watch, json};

#[derive(Args, Clone, Debug)]
pub struct TrainArgs {
    #[command(flatten)]
    pub common: Common,
    #[command(flatten)]
    pub training: TrainingArgs,
    #[command(flatten)]
    pub data: DataArgs,
    /// What is trained [default: din in the shop, sasrec on a file]
    #[arg(long, value_enum)]
    pub model: Option<Choice>,
    #[command(flatten)]
    pub sizes: SizeArgs,
    /// Write how many items score higher than what was bought next, customer by customer, as JSON
    #[arg(long, value_name = "FILE")]
    pub ranks: Option<PathBuf>,
}

/// Sizes of a model, where they are not the chapter's.
#[derive(Args, Clone, Debug, Default)]
pub struct SizeArgs {
    /// Entries of an item's vector
    #[arg(long, value_name = "N", value_parser = within(1..=4096))]
    pub width: Option<usize>,
    /// Hidden units, of what scores an action or reads the history
    #[arg(long, value_name = "N", value_parser = within(1..=16_384))]
    pub hidden: Option<usize>,
    /// SASRec's blocks
    #[arg(long, value_name = "N", value_parser = within(1..=64))]
    pub blocks: Option<usize>,
    /// SASRec's heads, which share the width
    #[arg(long, value_name = "N", value_parser = within(1..=64))]
    pub heads: Option<usize>,
    /// How far apart the parts of 50 actions begin of which sequential models learn; below 50 they overlap
    #[arg(long, value_name = "N", value_parser = within(1..=50))]
    pub stride: Option<usize>,
    /// How many units sequential models leave out while they are trained
    #[arg(long, value_name = "P")]
    pub dropout: Option<Float>,
}

impl SizeArgs {
    pub fn of(&self, recipe: Recipe) -> Result<Recipe> {
        let (width, heads) =
            (self.width.unwrap_or(recipe.width), self.heads.unwrap_or(recipe.heads));
        if width % heads > 0 {
            return Err(Error::argument(format!(
                "--heads {heads}: they do not share a width of {width}"
            )));
        }
        let dropout = self.dropout.unwrap_or(recipe.dropout);
        if !(0.0..1.0).contains(&dropout) {
            return Err(Error::argument(format!(
                "--dropout {dropout}: 0 or more and below 1 is needed"
            )));
        }
        let (hidden, blocks) =
            (self.hidden.unwrap_or(recipe.hidden), self.blocks.unwrap_or(recipe.blocks));
        let stride = self.stride.unwrap_or(recipe.stride);
        Ok(Recipe { width, hidden, stride, blocks, heads, dropout, ..recipe })
    }
}

#[derive(Args, Clone, Debug)]
pub struct RecommendArgs {
    /// The model that `train` left
    #[arg(long, value_name = "FILE", default_value = "out/recommendation/model.safetensors")]
    pub checkpoint: PathBuf,
    /// What the customer did, oldest first, with commas between; `(view)` or `(basket)` after an item
    #[arg(long, value_name = "ITEM,…", value_delimiter = ',', required = true)]
    pub history: Vec<String>,
}

#[derive(Args, Clone, Debug)]
pub struct EvaluateArgs {
    /// Seed of every random number: same seed, same results
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    #[command(flatten)]
    pub data: DataArgs,
    /// What is counted or trained, and judged
    #[arg(long, value_enum, value_name = "MODEL,…", value_delimiter = ',', default_values_t = [Choice::Popularity, Choice::LastItem, Choice::ItemToItem, Choice::Sasrec])]
    pub models: Vec<Choice>,
    /// Against 100 negatives as well, uniform and popular
    #[arg(long)]
    pub rulers: bool,
}

const KIND: &str = "recommendation";
const SHOWN: usize = 10;
/// Parts between commas that a name may have.
const MOST_PARTS: usize = 16;
/// Customers that are judged.
const MOST: usize = 10_000;

/// What a file of parameters says of its model.
#[derive(Serialize, Deserialize)]
pub struct Description {
    pub model: String,
    pub recipe: Recipe,
    pub items: Vec<String>,
    pub kinds: Vec<String>,
}

fn open(arguments: &DataArgs, seed: u64) -> Result<Data> {
    let Some(path) = &arguments.data else { return Ok(Data::shop(&Sizes::default(), seed)) };
    let (data, notices) = read_interactions(path, arguments)?;
    notices.iter().for_each(say);
    Ok(data)
}

/// The logits of a softmax over all items, or the pairs of candidates and actions: some four copies. Or
/// counts of pairs of items, where every purchase may make as many new ones as its history has.
fn must_have_memory(recipe: &Recipe, data: &Data) -> Result<()> {
    let (items, actions) = (data.items.len() as u64, (recipe.batch * recipe.longest) as u64);
    let all: usize = data.customers.iter().map(|customer| customer.actions.len()).sum();
    let pairs = |each: usize| (all as u64 * each as u64).min(items.saturating_mul(items));
    let numbers = match recipe.choice {
        Choice::Popularity => items,
        Choice::LastItem => 2 * pairs(1),
        choice if choice.is_counted() => 2 * pairs(recipe.longest),
        choice if choice.is_sequential() => actions * items,
        _ => actions * 8 * recipe.hidden as u64,
    };
    let what = format!("`{}` on these items", recipe.choice.name());
    must_fit(&what, numbers.checked_mul(16))
}

pub fn train(arguments: &TrainArgs) -> Result<()> {
    let given = arguments.data.data.is_some();
    let choice = arguments.model.unwrap_or(if given { Choice::Sasrec } else { Choice::Din });
    if choice.is_counted() {
        let reason = format!("--model {}: it only counts; `evaluate` judges it", choice.name());
        return Err(Error::argument(reason));
    }
    let (recipe, seed) = (arguments.sizes.of(Recipe::new(choice))?, arguments.common.seed);
    let options = arguments.training.options(&arguments.common, recipe.options(seed))?;
    arguments.training.precision.begin()?;
    let data = open(&arguments.data, seed)?;
    let output = Output::open(&arguments.common, KIND)?;
    holds_own_model(output.folder(), &[KIND])?;
    arguments.ranks.as_deref().map_or(Ok(()), must_be_apart)?;
    must_have_memory(&recipe, &data)?;
    let parts = split(&data)?;
    let as_trained = Recipe { epochs: options.epochs, rate: options.schedule.rate, ..recipe };
    let watch = Watch::begin(); // from here on until the model is saved, Ctrl-C waits
    let (fitted, history) = fit(&recipe, &data, &parts, seed, |_| options)?;
    let Fitted::Trained(mut model) = fitted else { unreachable!("is trained") };
    let Data { items, kinds, .. } = &data;
    let (items, kinds) = (items.clone(), kinds.clone());
    let description = Description { model: KIND.to_owned(), recipe: as_trained, items, kinds };
    let path = output.folder().join(MODEL_FILE);
    save_parameters(&path, &mut model, &description)?;
    watch.saved(format!("interrupted after training: the model is in {}", path.display()))?;
    let parameters = model.parameter_count();
    let fitted = Fitted::Trained(model);
    let judged = report(&recipe, &fitted, &data, &parts)?;
    let case = if given { None } else { Case::of(seed + 1) };
    if let Some(picture) = case.and_then(|case| case.picture(&fitted)) {
        output.figure("weights", &picture)?;
    }
    if let Some(path) = &arguments.ranks {
        let above: Vec<f64> =
            judged.first.iter().map(|rank| rank.above as f64 + rank.equal as f64 / 2.0).collect();
        let ranks = json!({ "program": KIND, "ranks": above });
        write_marked(path, &of_program(KIND), format!("{ranks:#}").as_bytes())?;
    }
    let rounded =
        |all: Vec<Interval>| -> Vec<_> { all.into_iter().map(Interval::rounded).collect() };
    let [hit, ndcg] = [judged.hit, judged.ndcg].map(rounded);
    output.results(&json!({
        "seed": seed, "model": choice.name(), "parameters": parameters, "data": data.name,
        "hit": hit, "ndcg": ndcg, "epochs": history.epochs,
    }))?;
    say(format!("\nthe model is in {}", path.display()));
    Ok(())
}

/// Refuses a place for ranks that is not free, or that the program needs for something else.
fn must_be_apart(ranks: &Path) -> Result<()> {
    if ["results.json", "weights.svg", MODEL_FILE].iter().any(|name| ranks.ends_with(name)) {
        return Err(Error::file(ranks, "this name is needed for something else: choose another"));
    }
    must_be_free(ranks, &of_program(KIND))
}

/// How well a trained model ranks, beside popularity; how often it points at the reason; one recommendation.
fn report(recipe: &Recipe, fitted: &Fitted, data: &Data, parts: &Parts) -> Result<Judged> {
    let mut table = Table::new(["model", "ruler", "HR@10, %", "NDCG@10, %"]);
    let judged =
        add(&mut table, &recipe.choice.name(), fitted, data, parts, recipe.longest, &RULERS)?;
    let counted = Fitted::Popularity(popularity(data, parts));
    add(&mut table, "popularity", &counted, data, parts, recipe.longest, &RULERS)?;
    say(format!("\n{table}"));
    let case = (data, &parts.test[..], recipe.longest);
    let found = reasons(case, &|history, candidate| fitted.weights(history, candidate));
    if let Some(found @ [_, ..]) = found.as_deref() {
        say(format!(
            "the largest weight lies on the reason in {:.1} % of {} purchases that have one\n",
            100.0 * reason_rate(found).0.estimate,
            found.len()
        ));
    }
    if let Some(example) = parts.test.first() {
        let history = example.history(data, recipe.longest);
        explain(fitted, history, &data.items, &|action| data.show(action));
        say(format!("bought: {}", data.items[example.bought(data)]));
    }
    Ok(judged)
}

/// Leave-last-out, with at most [`MOST`] customers in the test.
fn split(data: &Data) -> Result<Parts> {
    let mut parts = Split::LeaveLastOut.of(data);
    let known = popularity(data, &parts);
    if known.counts().iter().all(|count| *count == 0.0) || parts.test.is_empty() {
        let reason = "nothing is left to train on when two purchases a customer are held out";
        return Err(Error::file(Path::new(&data.name), reason));
    }
    let every = parts.test.len().div_ceil(MOST);
    if every > 1 {
        parts.test = parts.test.into_iter().step_by(every).collect();
        say(format!("{} customers are judged: one of {every}", parts.test.len()));
    }
    let unseen = |example: &&Example| known.counts()[example.bought(data)] == 0.0;
    let unseen = parts.test.iter().filter(unseen).count();
    if unseen > 0 {
        say(format!(
            "{unseen} of the purchases of the test are of items that nobody buys in training; they count"
        ));
    }
    Ok(parts)
}

/// A line for each ruler.
fn add(
    table: &mut Table<4>,
    name: &str,
    fitted: &Fitted,
    data: &Data,
    parts: &Parts,
    longest: usize,
    rulers: &[(&str, Ruler)],
) -> Result<Judged> {
    let counts = popularity(data, parts);
    let bar =
        progress(parts.test.len() as u64, "customers").with_message(format!("judging {name}"));
    let scores = |histories: &Histories| {
        let scores = fitted.scores(histories, data.items.len());
        bar.inc(histories.len() as u64);
        scores
    };
    let by: Vec<Ruler> = rulers.iter().map(|(_, ruler)| *ruler).collect();
    let judged = judge((data, &parts.test, longest), counts.counts(), &by, &scores)?;
    bar.finish_and_clear();
    let show = |x: Interval| {
        format!("{:.1} ({:.1} to {:.1})", 100.0 * x.estimate, 100.0 * x.low, 100.0 * x.high)
    };
    for (i, (ruler, _)) in rulers.iter().enumerate() {
        let cells =
            [name.to_owned(), (*ruler).to_owned(), show(judged.hit[i]), show(judged.ndcg[i])];
        table.row(cells);
    }
    Ok(judged)
}

/// Ten items, each with the actions that speak for it most.
fn explain(
    fitted: &Fitted,
    history: &[Action],
    items: &[String],
    show: &dyn Fn(&Action) -> String,
) {
    let shown: Vec<String> = history.iter().rev().take(SHOWN).rev().map(show).collect();
    say(format!("after … {}", shown.join(", ")));
    let scores = fitted.scores(&Histories::new(&[history]), items.len());
    for (place, item) in top(scores.as_slice(), SHOWN).into_iter().enumerate() {
        let weights = fitted.weights(history, item).unwrap_or_default();
        let because: Vec<String> = top(&weights, 2)
            .into_iter()
            .filter(|i| weights[*i] > 0.1 as Float)
            .map(|i| format!("{} {:.2}", show(&history[i]), weights[i]))
            .collect();
        let because = if because.is_empty() { "–".to_owned() } else { because.join(", ") };
        say(format!("{:3}  {:32} because of {because}", place + 1, items[item]));
    }
}

pub fn recommend(arguments: &RecommendArgs) -> Result<()> {
    let file = ParameterFile::open(&arguments.checkpoint)?;
    let Description { model: kind, recipe, items, kinds } = file.description()?;
    if kind != KIND || !recipe.fits(items.len(), kinds.len(), file.count()) {
        let reason = "a model of another program, or of sizes that its numbers have not";
        return Err(Error::file(&arguments.checkpoint, reason));
    }
    let model = recipe.model(items.len(), kinds.len(), 0);
    let mut model: Model = model
        .ok_or_else(|| Error::file(&arguments.checkpoint, "describes a model that only counts"))?;
    file.load(&mut model)?;
    let last = kinds.len() - 1;
    let numbers: HashMap<&str, usize> =
        items.iter().enumerate().map(|(number, item)| (&**item, number)).collect();
    let action = |text: &str| {
        let text = text.trim();
        let known = |(kind, name): (usize, &String)| {
            let item = text.strip_suffix(&format!(" ({name})"))?;
            Some((item, kind))
        };
        let (name, kind) = kinds.iter().enumerate().find_map(known).unwrap_or((text, last));
        Some(Action { item: *numbers.get(name)?, kind })
    };
    let mut history = Vec::new();
    let mut left = &arguments.history[..];
    while let Some(first) = left.first() {
        // A name may have commas in it.
        let most = left.len().min(MOST_PARTS);
        let found = (1..=most).rev().find_map(|n| Some((n, action(&left[..n].join(","))?)));
        if found.is_none() {
            say(format!("`{}`: not in the catalogue, left out", first.trim()));
        }
        left = &left[found.map_or(1, |(parts, _)| parts)..];
        history.extend(found.map(|(_, action)| action));
    }
    if history.is_empty() {
        return Err(Error::argument("--history: none of these items is in the model's catalogue"));
    }
    let first = history.len().saturating_sub(recipe.longest);
    let show = |Action { item, kind }: &Action| {
        let name = &items[*item];
        if *kind == last { name.clone() } else { format!("{name} ({})", kinds[*kind]) }
    };
    explain(&Fitted::Trained(model), &history[first..], &items, &show);
    Ok(())
}

pub fn evaluate(arguments: &EvaluateArgs) -> Result<()> {
    let seed = arguments.seed;
    let data = open(&arguments.data, seed)?;
    let parts = split(&data)?;
    let mut table = Table::new(["model", "ruler", "HR@10, %", "NDCG@10, %"]);
    let rulers = if arguments.rulers { &RULERS[..] } else { &RULERS[..1] };
    for choice in &arguments.models {
        let recipe = Recipe::new(*choice);
        must_have_memory(&recipe, &data)?;
        let (fitted, _) = fit(&recipe, &data, &parts, seed, |options| {
            workbench::training::Options { progress: true, title: choice.name(), ..options }
        })?;
        add(&mut table, &choice.name(), &fitted, &data, &parts, recipe.longest, rulers)?;
    }
    say(format!("\n{table}"));
    say(
        "mean over customers, 95 % of 1000 resamplings of them; the last purchase of each is held out",
    );
    Ok(())
}
