//! Where the speed of a training step comes from, rung by rung: `cargo bench -p benches --bench ladder`.
//!
//! Forward and backward, without optimiser, of two blocks of chapter 10's encoder over 64 sentences of
//! 4 to 20 words. Every rung changes one thing, and all compute the same loss and the same gradients,
//! which is asserted before anything is timed. Also what the machine could do at most, and what the
//! products reach by themselves. Prints a line of JSON for each; `-- --draw` draws the figures of what was
//! measured before instead.
//!
//! GFLOP/s count *useful* operations: the matrix products of the sentences without padding, the same for
//! every rung.

mod figure;
mod machine;
mod work;

use machine::{kernel_peak, pool, roof, time, triad};
use rand::RngExt;
use scoring_functions::{Sequences, masked_attention};
use self_attention::MultiHead;
use serde_json::json;
use shared::{
    Embedding, Float, Matrix, Module, Operand, ParamGradients, Precision, Products, Rng, Tape, Var,
    Visitor, arithmetic, loss_and_gradients, product, short, squared_error,
};
use std::hint::black_box;
use transformer::EncoderBlock;
use work::{SIZES, Work, attention_work, linear_work, step_work};

/// What the course's programs use.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const BLOCKS: usize = 2;
const SENTENCES: usize = 64;
const VOCABULARY: usize = 1000;

// ---- the work ----------------------------------------------------------------------------------

/// The vectors of words and the blocks above them.
struct Stack {
    words: Embedding,
    blocks: Vec<EncoderBlock>,
}

impl Module for Stack {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("words", &mut self.words);
        visitor.module("blocks", &mut self.blocks);
    }
}

/// Words, and what the last block should say about each (d, n).
struct Sentence {
    words: Vec<usize>,
    target: Matrix,
}

impl Sentence {
    fn draw(rng: &mut Rng) -> Sentence {
        let length = rng.random_range(4..=20);
        let words = (0..length).map(|_| rng.random_range(1..VOCABULARY)).collect();
        let target = |_, _| rng.random_range(-1.0..1.0);
        Sentence { words, target: Matrix::from_fn(SIZES.d_model, length, target) }
    }
}

/// Sentences side by side.
struct Shard {
    words: Vec<usize>,
    /// Sentence `i` has the columns `offsets[i]..offsets[i + 1]`, of which the first `lengths[i]` are words.
    offsets: Vec<usize>,
    lengths: Vec<usize>,
    /// The columns that are words.
    real: Vec<usize>,
    target: Matrix,
}

impl Shard {
    /// With `padded`, all sentences are filled up to the longest, with word 0.
    fn new(sentences: &[&Sentence], padded: bool) -> Shard {
        let lengths: Vec<usize> = sentences.iter().map(|sentence| sentence.words.len()).collect();
        let longest = lengths.iter().copied().max().unwrap_or(0);
        let (mut words, mut offsets, mut real) = (Vec::new(), vec![0], Vec::new());
        for sentence in sentences {
            real.extend(words.len()..words.len() + sentence.words.len());
            words.extend(&sentence.words);
            if padded {
                words.resize(longest * offsets.len(), 0);
            }
            offsets.push(words.len());
        }
        let targets: Vec<_> =
            sentences.iter().flat_map(|sentence| sentence.target.column_iter()).collect();
        Shard { words, offsets, lengths, real, target: Matrix::from_columns(&targets) }
    }

    fn is_padded(&self) -> bool {
        self.real.len() < self.words.len()
    }
}

/// Attention as the composed version of chapter 9 has it: sentence by sentence, head by head, in
/// operations of the tape.
fn composed<'t>(layer: &MultiHead, x: Var<'t>, shard: &Shard) -> Var<'t> {
    let qkv = [&layer.w_q, &layer.w_k, &layer.w_v].map(|linear| linear.forward(x));
    let width = x.shape().0 / layer.heads;
    let sentences = shard.offsets.windows(2).zip(&shard.lengths).map(|(ends, &length)| {
        let columns = ends[1] - ends[0];
        let qkv = qkv.map(|y| y.columns(ends[0], columns));
        let head = |h: usize| {
            let [q, k, v] = qkv.map(|y| y.rows(h * width, width));
            masked_attention(q, k, v, &vec![length; columns])
        };
        (1..layer.heads).fold(head(0), |above, h| above.stack(head(h)))
    });
    layer.w_o.forward(Var::side_by_side(&sentences.collect::<Vec<_>>()))
}

impl Stack {
    /// The squared error, summed over the words.
    fn loss<'t>(&self, tape: &'t Tape, shard: &Shard, fused: bool) -> Var<'t> {
        let sequences = Sequences::new(&shard.offsets);
        let mut x = self.words.forward(tape, &shard.words);
        for block in &self.blocks {
            x = if fused {
                block.forward(x, &sequences).0
            } else {
                let (y, ()) = block
                    .around_attention
                    .residual(x, |x| (composed(&block.attention, x, shard), ()));
                block.around_feed_forward.residual(y, |y| (block.feed_forward.forward(y), ())).0
            };
        }
        let said = if shard.is_padded() { x.select_columns(&shard.real) } else { x };
        squared_error(said, &shard.target)
    }
}

// ---- the rungs ---------------------------------------------------------------------------------

#[derive(Clone, Copy)]
struct Rung {
    name: &'static str,
    products: Products,
    padded: bool,
    fused: bool,
    threads: usize,
    precision: Precision,
}

/// Each is the one before it with one change.
fn rungs() -> [Rung; 7] {
    let loops = Rung {
        name: "loops",
        products: Products::Loops,
        padded: true,
        fused: false,
        threads: 1,
        precision: Precision::F32,
    };
    let nalgebra = Rung { name: "nalgebra", products: Products::Nalgebra, ..loops };
    let kernel = Rung { name: "kernel", products: Products::Kernel, ..nalgebra };
    let ragged = Rung { name: "no_padding", padded: false, ..kernel };
    let fused = Rung { name: "fused", fused: true, ..ragged };
    let threads = Rung { name: "threads", threads: 2, ..fused };
    let bf16 = Rung { name: "bf16", precision: Precision::Bf16, ..threads };
    [loops, nalgebra, kernel, ragged, fused, threads, bf16]
}

impl Rung {
    /// A shard a thread. Sentences are dealt out from the longest on, so that shards are about equally
    /// long.
    fn shards(&self, sentences: &[Sentence]) -> Vec<Shard> {
        let mut sorted: Vec<&Sentence> = sentences.iter().collect();
        sorted.sort_by_key(|sentence| std::cmp::Reverse(sentence.words.len()));
        let shards = (0..self.threads).map(|first| {
            let dealt = sorted.iter().skip(first).step_by(self.threads).copied();
            Shard::new(&dealt.collect::<Vec<_>>(), self.padded)
        });
        shards.collect()
    }

    /// Calls `work` on this rung's threads and with its products.
    fn on<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        self.products.begin();
        self.precision.begin();
        let result = pool(self.threads).install(work);
        Products::Kernel.begin();
        Precision::F32.begin();
        result
    }

    fn step(&self, stack: &Stack, shards: &[Shard]) -> (Float, ParamGradients) {
        loss_and_gradients(shards, |tape, shard| stack.loss(tape, shard, self.fused))
    }
}

/// The distance of two lists of numbers, relative to the first.
fn distance(x: &[Float], y: &[Float]) -> f64 {
    assert!(x.len() == y.len(), "{} numbers and {}", x.len(), y.len());
    let norm = |sum: f64, x: f64| sum + x * x;
    let apart = x.iter().zip(y).map(|(x, y)| f64::from(x - y)).fold(0.0, norm);
    (apart / x.iter().map(|x| f64::from(*x)).fold(0.0, norm)).sqrt()
}

/// All rungs, the lowest first.
fn climb(stack: &mut Stack, sentences: &[Sentence], useful: Work) {
    let rungs = rungs();
    let reference = rungs.iter().find(|rung| rung.name == "fused").expect("it is there");
    let (loss, gradients) = reference.on(|| reference.step(stack, &reference.shards(sentences)));
    let gradients = gradients.to_numbers(stack);
    for rung in rungs.iter().filter(|rung| rung.precision.is_supported()) {
        let shards = rung.shards(sentences);
        let before = arithmetic();
        let (its_loss, its_gradients) = rung.on(|| rung.step(stack, &shards));
        let operations = arithmetic() - before;
        let loss_apart = f64::from((its_loss - loss) / loss).abs();
        let apart = distance(&gradients, &its_gradients.to_numbers(stack));
        // A factor in bf16 is off by 2⁻⁸ at most, and the errors of many factors do not add up.
        let tolerance = if rung.precision == Precision::Bf16 { 3e-2 } else { 1e-4 };
        assert!(
            loss_apart < tolerance && apart < tolerance,
            "{}: the loss is off by {loss_apart:e}, its gradients by {apart:e}",
            rung.name
        );
        assert!(rung.padded || operations == useful.operations, "{}: {operations}", rung.name);
        let (best, median) = rung.on(|| {
            time(|| {
                black_box(rung.step(stack, &shards));
            })
        });
        println!(
            "{}",
            json!({
                "name": rung.name,
                "milliseconds": best * 1e3,
                "median_milliseconds": median * 1e3,
                "gflops": useful.operations as f64 / best / 1e9,
                "operations": operations,
                "gradient_distance": apart,
            })
        );
    }
}

// ---- the products by themselves ------------------------------------------------------------------

fn random(rows: usize, columns: usize, rng: &mut Rng) -> Matrix {
    Matrix::from_fn(rows, columns, |_, _| rng.random_range(-1.0..1.0))
}

/// One thread, forward and backward.
fn kind(name: &str, work: Work, run: impl FnMut() + Send) {
    let (best, _) = pool(1).install(|| time(run));
    let gflops = work.operations as f64 / best / 1e9;
    println!(
        "{}",
        json!({"name": name, "intensity": work.intensity(), "gflops": gflops, "milliseconds": best * 1e3})
    );
}

/// `Y = WX` and its gradients.
fn linear(tokens: usize, rng: &mut Rng) {
    let d = SIZES.d_model;
    let (w, x, dy) = (random(d, d, rng), random(d, tokens, rng), random(d, tokens, rng));
    kind("linear", linear_work(tokens), || {
        black_box((product(&w, &x), product(&dy, &x.t()), product(&w.t(), &dy)));
    });
}

/// The six products of attention as the fused form computes them, in every head of every sentence, with
/// weights that are only random numbers.
fn attention(name: &str, lengths: &[usize], rng: &mut Rng) {
    let (d, width) = (SIZES.d_model, SIZES.d_model / SIZES.heads);
    let tokens = lengths.iter().sum();
    let [q, k, v, d_o] = [0; 4].map(|_| random(d, tokens, rng));
    let mut results = [0; 4].map(|_| Matrix::zeros(d, tokens));
    let alphas: Vec<Matrix> = lengths.iter().map(|&n| random(n, n, rng)).collect();
    let work = lengths.iter().map(|&n| attention_work(n)).fold(Work::default(), Work::plus);
    kind(name, work, || {
        let mut start = 0;
        for (&n, alpha) in lengths.iter().zip(&alphas) {
            for head in 0..SIZES.heads {
                let (at, shape) = ((head * width, start), (width, n));
                let [q, k, v, d_o] = [&q, &k, &v, &d_o].map(|x| x.view(at, shape));
                let [mut o, mut d_q, mut d_k, mut d_v] =
                    results.each_mut().map(|x| x.view_mut(at, shape));
                black_box(short::product(&k.t(), &q));
                short::gemm(0.0, &mut o, 1.0, &v, alpha);
                short::gemm(0.0, &mut d_v, 1.0, &d_o, &alpha.t());
                black_box(short::product(&v.t(), &d_o));
                short::gemm(0.0, &mut d_q, 1.0, &k, alpha);
                short::gemm(0.0, &mut d_k, 1.0, &q, &alpha.t());
            }
            start += n;
        }
        black_box(&results);
    });
}

fn main() {
    if std::env::args().any(|argument| argument == "--draw") {
        return figure::draw();
    }
    let rng = &mut shared::rng(0);
    let sentences: Vec<Sentence> = (0..SENTENCES).map(|_| Sentence::draw(rng)).collect();
    let lengths: Vec<usize> = sentences.iter().map(|sentence| sentence.words.len()).collect();
    let tokens: usize = lengths.iter().sum();
    let mut stack = Stack {
        words: Embedding::new(VOCABULARY, SIZES.d_model, rng),
        blocks: (0..BLOCKS).map(|_| EncoderBlock::new(&SIZES, rng)).collect(),
    };
    let useful = step_work(&lengths, BLOCKS);
    println!(
        "{}",
        json!({
            "name": "step",
            "tokens": tokens,
            "padded_tokens": SENTENCES * lengths.iter().max().expect("a sentence"),
            "operations": useful.operations,
            "bytes": useful.bytes,
            "intensity": useful.intensity(),
        })
    );
    climb(&mut stack, &sentences, useful);

    roof("peak_f32", "GFLOP/s", kernel_peak);
    if Precision::Bf16.is_supported() {
        Precision::Bf16.begin();
        roof("peak_bf16", "GFLOP/s", kernel_peak);
        Precision::F32.begin();
    }
    roof("memory", "GB/s", |threads| triad(threads, 1 << 24)); // 64 MiB an array
    roof("cache", "GB/s", |threads| triad(threads, 1 << 15)); //  128 KiB an array

    linear(tokens, rng);
    attention("attention", &lengths, rng);
    attention("attention_512", &[512], rng);
}
