//! How long a training step takes on this machine, and what share of the machine that is.

use crate::error::{Error, Result};
use crate::memory::peak_memory;
use crate::program::{PrecisionArgs, say};
use clap::Args;
use rayon::prelude::*;
use serde::Serialize;
use shared::{Matrix, Precision, arithmetic, copied, gemm, prepacked};
use std::fmt::{Display, Formatter};
use std::time::{Duration, Instant};

/// The durations of some steps.
pub struct Steps {
    /// Sorted: the fastest first.
    pub times: Vec<Duration>,
    /// Multiplications and additions of one step in matrix products.
    pub operations: f64,
    /// Bytes of rounded copies that one step makes of factors.
    pub copied: f64,
}

/// Bytes of a MiB.
const MIB: f64 = (1 << 20) as f64;

/// Runs `step`, which gets its number, for about that long, five times at least.
pub fn time_steps(duration: Duration, mut step: impl FnMut(usize)) -> Steps {
    let mut times = Vec::new();
    let (begin, before) = (Instant::now(), [arithmetic(), copied()]);
    while begin.elapsed() < duration || times.len() < 5 {
        let start = Instant::now();
        step(times.len());
        times.push(start.elapsed());
    }
    let of_a_step = |after: u64, before: u64| (after - before) as f64 / times.len() as f64;
    let operations = of_a_step(arithmetic(), before[0]);
    let copied = of_a_step(copied(), before[1]);
    times.sort();
    Steps { times, operations, copied }
}

/// Arguments of the commands `bench`.
#[derive(Args, Clone, Debug)]
pub struct TimingArgs {
    /// How long
    #[arg(long, value_name = "SECONDS", default_value_t = 5.0)]
    seconds: f64,
    /// Print one line of JSON
    #[arg(long)]
    json: bool,
    /// In how many bits products read their factors.
    #[command(flatten)]
    precision: PrecisionArgs,
}

impl TimingArgs {
    /// Computes in this precision from now on. Returns how long something is to be timed.
    ///
    /// # Errors
    /// When that is not above 0, or more than an hour.
    pub fn begin(&self) -> Result<Duration> {
        if !(self.seconds > 0.0 && self.seconds <= 3600.0) {
            return Err(Error::argument("--seconds: a number above 0 and up to 3600 is needed"));
        }
        self.precision.begin()?;
        Ok(Duration::from_secs_f64(self.seconds))
    }

    /// Prints what was found, in words or as JSON.
    ///
    /// # Errors
    /// When it cannot be written as JSON.
    pub fn print(&self, report: &impl Serialize, words: String) -> Result<()> {
        let json = self.json.then(|| serde_json::to_string(report)).transpose();
        say(json.map_err(Error::argument)?.unwrap_or(words));
        Ok(())
    }
}

/// The measurements that the commands `bench` print.
#[derive(Clone, Debug, Serialize)]
pub struct StepReport {
    /// The name of what was timed.
    pub config: String,
    /// The bits in which products read their factors.
    pub precision: &'static str,
    /// The numbers of the model.
    pub parameters: usize,
    /// How many steps were timed.
    pub steps: usize,
    /// The time of the fastest step.
    pub milliseconds: f64,
    /// The time that half of the steps take at most.
    pub median_milliseconds: f64,
    /// The rate of the fastest step.
    pub tokens_per_second: f64,
    /// Multiplications and additions of the matrix products.
    pub gflops: f64,
    /// The speed that the matrix kernel alone reaches on all threads.
    pub peak_gflops: f64,
    /// The one divided by the other.
    pub share_of_peak: f64,
    /// The most memory that the process had, where the system says it.
    pub peak_mib: Option<f64>,
    /// What a step copies of factors, rounded.
    pub copied_mib: f64,
    /// Kept copies of weights.
    pub prepacked_mib: f64,
    /// Threads.
    pub threads: usize,
}

impl StepReport {
    /// The report of steps with so many tokens, by a model of so many parameters.
    pub fn new(config: String, parameters: usize, tokens: usize, steps: &Steps) -> StepReport {
        let memory = peak_memory();
        let peak = kernel_peak();
        let best = steps.times[0].as_secs_f64();
        StepReport {
            config,
            precision: Precision::current().name(),
            parameters,
            steps: steps.times.len(),
            milliseconds: best * 1e3,
            median_milliseconds: steps.times[steps.times.len() / 2].as_secs_f64() * 1e3,
            tokens_per_second: tokens as f64 / best,
            gflops: steps.operations / best / 1e9,
            peak_gflops: peak / 1e9,
            share_of_peak: steps.operations / best / peak,
            peak_mib: memory.map(|bytes| bytes as f64 / MIB),
            copied_mib: steps.copied / MIB,
            prepacked_mib: prepacked() as f64 / MIB,
            threads: rayon::current_num_threads(),
        }
    }
}

impl Display for StepReport {
    fn fmt(&self, f: &mut Formatter) -> std::fmt::Result {
        let StepReport { milliseconds, steps, median_milliseconds, .. } = self;
        writeln!(
            f,
            "{milliseconds:.2} ms a step (the fastest of {steps}; the median {median_milliseconds:.2} ms)"
        )?;
        write!(
            f,
            "{:.0} GFLOP/s in matrix products in {}, {:.0} % of the {:.0} that the matrix kernel alone reaches here",
            self.gflops,
            self.precision,
            self.share_of_peak * 100.0,
            self.peak_gflops
        )?;
        if let Some(mib) = self.peak_mib {
            write!(f, "\n{mib:.0} MiB at most")?;
        }
        if self.copied_mib > 0.0 {
            write!(
                f,
                "\n{:.0} MiB a step copied and rounded; copies of weights keep {:.0} MiB",
                self.copied_mib, self.prepacked_mib
            )?;
        }
        Ok(())
    }
}

/// What the matrix kernel alone reaches, on every thread at once: operations a second.
pub fn kernel_peak() -> f64 {
    const SIZE: usize = 768;
    const TIMES: usize = 8;
    let threads = rayon::current_num_threads();
    let mut best = f64::INFINITY;
    for _ in 0..10 {
        let start = Instant::now();
        (0..threads).into_par_iter().for_each(|_| {
            let a = Matrix::from_fn(SIZE, SIZE, |i, j| ((i + 2 * j) % 7) as f32);
            let mut c = Matrix::zeros(SIZE, SIZE);
            (0..TIMES).for_each(|_| gemm(0.0, &mut c, 1.0, &a, &a));
            std::hint::black_box(&c);
        });
        best = best.min(start.elapsed().as_secs_f64());
    }
    (2 * SIZE.pow(3) * TIMES * threads) as f64 / best
}
