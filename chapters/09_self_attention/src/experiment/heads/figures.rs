//! The pictures: how far heads look, and what they find.

use super::looking::Distance;
use super::measure::Heads;
use super::texts::Asked;
use shared::Matrix;
use workbench::figure::colour;
use workbench::figure::{Chart, Heatmap, Svg};

/// All figures, by file name.
pub fn figures(found: &Heads) -> Vec<(&'static str, Svg)> {
    vec![("heads_distance", distance(found)), ("heads_relations", relations(found))]
}

/// A point a head and seed, before training and after it.
fn distance(found: &Heads) -> Svg {
    let points = |of: fn(&Distance) -> f64| -> Vec<(f64, f64)> {
        let head = |(i, distance): (usize, &Distance)| (i as f64 + 1.0, of(distance));
        found.distances.iter().flat_map(|seed| seed.iter().enumerate().map(head)).collect()
    };
    let count = found.distances[0].len() as f64;
    let far = f64::from(found.uniform);
    Chart::new("How far each head looks", "head, first block then second", "mean distance in words")
        .points("before training", &points(|distance| f64::from(distance.before)))
        .coloured(colour::AVERAGE)
        .points("after", &points(|distance| f64::from(distance.after)))
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
    let shares = Matrix::from_fn(Asked::ALL.len(), heads.len() + 1, |i, j| {
        let followed = of(Asked::ALL[i]);
        followed.each.get(j).copied().unwrap_or(followed.always)
    });
    let name =
        |distance: &Distance| format!("{}.{}", distance.head.block + 1, distance.head.head + 1);
    let mut columns: Vec<String> = heads.iter().map(name).collect();
    columns.push("fixed".to_owned());
    let rows = Asked::ALL.map(|asked| asked.name().replace('_', " "));
    Heatmap::new("What heads find", "head, by block; the best fixed distance", "", &shares)
        .x_names(&columns)
        .y_names(&rows)
        .range(0.0..1.0)
        .draw()
}
