//! Streams of random numbers.

use std::collections::HashSet;
use workbench::stream;

/// Two streams with numbers below 2¹⁶ meet only where the scrambled seeds agree in their upper 48
/// bits.
#[test]
fn streams_of_different_seeds_do_not_meet() {
    let upper: HashSet<u64> = (0..2000).map(|seed| stream(seed, 0) >> 16).collect();
    assert_eq!(upper.len(), 2000);
    for number in [0, 1, 4321, u64::from(u16::MAX)] {
        assert_eq!(stream(0, number), number);
        assert_eq!(stream(7, number) >> 16, stream(7, 0) >> 16);
    }
}
