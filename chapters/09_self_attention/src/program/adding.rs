//! Chapter 4's adding problem and its gradients, once more, beside the recurrent cells.

mod asker;
mod flow;

pub use asker::Asker;
pub use flow::{norm_at_marks, norms};

use super::config::Config;
use super::section::{JudgedClaim, Section};
use recurrent_networks::program as chapter_4;
use recurrent_networks::program::adding::{LOOK, SOLVED, train};
use recurrent_networks::program::flow::LAGS;
use recurrent_networks::program::{Added, Cell, Learned, add, by_distance, geometric_mean};
use recurrent_networks::program::{learning, summary};
use serde::{Deserialize, Serialize};
use shared::{Float, Module, rng};
use std::collections::BTreeMap;
use workbench::error::Result;
use workbench::figure::Svg;
use workbench::figure::colour::{self, Colour};
use workbench::program::{Table, say};
use workbench::study::{mean, short, trainings, with_seeds};

/// Gradients are measured, and the recurrent cells trained, at this length.
pub const LENGTH: usize = chapter_4::flow::LENGTH;

/// The lengths at which self-attention learns to add: three of chapter 4's.
pub const LENGTHS: [usize; 3] = [10, LENGTH, 200];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adder {
    /// A recurrent cell, as in chapter 4.
    Cell(Cell),
    /// Self-attention without positions.
    Without,
    /// With sinusoids.
    With,
    OnGru,
}

impl Adder {
    pub const ALL: [Adder; 6] = [
        Adder::Cell(Cell::Rnn),
        Adder::Cell(Cell::Gru),
        Adder::Cell(Cell::Lstm),
        Adder::OnGru,
        Adder::With,
        Adder::Without,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Adder::Cell(cell) => cell.name(),
            Adder::Without => "without",
            Adder::With => "with",
            Adder::OnGru => "on_gru",
        }
    }

    /// As tables and figures name it, and its colour.
    fn shown(self) -> (&'static str, Colour) {
        match self {
            Adder::Cell(cell) => cell.shown(),
            Adder::OnGru => ("self-attention on a GRU", colour::ON_RECURRENCE),
            Adder::With => ("self-attention", colour::SELF_ATTENTION),
            Adder::Without => ("without positions", colour::WITHOUT_POSITIONS),
        }
    }

    /// The lengths at which it is trained here: chapter 4 has trained the cells at the others.
    fn lengths(self) -> &'static [usize] {
        match self {
            Adder::Cell(_) | Adder::OnGru => &[LENGTH],
            _ => &LENGTHS,
        }
    }

    /// A fresh model for sequences of a length; `None` for a cell.
    pub fn asker(self, length: usize, seed: u64) -> Option<Asker> {
        let rng = &mut rng(seed);
        match self {
            Adder::Cell(_) => None,
            Adder::Without => Some(Asker::on_tokens(None, rng)),
            Adder::With => Some(Asker::on_tokens(Some(length), rng)),
            Adder::OnGru => Some(Asker::on_gru(rng)),
        }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Adding {
    pub parameters: BTreeMap<String, usize>,
    /// By `t10`, `t100`, `t200`, then by adder.
    pub learned: BTreeMap<String, BTreeMap<String, Learned>>,
    /// At length 100, the steps until the test's error was below [`SOLVED`], a number for each seed;
    /// 0 when it never was.
    pub solved_after: BTreeMap<String, Vec<usize>>,
    /// T − t.
    pub lags: Vec<usize>,
    /// The norm of the gradient over these distances in fresh networks of length 100, by adder.
    pub fresh: BTreeMap<String, Vec<Float>>,
    /// After training.
    pub trained: BTreeMap<String, Vec<Float>>,
    /// After training, at the tokens that are marked.
    pub at_marks: BTreeMap<String, Float>,
    /// Self-attention without positions, fresh: the gradient from the first token to the last
    /// output among 10, 100 and 1000 tokens.
    pub diluted: Vec<Float>,
}

/// One training, and the gradient's norm at the marks where it is measured.
fn learn(
    adder: Adder,
    length: usize,
    config: &Config,
    seed: u64,
) -> Result<(Added, Option<Float>)> {
    if let Adder::Cell(cell) = adder {
        return Ok((add(cell, length, &cells(config), seed)?, None));
    }
    let mut model = adder.asker(length, config.stream(seed)).expect("no cell");
    let curve = train(&mut model, length, config.steps, config.stream(seed))?;
    let parameters = model.parameter_count();
    if length != LENGTH || adder == Adder::OnGru {
        return Ok((Added { curve, norms: Vec::new(), parameters }, None));
    }
    let norms = norms(&model, length, config.stream(500));
    let at_marks = norm_at_marks(&model, length, config.stream(500));
    Ok((Added { curve, norms, parameters }, Some(at_marks)))
}

/// Chapter 4's experiment with the same seeds and steps.
fn cells(config: &Config) -> chapter_4::Config {
    let Config { seed, seeds, steps, .. } = *config;
    chapter_4::Config { seed, seeds, steps, ..chapter_4::Config::default() }
}

/// The trainings, the longest first.
fn jobs() -> Vec<(Adder, usize)> {
    let of = |adder: Adder| adder.lengths().iter().map(move |length| (adder, *length));
    let mut jobs: Vec<_> = Adder::ALL.into_iter().flat_map(of).collect();
    let work = |(adder, length): &(Adder, usize)| match adder {
        Adder::With | Adder::Without => *length,
        _ => 4 * length, // recurrence takes its time
    };
    jobs.sort_by_key(|job| std::cmp::Reverse(work(job)));
    jobs
}

pub fn measure(config: &Config) -> Result<Adding> {
    let jobs = jobs();
    let all = with_seeds(&jobs, config.seeds);
    let found = trainings("the adding problem, the longest come first", &all, |(job, seed)| {
        learn(job.0, job.1, config, *seed)
    })?;
    let (runs, at_marks): (Vec<Added>, Vec<Option<Float>>) = found.into_iter().unzip();
    let of_job = runs.chunks(config.seeds).zip(at_marks.chunks(config.seeds));
    let mut adding = untrained(config);
    for ((adder, length), (runs, at_marks)) in jobs.iter().zip(of_job) {
        let name = || adder.name().to_owned();
        adding.parameters.insert(name(), runs[0].parameters);
        adding.learned.entry(format!("t{length}")).or_default().insert(name(), summary(runs));
        if *length != LENGTH {
            continue;
        }
        let solved = |run: &Added| run.curve.iter().position(|error| *error < SOLVED);
        let after = |run| solved(run).map_or(0, |look| (look + 1) * LOOK);
        adding.solved_after.insert(name(), runs.iter().map(after).collect());
        if !runs[0].norms.is_empty() {
            adding.trained.insert(name(), geometric_mean(runs));
        }
        let logarithms: Vec<Float> = at_marks.iter().flatten().map(|norm| norm.ln()).collect();
        if !logarithms.is_empty() {
            adding.at_marks.insert(name(), short(mean(&logarithms).exp()));
        }
    }
    Ok(adding)
}

/// What needs no training.
pub fn untrained(config: &Config) -> Adding {
    let mut fresh = chapter_4::flow::untrained(&cells(config)).fresh;
    let seed = config.stream(500);
    let of = |adder: Adder, length: usize| {
        let model = adder.asker(length, seed).expect("no cell");
        norms(&model, length, seed).into_iter().map(short).collect::<Vec<Float>>()
    };
    for adder in [Adder::With, Adder::Without] {
        fresh.insert(adder.name().to_string(), of(adder, LENGTH));
    }
    let first = |length: usize| of(Adder::Without, length).pop().expect("distances");
    Adding {
        parameters: BTreeMap::new(),
        learned: BTreeMap::new(),
        solved_after: BTreeMap::new(),
        lags: LAGS.to_vec(),
        fresh,
        trained: BTreeMap::new(),
        at_marks: BTreeMap::new(),
        diluted: [10, 100, 1000].map(first).to_vec(),
    }
}

impl Adding {
    fn of_length(&self, length: usize) -> &BTreeMap<String, Learned> {
        &self.learned[&format!("t{length}")]
    }

    fn gradients(&self, title: &str, norms: &BTreeMap<String, Vec<Float>>) -> Svg {
        let line = |adder: Adder| Some((adder.shown(), norms.get(adder.name())?));
        let lines = Adder::ALL.into_iter().filter_map(line);
        by_distance(title, lines).y_range(1e-25..1e3).draw()
    }

    fn curves(&self) -> Svg {
        let is_cell = |adder: &Adder| matches!(adder, Adder::Cell(_));
        let (cells, attention): (Vec<Adder>, Vec<Adder>) =
            Adder::ALL.into_iter().partition(is_cell);
        let curve = |adder: Adder| (adder.shown(), &self.of_length(LENGTH)[adder.name()]);
        let panels = [("cells", cells), ("self-attention", attention)].map(|(title, adders)| {
            learning(title, adders.into_iter().map(curve)).y_range(1e-7..1.0).draw()
        });
        Svg::grid(&panels, 2)
    }

    /// Steps of each seed to the solution, if all have found it.
    fn steps(&self, adder: Adder) -> Option<Vec<f64>> {
        let steps = self.solved_after[adder.name()].iter();
        steps.map(|step| (*step > 0).then_some(*step as f64)).collect()
    }

    fn is_faster_than_gru(&self, adder: Adder) -> Option<bool> {
        match (self.steps(adder), self.steps(Adder::Cell(Cell::Gru))) {
            (Some(these), Some(those)) => workbench::smaller(&these, &those),
            (these, those) => Some(these.is_some() && those.is_none()),
        }
    }
}

impl Section for Adding {
    fn claims(&self) -> Vec<JudgedClaim> {
        let attention = [Adder::With, Adder::Without];
        let solves = |adder: &Adder, length| {
            self.of_length(length)[adder.name()].highest < SOLVED // with every seed
        };
        let is_flat = |adder: &Adder| {
            let fresh = &self.fresh[adder.name()];
            fresh[LAGS.len() - 1] > 0.1 * fresh[0]
        };
        vec![
            (
                "d_solves",
                "self-attention, with positions and without, solves the adding problem at lengths 10, 100 and 200 with every seed",
                Some(attention.iter().all(|adder| LENGTHS.iter().all(|n| solves(adder, *n)))),
            ),
            (
                "e_faster",
                "at length 100 both need fewer steps for it than the GRU",
                match attention.map(|adder| self.is_faster_than_gru(adder)) {
                    [Some(a), Some(b)] => Some(a && b),
                    both if both.contains(&Some(false)) => Some(false),
                    _ => None,
                },
            ),
            (
                "f_flat",
                "in fresh self-attention the gradient over 99 steps is at least a tenth of that over one step",
                Some(attention.iter().all(is_flat)),
            ),
        ]
    }

    fn figures(&self) -> Vec<(&'static str, Svg)> {
        vec![
            ("adding", self.curves()),
            ("fresh", self.gradients("Gradients before training", &self.fresh)),
            ("trained", self.gradients("Gradients after training", &self.trained)),
        ]
    }

    fn report(&self) {
        let mut table = Table::new(["", "parameters", "length 10", "100", "200"]);
        for adder in Adder::ALL {
            let error = |length| {
                let learned = self.of_length(length).get(adder.name());
                learned.map_or("·".into(), |learned| format!("{:.5}", learned.error))
            };
            let [a, b, c] = LENGTHS.map(error);
            let parameters = self.parameters[adder.name()].to_string();
            table.row([adder.shown().0.to_string(), parameters, a, b, c]);
        }
        say("Adding: mean squared error after training; always answering 1 gives 0.1667");
        say(&table);
    }
}
