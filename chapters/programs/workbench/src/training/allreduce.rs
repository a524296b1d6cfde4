//! Sums over processes in a fixed tree, by messages between two of them.
//!
//! A library's own all-reduce may add in any order, and chooses another for another number of
//! processes. Here both ways add in the tree of [`LossAndGradients`](shared::LossAndGradients) over the
//! ranks, `((0 + 1) + (2 + 3)) + …`, so that one process alone has the same bits. For n numbers on P
//! processes each of them sends
//!
//! | way | messages after one another | numbers |
//! |---|---|---|
//! | recursive halving, then doubling: half, a quarter … of the numbers are summed, and handed back (Rabenseifner 2004); P is a power of two | 2·log₂ P | 2n·(1 − 1/P) |
//! | up the tree to rank 0 and down again, for any P | 2·log₂ P, rounded up | rank 0: n·log₂ P |

use super::peers::Peers;
use crate::error::Result;
use shared::Float;

impl dyn Peers + '_ {
    /// Replaces the numbers by their sums over all processes, of which each brings as many.
    pub fn sum(&self, numbers: &mut [Float]) -> Result<()> {
        if self.count().is_power_of_two() {
            return halving(self, numbers, 1);
        }
        up(self, numbers)?;
        down(self, numbers)
    }

    /// Replaces the bytes by those of number 0.
    pub fn share(&self, bytes: &mut Vec<u8>) -> Result<()> {
        let mut length = bytes.len().to_le_bytes();
        self.share_slice(&mut length)?;
        bytes.resize(usize::from_le_bytes(length), 0);
        self.share_slice(bytes)
    }

    /// Bytes travel as the bits of numbers that nobody adds.
    fn share_slice(&self, bytes: &mut [u8]) -> Result<()> {
        const SIZE: usize = size_of::<Float>();
        let number = |part: &[u8]| {
            let mut bits = [0; SIZE];
            bits[..part.len()].copy_from_slice(part);
            Float::from_le_bytes(bits)
        };
        let mut numbers: Vec<Float> = bytes.chunks(SIZE).map(number).collect();
        down(self, &mut numbers)?;
        for (part, number) in bytes.chunks_mut(SIZE).zip(numbers) {
            part.copy_from_slice(&number.to_le_bytes()[..part.len()]);
        }
        Ok(())
    }
}

// ANCHOR: halving
/// The neighbour at this distance sums one half and we the other; what all others add to our half
/// happens at larger distances; then both halves are exchanged.
fn halving(peers: &dyn Peers, numbers: &mut [Float], distance: usize) -> Result<()> {
    if distance == peers.count() {
        return Ok(());
    }
    let neighbour = peers.rank() ^ distance;
    let (low, high) = numbers.split_at_mut(numbers.len() / 2);
    let (ours, theirs) = if peers.rank() < neighbour { (low, high) } else { (high, low) };
    let mut part = vec![0.0; ours.len()];
    peers.exchange(neighbour, theirs, &mut part)?;
    add(ours, &part);
    halving(peers, ours, 2 * distance)?;
    peers.exchange(neighbour, ours, theirs)
}
// ANCHOR_END: halving

/// Sums climb to rank 0, by blocks of 1, 2, 4 … ranks.
fn up(peers: &dyn Peers, numbers: &mut [Float]) -> Result<()> {
    let (rank, mut distance) = (peers.rank(), 1);
    let mut theirs = vec![0.0; numbers.len()];
    while distance < peers.count() {
        if rank & distance != 0 {
            return peers.exchange(rank - distance, numbers, &mut []);
        }
        if rank + distance < peers.count() {
            peers.exchange(rank + distance, &[], &mut theirs)?;
            add(numbers, &theirs);
        }
        distance *= 2;
    }
    Ok(())
}

/// The numbers of rank 0 come down the same way, to all.
fn down(peers: &dyn Peers, numbers: &mut [Float]) -> Result<()> {
    let (rank, count) = (peers.rank(), peers.count());
    let mut distance = 1;
    while distance < count && rank & distance == 0 {
        distance *= 2;
    }
    if rank > 0 {
        peers.exchange(rank - distance, &[], numbers)?;
    }
    while distance > 1 {
        distance /= 2;
        if rank + distance < count {
            peers.exchange(rank + distance, numbers, &mut [])?;
        }
    }
    Ok(())
}

/// Adds in place: the sum of two numbers does not depend on which comes first.
fn add(sum: &mut [Float], numbers: &[Float]) {
    for (sum, x) in sum.iter_mut().zip(numbers) {
        *sum += x;
    }
}
