//! Which instructions multiply rounded factors faster on this processor, and from which size on that is faster than
//! not to round: tried, in some ten milliseconds.

use crate::backend::Backend;
use crate::bf16;
use crate::kernel::in_order;
use crate::matrix::{Float, Matrix, Operand, View};
use crate::precision::{LEAST, Precision};
use crate::processor;
use std::time::{Duration, Instant};

/// Widths of the layers that are tried.
const WIDTHS: [usize; 3] = [64, 128, 256];
/// Tokens that pass through them.
const TOKENS: usize = 256;
/// How often, by each in turn.
const TIMES: usize = 6;

/// The fastest of some runs of a layer: its product, and both of its gradient. So every kind of product has its
/// part: with a factor as it is and transposed, over the width and over the tokens. (Copies of weights, which training
/// keeps, are made in every run.)
#[derive(Clone, Copy, Debug)]
pub struct Times {
    /// Time by factors in f32.
    pub whole: Duration,
    /// Time by rounded ones and the instructions for bf16.
    pub bf16: Duration,
    /// Time by the same and those for f32.
    pub f32: Duration,
    /// Time by the same and tiles, if there are any.
    pub tiles: Option<Duration>,
    /// Time by three products in place of one: by tiles, or else by the instructions for bf16.
    pub split: Duration,
}

/// The times of layers, from narrow to wide.
#[derive(Clone, Copy, Debug)]
pub struct Trial(pub [Times; 3]);

impl Trial {
    /// Multiplies, on this thread.
    ///
    /// # Panics
    /// When this processor or this build has no bf16.
    pub fn run() -> Trial {
        assert!(processor::has_bf16(), "bf16 is not supported here");
        let best_unit = if Backend::Tiles.is_supported() { Backend::Tiles } else { Backend::Bf16 };
        Trial(WIDTHS.map(|width| {
            let w = Matrix::from_element(width, width, 1.0);
            let x = Matrix::from_element(width, TOKENS, 1.0);
            let mut results = [(); 2].map(|()| x.clone());
            let mut dw = w.clone();
            // What `multiply` does with destination, rows of it, and factors.
            let mut time = |multiply: &dyn Fn(*mut Float, usize, &View, &View)| {
                let start = Instant::now();
                multiply(results[0].as_mut_ptr(), width, &w.whole(), &x.whole());
                multiply(results[1].as_mut_ptr(), width, &w.t(), &x.whole());
                multiply(dw.as_mut_ptr(), width, &x.whole(), &x.t());
                start.elapsed()
            };
            let forever = Duration::MAX;
            let mut best =
                Times { whole: forever, bf16: forever, f32: forever, tiles: None, split: forever };
            for _ in 0..TIMES {
                let mut rounded = |unit: Backend| {
                    // SAFETY: the destinations have the products' shapes, which are not empty; the unit is supported.
                    time(&|dst, rows, a, b| unsafe {
                        bf16::rounded(unit, 0.0, dst, (1, rows), 1.0, a, b);
                    })
                };
                best.bf16 = best.bf16.min(rounded(Backend::Bf16));
                best.f32 = best.f32.min(rounded(Backend::F32));
                if best_unit == Backend::Tiles {
                    let tiles = rounded(Backend::Tiles);
                    best.tiles = Some(best.tiles.map_or(tiles, |before| before.min(tiles)));
                }
                // SAFETY: as above.
                best.split = best.split.min(time(&|dst, rows, a, b| unsafe {
                    bf16::split(best_unit, 0.0, dst, (1, rows), 1.0, a, b);
                }));
                // SAFETY: as above.
                best.whole = best.whole.min(time(&|dst, rows, a, b| unsafe {
                    in_order(0.0, dst, (1, rows), 1.0, a, b);
                }));
            }
            best
        }))
    }

    /// For products of rounded factors tiles, unless there are none or, in the widest layer, the instructions for
    /// bf16 take less than four fifths of their time; and that unless those for f32 do. Where two are about as fast,
    /// every start decides alike; near the four fifths two starts may differ. Three products take tiles or else the instructions for bf16.
    ///
    /// And how many multiplications a product must have: so many that layers of its size and all larger ones are not
    /// slower than with factors in f32 by more than a quarter; `u64::MAX` where all are.
    ///
    /// ```
    /// use products::{Backend, Precision, Times, Trial};
    /// use std::time::Duration;
    /// let times = |[whole, bf16, f32, tiles, split]: [u64; 5]| {
    ///     let [whole, bf16, f32, tiles, split] = [whole, bf16, f32, tiles, split].map(Duration::from_micros);
    ///     Times { whole, bf16, f32, tiles: (!tiles.is_zero()).then_some(tiles), split }
    /// };
    /// let trial = |wide| Trial([times(wide); 3]);
    /// let all = 1 << 16;
    /// let faster = |wide| trial(wide).faster(Precision::Bf16);
    /// assert_eq!(faster([140, 80, 140, 0, 300]), (Backend::Bf16, all));
    /// assert_eq!(faster([140, 100, 81, 0, 300]), (Backend::Bf16, all)); // a little slower
    /// assert_eq!(faster([140, 100, 79, 0, 300]), (Backend::F32, all));
    /// assert_eq!(faster([140, 100, 90, 30, 300]), (Backend::Tiles, all));
    /// assert_eq!(faster([140, 20, 90, 30, 300]), (Backend::Bf16, all));
    /// let split = |wide| trial(wide).faster(Precision::Bf16x3);
    /// assert_eq!(split([140, 100, 90, 30, 100]), (Backend::Tiles, all));
    /// assert_eq!(split([140, 100, 90, 0, 200]), (Backend::Bf16, u64::MAX)); // slower than f32
    /// // Narrow layers lose by it, the widest gains.
    /// let mixed = Trial([[50, 9, 9, 9, 99], [50, 9, 9, 9, 63], [50, 9, 9, 9, 40]].map(times));
    /// assert_eq!(mixed.faster(Precision::Bf16x3), (Backend::Tiles, 256 * 256 * 256));
    /// ```
    pub fn faster(self, precision: Precision) -> (Backend, u64) {
        let [.., widest] = self.0;
        let is_split = precision == Precision::Bf16x3;
        let first =
            widest.tiles.map_or((Backend::Bf16, widest.bf16), |time| (Backend::Tiles, time));
        let others = [(Backend::Bf16, widest.bf16), (Backend::F32, widest.f32)];
        let others = others.into_iter().filter(|_| !is_split);
        let best =
            others.fold(first, |best, other| if is_faster(other.1, best.1) { other } else { best });
        let slow = self.0.iter().rposition(|times| {
            let rounded = match best.0 {
                _ if is_split => times.split,
                Backend::Bf16 => times.bf16,
                Backend::F32 => times.f32,
                Backend::Tiles => times.tiles.unwrap_or(Duration::MAX),
            };
            is_faster(times.whole, rounded)
        });
        let least = match slow.map(|widest_slow| WIDTHS.get(widest_slow + 1)) {
            None => LEAST,
            Some(None) => u64::MAX,
            Some(Some(&width)) => (width * width * TOKENS) as u64,
        };
        (best.0, least)
    }
}

/// By a fifth at least?
fn is_faster(one: Duration, other: Duration) -> bool {
    one < other.mul_f64(0.8)
}
