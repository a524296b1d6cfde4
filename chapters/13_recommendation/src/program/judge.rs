//! Ranks of what was bought; and whether the largest weight lies on the reason.

use super::data::Data;
use super::split::Example;
use crate::rulers::{Rank, Ruler};
use crate::{Action, Histories};
use rayon::prelude::*;
use shared::{Float, Matrix, rng};
use workbench::error::{Error, Result};
use workbench::statistics::{Bootstrap, Interval};

/// Histories that are judged at once.
const AT_ONCE: usize = 16;

/// Customers, purchases of theirs, and how many actions of a history are read.
type Case<'a> = (&'a Data, &'a [Example], usize);
type Scores<'a> = dyn Fn(&Histories) -> Matrix + Sync + 'a;
/// What each action of a history weighs for a candidate.
type Weights<'a> = dyn Fn(&[Action], usize) -> Option<Vec<Float>> + Sync + 'a;

/// The rank of what was bought, by each ruler; `popularity` weighs negatives. `None` when a score is no number.
pub fn ranks(
    (data, examples, longest): Case,
    popularity: &[Float],
    rulers: &[Ruler],
    scores: &Scores,
) -> Option<Vec<Vec<Rank>>> {
    let chunks = examples.par_chunks(AT_ONCE).map(|chunk| {
        let histories: Vec<&[Action]> =
            chunk.iter().map(|example| example.history(data, longest)).collect();
        let scores = scores(&Histories::new(&histories)); // (items, B)
        if scores.iter().any(|score| score.is_nan()) {
            return None;
        }
        let columns = scores.as_slice().chunks(scores.nrows());
        let ranks = chunk.iter().zip(columns).map(|(example, scores)| {
            let rng = &mut rng(example.customer as u64); // the same negatives for every model
            let bought = example.bought(data);
            rulers.iter().map(|ruler| ruler.rank(scores, bought, popularity, rng)).collect()
        });
        Some(ranks.collect::<Vec<Vec<Rank>>>())
    });
    Some(chunks.collect::<Option<Vec<_>>>()?.concat())
}

pub const RULERS: [(&str, Ruler); 3] =
    [("full", Ruler::Full), ("uniform", Ruler::Uniform(100)), ("popular", Ruler::Popular(100))];

/// HR@10 and NDCG@10 by each of these rulers, with intervals over customers.
///
/// # Errors
/// When a score is no number.
pub fn judge(
    case: Case,
    popularity: &[Float],
    rulers: &[Ruler],
    scores: &Scores,
) -> Result<Vec<[Interval; 2]>> {
    let no_number = "a score of the model is no number: try a smaller learning rate";
    let ranks = ranks(case, popularity, rulers, scores)
        .ok_or_else(|| Error::Diverged(no_number.to_owned()))?;
    let interval = |ruler: usize, of: fn(Rank) -> f64| {
        let each: Vec<f64> = ranks.iter().map(|of_case| of(of_case[ruler])).collect();
        Bootstrap::default().of(each.len(), &mut rng(0), |drawn| {
            drawn.iter().map(|i| each[*i]).sum::<f64>() / drawn.len() as f64
        })
    };
    let intervals = (0..rulers.len())
        .map(|i| [interval(i, |rank| rank.hit(10)), interval(i, |rank| rank.ndcg(10))]);
    Ok(intervals.collect())
}

/// Counts the purchases that have a reason, and returns the share of them in which the largest weight lies on
/// it. `weights` are those of a history for a candidate. `None` where there is no such purchase, or no weight.
pub fn reason_rate((data, examples, longest): Case, weights: &Weights) -> Option<(usize, f64)> {
    let found = examples.par_iter().filter_map(|example| {
        let reason = example.reason(data, longest)?;
        let weights = weights(example.history(data, longest), example.bought(data));
        Some(weights.map(|weights| last_largest(&weights) == reason))
    });
    let found: Vec<bool> = found.collect::<Option<_>>()?;
    let right = found.iter().filter(|right| **right).count();
    (!found.is_empty()).then(|| (found.len(), right as f64 / found.len() as f64))
}

/// The largest; of equal ones the last.
fn last_largest(weights: &[Float]) -> usize {
    (0..weights.len()).fold(0, |best, i| if weights[i] >= weights[best] { i } else { best })
}
