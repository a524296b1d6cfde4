//! What a run records about itself.

use serde::{Deserialize, Serialize};
use shared::Float;
use std::collections::BTreeMap;
use std::fmt::{Display, Formatter};

/// What a run records about itself. All of it but the timings is the same whenever the run is repeated,
/// interrupted or not.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct History {
    /// One entry an epoch.
    pub epochs: Vec<Epoch>,
    /// How long each took on this machine.
    pub timings: Vec<Timing>,
}

/// An epoch in numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Epoch {
    /// Counted from 1.
    pub epoch: usize,
    /// Steps since the beginning of the run.
    pub steps: u64,
    /// The training loss, a mean over the epoch's tokens while the parameters moved.
    pub loss: f64,
    /// The norm of the gradient before clipping, a mean over the epoch's steps.
    pub gradient_norm: f64,
    /// The rate of the epoch's last step.
    pub learning_rate: Float,
    /// What [`Task::evaluate`](super::Task::evaluate) found afterwards.
    pub evaluation: Option<Evaluation>,
}

/// What a model is worth on data it was not trained on: a loss, and any scores with names.
///
/// ```
/// use workbench::training::Evaluation;
/// let evaluation = Evaluation::new(1.25).with("BLEU", 31.0);
/// assert_eq!(evaluation.to_string(), "validation 1.250  BLEU 31.00");
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evaluation {
    /// The loss, a mean.
    pub loss: f64,
    /// Scores by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub scores: BTreeMap<String, f64>,
}

/// The time an epoch's steps took, evaluation and checkpoints left out.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// Seconds.
    pub seconds: f64,
    /// Tokens a second, as [`Task::prepare`](super::Task::prepare) counts them.
    pub tokens_per_second: f64,
}

impl History {
    /// Tokens a second over all epochs.
    pub fn tokens_per_second(&self) -> f64 {
        let tokens: f64 = self.timings.iter().map(|t| t.seconds * t.tokens_per_second).sum();
        tokens / self.timings.iter().map(|t| t.seconds).sum::<f64>()
    }
}

impl Evaluation {
    /// A loss alone.
    pub fn new(loss: f64) -> Evaluation {
        Evaluation { loss, scores: BTreeMap::new() }
    }

    /// The same with one more score.
    pub fn with(mut self, name: &str, score: f64) -> Evaluation {
        self.scores.insert(name.to_owned(), score);
        self
    }

    /// The first number that is none.
    pub(crate) fn not_finite(&self) -> Option<String> {
        let mut all = self.scores.iter().map(|(name, score)| (name.as_str(), *score));
        let all = std::iter::once(("loss", self.loss)).chain(&mut all);
        all.into_iter().find(|(_, x)| !x.is_finite()).map(|(name, x)| format!("{name} is {x}"))
    }
}

impl Display for Evaluation {
    fn fmt(&self, f: &mut Formatter) -> std::fmt::Result {
        write!(f, "validation {:.3}", self.loss)?;
        self.scores.iter().try_for_each(|(name, score)| write!(f, "  {name} {score:.2}"))
    }
}
