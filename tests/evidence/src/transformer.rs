//! Chapter 10: the course's translators on equal parameters, the Transformer with one choice changed, ways to tell
//! distances; products of fewer bits; twelve fresh blocks.

use crate::Numbers;
use crate::claims::{Verdict, all_hold};
use crate::comparison::{Comparison, Expected, Row};
use crate::translators::{Found, by_length, corpus, counted, numbers, row};
use rand_distr::{Distribution, StandardNormal};
use scoring_functions::Sequences;
use seq2seq::translating::corpus::Corpus;
use seq2seq::translating::recurrent::{Config, SizeArgs, options as of_recurrent};
use serde::Serialize;
use shared::{Float, Matrix, Precision, Rng, Tape, Var, rng};
use transformer::program::{CHAPTER, Decay, Distances, Positions, START, Sizes, options};
use transformer::{BlockSizes, EncoderBlock, LayerNorm, Norm, Tied};
use workbench::error::{Error, Result};
use workbench::figure::colour::{self, Colour};
use workbench::figure::{Chart, Svg};
use workbench::statistics::smaller;
use workbench::training::{History, Options, Schedule, Shape};

pub const EVIDENCE: &[Comparison] = &[
    Comparison {
        name: "compare",
        about: "The chapters' models; the Transformer with one choice changed; ways to tell distances",
        record: "10_transformer/figures/results.json",
        claims: CLAIMS,
        figures: &[("positions", positions_by_length)],
        run: |this, arguments| {
            let corpus = corpus(arguments, PAIRS);
            let judge = |model: &Model, seed| judged(model, &corpus, seed);
            this.compare_and(arguments, corpus.fingerprint(), rows(), judge, || {
                Ok(counted(&corpus))
            })
        },
    },
    Comparison {
        name: "precision",
        about: "The paper's Transformer with products in f32, in bf16 and in three of bf16",
        record: "appendix/figures/precision.json",
        claims: &[],
        figures: &[("precision", precisions_by_epoch)],
        run: |this, arguments| {
            if !Precision::Bf16x3.is_supported() {
                return Err(Error::argument("precision: this processor has no AVX-512 BF16"));
            }
            let corpus = corpus(arguments, PAIRS);
            let of = [Precision::F32, Precision::Bf16, Precision::Bf16x3];
            let rows = of.map(|precision| row(precision.name(), precision.name(), EPOCHS)).into();
            let judge = |name: &&str, seed| {
                of.iter().find(|precision| precision.name() == *name).expect("its name").begin();
                let (mut model, history) = transformer(&paper(), EPOCHS, &corpus, seed)?;
                let mut found = numbers(&mut model, &corpus);
                found.extend(losses(&history));
                Ok(found)
            };
            // The precision is the process's: one training after another.
            let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build();
            let alone = alone.map_err(Error::argument)?;
            alone.install(|| this.compare(arguments, corpus.fingerprint(), rows, judge))
        },
    },
    Comparison {
        name: "depth",
        about: "How much of a gradient arrives below twelve fresh blocks",
        record: "10_transformer/figures/depth.json",
        claims: &[],
        figures: &[("depth", depth), ("rate", |_| rate())],
        run: |this, arguments| {
            let ways = [Around::Nothing, Around::Sum, Around::Post, Around::Pre];
            let rows = WAYS.iter().zip(ways).map(|((name, ..), way)| Row::new(*name, way));
            this.compare(arguments, "sixteen tokens", rows.collect(), |way, seed| {
                Ok(gradients(*way, seed))
            })
        },
    },
];

const PAIRS: usize = 20_000;

/// The Transformer's epochs; recurrent models have their own number.
const EPOCHS: usize = 10;

#[derive(Clone, Debug, Serialize)]
enum Model {
    Seq2seq(Config<seq2seq::program::Choices>),
    Bahdanau(Config<bahdanau::program::Choices>),
    Luong(Config<luong::program::Choices>),
    Transformer(Sizes),
    /// Without warm-up.
    AtOnce(Sizes),
}

/// The Transformer as in the paper, at our width.
fn paper() -> Sizes {
    Sizes { schedule: Decay::Paper, ..straight() }
}

/// The same with a rate that falls in a straight line.
fn straight() -> Sizes {
    Sizes {
        width: 128,
        feed_forward: 256,
        heads: 4,
        encoder_blocks: 2,
        decoder_blocks: 2,
        longest: 1024,
        ..Sizes::QUICK
    }
}

/// The chapters' models with as many parameters as the Transformer; that one with one choice changed a row; with other
/// positions than sinusoids, where the rate falls in a line.
fn rows() -> Vec<Row<Model>> {
    let five = recurrent(226, seq2seq::program::Choices {});
    let six = recurrent(160, bahdanau::Reading::BothDirections.into());
    let seven = recurrent(163, luong::program::Choices::default());
    let pre = || Sizes { norm: Norm::Pre, ..straight() };
    let mut rows = vec![
        row("seq2seq", Model::Seq2seq(five), of_recurrent().epochs),
        row("bahdanau", Model::Bahdanau(six), of_recurrent().epochs),
        row("luong", Model::Luong(seven), of_recurrent().epochs),
        row("linear_without_warm_up", Model::AtOnce(straight()), EPOCHS),
        row("linear_pre_without_warm_up", Model::AtOnce(pre()), EPOCHS),
    ];
    let mut add = |name: &str, sizes| rows.push(row(name, Model::Transformer(sizes), EPOCHS));
    add("transformer", paper());
    add("linear", straight());
    add("linear_pre", pre());
    add("without_smoothing", Sizes { smoothing: 0.0, ..paper() });
    add("untied", Sizes { tied: Tied::Nothing, ..paper() });
    add("random_start", Sizes { start: START, ..paper() });
    add("learned", Sizes { positions: Positions::Learned, ..straight() });
    let ways = [("shaw", Positions::Shaw), ("rope", Positions::Rope), ("alibi", Positions::Alibi)];
    let places = [("self", Distances::Own), ("cross", Distances::Cross), ("both", Distances::Both)];
    for ((way, positions), (place, distances)) in
        ways.into_iter().flat_map(|way| places.map(|place| (way, place)))
    {
        let distances = Some(distances);
        add(&format!("{way}_{place}"), Sizes { positions, distances, ..straight() });
    }
    rows
}

/// States so long that the model comes closest to the Transformer's parameters: a claim watches that.
fn recurrent<C: clap::Args>(hidden: u32, choices: C) -> Config<C> {
    Config { sizes: SizeArgs { embedding: 64, hidden, layers: 1, dropout: 0.1 }, choices }
}

fn judged(model: &Model, corpus: &Corpus, seed: u64) -> Result<Found> {
    let recurrent = Options { seed, ..of_recurrent() };
    Ok(match model {
        Model::Seq2seq(config) => {
            let five = &seq2seq::program::CHAPTER;
            numbers(&mut five.train(corpus, config, 64, &recurrent)?.model, corpus)
        }
        Model::Bahdanau(config) => {
            let six = &bahdanau::program::CHAPTER;
            numbers(&mut six.train(corpus, config, 64, &recurrent)?.model, corpus)
        }
        Model::Luong(config) => {
            let seven = &luong::program::CHAPTER;
            numbers(&mut seven.train(corpus, config, 64, &recurrent)?.model, corpus)
        }
        Model::Transformer(sizes) => {
            numbers(&mut transformer(sizes, EPOCHS, corpus, seed)?.0, corpus)
        }
        Model::AtOnce(sizes) => {
            let usual = options(sizes, PAIRS, 64);
            let schedule = Schedule { warmup: 0, ..usual.schedule };
            let options = Options { seed, epochs: EPOCHS, schedule, ..usual };
            numbers(&mut CHAPTER.train(corpus, sizes, 64, &options)?.model, corpus)
        }
    })
}

fn transformer(
    sizes: &Sizes,
    epochs: usize,
    corpus: &Corpus,
    seed: u64,
) -> Result<(transformer::Transformer, History)> {
    let options = Options { seed, epochs, ..options(sizes, PAIRS, 64) };
    let trained = CHAPTER.train(corpus, sizes, 64, &options)?;
    Ok((trained.model, trained.history))
}

/// The loss of the validation pairs after every epoch, in nats a word.
fn losses(history: &History) -> Found {
    let losses = history.epochs.iter().filter_map(|epoch| Some(epoch.evaluation.as_ref()?.loss));
    (1..).zip(losses).map(|(epoch, loss): (usize, f64)| (format!("loss_{epoch}"), loss)).collect()
}

const MODELS: [&str; 4] = ["transformer", "seq2seq", "bahdanau", "luong"];

/// Whether a number of the first row is smaller than that of each other.
fn first_is_less(found: &Numbers, number: &str, rows: &[&str]) -> Verdict {
    let each: Option<Vec<_>> =
        rows[1..].iter().map(|row| found.less((rows[0], number), (row, number))).collect();
    each.map(all_hold)
}

fn first_is_more(found: &Numbers, number: &str, rows: &[&str]) -> Verdict {
    let each: Option<Vec<_>> =
        rows[1..].iter().map(|row| found.less((row, number), (rows[0], number))).collect();
    each.map(all_hold)
}

/// Whether BLEU of the long part is higher in the second row of each pair.
fn rises(found: &Numbers, pairs: &[[&str; 2]]) -> Verdict {
    let each: Option<Vec<_>> =
        pairs.iter().map(|rows| first_is_less(found, "long_bleu", rows)).collect();
    each.map(all_hold)
}

const CLAIMS: &[Expected] = &[
    ("parameters", "the four models on equal parameters differ by less than 2 %", |found| {
        let counts = MODELS.iter().map(|row| Some(found.of(row, "parameters")?.mean));
        let counts: Vec<f64> = counts.collect::<Option<_>>()?;
        let ends = counts.iter().fold((f64::MAX, 0.0_f64), |(a, b), x| (a.min(*x), b.max(*x)));
        Some(Some((ends.1 - ends.0) * 50.0 < ends.0))
    }),
    (
        "test",
        "on the test part the Transformer's BLEU is higher than that of each recurrent model on equal parameters",
        |found| first_is_more(found, "test_bleu", &MODELS),
    ),
    ("compositional", "on the compositional part too, on equal parameters", |found| {
        first_is_more(found, "compositional_bleu", &MODELS)
    }),
    ("long", "on the long part the Transformer's BLEU is lower than chapter 6's", |found| {
        first_is_less(found, "long_bleu", &["transformer", "bahdanau"])
    }),
    (
        "aer",
        "the Transformer's alignment error rate on the test part is lower than chapter 6's",
        |found| first_is_less(found, "test_aer", &["transformer", "bahdanau"]),
    ),
    (
        "random_start",
        "with random starts BLEU on the long part is higher by at least 20, with every seed",
        |found| {
            let [with, without] =
                ["random_start", "transformer"].map(|row| found.of(row, "long_bleu"));
            Some(Some(with?.lowest >= without?.highest + 20.0))
        },
    ),
    (
        "warm_up",
        "after the parts (post-LN), BLEU on the test part is lower without warm-up",
        |found| first_is_less(found, "test_bleu", &["linear_without_warm_up", "linear"]),
    ),
    (
        "warm_up_pre",
        "before the parts (pre-LN), BLEU on the test part changes by less than 1 without warm-up",
        |found| {
            let of = |row| Some(&found.of(row, "test_bleu")?.of_seeds);
            let (these, those) = (of("linear_pre_without_warm_up")?, of("linear_pre")?);
            let pairs = these.iter().flat_map(|a| those.iter().map(move |b| (a - b).abs() < 1.0));
            let small: Vec<bool> = pairs.collect();
            Some(small.iter().all(|is| *is == small[0]).then_some(small[0]))
        },
    ),
    (
        "smoothing_perplexity",
        "without label smoothing the perplexity of the test part is lower",
        |found| first_is_less(found, "test_loss", &["without_smoothing", "transformer"]),
    ),
    ("smoothing_bleu", "without label smoothing its BLEU is lower", |found| {
        first_is_less(found, "test_bleu", &["without_smoothing", "transformer"])
    }),
    (
        "self",
        "distances in self-attention raise BLEU on the long part, whichever of the three tells them",
        |found| {
            let rows = ["shaw_self", "rope_self", "alibi_self"].map(|row| ["linear", row]);
            rises(found, &rows)
        },
    ),
    ("both", "in cross-attention as well, Shaw's and RoPE's raise it further", |found| {
        rises(found, &[["shaw_self", "shaw_both"], ["rope_self", "rope_both"]])
    }),
    ("ninety", "one of these two then has 90 or more on the long part, in the mean", |found| {
        let mean = |row| Some(found.of(row, "long_bleu")?.mean);
        Some(Some(f64::max(mean("shaw_both")?, mean("rope_both")?) >= 90.0))
    }),
    (
        "across",
        "in cross-attention alone, Shaw's have more on the long part than in self-attention alone",
        |found| rises(found, &[["shaw_self", "shaw_cross"]]),
    ),
    ("on_test", "on the test part no row but ALiBi's falls behind sinusoids", |found| {
        let of = |row: &str| Some(&found.of(row, "test_bleu")?.of_seeds);
        let distances = found
            .order
            .iter()
            .filter(|row| *row == "learned" || row.starts_with("shaw") || row.starts_with("rope"));
        let sinusoids = of("linear")?;
        let mut behind = distances.filter_map(|row| smaller(of(row)?, sinusoids));
        Some(Some(!behind.any(|is_behind| is_behind)))
    }),
];

fn positions_by_length(found: &Numbers) -> Svg {
    let lines = [
        ("linear", "sinusoids", colour::TRANSFORMER),
        ("shaw_self", "Shaw, self", colour::RANDOM_STARTS),
        ("shaw_both", "Shaw, both", colour::WITH_ATTENTION),
        ("rope_both", "RoPE, both", colour::LUONG),
        ("alibi_both", "ALiBi, both", colour::WITHOUT_ATTENTION),
    ];
    by_length("BLEU by length", found, &lines)
}

/// What the last epochs still gain is small beside the first: the axis is logarithmic.
fn precisions_by_epoch(found: &Numbers) -> Svg {
    let chart = Chart::new("Products in 32 bits and in 16", "epoch", "loss on validation, nats");
    let lines = [
        ("f32", "f32", colour::GIVEN),
        ("bf16", "bf16", colour::LEARNT),
        ("bf16x3", "three products", colour::THREE_PRODUCTS),
    ];
    let mut chart = chart.log(false, true).named_above();
    for (row, name, colour) in lines {
        chart = chart.spread(name, found.series(row, "loss", 1..=EPOCHS)).coloured(colour);
    }
    chart.draw()
}

/// What stands around the parts of a block: `f(x)`, `x + f(x)`, `norm(x + f(x))`, `x + f(norm(x))`.
#[derive(Clone, Copy, Debug, Serialize)]
enum Around {
    Nothing,
    Sum,
    Post,
    Pre,
}

const WAYS: [(&str, &str, Colour); 4] = [
    ("nothing", "f(x)", colour::PART_ALONE),
    ("sum", "x\u{a0}+\u{a0}f(x)", colour::SUM_ALONE),
    ("post", "norm(x\u{a0}+\u{a0}f(x))", colour::NORM_BEHIND),
    ("pre", "x\u{a0}+\u{a0}f(norm(x))", colour::NORM_BEFORE),
];

const BLOCKS: usize = 12;
const WIDTH: usize = 128;
const TOKENS: usize = 16;

/// The norm of the gradient below so many blocks, divided by the norm of the gradient that came in at the top.
fn gradients(around: Around, seed: u64) -> Found {
    let rng = &mut rng(seed);
    let sizes =
        BlockSizes { d_model: WIDTH, d_ff: 2 * WIDTH, heads: 4, dropout: 0.0, norm: Norm::Post };
    let blocks: Vec<_> = (0..BLOCKS).map(|_| EncoderBlock::new(&sizes, rng)).collect();
    let (sentence, arriving) = (normal(rng), normal(rng));
    let tape = Tape::no_grad();
    let mut inputs = vec![sentence];
    for block in &blocks {
        let x = tape.constant(inputs[inputs.len() - 1].clone());
        inputs.push(Matrix::clone(&through(block, around, x).value()));
    }
    let arrived = (0..=BLOCKS).map(|below| {
        let first = BLOCKS - below;
        let tape = Tape::new();
        let x = tape.leaf(inputs[first].clone());
        let top = blocks[first..].iter().fold(x, |x, block| through(block, around, x));
        let loss = top.component_mul(tape.constant(arriving.clone())).sum();
        (format!("below_{below}"), f64::from(loss.backward().wrt(x).norm() / arriving.norm()))
    });
    arrived.collect()
}

fn through<'t>(block: &EncoderBlock, around: Around, x: Var<'t>) -> Var<'t> {
    let sequences = Sequences::single(TOKENS, TOKENS);
    let x = step(&block.around_attention.norm, around, x, |x| {
        block.attention.forward(x, x, &sequences)
    });
    step(&block.around_feed_forward.norm, around, x, |x| block.feed_forward.forward(x))
}

fn step<'t>(
    norm: &LayerNorm,
    around: Around,
    x: Var<'t>,
    part: impl Fn(Var<'t>) -> Var<'t>,
) -> Var<'t> {
    match around {
        Around::Nothing => part(x),
        Around::Sum => x + part(x),
        Around::Post => norm.forward(x + part(x)),
        Around::Pre => x + part(norm.forward(x)),
    }
}

fn normal(rng: &mut Rng) -> Matrix {
    Matrix::from_fn(WIDTH, TOKENS, |_, _| {
        let z: f64 = StandardNormal.sample(rng);
        z as Float
    })
}

fn depth(found: &Numbers) -> Svg {
    let chart = Chart::new("Twelve fresh blocks", "blocks above", "gradient, 1 at the top");
    let mut chart = chart.log(false, true);
    for (row, name, colour) in WAYS {
        chart = chart.spread(name, found.series(row, "below", 0..=BLOCKS)).coloured(colour);
    }
    chart.draw()
}

fn rate() -> Svg {
    let curve = |warmup: u64| -> Vec<(f64, f64)> {
        let rate = (512.0 * warmup as f32).powf(-0.5);
        let schedule = Schedule { rate, warmup, shape: Shape::InverseSquareRoot };
        let steps = (0..=200).map(|i| 100 * i.max(1));
        steps.map(|s| (s as f64, 1e4 * f64::from(schedule.at(s)))).collect()
    };
    Chart::new("Warm-up and inverse square root, width 512", "step", "learning rate, 10⁻⁴")
        .line("4,000 steps of warm-up", &curve(4000))
        .coloured(colour::LEARNT)
        .line("8,000", &curve(8000))
        .coloured(colour::WIDE)
        .named_above()
        .draw()
}
