//! The chapter's program: the experiment of the page, or the reader's own points.

use clap::Parser;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use kernel_regression::Kernel;
use kernel_regression::program::{self, Config, Results};
use kernel_regression::smoothing::{self, Smoothed};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use workbench::error::{Error, Result};
use workbench::files::Columns;
use workbench::program::{Common, Output, Table, parse, progress, run, say};

/// Kernel regression: what would you answer where you have not measured?
///
/// Without --data, runs the experiment of chapter 1: fifty noisy points, four kernels, the choice of
/// a bandwidth, and how the error falls as points are added. With --data, draws a smooth curve
/// through points of your own.
#[derive(Parser)]
#[command(after_help = "Examples:
  cargo run --release -p kernel_regression
  cargo run --release -p kernel_regression -- --data points.csv --x hour --y degrees
  cargo run --release -p kernel_regression -- --data points.csv --bandwidth 0.5 --out here")]
struct Arguments {
    /// Smooth these points instead: a table with a header, as spreadsheets and programs write them
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
    /// The column of the keys, where or when measurements were taken: numbers, dates or times
    #[arg(long, value_name = "NAME", default_value = "x", requires = "data")]
    x: String,
    /// The column of the values, what was measured
    #[arg(long, value_name = "NAME", default_value = "y", requires = "data")]
    y: String,
    /// What distance counts as near, in the unit of x [default: leave-one-out chooses]
    #[arg(long, value_name = "H", requires = "data")]
    bandwidth: Option<f64>,
    /// How a measurement's weight falls with distance
    #[arg(long, requires = "data", default_value = "gaussian", value_parser = kernels())]
    kernel: Kernel,
    /// Time the streaming evaluation as well (ten seconds more); LABEL says where and when
    #[arg(long, value_name = "LABEL", conflicts_with = "data")]
    time: Option<String>,
    #[command(flatten)]
    common: Common,
}

fn kernels() -> impl TypedValueParser<Value = Kernel> {
    let kernel = |name: String| Kernel::ALL.into_iter().find(|k| k.name() == name);
    PossibleValuesParser::new(Kernel::ALL.map(Kernel::name))
        .map(move |name| kernel(name).unwrap_or(Kernel::Gaussian))
}

fn main() -> ExitCode {
    let arguments: Arguments = parse();
    run(|| match &arguments.data {
        Some(path) => smooth_file(path, &arguments),
        None => run_experiment(&arguments),
    })
}

fn run_experiment(arguments: &Arguments) -> Result<()> {
    let output = Output::open(&arguments.common, "kernel_regression")?;
    let config = Config { seed: arguments.common.seed, ..Config::default() };
    let bar = progress(config.steps(), "sets of points").with_message("more and more points");
    let (mut results, figures) = program::run(&config, || bar.inc(1));
    bar.finish_and_clear();
    if let Some(label) = &arguments.time {
        results.measured = Some(program::time(label));
    }
    for (name, figure) in &figures {
        output.figure(name, figure)?;
    }
    output.results(&results)?;
    report(&results);
    say(format!("\nFigures and results.json are in {}", output.folder().display()));
    Ok(())
}

fn report(results: &Results) {
    let mut table = Table::new(["estimate", "bandwidth", "leave-one-out error", "true error"]);
    let flat = &results.average_pooling;
    table.row(["average pooling", "", &decimals(flat.leave_one_out), &decimals(flat.error)]);
    for (name, fit) in &results.kernels {
        let numbers = [f64::from(fit.bandwidth), fit.leave_one_out, fit.error].map(decimals);
        table.row([name, &numbers[0], &numbers[1], &numbers[2]]);
    }
    say(format!("{} points; errors are mean squares\n\n{table}", results.points));

    let mut table = Table::new(["points", "bandwidth", "error inside", "error up to the ends"]);
    for (n, row) in &results.consistency.sizes {
        let bandwidth = decimals(row.bandwidth.into());
        table.row([&n.to_string(), &bandwidth, &short(row.inside), &short(row.whole)]);
    }
    let consistency = &results.consistency;
    say(table);
    say(format!(
        "From 1000 points the error falls like n^{:.3} inside (theory: −0.8), n^{:.3} up to the ends.",
        consistency.slope_inside_large, consistency.slope_whole
    ));
    if let Some(measured) = &results.measured {
        let mut table = Table::new(["queries × keys", "seconds", "method"]);
        table.row(["10⁵ × 10⁵", &short(measured.streaming_100000), "streaming"]);
        table.row(["10⁴ × 10⁴", &short(measured.streaming_10000), "streaming"]);
        table.row(["10⁴ × 10⁴", &short(measured.matrix_10000), "the whole matrix"]);
        say(format!("\n{table}"));
    }
}

fn decimals(number: f64) -> String {
    format!("{number:.4}")
}

fn short(number: f64) -> String {
    format!("{number:.3e}")
}

/// What is written about the reader's own points.
#[derive(Serialize)]
struct Summary<'a> {
    rows: usize,
    x: &'a str,
    y: &'a str,
    kernel: &'static str,
    bandwidth: f64,
    chosen_on: Option<usize>,
    leave_one_out_error: Option<f64>,
    held_out: Option<usize>,
}

fn smooth_file(path: &Path, arguments: &Arguments) -> Result<()> {
    let names = (arguments.x.as_str(), arguments.y.as_str());
    let (x, y) = read_points(path, arguments)?;
    let output = Output::open(&arguments.common, "kernel_regression")?;
    output.will_write("smoothed.csv")?;

    let bar = progress(smoothing::steps(&x), "bandwidths").with_message("leaving one out");
    let smoothed = smoothing::smooth(&x, &y, arguments.kernel, arguments.bandwidth, || bar.inc(1));
    bar.finish_and_clear();

    output.figure("smoothed", &smoothing::figure(&x, &y, &smoothed, names))?;
    output.write("smoothed.csv", table_of(&x, &y, &smoothed, names).as_bytes())?;
    if let Some(evidence) = &smoothed.choice {
        let figure = smoothing::figure_of_choice(evidence, names);
        output.figure("bandwidth", &figure)?;
    }
    let evidence = smoothed.choice.as_ref();
    output.results(&Summary {
        rows: x.len(),
        x: names.0,
        y: names.1,
        kernel: arguments.kernel.name(),
        bandwidth: smoothed.bandwidth,
        chosen_on: evidence.map(|evidence| evidence.points),
        leave_one_out_error: evidence.map(|evidence| evidence.error),
        held_out: evidence.map(|evidence| evidence.held_out),
    })?;

    let mut table = Table::new(["what", "number"]);
    table.row(["rows", &x.len().to_string()]);
    table.row(["bandwidth", &significant(smoothed.bandwidth).to_string()]);
    if let Some(evidence) = evidence {
        if evidence.points < x.len() {
            table.row(["points that chose it, at random", &evidence.points.to_string()]);
            table.row(["bandwidth that suits these", &significant(evidence.bandwidth).to_string()]);
        }
        table.row(["points left out, one at a time", &evidence.held_out.to_string()]);
        table.row(["leave-one-out error", &significant(evidence.error).to_string()]);
    }
    say(table);
    if evidence.is_some_and(|evidence| evidence.at_the_edge) {
        say("The best bandwidth is the smallest or largest that was tried: look at bandwidth.svg.");
    }
    say(format!("smoothed.svg and smoothed.csv are in {}", output.folder().display()));
    Ok(())
}

/// The points, or what is wrong with them or with the bandwidth.
fn read_points(path: &Path, arguments: &Arguments) -> Result<(Vec<f64>, Vec<f64>)> {
    if let Some(h) = arguments.bandwidth.filter(|h| !(h.is_finite() && *h > 0.0)) {
        return Err(Error::argument(format!("--bandwidth {h}: a positive number is needed")));
    }
    let (x_name, y_name) = (&arguments.x, &arguments.y);
    let Columns { numbers: [x, y], notices } = smoothing::read_points(path, [x_name, y_name])?;
    if x.len() == 1 {
        return Err(Error::file(path, "there is a single row of data, at least two are needed"));
    }
    if x.iter().all(|other| *other == x[0]) {
        let reason = format!("column `{x_name}` holds {} only: a curve needs different x", x[0]);
        return Err(Error::file(path, reason));
    }
    notices.iter().for_each(say);
    Ok((x, y))
}

/// The points with the curve beside them, in their order.
fn table_of(x: &[f64], y: &[f64], smoothed: &Smoothed, names: (&str, &str)) -> String {
    let quoted = |name: &str| {
        if name.contains([',', '"', '\n', '\r']) {
            format!("\"{}\"", name.replace('"', "\"\""))
        } else {
            name.to_owned()
        }
    };
    let mut text = format!("{},{},smoothed\n", quoted(names.0), quoted(names.1));
    for ((x, y), curve) in x.iter().zip(y).zip(&smoothed.at_points) {
        text += &format!("{x},{y},{}\n", significant(*curve));
    }
    text
}

/// The number to the seven digits that single precision has.
fn significant(number: f64) -> f64 {
    format!("{number:.6e}").parse().unwrap_or(number)
}
