//! One head or several, how far do they look, and along which relations?
//!
//! | module | holds |
//! |---|---|
//! | [`texts`] | English sentences, and which words belong together |
//! | [`filler`] | models that predict a masked word |
//! | [`looking`] | how far a head looks, and what it finds |
//! | `measure` | all trainings, and what they gave |

pub mod filler;
pub mod looking;
mod measure;
pub mod texts;

pub use filler::{Kind, SEVERAL};
pub use measure::{Config, Filled, Heads, measure};

use super::section::Section;
use looking::Distance;
use shared::Matrix;
use texts::Asked;
use workbench::figure::{Chart, Heatmap, Svg, colour};
use workbench::program::{Table, say};

impl Section for Heads {
    fn figures(&self) -> Vec<(&'static str, Svg)> {
        vec![("heads_distance", distance(self)), ("heads_relations", relations(self))]
    }

    fn report(&self) {
        let mut table = Table::new(["model", "parameters", "nats", "lowest", "highest", "right"]);
        for (name, found) in &self.filled {
            let Filled { parameters, loss, right } = found;
            let [mean, low, high, right] =
                [loss.mean, loss.lowest, loss.highest, right.mean].map(|x| format!("{x:.3}"));
            table.row([name.clone(), parameters.to_string(), mean, low, high, right]);
        }
        say("\nHidden words filled in: h and a number of heads, or a GRU");
        say(&table);
    }
}

/// A line a head and seed, from before training to after it, the nearest to look on the left.
fn distance(found: &Heads) -> Svg {
    let mut heads: Vec<&Distance> = found.distances.iter().flatten().collect();
    heads.sort_by(|a, b| a.after.total_cmp(&b.after));
    let points = |of: fn(&Distance) -> f64| -> Vec<(f64, f64)> {
        (1..).zip(&heads).map(|(i, distance)| (f64::from(i), of(distance))).collect()
    };
    let before = points(|distance| f64::from(distance.before));
    let after = points(|distance| f64::from(distance.after));
    let (count, far) = (heads.len() as f64, f64::from(found.uniform));
    let title = "Most heads learn to look nearer, a few farther";
    let chart = Chart::new(title, "head, sorted by its distance after", "mean distance in words");
    let ways = before.iter().zip(&after);
    ways.fold(chart, |chart, (from, to)| chart.line("", &[*from, *to]).coloured(colour::ASIDE))
        .rings("before training", &before)
        .coloured(colour::ASIDE)
        .points("after", &after)
        .coloured(colour::LEARNT)
        .dashed("equal weights", &[(0.5, far), (count + 0.5, far)])
        .coloured(colour::GIVEN)
        .x_range(0.5..count + 0.5)
        .draw()
}

/// How often each head of the first model finds each relation, beside a fixed distance.
fn relations(found: &Heads) -> Svg {
    let of = |asked: Asked| &found.relations[asked.name()];
    let heads = &found.distances[0];
    let (rows, gap) = (Asked::ALL.len(), heads.len());
    let shares = Matrix::from_fn(rows, gap + 2, |i, j| {
        let followed = of(Asked::ALL[i]);
        let beside = if j == gap { 0.0 } else { followed.always };
        followed.each.get(j).copied().unwrap_or(beside)
    });
    let cells = (0..rows).flat_map(|i| (0..gap).map(move |j| (i, j)));
    let better: Vec<_> = cells.filter(|(i, j)| shares[(*i, *j)] > shares[(*i, gap + 1)]).collect();
    let name =
        |distance: &Distance| format!("{}.{}", distance.head.block + 1, distance.head.head + 1);
    let mut columns: Vec<String> = heads.iter().map(name).collect();
    columns.extend([String::new(), "fixed".to_owned()]);
    let rows = Asked::ALL.map(|asked| asked.name().replace('_', " "));
    Heatmap::new("What heads find", "head, by block; the best fixed distance", "", &shares)
        .x_names(&columns)
        .y_names(&rows)
        .range(0.0..1.0)
        .rings("better than fixed", &better)
        .draw()
}
