//! `recommend`: ten items for a history, with the actions that speak for each.

use super::data::Data;
use super::fit::Fitted;
use super::recipe::Recipe;
use crate::{Action, Histories, top};
use clap::Args;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use workbench::error::{Error, Result};
use workbench::parameters::ParameterFile;
use workbench::program::say;

#[derive(Args, Clone, Debug)]
pub struct RecommendArgs {
    /// The model that `train` left
    #[arg(long, value_name = "FILE", default_value = "out/recommendation/model/model.safetensors")]
    pub checkpoint: PathBuf,
    /// What the customer did, oldest first, with commas between; `(view)` or `(basket)` after an item
    #[arg(long, value_name = "ITEM,…", value_delimiter = ',', required = true)]
    pub history: Vec<String>,
}

/// The description of a model in its file of parameters.
#[derive(Serialize, Deserialize)]
pub struct Description {
    pub model: String,
    pub recipe: Recipe,
    pub items: Vec<String>,
    pub kinds: Vec<String>,
}

pub const KIND: &str = "recommendation";

pub fn recommend(arguments: &RecommendArgs) -> Result<()> {
    let file = ParameterFile::open(&arguments.checkpoint)?;
    let Description { model: kind, recipe, items, kinds } = file.description()?;
    let fits = kind == KIND && recipe.fits(items.len(), kinds.len(), file.count());
    let model = if fits { recipe.model(items.len(), kinds.len(), 0) } else { None };
    let mut model = model.ok_or_else(|| {
        let reason = "a model of another program, or of sizes that its numbers have not";
        Error::file(&arguments.checkpoint, reason)
    })?;
    file.load(&mut model)?;
    let data = Data { items, kinds, ..Data::default() };
    let mut history = Vec::new();
    for text in arguments.history.iter().map(|text| text.trim()) {
        let mut kinds = data.kinds.iter().enumerate();
        let kind = kinds.find_map(|(i, kind)| Some((text.strip_suffix(&format!(" ({kind})"))?, i)));
        let (name, kind) = kind.unwrap_or((text, data.purchase()));
        match data.items.iter().position(|item| item == name) {
            Some(item) => history.push(Action { item, kind }),
            None => say(format!("`{name}`: not in the catalogue, left out")),
        }
    }
    if history.is_empty() {
        return Err(Error::argument("--history: none of these items is in the model's catalogue"));
    }
    let first = history.len().saturating_sub(recipe.longest);
    explain(&Fitted::Trained(model), &history[first..], &data);
    Ok(())
}

const SHOWN: usize = 10;

/// Ten items, each with the actions that speak for it most.
pub fn explain(fitted: &Fitted, history: &[Action], data: &Data) {
    let last = &history[history.len().saturating_sub(SHOWN)..];
    let shown: Vec<String> = last.iter().map(|action| data.show(action)).collect();
    say(format!("after … {}", shown.join(", ")));
    let scores = fitted.scores(&Histories::new(&[history]), data.items.len());
    for (place, item) in top(scores.as_slice(), SHOWN).into_iter().enumerate() {
        let weights = fitted.weights(history, item).unwrap_or_default();
        let because = top(&weights, 2).into_iter().filter(|i| weights[*i] > 0.1);
        let because = because.map(|i| format!("{} {:.2}", data.show(&history[i]), weights[i]));
        let because = because.collect::<Vec<_>>().join(", ");
        let because = if because.is_empty() { "–" } else { &because };
        say(format!("{:3}  {:32} because of {because}", place + 1, data.items[item]));
    }
}
