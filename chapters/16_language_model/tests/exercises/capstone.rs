//! 16.8, the capstone: the reader's functions stand in a language model's blocks, and choose what it writes.

use super::gated::Gated;
use super::nucleus::Nucleus;
use super::rms_norm::RmsNorm;
use language_model::world::{self, BEGIN, WORDS, surprisals};
use language_model::{Block, Config, Gpt, Network, Normalization};
use rand::RngExt;
use recurrent_networks::ngrams::Ngrams;
use scoring_functions::{AttentionMask, Sequences};
use shared::{Adam, Float, Matrix, Optimizer, Tape, elementwise, rng};
use tests::exercises::must_learn;

tests::parts! {
    1 rms_norm: RmsNorm = [|x, _, _| x.clone()],
    2 gated: Gated = [|x, _, _, _| x.clone()],
    3 nucleus: Nucleus,
}

/// Words of a text.
const LENGTH: usize = 64;

fn check(parts: Parts) {
    let (yours, mark) = (run(parts), trigrams());
    let told = |[loss, possible]: &[f64; 2]| {
        format!(
            "{loss:.3} nats a word (trigrams: {mark:.3}), {possible:.0} % of what it writes is possible"
        )
    };
    must_learn(yours[0] < mark, yours, || run(SOLVED), told);
}

fn texts(count: u64, first: u64) -> Vec<Vec<usize>> {
    (first..first + count).map(|seed| world::text(LENGTH, &mut rng(seed))).collect()
}

fn test() -> Vec<Vec<usize>> {
    texts(12, 1_000_000)
}

fn trigrams() -> f64 {
    let cut =
        |texts: Vec<Vec<usize>>| texts.iter().map(|text| text[1..].to_vec()).collect::<Vec<_>>();
    Ngrams::new(WORDS.len(), BEGIN, &cut(texts(800, 2_000_000))).loss(2, BEGIN, &cut(test()))
}

/// Trains, then: the loss of a model with the reader's parts, and the share of possible words of a text that it writes.
fn run(parts: Parts) -> [f64; 2] {
    let config =
        Config { width: 32, feed_forward: 96, longest: LENGTH, ..Config::today(WORDS.len()) };
    let mut model = Gpt::new(&config, &mut rng(0));
    let mut adam = Adam::new(0.006);
    for step in 0..150 {
        let batch = texts(16, 16 * step);
        let slices: Vec<&[usize]> = batch.iter().map(Vec::as_slice).collect();
        let tape = Tape::new();
        let loss = model.loss(&tape, &slices) * (1.0 / (16 * LENGTH) as Float);
        adam.step(&mut model, &loss.backward().into());
    }
    let mut loss = 0.0;
    let test = test();
    for text in &test {
        let mut p = logits(parts, &model, &text[..LENGTH]);
        elementwise::softmax_columns(&mut p);
        loss -= (0..LENGTH).map(|i| f64::from(p[(text[i + 1], i)]).ln()).sum::<f64>();
    }
    let (mut text, rng) = (vec![BEGIN], &mut rng(1));
    while text.len() < LENGTH {
        let mut p = logits(parts, &model, &text).columns(text.len() - 1, 1).into_owned();
        elementwise::softmax_columns(&mut p);
        let mut ticket = rng.random::<f32>();
        let chosen = (parts.nucleus)(p.as_slice(), 0.9).into_iter().position(|p| {
            ticket -= p;
            ticket < 0.0
        });
        text.push(chosen.unwrap_or(p.column(0).imax()));
    }
    let possible = surprisals(&text).iter().filter(|s| s.is_finite()).count();
    [loss / (LENGTH * test.len()) as f64, 100.0 * possible as f64 / (LENGTH - 1) as f64]
}

/// The model's forward pass with the reader's normalisation and network.
fn logits(parts: Parts, model: &Gpt, text: &[usize]) -> Matrix {
    let tape = Tape::no_grad();
    let causal = Sequences::single(text.len(), text.len()).with(AttentionMask::Causal);
    let norm = |norm: &Normalization, x: &Matrix| match norm {
        Normalization::Rms(norm) => (parts.rms_norm)(x, norm.weight.value(), norm.epsilon),
        Normalization::Layer(_) => unreachable!("the model has RMSNorm"),
    };
    let table = model.words.weight.value();
    let mut x = table.select_columns(text);
    for Block { attention, around_attention, feed_forward, around_feed_forward } in &model.blocks {
        let y = tape.constant(norm(&around_attention.norm, &x));
        x += &*attention.forward(y, y, &causal).value();
        let Network::Gated(network) = feed_forward else { unreachable!("the model has a gate") };
        let [g, w_1, w_2] =
            [&network.gate, &network.inner, &network.outer].map(|w| w.weight.value());
        x += (parts.gated)(&norm(&around_feed_forward.norm, &x), g, w_1, w_2);
    }
    table.transpose() * norm(&model.norm, &x)
}
