//! Chapter 16's two blocks of attention, trained in the page: they learn to copy what was there before.
//!
//! Sizes and rate are those of the page's table, with half as many sequences a step.

use language_model::induction::{Copier, Keys, induction_score, previous_score, repeated};
use language_model::shifted;
use rand::RngExt;
use scoring_functions::fused::Weights;
use shared::{Adam, Float, Optimizer, Ragged, Rng, Tape};
use std::cell::RefCell;

const VOCABULARY: usize = 32;
const WIDTH: usize = 64;
const HEADS: usize = 2;
const TOKENS: usize = 48;
const AT_ONCE: usize = 16;
/// As many steps, over which the rate falls.
const STEPS: usize = 600;
const RATE: Float = 3e-3;
/// The period of the sequence that is shown, and its tokens.
const SHOWN: [usize; 2] = [8, 24];

thread_local! {
    static INDUCTION: RefCell<Induction> = RefCell::new(Induction::new(0, 0));
}

/// A model, and how far it is trained.
pub struct Induction {
    model: Copier,
    adam: Adam,
    rng: Rng,
    step: usize,
    /// Sequences that judge it, and their periods.
    test: Vec<(Vec<usize>, usize)>,
}

impl Induction {
    /// Before the first step. `model` is 0 for two blocks, 1 for one, 2 for one whose keys hold two tokens.
    pub fn new(model: usize, seed: u64) -> Induction {
        let (blocks, keys) = [(2, Keys::Own), (1, Keys::Own), (1, Keys::WithPrevious)][model];
        let mut rng = shared::rng(seed);
        let model = Copier::new(VOCABULARY, WIDTH, HEADS, blocks, keys, &mut rng);
        let test = (0..AT_ONCE).map(|_| sequence(&mut rng)).collect();
        Induction { model, adam: Adam::new(RATE), rng, step: 0, test }
    }

    /// One step → its loss, in nats a token.
    pub fn train(&mut self) -> Float {
        let texts: Vec<Vec<usize>> = (0..AT_ONCE).map(|_| sequence(&mut self.rng).0).collect();
        let texts: Vec<&[usize]> = texts.iter().map(Vec::as_slice).collect();
        let tape = Tape::new();
        let loss = self.model.loss(&tape, &texts) * (1.0 / (AT_ONCE * (TOKENS - 1)) as Float);
        let nats = loss.scalar();
        self.adam.set_learning_rate(RATE * (1.0 - self.step as Float / STEPS as Float));
        self.adam.step(&mut self.model, &loss.backward().into());
        self.step += 1;
        nats
    }

    fn read(&self, text: &[usize]) -> (Vec<usize>, Vec<Weights>) {
        let tape = Tape::no_grad();
        let (logits, weights) = self.model.forward(&tape, &Ragged::new(&[text]));
        (logits.value().column_iter().map(|column| column.imax()).collect(), weights)
    }

    /// Of tokens that came a period earlier, the share that the model has as most probable; then of every head of
    /// every block the previous-token score and the induction score.
    pub fn judge(&self) -> Vec<Float> {
        let (mut right, mut all) = (0, 0);
        let mut scores = vec![0.0; 2 * HEADS * self.model.blocks.len()];
        for (text, period) in &self.test {
            let (best, weights) = self.read(text);
            let (_, next) = shifted(&[text]);
            right += (period - 1..next.len()).filter(|i| best[*i] == next[*i]).count();
            all += next.len() + 1 - period;
            let heads = weights.iter().flat_map(|block| (0..HEADS).map(|head| block.of(0, head)));
            let found = heads.flat_map(|a| [previous_score(a), induction_score(a, *period)]);
            scores.iter_mut().zip(found).for_each(|(sum, score)| *sum += score);
        }
        let mean = |sum: &Float| sum / self.test.len() as Float;
        [right as Float / all as Float].into_iter().chain(scores.iter().map(mean)).collect()
    }

    /// A sequence as its tokens, the tokens that the model has as most probable after each, and the weights of
    /// every head of every block, query after query.
    pub fn look(&self) -> (Vec<usize>, Vec<usize>, Vec<Float>) {
        let [period, length] = SHOWN;
        let text = repeated(period, length, VOCABULARY, &mut shared::rng(1));
        let (best, weights) = self.read(&text);
        let heads = weights.iter().flat_map(|block| (0..HEADS).map(|head| block.of(0, head)));
        let weights = heads.flat_map(|alpha| alpha.iter().copied()).collect();
        (text, best, weights)
    }
}

fn sequence(rng: &mut Rng) -> (Vec<usize>, usize) {
    let period = rng.random_range(8..=16);
    (repeated(period, TOKENS, VOCABULARY, rng), period)
}

/// Which model (see [`Induction::new`]), then a seed → nothing: it has learnt nothing.
pub fn induction_start(numbers: &[Float]) -> Vec<Float> {
    INDUCTION.set(Induction::new(numbers[0] as usize, numbers[1] as u64));
    Vec::new()
}

/// How many steps → the loss of each.
pub fn induction_train(numbers: &[Float]) -> Vec<Float> {
    INDUCTION.with_borrow_mut(|model| (0..numbers[0] as usize).map(|_| model.train()).collect())
}

/// Nothing → [`Induction::judge`].
pub fn induction_judge(_: &[Float]) -> Vec<Float> {
    INDUCTION.with_borrow(Induction::judge)
}

/// Nothing → [`Induction::look`].
pub fn induction_look(_: &[Float]) -> Vec<Float> {
    let (text, best, weights) = INDUCTION.with_borrow(Induction::look);
    text.into_iter().chain(best).map(|token| token as Float).chain(weights).collect()
}

#[cfg(test)]
mod tests {
    use super::Induction;

    /// What the page shows of the table's first row, with half as many sequences a step.
    #[test]
    fn two_blocks_learn_to_copy() {
        let mut induction = Induction::new(0, 0);
        let losses: Vec<_> = (0..super::STEPS).map(|_| induction.train()).collect();
        let found = induction.judge();
        assert!(losses[0] > 3.0 && found[0] > 0.8, "{} {found:?}", losses[0]);
        let [previous, induction] = [found[1].max(found[3]), found[6].max(found[8])];
        assert!(previous > 0.3 && induction > 0.4, "{previous} {induction}");
    }
}
