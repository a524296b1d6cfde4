//! How the next word is chosen from its probabilities.

use serde::{Deserialize, Serialize};
use shared::{Float, elementwise};

/// Which words may be drawn, and how evenly.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sampling {
    /// `T`: the logits are divided by it before the softmax. At 0 the most probable word is taken (greedy search).
    pub temperature: Float,
    /// Only the `k` most probable words stay (top-k, Fan et al. 2018); 0: all.
    pub top_k: usize,
    /// Of these the most probable stay, as few as have at least this probability together (top-p or nucleus
    /// sampling, Holtzman et al. 2020); 1: all.
    pub top_p: Float,
}

impl Sampling {
    /// Draws from the model's own distribution.
    pub const PLAIN: Sampling = Sampling { temperature: 1.0, top_k: 0, top_p: 1.0 };
    /// Takes the most probable word, the first of several.
    pub const GREEDY: Sampling = Sampling { temperature: 0.0, ..Sampling::PLAIN };

    /// The probabilities from which a word is drawn: 0 for those that may not be. Of equally probable words the
    /// first counts as more probable.
    ///
    /// ```
    /// use language_model::Sampling;
    /// let logits = [0.5_f32, 0.25, 0.125, 0.125].map(f32::ln);
    /// let kept = |sampling: Sampling| {
    ///     let p = sampling.probabilities(&logits);
    ///     p.into_iter().map(|p| (100.0 * p).round()).collect::<Vec<_>>()
    /// };
    /// assert_eq!(kept(Sampling { top_k: 2, ..Sampling::PLAIN }), [67.0, 33.0, 0.0, 0.0]);
    /// assert_eq!(kept(Sampling { top_p: 0.8, ..Sampling::PLAIN }), [57.0, 29.0, 14.0, 0.0]);
    /// assert_eq!(kept(Sampling { temperature: 0.5, ..Sampling::PLAIN }), [73.0, 18.0, 5.0, 5.0]);
    /// assert_eq!(kept(Sampling::GREEDY), [100.0, 0.0, 0.0, 0.0]);
    /// ```
    ///
    /// # Panics
    /// When there are no logits, the temperature is negative or `top_p` is not above 0.
    pub fn probabilities(&self, logits: &[Float]) -> Vec<Float> {
        let Sampling { temperature, top_k, top_p } = *self;
        assert!(!logits.is_empty() && temperature >= 0.0 && top_p > 0.0, "{self:?}");
        // ANCHOR: sampling
        let mut order: Vec<usize> = (0..logits.len()).collect(); // most probable first
        order.sort_by(|a, b| logits[*b].total_cmp(&logits[*a])); // stable: of equals the first
        let mut p = vec![0.0; logits.len()];
        if temperature == 0.0 {
            p[order[0]] = 1.0;
            return p;
        }
        if top_k > 0 {
            order.truncate(top_k);
        }
        let most = logits[order[0]]; // subtracted first: no temperature is so small that a quotient overflows
        let mut kept: Vec<Float> =
            order.iter().map(|word| (logits[*word] - most) / temperature).collect();
        elementwise::softmax(&mut kept); // p = exp(s/T)/Σ exp(s/T), over the k most probable
        kept.truncate(nucleus(&kept, top_p));
        let sum: Float = kept.iter().sum();
        order.iter().zip(kept).for_each(|(word, kept)| p[*word] = kept / sum);
        // ANCHOR_END: sampling
        p
    }

    /// The word to which `ticket`, from U(0, 1), belongs.
    pub fn draw(&self, logits: &[Float], mut ticket: Float) -> usize {
        let p = self.probabilities(logits);
        for (word, p) in p.iter().enumerate() {
            if ticket < *p {
                return word;
            }
            ticket -= p;
        }
        // Rounding may leave the last tickets to nobody: the most probable word takes them.
        (0..p.len()).rev().max_by(|a, b| p[*a].total_cmp(&p[*b])).expect("a word")
    }
}

/// How many of the probabilities `p`, which fall, have at least `top_p` together; all, if rounding keeps them below.
fn nucleus(p: &[Float], top_p: Float) -> usize {
    let sums = p.iter().scan(0.0, |sum, p| {
        *sum += p;
        Some(*sum)
    });
    if top_p < 1.0 { p.len().min(1 + sums.take_while(|sum| *sum < top_p).count()) } else { p.len() }
}
