//! The fifty points of the page, the textbook's training on them, and its pictures.

use crate::{Sees, Step, descend, learn, predict, squared_error};
use kernel_regression::data::{noisy_points, truth};
use rand::RngExt;
use shared::{Float, rng};
use workbench::figure::{Chart, Svg, colour, points};
use workbench::stream;

pub use crate::plane::plane_points;

/// Numbers from `low` to `high` at even distances.
pub fn even(low: Float, high: Float, count: usize) -> Vec<Float> {
    (0..count).map(|i| low + (high - low) * i as Float / (count - 1) as Float).collect()
}

/// Numbers from `low` to `high` at even ratios.
pub fn spaced(low: Float, high: Float, count: usize) -> Vec<Float> {
    even(low.ln(), high.ln(), count).into_iter().map(Float::exp).collect()
}

/// Keys, values, and where the training begins: w₀ ~ U(0, 1).
pub struct Fifty {
    /// The keys.
    pub x: Vec<Float>,
    /// The values.
    pub y: Vec<Float>,
    /// The first width.
    pub start: Float,
}

impl Fifty {
    /// The points of a seed.
    pub fn new(seed: u64) -> Fifty {
        let rng = &mut rng(stream(seed, 0));
        let (x, y) = noisy_points(50, rng);
        Fifty { x, y, start: rng.random::<f64>() as Float }
    }

    /// The loss at a width, and its slope.
    pub fn loss(&self, w: Float, sees: Sees) -> (Float, Float) {
        squared_error(&self.x, &self.y, w, sees)
    }

    /// The textbook's training: where it begins, and where each step leads.
    pub fn textbook(&self, rate: Float, epochs: usize) -> Vec<Step> {
        descend(self.start, rate, epochs, |w| self.loss(w, Sees::Others))
    }

    /// Where training to the end leads.
    pub fn learnt(&self) -> Step {
        let path = learn(self.start, |w| self.loss(w, Sees::Others));
        path[path.len() - 1]
    }

    /// The loss against the width.
    pub fn landscape(&self) -> Svg {
        let w = spaced(0.1, 300.0, 160);
        let loss = |sees| -> Vec<Float> { w.iter().map(|w| self.loss(*w, sees).0).collect() };
        let visited = self.textbook(0.5, 5);
        let visited: Vec<(f64, f64)> =
            visited.iter().map(|step| (step.w.into(), step.loss.into())).collect();
        let learnt = self.learnt();
        Chart::new("", "width w", "summed squared error")
            .line("seeing the others", &points(&w, &loss(Sees::Others)))
            .coloured(colour::LEARNT)
            .line("seeing itself, too", &points(&w, &loss(Sees::Everyone)))
            .coloured(colour::SEES_ITSELF)
            .points("the textbook's five steps", &visited)
            .coloured(colour::TEXTBOOK)
            .points("trained to the end", &points(&[learnt.w], &[learnt.loss]))
            .coloured(colour::CHOSEN)
            .log(true, false)
            .draw()
    }

    /// The points, and curves of some widths through them at so many places.
    pub fn curves(&self, places: usize, curves: &[(&str, Float, colour::Colour)]) -> Chart {
        let grid = even(0.0, 5.0, places);
        let chart = Chart::new("", "x", "y").points("training points", &points(&self.x, &self.y));
        let mut chart = chart.coloured(colour::GIVEN);
        for (name, w, colour) in curves {
            let line = points(&grid, &predict(&grid, &self.x, &self.y, *w));
            chart = chart.line(name, &line).coloured(*colour);
        }
        chart
    }

    /// Three widths, and the truth.
    pub fn fits(&self) -> Svg {
        let steps = self.textbook(0.5, 5);
        let (textbook, learnt) = (steps[5].w, self.learnt().w);
        let grid = even(0.0, 5.0, 501);
        let truths: Vec<Float> = grid.iter().map(|x| truth(*x)).collect();
        let textbook_name = format!("five steps, w = {textbook:.1}");
        let learnt_name = format!("learnt, w = {learnt:.1}");
        let curves = [
            (&textbook_name[..], textbook, colour::TEXTBOOK),
            (&learnt_name, learnt, colour::LEARNT),
            ("w = 1", 1.0, colour::WIDE),
        ];
        let chart = self.curves(501, &curves).dashed("truth", &points(&grid, &truths));
        chart.coloured(colour::GIVEN).draw()
    }
}
