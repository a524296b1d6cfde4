//! How training scales over processes, predicted from a few measured constants.
//!
//! A step is computation, which the processes share, and an exchange of gradients, which they have to
//! wait for where it is not hidden behind backward. A message of n bytes takes `latency + n/bandwidth`
//! (Hockney 1994); every process has a link of its own and additions cost nothing. So the prediction
//! is a lower bound of the time: no waiting for the slowest process, no shared wires.

use serde::Serialize;

/// How sums travel: which messages a process sends after one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum AllReduce {
    /// log₂ P messages of all gradients each.
    RecursiveDoubling,
    /// Halving, then doubling (Rabenseifner 2004): 2·log₂ P messages, n·(1 − 1/P) bytes each way.
    HalvingDoubling,
    /// Around a ring (Patarasuk & Yuan 2009): 2(P − 1) messages of n/P bytes.
    Ring,
}

/// What was measured.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Constants {
    /// Seconds one rank computes a step of `batch` tokens.
    pub step: f64,
    /// Tokens of that step.
    pub batch: f64,
    /// Of these seconds, the part that does not shrink with the batch: the optimiser, whose work is a
    /// parameter's, not a token's.
    pub fixed: f64,
    /// Bytes of all gradients.
    pub bytes: f64,
    /// How many buckets they travel in, each with messages of its own.
    pub buckets: f64,
    /// Seconds until the first byte of a message arrives.
    pub latency: f64,
    /// Bytes a second of a link.
    pub bandwidth: f64,
    /// The part of the exchange that is hidden behind backward at most, from 0 to 1.
    pub overlap: f64,
    /// How sums travel.
    pub all_reduce: AllReduce,
}

/// A step on so many ranks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Predicted {
    /// How many.
    pub ranks: usize,
    /// Seconds of computation, on each.
    pub computing: f64,
    /// Seconds of the exchange.
    pub exchange: f64,
    /// Seconds a step takes.
    pub step: f64,
    /// How many times faster than one rank the same tokens are done.
    pub speedup: f64,
    /// The speedup divided by the number of ranks.
    pub efficiency: f64,
}

/// The part of a step's computation that is backward: twice forward's products.
const BACKWARD: f64 = 2.0 / 3.0;

/// Seconds of one exchange.
///
/// ```
/// # use bert::experiment::scaling::{AllReduce, exchange};
/// // 4 ranks, 8 MB, 1 ms, 1 GB/s: a message of all takes 8 ms.
/// let seconds = |way| exchange(way, 4, 8e6, 1e-3, 1e9);
/// assert!((seconds(AllReduce::RecursiveDoubling) - 18e-3).abs() < 1e-12); // 2·(1 + 8)
/// assert!((seconds(AllReduce::HalvingDoubling) - 16e-3).abs() < 1e-12); // 4·1 + 2·(4 + 2)
/// assert!((seconds(AllReduce::Ring) - 18e-3).abs() < 1e-12); // 6·(1 + 2)
/// assert_eq!(exchange(AllReduce::Ring, 1, 8e6, 1e-3, 1e9), 0.0);
/// ```
pub fn exchange(way: AllReduce, ranks: usize, bytes: f64, latency: f64, bandwidth: f64) -> f64 {
    assert!(ranks > 0, "at least one rank");
    let p = ranks as f64;
    let rounds = p.log2().ceil();
    let all = bytes / bandwidth;
    match way {
        AllReduce::RecursiveDoubling => rounds * (latency + all),
        AllReduce::HalvingDoubling => 2.0 * (rounds * latency + (1.0 - 1.0 / p) * all),
        AllReduce::Ring => 2.0 * (p - 1.0) * (latency + all / p),
    }
}

impl Constants {
    /// Seconds of computation, of the exchange, of both where they overlap.
    fn at(&self, ranks: usize, tokens_a_rank: f64) -> (f64, f64, f64) {
        let computing = self.computing(tokens_a_rank);
        let latency = self.buckets * self.latency;
        let exchange = exchange(self.all_reduce, ranks, self.bytes, latency, self.bandwidth);
        let backward = BACKWARD * (computing - self.fixed);
        let hidden = (self.overlap * exchange).min(backward);
        (computing, exchange, computing + exchange - hidden)
    }

    fn computing(&self, tokens: f64) -> f64 {
        self.fixed + (self.step - self.fixed) * tokens / self.batch
    }

    fn predicted(&self, ranks: usize, tokens_a_rank: f64) -> Predicted {
        let (computing, exchange, step) = self.at(ranks, tokens_a_rank);
        let speedup = self.computing(tokens_a_rank * ranks as f64) / step;
        let efficiency = speedup / ranks as f64;
        Predicted { ranks, computing, exchange, step, speedup, efficiency }
    }

    /// Strong scaling: the same batch, shared by more ranks.
    ///
    /// ```
    /// # use bert::experiment::scaling::{AllReduce, Constants};
    /// // One rank takes 100 ms; 4 compute 25 ms and exchange for 18 ms.
    /// let constants = Constants {
    ///     step: 0.1, batch: 4096.0, fixed: 0.0, bytes: 8e6, buckets: 1.0, latency: 1e-3,
    ///     bandwidth: 1e9, overlap: 0.0, all_reduce: AllReduce::Ring,
    /// };
    /// let four = constants.strong(4);
    /// assert!((four.step - 0.043).abs() < 1e-12);
    /// assert!((four.speedup - 100.0 / 43.0).abs() < 1e-9);
    /// assert!((four.efficiency - 25.0 / 43.0).abs() < 1e-9);
    /// // Half of the exchange hidden behind backward, which takes 17 ms: 25 + 9.
    /// let overlapping = Constants { overlap: 0.5, ..constants };
    /// assert!((overlapping.strong(4).step - 0.034).abs() < 1e-12);
    /// // All of it: no more than backward takes, 25 + 18 − 25·2/3.
    /// let overlapping = Constants { overlap: 1.0, ..constants };
    /// assert!((overlapping.strong(4).step - (0.043 - 0.05 / 3.0)).abs() < 1e-12);
    /// assert_eq!(constants.strong(1).efficiency, 1.0);
    /// // 3 buckets of a third each: 2 × 6 more messages of 1 ms.
    /// let in_buckets = Constants { buckets: 3.0, ..constants };
    /// assert!((in_buckets.strong(4).step - 0.055).abs() < 1e-12);
    /// // 20 of the 100 ms are the optimiser's: 20 + 80/4 + 18.
    /// let with_optimizer = Constants { fixed: 0.02, ..constants };
    /// assert!((with_optimizer.strong(4).step - 0.058).abs() < 1e-12);
    /// ```
    pub fn strong(&self, ranks: usize) -> Predicted {
        self.predicted(ranks, self.batch / ranks as f64)
    }

    /// Weak scaling: each rank has a batch of its own, so the global batch grows. Its speedup is that
    /// of tokens a second.
    ///
    /// ```
    /// # use bert::experiment::scaling::{AllReduce, Constants};
    /// // All compute 100 ms and exchange for 18 ms: 4 batches in 118 ms.
    /// let constants = Constants {
    ///     step: 0.1, batch: 4096.0, fixed: 0.0, bytes: 8e6, buckets: 1.0, latency: 1e-3,
    ///     bandwidth: 1e9, overlap: 0.0, all_reduce: AllReduce::Ring,
    /// };
    /// let four = constants.weak(4);
    /// assert!((four.step - 0.118).abs() < 1e-12);
    /// assert!((four.efficiency - 100.0 / 118.0).abs() < 1e-9);
    /// ```
    pub fn weak(&self, ranks: usize) -> Predicted {
        let mut weak = self.predicted(ranks, self.batch);
        weak.speedup = ranks as f64 * self.step / weak.step;
        weak.efficiency = self.step / weak.step;
        weak
    }

    /// The first of [`ranks`] at which half of a step of strong scaling or more is waiting for the
    /// network; `None` when there is none.
    ///
    /// ```
    /// # use bert::experiment::scaling::{AllReduce, Constants};
    /// let constants = Constants {
    ///     step: 0.1, batch: 4096.0, fixed: 0.0, bytes: 8e6, buckets: 1.0, latency: 1e-3,
    ///     bandwidth: 1e9, overlap: 0.0, all_reduce: AllReduce::Ring,
    /// };
    /// // 4 ranks: 25 ms computing, 18 ms waiting; 8: 12.5 and 14·(1 + 1) = 28.
    /// assert_eq!(constants.network_limits(), Some(8));
    /// assert_eq!(Constants { bytes: 0.0, latency: 0.0, ..constants }.network_limits(), None);
    /// ```
    pub fn network_limits(&self) -> Option<usize> {
        ranks().find(|ranks| {
            let Predicted { computing, step, .. } = self.strong(*ranks);
            step >= 2.0 * computing
        })
    }
}

/// 1, 2, 4 … 1024.
pub fn ranks() -> impl Iterator<Item = usize> {
    (0..=10).map(|power| 1 << power)
}
