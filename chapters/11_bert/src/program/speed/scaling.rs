//! How training scales over processes, predicted from a few measured constants.
//!
//! A step is computation, which the processes share, and an exchange of gradients, which they have to
//! wait for where it is not hidden by backward. A message of n bytes takes `latency + n/bandwidth`
//! (Hockney 1994); every process has a link of its own and additions cost nothing. So the prediction
//! is a lower bound of the time: no waiting for the slowest process, no shared wires.

use serde::Serialize;

#[derive(Clone, Copy, Debug, Serialize)]
pub struct Constants {
    /// Seconds one rank computes a step of `batch` tokens.
    pub step: f64,
    pub batch: f64,
    /// Of these seconds, the part that does not shrink with the batch: the optimiser, whose work is a
    /// parameter's, not a token's.
    pub fixed: f64,
    pub bytes: f64,
    pub buckets: f64,
    /// Seconds until the first byte of a message arrives.
    pub latency: f64,
    /// Bytes a second of a link.
    pub bandwidth: f64,
    /// The part of the exchange that is hidden by backward at most, from 0 to 1.
    pub overlap: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Predicted {
    pub ranks: usize,
    pub computing: f64,
    pub exchange: f64,
    pub step: f64,
    pub speedup: f64,
    pub efficiency: f64,
}

/// The part of a step's computation that is backward: twice forward's products.
const BACKWARD: f64 = 2.0 / 3.0;

impl Constants {
    /// Seconds of an exchange: halving, then doubling (Rabenseifner 2004), 2·log₂ P messages and n·(1 − 1/P)
    /// bytes each way.
    pub fn exchange(&self, ranks: usize) -> f64 {
        assert!(ranks > 0, "at least one rank");
        let (p, latency) = (ranks as f64, self.buckets * self.latency);
        let all = self.bytes / self.bandwidth;
        2.0 * (p.log2().ceil() * latency + (1.0 - 1.0 / p) * all)
    }

    fn computing(&self, tokens: f64) -> f64 {
        self.fixed + (self.step - self.fixed) * tokens / self.batch
    }

    fn predicted(&self, ranks: usize, tokens_a_rank: f64) -> Predicted {
        let (computing, exchange) = (self.computing(tokens_a_rank), self.exchange(ranks));
        let backward = BACKWARD * (computing - self.fixed);
        let step = computing + exchange - (self.overlap * exchange).min(backward);
        let speedup = self.computing(tokens_a_rank * ranks as f64) / step;
        Predicted { ranks, computing, exchange, step, speedup, efficiency: speedup / ranks as f64 }
    }

    /// Strong scaling: the same batch, shared by more ranks.
    ///
    /// ```
    /// # use bert::program::scaling::Constants;
    /// // 4 ranks, 8 MB, 1 ms, 1 GB/s: 4 messages, and twice 6 MB. They compute 25 of one rank's 100 ms.
    /// let constants = Constants {
    ///     step: 0.1, batch: 4096.0, fixed: 0.0, bytes: 8e6, buckets: 1.0, latency: 1e-3,
    ///     bandwidth: 1e9, overlap: 0.0,
    /// };
    /// let is = |constants: Constants, step: f64| {
    ///     assert!((constants.strong(4).step - step).abs() < 1e-12, "{}", constants.strong(4).step);
    /// };
    /// is(constants, 0.025 + 0.016);
    /// assert!((constants.strong(4).speedup - 100.0 / 41.0).abs() < 1e-9);
    /// assert_eq!(constants.strong(1).efficiency, 1.0);
    /// // Half of the exchange hidden by backward, which takes 17 ms; all of it, that is no more than these.
    /// is(Constants { overlap: 0.5, ..constants }, 0.025 + 0.008);
    /// is(Constants { overlap: 1.0, bandwidth: 5e8, ..constants }, 0.025 + 0.028 - 0.05 / 3.0);
    /// // 3 buckets: 2 × 4 more messages. 20 of the 100 ms are the optimiser's: 20 + 80/4.
    /// is(Constants { buckets: 3.0, ..constants }, 0.025 + 0.024);
    /// is(Constants { fixed: 0.02, ..constants }, 0.04 + 0.016);
    /// // With a batch for each, all compute 100 ms.
    /// assert!((constants.weak(4).efficiency - 100.0 / 116.0).abs() < 1e-9);
    /// // 4 ranks: 25 ms computing, 16 ms waiting; 8: 12.5 and 6 + 14.
    /// assert_eq!(constants.network_limits(), Some(8));
    /// assert_eq!(Constants { bytes: 0.0, latency: 0.0, ..constants }.network_limits(), None);
    /// ```
    pub fn strong(&self, ranks: usize) -> Predicted {
        self.predicted(ranks, self.batch / ranks as f64)
    }

    /// Weak scaling: each rank has a batch of its own, so the global batch grows. Its speedup is that
    /// of tokens a second.
    pub fn weak(&self, ranks: usize) -> Predicted {
        let weak = self.predicted(ranks, self.batch);
        let efficiency = self.step / weak.step;
        Predicted { speedup: ranks as f64 * self.step / weak.step, efficiency, ..weak }
    }

    /// The first of [`ranks`] at which half of a step of strong scaling or more is waiting for the
    /// network; `None` when there is none.
    pub fn network_limits(&self) -> Option<usize> {
        ranks().find(|ranks| {
            let Predicted { computing, step, .. } = self.strong(*ranks);
            step >= 2.0 * computing
        })
    }
}

pub fn ranks() -> impl Iterator<Item = usize> {
    (0..=10).map(|power| 1 << power)
}
