//! One batch on several threads, the same numbers on any number of them.

use crate::matrix::Float;
use crate::optimizers::ParamGradients;
use crate::tape::{Tape, Var};
use rayon::prelude::*;

/// The loss of a batch, summed over its shards, and its gradients.
///
/// Each shard runs forward and backward on a tape of its own, on whatever thread is free. How a
/// batch is cut into shards is the caller's choice, never the machine's, and the shards' gradients
/// are added in their order: the result does not depend on the number of threads, to the last bit.
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
    let run = |shard: &S| {
        let tape = Tape::new();
        let loss = loss(&tape, shard);
        (loss.scalar(), ParamGradients::from(loss.backward()))
    };
    let parts: Vec<_> = shards.par_iter().map(run).collect();
    let mut sum = (0.0, ParamGradients::default());
    for (loss, gradients) in parts {
        sum.0 += loss;
        sum.1.merge(gradients);
    }
    sum
}
