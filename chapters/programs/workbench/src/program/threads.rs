//! How many threads a program begins with.

use crate::error::{Error, Result};
use crate::files::plain;
use rayon::ThreadPoolBuilder;
use std::error::Error as _;
use std::io;
use std::thread::available_parallelism;

/// Begins rayon's threads: one a processor, or `RAYON_NUM_THREADS` of them, but no more than are of
/// any use: what is then to be said is answered.
pub(super) fn begin() -> Result<Option<String>> {
    let processors = available_parallelism().map_or(1, usize::from);
    let asked = std::env::var("RAYON_NUM_THREADS").ok().and_then(|text| text.parse().ok());
    let asked = asked.filter(|threads| *threads > 0).unwrap_or(processors);
    let threads = asked.min(most(processors));
    let fewer = (threads < asked).then(|| {
        format!("RAYON_NUM_THREADS={asked}: {threads} threads are the most that make sense here")
    });
    match ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK).build_global() {
        Ok(()) => Ok(fewer),
        Err(error) => match error.source().and_then(|source| source.downcast_ref()) {
            Some(reason) => Err(refused(threads, reason)),
            None => Ok(fewer), // they had begun before
        },
    }
}

/// Bytes of a thread's stack, whatever `RUST_MIN_STACK` says.
pub(crate) const STACK: usize = 2 << 20;

/// More threads than processors make nothing faster, but show that results do not depend on them.
fn most(processors: usize) -> usize {
    (2 * processors).max(16)
}

/// What to say when the system does not grant a thread.
pub fn refused(threads: usize, reason: &io::Error) -> Error {
    let reason = plain(reason);
    Error::argument(format!(
        "{threads} threads cannot be begun: {reason} (RAYON_NUM_THREADS=1 asks for fewer)"
    ))
}
