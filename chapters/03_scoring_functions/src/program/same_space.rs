//! A closer look at the scores in one space.

use super::config::Config;
use super::training::{TESTED, learn, world};
use super::world::{Episode, PAIRS, Setting};
use crate::kinds::Kind;
use crate::scores::Score;
use serde::{Deserialize, Serialize};
use shared::{Float, Tape, rng};

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Misses {
    pub wrong: usize,
    /// Wrong answers for which the chosen key is longer than the right one.
    pub longer: usize,
}

/// Scores after training, queries and keys in one space, all seeds together.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SameSpace {
    pub asked: usize,
    pub dot: Misses,
    pub general: Misses,
    /// The mean β that cosine learned.
    pub strength: Float,
}

pub fn same_space(config: &Config) -> SameSpace {
    let mut found =
        SameSpace { asked: 0, dot: Misses::default(), general: Misses::default(), strength: 0.0 };
    for seed in 0..config.seeds as u64 {
        let (world, rng) =
            (world(Setting::Same, config, seed), &mut rng(config.stream(4000 + seed)));
        let fresh: Vec<Episode> = (0..TESTED).map(|_| world.episode(rng)).collect();
        for (kind, misses) in [(Kind::Dot, &mut found.dot), (Kind::General, &mut found.general)] {
            let (score, _) = learn(Setting::Same, kind, config, seed).expect("both fit one space");
            for Episode { keys, queries, slots, .. } in &fresh {
                let tape = Tape::without_gradients();
                let (queries, key_columns) =
                    (tape.constant(queries.clone()), tape.constant(keys.clone()));
                let scores = score.forward(queries, key_columns).value();
                for (scores, slot) in scores.column_iter().zip(slots) {
                    let chosen = scores.imax();
                    misses.wrong += usize::from(chosen != *slot);
                    misses.longer +=
                        usize::from(keys.column(chosen).norm() > keys.column(*slot).norm());
                }
            }
        }
        found.asked += TESTED * PAIRS;
        if let Some((Score::Cosine(cosine), _)) = learn(Setting::Same, Kind::Cosine, config, seed) {
            found.strength += cosine.strength.value()[0] / config.seeds as Float;
        }
    }
    found
}
