//! One batch on several threads, the same numbers on any number of them.

use crate::arriving::Arriving;
use crate::matrix::Float;
use crate::param_gradients::ParamGradients;
use crate::tape::{Tape, Var};
use rayon::prelude::*;

/// The loss of a batch, summed over its shards, and its gradients.
///
/// Each shard runs forward and backward on a tape of its own, on whatever thread is free. How a
/// batch is cut into shards is the caller's choice, never the machine's, and the shards' gradients
/// are added in a fixed tree ([`LossAndGradients`]): the result does not depend on the number of
/// threads, to the last bit.
///
/// ```
/// use shared::{Matrix, Param, Tape, loss_and_gradients};
/// let w = Param::new(Matrix::from_element(1, 1, 2.0));
/// let (loss, gradients) = loss_and_gradients(&[1.0, 3.0], |tape, x| tape.param(&w).square() * *x);
/// assert_eq!(loss, 16.0); //                                1·w² + 3·w²
/// assert_eq!(gradients.get(w.id()).unwrap()[0], 16.0); // 2·w·(1 + 3)
/// ```
pub fn loss_and_gradients<S: Sync>(
    shards: &[S],
    loss: impl for<'t> Fn(&'t Tape, &S) -> Var<'t> + Sync,
) -> (Float, ParamGradients) {
    let sum = LossAndGradients::of_shards(shards, 0, |tape, _, shard| loss(tape, shard));
    (sum.loss, sum.gradients)
}

/// The loss of some shards and its gradients.
///
/// Sums of floating-point numbers depend on their order, so the order is fixed: a balanced binary
/// tree over the shards, of which the left half holds the largest power of two. Two neighbours are
/// added as soon as both are there, so that few copies of the gradients are in memory at a time;
/// and groups of 2ᵏ shards that are added elsewhere (after one another, or by other processes) and
/// then in the same way give the bits of all shards at once.
///
/// ```text
/// ((0 + 1) + (2 + 3)) + ((4 + 5) + (6 + 7))
/// ```
#[derive(Default)]
pub struct LossAndGradients {
    /// The sum of the losses.
    pub loss: Float,
    /// The sum of their gradients.
    pub gradients: ParamGradients,
}

impl LossAndGradients {
    // ANCHOR: shards
    /// Runs every shard, each on a tape of its own and on whatever thread is free. `loss` gets each
    /// shard with its number, counted from `first`.
    pub fn of_shards<S: Sync>(
        shards: &[S],
        first: usize,
        loss: impl for<'t> Fn(&'t Tape, usize, &S) -> Var<'t> + Sync,
    ) -> LossAndGradients {
        LossAndGradients::in_tree(shards, first, &|number, shard| {
            let tape = Tape::new();
            let loss = loss(&tape, number, shard);
            LossAndGradients { loss: loss.scalar(), gradients: loss.backward().into() }
        })
    }

    fn in_tree<S: Sync>(
        shards: &[S],
        first: usize,
        run: &(impl Fn(usize, &S) -> LossAndGradients + Sync),
    ) -> LossAndGradients {
        match shards {
            [] => LossAndGradients::default(),
            [shard] => run(first, shard),
            _ => {
                let (left, right) = shards.split_at(left_half(shards.len()));
                let middle = first + left.len();
                let (left, right) = rayon::join(
                    || LossAndGradients::in_tree(left, first, run),
                    || LossAndGradients::in_tree(right, middle, run),
                );
                left.plus(right)
            }
        }
    }
    // ANCHOR_END: shards

    /// The same with the gradients handed to `arriving`, parameter by parameter while backward still
    /// runs; what is returned has the loss alone.
    pub fn of_shards_into<S: Sync>(
        shards: &[S],
        first: usize,
        loss: impl for<'t> Fn(&'t Tape, usize, &S) -> Var<'t> + Sync,
        arriving: &Arriving,
    ) -> LossAndGradients {
        LossAndGradients::in_tree(shards, first, &|number, shard| {
            let tape = Tape::new();
            let loss = loss(&tape, number, shard);
            let value = loss.scalar();
            arriving.backward(number, loss);
            LossAndGradients { loss: value, ..LossAndGradients::default() }
        })
    }

    /// The sum over groups that are made one after another: gradient accumulation. Memory holds the
    /// tapes of one group, and of the groups before it one sum for each level of the tree.
    pub fn in_turn<G>(
        groups: &[G],
        run: &mut impl FnMut(&G) -> LossAndGradients,
    ) -> LossAndGradients {
        match groups {
            [] => LossAndGradients::default(),
            [group] => run(group),
            _ => {
                let (left, right) = groups.split_at(left_half(groups.len()));
                let left = LossAndGradients::in_turn(left, run);
                left.plus(LossAndGradients::in_turn(right, run))
            }
        }
    }

    /// The sum of two neighbours.
    pub fn plus(mut self, right: LossAndGradients) -> LossAndGradients {
        self.loss += right.loss;
        self.gradients.merge(right.gradients);
        self
    }
}

/// The largest power of two below `n`, for n ≥ 2.
fn left_half(n: usize) -> usize {
    n.next_power_of_two() / 2
}

/// The mean loss of data that nobody trains on, without gradients: `loss` returns the sum over a
/// shard and what it is a sum of, such as tokens.
///
/// ```
/// use shared::{Matrix, mean_loss};
/// let shards = [vec![1.0, 2.0], vec![6.0]];
/// let loss = mean_loss(&shards, |tape, shard| {
///     (tape.constant(Matrix::from_element(1, 1, shard.iter().sum())), shard.len())
/// });
/// assert_eq!(loss, 3.0);
/// ```
pub fn mean_loss<S: Sync>(
    shards: &[S],
    loss: impl for<'t> Fn(&'t Tape, &S) -> (Var<'t>, usize) + Sync,
) -> f64 {
    let run = |shard: &S| {
        let tape = Tape::without_gradients();
        let (loss, tokens) = loss(&tape, shard);
        (f64::from(loss.scalar()), tokens)
    };
    let parts: Vec<_> = shards.par_iter().map(run).collect();
    let (loss, tokens) = parts.iter().fold((0.0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
    loss / tokens as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Linear, Matrix, Module, cross_entropy, rng};
    use rand::RngExt;
    use rayon::ThreadPoolBuilder;
    use std::sync::Mutex;

    /// Eight shards of uneven random numbers: their sum depends on its order.
    fn shards(count: usize) -> Vec<(Matrix, Vec<usize>)> {
        let rng = &mut rng(1);
        let mut shard = |n: usize| {
            let x = Matrix::from_fn(5, n, |_, _| rng.random::<f32>().powi(7) as Float * 9.0);
            (x, (0..n).map(|_| rng.random_range(0..4)).collect())
        };
        (0..count).map(|i| shard(1 + i % 3)).collect()
    }

    fn loss<'t>(layer: &Linear, tape: &'t Tape, (x, targets): &(Matrix, Vec<usize>)) -> Var<'t> {
        cross_entropy(layer.forward(tape.constant(x.clone())), targets)
    }

    /// All bits of a sum.
    fn bits(layer: &mut Linear, sum: &LossAndGradients) -> Vec<Float> {
        [vec![sum.loss], sum.gradients.to_numbers(layer)].concat()
    }

    #[test]
    fn one_group_of_eight_two_of_four_and_four_of_two_give_the_same_bits_on_any_threads() {
        let (shards, mut layer) = (shards(8), Linear::new(5, 4, &mut rng(0)));
        let mut all = Vec::new();
        for threads in [1, 2, 8] {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            for size in [8, 4, 2, 1] {
                let groups: Vec<_> = shards.chunks(size).enumerate().collect();
                let sum = pool.install(|| {
                    LossAndGradients::in_turn(&groups, &mut |(group, shards)| {
                        let first = group * size;
                        LossAndGradients::of_shards(shards, first, |tape, _, s| {
                            loss(&layer, tape, s)
                        })
                    })
                });
                all.push(bits(&mut layer, &sum));
            }
        }
        assert!(all.iter().all(|numbers| *numbers == all[0]));
        // The order matters at all: one shard after another gives other bits.
        let in_a_row = shards.iter().map(|s| {
            LossAndGradients::of_shards(std::slice::from_ref(s), 0, |tape, _, s| {
                loss(&layer, tape, s)
            })
        });
        let in_a_row = in_a_row.reduce(LossAndGradients::plus).unwrap();
        assert_ne!(bits(&mut layer, &in_a_row), all[0]);
    }

    #[test]
    fn groups_of_a_power_of_two_fit_any_number_of_groups() {
        for (count, size) in [(6, 2), (10, 2), (12, 4), (7, 2), (5, 4)] {
            let (shards, mut layer) = (shards(count), Linear::new(5, 4, &mut rng(0)));
            let run = |shards: &&[_]| {
                LossAndGradients::of_shards(shards, 0, |tape, _, s| loss(&layer, tape, s))
            };
            let groups: Vec<_> = shards.chunks(size).collect();
            let (whole, grouped) =
                (run(&&shards[..]), LossAndGradients::in_turn(&groups, &mut |g| run(g)));
            assert_eq!(bits(&mut layer, &whole), bits(&mut layer, &grouped), "{count} by {size}");
        }
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
                LossAndGradients::of_shards_into(
                    shards,
                    first,
                    |tape, _, s| loss(&layer, tape, s),
                    &arriving,
                )
            });
            let gradients = found.into_inner().unwrap();
            assert_eq!(gradients.len(), 2);
            let sum = LossAndGradients { gradients: gradients.into_iter().collect(), ..sum };
            assert_eq!(bits(&mut layer, &whole), bits(&mut layer, &sum), "{count} by {size}");
        }
    }

    #[test]
    fn shards_know_their_numbers_and_nothing_is_a_sum_too() {
        let numbers = LossAndGradients::of_shards(&[(); 5], 10, |tape, number, ()| {
            tape.constant(Matrix::from_element(1, 1, number as Float)) * 1.0
        });
        assert_eq!(numbers.loss, 60.0);
        assert_eq!(LossAndGradients::of_shards(&[(); 0], 0, |_, _, ()| unreachable!()).loss, 0.0);
    }

    #[test]
    fn frozen_parameters_cost_no_gradient() {
        let mut layer = Linear::new(5, 4, &mut rng(0));
        layer.freeze(|name| name == "weight");
        let shards = shards(2);
        let sum = LossAndGradients::of_shards(&shards, 0, |tape, _, s| loss(&layer, tape, s));
        assert!(sum.gradients.get(layer.weight.id()).is_none());
        assert!(sum.gradients.get(layer.bias.as_ref().unwrap().id()).is_some());
    }
}
