//! Gradients that are complete one after another, while backward still runs.

use crate::matrix::Matrix;
use crate::module::ParamId;
use crate::param_gradients::add;
use crate::tape::Var;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// The gradients of some shards, summed parameter by parameter: each is handed out as soon as the
/// last shard has it, while the shards' backward goes on to earlier layers. What other processes are
/// sent is under way before the rest is computed.
///
/// The sums are those of [`LossAndGradients`](crate::LossAndGradients), to the last bit: two
/// neighbours in the tree are added by whoever comes second.
///
/// ```
/// use shared::{Arriving, LossAndGradients, Matrix, Param};
/// let w = Param::new(Matrix::from_element(1, 1, 2.0));
/// let params = [w.id()];
/// let complete = |id, d: Option<Matrix>| assert_eq!((id, d.unwrap()[0]), (w.id(), 16.0));
/// let arriving = Arriving::new(&params, 0..2, &complete);
/// let loss = LossAndGradients::of_shards_into(
///     &[1.0, 3.0],
///     0,
///     |tape, _, x| tape.param(&w).square() * *x,
///     &arriving,
/// );
/// assert_eq!(loss.loss, 16.0); // 1·w² + 3·w²; its derivative 2·w·(1 + 3) came by `complete`
/// ```
pub struct Arriving<'a> {
    params: &'a [ParamId],
    shards: Range<usize>,
    complete: &'a Complete<'a>,
    /// Sums that wait for their neighbour: of a parameter, the shards from a place on, so many.
    waiting: Mutex<HashMap<(ParamId, usize, usize), Option<Matrix>>>,
}

/// Called with each parameter once, from whatever thread made the last addition; `None` when no
/// shard's loss depends on it.
pub type Complete<'a> = dyn Fn(ParamId, Option<Matrix>) + Sync + 'a;

impl<'a> Arriving<'a> {
    /// For the shards with these numbers and the gradients of these parameters; others are dropped.
    pub fn new(
        params: &'a [ParamId],
        shards: Range<usize>,
        complete: &'a Complete<'a>,
    ) -> Arriving<'a> {
        Arriving { params, shards, complete, waiting: Mutex::default() }
    }

    /// Backward of one shard.
    pub(crate) fn backward(&self, shard: usize, loss: Var) {
        let mut left: HashSet<ParamId> = self.params.iter().copied().collect();
        loss.backward_into(|id, d| {
            if left.remove(&id) {
                self.put(id, shard, Some(d));
            }
        });
        for id in self.params.iter().filter(|id| left.contains(id)) {
            self.put(*id, shard, None);
        }
    }

    /// Climbs the tree: at each level with a neighbour, either that is there and is added, or the
    /// sum waits for it. A left half that holds the largest power of two is a tree of blocks of 1, 2,
    /// 4 … shards, cut off at the last one.
    fn put(&self, id: ParamId, shard: usize, d: Option<Matrix>) {
        let count = self.shards.len();
        let (mut place, mut width, mut sum) = (shard - self.shards.start, 1, d);
        while width < count {
            let neighbour = place ^ width;
            if neighbour < count {
                let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
                let Some(other) = waiting.remove(&(id, neighbour, width)) else {
                    waiting.insert((id, place, width), sum);
                    return;
                };
                drop(waiting); // additions may run side by side
                sum = if place < neighbour { plus(sum, other) } else { plus(other, sum) };
            }
            place &= !width;
            width *= 2;
        }
        (self.complete)(id, sum);
    }
}

fn plus(left: Option<Matrix>, right: Option<Matrix>) -> Option<Matrix> {
    match (left, right) {
        (Some(mut sum), Some(right)) => {
            add(&mut sum, &right);
            Some(sum)
        }
        (left, right) => left.or(right),
    }
}
