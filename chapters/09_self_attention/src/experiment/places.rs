//! What do sinusoids say of places?

use super::config::Config;
use super::section::{Judged, Section};
use super::statistics::{change, normal, short};
use crate::positions::{shift, sinusoids};
use crate::{MultiHead, SelfAttention};
use rand::seq::SliceRandom;
use scoring_functions::Segments;
use serde::{Deserialize, Serialize};
use shared::{Float, Matrix, Operand, Tape, product, rng};
use std::collections::BTreeMap;
use workbench::figure::{Chart, Heatmap, Svg};
use workbench::program::say;

/// Entries of a position, and places that are drawn.
const WIDTH: usize = 64;
const DRAWN: usize = 100;
/// The places that are compared with others, and how far away those are.
const FROM: [usize; 3] = [40, 80, 160];
const DISTANCES: std::ops::RangeInclusive<isize> = -40..=40;

/// What was measured of positions.
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
    /// See there.
    pub spread_of_projected: Float,
    /// How far a fresh layer's result moves when the same 12 tokens stand 50 places further right.
    pub moved: Float,
    /// How far the results move apart from the permutation when 12 tokens are permuted, without
    /// positions.
    pub permuted_without: Float,
    /// The same with positions.
    pub permuted_with: Float,
}

/// All of it.
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

fn by_distance(title: &str, y: &str, lines: &BTreeMap<String, Vec<Float>>) -> Svg {
    let mut chart = Chart::new(title, "distance k", y);
    for i in FROM {
        let values = &lines[&format!("i{i}")];
        let line = DISTANCES.zip(values).map(|(k, value)| (k as f64, f64::from(*value)));
        chart = chart.line(&format!("i = {i}"), &line.collect::<Vec<_>>());
    }
    chart.draw()
}

impl Section for Places {
    fn claims(&self) -> Vec<Judged> {
        let (of_dots, of_projected) = (self.spread_of_dots, self.spread_of_projected);
        vec![(
            "c_absolute",
            "at distance 5, the score of two positions moves at least a hundred times as much from place to place once random matrices stand between them",
            Some(of_projected > 100.0 * of_dots),
        )]
    }

    fn figures(&self) -> Vec<(&'static str, Svg)> {
        let p = sinusoids(WIDTH, 0, DRAWN);
        let mut curves = Chart::new("Four rows of the sinusoids", "place i", "");
        for row in [0, 8, 16, 32] {
            let line = (0..DRAWN).map(|i| (i as f64, f64::from(p[(row, i)])));
            curves = curves.line(&format!("row {row}"), &line.collect::<Vec<_>>());
        }
        let heatmap = Heatmap::new("The sinusoids", "place i", "row", &p).range(-1.0..1.0);
        vec![
            ("curves", curves.draw()),
            ("sinusoids", heatmap.draw()),
            ("dots", by_distance("As they are", "pᵢ·pᵢ₊ₖ", &self.dots)),
            (
                "projected",
                by_distance("With random matrices", "(W_q pᵢ)·(W_k pᵢ₊ₖ)/√d", &self.projected),
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
