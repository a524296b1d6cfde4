//! Full training steps of SASRec on random histories: what this machine does.

use super::fit::{Choice, Recipe};
use super::train::SizeArgs;
use crate::{Action, Histories, Question};
use clap::Args;
use rand::RngExt;
use shared::{Adam, Float, Module, Optimizer, loss_and_gradients, rng};
use workbench::error::Result;
use workbench::program::within;
use workbench::steps::{StepReport, TimingArgs, time_steps};

const SHARDS: usize = 2;

#[derive(Args, Clone, Debug)]
pub struct BenchArgs {
    #[command(flatten)]
    sizes: SizeArgs,
    /// Histories of 50 actions in a batch
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = within(1..=4096))]
    batch: usize,
    /// How many items there are
    #[arg(long, value_name = "N", default_value_t = 1682, value_parser = within(2..=100_000))]
    items: usize,
    /// Ask for an answer after every action, as training does, and not only after the last
    #[arg(long)]
    every: bool,
    #[command(flatten)]
    timing: TimingArgs,
}

/// Times training steps and prints the report.
pub fn bench(arguments: &BenchArgs) -> Result<()> {
    let duration = arguments.timing.begin()?;
    let BenchArgs { batch, items, every, .. } = *arguments;
    let recipe = arguments.sizes.of(Recipe::new(Choice::Sasrec))?;
    let mut model = recipe.model(items, 1, 0).expect("is trained");
    let shards = random_shards(&recipe, batch, items, every);
    let answers: usize = shards.iter().map(Question::answers).sum();
    let mut adam = Adam::new(1e-3);
    let steps = time_steps(duration, |step| {
        let numbered: Vec<_> = shards.iter().enumerate().collect();
        let (_, gradients) = loss_and_gradients(&numbered, |tape, (number, shard)| {
            tape.begin_training(rng((step * SHARDS + number) as u64));
            model.loss(tape, shard)
        });
        adam.scaled_step(&mut model, &gradients, 1.0 / answers as Float);
    });
    let (parameters, actions) = (model.parameter_count(), batch * recipe.longest);
    let report = StepReport::new("sasrec".to_owned(), parameters, actions, &steps, None);
    let text = format!(
        "{batch} histories of {} actions, {answers} answers, {items} items, {parameters} parameters, {} threads\n{report}",
        recipe.longest, report.threads
    );
    arguments.timing.print(&report, text)
}

fn random_shards(recipe: &Recipe, batch: usize, items: usize, every: bool) -> Vec<Question> {
    let (rng, length) = (&mut rng(1), recipe.longest);
    let mut draw = |count| (0..count).map(|_| rng.random_range(0..items)).collect::<Vec<usize>>();
    let histories: Vec<Vec<Action>> = (0..batch)
        .map(|_| draw(length).into_iter().map(|item| Action { item, kind: 0 }).collect())
        .collect();
    let mut question = |own: &[Vec<Action>]| {
        let histories = Histories::new(&own.iter().map(Vec::as_slice).collect::<Vec<_>>());
        let columns = if every { (0..histories.items.len()).collect() } else { histories.last() };
        let next = draw(columns.len());
        Question::Next { histories, columns, next }
    };
    histories.chunks(batch.div_ceil(SHARDS)).map(&mut question).collect()
}
