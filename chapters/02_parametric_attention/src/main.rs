//! The chapter's program: attention learns its width from fifty points, or from the reader's own.

use clap::Parser;
use kernel_regression::{Kernel, smoothing};
use parametric_attention::program::Fifty;
use parametric_attention::reader::{self, Learnt, STEPS};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use workbench::error::{Error, Result};
use workbench::files::Columns;
use workbench::program::{Common, Output, Table, parse, positive, progress, run, say};
use workbench::training::json;

/// Parametric attention: how far should a prediction look? The data can say.
///
/// Learns the width from fifty noisy points, as the textbook does it and to the end, or, with --data, from
/// points of your own, and draws the curve.
#[derive(Parser)]
#[command(after_help = "Examples:
  cargo run --release -p parametric_attention
  cargo run --release -p parametric_attention -- --learning-rate 0.05 --epochs 40
  cargo run --release -p parametric_attention -- --data points.csv --x hour --y degrees")]
struct Arguments {
    /// Learn from these points instead: a table with a header, its columns between commas, semicolons or tabs
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
    /// The column of the keys, where or when measurements were taken: numbers, dates or times
    #[arg(long, value_name = "NAME", default_value = "x", requires = "data")]
    x: String,
    /// The column of the values, what was measured
    #[arg(long, value_name = "NAME", default_value = "y", requires = "data")]
    y: String,
    /// How far a step of the textbook's training goes along the gradient
    #[arg(long, value_name = "RATE", default_value_t = 0.5, conflicts_with = "data")]
    learning_rate: f64,
    /// The steps of the textbook's training
    #[arg(long, value_name = "N", default_value_t = 5, conflicts_with = "data",
        value_parser = clap::value_parser!(u16).range(1..=1000))]
    epochs: u16,
    #[command(flatten)]
    common: Common,
}

fn main() -> ExitCode {
    let arguments: Arguments = parse();
    run(|| learn_width(&arguments))
}

/// The textbook's training on fifty points, which are returned.
fn textbook(arguments: &Arguments) -> Result<(Vec<f64>, Vec<f64>)> {
    let rate = positive("--learning-rate", arguments.learning_rate)?;
    // Beyond, the first step leads to widths whose squares no number holds.
    if rate > 1e6 {
        let reason = format!("--learning-rate {rate:e}: at most 1e6 is allowed");
        return Err(Error::argument(reason));
    }
    let fifty = Fifty::new(arguments.common.seed);
    let mut table = Table::new(["step", "w", "loss", "slope"]);
    for (step, at) in fifty.textbook(rate, arguments.epochs.into()).iter().enumerate() {
        let numbers = [at.w, at.loss, at.slope].map(|number| format!("{number:.2}"));
        table.row([&step.to_string(), &numbers[0], &numbers[1], &numbers[2]]);
    }
    say(format!("The textbook's training, every point predicted from the others\n\n{table}"));
    say("Trained to the end:\n");
    let in_double = |numbers: Vec<_>| numbers.into_iter().map(f64::from).collect();
    Ok((in_double(fifty.x), in_double(fifty.y)))
}

fn learn_width(arguments: &Arguments) -> Result<()> {
    let names = (arguments.x.as_str(), arguments.y.as_str());
    let (x, y) = match &arguments.data {
        Some(path) => read_points(path, names)?,
        None => textbook(arguments)?,
    };
    let output = Output::open(&arguments.common, "parametric_attention")?;

    let bar = progress(STEPS, "widths").with_message("learning the width");
    let rng = &mut shared::rng(arguments.common.seed);
    let learnt = reader::learn_width(&x, &y, rng, || bar.inc(1));
    bar.finish_and_clear();
    let h = 1.0 / learnt.w;
    let drawn = learnt.landscape.iter().chain(&learnt.path).flat_map(|(w, error)| [*w, *error]);
    if ![learnt.w, h, learnt.explained].into_iter().chain(drawn).all(f64::is_finite) {
        let reason = "no finite width comes out: measure x or y in other units";
        let path = arguments.data.as_deref().unwrap_or(Path::new("the points"));
        return Err(Error::file(path, reason));
    }
    let smoothed = smoothing::smooth(&x, &y, Kernel::Gaussian, Some(h), || ());

    output.figure("fit", &smoothing::figure(&x, &y, &smoothed, names))?;
    output.figure("landscape", &reader::draw_landscape(&learnt, names))?;
    output.results(&json!({
        "rows": x.len(), "x": names.0, "y": names.1, "seed": arguments.common.seed,
        "width": learnt.w, "bandwidth": h, "leave_one_out_error": learnt.error,
        "explained": learnt.explained, "predicted": learnt.predicted,
    }))?;
    report_learnt(&learnt, x.len(), names);
    let shared = sharing(&x);
    if shared > 0 {
        say(format!(
            "{shared} rows share their {} with another row, and are predicted from it, too: where \
             such rows are copies, leave-one-out hides nothing.",
            names.0
        ));
    }
    say(format!("fit.svg, landscape.svg and results.json are in {}", output.folder().display()));
    Ok(())
}

fn report_learnt(learnt: &Learnt, rows: usize, (x, y): (&str, &str)) {
    let mut table = Table::new(["what", "number"]);
    table.row(["rows", &rows.to_string()]);
    table.row([&format!("width w, per unit of {x}"), &significant(learnt.w)]);
    table.row([&format!("bandwidth 1/w, in {x}"), &significant(1.0 / learnt.w)]);
    table.row([&format!("leave-one-out error, in {y}"), &significant(learnt.error)]);
    table.row(["variance explained, %", &format!("{:.1}", 100.0 * learnt.explained)]);
    if learnt.predicted < rows {
        table.row(["rows predicted from all others", &learnt.predicted.to_string()]);
    }
    say(table);
    if learnt.explained < 0.05 {
        say(format!("Neighbours in {x} say next to nothing about {y}."));
    }
}

/// How many rows have the x of another row.
fn sharing(x: &[f64]) -> usize {
    let mut sorted = x.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.chunk_by(|a, b| a == b).map(<[f64]>::len).filter(|rows| *rows > 1).sum()
}

/// Four digits, whatever the size.
fn significant(number: f64) -> String {
    let digits = (3.0 - number.abs().log10().floor()).clamp(0.0, 12.0) as usize;
    match number.abs() {
        0.0 => "0".to_owned(),
        1e-6..1e9 => format!("{number:.digits$}"),
        _ => format!("{number:.3e}"),
    }
}

/// The points, or why no width can be learnt from them.
fn read_points(path: &Path, (x_name, y_name): (&str, &str)) -> Result<(Vec<f64>, Vec<f64>)> {
    let Columns { numbers: [x, y], notices } = smoothing::read_points(path, [x_name, y_name])?;
    if x.len() < 3 {
        let rows = if x.len() == 1 { "is a single row" } else { "are two rows" };
        let reason = format!("there {rows} of data, to learn a width takes at least three");
        return Err(Error::file(path, reason));
    }
    for (name, column) in [(x_name, &x), (y_name, &y)] {
        let low = column.iter().copied().fold(f64::INFINITY, f64::min);
        let high = column.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if low == high {
            let reason = format!("column `{name}` holds {low} only: there is nothing to learn");
            return Err(Error::file(path, reason));
        }
        if !(1.0 / (high - low)).is_finite() {
            let reason =
                format!("column `{name}` reaches from {low:e} to {high:e}: too close together");
            return Err(Error::file(path, reason));
        }
    }
    notices.iter().for_each(say);
    Ok((x, y))
}
