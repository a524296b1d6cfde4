//! Scaled dot-product attention, forward and backward, in three forms: composed of the tape's
//! operations, fused, and with a running softmax: `cargo bench -p benches --bench attention`. Beside
//! PyTorch: `tests/peers/attention.py`.
//!
//! `-- --table` prints one line of JSON for each form and length instead: milliseconds and the
//! memory it needs beyond its inputs. 8 heads of width 64; sequences of equal length, 2048 tokens
//! in all (and one sequence where that alone is longer).

use criterion::{BenchmarkId, Criterion, Throughput};
use rand_distr::Distribution;
use rayon::prelude::*;
use scoring_functions::flash::flash_attention;
use scoring_functions::fused::scaled_dot_attention;
use scoring_functions::{Sequences, attention};
use shared::{Float, Matrix, Tape, Var};
use std::alloc::{GlobalAlloc, Layout};
use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

const HEADS: usize = 8;
const WIDTH: usize = 64;
const TOKENS: usize = 2048;

/// The allocator of the course's programs, counting what is in use.
struct Counting;
static IN_USE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is passed on unchanged to mimalloc, which keeps the contract.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = IN_USE.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(now, Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { mimalloc::MiMalloc.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { mimalloc::MiMalloc.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[derive(Clone, Copy, PartialEq)]
enum Form {
    Composed,
    Fused,
    Flash,
}

const FORMS: [(&str, Form); 3] =
    [("composed", Form::Composed), ("fused", Form::Fused), ("flash", Form::Flash)];

/// Queries, keys, values and the gradient that arrives at the result.
struct Inputs {
    qkv: [Arc<Matrix>; 3],
    d_o: Arc<Matrix>,
    sequences: Sequences,
    length: usize,
}

impl Inputs {
    fn new(length: usize) -> Inputs {
        let batch = (TOKENS / length).max(1);
        let mut rng = shared::rng(0);
        let uniform = rand_distr::Uniform::new(-1.0, 1.0).expect("finite bounds");
        let mut draw = || {
            let x = Matrix::from_fn(HEADS * WIDTH, batch * length, |_, _| uniform.sample(&mut rng));
            Arc::new(x)
        };
        let qkv = [draw(), draw(), draw()];
        Inputs { qkv, d_o: draw(), sequences: Sequences::batch(batch, length, length), length }
    }

    /// Forward and backward; returns a number that depends on all of it.
    fn run(&self, form: Form) -> Float {
        if form == Form::Composed {
            return self.run_composed();
        }
        let tape = Tape::new();
        let [q, k, v] = self.qkv.clone().map(|x| tape.leaf(x));
        let o = match form {
            Form::Flash => flash_attention(q, k, v, HEADS, &self.sequences),
            _ => scaled_dot_attention(q, k, v, HEADS, &self.sequences),
        };
        backward(o, Matrix::clone(&self.d_o), [q, k, v])
    }

    /// Composes the operations of the tape: a tape a sequence, head by head, sequences in parallel.
    fn run_composed(&self) -> Float {
        let sequences = (0..self.sequences.sequences.len()).into_par_iter().map(|i| {
            let tape = Tape::new();
            let columns = |x: &Matrix| x.columns(i * self.length, self.length).into_owned();
            let [q, k, v] = self.qkv.each_ref().map(|x| tape.leaf(columns(x)));
            let head = |h: usize| {
                let [q, k, v] = [q, k, v].map(|x| x.rows(h * WIDTH, WIDTH));
                attention(q, k, v)
            };
            let o = (1..HEADS).fold(head(0), |o, h| o.stack(head(h)));
            backward(o, columns(&self.d_o), [q, k, v])
        });
        sequences.sum()
    }

    /// Products of forward and backward, without computing anything twice: 2 + 4 of 2·n·m·d
    /// operations.
    fn operations(&self) -> u64 {
        (12 * self.sequences.sequences.len() * HEADS * self.length * self.length * WIDTH) as u64
    }
}

/// Sends `d_o` back from `o`; returns a number that depends on all three gradients.
fn backward(o: Var<'_>, d_o: Matrix, qkv: [Var<'_>; 3]) -> Float {
    let loss = o
        .tape()
        .push([o], Matrix::zeros(1, 1), move |_, [x_id], gradients| gradients.add(x_id, d_o));
    let gradients = loss.backward();
    qkv.map(|x| gradients.wrt(x)[0]).iter().sum()
}

fn benchmark(criterion: &mut Criterion) {
    for length in [32, 128, 512] {
        let inputs = Inputs::new(length);
        let mut group = criterion.benchmark_group(format!("attention/{length}"));
        group.throughput(Throughput::Elements(inputs.operations()));
        for (name, form) in FORMS {
            group.bench_function(BenchmarkId::from_parameter(name), |bencher| {
                bencher.iter(|| black_box(inputs.run(form)));
            });
        }
        group.finish();
    }
}

/// The best of several runs, and the peak of memory in use beyond the inputs.
fn table(lengths: &[usize]) {
    for &length in lengths {
        let inputs = Inputs::new(length);
        for (name, form) in FORMS {
            if form == Form::Composed && length > 4096 {
                continue; // its weights, three times over, would not fit
            }
            let before = IN_USE.load(Ordering::Relaxed);
            PEAK.store(before, Ordering::Relaxed);
            let first = Instant::now();
            black_box(inputs.run(form));
            let runs = (1.0 / first.elapsed().as_secs_f64()).clamp(1.0, 200.0) as usize;
            let seconds = (0..runs).map(|_| {
                let start = Instant::now();
                black_box(inputs.run(form));
                start.elapsed().as_secs_f64()
            });
            let seconds = seconds.fold(f64::INFINITY, f64::min);
            let mebibytes = (PEAK.load(Ordering::Relaxed) - before) as f64 / (1 << 20) as f64;
            let batch = inputs.sequences.sequences.len();
            println!(
                "{{\"form\": \"{name}\", \"length\": {length}, \"batch\": {batch}, \"ms\": {:.3}, \
                 \"gflops\": {:.1}, \"mib\": {mebibytes:.1}}}",
                seconds * 1e3,
                inputs.operations() as f64 / seconds / 1e9,
            );
        }
    }
}

fn main() {
    if std::env::args().any(|argument| argument == "--table") {
        let short = std::env::args().any(|argument| argument == "--short");
        return table(if short { &[32, 128, 512] } else { &[32, 128, 512, 2048, 4096, 8192] });
    }
    let mut criterion = Criterion::default().configure_from_args();
    benchmark(&mut criterion);
    criterion.final_summary();
}
