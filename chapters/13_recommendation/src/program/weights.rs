//! One history, asked by three candidates whose reasons are known.

use super::data::Data;
use super::fit::Fitted;
use crate::Action;
use crate::world::{Motive, Sizes};
use shared::Matrix;
use workbench::figure::{Heatmap, Svg};

/// How many actions the history has.
const LENGTH: usize = 16;

/// What somebody did, and of every motive with a reason the first thing that is bought later because of one of these
/// actions: which thing, and which action.
pub struct Case {
    pub data: Data,
    pub history: Vec<Action>,
    pub candidates: Vec<(usize, usize)>,
}

impl Case {
    /// The first such customer of the shop of this seed, none of whose customers a model of another seed has seen.
    pub fn of(seed: u64) -> Option<Case> {
        let mut data = Data::shop(&Sizes::default(), seed);
        let customers = std::mem::take(&mut data.customers);
        let (history, candidates) = customers.iter().find_map(|one| {
            let first = Motive::WITH_REASON.into_iter().map(|motive| {
                (LENGTH..one.actions.len()).filter(|at| one.motives[*at] == motive).find_map(|at| {
                    Some((one.actions[at].item, one.reasons[at].filter(|reason| *reason < LENGTH)?))
                })
            });
            let candidates = first.collect::<Option<Vec<_>>>()?;
            Some((one.actions[..LENGTH].to_vec(), candidates))
        })?;
        Some(Case { data, history, candidates })
    }

    /// The weight of every action for every candidate, rings around the true reasons; none of a model without weights.
    pub fn picture(&self, fitted: &Fitted) -> Option<Svg> {
        let weights = |(item, _): &(usize, usize)| fitted.weights(&self.history, *item);
        let weights = self.candidates.iter().map(weights).collect::<Option<Vec<_>>>()?;
        let matrix = Matrix::from_fn(LENGTH, weights.len(), |i, j| weights[j][i]);
        let items: Vec<&String> =
            self.candidates.iter().map(|(item, _)| &self.data.items[*item]).collect();
        let actions: Vec<String> = self.history.iter().map(|one| self.data.show(one)).collect();
        let reasons = self.candidates.iter().enumerate();
        let rings: Vec<(usize, usize)> = reasons.map(|(j, (_, reason))| (*reason, j)).collect();
        let map = Heatmap::new("What speaks for a candidate", "", "", &matrix)
            .x_names(&items)
            .y_names(&actions)
            .range(0.0..1.0)
            .rings("the true reason", &rings);
        Some(map.panel())
    }
}
