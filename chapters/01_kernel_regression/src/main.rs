//! The chapter's program: a smooth curve through fifty points, or through the reader's own.

use clap::Parser;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use kernel_regression::Kernel;
use kernel_regression::data::noisy_points;
use kernel_regression::smoothing::{self, Smoothed};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use workbench::error::{Error, Result};
use workbench::files::Columns;
use workbench::program::{Common, Output, Table, parse, progress, run, say};
use workbench::training::json;

/// Kernel regression: what would you answer where you have not measured?
///
/// Draws a smooth curve through fifty noisy points, or, with --data, through points of your own.
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
    #[arg(long, value_name = "H")]
    bandwidth: Option<f64>,
    /// How a measurement's weight falls with distance
    #[arg(long, default_value = "gaussian", value_parser = kernels())]
    kernel: Kernel,
    #[command(flatten)]
    common: Common,
}

fn kernels() -> impl TypedValueParser<Value = Kernel> {
    PossibleValuesParser::new(Kernel::ALL.map(Kernel::name)).map(|name| {
        Kernel::ALL.into_iter().find(|kernel| kernel.name() == name).unwrap_or(Kernel::Gaussian)
    })
}

fn main() -> ExitCode {
    let arguments: Arguments = parse();
    run(|| smooth(&arguments))
}

fn smooth(arguments: &Arguments) -> Result<()> {
    if let Some(h) = arguments.bandwidth.filter(|h| !(h.is_finite() && *h > 0.0)) {
        return Err(Error::argument(format!("--bandwidth {h}: a positive number is needed")));
    }
    let names = (arguments.x.as_str(), arguments.y.as_str());
    let (x, y) = match &arguments.data {
        Some(path) => read_points(path, arguments)?,
        None => {
            let (x, y) = noisy_points(50, &mut shared::rng(arguments.common.seed));
            (x.into_iter().map(f64::from).collect(), y.into_iter().map(f64::from).collect())
        }
    };
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
    output.results(&json!({
        "rows": x.len(), "x": names.0, "y": names.1, "kernel": arguments.kernel.name(),
        "bandwidth": smoothed.bandwidth,
        "chosen_on": evidence.map(|evidence| evidence.points),
        "leave_one_out_error": evidence.map(|evidence| evidence.error),
        "held_out": evidence.map(|evidence| evidence.held_out),
    }))?;

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

/// The points, or what is wrong with them.
fn read_points(path: &Path, arguments: &Arguments) -> Result<(Vec<f64>, Vec<f64>)> {
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
