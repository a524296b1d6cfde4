//! Which instructions multiply rounded factors faster on this processor: tried, in a few milliseconds.

use crate::bf16;
use crate::matrix::{Matrix, Operand};
use crate::unit::Unit;
use std::time::{Duration, Instant};

/// Rows and columns of the product that is tried.
const SIZE: usize = 192;
/// How often, by each of both in turn.
const TIMES: usize = 8;

/// The fastest of some products of rounded factors.
#[derive(Clone, Copy, Debug)]
pub struct Trial {
    /// By the instructions for bf16.
    pub bf16: Duration,
    /// By those for f32.
    pub f32: Duration,
}

impl Trial {
    /// Multiplies, on this thread.
    ///
    /// # Panics
    /// When this processor or this build has no bf16.
    pub fn run() -> Trial {
        assert!(bf16::supported(), "bf16 is not supported here");
        let a = Matrix::from_element(SIZE, SIZE, 1.0);
        let mut c = Matrix::zeros(SIZE, SIZE);
        let mut time = |unit: Unit| {
            let start = Instant::now();
            let (dst, strides) = (c.as_mut_ptr(), (1, SIZE));
            // SAFETY: `c` has that shape, which is not empty, and the processor is supported.
            unsafe { bf16::rounded(unit, 0.0, dst, strides, 1.0, &a.whole(), &a.whole()) };
            start.elapsed()
        };
        let mut best = Trial { bf16: Duration::MAX, f32: Duration::MAX };
        for _ in 0..TIMES {
            best.bf16 = best.bf16.min(time(Unit::Bf16));
            best.f32 = best.f32.min(time(Unit::F32));
        }
        best
    }

    /// The instructions for bf16, unless those for f32 take less than four fifths of their time: where both
    /// are about as fast, every start decides alike.
    ///
    /// ```
    /// use products::{Trial, Unit};
    /// use std::time::Duration;
    /// let faster = |bf16, f32| {
    ///     Trial { bf16: Duration::from_micros(bf16), f32: Duration::from_micros(f32) }.faster()
    /// };
    /// assert_eq!(faster(80, 140), Unit::Bf16);
    /// assert_eq!(faster(100, 81), Unit::Bf16); // a little slower
    /// assert_eq!(faster(100, 79), Unit::F32);
    /// ```
    pub fn faster(self) -> Unit {
        if 5 * self.f32 < 4 * self.bf16 { Unit::F32 } else { Unit::Bf16 }
    }

    /// Do three products by the instructions for bf16 take longer than one by those for f32?
    ///
    /// ```
    /// use products::Trial;
    /// use std::time::Duration;
    /// let trial = |bf16| Trial { bf16: Duration::from_micros(bf16), f32: Duration::from_micros(90) };
    /// assert!(!trial(29).is_split_slower() && trial(31).is_split_slower());
    /// ```
    pub fn is_split_slower(self) -> bool {
        3 * self.bf16 > self.f32
    }
}
