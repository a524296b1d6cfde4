//! What was claimed before the first run.

use super::{Dropped, Scaled};
use std::collections::BTreeMap;
use workbench::{Claim, smaller};

/// A claim is decided when the ranges over the seeds do not overlap.
pub fn claims(
    scaling: &BTreeMap<String, Scaled>,
    dropout: &BTreeMap<String, Dropped>,
) -> BTreeMap<String, Claim> {
    let faster = |d: &str| {
        let Scaled { unscaled, scaled } = &scaling[d];
        smaller(&scaled.fastest.steps.of_seeds, &unscaled.fastest.steps.of_seeds)
    };
    let fresh = |p: &str| &dropout[p].fresh.of_seeds;
    workbench::claims([
        (
            "a_first_loss",
            "without $1/\\sqrt d$ the loss before the first step is larger at $d = 1024$ than at $d = 16$",
            smaller(
                &scaling["d16"].unscaled.fastest.first.of_seeds,
                &scaling["d1024"].unscaled.fastest.first.of_seeds,
            ),
        ),
        ("b_d16", "at $d = 16$ training with $1/\\sqrt d$ needs fewer steps to 0.9", faster("d16")),
        ("c_d64", "at $d = 64$ training with $1/\\sqrt d$ needs fewer steps to 0.9", faster("d64")),
        (
            "d_d256",
            "at $d = 256$ training with $1/\\sqrt d$ needs fewer steps to 0.9",
            faster("d256"),
        ),
        (
            "e_d1024",
            "at $d = 1024$ training with $1/\\sqrt d$ needs fewer steps to 0.9",
            faster("d1024"),
        ),
        (
            "f_some",
            "leaving out a tenth of the weights lowers the error on new episodes",
            smaller(fresh("p10"), fresh("p0")),
        ),
        (
            "g_many",
            "leaving out half of the weights raises the error on new episodes",
            smaller(fresh("p0"), fresh("p50")),
        ),
    ])
}
