//! Ranks of what was bought; and whether the largest weight lies on the reason.

use super::data::Data;
use super::split::Example;
use crate::rulers::{Rank, Ruler};
use crate::world::Motive;
use crate::{Action, Histories};
use rand::seq::SliceRandom;
use rayon::prelude::*;
use shared::{Float, Matrix, rng};
use workbench::error::{Error, Result};
use workbench::study::{Bootstrap, Interval};

/// In which order a history is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    AsItWas,
    /// Actions of the same time the other way round.
    TiesReversed,
    Shuffled,
}

impl Order {
    /// The history of an example in this order.
    pub fn history(self, data: &Data, example: Example, longest: usize) -> Vec<Action> {
        let mut actions = example.history(data, longest).to_vec();
        match self {
            Order::AsItWas => {}
            Order::Shuffled => actions.shuffle(&mut rng(example.customer as u64)),
            Order::TiesReversed => {
                let times = &data.customers[example.customer].times;
                let times = &times[example.at - actions.len()..example.at];
                let mut first = 0;
                for run in times.chunk_by(|a, b| a == b) {
                    actions[first..first + run.len()].reverse();
                    first += run.len();
                }
            }
        }
        actions
    }
}

/// Histories that are judged at once.
const AT_ONCE: usize = 16;

type Case<'a> = (&'a Data, &'a [Example], usize); // the longest history
type Scores<'a> = dyn Fn(&Histories) -> Matrix + Sync + 'a;

/// By each ruler the rank of what was bought; `popularity` weighs negatives. None when a score is no number.
pub fn ranks(
    (data, examples, longest): Case,
    order: Order,
    popularity: &[Float],
    rulers: &[Ruler],
    scores: &Scores,
) -> Option<Vec<Vec<Rank>>> {
    let of_chunk = |chunk: &[Example]| {
        let histories: Vec<Vec<Action>> =
            chunk.iter().map(|example| order.history(data, *example, longest)).collect();
        let histories: Vec<&[Action]> = histories.iter().map(Vec::as_slice).collect();
        let scores = scores(&Histories::new(&histories)); // (items, B)
        if scores.iter().any(|score| score.is_nan()) {
            return None;
        }
        let of_one = |(example, scores): (&Example, &[Float])| {
            let rng = &mut rng(example.customer as u64); // the same negatives for every model
            let bought = example.bought(data);
            rulers.iter().map(|ruler| ruler.rank(scores, bought, popularity, rng)).collect()
        };
        let columns = scores.as_slice().chunks(scores.nrows());
        Some(chunk.iter().zip(columns).map(of_one).collect::<Vec<Vec<Rank>>>())
    };
    let chunks: Option<Vec<_>> = examples.par_chunks(AT_ONCE).map(of_chunk).collect();
    Some(chunks?.concat())
}

pub const RULERS: [(&str, Ruler); 3] =
    [("full", Ruler::Full), ("uniform", Ruler::Uniform(100)), ("popular", Ruler::Popular(100))];

/// HR@10 and NDCG@10 by each ruler, with intervals over customers.
#[derive(Clone, Debug)]
pub struct Judged {
    /// Of every example by the first ruler.
    pub first: Vec<Rank>,
    pub hit: Vec<Interval>,
    pub ndcg: Vec<Interval>,
}

/// By these rulers alone.
///
/// # Errors
/// When a score is no number.
pub fn judge(
    case: Case,
    popularity: &[Float],
    rulers: &[Ruler],
    scores: &Scores,
) -> Result<Judged> {
    let ranks = ranks(case, Order::AsItWas, popularity, rulers, scores).ok_or_else(no_number)?;
    let interval = |of: &dyn Fn(&Rank) -> f64, ruler: usize| {
        let each: Vec<f64> = ranks.iter().map(|of_case| of(&of_case[ruler])).collect();
        let mean =
            |drawn: &[usize]| drawn.iter().map(|i| each[*i]).sum::<f64>() / drawn.len() as f64;
        Bootstrap::default().of(each.len(), &mut rng(0), mean)
    };
    let by_ruler =
        |of: &dyn Fn(&Rank) -> f64| (0..rulers.len()).map(|ruler| interval(of, ruler)).collect();
    let (hit, ndcg) = (by_ruler(&|rank| rank.hit(10)), by_ruler(&|rank| rank.ndcg(10)));
    Ok(Judged { first: ranks.iter().map(|of_case| of_case[0]).collect(), hit, ndcg })
}

/// HR@10 in the full ranking, with histories in this order.
///
/// # Errors
/// When a score is no number.
pub fn hit_rate(case: Case, order: Order, scores: &Scores) -> Result<f64> {
    let ranks = ranks(case, order, &[], &[Ruler::Full], scores).ok_or_else(no_number)?;
    Ok(ranks.iter().map(|of_case| of_case[0].hit(10)).sum::<f64>() / ranks.len() as f64)
}

fn no_number() -> Error {
    Error::Diverged("a score of the model is no number: try a smaller learning rate".to_owned())
}

/// What each action of a history weighs for a candidate.
type Weights<'a> = dyn Fn(&[Action], usize) -> Option<Vec<Float>> + Sync + 'a;

/// Of the purchases that have a reason: the motive, and whether the largest weight lies on it. `weights` are
/// those of a history for a candidate.
pub fn reasons((data, examples, longest): Case, weights: &Weights) -> Option<Vec<(Motive, bool)>> {
    let of_one = |example: &Example| {
        let reason = example.reason(data, longest)?;
        let motive = data.customers[example.customer].motives[example.at];
        let weights = weights(example.history(data, longest), example.bought(data));
        Some(weights.map(|weights| (motive, last_largest(&weights) == reason)))
    };
    examples.par_iter().filter_map(of_one).collect()
}

/// The share of the right ones, with its interval over purchases, and the share by motive.
pub fn reason_rate(found: &[(Motive, bool)]) -> (Interval, [f64; 3]) {
    let share = |own: &[bool]| {
        own.iter().filter(|right| **right).count() as f64 / f64::from(own.len().max(1) as u32)
    };
    let all: Vec<bool> = found.iter().map(|(_, right)| *right).collect();
    let mean = |drawn: &[usize]| share(&drawn.iter().map(|i| all[*i]).collect::<Vec<_>>());
    let of = |motive| {
        let own = found.iter().filter(|(of, _)| *of == motive).map(|(_, right)| *right);
        share(&own.collect::<Vec<_>>())
    };
    (Bootstrap::default().of(all.len(), &mut rng(0), mean), Motive::WITH_REASON.map(of))
}

/// The largest; of equal ones the last.
pub fn last_largest(weights: &[Float]) -> usize {
    let larger = |best: usize, i: usize| if weights[i] >= weights[best] { i } else { best };
    (0..weights.len()).fold(0, larger)
}
