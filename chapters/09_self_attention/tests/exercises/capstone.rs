//! 9.15, the capstone: the reader's places, mask and heads learn to name the word before.

use crate::solutions;

use rand::RngExt;
use scoring_functions::fused::attention_with_weights;
use scoring_functions::{Segments, Sight};
use self_attention::positions::sinusoids;
use shared::{
    Adam, Embedding, Linear, Matrix, Module, Operand, Optimizer, Rng, Tape, Var, Visitor,
    cross_entropy, elementwise, product, rng,
};
use std::fmt::Write;
use std::sync::OnceLock;
use tests::exercises::{Exercise, Kind, Wrong, show};
use tests::uneven;

type Leaks = fn(&dyn Fn(&Matrix) -> Matrix, usize, usize) -> bool;

/// The answers that the heads are made of.
#[derive(Clone, Copy)]
pub struct Parts {
    pub causal: fn(&Matrix, &Matrix, &Matrix) -> Matrix,
    pub leaks: Leaks,
    pub split_heads: fn(&Matrix, usize) -> Vec<Matrix>,
    pub places: fn(usize, usize) -> Matrix,
}

/// Which exercises ask for them.
pub const NEEDS: [u32; 4] = [4, 10, 12, 13];

const SOLVED: Parts = Parts {
    causal: solutions::causal,
    leaks: solutions::leaks,
    split_heads: solutions::split_heads,
    places: solutions::places,
};

pub fn exercise() -> Exercise<Parts> {
    Exercise {
        number: 15,
        title: "capstone: your heads name the word before",
        kind: Kind::Implement,
        difficulty: 1,
        minutes: 5,
        check,
        wrong: &[
            Wrong {
                name: "no mask",
                hint: "(9.4)",
                answer: Parts { causal: |q, k, v| v * scoring_functions::weights(q, k), ..SOLVED },
            },
            Wrong {
                name: "a test that finds no leak",
                hint: "(9.10)",
                answer: Parts { leaks: |_, _, _| false, ..SOLVED },
            },
            Wrong {
                name: "all places alike",
                hint: "(9.13)",
                answer: Parts { places: |d, n| Matrix::from_element(d, n, 0.5), ..SOLVED },
            },
            Wrong {
                name: "a test that accuses everybody",
                hint: "(9.10)",
                answer: Parts { leaks: |_, _, _| true, ..SOLVED },
            },
            Wrong {
                name: "√d forgotten",
                hint: "(9.4)",
                answer: Parts {
                    causal: |q, k, v| solutions::causal(&(q * (q.nrows() as f32).sqrt()), k, v),
                    ..SOLVED
                },
            },
            Wrong {
                name: "a row a place",
                hint: "(9.13)",
                answer: Parts { places: |d, n| solutions::places(d, n).transpose(), ..SOLVED },
            },
            Wrong {
                name: "the first head twice",
                hint: "(9.12)",
                answer: Parts {
                    split_heads: |x, heads| vec![x.rows(0, x.nrows() / heads).into_owned(); heads],
                    ..SOLVED
                },
            },
            Wrong {
                name: "heads of several tokens",
                hint: "(9.12)",
                answer: Parts {
                    split_heads: |x, heads| {
                        let (d, n) = (x.nrows() / heads, x.ncols());
                        let pieces = Matrix::from_column_slice(d, heads * n, x.as_slice());
                        let piece = |head| pieces.columns(head * n, n).into_owned();
                        (0..heads).map(piece).collect()
                    },
                    ..SOLVED
                },
            },
        ],
    }
}

const WORDS: usize = 10;
const TOKENS: usize = 10;
const WIDTH: usize = 32;
const HEADS: usize = 2;
const BATCH: usize = 8; // sequences
const STEPS: usize = 150;
const LOOK: usize = 15;

/// Causal heads between words with places and a readout.
struct Namer {
    words: Embedding,
    w_q: Linear,
    w_k: Linear,
    w_v: Linear,
    w_o: Linear,
    readout: Linear,
}

impl Module for Namer {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("words", &mut self.words);
        visitor.module("w_q", &mut self.w_q);
        visitor.module("w_k", &mut self.w_k);
        visitor.module("w_v", &mut self.w_v);
        visitor.module("w_o", &mut self.w_o);
        visitor.module("readout", &mut self.readout);
    }
}

/// What stands between queries, keys, values (WIDTH, n) of sequences side by side and `[h₁; h₂]`.
type Attention<'a> = dyn for<'t> Fn(Var<'t>, Var<'t>, Var<'t>) -> Var<'t> + 'a;

impl Namer {
    fn new(rng: &mut Rng) -> Namer {
        let mut square = || Linear::without_bias(WIDTH, WIDTH, rng);
        let [w_q, w_k, w_v, w_o] = [(); 4].map(|()| square());
        let readout = Linear::new(WIDTH, WORDS, rng);
        Namer { words: Embedding::new(WORDS, WIDTH, rng), w_q, w_k, w_v, w_o, readout }
    }

    /// Tokens (WIDTH, n), sequences side by side → logits (WORDS, n).
    fn logits<'t>(&self, x: Var<'t>, attention: &Attention<'_>) -> Var<'t> {
        let h = attention(self.w_q.forward(x), self.w_k.forward(x), self.w_v.forward(x));
        self.readout.forward(self.w_o.forward(h))
    }
}

/// Words, and what each has to name: the word before, the first one itself.
fn draw(sequences: usize, rng: &mut Rng) -> (Vec<usize>, Vec<usize>) {
    let words: Vec<usize> = (0..sequences * TOKENS).map(|_| rng.random_range(0..WORDS)).collect();
    let before = |j: usize| if j.is_multiple_of(TOKENS) { words[j] } else { words[j - 1] };
    let before = (0..words.len()).map(before).collect();
    (words, before)
}

/// The table of places once for each sequence.
fn repeated(places: &Matrix, n: usize) -> Matrix {
    Matrix::from_fn(WIDTH, n, |row, j| places[(row, j % TOKENS)])
}

/// A trained model, its loss while it learned, and its share of right answers to fresh sequences.
struct Outcome {
    model: Namer,
    curve: Vec<f32>,
    right: f64,
}

fn trained(places: &Matrix, attention: &Attention<'_>) -> Outcome {
    let rng = &mut rng(0);
    let (mut model, mut adam, mut curve) = (Namer::new(rng), Adam::new(0.01), Vec::new());
    for step in 0..STEPS {
        adam.learning_rate = 0.01 * (1.0 - step as f32 / STEPS as f32);
        let (words, named) = draw(BATCH, rng);
        let tape = Tape::new();
        let at = tape.constant(repeated(places, words.len()));
        let logits = model.logits(model.words.forward(&tape, &words) + at, attention);
        let loss = cross_entropy(logits, &named) * (1.0 / words.len() as f32);
        if step % LOOK == 0 {
            curve.push(loss.scalar());
        }
        let gradients = loss.backward().into();
        adam.step(&mut model, &gradients);
    }
    let (words, named) = draw(50, rng);
    let tape = Tape::without_gradients();
    let at = tape.constant(repeated(places, words.len()));
    let logits = model.logits(model.words.forward(&tape, &words) + at, attention).value();
    let right = named.iter().enumerate().filter(|(j, word)| logits.column(*j).imax() == **word);
    let right = right.count() as f64 / named.len() as f64;
    Outcome { model, curve, right }
}

/// The chapter's own layer.
fn reference() -> &'static (Vec<f32>, f64) {
    static REFERENCE: OnceLock<(Vec<f32>, f64)> = OnceLock::new(); // the same for every answer
    REFERENCE.get_or_init(|| {
        let Outcome { curve, right, .. } = trained(&sinusoids(WIDTH, 0, TOKENS), &chapters);
        (curve, right)
    })
}

/// The chapter's causal heads, of all sequences at once.
fn chapters<'t>(q: Var<'t>, k: Var<'t>, v: Var<'t>) -> Var<'t> {
    let offsets: Vec<usize> = (0..=q.shape().1 / TOKENS).map(|s| s * TOKENS).collect();
    let causal = Segments::within(&offsets).with(Sight::Causal);
    attention_with_weights(q, k, v, HEADS, &causal).0
}

/// Result and gradients are those of the chapter's own heads.
fn alike(parts: Parts) {
    let named: Vec<usize> = (0..2 * TOKENS).collect();
    let run = |attention: &Attention<'_>| {
        let tape = Tape::new();
        let leaf = |phase| tape.leaf(uneven(WIDTH, 2 * TOKENS, phase) * 0.3);
        let [q, k, v] = [0.1, 1.2, 2.6].map(leaf);
        let h = attention(q, k, v);
        let value = h.value();
        let gradients = cross_entropy(h, &named).backward();
        (value, [q, k, v].map(|x| gradients.wrt(x)))
    };
    let (h, gradients) = run(&|q, k, v| parts.attention(q, k, v));
    let (our_h, our_gradients) = run(&chapters);
    let apart = |a: &Matrix, b: &Matrix| (a - b).norm() / b.norm();
    let far = apart(&h, &our_h);
    assert!(
        far < 1e-3,
        "your heads' result and the chapter's are {:.1} % apart\nhint: look at the weights (9.4) and at \
         the rows of each head (9.12)",
        100.0 * far
    );
    for (name, (d, ours)) in ["q", "k", "v"].into_iter().zip(gradients.iter().zip(&our_gradients)) {
        let far = apart(d, ours);
        assert!(
            far < 1e-3,
            "your heads' d{name} and the chapter's are {:.1} % apart\nhint: the result is right, so is each \
             head given its own rows alone (9.12)?",
            100.0 * far
        );
    }
}

impl Parts {
    /// Forward and backward of all heads of all sequences, as one operation.
    fn attention<'t>(self, q: Var<'t>, k: Var<'t>, v: Var<'t>) -> Var<'t> {
        let ids = [q.id(), k.id(), v.id()];
        let values = [q.value(), k.value(), v.value()];
        let h = self.each_head([&values[0], &values[1], &values[2]], &|[q, k, v]| {
            vec![(self.causal)(q, k, v)]
        });
        let [h] = <[Matrix; 1]>::try_from(h).expect("one result");
        q.tape().push(h, move |dy, gradients| {
            let [q, k, v] = [0, 1, 2].map(|i| &*values[i]);
            let all = self.each_head([q, k, v, &dy], &|[q, k, v, dy]| {
                self.causal_gradient(q, k, v, dy).into()
            });
            for (id, gradient) in ids.into_iter().zip(all) {
                gradients.add(id, gradient);
            }
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
    fn each_head<const N: usize>(
        self,
        whole: [&Matrix; N],
        f: &dyn Fn([&Matrix; N]) -> Vec<Matrix>,
    ) -> Vec<Matrix> {
        let (n, d) = (whole[0].ncols(), WIDTH / HEADS);
        let mut results: Vec<Matrix> = Vec::new();
        for first in (0..n).step_by(TOKENS) {
            let heads = whole.map(|x| {
                let sequence = x.columns(first, TOKENS.min(n)).into_owned();
                (self.split_heads)(&sequence, HEADS)
            });
            for head in 0..HEADS {
                let found = f(heads.each_ref().map(|heads| &heads[head]));
                if results.is_empty() {
                    results = vec![Matrix::zeros(WIDTH, n); found.len()];
                }
                for (result, part) in results.iter_mut().zip(found) {
                    result.view_mut((head * d, first), part.shape()).copy_from(&part);
                }
            }
        }
        results
    }

    /// Whether the reader's own test finds a leak in a layer with this mask: tokens to logits.
    fn finds_a_leak(self, model: &Namer) -> bool {
        let layer = |x: &Matrix| {
            let tape = Tape::without_gradients();
            let logits = model.logits(tape.constant(x.clone()), &|q, k, v| self.attention(q, k, v));
            Matrix::clone(&logits.value())
        };
        (self.leaks)(&layer, WIDTH, TOKENS)
    }

    /// The weights of each head over one sequence: contexts of values that are the axes.
    fn drawing(self, model: &Namer, places: &Matrix) -> String {
        let words = draw(1, &mut rng(5)).0;
        let tape = Tape::without_gradients();
        let x = model.words.forward(&tape, &words) + tape.constant(places.clone());
        let [q, k] = [&model.w_q, &model.w_k].map(|w| w.forward(x).value());
        let [q, k] = [q, k].map(|x| (self.split_heads)(&x, HEADS));
        let axes = Matrix::identity(TOKENS, TOKENS);
        let alphas: Vec<Matrix> =
            q.iter().zip(&k).map(|(q, k)| (self.causal)(q, k, &axes)).collect();
        let mut drawing = String::from(
            "\nwhere your heads look: the word that asks across, the words that it may see down\n",
        );
        let names: String = words.iter().map(|word| format!("{} ", letter(*word))).collect();
        let _ = writeln!(drawing, "    {}", [&names[..]; HEADS].join("    "));
        for j in 0..TOKENS {
            let row =
                |alpha: &Matrix| (0..TOKENS).map(|i| shade(alpha[(j, i)])).collect::<String>();
            let rows: Vec<String> = alphas.iter().map(row).collect();
            let _ = writeln!(drawing, "  {} {}", letter(words[j]), rows.join("    "));
        }
        drawing
    }
}

fn letter(word: usize) -> char {
    char::from(b'a' + word as u8)
}

fn shade(weight: f32) -> &'static str {
    match weight {
        weight if weight > 0.5 => "██",
        weight if weight > 0.2 => "▓▓",
        weight if weight > 0.05 => "░░",
        _ => "· ",
    }
}

fn check(parts: Parts) {
    let places = (parts.places)(WIDTH, TOKENS);
    assert!(
        places.shape() == (WIDTH, TOKENS),
        "your places have the shape {:?}, not ({WIDTH}, {TOKENS})\nhint: a column a place (9.13)",
        places.shape()
    );
    let fresh = Namer::new(&mut rng(1));
    let open = Parts { causal: |q, k, v| v * scoring_functions::weights(q, k), ..parts };
    assert!(
        open.finds_a_leak(&fresh),
        "without a mask, your test finds no leak\nhint: does it change every token that comes later \
         (9.10)?"
    );
    assert!(
        !parts.finds_a_leak(&fresh),
        "your own test finds a leak in your layer\nhint: which tokens does a query see (9.4), does a head \
         hold rows of one token alone (9.12), and if so, whom does the test accuse (9.10)?"
    );
    alike(parts);
    let Outcome { model, curve, right } = trained(&places, &|q, k, v| parts.attention(q, k, v));
    let (our_curve, our_right) = reference();
    let mut report = format!(
        "\n{HEADS} heads, {STEPS} steps of {BATCH} sequences; each word is to name the one before\n\n\
         {:16} {:>8} {:>11}\n{:16} {:>8.3} {:>11.3}\n\nnats a word while it learns\n",
        "", "yours", "chapter's", "right answers", right, our_right,
    );
    for (look, (loss, ours)) in curve.iter().zip(our_curve).enumerate() {
        let bar = "█".repeat((20.0 * loss).round().clamp(0.0, 60.0) as usize);
        let _ = writeln!(report, "{:>5} {loss:5.2} ({ours:4.2}) {bar}", look * LOOK);
    }
    show(report + &parts.drawing(&model, &places));
    assert!(
        right > our_right - 0.05,
        "{right:.3} of your answers are right, {our_right:.3} of the chapter's after the same lessons\n\
         hint: the heads are right, so look at the places: are two of them told \
         apart (9.13)?"
    );
}
