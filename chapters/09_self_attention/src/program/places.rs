//! What do sinusoids say of places? Scores of two of them, for the figures.

use super::config::Config;
use super::section::Section;
use crate::SelfAttention;
use crate::positions::{frequency, sinusoids};
use serde::{Deserialize, Serialize};
use shared::{Float, Matrix, Operand, product, rng};
use std::collections::BTreeMap;
use workbench::figure::{Chart, Heatmap, Svg, colour};
use workbench::study::short;

const WIDTH: usize = 64;
const DRAWN: usize = 100;
const FROM: [usize; 3] = [40, 80, 160];
const DISTANCES: std::ops::RangeInclusive<isize> = -40..=40;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Places {
    /// `p_i·p_{i+k}` by `i`, for k from −40 to 40.
    pub dots: BTreeMap<String, Vec<Float>>,
    /// `(W_q p_i)·(W_k p_{i+k})/√d` with random matrices.
    pub projected: BTreeMap<String, Vec<Float>>,
}

pub fn measure(config: &Config) -> Places {
    let rng = &mut rng(config.stream(400));
    let p = sinusoids(WIDTH, 0, 201);
    let head = SelfAttention::new(WIDTH, WIDTH, rng);
    let dots = product(&p.t(), &p); // (201, 201)
    let (q, k) = (product(head.w_q.weight.value(), &p), product(head.w_k.weight.value(), &p));
    let projected = product(&q.t(), &k) / Float::sqrt(WIDTH as Float);
    let around = |scores: &Matrix| {
        let at = |i: usize| DISTANCES.map(move |k| short(scores[(i, i.wrapping_add_signed(k))]));
        FROM.map(|i| (format!("i{i}"), at(i).collect())).into()
    };
    Places { dots: around(&dots), projected: around(&projected) }
}

fn by_distance(title: &str, y: &str, lines: &[(String, &Vec<Float>)]) -> Svg {
    let line = |chart: Chart, (name, values): &(String, &Vec<Float>)| {
        let line = DISTANCES.zip(*values).map(|(k, value)| (k as f64, f64::from(*value)));
        chart.line(name, &line.collect::<Vec<_>>())
    };
    lines.iter().fold(Chart::new(title, "distance k", y), line).draw()
}

/// A row of sines between the places too, with dots at the places.
fn strip(p: &Matrix, row: usize) -> Svg {
    let frequency = frequency(WIDTH, row / 2);
    let fine: Vec<f64> = (0..=10 * (DRAWN - 1)).map(|i| i as f64 / 10.0).collect();
    let line: Vec<(f64, f64)> = fine.iter().map(|i| (*i, (i * frequency).sin())).collect();
    let dots: Vec<(f64, f64)> = (0..DRAWN).map(|i| (i as f64, f64::from(p[(row, i)]))).collect();
    Chart::new(&format!("row {row}"), if row == 32 { "position i" } else { "" }, "")
        .line("", &line)
        .coloured(colour::ASIDE)
        .points("", &dots)
        .y_range(-1.1..1.1)
        .height(if row == 32 { 200 } else { 180 })
        .draw()
}

/// Sines above cosines, the fastest of each on top.
fn table(p: &Matrix) -> Svg {
    let half = WIDTH / 2;
    let row = |i: usize| if i < half { 2 * i } else { 2 * (i - half) + 1 };
    let sorted = Matrix::from_fn(WIDTH, DRAWN, |i, j| p[(row(i), j)]);
    let name = |i: usize| match (i % half, i < half) {
        (8, true) => "sines".to_owned(),
        (8, false) => "cosines".to_owned(),
        (0 | 16 | 24, _) => row(i).to_string(),
        _ => String::new(),
    };
    Heatmap::new("", "position i", "row", &sorted)
        .range(-1.0..1.0)
        .y_names(&(0..WIDTH).map(name).collect::<Vec<_>>())
        .draw()
}

impl Section for Places {
    fn figures(&self) -> Vec<(&'static str, Svg)> {
        let p = sinusoids(WIDTH, 0, DRAWN);
        let strips = [0, 8, 16, 32].map(|row| strip(&p, row));
        let all_three = [("all three i".to_owned(), &self.dots["i40"])];
        let projected = FROM.map(|i| (format!("i = {i}"), &self.projected[&format!("i{i}")]));
        vec![
            ("curves", Svg::grid(&strips, 1)),
            ("sinusoids", table(&p)),
            ("dots", by_distance("As they are", "pᵢ·pᵢ₊ₖ", &all_three)),
            (
                "projected",
                by_distance("With random matrices", "score of positions i and i + k", &projected),
            ),
        ]
    }
}
