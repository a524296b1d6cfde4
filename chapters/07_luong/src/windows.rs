//! Which words a query looks at: all of its sentence, or a few around a position.

use serde::{Deserialize, Serialize};
use shared::Float;
use std::ops::Range;

/// Where attention may look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "program", derive(clap::ValueEnum))]
pub enum Reach {
    /// At every word of the source (Luong et al. 2015, §3.1).
    Global,
    /// Around the position of the word that is written, `p_i = i` (§3.2, *local-m*).
    LocalM,
    /// Around a predicted position (§3.2, *local-p*).
    LocalP,
}

/// The positions of the words at most `width` away from a center (Luong et al. 2015, §3.2), in a sentence
/// of so many words: what a window has outside the sentence is left out (footnote 8).
///
/// ```
/// use luong::windows::around;
/// assert_eq!(around(2.0, 1, 4), 1..4);
/// assert_eq!(around(2.5, 1, 4), 2..4);
/// assert_eq!(around(0.0, 1, 4), 0..2);
/// ```
///
/// # Panics
/// When the window has no word.
// ANCHOR: around
pub fn around(center: Float, width: usize, words: usize) -> Range<usize> {
    let (p, d) = (center, width as Float);
    if p.is_nan() {
        return 0..words; // the loss will be no number either, and show it
    }
    let first = (p - d).ceil().max(0.0) as usize;
    let end = ((p + d).floor().max(-1.0) + 1.0).min(words as Float) as usize;
    assert!(first < end, "a window of ±{width} around {p} has none of {words} words");
    first..end
}
// ANCHOR_END: around
