//! The choice among a processor's instructions that multiply rounded factors.

use crate::processor;
use std::sync::atomic::{AtomicU8, Ordering};

/// The instructions of a processor by which products of [`Precision::Bf16`](crate::Precision::Bf16) and
/// [`Precision::Bf16x3`](crate::Precision::Bf16x3) are computed. All multiply the same rounded factors and
/// sum in f32; they differ in the order of sums, and in products and sums below 2⁻¹²⁶, which those for bf16
/// and tiles take for 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backend {
    /// Those for bf16.
    #[default]
    Bf16,
    /// Those for f32, which some processors with both run faster. (For one product, not for the three of
    /// bf16x3.)
    F32,
    /// Those for matrix tiles, on Intel processors that have them (AMX).
    Tiles,
}

const ALL: [Backend; 3] = [Backend::Bf16, Backend::F32, Backend::Tiles];

/// One switch for a process, as for the precision.
static CURRENT: AtomicU8 = AtomicU8::new(Backend::Bf16 as u8);

impl Backend {
    /// The unit that computes now.
    pub fn current() -> Backend {
        ALL[CURRENT.load(Ordering::Relaxed) as usize]
    }

    /// Can this processor, in this build?
    pub fn is_supported(self) -> bool {
        if self == Backend::Tiles { processor::has_tiles() } else { processor::has_bf16() }
    }

    /// From now on, products of rounded factors are computed so.
    ///
    /// # Panics
    /// When this processor has no tiles, for them.
    pub fn begin(self) {
        assert!(self != Backend::Tiles || self.is_supported(), "{self:?} are not supported here");
        CURRENT.store(self as u8, Ordering::Relaxed);
    }

    /// Its name: `bf16`, `f32` or `tiles`.
    pub fn name(self) -> &'static str {
        match self {
            Backend::Bf16 => "bf16",
            Backend::F32 => "f32",
            Backend::Tiles => "tiles",
        }
    }

    /// That of a name.
    pub fn named(name: &str) -> Option<Backend> {
        ALL.into_iter().find(|unit| unit.name() == name)
    }
}
