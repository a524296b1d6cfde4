//! The figures that are drawn from the comparison.

use workbench::figure::colour::PALETTE;
use workbench::figure::{Chart, Svg};
use workbench::study::Numbers;

type Picture = (&'static str, fn(&Numbers) -> Svg);

pub const FIGURES: &[Picture] = &[("rulers", rulers)];

const SHOWN: [(&str, &str); 6] = [
    ("din", "DIN"),
    ("gru", "GRU"),
    ("sasrec", "SASRec"),
    ("item_to_item", "item to item"),
    ("din_without_age", "DIN without ages"),
    ("popularity", "popularity"),
];

/// HR@10 of every model by three rulers: lines that cross are models that change places.
fn rulers(found: &Numbers) -> Svg {
    let names = ["100 uniform", "100 popular", "full"];
    let chart = Chart::new("Three rulers", "what the bought item is compared with", "HR@10, %");
    let chart = chart.x_names(&names).x_range(-0.2..2.2).y_range(0.0..100.0);
    let line = |chart: Chart, ((row, name), colour): (&(&str, &str), _)| {
        let numbers =
            ["hit_uniform", "hit_popular", "hit_full"].map(|number| found.of(row, number));
        let place = |(x, spread): (usize, Option<&workbench::study::Spread>)| {
            let (x, mean, low, high) = spread?.at(x as f64);
            Some((x, 100.0 * mean, 100.0 * low, 100.0 * high))
        };
        let places: Vec<_> = numbers.into_iter().enumerate().filter_map(place).collect();
        if places.is_empty() { chart } else { chart.spread(name, places).coloured(colour) }
    };
    SHOWN.iter().zip(PALETTE).fold(chart, line).draw()
}
