//! Which tokens are masked, and by what.

use crate::inputs::Special;
use rand::seq::SliceRandom;
use rand::{Rng, RngExt};

/// How tokens are masked (Devlin et al. 2019, section 3.1 and appendix A.1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Masking {
    /// The share of the tokens that is to be predicted.
    pub chosen: f64,
    /// The share of these that `[MASK]` stands for …
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

/// A position that was chosen, and the token that was there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MaskedToken {
    /// The position in the sequence.
    pub position: usize,
    /// The token that is to be predicted.
    pub original: usize,
}

impl Masking {
    /// How many of `n` pieces of text are chosen: `max(1, round(0.15·n))`.
    pub fn count(&self, n: usize) -> usize {
        (self.chosen * n as f64).round().max(1.0) as usize
    }

    // ANCHOR: mask
    /// Chooses positions of a sequence and changes its pieces there; special pieces are neither chosen
    /// nor drawn. As many as [`Masking::count`] says of the pieces between the marks, if so many are
    /// not special. Returns them in order.
    pub fn mask(
        &self,
        pieces: &mut [usize],
        special: &Special,
        vocabulary: usize,
        rng: &mut impl Rng,
    ) -> Vec<MaskedToken> {
        let text = pieces.iter().filter(|piece| ![special.cls, special.sep].contains(piece));
        let count = self.count(text.count());
        let mut positions: Vec<usize> =
            (0..pieces.len()).filter(|position| !special.contains(pieces[*position])).collect();
        let (chosen, _) = positions.partial_shuffle(rng, count);
        chosen.sort_unstable();
        let mut masked = Vec::with_capacity(chosen.len());
        for &mut position in chosen {
            masked.push(MaskedToken { position, original: pieces[position] });
            let u: f64 = rng.random();
            if u < self.masked {
                pieces[position] = special.mask;
            } else if u < self.masked + self.replaced {
                pieces[position] = draw(special, vocabulary, rng);
            }
        }
        masked
    }
    // ANCHOR_END: mask
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
