//! The experiment of chapter 8: `cargo run --release -p hard_attention`.

use clap::{Parser, ValueEnum};
use hard_attention::experiment::training::{Kind, SAMPLES};
use hard_attention::experiment::{self, Config, Results, collapse, in_turn, marginal};
use std::collections::BTreeMap;
use std::process::ExitCode;
use workbench::Claim;
use workbench::program::{Common, Output, Table, parse, progress, run, say};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Can one look at a single place, and still learn where?
///
/// Draws thousands of REINFORCE estimates of one gradient and holds them against the gradient itself,
/// which is found by visiting all places; then lets soft and hard attention learn the same lookup:
/// sixty-four places, a digit at each, a noisy question for one of them. Writes figures and
/// results.json.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(flatten)]
    common: Common,
    /// How often each training is repeated, in another world with other data
    #[arg(long, value_name = "N", default_value_t = Config::default().seeds as u64,
          value_parser = clap::value_parser!(u64).range(1..=1000))]
    seeds: u64,
    /// Training steps
    #[arg(long, value_name = "N", default_value_t = Config::default().steps as u64,
          value_parser = clap::value_parser!(u64).range(SAMPLES as u64..=1_000_000))]
    steps: u64,
    /// Estimates that are averaged
    #[arg(long, value_name = "N", default_value_t = Config::default().draws as u64,
          value_parser = clap::value_parser!(u64).range(100..=10_000_000))]
    draws: u64,
    /// Weight of the entropy bonus
    #[arg(long, value_name = "λ", default_value_t = f64::from(Config::default().lambda),
          value_parser = number)]
    lambda: f64,
    /// Episodes in a batch, sixteen questions each
    #[arg(long, value_name = "N", default_value_t = Config::default().episodes as u64,
          value_parser = clap::value_parser!(u64).range(1..=1000))]
    episodes: u64,
    /// Step size of Adam
    #[arg(long, value_name = "η", default_value_t = f64::from(Config::default().learning_rate),
          value_parser = number)]
    learning_rate: f64,
    /// Instead: trains for one of the page's longer questions
    #[arg(long, value_enum, value_name = "QUESTION")]
    about: Option<About>,
}

/// A question that takes minutes.
#[derive(Clone, Copy, ValueEnum)]
enum About {
    /// The marginal likelihood beside its bound
    Marginal,
    /// Why alignments sharpen early: one change at a time
    Collapse,
    /// Several looks in turn, and the credit of each
    Sequence,
}

fn number(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number > 0.0 && number as f32 == 0.0 => {
            Err("it is too small for single precision".into())
        }
        Ok(number) if (0.0..=100.0).contains(&number) => Ok(number),
        _ => Err("it must be a number from 0 to 100".into()),
    }
}

fn main() -> ExitCode {
    let Arguments { common, seeds, steps, draws, lambda, episodes, learning_rate, about } = parse();
    run(|| {
        let output = Output::open(&common, "hard_attention")?;
        let config = Config {
            seed: common.seed,
            seeds: seeds as usize,
            steps: steps as usize,
            draws: draws as usize,
            lambda: lambda as f32,
            episodes: episodes as usize,
            learning_rate: learning_rate as f32,
        };
        if let Some(about) = about {
            return answer(about, &config, &output);
        }
        let bar = progress(experiment::trainings(&config) as u64, "trainings");
        bar.set_message("soft and hard");
        let results = experiment::run(&config, || bar.inc(1));
        bar.finish_and_clear();
        tell(&config, &results);
        for (name, figure) in experiment::figures(&config, &results) {
            output.figure(name, &figure)?;
        }
        output.results(&results)?;
        say(format!("\nFigures and results.json are in {}", output.folder().display()));
        Ok(())
    })
}

/// One of the longer questions: trains, prints, writes results.json.
fn answer(about: About, config: &Config, output: &Output) -> workbench::error::Result<()> {
    let count = match about {
        About::Marginal => marginal::count(config),
        About::Collapse => collapse::count(config),
        About::Sequence => in_turn::count(config),
    };
    let bar = progress(count as u64, "trainings");
    let done = || bar.inc(1);
    let claims = match about {
        About::Marginal => {
            let results = marginal::run(config, done);
            tell_marginal(&results);
            output.results(&results)?;
            results.claims
        }
        About::Collapse => {
            let results = collapse::run(config, done);
            tell_collapse(&results);
            output.results(&results)?;
            results.claims
        }
        About::Sequence => {
            let results = in_turn::run(config, done);
            tell_in_turn(&results);
            output.results(&results)?;
            results.claims
        }
    };
    bar.finish_and_clear();
    tell_claims(&claims);
    say(format!("\nresults.json is in {}", output.folder().display()));
    Ok(())
}

fn tell_claims(claims: &BTreeMap<String, Claim>) {
    claims.values().for_each(say);
}

fn tell_marginal(results: &marginal::Marginal) {
    let mut table = Table::new(["trained on", "solved", "right", "lowest", "J", "−ln p(y)"]);
    for (name, at) in &results.trained {
        table.row([
            name.clone(),
            format!("{}/{}", at.solved, results.seeds),
            format!("{:.3}", at.accuracy.mean),
            format!("{:.3}", at.accuracy.lowest),
            format!("{:.3}", at.bound.mean),
            format!("{:.3}", at.marginal.mean),
        ]);
    }
    say(&table);
}

fn tell_collapse(results: &collapse::Collapse) {
    let heads = ["trained by", "change", "solved", "right", "first nats", "early nats", "reading"];
    let mut table = Table::new(heads);
    for (method, changes) in &results.trained {
        for (change, at) in changes {
            table.row([
                method.replace('_', " "),
                change.replace('_', " "),
                format!("{}/{}", at.solved, results.seeds),
                format!("{:.3}", at.accuracy.mean),
                format!("{:.2}", at.first_entropy.mean),
                format!(
                    "{:.2} ({:.2} to {:.2})",
                    at.early_entropy.mean, at.early_entropy.lowest, at.early_entropy.highest
                ),
                format!("{:.2}", at.early_reading.mean),
            ]);
        }
    }
    say(&table);
}

fn tell_in_turn(results: &in_turn::InTurn) {
    let mut table =
        Table::new(["when", "credit", "furthest entry", "cosine", "length", "variance"]);
    for (when, ways) in &results.estimates {
        for (way, at) in ways {
            table.row([
                when.clone(),
                way.replace('_', " "),
                format!("{:.1}", at.largest_z),
                format!("{:.4}", at.cosine),
                format!("{:.3}", at.length),
                format!("{:.3}", at.variance),
            ]);
        }
    }
    say(&table);
    let mut table = Table::new(["asked", "taught by", "solved", "last right", "steps to 0.8"]);
    for (asked, ways) in &results.trained {
        for (way, at) in ways {
            table.row([
                asked.replace('_', " "),
                way.replace('_', " "),
                format!("{}/{}", at.solved, results.seeds),
                format!("{:.3} ({:.3} to {:.3})", at.last.mean, at.last.lowest, at.last.highest),
                format!("{:.0}", at.steps_to_80.mean),
            ]);
        }
    }
    say(&table);
}

fn tell(config: &Config, results: &Results) {
    for (when, study) in &results.study {
        let mut table = Table::new(["baseline", "b", "variance", "measured", "furthest entry"]);
        for name in ["none", "moving", "optimal"] {
            let at = &study.baselines[name];
            table.row([
                name.to_string(),
                format!("{:.2}", at.baseline),
                format!("{:.3}", at.variance),
                format!("{:.3}", at.measured),
                format!("{:.1} standard errors", at.largest_z),
            ]);
        }
        say(format!("{} estimates of one gradient and its enumerated value, {when}", config.draws));
        say(&table);
        let biased = &study.straight_through;
        say(format!(
            "straight-through: furthest entry {:.0} standard errors, cosine with the gradient {:.3}\n",
            biased.largest_z, biased.cosine
        ));
    }
    let mut table = Table::new([
        "trained by",
        "argmax",
        "lowest",
        "solved",
        "mean",
        "sampled",
        "found",
        "elsewhere",
        "entropy",
        "steps to 0.8",
        "noise",
        "ms/step",
    ]);
    for kind in Kind::ALL {
        let at = &results.trained[kind.name()];
        table.row([
            kind.name().replace('_', " "),
            format!("{:.3}", at.accuracy),
            format!("{:.3}", at.lowest),
            format!("{}/{}", at.solved, config.seeds),
            format!("{:.3}", at.mean),
            format!("{:.3}", at.sampled),
            format!("{:.3}", at.found),
            format!("{:.3}", at.found_elsewhere),
            format!("{:.2}", at.entropy),
            at.steps_to_80.map_or("·".into(), |steps| steps.to_string()),
            results.noise["late"]
                .get(kind.name())
                .map_or("·".into(), |n| format!("{:.2}", n.batches)),
            format!("{:.2}", results.measured[kind.name()]),
        ]);
    }
    say(format!(
        "Retrieval: share of right answers after {} steps, {} seeds",
        config.steps, config.seeds
    ));
    say(&table);
    let mut table = Table::new(["λ", "argmax", "solved", "entropy", "steps to 0.8"]);
    for (name, at) in &results.bonus {
        table.row([
            if name == "default" { config.lambda.to_string() } else { name.replace('_', ".") },
            format!("{:.3}", at.accuracy),
            format!("{}/{}", at.solved, config.seeds),
            format!("{:.2}", at.entropy),
            at.steps_to_80.map_or("·".into(), |steps| steps.to_string()),
        ]);
    }
    say("The entropy bonus");
    say(&table);
    say(format!("One who knows the world: {:.3}", results.ceiling.accuracy));
    tell_claims(&results.claims);
}
