//! Training in several processes: where their gradients meet.

use crate::error::Result;
use shared::Float;
use std::fmt::Debug;

/// Other processes that train the same model on the same data: each runs its share of every batch's
/// shards, and all go on with the same sum.
///
/// Sums of floating-point numbers depend on their order. Where [`Peers::sum`] adds in the tree of
/// [`LossAndGradients`](shared::LossAndGradients), over the processes in the order of their ranks,
/// and each has a power of two of the shards, any number of processes gives the same bits.
pub trait Peers: Debug + Send + Sync {
    /// The number of this process, from 0.
    fn rank(&self) -> usize;

    /// How many there are.
    fn count(&self) -> usize;

    /// Replaces the numbers by their sums over all processes.
    ///
    /// # Errors
    /// When another process cannot be reached.
    fn sum(&self, numbers: &mut [Float]) -> Result<()>;
}
