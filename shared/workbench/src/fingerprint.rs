//! Recognising bytes.

/// A short name for data: two files with the same fingerprint hold the same bytes, for all
/// practical purposes. Not for keeping secrets.
///
/// ```
/// use workbench::fingerprint;
/// assert_eq!(fingerprint(b"attention"), fingerprint(b"attention"));
/// assert_ne!(fingerprint(b"attention"), fingerprint(b"attentiom"));
/// ```
pub fn fingerprint(bytes: &[u8]) -> String {
    // FNV-1a (Fowler, Noll, Vo), eight bytes at a time and in four lanes, for speed.
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    let mut lanes = [0xcbf2_9ce4_8422_2325_u64; 4];
    let word = |bytes: &[u8]| {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(word)
    };
    for block in bytes.chunks(32) {
        for (lane, bytes) in lanes.iter_mut().zip(block.chunks(8)) {
            *lane = (*lane ^ word(bytes)).wrapping_mul(PRIME);
            *lane ^= *lane >> 32;
        }
    }
    let mix = |sum: u64, lane: &u64| (sum.rotate_left(23) ^ lane).wrapping_mul(PRIME);
    format!("{:016x}", lanes.iter().fold(bytes.len() as u64, mix))
}
