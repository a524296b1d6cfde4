//! From going on to answering: a model that draws answers, and learns from whether they were right.
//!
//! Chapter 8's REINFORCE, with a word in place of a look. What was to be expected of an answer, the baseline, is what
//! a group of answers to the same question got on average (GRPO, Shao et al. 2024, §4.1, without the division by the
//! group's deviation).

use crate::Gpt;
use crate::world::{answers, text};
use hard_attention::{draw, entropy, log_probability};
use shared::{Float, Matrix, Ragged, Rng, Tape, Var, elementwise};

/// A text of the world that ends where an answer is due, at most `length` words after the first, and the true answer.
///
/// ```
/// use language_model::{answering::question, world::WORDS};
/// let (prompt, truth) = question(96, &mut shared::rng(0));
/// let asked = prompt[prompt.len() - 4..].iter().map(|word| WORDS[*word]);
/// assert_eq!(asked.skip(1).collect::<Vec<_>>(), ["is", "in", "the"]);
/// assert!(["garden", "kitchen", "cellar", "attic", "hall"].contains(&WORDS[truth]));
/// ```
pub fn question(length: usize, rng: &mut Rng) -> (Vec<usize>, usize) {
    loop {
        let mut text = text(length, rng);
        if let Some(place) = answers(&text).pop() {
            let truth = text[place];
            text.truncate(place);
            return (text, truth);
        }
    }
}

/// The logits (V, n) of what follows each of `n` texts.
pub fn next_logits<'t>(model: &Gpt, tape: &'t Tape, texts: &[&[usize]]) -> Var<'t> {
    let read = Ragged::new(texts);
    let last: Vec<usize> = read.offsets[1..].iter().map(|end| end - 1).collect();
    let (x, _) = model.forward(tape, &read);
    model.logits(x.select_columns(&last))
}

// ANCHOR: advantages
/// By how much each reward is above the mean of its group, `group` rewards after the other: `A = r − mean(r)`.
///
/// ```
/// let rewards = [1.0, 0.0, 0.0, 1.0, /**/ 1.0, 1.0, 1.0, 1.0];
/// let advantages = language_model::answering::advantages(&rewards, 4);
/// assert_eq!(advantages, [0.5, -0.5, -0.5, 0.5, /**/ 0.0, 0.0, 0.0, 0.0]);
/// ```
pub fn advantages(rewards: &[Float], group: usize) -> Vec<Float> {
    let of_group = |rewards: &[Float]| {
        let mean = rewards.iter().sum::<Float>() / group as Float;
        rewards.iter().map(|r| r - mean).collect::<Vec<_>>()
    };
    rewards.chunks(group).flat_map(of_group).collect()
}

/// `−(1/n) Σ A ln q(answer)`, whose gradient is the estimate of that of the mean reward, with the other sign. `logits`
/// (V, n), an answer and its advantage for each column.
pub fn policy_loss<'t>(logits: Var<'t>, answers: &[usize], advantages: &[Float]) -> Var<'t> {
    let a = logits.tape().constant(Matrix::from_row_slice(1, advantages.len(), advantages));
    log_probability(logits, answers).component_mul(a).sum() * (-1.0 / answers.len() as Float)
}

/// `KL(q ‖ p)`, the mean over the columns of both logits (V, n): how far the model has gone from where it began.
pub fn divergence<'t>(logits: Var<'t>, reference: &Matrix) -> Var<'t> {
    let ln_p = logits.tape().constant(ln_softmax(reference));
    let ln_q_less_p = entropy(logits).sum() + logits.softmax().component_mul(ln_p).sum();
    ln_q_less_p * (-1.0 / reference.ncols() as Float)
}
// ANCHOR_END: advantages

fn ln_softmax(scores: &Matrix) -> Matrix {
    let mut y = scores.clone();
    for mut column in y.column_iter_mut() {
        let (max, sum) = elementwise::softmax(column.clone_owned().as_mut_slice());
        column.add_scalar_mut(-max - sum.ln());
    }
    y
}

/// How answers teach.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Answering {
    /// Answers that are drawn to each question.
    pub group: usize,
    /// Whether the mean reward of the group is subtracted.
    pub baseline: bool,
    /// The weight of what pulls the model back to where it began.
    pub pull: Float,
}

impl Answering {
    // ANCHOR: answering
    /// The loss of a step: to each question a group of answers is drawn, and a right one is rewarded with 1. `reference`
    /// is the model before the first step. Beside it the mean reward.
    pub fn loss<'t>(
        &self,
        model: &Gpt,
        reference: &Gpt,
        tape: &'t Tape,
        questions: &[(Vec<usize>, usize)],
        rng: &mut Rng,
    ) -> (Var<'t>, Float) {
        let prompts: Vec<&[usize]> = questions.iter().map(|(prompt, _)| &prompt[..]).collect();
        let each = |i| std::iter::repeat_n(i, self.group);
        let columns: Vec<usize> = (0..prompts.len()).flat_map(each).collect();
        let logits = next_logits(model, tape, &prompts); // (V, questions)
        let drawn = logits.select_columns(&columns); //     (V, questions · group)
        let answers = draw(&drawn.softmax().value(), rng);
        let right =
            |(answer, i): (&usize, &usize)| Float::from(u8::from(*answer == questions[*i].1));
        let rewards: Vec<Float> = answers.iter().zip(&columns).map(right).collect();
        let a = if self.baseline { advantages(&rewards, self.group) } else { rewards.clone() };
        let began = next_logits(reference, &Tape::no_grad(), &prompts).value();
        let loss = policy_loss(drawn, &answers, &a) + divergence(logits, &began) * self.pull;
        (loss, rewards.iter().sum::<Float>() / rewards.len() as Float)
    }
    // ANCHOR_END: answering
}
