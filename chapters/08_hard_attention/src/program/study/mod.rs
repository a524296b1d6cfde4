//! The estimator under the magnifying glass: one fixed model, many draws.
//!
//! | file | about |
//! |---|---|
//! | `example` | three labels, worked by hand |
//! | `snapshot` | the model that is looked at |
//! | `estimates` | estimates against the enumerated gradient |
//! | `spread` | their variance, known without drawing, and all along a training |
//! | `noise` | how much gradients differ from batch to batch |

mod estimates;
mod example;
mod noise;
mod snapshot;
mod spread;

pub use estimates::{Estimates, Study, gradient, study};
pub use example::{Example, example};
pub use noise::{Noise, noise};
pub use snapshot::{STEPS, Snapshot, snapshot, snapshots};
pub use spread::{Stage, stages};
