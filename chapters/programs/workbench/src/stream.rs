//! Seeds of the parts of a run.

/// The seed of stream `number` of a run with the given `seed`: a run that repeats a training, or draws
/// data beside start values, gives each its own stream.
///
/// Under seed 0 it is the number itself. Were seeds added to numbers, repetition 1 under seed 0 would
/// be repetition 0 under seed 1, and a second look at a result would be none. So the seed is scrambled
/// first, by the finaliser of splitmix64 (Steele, Lea and Flood 2014, with Stafford's constants): one
/// to one, and 0 stays 0. For seeds below 2000 and numbers below 2¹⁶ no two streams meet.
///
/// ```
/// use workbench::stream;
/// assert_eq!(stream(0, 1), 1);
/// assert_ne!(stream(0, 1), stream(1, 0));
/// ```
pub fn stream(seed: u64, number: u64) -> u64 {
    let mut z = seed;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ z ^ (z >> 31)
}
