//! Recognising bytes.

/// A short name for data: two files with the same fingerprint hold the same bytes, for all
/// practical purposes. A change within eight bytes, such as a flipped bit, is noticed without
/// exception. Not for keeping secrets.
///
/// ```
/// use workbench::fingerprint;
/// assert_eq!(fingerprint(b"attention"), fingerprint(b"attention"));
/// assert_ne!(fingerprint(b"attention"), fingerprint(b"attentiom"));
/// ```
pub fn fingerprint(bytes: &[u8]) -> String {
    format!("{:016x}", hash(bytes))
}

/// The fingerprint of pieces, one after another: where one ends counts as well.
///
/// ```
/// use workbench::Fingerprint;
/// let of = |words: &[&str]| words.iter().fold(Fingerprint::default(), |all, word| all.and(word));
/// assert_eq!(of(&["to", "day"]).to_string(), of(&["to", "day"]).to_string());
/// assert_ne!(of(&["to", "day"]).to_string(), of(&["today"]).to_string());
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Fingerprint(u64);

impl Fingerprint {
    /// One piece more.
    pub fn and(self, piece: impl AsRef<[u8]>) -> Fingerprint {
        Fingerprint(mix(self.0, hash(piece.as_ref())))
    }
}

impl std::fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

const PRIME: u64 = 0x0000_0100_0000_01b3;

/// FNV-1a (Fowler, Noll, Vo), eight bytes at a time and in four lanes, for speed.
fn hash(bytes: &[u8]) -> u64 {
    let mut lanes = [0xcbf2_9ce4_8422_2325_u64; 4];
    for block in bytes.chunks(32) {
        for (lane, bytes) in lanes.iter_mut().zip(block.chunks(8)) {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            *lane = (*lane ^ u64::from_le_bytes(word)).wrapping_mul(PRIME);
            *lane ^= *lane >> 32;
        }
    }
    lanes.into_iter().fold(bytes.len() as u64, mix)
}

fn mix(sum: u64, next: u64) -> u64 {
    (sum.rotate_left(23) ^ next).wrapping_mul(PRIME)
}
