//! What do sinusoids say of places?

use super::config::Config;
use super::section::{JudgedClaim, Section};
use super::statistics::{change, normal};
use crate::positions::{frequency, shift, sinusoids};
use crate::{MultiHead, SelfAttention};
use rand::seq::SliceRandom;
use scoring_functions::Segments;
use serde::{Deserialize, Serialize};
use shared::{Float, Matrix, Operand, Tape, product, rng};
use std::collections::BTreeMap;
use workbench::figure::{Chart, Heatmap, Svg, colour};
use workbench::program::say;
use workbench::study::short;

const WIDTH: usize = 64;
const DRAWN: usize = 100;
const FROM: [usize; 3] = [40, 80, 160];
const DISTANCES: std::ops::RangeInclusive<isize> = -40..=40;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Places {
    /// The largest entry of `R p_i − p_{i+7}` over 500 places.
    pub rotation: Float,
    /// `p_i·p_{i+k}` by `i`, for k from −40 to 40.
    pub dots: BTreeMap<String, Vec<Float>>,
    /// `(W_q p_i)·(W_k p_{i+k})/√d` with random matrices.
    pub projected: BTreeMap<String, Vec<Float>>,
    /// The spread of either over all places 40 … 460, at distance 5: largest minus smallest.
    pub spread_of_dots: Float,
    pub spread_of_projected: Float,
    /// How far a fresh layer's result moves when the same 12 tokens stand 50 places further right.
    pub moved: Float,
    /// How far the results move apart from the permutation when 12 tokens are permuted, without
    /// positions.
    pub permuted_without: Float,
    pub permuted_with: Float,
}

pub fn measure(config: &Config) -> Places {
    let rng = &mut rng(config.stream(400));
    let p = sinusoids(WIDTH, 0, 520);
    let head = SelfAttention::new(WIDTH, WIDTH, rng);
    let moved = shift(WIDTH, 7) * p.columns(0, 500) - p.columns(7, 500);
    let dots = product(&p.t(), &p); // (520, 520)
    let (q, k) = (product(head.w_q.weight.value(), &p), product(head.w_k.weight.value(), &p));
    let projected = product(&q.t(), &k) / Float::sqrt(WIDTH as Float);
    let around = |scores: &Matrix| {
        let at = |i: usize| DISTANCES.map(move |k| short(scores[(i, i.wrapping_add_signed(k))]));
        FROM.map(|i| (format!("i{i}"), at(i).collect())).into()
    };
    let spread = |scores: &Matrix| {
        let at = || (40..460).map(|i| scores[(i, i + 5)]);
        short(at().fold(Float::MIN, Float::max) - at().fold(Float::MAX, Float::min))
    };

    let x = normal(WIDTH, 12, rng);
    let layer = MultiHead::new(WIDTH, 4, rng);
    let read = |x: &Matrix| {
        let tape = Tape::without_gradients();
        let x = tape.constant(x.clone());
        Matrix::clone(&layer.forward(x, x, &Segments::single(12, 12)).value())
    };
    let mut order: Vec<usize> = (0..12).collect();
    order.shuffle(rng);
    let placed = |x: &Matrix, first: usize| x + sinusoids(WIDTH, first, 12);
    let permute = |x: &Matrix| x.select_columns(&order);
    Places {
        rotation: short(moved.amax()),
        dots: around(&dots),
        projected: around(&projected),
        spread_of_dots: spread(&dots),
        spread_of_projected: spread(&projected),
        moved: short(change(&read(&placed(&x, 0)), &read(&placed(&x, 50)))),
        permuted_without: short(change(&permute(&read(&x)), &read(&permute(&x)))),
        permuted_with: short(change(
            &permute(&read(&placed(&x, 0))),
            &read(&placed(&permute(&x), 0)),
        )),
    }
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
    fn claims(&self) -> Vec<JudgedClaim> {
        let (of_dots, of_projected) = (self.spread_of_dots, self.spread_of_projected);
        vec![(
            "c_absolute",
            "at distance 5, the score of two positions moves at least a hundred times as much from place to place once random matrices stand between them",
            Some(of_projected > 100.0 * of_dots),
        )]
    }

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

    fn report(&self) {
        say(format!(
            "Positions: a shift is a rotation up to {:.0e}; the same words 50 places further right \
             change a fresh layer's result by {:.2}; permuted words, without positions, by {:.0e}, \
             with them by {:.2}",
            self.rotation, self.moved, self.permuted_without, self.permuted_with
        ));
    }
}
