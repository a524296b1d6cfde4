//! Training in several processes: the sum of their gradients.

use crate::error::{Error, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;
use shared::{Float, LossAndGradients, Matrix, Module};
use std::fmt::Debug;

/// Other processes that train the same model on the same data: each runs its share of every batch's
/// shards, and all make the same step with the sum of their gradients.
///
/// Sums of floating-point numbers depend on their order. The sum over processes is taken in the tree of
/// [`LossAndGradients`], over the processes in the order of their ranks: where each has a power of two of
/// the shards, any number of processes gives the same bits.
///
/// All processes call the same methods in the same order.
pub trait Peers: Debug + Send + Sync {
    /// The number of this process, from 0. Number 0 shows progress, evaluates and saves.
    fn rank(&self) -> usize;

    /// How many there are.
    fn count(&self) -> usize;

    /// Sends numbers to another process and receives numbers from it, which does the same; none is a
    /// message, too.
    ///
    /// # Errors
    /// When the other cannot be reached.
    fn exchange(&self, with: usize, send: &[Float], receive: &mut [Float]) -> Result<()>;
}

/// The sum over all processes, and whether any of them asks for an end.
pub(super) fn sum_over_processes(
    peers: &dyn Peers,
    model: &mut impl Module,
    own: &LossAndGradients,
    stop: bool,
) -> Result<(LossAndGradients, bool)> {
    // For each parameter 1 and the gradient, or 0 and as many −0, the one number that adds nothing to
    // any other: 0 + −0 is 0, but −0 + 0 is not −0.
    let mut numbers = vec![own.loss, Float::from(u8::from(stop))];
    model.for_each_parameter(|_, param| match own.gradients.get(param.id()) {
        _ if param.is_frozen() => {}
        Some(d) => {
            numbers.push(1.0);
            numbers.extend_from_slice(d.as_slice());
        }
        None => {
            numbers.push(0.0);
            numbers.resize(numbers.len() + param.value().len(), -0.0);
        }
    });
    peers.sum(&mut numbers)?;
    let (mut gradients, mut rest) = (Vec::new(), &numbers[2..]);
    model.for_each_parameter(|_, param| {
        if param.is_frozen() {
            return;
        }
        let (rows, columns) = param.value().shape();
        let (d, after) = rest.split_at(1 + rows * columns);
        if d[0] > 0.0 {
            gradients.push((param.id(), Matrix::from_column_slice(rows, columns, &d[1..])));
        }
        rest = after;
    });
    let gradients = gradients.into_iter().collect();
    Ok((LossAndGradients { loss: numbers[0], gradients }, numbers[1] > 0.0))
}

/// What number 0 made of it, in all processes; `make` is called there alone.
pub(super) fn made_once<T: Serialize + DeserializeOwned>(
    peers: Option<&dyn Peers>,
    make: impl FnOnce() -> Result<T>,
) -> Result<T> {
    let Some(peers) = peers else { return make() };
    if peers.rank() == 0 {
        let value = make()?;
        peers.share(&mut serde_json::to_vec(&value).map_err(Error::argument)?)?;
        return Ok(value);
    }
    let mut text = Vec::new();
    peers.share(&mut text)?;
    serde_json::from_slice(&text).map_err(Error::argument)
}
