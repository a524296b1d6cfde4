//! The number of bits in which a product's factors are read.

use crate::processor;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// The number of bits in which a product's factors are read. Everything else – parameters, what stands between
/// the products, sums, results – is [`crate::Float`] in any case.
#[doc(alias = "autocast")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// Factors as they are.
    #[default]
    F32,
    /// Factors rounded to bf16, 8 significant bits, in products that gain by it. Needs the feature `bf16` of this
    /// crate and a processor with AVX-512 BF16.
    Bf16,
    /// In the same products, each factor as the sum of two numbers of bf16, 16 significant bits: `a₁·b₁ + a₁·b₂ + a₂·b₁`.
    /// Needs the same.
    Bf16x3,
}

const ALL: [Precision; 3] = [Precision::F32, Precision::Bf16, Precision::Bf16x3];

/// One switch for a process, as there is one product: a layer need not know.
static CURRENT: AtomicU8 = AtomicU8::new(Precision::F32 as u8);

/// Multiplications from which on a product is about as fast with rounded factors as in f32, or faster, on the
/// processors that were measured: with fewer, both factors are copied for too little work.
pub(crate) const LEAST: u64 = 1 << 16;

/// Those from which on products round now.
static THRESHOLD: AtomicU64 = AtomicU64::new(LEAST);

impl Precision {
    /// The precision of products now.
    pub fn current() -> Precision {
        ALL[CURRENT.load(Ordering::Relaxed) as usize]
    }

    /// Its name: `f32`, `bf16` or `bf16x3`.
    pub fn name(self) -> &'static str {
        match self {
            Precision::F32 => "f32",
            Precision::Bf16 => "bf16",
            Precision::Bf16x3 => "bf16x3",
        }
    }

    /// Can this processor, in this build?
    pub fn is_supported(self) -> bool {
        self == Precision::F32 || processor::has_bf16()
    }

    /// From now on, all products of this process that gain by it compute so.
    ///
    /// # Panics
    /// When this processor or this build cannot.
    pub fn begin(self) {
        self.begin_with_threshold(LEAST);
    }

    /// The multiplications that a product now must have to be computed so.
    pub fn threshold() -> u64 {
        THRESHOLD.load(Ordering::Relaxed)
    }

    /// From now on, all products of this process with so many multiplications, and 65,536 at least, compute so.
    ///
    /// # Panics
    /// As for [`Precision::begin`].
    pub fn begin_with_threshold(self, multiplications: u64) {
        assert!(self.is_supported(), "{self:?} is not supported here");
        THRESHOLD.store(multiplications.max(LEAST), Ordering::Relaxed);
        CURRENT.store(self as u8, Ordering::Relaxed);
    }
}
