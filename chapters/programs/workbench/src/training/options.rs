//! How it is trained.

use super::peers::Peers;
use super::schedule::Schedule;
use crate::error::{Error, Result};
use shared::{Adam, Float, Optimizer};
use std::fmt::{Debug, Formatter};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

/// Which optimiser a run begins with; its learning rate comes from the run's schedule.
///
/// ```
/// use shared::{AdamW, Sgd};
/// use workbench::training::Method;
/// let descent = Method::new(Sgd { learning_rate: 0.0 });
/// let decay = |name: &str| if name.ends_with("bias") { 0.0 } else { 0.01 };
/// let decaying = Method::new(AdamW::new(0.0, decay));
/// # assert!(format!("{descent:?} {decaying:?}").contains("adamw"));
/// ```
#[derive(Clone)]
pub struct Method(Arc<dyn Fn() -> Box<dyn Optimizer> + Send + Sync>);

impl Method {
    /// Begins with a copy of this optimiser.
    pub fn new(optimizer: impl Optimizer + Clone + Sync + 'static) -> Method {
        Method(Arc::new(move || Box::new(optimizer.clone())))
    }

    pub(super) fn begin(&self) -> Box<dyn Optimizer> {
        (self.0)()
    }
}

impl Debug for Method {
    fn fmt(&self, f: &mut Formatter) -> std::fmt::Result {
        f.debug_map().entries(self.begin().settings()).finish()
    }
}

/// How a task is trained.
#[derive(Clone, Debug)]
pub struct Options {
    /// Named in front of what is shown; "" for nothing.
    pub title: String,
    /// Passes over the data.
    pub epochs: usize,
    /// The learning rate.
    pub schedule: Schedule,
    /// The optimiser.
    pub method: Method,
    /// The longest gradient that is not shortened.
    pub clip: Option<Float>,
    /// Into how many parts a batch is cut, which may run at the same time. Part of the run, not of
    /// the machine: sums depend on it in their last digits.
    pub shards: usize,
    /// The number of groups in which the shards run, one group after another: memory holds the tapes of a
    /// group. The groups' gradients are accumulated, with the bits of all shards at once if a group
    /// has a power of two of them.
    pub accumulate: usize,
    /// Other processes that train the same model. Number 0 alone shows progress, evaluates and
    /// touches the folder of checkpoints; of these, any number of processes makes the same.
    pub peers: Option<Arc<dyn Peers>>,
    /// The seed of all the run's random numbers.
    pub seed: u64,
    /// Return the mean of the parameters at the ends of the last so many epochs (of all, when they
    /// are fewer) instead of the last ones: Vaswani et al. 2017, section 6.1.
    pub average: Option<usize>,
    /// Show a bar, and a line an epoch.
    pub progress: bool,
    /// The folder that receives checkpoints: one a minute, one at the end, and one after every epoch
    /// unless the last is less than a second old.
    pub checkpoint: Option<PathBuf>,
    /// Save a checkpoint after so many steps as well.
    pub checkpoint_steps: Option<u64>,
    /// Go on from the checkpoint in the folder, if there is one. Epochs, learning rate and clipping
    /// may be others than before.
    pub resume: bool,
}

impl Options {
    /// The shards of a group, of which there are [`Options::accumulate`] in every process.
    pub(super) fn shards_a_group(&self) -> usize {
        self.shards / (self.accumulate * self.processes())
    }

    /// How many gradients of all parameters may lie in this process's memory at once: one for each shard of a
    /// group, and for the groups before it a sum for each level of their tree.
    ///
    /// ```
    /// use workbench::training::Options;
    /// let groups = |accumulate| Options { shards: 2 * accumulate, accumulate, ..Options::default() };
    /// assert_eq!([1, 2, 3, 32].map(|count| groups(count).gradients_at_once()), [2, 3, 4, 7]);
    /// ```
    pub fn gradients_at_once(&self) -> usize {
        self.shards_a_group() + self.accumulate.next_power_of_two().ilog2() as usize
    }

    /// The numbers of the shards that this process runs.
    pub(super) fn own_shards(&self) -> Range<usize> {
        match &self.peers {
            None => 0..self.shards,
            Some(peers) => {
                let share = self.shards / peers.count();
                peers.rank() * share..(peers.rank() + 1) * share
            }
        }
    }

    /// Whether this process is the one that shows, evaluates and saves.
    pub fn leads(&self) -> bool {
        self.peers.as_ref().is_none_or(|peers| peers.rank() == 0)
    }

    /// How many processes train.
    pub fn processes(&self) -> usize {
        self.peers.as_ref().map_or(1, |peers| peers.count())
    }

    /// These options, if the shards can be divided among groups and processes: sums have the same bits in any number
    /// of them where each has a power of two of the shards.
    ///
    /// # Errors
    /// When they cannot, with numbers that would do.
    pub fn divided(self) -> Result<Options> {
        let (shards, groups, processes) = (self.shards, self.accumulate, self.processes());
        let parts = groups * processes;
        let is_power = shards.is_multiple_of(parts) && (shards / parts).is_power_of_two();
        if parts == 1 || is_power && (processes == 1 || groups.is_power_of_two()) {
            return Ok(self);
        }
        let accumulate = if processes == 1 { groups } else { groups.next_power_of_two() };
        let example = 2 * accumulate * processes;
        Err(Error::argument(format!(
            "shards of a batch: {shards}, processes: {processes}, groups in each: {groups}; a process needs \
             a power of two of shards, and so does a group: --shards {example} --accumulate {accumulate} \
             would do"
        )))
    }

    pub(super) fn check(&self) {
        assert!(self.shards > 0, "a batch is cut into at least one shard");
        assert!(self.accumulate > 0, "gradients of at least one group make a step");
        let (groups, size) = (self.accumulate * self.processes(), self.shards_a_group());
        let fits = groups == 1 || (size.is_power_of_two() && size * groups == self.shards);
        assert!(fits, "{} shards in {groups} groups: each needs a power of two", self.shards);
        let (processes, share) = (self.processes(), size * self.accumulate);
        let fits = processes == 1 || share.is_power_of_two();
        assert!(fits, "{} shards in {processes} processes: each needs a power of two", self.shards);
        assert!(self.average != Some(0), "a mean of no epoch");
        let rank = self.peers.as_ref().map_or(0, |peers| peers.rank());
        assert!(rank < self.processes(), "process {rank} of {}", self.processes());
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            title: String::new(),
            epochs: 10,
            schedule: Schedule::constant(1e-3),
            method: Method::new(Adam::new(0.0)),
            clip: Some(1.0),
            shards: 2,
            accumulate: 1,
            peers: None,
            seed: 0,
            average: None,
            progress: false,
            checkpoint: None,
            checkpoint_steps: None,
            resume: false,
        }
    }
}
