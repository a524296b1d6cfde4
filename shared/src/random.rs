//! Random numbers.

/// The generator behind every random number of the course: named, portable, seeded explicitly, so
/// that a printed number can be printed again.
pub type Rng = rand_chacha::ChaCha8Rng;

/// The generator with the given seed.
#[doc(alias = "manual_seed")]
pub fn rng(seed: u64) -> Rng {
    rand::SeedableRng::seed_from_u64(seed)
}
