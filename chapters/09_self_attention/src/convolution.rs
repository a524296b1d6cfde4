//! What if every word sees its neighbours only? The convolutional translator ConvS2S (Gehring et al. 2017).
//!
//! A layer computes each token from the k tokens around it, and the decoder asks the encoder in *every* layer.
//! Whenever two vectors are added, the sum is multiplied by √½, which keeps the variance of unrelated ones.
//!
//! | letter | what it counts |
//! |---|---|
//! | `d` | entries of a token |
//! | `k` | tokens that a convolution covers |
//! | `n`, `m` | target tokens, source tokens |

use crate::positions::{Positions, token_positions};
use rand_distr::{Distribution, Normal};
use scoring_functions::Sequences;
use scoring_functions::fused::{Weights, attention_with_weights};
use shared::{Embedding, Float, Linear, Matrix, Module, Param, Ragged, Rng, Tape, Var, Visitor};
use std::f64::consts::FRAC_1_SQRT_2;

/// √½.
const HALVED: Float = FRAC_1_SQRT_2 as Float;

// ANCHOR: windows
/// Every token with its neighbours one below another, `[x_{i−before}; …; x_{i+after}]`: `x` (d, n) →
/// ((before + 1 + after)·d, n). Beyond the ends of its sequence there are zeros.
///
/// ```
/// use self_attention::convolution::windows;
/// use shared::{Matrix, Tape};
/// let tape = Tape::new();
/// let x = tape.leaf(Matrix::from_row_slice(1, 5, &[1.0, 2.0, 3.0, /**/ 4.0, 5.0])); // two sequences
/// let w = windows(x, &[0, 3, 5], 1, 1).value();
/// assert_eq!(w.column(0).as_slice(), [0.0, 1.0, 2.0]);
/// assert_eq!(w.column(2).as_slice(), [2.0, 3.0, 0.0]); // the other sequence is another world
/// ```
pub fn windows<'t>(x: Var<'t>, offsets: &[usize], before: usize, after: usize) -> Var<'t> {
    let ((d, n), k) = (x.shape(), before + 1 + after);
    let mut seen = Vec::new();
    for (start, end) in offsets.windows(2).map(|ends| (ends[0], ends[1])) {
        for (i, r) in (start..end).flat_map(|i| (0..k).map(move |r| (i, r))) {
            if (start + before..end + before).contains(&(i + r)) {
                seen.push((i, r, i + r - before));
            }
        }
    }
    let (value, mut y) = (x.value(), Matrix::zeros(k * d, n));
    for &(i, r, j) in &seen {
        y.view_mut((r * d, i), (d, 1)).copy_from(&value.column(j));
    }
    x.tape().push([x], y, move |dy, [x_id], gradients| {
        let mut d_x = Matrix::zeros(d, n);
        for &(i, r, j) in &seen {
            let mut d_x = d_x.column_mut(j);
            d_x += dy.view((r * d, i), (d, 1));
        }
        gradients.add(x_id, d_x);
    })
}
// ANCHOR_END: windows

/// A convolution with a gated linear unit (Dauphin et al. 2017): `[a; b] = W [x_{i−…}; …; x_{i+…}] + c`,
/// and `a ⊙ σ(b)`.
#[derive(Debug)]
pub struct GatedConvolution {
    /// `W` (2d, k·d) and `c`: one pattern, compared with every position.
    pub pattern: Linear,
    /// How many tokens before its own it covers …
    pub before: usize,
    /// … and how many after: none in a decoder, which must not see what it is to write.
    pub after: usize,
}

impl GatedConvolution {
    /// Over `before + 1 + after` tokens of `d` entries, its weights drawn from N(0, 4p/(k·d)), where `p` is
    /// the share that dropout leaves: a gate halves, so what goes in is doubled (section 3.5 of the paper).
    pub fn new(d: usize, before: usize, after: usize, dropout: Float, rng: &mut Rng) -> Self {
        let inputs = (before + 1 + after) * d;
        let weight = draw(2 * d, inputs, (4.0 * (1.0 - dropout) / inputs as Float).sqrt(), rng);
        let bias = Some(Param::new(Matrix::zeros(2 * d, 1)));
        GatedConvolution { pattern: Linear { weight, bias }, before, after }
    }

    // ANCHOR: gated
    /// `x` (d, n) → (d, n).
    pub fn forward<'t>(&self, x: Var<'t>, offsets: &[usize]) -> Var<'t> {
        self.of(windows(x, offsets, self.before, self.after))
    }

    /// The same of [`windows`] (k·d, n).
    pub fn of<'t>(&self, windows: Var<'t>) -> Var<'t> {
        let y = self.pattern.forward(windows); // (2d, n)
        let d = y.shape().0 / 2;
        y.rows(0, d).component_mul(y.rows(d, d).sigmoid()) // a ⊙ σ(b)
    }
    // ANCHOR_END: gated
}

/// A layer of the decoder: a causal convolution, and a look at the source.
#[derive(Debug)]
pub struct DecoderLayer {
    /// The convolution over the words before.
    pub convolution: GatedConvolution,
    /// `W_d` and its bias: what it asks the source.
    pub query: Linear,
}

/// The keys and values of the decoder's layers: the same for all of them.
#[derive(Clone, Copy)]
pub struct Memory<'t> {
    /// `z` (d, m): what the encoder's last layer says.
    pub keys: Var<'t>,
    /// `√½ (z + e)` (d, m): the same with the source's own vectors, so that a word is not lost in its context.
    pub values: Var<'t>,
}

impl DecoderLayer {
    // ANCHOR: decoder
    /// From the layer below, `x` (d, n) and its `windows` (k·d, n), the vectors `g` (d, n) of the words
    /// before, and the source → (d, n), and where it looked (Gehring et al. 2017, equations 1 and 2).
    pub fn forward<'t>(
        &self,
        windows: Var<'t>,
        [x, g]: [Var<'t>; 2],
        memory: Memory<'t>,
        across: &Sequences,
    ) -> (Var<'t>, Weights) {
        let h = self.convolution.of(windows); // (d, n)
        let q = (self.query.forward(h) + g) * HALVED; // what was read, and the word before
        let (d, n) = q.shape();
        let (keys, values) = (memory.keys, memory.values);
        let (c, alpha) = attention_with_weights(q * (d as Float).sqrt(), keys, values, 1, across);
        let c = c.component_mul(x.tape().constant(roots(d, n, across))); // √m Σ α (z + e)
        ((x + (h + c) * HALVED) * HALVED, alpha)
    }
    // ANCHOR_END: decoder
}

/// √m in every entry of a query about m tokens: the mean of m unrelated vectors is by so much too small.
fn roots(d: usize, n: usize, across: &Sequences) -> Matrix {
    let mut roots = Matrix::zeros(d, n);
    for sequence in &across.sequences {
        let root = (sequence.keys.len() as Float).sqrt();
        roots.columns_mut(sequence.queries.start, sequence.queries.len()).fill(root);
    }
    roots
}

/// The sizes of a [`ConvS2S`].
#[derive(Clone, Debug, PartialEq)]
pub struct Sizes {
    /// Words of the language to translate from.
    pub source_words: usize,
    /// Words of the language to translate into.
    pub target_words: usize,
    /// Entries of a token.
    pub d: usize,
    /// Tokens that a convolution covers, an odd number.
    pub k: usize,
    /// Layers of the encoder.
    pub encoder: usize,
    /// Layers of the decoder.
    pub decoder: usize,
    /// Positions that have a vector.
    pub longest: usize,
    /// How many units are left out while training.
    pub dropout: Float,
}

/// The convolutional translator (Gehring et al. 2017), all of it in one width. Left out are weight
/// normalisation and the scaling of the encoder's gradients.
#[derive(Debug)]
pub struct ConvS2S {
    /// The vectors of the source words …
    pub source: Embedding,
    /// … and of their positions, learnt.
    pub source_positions: Positions,
    /// The same of the target.
    pub target: Embedding,
    /// The same of the target.
    pub target_positions: Positions,
    /// Reads the source, from both sides.
    pub encoder: Vec<GatedConvolution>,
    /// Writes the target.
    pub decoder: Vec<DecoderLayer>,
    /// Computes the logits of the next word.
    pub output: Linear,
    /// See [`Sizes::dropout`].
    pub dropout: Float,
}

impl ConvS2S {
    /// Random parameters; the vectors of words and positions are drawn from N(0, 0.1²).
    ///
    /// # Panics
    /// When a convolution covers an even number of tokens.
    pub fn new(sizes: &Sizes, rng: &mut Rng) -> ConvS2S {
        let Sizes { source_words, target_words, d, k, encoder, decoder, longest, dropout } = *sizes;
        assert!(k % 2 == 1, "a convolution over {k} tokens has no middle");
        let table = |words: usize, rng: &mut Rng| Embedding { weight: draw(d, words, 0.1, rng) };
        let places = |rng: &mut Rng| Positions::Learned(draw(d, longest, 0.1, rng));
        let layer =
            |before, after, rng: &mut Rng| GatedConvolution::new(d, before, after, dropout, rng);
        ConvS2S {
            source: table(source_words, rng),
            source_positions: places(rng),
            target: table(target_words, rng),
            target_positions: places(rng),
            encoder: (0..encoder).map(|_| layer(k / 2, k / 2, rng)).collect(),
            decoder: (0..decoder)
                .map(|_| DecoderLayer {
                    convolution: layer(k - 1, 0, rng),
                    query: Linear::new(d, d, rng),
                })
                .collect(),
            output: Linear::new(d, target_words, rng),
            dropout,
        }
    }

    /// The source: z, and what is read where z is found.
    pub fn encode<'t>(&self, tape: &'t Tape, source: &Ragged) -> Memory<'t> {
        let positions = token_positions(&source.offsets);
        let e = self.source_positions.add(self.source.forward(tape, &source.words), &positions);
        let e = e.dropout(self.dropout); // (d, m)
        let z = self.encoder.iter().fold(e, |x, layer| {
            (x + layer.forward(x.dropout(self.dropout), &source.offsets)) * HALVED
        });
        Memory { keys: z, values: (z + e) * HALVED }
    }

    /// The vectors of words before (d, n), at these positions.
    pub fn embed<'t>(&self, tape: &'t Tape, words: &[usize], positions: &[usize]) -> Var<'t> {
        let g = self.target_positions.add(self.target.forward(tape, words), positions);
        g.dropout(self.dropout)
    }

    /// Logits of the next words (words, n), all at once, and where the layers looked.
    pub fn decode<'t>(
        &self,
        memory: Memory<'t>,
        source: &Ragged,
        previous: &Ragged,
    ) -> (Var<'t>, Vec<Weights>) {
        let positions = token_positions(&previous.offsets);
        let g = self.embed(memory.keys.tape(), &previous.words, &positions);
        let across = Sequences::between(&previous.offsets, &source.offsets);
        let (mut x, mut looked) = (g, Vec::with_capacity(self.decoder.len()));
        for layer in &self.decoder {
            let before = layer.convolution.before;
            let windows = windows(x.dropout(self.dropout), &previous.offsets, before, 0);
            let (y, weights) = layer.forward(windows, [x, g], memory, &across);
            looked.push(weights);
            x = y;
        }
        (self.logits(x), looked)
    }

    /// Logits of the next word (words, n) from the decoder's tokens (d, n).
    pub fn logits<'t>(&self, x: Var<'t>) -> Var<'t> {
        self.output.forward(x.dropout(self.dropout))
    }
}

/// How many tokens one output depends on, itself included, after so many convolutions over k tokens: each
/// adds k − 1.
///
/// ```
/// assert_eq!(self_attention::convolution::receptive_field(5, 3), 11);
/// ```
pub fn receptive_field(layers: usize, k: usize) -> usize {
    1 + layers * (k - 1)
}

fn draw(rows: usize, columns: usize, deviation: Float, rng: &mut Rng) -> Param {
    let normal = Normal::new(0.0, deviation).expect("a finite deviation");
    Param::new(Matrix::from_fn(rows, columns, |_, _| normal.sample(rng)))
}

impl Module for GatedConvolution {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("pattern", &mut self.pattern);
    }
}

impl Module for DecoderLayer {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("convolution", &mut self.convolution);
        visitor.module("query", &mut self.query);
    }
}

impl Module for ConvS2S {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("source", &mut self.source);
        visitor.module("source_positions", &mut self.source_positions);
        visitor.module("target", &mut self.target);
        visitor.module("target_positions", &mut self.target_positions);
        visitor.module("encoder", &mut self.encoder);
        visitor.module("decoder", &mut self.decoder);
        visitor.module("output", &mut self.output);
    }
}
