//! The rows of the table.

use crate::Scoring;
use crate::choices::Choices;
use crate::windows::Reach;
use seq2seq::Sizes;
use shared::rng;

/// One way to attend.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mechanism {
    /// As in the table.
    pub name: &'static str,
    reach: Reach,
    score: Scoring,
    window: u32,
}

/// The rows of the table, most of them as in the paper's Table 4.
pub const MECHANISMS: [Mechanism; 9] = [
    Mechanism::global("global_location", Scoring::Location),
    Mechanism::global("global_dot", Scoring::Dot),
    Mechanism::global("global_general", Scoring::General),
    Mechanism::global("global_concat", Scoring::Concat),
    Mechanism::local("local_m_dot", Reach::LocalM, Scoring::Dot, 1),
    Mechanism::local("local_m_general", Reach::LocalM, Scoring::General, 1),
    Mechanism::local(WIDER, Reach::LocalM, Scoring::General, 3),
    Mechanism::local("local_p_dot", Reach::LocalP, Scoring::Dot, 3),
    Mechanism::local("local_p_general", Reach::LocalP, Scoring::General, 3),
];

const WIDER: &str = "local_m_wide";

/// A pair is displaced when a word stands farther from the same position than the narrowest window
/// reaches.
pub const NARROW: usize = 1;

impl Mechanism {
    const fn global(name: &'static str, score: Scoring) -> Mechanism {
        Mechanism { name, reach: Reach::Global, score, window: 1 } // a width that is not looked at
    }

    const fn local(name: &'static str, reach: Reach, score: Scoring, window: u32) -> Mechanism {
        Mechanism { name, reach, score, window }
    }

    /// The model with this mechanism.
    pub fn choices(self, feeding: bool) -> Choices {
        let Mechanism { reach, score, window, .. } = self;
        Choices { score, reach, feeding, window, ..Choices::default() }
    }

    /// Whether it is also trained without input feeding.
    pub(super) fn both_ways(self) -> bool {
        !["local_m_dot", "local_p_dot", WIDER].contains(&self.name)
    }
}

/// Chapter 6's model, fresh.
pub(super) fn bahdanau_of(sizes: &Sizes) -> bahdanau::Bahdanau {
    let choices = bahdanau::Reading::BothDirections.into();
    bahdanau::experiment::build(sizes, &choices, &mut rng(0))
}
