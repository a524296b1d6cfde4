//! `scaling`: how long a step would take on 1 to 1024 machines.

use super::scaling::{Constants, Predicted, ranks};
use crate::{Config, count};
use clap::Args;
use serde::Serialize;
use workbench::error::{Error, Result};
use workbench::figure::{Chart, Svg};
use workbench::program::{Common, Output, Table, positive, say};

#[derive(Args, Clone, Debug)]
pub struct ScalingArgs {
    #[command(flatten)]
    common: Common,
    /// Milliseconds a step of a small model (three blocks of width 128) takes in one process, 64 pairs
    #[arg(long, value_name = "MS", default_value_t = SMALL.0)]
    step: f64,
    /// Milliseconds of it that are the optimiser's
    #[arg(long, value_name = "MS", default_value_t = SMALL.1)]
    optimizer: f64,
    /// Milliseconds a step of BERT-Base takes in one process, 4 sequences of 128 pieces
    /// (`bench --config base`)
    #[arg(long, value_name = "MS", default_value_t = BASE.0)]
    base_step: f64,
    /// Milliseconds of it that are the optimiser's
    #[arg(long, value_name = "MS", default_value_t = BASE.1)]
    base_optimizer: f64,
    /// Microseconds a message takes between two processes of one machine
    #[arg(long, value_name = "US", default_value_t = MEMORY.0)]
    latency: f64,
    /// Gigabytes a second between them
    #[arg(long, value_name = "GB", default_value_t = MEMORY.1)]
    bandwidth: f64,
}

/// Milliseconds of a step in one process with two cores, and of the optimiser in it: half of the 274 that
/// one core took, and the fastest of 12 times.
const SMALL: (f64, f64) = (140.0, 0.6);

/// The same of BERT-Base: what `bench` measured. Of its samples a profiler finds 5.2 % in AdamW and in the
/// norm of the gradient.
const BASE: (f64, f64) = (1700.0, 90.0);

/// Pieces of a pair of the generated corpus with its marks, a mean.
const LENGTH: f64 = 88.0;

/// Measured (`workbench`'s example `ranks --measure`): microseconds of a message, gigabytes a second.
const MEMORY: (f64, f64) = (2.2, 10.0);

/// Assumed, not measured: latency in seconds and bytes a second, as such links are sold.
const NETWORKS: [(&str, f64, f64); 2] =
    [("Ethernet, 10 Gbit/s", 30e-6, 1.2e9), ("InfiniBand, 200 Gbit/s", 2e-6, 24e9)];

/// What is trained, and what one process took for it.
struct Model {
    name: &'static str,
    /// Sequences of the batch that all share: no more processes can.
    sequences: usize,
    /// Sequences that were measured: with a batch for each, this one.
    measured: usize,
    /// All but the link.
    constants: Constants,
}

impl Model {
    /// Of `[sequences, measured]` with so many pieces each; `times` are milliseconds of the measured step
    /// and of the optimiser in it, with their options; gradients are sent in `buckets` of 1 MiB, or of one
    /// larger parameter. All of the exchange can be hidden behind backward but that of the table of
    /// pieces, whose gradient is complete last.
    fn new(
        name: &'static str,
        config: &Config,
        [sequences, measured]: [usize; 2],
        length: f64,
        times: [(&str, f64); 2],
        buckets: f64,
    ) -> Result<Model> {
        for (option, ms) in times {
            positive(option, ms)?;
        }
        let [(_, step), (option, optimizer)] = times;
        if optimizer >= step {
            let reason = format!("{option} {optimizer}: the whole step takes {step} ms");
            return Err(Error::argument(reason));
        }
        let parameters = count(config).pretraining() as f64;
        let table = (config.vocabulary * config.width) as f64;
        let constants = Constants {
            step: step / 1e3,
            batch: measured as f64 * length,
            fixed: optimizer / 1e3,
            bytes: parameters * 4.0,
            buckets,
            latency: 0.0,
            bandwidth: f64::INFINITY,
            overlap: 1.0 - table / parameters,
        };
        Ok(Model { name, sequences, measured, constants })
    }

    /// The same for the batch that all share.
    fn whole(&self, measured: &Constants) -> Constants {
        let times = self.sequences as f64 / self.measured as f64;
        let Constants { step, fixed, batch, .. } = *measured;
        Constants { step: fixed + (step - fixed) * times, batch: batch * times, ..*measured }
    }
}

#[derive(Serialize)]
struct Forecast {
    model: &'static str,
    link: &'static str,
    measured: Constants,
    strong: Vec<Predicted>,
    weak: Vec<Predicted>,
    network_limits: Option<usize>,
}

pub fn scaling(arguments: &ScalingArgs) -> Result<()> {
    let ScalingArgs { common, step, optimizer, base_step, base_optimizer, .. } = arguments;
    let small_times = [("--step", *step), ("--optimizer", *optimizer)];
    let base_times = [("--base-step", *base_step), ("--base-optimizer", *base_optimizer)];
    let models = [
        Model::new("A small BERT", &SMALL_CONFIG, [64, 64], LENGTH, small_times, 3.0)?,
        // The paper's 256 sequences, of which 4 were measured.
        Model::new("BERT-Base", &Config::BASE, [256, 4], 128.0, base_times, 76.0)?,
    ];
    positive("--latency", arguments.latency)?;
    positive("--bandwidth", arguments.bandwidth)?;
    let memory = ("memory of one machine", arguments.latency / 1e6, arguments.bandwidth * 1e9);
    let links = [memory, NETWORKS[0], NETWORKS[1]];
    let output = Output::open(common, "bert")?;
    output.will_write("scaling.json")?;
    let (mut all, mut panels) = (Vec::new(), Vec::new());
    for model in &models {
        let forecasts = links.map(|link| forecast(model, link));
        print(model, &forecasts);
        panels.push(panel(model.name, &forecasts));
        all.extend(forecasts);
    }
    output.figure("scaling", &Svg::grid(&panels, 2))?;
    output.json("scaling.json", &all)?;
    say(format!("scaling.svg and scaling.json are in {}", output.folder().display()));
    Ok(())
}

/// Three blocks of width 128: what was measured, in one process and in two.
const SMALL_CONFIG: Config = Config {
    vocabulary: 1000,
    width: 128,
    feed_forward: 512,
    heads: 4,
    blocks: 3,
    longest: 128,
    ..Config::BASE
};

fn forecast(model: &Model, (link, latency, bandwidth): (&'static str, f64, f64)) -> Forecast {
    let measured = Constants { latency, bandwidth, ..model.constants };
    let whole = model.whole(&measured);
    // The shared batch on more and more processes, while each has a sequence.
    let shared = ranks().take_while(|ranks| *ranks <= model.sequences);
    Forecast {
        model: model.name,
        link,
        measured,
        strong: shared.map(|ranks| whole.strong(ranks)).collect(),
        weak: ranks().map(|ranks| measured.weak(ranks)).collect(),
        network_limits: whole.network_limits().filter(|ranks| *ranks <= model.sequences),
    }
}

fn print(model: &Model, forecasts: &[Forecast; 3]) {
    let Constants { step, bytes, .. } = model.whole(&forecasts[0].measured);
    say(format!(
        "{}: {step:.3} s a step of {} sequences in one process, {:.1} MB of gradients; with a batch for \
         each, of {} sequences (weak)\n",
        model.name,
        model.sequences,
        bytes / 1e6,
        model.measured
    ));
    let mut table =
        Table::new(["ranks", "memory", "weak", "Ethernet", "weak", "InfiniBand", "weak"]);
    for (i, ranks) in ranks().enumerate() {
        let cell = |column: usize| {
            let Forecast { strong, weak, .. } = &forecasts[column / 2];
            match (column % 2, strong.get(i)) {
                (0, None) => "–".to_owned(),
                (0, Some(strong)) => format!("{:.1} ×", strong.speedup),
                _ => format!("{:.1} %", 100.0 * weak[i].efficiency),
            }
        };
        let [a, b, c, d, e, f] = std::array::from_fn(cell);
        table.row([ranks.to_string(), a, b, c, d, e, f]);
    }
    say(table);
    for forecast in forecasts {
        let limit = match forecast.network_limits {
            Some(ranks) => format!("from {ranks} ranks on"),
            None => format!("at no number up to {}", model.sequences),
        };
        say(format!("{}, one batch for all: half of a step is waiting {limit}", forecast.link));
    }
    say("");
}

/// Efficiency against ranks, a line a link.
/// One batch for all: where every process has its own, lines are nearly level.
fn panel(title: &str, forecasts: &[Forecast; 3]) -> Svg {
    let mut chart = Chart::new(title, "processes", "efficiency, %").log(true, false);
    for forecast in forecasts {
        let points: Vec<(f64, f64)> =
            forecast.strong.iter().map(|at| (at.ranks as f64, 100.0 * at.efficiency)).collect();
        chart = chart.line(forecast.link, &points);
    }
    chart.x_range(1.0..1200.0).y_range(0.0..105.0).draw()
}
