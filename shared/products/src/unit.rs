//! By which of a processor's instructions rounded factors are multiplied.

use std::sync::atomic::{AtomicBool, Ordering};

/// By which of a processor's instructions products of [`Precision::Bf16`](crate::Precision::Bf16) are
/// computed. Both multiply the same rounded factors and sum in f32; they differ in the order of sums, and
/// in numbers below 2⁻¹²⁶, which the instruction for bf16 takes for 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// Those for bf16.
    #[default]
    Bf16,
    /// Those for f32, which some processors with both run faster.
    F32,
}

/// One switch for a process, as for the precision.
static F32: AtomicBool = AtomicBool::new(false);

impl Unit {
    /// What computes now.
    pub fn current() -> Unit {
        if F32.load(Ordering::Relaxed) { Unit::F32 } else { Unit::Bf16 }
    }

    /// From now on, products of rounded factors are computed so.
    pub fn begin(self) {
        F32.store(self == Unit::F32, Ordering::Relaxed);
    }

    /// Its name: `bf16` or `f32`.
    pub fn name(self) -> &'static str {
        match self {
            Unit::Bf16 => "bf16",
            Unit::F32 => "f32",
        }
    }

    /// That of a name.
    pub fn named(name: &str) -> Option<Unit> {
        [Unit::Bf16, Unit::F32].into_iter().find(|unit| unit.name() == name)
    }
}
