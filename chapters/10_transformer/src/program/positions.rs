//! Ways to know where a word stands, as the program offers them.

use crate::{Absolute, Encoding};
use clap::ValueEnum;
use self_attention::relative::Kind;
use serde::{Deserialize, Serialize};

/// The distance from which on Shaw's vectors are one (Shaw et al. 2018 find no difference between 2 and 64).
const CLIP: usize = 8;

/// `--positions`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Positions {
    /// Sines and cosines of the position are added, as in the paper
    #[default]
    Sinusoids,
    /// A trained vector of the position is added
    Learned,
    /// Sinusoids, and every training pair begins at a position drawn for it
    Random,
    /// A trained vector for every distance up to 8 (Shaw et al. 2018)
    Shaw,
    /// Queries and keys are rotated by their positions (RoPE)
    Rope,
    /// Scores fall with the distance (ALiBi)
    Alibi,
}

/// `--distances`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Distances {
    /// In self-attention, of encoder and decoder
    #[value(name = "self")]
    #[serde(rename = "self")]
    Own,
    /// Across, between a word to be predicted and the source's words; sinusoids are added to all
    Cross,
    /// In both
    #[default]
    Both,
}

impl Positions {
    /// The name, as an argument is written.
    pub fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }

    /// Whether they give how far two words are apart, and not where one is.
    pub fn are_distances(self) -> bool {
        matches!(self, Positions::Shaw | Positions::Rope | Positions::Alibi)
    }

    /// What a model with these positions is built with.
    pub fn encoding(self, distances: Distances) -> Encoding {
        let kind = match self {
            Positions::Sinusoids | Positions::Random => return Encoding::PAPER,
            Positions::Learned => {
                return Encoding { absolute: Absolute::Learned, ..Encoding::PAPER };
            }
            Positions::Shaw => Kind::Shaw(CLIP),
            Positions::Rope => Kind::Rope,
            Positions::Alibi => Kind::Alibi,
        };
        let (own, cross) = (distances != Distances::Cross, distances != Distances::Own);
        Encoding {
            absolute: if own { Absolute::Nothing } else { Absolute::Sinusoids },
            own: own.then_some(kind),
            cross: cross.then_some(kind),
        }
    }
}
