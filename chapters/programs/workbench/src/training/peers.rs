//! Training in several processes: where their gradients meet.

use crate::error::{Error, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;
use shared::Float;
use std::fmt::Debug;
use std::sync::mpsc::{Receiver, Sender, channel};

/// Other processes that train the same model on the same data: each runs its share of every batch's
/// shards, and all go on with the same sum.
///
/// Sums of floating-point numbers depend on their order. Where [`Peers::sum`] adds in the tree of
/// [`LossAndGradients`](shared::LossAndGradients), over the processes in the order of their ranks,
/// and each has a power of two of the shards, any number of processes gives the same bits.
///
/// All processes call the same methods in the same order. Rank, count and sum are enough; whoever can
/// send while something else is computed brings [`Peers::begin_sum`] and [`Peers::bucket`], too.
pub trait Peers: Debug + Send + Sync {
    /// The number of this process, from 0. Number 0 shows progress, evaluates and saves.
    fn rank(&self) -> usize;

    /// How many there are.
    fn count(&self) -> usize;

    /// Replaces the numbers by their sums over all processes.
    ///
    /// # Errors
    /// When another process cannot be reached.
    fn sum(&self, numbers: &mut [Float]) -> Result<()>;

    /// Begins a sum, which [`Pending::wait`] ends.
    fn begin_sum(&self, mut numbers: Vec<Float>) -> Pending {
        let sum = self.sum(&mut numbers).map(|()| numbers);
        let (promise, pending) = Pending::new();
        promise.keep(sum);
        pending
    }

    /// Of so many numbers, or of one parameter more, is a bucket of gradients: it is sent as soon as
    /// it is full, while backward still runs. `None`: all are sent together when backward is over.
    fn bucket(&self) -> Option<usize> {
        None
    }

    /// Replaces the bytes by those of number 0.
    ///
    /// # Errors
    /// When another process cannot be reached.
    fn share(&self, bytes: &mut Vec<u8>) -> Result<()> {
        if self.rank() > 0 {
            bytes.clear();
        }
        let share = |bytes: &mut [u8]| {
            let mut numbers: Vec<Float> = bytes.iter().copied().map(Float::from).collect();
            let shared = self.sum(&mut numbers); // the others add zeros
            bytes.iter_mut().zip(numbers).for_each(|(byte, number)| *byte = number as u8);
            shared
        };
        let mut length = (bytes.len() as u64).to_le_bytes();
        share(&mut length)?;
        bytes.resize(u64::from_le_bytes(length) as usize, 0);
        share(bytes)
    }

    /// How many bytes this process has sent, if it counts them.
    fn bytes_sent(&self) -> u64 {
        0
    }
}

/// A sum that others are still adding to.
#[derive(Debug)]
pub struct Pending(Receiver<Result<Vec<Float>>>);

/// The other end of a [`Pending`].
#[derive(Debug)]
pub struct Promise(Sender<Result<Vec<Float>>>);

impl Pending {
    /// A sum that is not there yet, and the end that brings it.
    pub fn new() -> (Promise, Pending) {
        let (promise, pending) = channel();
        (Promise(promise), Pending(pending))
    }

    /// Waits for the sum.
    pub fn wait(self) -> Result<Vec<Float>> {
        self.0.recv().unwrap_or_else(|_| Err(Error::argument("the other processes are gone")))
    }
}

impl Promise {
    /// The sum is there, or will never be.
    pub fn keep(self, sum: Result<Vec<Float>>) {
        let _ = self.0.send(sum); // nobody may want it any more
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    /// Number 1 of two, where number 0 has said all it has to say before.
    #[derive(Debug)]
    struct After(Mutex<Vec<Vec<Float>>>);

    impl Peers for After {
        fn rank(&self) -> usize {
            1
        }

        fn count(&self) -> usize {
            2
        }

        fn sum(&self, numbers: &mut [Float]) -> Result<()> {
            let said = self.0.lock().unwrap().remove(0);
            assert_eq!(said.len(), numbers.len());
            numbers.iter_mut().zip(said).for_each(|(sum, number)| *sum += number);
            Ok(())
        }
    }

    #[test]
    fn what_number_0_made_arrives_by_sums() {
        let text = b"[1.5,\"two\"]".map(Float::from).to_vec();
        let length = vec![text.len() as Float, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        let peers = After(Mutex::new(vec![length, text]));
        let value: (f64, String) = made_once(Some(&peers), || unreachable!()).unwrap();
        assert_eq!(value, (1.5, "two".to_owned()));
    }

    #[test]
    fn a_sum_that_never_comes_is_an_error() {
        let (promise, pending) = Pending::new();
        drop(promise);
        assert!(pending.wait().unwrap_err().to_string().contains("are gone"));
    }
}
