//! 9.17, the capstone: the reader's positions, mask and heads learn to name the word before.

use crate::causal::EXERCISE as MASK;
use crate::leaks::Leaks;
use crate::solutions;
use crate::split_heads::EXERCISE as SPLIT;
use rand::RngExt;
use scoring_functions::fused::attention_with_weights;
use scoring_functions::{Segments, Sight};
use self_attention::positions::sinusoids;
use shared::{
    Adam, Embedding, Linear, Matrix, Module, Operand, Optimizer, Rng, Tape, Var, Visitor,
    cross_entropy, elementwise, product, rng,
};
use tests::exercises::{Exercise, show, unhinted};
use tests::{expect, uneven};

/// The answers that the heads are made of.
#[derive(Clone, Copy)]
pub struct Parts {
    pub causal: fn(&Matrix, &Matrix, &Matrix) -> Matrix,
    pub leaks: Leaks,
    pub split_heads: fn(&Matrix, usize) -> Vec<Matrix>,
    pub positions: fn(usize, usize) -> Matrix,
}

/// Which exercises ask for them.
pub const NEEDS: [u32; 4] = [4, 10, 12, 13];

const SOLVED: Parts = Parts {
    causal: solutions::causal,
    leaks: solutions::leaks,
    split_heads: solutions::split_heads,
    positions: solutions::positions,
};

pub const EXERCISE: Exercise<Parts> = Exercise {
    check,
    wrong: &[
        unhinted(MASK.wrong[0].text, Parts { causal: MASK.wrong[0].answer, ..SOLVED }),
        unhinted("a test that finds no leak", Parts { leaks: |_, _, _| false, ..SOLVED }),
        unhinted("a test that accuses everybody", Parts { leaks: |_, _, _| true, ..SOLVED }),
        unhinted(SPLIT.wrong[0].text, Parts { split_heads: SPLIT.wrong[0].answer, ..SOLVED }),
        unhinted("all positions alike", Parts { positions: alike, ..SOLVED }),
    ],
};

fn alike(d: usize, n: usize) -> Matrix {
    Matrix::from_element(d, n, 0.5)
}

fn check(parts: Parts) {
    must_agree(parts);
    let positions = (parts.positions)(WIDTH, TOKENS);
    let (model, right) = trained(&positions, &|q, k, v| parts.attention(q, k, v));
    let ours = trained(&sinusoids(WIDTH, 0, TOKENS), &chapters).1;
    let table = format!("accuracy: {right:.3}, the chapter's layer: {ours:.3}");
    show(format!("\n{table}\n{}", parts.drawing(&model, &positions)));
    assert!(
        right > ours - 0.05,
        "{table}\nhint: the heads are right, so look at the positions: are two of them distinguished (9.13)?"
    );
}

/// Each part says what ours says.
fn must_agree(parts: Parts) {
    let [q, k, v] = [0.4, 1.3, 2.0].map(|phase| uneven(4, 5, phase));
    let fresh = Namer::new(&mut rng(1));
    let of = |parts: Parts| {
        let finds_one = |attention: &Attention<'_>| {
            let logits = |x: &Matrix| {
                let tape = Tape::without_gradients();
                Matrix::clone(&fresh.logits(tape.constant(x.clone()), attention).value())
            };
            f32::from(u8::from((parts.leaks)(&logits, WIDTH, TOKENS)))
        };
        let open = Parts { causal: |q, k, v| v * scoring_functions::weights(q, k), ..SOLVED };
        let heads = (parts.split_heads)(&q, 2).iter().flat_map(|h| h.as_slice().to_vec()).collect();
        let (rows, columns) = (parts.positions)(WIDTH, TOKENS).shape();
        [
            ("causal (9.4)", (parts.causal)(&q, &k, &v).as_slice().to_vec()),
            ("split_heads (9.12)", heads),
            (
                "leaks (9.10), in a layer without a mask",
                vec![finds_one(&|q, k, v| open.attention(q, k, v))],
            ),
            ("leaks (9.10), in the chapter's causal layer", vec![finds_one(&chapters)]),
            ("shape of positions (9.13)", vec![rows as f32, columns as f32]),
        ]
    };
    for ((name, yours), (_, ours)) in of(parts).into_iter().zip(of(SOLVED)) {
        expect(yours, ours, 1e-4).of(format!("your {name}, beside ours,")).check();
    }
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

/// What stands between queries, keys, values (WIDTH, n) of sequences side by side and `[h₁; h₂]`.
type Attention<'a> = dyn for<'t> Fn(Var<'t>, Var<'t>, Var<'t>) -> Var<'t> + 'a;

impl Namer {
    fn new(rng: &mut Rng) -> Namer {
        let qkvo = [(); 4].map(|()| Linear::without_bias(WIDTH, WIDTH, rng));
        let readout = Linear::new(WIDTH, WORDS, rng);
        Namer { words: Embedding::new(WORDS, WIDTH, rng), qkvo, readout }
    }

    /// Words, sequences side by side, each with its position.
    fn tokens<'t>(&self, tape: &'t Tape, words: &[usize], positions: &Matrix) -> Var<'t> {
        let position = |row, j| positions[(row, j % TOKENS)];
        let positions = tape.constant(Matrix::from_fn(WIDTH, words.len(), position));
        self.words.forward(tape, words) + positions
    }

    /// Tokens (WIDTH, n) → logits (WORDS, n).
    fn logits<'t>(&self, x: Var<'t>, attention: &Attention<'_>) -> Var<'t> {
        let [w_q, w_k, w_v, w_o] = &self.qkvo;
        let h = attention(w_q.forward(x), w_k.forward(x), w_v.forward(x));
        self.readout.forward(w_o.forward(h))
    }
}

/// Words, and what each has to name: the word before, the first one itself.
fn draw(sequences: usize, rng: &mut Rng) -> (Vec<usize>, Vec<usize>) {
    let words: Vec<usize> = (0..sequences * TOKENS).map(|_| rng.random_range(0..WORDS)).collect();
    let before = |j: usize| words[j - usize::from(!j.is_multiple_of(TOKENS))];
    let named = (0..words.len()).map(before).collect();
    (words, named)
}

/// A trained model, and its accuracy on fresh sequences.
fn trained(positions: &Matrix, attention: &Attention<'_>) -> (Namer, f64) {
    const STEPS: usize = 150;
    let rng = &mut rng(0);
    let (mut model, mut adam) = (Namer::new(rng), Adam::new(0.01));
    for step in 0..STEPS {
        adam.learning_rate = 0.01 * (1.0 - step as f32 / STEPS as f32);
        let (words, named) = draw(8, rng);
        let tape = Tape::new();
        let logits = model.logits(model.tokens(&tape, &words, positions), attention);
        let loss = cross_entropy(logits, &named) * (1.0 / words.len() as f32);
        let gradients = loss.backward().into();
        adam.step(&mut model, &gradients);
    }
    let (words, named) = draw(50, rng);
    let tape = Tape::without_gradients();
    let logits = model.logits(model.tokens(&tape, &words, positions), attention).value();
    let right = named.iter().enumerate().filter(|(j, word)| logits.column(*j).imax() == **word);
    let right = right.count() as f64 / named.len() as f64;
    (model, right)
}

/// The chapter's causal heads, of all sequences at once.
fn chapters<'t>(q: Var<'t>, k: Var<'t>, v: Var<'t>) -> Var<'t> {
    let offsets: Vec<usize> = (0..=q.shape().1).step_by(TOKENS).collect();
    let causal = Segments::within(&offsets).with(Sight::Causal);
    attention_with_weights(q, k, v, HEADS, &causal).0
}

impl Parts {
    /// Forward and backward of all heads of all sequences, as one operation.
    fn attention<'t>(self, q: Var<'t>, k: Var<'t>, v: Var<'t>) -> Var<'t> {
        let values = [q.value(), k.value(), v.value()];
        let inputs = [&*values[0], &*values[1], &*values[2]];
        let [h] = self.each_head(inputs, |[q, k, v]| [(self.causal)(q, k, v)]);
        q.tape().push([q, k, v], h, move |dy, ids, gradients| {
            let inputs = [&*values[0], &*values[1], &*values[2], &dy];
            let all = self.each_head(inputs, |[q, k, v, dy]| self.causal_gradient(q, k, v, dy));
            ids.into_iter().zip(all).for_each(|(id, gradient)| gradients.add(id, gradient));
        })
    }

    /// Of the reader's weights, which are contexts of values that are the axes: (dq, dk, dv).
    fn causal_gradient(self, q: &Matrix, k: &Matrix, v: &Matrix, dy: &Matrix) -> [Matrix; 3] {
        let alpha = (self.causal)(q, k, &Matrix::identity(k.ncols(), k.ncols()));
        let mut ds = product(&v.t(), dy);
        elementwise::softmax_backward(&mut ds, &alpha);
        ds /= (q.nrows() as f32).sqrt();
        [product(k, &ds), product(q, &ds.t()), product(dy, &alpha.t())]
    }

    /// `f` of each head of each sequence; its results, each put together again.
    fn each_head<const N: usize, const M: usize>(
        self,
        whole: [&Matrix; N],
        f: impl Fn([&Matrix; N]) -> [Matrix; M],
    ) -> [Matrix; M] {
        let (n, d) = (whole[0].ncols(), WIDTH / HEADS);
        let mut results = [(); M].map(|()| Matrix::zeros(WIDTH, n));
        for first in (0..n).step_by(TOKENS) {
            let heads =
                whole.map(|x| (self.split_heads)(&x.columns(first, TOKENS).into_owned(), HEADS));
            for head in 0..HEADS {
                let found = f(heads.each_ref().map(|heads| &heads[head]));
                for (result, part) in results.iter_mut().zip(found) {
                    result.view_mut((head * d, first), (d, TOKENS)).copy_from(&part);
                }
            }
        }
        results
    }

    /// The weights of each head over one sequence: contexts of values that are the axes.
    fn drawing(self, model: &Namer, positions: &Matrix) -> String {
        let words = draw(1, &mut rng(5)).0;
        let tape = Tape::without_gradients();
        let x = model.tokens(&tape, &words, positions);
        let heads = |w: &Linear| (self.split_heads)(&w.forward(x).value(), HEADS);
        let axes = Matrix::identity(TOKENS, TOKENS);
        let mut drawing = String::from(
            "\nwhere your heads look: the word that asks across, the words that it may see down\n",
        );
        for (q, k) in heads(&model.qkvo[0]).iter().zip(heads(&model.qkvo[1])) {
            let alpha = (self.causal)(q, &k, &axes);
            drawing.push_str("\n    ");
            words.iter().for_each(|word| drawing.extend([letter(*word), ' ']));
            for (word, row) in words.iter().zip(alpha.row_iter()) {
                drawing.extend(['\n', ' ', ' ', letter(*word), ' ']);
                drawing.extend(row.iter().map(|weight| shade(*weight)));
            }
            drawing.push('\n');
        }
        drawing
    }
}

fn letter(word: usize) -> char {
    char::from(b'a' + word as u8)
}

fn shade(weight: f32) -> &'static str {
    let steps = [0.05, 0.2, 0.5].into_iter().filter(|limit| weight > *limit).count();
    ["· ", "░░", "▓▓", "██"][steps]
}
