//! Which instructions multiply rounded factors faster on this processor: tried, in a few milliseconds.

use crate::backend::Backend;
use crate::bf16;
use crate::matrix::{Matrix, Operand};
use crate::processor;
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
        let mut time = |unit: Backend| {
            let start = Instant::now();
            let (dst, strides) = (c.as_mut_ptr(), (1, SIZE));
            // SAFETY: `c` has that shape, which is not empty, and the unit is supported.
            unsafe { bf16::rounded(unit, 0.0, dst, strides, 1.0, &a.whole(), &a.whole()) };
            start.elapsed()
        };
        let mut best = Trial { bf16: Duration::MAX, f32: Duration::MAX, tiles: None };
        for _ in 0..TIMES {
            best.bf16 = best.bf16.min(time(Backend::Bf16));
            best.f32 = best.f32.min(time(Backend::F32));
            if Backend::Tiles.is_supported() {
                let tiles = time(Backend::Tiles);
                best.tiles = Some(best.tiles.map_or(tiles, |before| before.min(tiles)));
            }
        }
        best
    }

    /// Tiles, unless there are none or the instructions for bf16 take less than four fifths of their time;
    /// and that unless those for f32 do. Where two are about as fast, every start decides alike.
    ///
    /// ```
    /// use products::{Trial, Backend};
    /// use std::time::Duration;
    /// let faster = |bf16, f32, tiles: Option<u64>| {
    ///     let [bf16, f32] = [bf16, f32].map(Duration::from_micros);
    ///     Trial { bf16, f32, tiles: tiles.map(Duration::from_micros) }.faster()
    /// };
    /// assert_eq!(faster(80, 140, None), Backend::Bf16);
    /// assert_eq!(faster(100, 81, None), Backend::Bf16); // a little slower
    /// assert_eq!(faster(100, 79, None), Backend::F32);
    /// assert_eq!(faster(100, 90, Some(30)), Backend::Tiles);
    /// assert_eq!(faster(100, 20, Some(30)), Backend::F32);
    /// assert_eq!(faster(20, 90, Some(30)), Backend::Bf16);
    /// ```
    pub fn faster(self) -> Backend {
        self.first_of(&[(Backend::Bf16, self.bf16), (Backend::F32, self.f32)]).0
    }

    /// The same for three products of bf16, which those for f32 cannot gain by; and do these three take
    /// longer than one by those for f32?
    ///
    /// ```
    /// use products::{Trial, Backend};
    /// use std::time::Duration;
    /// let trial = |bf16, tiles: Option<u64>| {
    ///     let [bf16, f32] = [bf16, 90].map(Duration::from_micros);
    ///     Trial { bf16, f32, tiles: tiles.map(Duration::from_micros) }.faster_split()
    /// };
    /// assert_eq!(trial(29, None), (Backend::Bf16, false));
    /// assert_eq!(trial(31, None), (Backend::Bf16, true));
    /// assert_eq!(trial(100, Some(20)), (Backend::Tiles, false));
    /// ```
    pub fn faster_split(self) -> (Backend, bool) {
        let (unit, time) = self.first_of(&[(Backend::Bf16, self.bf16)]);
        (unit, 3 * time > self.f32)
    }

    /// Tiles or else bf16, unless one of `others` needs less than four fifths of the time.
    fn first_of(self, others: &[(Backend, Duration)]) -> (Backend, Duration) {
        let first = self.tiles.map_or((Backend::Bf16, self.bf16), |time| (Backend::Tiles, time));
        others
            .iter()
            .fold(first, |best, other| if 5 * other.1 < 4 * best.1 { *other } else { best })
    }
}
