//! English sentences of the parallel corpus.

use parallel::{EXAMPLES, sample};
use rand::RngExt;
use shared::Rng;
use std::collections::HashSet;

/// Sentences for training, aside, and for the test; no two are the same, and none is an example of the
/// book.
pub fn texts(sizes: [usize; 3], rng: &mut Rng) -> [Vec<Vec<String>>; 3] {
    let mut seen: HashSet<String> = EXAMPLES.iter().map(|pair| pair.0.to_owned()).collect();
    sizes.map(|size| {
        let mut part = Vec::with_capacity(size);
        while part.len() < size {
            let words = sample(rng.random_range(0..10), rng).pair().source;
            if seen.insert(words.join(" ")) {
                part.push(words);
            }
        }
        part
    })
}
