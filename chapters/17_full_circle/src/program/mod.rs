//! The chapter's program: chapter 1's points, or the reader's, under all eight.

mod next_word;

use crate::Kind;
use clap::Parser;
use kernel_regression::bandwidth::sample;
use kernel_regression::data::noisy_points;
use kernel_regression::program::even;
use kernel_regression::smoothing::read_points;
use shared::{Float, rng};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use workbench::error::{Error, Result};
use workbench::figure::{Chart, Svg, colour};
use workbench::files::Columns;
use workbench::program::{Common, Output, Table, parse, progress, run, say};
use workbench::statistics::significant;
use workbench::training::json;

/// One question, eight answers: chapter 1's fifty points, or with --data your own, under eight estimators.
///
/// Leave-one-out chooses each one's parameter and says how well it predicts points that it has not seen.
#[derive(Parser)]
#[command(after_help = "Examples:
  cargo run --release -p full_circle
  cargo run --release -p full_circle -- --data points.csv --x hour --y degrees")]
struct Arguments {
    /// Fit these points instead: a table with a header, as spreadsheets and programs write them
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
    /// The column of the keys, where or when measurements were taken: numbers, dates or times
    #[arg(long, value_name = "NAME", default_value = "x", requires = "data")]
    x: String,
    /// The column of the values, what was measured
    #[arg(long, value_name = "NAME", default_value = "y", requires = "data")]
    y: String,
    #[command(flatten)]
    common: Common,
}

/// Runs it.
pub fn program() -> ExitCode {
    let arguments: Arguments = parse();
    run(|| compare(&arguments))
}

/// Of more points as many are drawn: each of the eight is fitted anew without every one of them.
const MOST: usize = 200;

fn compare(arguments: &Arguments) -> Result<()> {
    let names = [arguments.x.as_str(), arguments.y.as_str()];
    let (x, y) = match &arguments.data {
        Some(path) => read(path, names)?,
        None => {
            let (x, y) = noisy_points(50, &mut rng(arguments.common.seed));
            (x.into_iter().map(f64::from).collect(), y.into_iter().map(f64::from).collect())
        }
    };
    let output = Output::open(&arguments.common, "full_circle")?;
    let (axis, height) = (Axis::new(&x, 5.0), Axis::new(&y, 1.0));
    let (keys, values) = sample(&axis.enter(&x), &height.enter(&y), MOST);
    if keys.len() < x.len() {
        say(format!("{} of {} points, at random", keys.len(), x.len()));
    }
    let bar = progress(Kind::ALL.len() as u64, "estimators").with_message("leaving one out");
    let fits = Kind::ALL.map(|kind| {
        let (parameter, error) = kind.leave_one_out(&keys, &values);
        bar.inc(1);
        (kind, parameter, error.sqrt() * height.unit)
    });
    bar.finish_and_clear();

    let queries = even(0.0, 5.0, 201);
    let drawn = |kind: Kind, parameter| {
        let curve = kind.curve(parameter, &queries, &keys, &values);
        picture([&axis.leave(&keys), &height.leave(&values)], names, kind.name(), {
            let curve = height.leave(&curve);
            axis.leave(&queries).into_iter().zip(curve).collect()
        })
    };
    let panels = fits.map(|(kind, parameter, _)| drawn(kind, parameter));
    output.figure("estimators", &Svg::grid(&panels, 2))?;
    let mut table = Table::new(["estimator", "parameter", "leave-one-out error"]);
    for (kind, parameter, error) in &fits {
        let named =
            kind.parameter().map_or(String::new(), |name| format!("{name} = {parameter:.3}"));
        table.row([kind.name(), &named, &significant(*error).to_string()]);
    }
    say(table);
    let record = fits.map(|(kind, parameter, error)| {
        json!({"estimator": kind.name(), "parameter": parameter, "leave_one_out_error": error})
    });
    output.results(&json!({"rows": x.len(), "points": keys.len(), "x": names[0], "y": names[1], "fits": record}))?;
    say(format!(
        "estimators.svg is in {}; h counts fifths of the range of x",
        output.folder().display()
    ));
    Ok(())
}

/// The points, or what is wrong with them.
fn read(path: &Path, names: [&str; 2]) -> Result<(Vec<f64>, Vec<f64>)> {
    let Columns { numbers: [x, y], notices } = read_points(path, names)?;
    if x.len() < 3 {
        return Err(Error::file(path, "at least three rows of data are needed"));
    }
    if x.iter().all(|other| *other == x[0]) {
        let reason =
            format!("column `{}` holds {} only: a curve needs different x", names[0], x[0]);
        return Err(Error::file(path, reason));
    }
    notices.iter().for_each(say);
    Ok((x, y))
}

/// A column whose range is so long inside.
struct Axis {
    low: f64,
    unit: f64,
}

impl Axis {
    fn new(numbers: &[f64], length: f64) -> Axis {
        let low = numbers.iter().copied().fold(f64::INFINITY, f64::min);
        let high = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Axis { low, unit: if high > low { (high - low) / length } else { 1.0 } }
    }

    fn enter(&self, numbers: &[f64]) -> Vec<Float> {
        numbers.iter().map(|number| ((number - self.low) / self.unit) as Float).collect()
    }

    fn leave(&self, numbers: &[Float]) -> Vec<f64> {
        numbers.iter().map(|number| self.low + f64::from(*number) * self.unit).collect()
    }
}

fn picture([x, y]: [&[f64]; 2], names: [&str; 2], name: &str, curve: Vec<(f64, f64)>) -> Svg {
    let points: Vec<(f64, f64)> = x.iter().copied().zip(y.iter().copied()).collect();
    Chart::new("", names[0], names[1])
        .points("data", &points)
        .coloured(colour::GIVEN)
        .line(name, &curve)
        .coloured(colour::LEARNT)
        .named_above()
        .height(280)
        .draw()
}
