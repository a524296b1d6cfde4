//! Gradients that are complete one after another, while backward still runs.

use shared::{LossAndGradients, Matrix, ParamId, Tape, Var, add_gradient};
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// The gradients of some shards, summed parameter by parameter: each is handed out as soon as the
/// last shard has it, while the shards' backward goes on to earlier layers. What other processes are
/// sent is under way before the rest is computed.
///
/// The sums are those of [`LossAndGradients`], to the last bit: two
/// neighbours in the tree are added by whoever comes second.
pub(super) struct Arriving<'a> {
    params: &'a [ParamId],
    shards: Range<usize>,
    complete: &'a Complete<'a>,
    /// Sums that wait for their neighbour: of a parameter, the shards from a place on, so many.
    waiting: Mutex<HashMap<(ParamId, usize, usize), Option<Matrix>>>,
}

/// Called with each parameter once, from whatever thread made the last addition; `None` when no
/// shard's loss depends on it.
pub(super) type Complete<'a> = dyn Fn(ParamId, Option<Matrix>) + Sync + 'a;

impl<'a> Arriving<'a> {
    /// For the shards with these numbers and the gradients of these parameters; others are dropped.
    pub(super) fn new(
        params: &'a [ParamId],
        shards: Range<usize>,
        complete: &'a Complete<'a>,
    ) -> Arriving<'a> {
        Arriving { params, shards, complete, waiting: Mutex::default() }
    }

    /// [`LossAndGradients::of_shards`], but each gradient is handed out as soon as it is complete; what is
    /// returned has the loss alone.
    pub(super) fn of_shards<S: Sync>(
        &self,
        shards: &[S],
        first: usize,
        loss: impl for<'t> Fn(&'t Tape, usize, &S) -> Var<'t> + Sync,
    ) -> LossAndGradients {
        LossAndGradients::in_tree(shards, first, &|number, shard| {
            let tape = Tape::new();
            let loss = loss(&tape, number, shard);
            let value = loss.scalar();
            self.backward(number, loss);
            LossAndGradients { loss: value, ..LossAndGradients::default() }
        })
    }

    /// Backward of one shard.
    fn backward(&self, shard: usize, loss: Var) {
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
            add_gradient(&mut sum, &right);
            Some(sum)
        }
        (left, right) => left.or(right),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;
    use shared::{Float, Linear, cross_entropy, rng};

    /// Uneven random numbers: their sum depends on its order.
    fn shards(count: usize) -> Vec<(Matrix, Vec<usize>)> {
        let rng = &mut rng(1);
        let mut shard = |n: usize| {
            let x = Matrix::from_fn(5, n, |_, _| rng.random::<f32>().powi(7) * 9.0);
            (x, (0..n).map(|_| rng.random_range(0..4)).collect())
        };
        (0..count).map(|i| shard(1 + i % 3)).collect()
    }

    fn loss<'t>(layer: &Linear, tape: &'t Tape, (x, targets): &(Matrix, Vec<usize>)) -> Var<'t> {
        cross_entropy(layer.forward(tape.constant(x.clone())), targets)
    }

    fn bits(layer: &mut Linear, sum: &LossAndGradients) -> Vec<Float> {
        [vec![sum.loss], sum.gradients.to_numbers(layer)].concat()
    }

    #[test]
    fn gradients_that_arrive_one_by_one_have_the_same_bits() {
        for (count, size) in [(1, 1), (2, 1), (3, 1), (8, 8), (8, 2), (7, 4), (12, 4)] {
            let (shards, mut layer) = (shards(count), Linear::new(5, 4, &mut rng(0)));
            let whole =
                LossAndGradients::of_shards(&shards, 10, |tape, _, s| loss(&layer, tape, s));
            let params = [layer.bias.as_ref().unwrap().id(), layer.weight.id()];
            let found = Mutex::new(Vec::new());
            let complete = |id, d: Option<Matrix>| found.lock().unwrap().push((id, d.unwrap()));
            let arriving = Arriving::new(&params, 10..10 + count, &complete);
            let groups: Vec<_> = shards.chunks(size).enumerate().collect();
            let sum = LossAndGradients::in_turn(&groups, &mut |(group, shards)| {
                let first = 10 + group * size;
                arriving.of_shards(shards, first, |tape, _, s| loss(&layer, tape, s))
            });
            let gradients = found.into_inner().unwrap();
            assert_eq!(gradients.len(), 2);
            let sum = LossAndGradients { gradients: gradients.into_iter().collect(), ..sum };
            assert_eq!(bits(&mut layer, &whole), bits(&mut layer, &sum), "{count} by {size}");
        }
    }
}
