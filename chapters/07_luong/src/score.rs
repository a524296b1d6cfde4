//! How well a word of the source fits the state of the decoder (Luong et al. 2015, §3.1).

use crate::attention::{dot_scores, dot_scores_by_sentence, location_scores, together};
use bahdanau::attention::additive_scores;
use scoring_functions::{Additive, General, Location, Sequences};
use serde::{Deserialize, Serialize};
use shared::{Module, Rng, Var, Visitor};

/// How well a word of the source fits the state of the decoder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "program", derive(clap::ValueEnum))]
pub enum Scoring {
    /// `s_iᵀ h_j`
    Dot,
    /// `s_iᵀ W_a h_j`
    General,
    /// `v_aᵀ tanh(W_a [s_i; h_j])`
    Concat,
    /// `(W_a s_i)_j`: the position alone, not the word
    Location,
}

/// A score with its parameters.
#[derive(Debug)]
pub enum Score {
    /// See [`Scoring::Dot`].
    Dot,
    /// See [`Scoring::General`].
    General(General),
    /// See [`Scoring::Concat`]: with `W_a = [W_q W_k]` it is the additive score (chapter 3).
    Concat(Additive),
    /// See [`Scoring::Location`].
    Location(Location),
}

impl Score {
    /// A score for states of so many entries and, if it looks at positions, so many of them.
    pub fn new(scoring: Scoring, hidden: usize, positions: usize, rng: &mut Rng) -> Score {
        match scoring {
            Scoring::Dot => Score::Dot,
            Scoring::General => Score::General(General::new(hidden, hidden, rng)),
            // half as many hidden units: as many weights as `general` has
            Scoring::Concat => {
                Score::Concat(Additive::without_bias(hidden, hidden, hidden.div_ceil(2), rng))
            }
            Scoring::Location => Score::Location(Location::new(hidden, positions, rng)),
        }
    }

    /// What can be computed of `h` (H, n) before any query is known.
    // ANCHOR: score
    pub fn keys<'t>(&self, values: Var<'t>) -> Var<'t> {
        match self {
            Score::Dot | Score::Location(_) => values,
            Score::General(general) => general.w.forward(values), // W_a h
            Score::Concat(concat) => concat.w_k.forward(values),
        }
    }

    /// The scores (1, n) of the queries `s` (H, b) and the words that each looks at.
    pub fn of<'t>(&self, s: Var<'t>, keys: Var<'t>, sequences: &Sequences) -> Var<'t> {
        match self {
            Score::Dot | Score::General(_) => {
                if together(sequences) {
                    dot_scores_by_sentence(s, keys, sequences)
                } else {
                    dot_scores(s, keys, sequences)
                }
            }
            Score::Concat(concat) => {
                let (query, v) = (concat.w_q.forward(s), s.tape().param(&concat.v));
                additive_scores(query, keys, v, sequences)
            }
            Score::Location(location) => location_scores(location.w.forward(s), sequences),
        }
    }
    // ANCHOR_END: score
}

impl Module for Score {
    fn visit(&mut self, visitor: &mut Visitor) {
        match self {
            Score::Dot => {}
            Score::General(general) => general.visit(visitor),
            Score::Concat(concat) => concat.visit(visitor),
            Score::Location(location) => location.visit(visitor),
        }
    }
}
