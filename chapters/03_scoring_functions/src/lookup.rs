//! Associative recall: keys with values, and queries that ask for them.

use crate::kinds::POSITIONS;
use rand::Rng;
use rand::seq::SliceRandom;
use rand_distr::{Distribution, StandardNormal};
use shared::{Float, Matrix, product};

/// How a query says which key it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// The query is the key, plus noise.
    Same,
    /// The query is the key, rotated by a matrix that nobody gives, plus noise.
    Rotated,
    /// The query is the key, mapped to a space of another dimension, plus noise.
    Wider,
    /// The query says at which position to look, whatever key is there.
    Position,
}

impl Setting {
    /// All of them.
    pub const ALL: [Setting; 4] =
        [Setting::Same, Setting::Rotated, Setting::Wider, Setting::Position];

    /// Its name in results.
    pub fn name(self) -> &'static str {
        ["same", "rotated", "wider", "position"][self as usize]
    }
}

/// Pairs of key and value in an episode, and queries: one for each pair. A location score can serve
/// them all.
pub const PAIRS: usize = POSITIONS;
/// Entries of a key.
pub const KEY: usize = 16;
const WIDER: usize = 24; // entries of a query in the setting of that name
const NOISE: Float = 0.3;

/// The world behind the episodes: how queries arise from keys. The scores are not given it.
pub struct World {
    setting: Setting,
    /// (d_q, d_k)
    pub map: Matrix,
}

/// Pairs of key and value, and queries that ask for them.
pub struct Episode {
    /// (d_k, m)
    pub keys: Matrix,
    /// (d_q, n)
    pub queries: Matrix,
    /// One-hot columns (m, m): the answer stored with each key.
    pub values: Matrix,
    /// The key each query means.
    pub slots: Vec<usize>,
    /// The answers.
    pub answers: Vec<usize>,
}

// ANCHOR: episode
impl World {
    /// Draws the map between the spaces.
    pub fn new(setting: Setting, rng: &mut impl Rng) -> World {
        let map = match setting {
            Setting::Same => Matrix::identity(KEY, KEY),
            Setting::Rotated => normal(KEY, KEY, rng).qr().q(),
            Setting::Wider => normal(WIDER, KEY, rng) / (KEY as Float).sqrt(),
            Setting::Position => Matrix::identity(PAIRS, PAIRS) * (PAIRS as Float).sqrt(),
        };
        World { setting, map }
    }

    /// New keys, new values and new questions: nothing to memorise but the map.
    pub fn episode(&self, rng: &mut impl Rng) -> Episode {
        let keys = normal(KEY, PAIRS, rng);
        let (stored, slots) = (shuffled(rng), shuffled(rng));
        let meant = match self.setting {
            Setting::Position => Matrix::identity(PAIRS, PAIRS).select_columns(&slots),
            _ => keys.select_columns(&slots),
        };
        let queries = product(&self.map, &meant);
        let queries = &queries + normal(queries.nrows(), PAIRS, rng) * NOISE;
        let values = Matrix::identity(PAIRS, PAIRS).select_columns(&stored);
        let answers = slots.iter().map(|slot| stored[*slot]).collect();
        Episode { keys, queries, values, slots, answers }
    }
}
// ANCHOR_END: episode

/// Independent standard normal entries.
pub fn normal(rows: usize, columns: usize, rng: &mut impl Rng) -> Matrix {
    Matrix::from_fn(rows, columns, |_, _| StandardNormal.sample(rng))
}

fn shuffled(rng: &mut impl Rng) -> Vec<usize> {
    let mut order: Vec<usize> = (0..PAIRS).collect();
    order.shuffle(rng);
    order
}
