//! What is hidden, and by what.

use crate::inputs::Special;
use rand::seq::SliceRandom;
use rand::{Rng, RngExt};

// ANCHOR: masking
/// How pieces are hidden (Devlin et al. 2019, section 3.1 and appendix A.1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Masking {
    /// The share of the pieces that is to be told.
    pub chosen: f64,
    /// Of these, the share that `[MASK]` stands for …
    pub masked: f64,
    /// … and the share that another piece stands for. The rest stays as it is.
    pub replaced: f64,
}

impl Default for Masking {
    /// 15 % are chosen; of these 80 % are masked, 10 % replaced, 10 % left.
    fn default() -> Masking {
        Masking { chosen: 0.15, masked: 0.8, replaced: 0.1 }
    }
}

/// A place where something was chosen, and the piece that stood there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hidden {
    /// The place in the sequence.
    pub place: usize,
    /// The piece that is to be told.
    pub original: usize,
}

impl Masking {
    /// How many of `n` pieces of text are chosen: `max(1, round(0.15·n))`.
    pub fn count(&self, n: usize) -> usize {
        (self.chosen * n as f64).round().max(1.0) as usize
    }

    // ANCHOR: hide
    /// Chooses places of a sequence and changes its pieces there; special pieces are neither chosen
    /// nor drawn. As many as [`Masking::count`] says of the pieces between the marks, if so many are
    /// not special. Returns them in order.
    pub fn hide(
        &self,
        pieces: &mut [usize],
        special: &Special,
        vocabulary: usize,
        rng: &mut impl Rng,
    ) -> Vec<Hidden> {
        let is_mark = |piece: &&usize| [special.cls, special.sep].contains(piece);
        let count = self.count(pieces.len() - pieces.iter().filter(is_mark).count());
        let is_text = |place: &usize| !special.contains(pieces[*place]);
        let mut places: Vec<usize> = (0..pieces.len()).filter(is_text).collect();
        let (chosen, _) = places.partial_shuffle(rng, count);
        chosen.sort_unstable();
        let hide = |&mut place: &mut usize| {
            let original = pieces[place];
            let u: f64 = rng.random();
            if u < self.masked {
                pieces[place] = special.mask;
            } else if u < self.masked + self.replaced {
                pieces[place] = draw(special, vocabulary, rng);
            }
            Hidden { place, original }
        };
        chosen.iter_mut().map(hide).collect()
    }
    // ANCHOR_END: hide
}

/// A piece that is not special, uniformly at random.
fn draw(special: &Special, vocabulary: usize, rng: &mut impl Rng) -> usize {
    loop {
        let piece = rng.random_range(0..vocabulary);
        if !special.contains(piece) {
            return piece;
        }
    }
}
// ANCHOR_END: masking
