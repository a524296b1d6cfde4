//! A score by its name: what is compared, before it has parameters.

use crate::scores::{Additive, Concat, Cosine, General, Location, Score};
use rand::Rng;

/// Hidden units of the additive scores and of concat.
const HIDDEN: usize = 64;

/// Positions that the location score distinguishes: the keys it can serve.
pub const POSITIONS: usize = 16;

/// The scores that are trained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// No parameters.
    Dot,
    /// No parameters.
    ScaledDot,
    /// One parameter.
    Cosine,
    /// A matrix.
    General,
    /// A layer of hidden units.
    Additive,
    /// The same without the bias.
    AdditiveWithoutBias,
    /// Additive, multiplied out.
    Concat,
    /// Does not look at the keys.
    Location,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 8] = [
        Kind::Dot,
        Kind::ScaledDot,
        Kind::Cosine,
        Kind::General,
        Kind::Additive,
        Kind::AdditiveWithoutBias,
        Kind::Concat,
        Kind::Location,
    ];

    /// Its name in results.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Dot => "dot",
            Kind::ScaledDot => "scaled_dot",
            Kind::Cosine => "cosine",
            Kind::General => "general",
            Kind::Additive => "additive",
            Kind::AdditiveWithoutBias => "additive_without_bias",
            Kind::Concat => "concat",
            Kind::Location => "location",
        }
    }

    /// A score with random start values; `None` when it needs queries as long as keys.
    pub fn build(self, d_q: usize, d_k: usize, rng: &mut impl Rng) -> Option<Score> {
        let comparable = d_q == d_k;
        match self {
            Kind::Dot => comparable.then_some(Score::Dot),
            Kind::ScaledDot => comparable.then_some(Score::ScaledDot),
            Kind::Cosine => comparable.then(|| Score::Cosine(Cosine::new(1.0))),
            Kind::General => Some(Score::General(General::new(d_q, d_k, rng))),
            Kind::Additive => Some(Score::Additive(Additive::new(d_q, d_k, HIDDEN, rng))),
            Kind::AdditiveWithoutBias => {
                Some(Score::Additive(Additive::without_bias(d_q, d_k, HIDDEN, rng)))
            }
            Kind::Concat => Some(Score::Concat(Concat::new(d_q, d_k, HIDDEN, rng))),
            Kind::Location => Some(Score::Location(Location::new(d_q, POSITIONS, rng))),
        }
    }
}
