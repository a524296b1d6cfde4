//! In how many bits a product's factors are read.

use crate::bf16;
use std::sync::atomic::{AtomicBool, Ordering};

/// In how many bits a product's factors are read. Everything else – parameters, what stands between
/// the products, sums, results – is [`crate::Float`] in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// As they are.
    #[default]
    F32,
    /// Rounded to bf16, 8 significant bits, in products that gain by it. Needs the feature `bf16` of this
    /// crate and a processor with AVX-512 BF16.
    Bf16,
}

/// Whether products round. One switch for a process, as there is one product: a layer need not know.
static BF16: AtomicBool = AtomicBool::new(false);

impl Precision {
    /// What products compute in now.
    pub fn current() -> Precision {
        if BF16.load(Ordering::Relaxed) { Precision::Bf16 } else { Precision::F32 }
    }

    /// Its name: `f32` or `bf16`.
    pub fn name(self) -> &'static str {
        match self {
            Precision::F32 => "f32",
            Precision::Bf16 => "bf16",
        }
    }

    /// Can this processor, in this build?
    pub fn is_supported(self) -> bool {
        self == Precision::F32 || bf16::supported()
    }

    /// From now on, all products of this process compute so.
    ///
    /// # Panics
    /// When this processor or this build cannot.
    pub fn begin(self) {
        assert!(self.is_supported(), "{self:?} is not supported here");
        BF16.store(self == Precision::Bf16, Ordering::Relaxed);
    }
}
