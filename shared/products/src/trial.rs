//! Which instructions multiply rounded factors faster on this processor: tried, in a few milliseconds.

use crate::bf16;
use crate::matrix::{Matrix, Operand};
use crate::processor;
use crate::unit::Unit;
use std::time::{Duration, Instant};

/// Rows and columns of the product that is tried.
const SIZE: usize = 192;
/// How often, by each in turn.
const TIMES: usize = 8;

/// The fastest of some products of rounded factors.
#[derive(Clone, Copy, Debug)]
pub struct Trial {
    /// Time by the instructions for bf16.
    pub bf16: Duration,
    /// Time by those for f32.
    pub f32: Duration,
    /// Time by tiles, if there are any.
    pub tiles: Option<Duration>,
}

impl Trial {
    /// Multiplies, on this thread.
    ///
    /// # Panics
    /// When this processor or this build has no bf16.
    pub fn run() -> Trial {
        assert!(processor::has_bf16(), "bf16 is not supported here");
        let a = Matrix::from_element(SIZE, SIZE, 1.0);
        let mut c = Matrix::zeros(SIZE, SIZE);
        let mut time = |unit: Unit| {
            let start = Instant::now();
            let (dst, strides) = (c.as_mut_ptr(), (1, SIZE));
            // SAFETY: `c` has that shape, which is not empty, and the unit is supported.
            unsafe { bf16::rounded(unit, 0.0, dst, strides, 1.0, &a.whole(), &a.whole()) };
            start.elapsed()
        };
        let mut best = Trial { bf16: Duration::MAX, f32: Duration::MAX, tiles: None };
        for _ in 0..TIMES {
            best.bf16 = best.bf16.min(time(Unit::Bf16));
            best.f32 = best.f32.min(time(Unit::F32));
            if Unit::Tiles.is_supported() {
                let tiles = time(Unit::Tiles);
                best.tiles = Some(best.tiles.map_or(tiles, |before| before.min(tiles)));
            }
        }
        best
    }

    /// Tiles, unless there are none or the instructions for bf16 take less than four fifths of their time;
    /// and that unless those for f32 do. Where two are about as fast, every start decides alike.
    ///
    /// ```
    /// use products::{Trial, Unit};
    /// use std::time::Duration;
    /// let faster = |bf16, f32, tiles: Option<u64>| {
    ///     let [bf16, f32] = [bf16, f32].map(Duration::from_micros);
    ///     Trial { bf16, f32, tiles: tiles.map(Duration::from_micros) }.faster()
    /// };
    /// assert_eq!(faster(80, 140, None), Unit::Bf16);
    /// assert_eq!(faster(100, 81, None), Unit::Bf16); // a little slower
    /// assert_eq!(faster(100, 79, None), Unit::F32);
    /// assert_eq!(faster(100, 90, Some(30)), Unit::Tiles);
    /// assert_eq!(faster(100, 20, Some(30)), Unit::F32);
    /// assert_eq!(faster(20, 90, Some(30)), Unit::Bf16);
    /// ```
    pub fn faster(self) -> Unit {
        self.first_of(&[(Unit::Bf16, self.bf16), (Unit::F32, self.f32)]).0
    }

    /// The same for three products of bf16, which those for f32 cannot gain by; and do these three take
    /// longer than one by those for f32?
    ///
    /// ```
    /// use products::{Trial, Unit};
    /// use std::time::Duration;
    /// let trial = |bf16, tiles: Option<u64>| {
    ///     let [bf16, f32] = [bf16, 90].map(Duration::from_micros);
    ///     Trial { bf16, f32, tiles: tiles.map(Duration::from_micros) }.faster_split()
    /// };
    /// assert_eq!(trial(29, None), (Unit::Bf16, false));
    /// assert_eq!(trial(31, None), (Unit::Bf16, true));
    /// assert_eq!(trial(100, Some(20)), (Unit::Tiles, false));
    /// ```
    pub fn faster_split(self) -> (Unit, bool) {
        let (unit, time) = self.first_of(&[(Unit::Bf16, self.bf16)]);
        (unit, 3 * time > self.f32)
    }

    /// Tiles or else bf16, unless one of `others` needs less than four fifths of the time.
    fn first_of(self, others: &[(Unit, Duration)]) -> (Unit, Duration) {
        let first = self.tiles.map_or((Unit::Bf16, self.bf16), |time| (Unit::Tiles, time));
        others
            .iter()
            .fold(first, |best, other| if 5 * other.1 < 4 * best.1 { *other } else { best })
    }
}
