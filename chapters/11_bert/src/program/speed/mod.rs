//! How long a step takes, and would take on many machines.
//!
//! | file | holds |
//! |---|---|
//! | `bench` | full training steps on random pieces |
//! | [`scaling`] | the time of a step on so many machines, from a few constants |
//! | `forecast` | these constants, tables and figures |

mod bench;
mod forecast;
pub mod scaling;

pub(super) use bench::{BenchArgs, bench};
pub(super) use forecast::{ScalingArgs, scaling as forecast};
