//! One of the models that are trained, and the two losses that train them.

use crate::atrank::AtRank;
use crate::din::{Din, Pooling, Scored};
use crate::histories::{Action, Candidates, Histories};
use crate::sequential::Sequential;
use shared::elementwise::{map, sigmoid, zip};

use shared::{Float, Matrix, Module, Tape, Var, Visitor, cross_entropy};

/// A model that is trained.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "a program has one of them")]
pub enum Model {
    /// Average pooling, or attention by the candidate.
    Din(Din),
    /// Self-attention, then attention by the candidate.
    AtRank(AtRank),
    /// The next item from a state.
    Sequential(Sequential),
}

/// The questions that a model learns from.
#[derive(Clone, Debug)]
pub enum Question {
    /// Was this candidate bought next?
    Candidates {
        /// The histories,
        histories: Histories,
        /// the candidates that are asked about each,
        asked: Candidates,
        /// and for each candidate 1 if it was bought next, else 0: (1, n).
        bought: Matrix,
    },
    /// Which of all items was bought next?
    Next {
        /// The histories,
        histories: Histories,
        /// the actions after which something was bought, as columns,
        columns: Vec<usize>,
        /// and what that was.
        next: Vec<usize>,
    },
}

impl Question {
    /// How many answers it asks for.
    pub fn answers(&self) -> usize {
        match self {
            Question::Candidates { asked, .. } => asked.items.len(),
            Question::Next { next, .. } => next.len(),
        }
    }

    /// How many actions it shows.
    pub fn actions(&self) -> usize {
        match self {
            Question::Candidates { histories, .. } | Question::Next { histories, .. } => {
                histories.items.len()
            }
        }
    }
}

/// The cross-entropy of yes and no, summed: `Σ ln(1 + e^z) − y z` for logits `z` (1, n) and answers
/// `y` of 0 or 1. Its gradient is `σ(z) − y`.
///
/// ```
/// use shared::{Matrix, Tape};
/// let logits = Tape::leaked().constant(Matrix::zeros(1, 3));
/// let loss = recommendation::binary_cross_entropy(logits, &Matrix::zeros(1, 3)).scalar();
/// assert!((loss - 3.0 * 2.0_f32.ln()).abs() < 1e-6); // undecided: ln 2 an answer
/// ```
///
/// # Panics
/// When the shapes differ.
pub fn binary_cross_entropy<'t>(logits: Var<'t>, answers: &Matrix) -> Var<'t> {
    let z = logits.value();
    assert!(z.shape() == answers.shape(), "{:?} logits, {:?} answers", z.shape(), answers.shape());
    let softplus = map(&z, |z| z.max(0.0) + (1.0 + (-z.abs()).exp()).ln()); // ln(1 + e^z), for any z
    let loss = softplus.sum() - z.dot(answers);
    let d = zip(map(&z, sigmoid), answers, |p, y| p - y);
    logits.tape().push([logits], Matrix::from_element(1, 1, loss), move |dy, [z_id], gradients| {
        gradients.add(z_id, d * dy[(0, 0)]);
    })
}

/// Candidates that ask a history at once.
const AT_ONCE: usize = 256;

impl Model {
    /// The loss, summed over all answers: of yes and no, or of all items.
    ///
    /// # Panics
    /// When a model is asked what another kind of model is asked.
    pub fn loss<'t>(&self, tape: &'t Tape, question: &Question) -> Var<'t> {
        match (self, question) {
            (Model::Sequential(model), Question::Next { histories, columns, next }) => {
                let (h, _) = model.forward(tape, histories);
                cross_entropy(model.logits(h, columns), next)
            }
            (_, Question::Candidates { histories, asked, bought }) => {
                let scored = self.ask(tape, histories, asked).expect("a model of candidates");
                binary_cross_entropy(scored.logits, bought)
            }
            _ => panic!("a model of candidates is asked for one of all items"),
        }
    }

    /// Scores candidates, if it is a model that candidates ask.
    pub fn ask<'t>(
        &self,
        tape: &'t Tape,
        histories: &Histories,
        asked: &Candidates,
    ) -> Option<Scored<'t>> {
        match self {
            Model::Din(model) => Some(model.forward(tape, histories, asked)),
            Model::AtRank(model) => Some(model.forward(tape, histories, asked)),
            Model::Sequential(_) => None,
        }
    }

    /// A score for each of `items` items after each history: (items, B). Candidates ask some at a time, so that
    /// memory does not grow with the items.
    pub fn scores(&self, histories: &Histories, items: usize) -> Matrix {
        if let Model::Sequential(model) = self {
            let tape = Tape::no_grad();
            let (h, _) = model.forward(&tape, histories);
            return Matrix::clone(&model.logits(h, &histories.last()).value());
        }
        let mut scores = Matrix::zeros(items, histories.len());
        for first in (0..items).step_by(AT_ONCE) {
            let tape = Tape::no_grad();
            let some: Vec<usize> = (first..items.min(first + AT_ONCE)).collect();
            let asked = Candidates::new(&vec![some.clone(); histories.len()]);
            let scored = self.ask(&tape, histories, &asked).expect("a model of candidates");
            let logits = scored.logits.value(); // (1, some · B)
            let logits = Matrix::from_column_slice(some.len(), histories.len(), logits.as_slice());
            scores.rows_range_mut(first..first + some.len()).copy_from(&logits);
        }
        scores
    }

    /// The weight of each action of a history for a candidate. A sequential model does not know the
    /// candidate: these are its last action's weights, the mean over the heads. An average weighs nothing.
    pub fn weights(&self, history: &[Action], candidate: usize) -> Option<Vec<Float>> {
        let (tape, histories) = (Tape::no_grad(), Histories::new(&[history]));
        if matches!(self, Model::Din(Din { pooling: Pooling::Mean, .. })) {
            return None;
        }
        if let Model::Sequential(model) = self {
            let (_, weights) = model.forward(&tape, &histories);
            let weights = weights?;
            let last = |head| weights.of(0, head).column(history.len() - 1).into_owned();
            let sum = (1..weights.heads()).fold(last(0), |sum, head| sum + last(head));
            return Some((sum / weights.heads() as Float).as_slice().to_vec());
        }
        let scored = self.ask(&tape, &histories, &Candidates::new(&[vec![candidate]]))?;
        Some(scored.weights.value().as_slice().to_vec())
    }
}

impl Module for Model {
    fn visit(&mut self, visitor: &mut Visitor) {
        match self {
            Model::Din(model) => model.visit(visitor),
            Model::AtRank(model) => model.visit(visitor),
            Model::Sequential(model) => model.visit(visitor),
        }
    }
}
