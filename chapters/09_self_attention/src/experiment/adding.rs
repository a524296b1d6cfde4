//! Chapter 4's adding problem and its gradients, once more, beside the recurrent cells.

mod asker;
mod flow;

pub use asker::Asker;
pub use flow::{norm_at_marks, norms};

use super::config::Config;
use super::section::{Judged, Section};
use super::statistics::{mean, short};
use rayon::prelude::*;
use recurrent_networks::experiment as chapter_4;
use recurrent_networks::experiment::adding::{ALWAYS_ONE, LOOK, SOLVED, train};
use recurrent_networks::experiment::flow::LAGS;
use recurrent_networks::experiment::{Added, Cell, Learned, add, summary};
use serde::{Deserialize, Serialize};
use shared::{Float, Module, rng};
use std::collections::BTreeMap;
use workbench::error::Result;
use workbench::figure::colour::{self, Colour};
use workbench::figure::{Chart, Svg};
use workbench::program::{Table, say};

/// Gradients are measured, and the recurrent cells trained, at this length.
pub const LENGTH: usize = chapter_4::flow::LENGTH;

/// The lengths at which self-attention learns to add: three of chapter 4's.
pub const LENGTHS: [usize; 3] = [10, LENGTH, 200];

/// Who learns to add.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adder {
    /// A recurrent cell, as in chapter 4.
    Cell(Cell),
    /// Self-attention without positions.
    Without,
    /// With sinusoids.
    With,
    /// On top of a GRU.
    OnGru,
}

impl Adder {
    /// All of them.
    pub const ALL: [Adder; 6] = [
        Adder::Cell(Cell::Rnn),
        Adder::Cell(Cell::Gru),
        Adder::Cell(Cell::Lstm),
        Adder::OnGru,
        Adder::With,
        Adder::Without,
    ];

    /// As results name it.
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
            Adder::Cell(Cell::Rnn) => ("plain", colour::PLAIN),
            Adder::Cell(Cell::Gru) => ("GRU", colour::GRU),
            Adder::Cell(Cell::Lstm) => ("LSTM", colour::LSTM),
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

/// What was learned, and what became of the gradients.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Adding {
    /// Parameters by adder.
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

/// One training.
struct Run {
    curve: Vec<Float>,
    norms: Vec<Float>,
    at_marks: Option<Float>,
    parameters: usize,
}

fn learn(adder: Adder, length: usize, config: &Config, seed: u64) -> Result<Run> {
    if let Adder::Cell(cell) = adder {
        let Added { curve, norms } = add(cell, length, &cells(config), seed)?;
        return Ok(Run { curve, norms, at_marks: None, parameters: parameters(cell) });
    }
    let mut model = adder.asker(length, config.stream(seed)).expect("no cell");
    let curve = train(&mut model, length, config.steps, config.stream(seed))?;
    let (mut gradients, mut at_marks) = (Vec::new(), None);
    if length == LENGTH && adder != Adder::OnGru {
        gradients = norms(&model, length, config.stream(500));
        at_marks = Some(norm_at_marks(&model, length, config.stream(500)));
    }
    Ok(Run { curve, norms: gradients, at_marks, parameters: model.parameter_count() })
}

/// Chapter 4's experiment with the same seeds and steps.
fn cells(config: &Config) -> chapter_4::Config {
    let Config { seed, seeds, steps, .. } = *config;
    chapter_4::Config { seed, seeds, steps, ..chapter_4::Config::default() }
}

fn parameters(cell: Cell) -> usize {
    use recurrent_networks::{Gru, Lstm, Rnn};
    let (hidden, rng) = (chapter_4::adding::HIDDEN, &mut rng(0));
    match cell {
        Cell::Rnn => chapter_4::adding::Adder::<Rnn>::new(hidden, rng).parameter_count(),
        Cell::Gru => chapter_4::adding::Adder::<Gru>::new(hidden, rng).parameter_count(),
        Cell::Lstm => chapter_4::adding::Adder::<Lstm>::new(hidden, rng).parameter_count(),
    }
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

/// The number of trainings that [`measure`] will do.
pub fn trainings(config: &Config) -> usize {
    jobs().len() * config.seeds
}

/// All trainings and gradients; `done` is called after each training.
///
/// # Errors
/// When a number is not finite, or Ctrl-C was pressed.
pub fn measure(config: &Config, done: &(impl Fn() + Sync)) -> Result<Adding> {
    let jobs = jobs();
    let seeds = 0..config.seeds as u64;
    let all = jobs.iter().flat_map(|job| seeds.clone().map(move |seed| (*job, seed)));
    let all: Vec<((Adder, usize), u64)> = all.collect();
    let run = |((adder, length), seed): &((Adder, usize), u64)| {
        let run = learn(*adder, *length, config, *seed)?;
        done();
        Ok(run)
    };
    let runs = all.par_iter().with_max_len(1).map(run).collect::<Result<Vec<Run>>>()?;
    let mut adding = untrained(config);
    for ((adder, length), runs) in jobs.iter().zip(runs.chunks(config.seeds)) {
        let name = adder.name().to_string();
        let curves: Vec<&[Float]> = runs.iter().map(|run| run.curve.as_slice()).collect();
        adding.parameters.insert(name.clone(), runs[0].parameters);
        let of_length = adding.learned.entry(format!("t{length}")).or_default();
        of_length.insert(name.clone(), summary(&curves));
        if *length == LENGTH {
            let solved = |curve: &&[Float]| curve.iter().position(|error| *error < SOLVED);
            let after = |look: Option<usize>| look.map_or(0, |look| (look + 1) * LOOK);
            let after = curves.iter().map(|curve| after(solved(curve)));
            adding.solved_after.insert(name.clone(), after.collect());
            if !runs[0].norms.is_empty() {
                adding.trained.insert(name.clone(), geometric_mean(runs));
            }
            let at_marks: Option<Vec<Float>> = runs.iter().map(|run| run.at_marks).collect();
            if let Some(norms) = at_marks {
                let logarithms: Vec<Float> = norms.iter().map(|norm| norm.ln()).collect();
                adding.at_marks.insert(name, short(mean(&logarithms).exp()));
            }
        }
    }
    Ok(adding)
}

fn geometric_mean(runs: &[Run]) -> Vec<Float> {
    let at = |i: usize| mean(&runs.iter().map(|run| run.norms[i].ln()).collect::<Vec<_>>());
    (0..LAGS.len()).map(|i| short(at(i).exp())).collect()
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
    /// Whether an adder solved the problem at a length with every seed.
    fn solves(&self, length: usize, adder: Adder) -> bool {
        self.learned[&format!("t{length}")][adder.name()].highest < SOLVED
    }

    fn gradients(&self, title: &str, norms: &BTreeMap<String, Vec<Float>>) -> Svg {
        let mut chart = Chart::new(title, "T − t", "log₁₀ of the gradient's norm");
        for adder in Adder::ALL {
            if let Some(norms) = norms.get(adder.name()) {
                let (name, colour) = adder.shown();
                let points = self.lags.iter().zip(norms);
                let line = points.map(|(lag, norm)| (*lag as f64, f64::from(*norm).log10()));
                chart = chart.line(name, &line.collect::<Vec<_>>()).coloured(colour);
            }
        }
        chart.y_range(-25.0..3.0).draw()
    }

    fn curves(&self) -> Svg {
        let is_cell = |adder: &Adder| matches!(adder, Adder::Cell(_));
        let (cells, attention): (Vec<Adder>, Vec<Adder>) =
            Adder::ALL.into_iter().partition(is_cell);
        let panels = [("cells", cells), ("self-attention", attention)]
            .map(|(title, of)| self.panel(title, &of));
        Svg::grid(&panels, 2)
    }

    fn panel(&self, title: &str, adders: &[Adder]) -> Svg {
        let mut chart = Chart::new(title, "training step", "mean squared error");
        let mut end = 0.0;
        for adder in adders {
            let curve = &self.learned[&format!("t{LENGTH}")][adder.name()].curve;
            let at = |point: &(usize, Float, Float, Float)| {
                (point.0 as f64, [point.1, point.2, point.3].map(f64::from))
            };
            let curve: Vec<_> = curve.iter().map(at).collect();
            let line: Vec<_> = curve.iter().map(|(step, [mean, ..])| (*step, *mean)).collect();
            let band: Vec<_> =
                curve.iter().map(|(step, [_, low, high])| (*step, *low, *high)).collect();
            end = line.last().map_or(end, |last| last.0);
            let (name, colour) = adder.shown();
            chart = chart.band(&band).line(name, &line).coloured(colour);
        }
        let floor = f64::from(ALWAYS_ONE);
        chart
            .dashed("always 1", &[(0.0, floor), (end, floor)])
            .coloured(colour::GIVEN)
            .log(false, true)
            .y_range(1e-7..1.0)
            .draw()
    }
}

impl Section for Adding {
    fn claims(&self) -> Vec<Judged> {
        let attention = [Adder::With, Adder::Without];
        let steps = |adder: Adder| -> Option<Vec<f64>> {
            let steps = &self.solved_after[adder.name()];
            steps.iter().map(|step| (*step > 0).then_some(*step as f64)).collect()
        };
        let faster = |adder: Adder| match (steps(adder), steps(Adder::Cell(Cell::Gru))) {
            (Some(these), Some(those)) => workbench::smaller(&these, &those),
            (these, those) => Some(these.is_some() && those.is_none()),
        };
        let both = [faster(Adder::With), faster(Adder::Without)];
        let fresh = &self.fresh[Adder::With.name()];
        vec![
            (
                "d_solves",
                "self-attention, with positions and without, solves the adding problem at lengths 10, 100 and 200 with every seed",
                Some(attention.iter().all(|adder| LENGTHS.iter().all(|n| self.solves(*n, *adder)))),
            ),
            (
                "e_faster",
                "at length 100 both need fewer steps for it than the GRU",
                match both {
                    [Some(a), Some(b)] => Some(a && b),
                    _ if both.contains(&Some(false)) => Some(false),
                    _ => None,
                },
            ),
            (
                "f_flat",
                "in fresh self-attention the gradient over 99 steps is at least a tenth of that over one step",
                Some(fresh[LAGS.len() - 1] > 0.1 * fresh[0]),
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
            let at = |length: usize| {
                let learned = &self.learned[&format!("t{length}")];
                let error = learned.get(adder.name()).map(|learned| learned.error);
                error.map_or("·".into(), |error| format!("{error:.5}"))
            };
            let [a, b, c] = LENGTHS.map(at);
            let parameters = self.parameters[adder.name()].to_string();
            table.row([adder.shown().0.to_string(), parameters, a, b, c]);
        }
        say("Adding: mean squared error after training; always answering 1 gives 0.1667");
        say(&table);
    }
}
