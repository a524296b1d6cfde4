//! What loss is normal: models that look at less.

use crate::inputs::Special;
use std::collections::BTreeSet;

/// Counts of pieces and of neighbours in a text, and what a masked token then costs on average: the
/// baselines below a model that reads the whole sequence.
#[derive(Clone, Debug)]
pub struct Ladder {
    vocabulary: usize,
    special: usize,
    pieces: Vec<f64>,
    neighbours: std::collections::HashMap<(usize, usize), f64>,
    before: Vec<f64>,
    total: f64,
}

/// The mean loss of masked tokens, in nats, for who knows …
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Rungs {
    /// … nothing: ln of the number of pieces that are not special.
    pub uniform: f64,
    /// … how frequent every piece is.
    pub unigram: f64,
    /// … the piece before, in the whole text (also where it is masked from the model).
    pub bigram: f64,
}

/// The weight of a shorter context, in observations: `p(w|v) = (c(v, w) + K·p(w))/(c(v) + K)`
/// (MacKay & Peto 1995), with `K` = 5.
const WEIGHT: f64 = 5.0;

impl Ladder {
    /// Nothing counted yet.
    pub fn new(vocabulary: usize, special: &Special) -> Ladder {
        let marks = (0..vocabulary).filter(|piece| special.contains(*piece)).count();
        Ladder {
            vocabulary,
            special: marks,
            pieces: vec![0.0; vocabulary],
            neighbours: Default::default(),
            before: vec![0.0; vocabulary],
            total: 0.0,
        }
    }

    /// Counts a sequence of pieces, `[CLS]` before them; `[CLS]` itself is not counted as a piece.
    pub fn count(&mut self, cls: usize, pieces: &[usize]) {
        let mut before = cls;
        for &piece in pieces {
            self.pieces[piece] += 1.0;
            self.total += 1.0;
            self.before[before] += 1.0;
            *self.neighbours.entry((before, piece)).or_default() += 1.0;
            before = piece;
        }
    }

    // ANCHOR: chances
    /// `p(w)`, with half an observation of every piece more.
    fn unigram(&self, piece: usize) -> f64 {
        (self.pieces[piece] + 0.5) / (self.total + 0.5 * (self.vocabulary - self.special) as f64)
    }

    /// `p(w|v)`
    fn bigram(&self, before: usize, piece: usize) -> f64 {
        let seen = self.neighbours.get(&(before, piece)).copied().unwrap_or_default();
        (seen + WEIGHT * self.unigram(piece)) / (self.before[before] + WEIGHT)
    }
    // ANCHOR_END: chances

    /// How much two texts have in common: every piece that is in both, once, with `-ln p(w)`, so that a
    /// name counts for more than a full stop.
    pub fn in_common(&self, first: &[usize], second: &[usize]) -> f64 {
        let [first, second] = [first, second].map(|text| text.iter().collect::<BTreeSet<_>>());
        first.intersection(&second).map(|piece| -self.unigram(**piece).ln()).sum()
    }

    /// The mean loss over (piece before, piece).
    ///
    /// # Panics
    /// When there is none.
    pub fn rungs(&self, masked: impl Iterator<Item = (usize, usize)>) -> Rungs {
        let (mut unigram, mut bigram, mut n) = (0.0, 0.0, 0.0);
        for (before, piece) in masked {
            unigram -= self.unigram(piece).ln();
            bigram -= self.bigram(before, piece).ln();
            n += 1.0;
        }
        assert!(n > 0.0, "no masked token");
        let uniform = ((self.vocabulary - self.special) as f64).ln();
        Rungs { uniform, unigram: unigram / n, bigram: bigram / n }
    }
}
