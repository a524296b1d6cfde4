//! 9.17, the capstone: the reader's positions, mask and heads learn to name the word before.

use super::leaks::Leaks;
use super::split_heads::EXERCISE as SPLIT;
use rand::RngExt;
use scoring_functions::weights;
use shared::elementwise::softmax_backward;
use shared::{Adam, Embedding, Linear, Matrix, Module, Operand, Optimizer, Rng};
use shared::{Tape, Var, Visitor, cross_entropy, product, rng};
use tests::exercises::must_learn;

tests::parts! {
    4 causal: fn(&Matrix, &Matrix, &Matrix) -> Matrix = [|q, k, v| v * weights(q, k)],
    10 leaks: Leaks = [|_, _, _| false, |_, _, _| true],
    12 split_heads: fn(&Matrix, usize) -> Vec<Matrix> = [SPLIT.wrong[0].answer],
    13 positions: fn(usize, usize) -> Matrix = [|d, n| Matrix::from_element(d, n, 0.5)],
}

fn check(parts: Parts) {
    let open = Parts { causal: |q, k, v| v * weights(q, k), ..parts };
    let [leaks, open_leaks] = [parts, open].map(|parts| {
        let fresh = Namer::new(&mut rng(1));
        let logits = |x: &Matrix| {
            let tape = Tape::new();
            let x = tape.constant(x.clone());
            Matrix::clone(&fresh.logits(x, parts).value())
        };
        (parts.leaks)(&logits, WIDTH, TOKENS)
    });
    assert!(
        open_leaks && !leaks,
        "leaks (9.10) of causal (9.4): {leaks}, without a mask: {open_leaks}"
    );
    let right = trained(parts);
    let told = |right: &f64| format!("{right:.3} of the words before are named");
    must_learn(right > 0.9, right, || trained(SOLVED), told);
}

const WORDS: usize = 10;
const TOKENS: usize = 10;
const WIDTH: usize = 32;
const HEADS: usize = 2;

/// Causal heads between words with positions and a readout.
struct Namer {
    words: Embedding,
    qkvo: [Linear; 4],
    readout: Linear,
}

impl Module for Namer {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("words", &mut self.words);
        for (name, w) in ["w_q", "w_k", "w_v", "w_o"].into_iter().zip(&mut self.qkvo) {
            visitor.module(name, w);
        }
        visitor.module("readout", &mut self.readout);
    }
}

impl Namer {
    fn new(rng: &mut Rng) -> Namer {
        let qkvo = [(); 4].map(|()| Linear::without_bias(WIDTH, WIDTH, rng));
        let readout = Linear::new(WIDTH, WORDS, rng);
        Namer { words: Embedding::new(WORDS, WIDTH, rng), qkvo, readout }
    }

    /// Tokens (WIDTH, TOKENS) → logits (WORDS, TOKENS).
    fn logits<'t>(&self, x: Var<'t>, parts: Parts) -> Var<'t> {
        let [w_q, w_k, w_v, w_o] = &self.qkvo;
        let h = parts.attention(w_q.forward(x), w_k.forward(x), w_v.forward(x));
        self.readout.forward(w_o.forward(h))
    }
}

/// A model's accuracy, after its training, in naming the word before; for the first word itself.
fn trained(parts: Parts) -> f64 {
    const STEPS: usize = 150;
    let (positions, rng) = ((parts.positions)(WIDTH, TOKENS), &mut rng(0));
    let (mut model, mut adam, mut right) = (Namer::new(rng), Adam::new(0.01), 0);
    for step in 0..STEPS + 10 {
        adam.learning_rate = 0.01 * (1.0 - step.min(STEPS) as f32 / STEPS as f32);
        let tape = Tape::new();
        let losses = (0..8).map(|_| {
            let words = [(); TOKENS].map(|()| rng.random_range(0..WORDS));
            let named: Vec<usize> =
                (0..TOKENS).map(|j: usize| words[j.saturating_sub(1)]).collect();
            let x = model.words.forward(&tape, &words) + tape.constant(positions.clone());
            let logits = model.logits(x, parts);
            let found = logits.value().column_iter().map(|o| o.imax()).collect::<Vec<_>>();
            right += found.iter().zip(&named).filter(|(a, b)| step >= STEPS && a == b).count();
            cross_entropy(logits, &named) * (1.0 / (8 * TOKENS) as f32)
        });
        let loss = losses.reduce(|sum, loss| sum + loss).expect("eight");
        adam.step(&mut model, &loss.backward().into());
    }
    right as f64 / (10 * 8 * TOKENS) as f64
}

impl Parts {
    /// Forward and backward of all heads, as one operation.
    fn attention<'t>(self, q: Var<'t>, k: Var<'t>, v: Var<'t>) -> Var<'t> {
        let values = [q.value(), k.value(), v.value()];
        let [h] =
            self.each_head(values.each_ref().map(|x| &**x), |[q, k, v]| [(self.causal)(q, k, v)]);
        q.tape().push([q, k, v], h, move |dy, ids, gradients| {
            let inputs = [&*values[0], &*values[1], &*values[2], &dy];
            let all = self.each_head(inputs, |[q, k, v, dy]| self.causal_gradient(q, k, v, dy));
            ids.into_iter().zip(all).for_each(|(id, gradient)| gradients.add(id, gradient));
        })
    }

    /// The gradients (dq, dk, dv), by the reader's weights: the contexts when the values are the axes.
    fn causal_gradient(self, q: &Matrix, k: &Matrix, v: &Matrix, dy: &Matrix) -> [Matrix; 3] {
        let alpha = (self.causal)(q, k, &Matrix::identity(k.ncols(), k.ncols()));
        let mut ds = product(&v.t(), dy);
        softmax_backward(&mut ds, &alpha);
        ds /= (q.nrows() as f32).sqrt();
        [product(k, &ds), product(q, &ds.t()), product(dy, &alpha.t())]
    }

    /// `f` of each head; its results, each put together again.
    fn each_head<const N: usize, const M: usize>(
        self,
        whole: [&Matrix; N],
        f: impl Fn([&Matrix; N]) -> [Matrix; M],
    ) -> [Matrix; M] {
        let heads = whole.map(|x| (self.split_heads)(x, HEADS));
        let each: Vec<_> = (0..HEADS).map(|i| f(heads.each_ref().map(|heads| &heads[i]))).collect();
        let (d, n) = (WIDTH / HEADS, whole[0].ncols());
        std::array::from_fn(|m| Matrix::from_fn(WIDTH, n, |i, j| each[i / d][m][(i % d, j)]))
    }
}
