//! The network between two processes: latency and bandwidth of its messages, as JSON.
//!
//! ```text
//! cargo build --release -p workbench --features mpi --example ranks
//! mpirun -n 2 target/release/examples/ranks
//! ```

use shared::Float;
use std::process::ExitCode;
use std::time::Instant;
use workbench::error::{Error, Result};
use workbench::program::{run, say};
use workbench::training::mpi::Ranks;
use workbench::training::{Peers, json};

fn main() -> ExitCode {
    run(|| {
        let ranks = Ranks::join()?;
        ranks.leave(measure(ranks.as_ref()))
    })
}

fn measure(peers: &dyn Peers) -> Result<()> {
    if peers.count() != 2 {
        return Err(Error::argument("a network has two ends: mpirun -n 2"));
    }
    let (mut latency, mut bandwidth) = (0.0, 0.0_f64);
    for numbers in [1, 1 << 8, 1 << 12, 1 << 16, 1 << 18, 1 << 20, 1 << 22] {
        let seconds = seconds_one_way(peers, numbers)?;
        if numbers == 1 {
            latency = seconds;
        }
        bandwidth = bandwidth.max((numbers * size_of::<Float>()) as f64 / seconds);
    }
    if peers.rank() == 0 {
        say(json!({"latency_us": 1e6 * latency, "bandwidth_mb_s": bandwidth / 1e6}));
    }
    Ok(())
}

/// Half of the median time of 21 messages there and back.
fn seconds_one_way(peers: &dyn Peers, numbers: usize) -> Result<f64> {
    let (there, mut back) = (vec![1.0; numbers], vec![0.0; numbers]);
    let mut times = Vec::new();
    for _ in 0..21 {
        let begin = Instant::now();
        if peers.rank() == 0 {
            peers.exchange(1, &there, &mut [])?;
            peers.exchange(1, &[], &mut back)?;
        } else {
            peers.exchange(0, &[], &mut back)?;
            peers.exchange(0, &there, &mut [])?;
        }
        times.push(begin.elapsed().as_secs_f64() / 2.0);
    }
    times.sort_by(f64::total_cmp);
    Ok(times[10])
}
