//! The learning rate, step by step.

use serde::{Deserialize, Serialize};
use shared::Float;

/// The learning rate of every step: up to `rate` over the first `warmup` steps, then on as
/// `shape` says.
///
/// ```
/// use workbench::training::Schedule;
/// let schedule = Schedule { warmup: 4, ..Schedule::constant(0.1) };
/// assert_eq!(schedule.at(1), 0.025);
/// assert_eq!((schedule.at(4), schedule.at(1000)), (0.1, 0.1));
/// ```
#[doc(alias = "lr_scheduler")]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Schedule {
    /// η, the highest learning rate.
    pub rate: Float,
    /// W, the steps of the warm-up, over which the rate grows in equal parts to η. Adam's
    /// estimates are rough at first: small steps do less harm while they are.
    pub warmup: u64,
    /// What follows.
    pub shape: Shape,
}

/// How the learning rate goes on after the warm-up. `s` is the step, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// η
    Constant,
    /// η·(T − s)/(T − W), which is 0 from step T on (as BERT does it, Devlin et al. 2019,
    /// appendix A.2).
    Linear {
        /// T
        total: u64,
    },
    /// η·√(W/s); without warm-up η/√s. With η = (d·W)^−½ it is the schedule of Vaswani et al. 2017,
    /// equation 3: `d^−½ · min(s^−½, s·W^−³ᐟ²)`.
    ///
    /// ```
    /// use workbench::training::{Schedule, Shape};
    /// let rate = 1.0 / f32::sqrt(512.0 * 4000.0);
    /// let schedule = Schedule { rate, warmup: 4000, shape: Shape::InverseSquareRoot };
    /// let formula = |s: f64| 512f64.powf(-0.5) * s.powf(-0.5).min(s * 4000f64.powf(-1.5));
    /// for s in [1, 100, 4000, 4001, 100_000] {
    ///     let exact = formula(s as f64);
    ///     assert!((f64::from(schedule.at(s)) - exact).abs() < 1e-6 * exact);
    /// }
    /// ```
    InverseSquareRoot,
    /// ½η·(1 + cos(π(s − W)/(T − W))), which is 0 from step T on (Loshchilov & Hutter 2017,
    /// equation 5, without restarts).
    Cosine {
        /// T
        total: u64,
    },
}

impl Schedule {
    /// The same rate at every step.
    pub const fn constant(rate: Float) -> Schedule {
        Schedule { rate, warmup: 0, shape: Shape::Constant }
    }

    /// The learning rate of step `s`, counted from 1.
    ///
    /// ```
    /// use workbench::training::{Schedule, Shape};
    /// let linear = Schedule { rate: 1.0, warmup: 10, shape: Shape::Linear { total: 110 } };
    /// assert_eq!([5, 10, 60, 110, 111].map(|s| linear.at(s)), [0.5, 1.0, 0.5, 0.0, 0.0]);
    /// let cosine = Schedule { shape: Shape::Cosine { total: 110 }, ..linear };
    /// assert!((cosine.at(35) - 0.853_553_4).abs() < 1e-6); // ½(1 + cos 45°)
    /// let single = Schedule { rate: 1.0, warmup: 0, shape: Shape::Linear { total: 1 } };
    /// assert_eq!(single.at(1), 0.5); // a training of one step learns, too
    /// ```
    pub fn at(&self, s: u64) -> Float {
        if s < self.warmup {
            return self.rate * (s as f64 / self.warmup as f64) as Float;
        }
        // The share of the steps after the warm-up that are over.
        let after = |total: u64| {
            // A fall of one step would have nothing but its end, and a training of one step would learn nothing.
            let total = if total == 1 { 2 } else { total };
            let length = total.saturating_sub(self.warmup).max(1);
            (s.saturating_sub(self.warmup) as f64 / length as f64).min(1.0)
        };
        let share = match self.shape {
            Shape::Constant => 1.0,
            Shape::Linear { total } => 1.0 - after(total),
            Shape::InverseSquareRoot => (self.warmup.max(1) as f64 / s.max(1) as f64).sqrt(),
            Shape::Cosine { total } => 0.5 * (1.0 + (std::f64::consts::PI * after(total)).cos()),
        };
        self.rate * share as Float
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_rises_evenly_and_then_never_rises_again() {
        let shapes = [
            Shape::Constant,
            Shape::Linear { total: 50 },
            Shape::InverseSquareRoot,
            Shape::Cosine { total: 50 },
        ];
        for shape in shapes {
            let schedule = Schedule { rate: 2.0, warmup: 8, shape };
            assert_eq!((schedule.at(2), schedule.at(4), schedule.at(8)), (0.5, 1.0, 2.0));
            for s in 8..100 {
                assert!(schedule.at(s + 1) <= schedule.at(s), "{shape:?} at {s}");
                assert!(schedule.at(s) >= 0.0);
            }
        }
    }
}
