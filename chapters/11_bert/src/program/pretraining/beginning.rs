//! An initialisation and an order of this course's own: what the chapter's small model begins with.

use serde::Serialize;
use shared::Float;
use workbench::training::{Schedule, Shape};

/// The steps in which a beginning differs from the paper's; 0 leaves one out.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Beginning {
    /// See [`begin_with_keys_as_queries`](crate::Bert::begin_with_keys_as_queries).
    pub keys_as_queries: Float,
    /// The share of the steps for which NSP comes first.
    pub nsp_first: Float,
}

impl Beginning {
    pub const PAPER: Beginning = Beginning { keys_as_queries: 0.0, nsp_first: 0.0 };
    /// The values that were found to serve the small model on documents of the small world.
    pub const CHAPTER: Beginning = Beginning { keys_as_queries: 4.0, nsp_first: 0.15 };

    pub fn order(&self, steps: u64) -> NspFirst {
        let first = f64::from(self.nsp_first) * steps as f64;
        NspFirst { steps: if self.nsp_first > 0.0 { first.max(1.0) as u64 } else { 0 } }
    }
}

/// The weight of the MLM loss at first.
const LEAST: Float = 0.03;

/// How long NSP comes first. Until half of these steps are over, the MLM loss hardly counts and steps are
/// small; then both grow on straight lines. The rate takes a tenth of the run for it at least.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NspFirst {
    /// Steps of the run until the MLM loss counts fully; 0: it does from the beginning.
    pub steps: u64,
}

impl NspFirst {
    /// The weight of the MLM loss in a step, after so many others.
    ///
    /// ```
    /// use bert::program::NspFirst;
    /// let weights = [0, 50, 75, 100, 200].map(|before| NspFirst { steps: 100 }.weight(before));
    /// let wanted = [0.03, 0.03, 0.515, 1.0, 1.0];
    /// assert!(weights.iter().zip(wanted).all(|(found, wanted)| (found - wanted).abs() < 1e-6));
    /// ```
    pub fn weight(&self, before: u64) -> Float {
        if before >= self.steps {
            return 1.0;
        }
        let half = self.steps as Float / 2.0;
        let rise = (before as Float - half) / half;
        LEAST + (1.0 - LEAST) * rise.max(0.0)
    }

    /// The rate of step `s`: the schedule's when nothing comes first. Else, after a warm-up over a hundredth
    /// of the steps, a quarter of its highest until half of the steps in which NSP comes first are over;
    /// then ever more until these all are, and from there on a straight line to 0. (Where these steps are
    /// less than a tenth of all, a tenth stands in for them.)
    ///
    /// ```
    /// use bert::program::{NspFirst, options};
    /// let schedule = options(1000, 1.0).schedule;
    /// let rates = |steps, at: [u64; 4]| at.map(|s| NspFirst { steps }.rate(&schedule, s));
    /// assert_eq!(rates(200, [5, 100, 200, 600]), [0.125, 0.25, 1.0, 0.5]);
    /// assert_eq!(rates(0, [5, 100, 550, 1000]), [0.05, 1.0, 0.5, 0.0]);
    /// ```
    pub fn rate(&self, schedule: &Schedule, s: u64) -> Float {
        let total = match schedule.shape {
            Shape::Linear { total } if self.steps > 0 => total.max(2), // a run of one step learns, too
            _ => return schedule.at(s),
        };
        // 0 in the first of two steps, 1 in the second and after it.
        let between = |first: u64, second: u64| {
            let length = second.saturating_sub(first).max(1);
            (s.saturating_sub(first) as f64 / length as f64).min(1.0)
        };
        let full = self.steps.max(total / 10);
        let up = 0.25 * between(0, total / 100) + 0.75 * between(full / 2, full);
        schedule.rate * (up * (1.0 - between(full, total))) as Float
    }
}
