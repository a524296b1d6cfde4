//! How the recurrent translators of chapters 5 to 7 are trained.

use workbench::training::{Options, Schedule, Shape};

/// The chapters' way of training, the defaults behind every number on their pages: Adam, its rate
/// falling in a straight line from 0.003 to 0 ([`falling`]), gradients no longer than 1.
pub fn options() -> Options {
    Options { epochs: 15, schedule: Schedule::constant(3e-3), ..Options::default() }
}

/// [`options`] with as many passes as give 3,000 steps, if the pairs are few.
pub fn options_for(pairs: usize, batch: usize) -> Options {
    const STEPS: usize = 3_000;
    let usual = options();
    let epochs = STEPS.div_ceil(pairs.div_ceil(batch).max(1)).clamp(usual.epochs, 200);
    Options { epochs, ..usual }
}

/// Lets the learning rate fall to 0 in the last of the steps.
pub fn falling(options: Options, steps: u64) -> Options {
    let schedule = Schedule { shape: Shape::Linear { total: steps }, ..options.schedule };
    Options { schedule, ..options }
}
