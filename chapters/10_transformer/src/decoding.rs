//! One word further for many hypotheses, with the keys and values of earlier words kept.
//!
//! In training all words of a translation pass through the decoder at once: the true words are
//! known. While it writes, a word must be chosen before the next one can be computed. What stays the
//! same are the keys and values of the words before, which causal attention never changes: they are
//! kept, and a step costs one token.
//!
//! A beam moves hypotheses around: the second may go on as two, the third may end. Nothing is copied
//! for that. The columns stay where they were written, and every hypothesis knows by index which
//! column of every earlier step is its own.

use crate::blocks::{DecoderBlock, EncoderBlock, Layer};
use self_attention::MultiHead;
use self_attention::cached::{KeyValue, attend};
use shared::{Matrix, Var};
use std::ops::Range;
use std::sync::Arc;

/// What the decoder keeps between two words; a column a hypothesis.
#[derive(Clone, Debug)]
pub struct State {
    /// Keys and values of the encoded sources, for every block.
    pub read: Vec<KvCache>,
    /// The columns of every hypothesis's source.
    pub sources: Vec<Range<usize>>,
    /// `written[t][l]`: keys and values of the words of step `t` in block `l`.
    pub written: Vec<Vec<KvCache>>,
    /// `own[t][j]`: the column of step `t` that belongs to hypothesis `j`.
    pub own: Vec<Vec<usize>>,
}

/// Keys and values, a column a token: (d_model, n) each.
#[doc(alias = "past_key_values")]
#[derive(Clone, Debug)]
pub struct KvCache {
    /// `W_k y`
    pub keys: Arc<Matrix>,
    /// `W_v y`
    pub values: Arc<Matrix>,
}

impl KvCache {
    /// The keys and values of the tokens `y` (d_model, n) at these positions, for an attention to read.
    pub fn of(attention: &MultiHead, y: Var, positions: &[usize]) -> KvCache {
        let keys = attention.w_k.forward(y);
        let keys = attention.relative.rotated(keys, attention.groups(), || positions.to_vec());
        KvCache { keys: keys.value(), values: attention.w_v.forward(y).value() }
    }

    fn column(&self, j: usize) -> KeyValue<'_> {
        let rows = self.keys.nrows();
        let column = j * rows..(j + 1) * rows;
        KeyValue {
            key: &self.keys.as_slice()[column.clone()],
            value: &self.values.as_slice()[column],
        }
    }
}

impl State {
    /// One hypothesis for each source, without a word.
    pub fn new(read: Vec<KvCache>, offsets: &[usize]) -> State {
        let sources = offsets.windows(2).map(|ends| ends[0]..ends[1]).collect();
        State { read, sources, written: Vec::new(), own: Vec::new() }
    }

    /// The new hypothesis `j` continues the old one `chosen[j]`.
    pub fn select(&mut self, chosen: &[usize]) {
        self.sources = chosen.iter().map(|&j| self.sources[j].clone()).collect();
        for own in &mut self.own {
            *own = chosen.iter().map(|&j| own[j]).collect();
        }
    }

    /// Opens the next step and answers its position in the sentence.
    pub fn open_step(&mut self) -> usize {
        self.own.push((0..self.sources.len()).collect());
        self.written.push(Vec::with_capacity(self.read.len()));
        self.own.len() - 1
    }
}

// ANCHOR: step
impl DecoderBlock {
    /// The newest word of every hypothesis, `x` (d, b) → (d, b), and for every hypothesis the
    /// weights of its source's words, (m, heads). `block` is this block's number in the stack.
    pub fn step<'t>(&self, x: Var<'t>, block: usize, state: &mut State) -> (Var<'t>, Vec<Matrix>) {
        let position = state.own.len() - 1;
        let (x, _) = self.around_attention.residual(x, |x| {
            let newest = KvCache::of(&self.attention, x, &vec![position; x.shape().1]);
            state.written.last_mut().expect("an open step").push(newest);
            ask(&self.attention, x, position, position, |j, kept| {
                let steps = state.written.iter().zip(&state.own);
                kept.extend(steps.map(|(blocks, own)| blocks[block].column(own[j])));
            })
        });
        let (x, weights) = self.around_cross.residual(x, |x| {
            let longest = state.sources.iter().map(|source| source.len()).max().unwrap_or(0);
            ask(&self.cross, x, position, position.max(longest), |j, kept| {
                kept.extend(state.sources[j].clone().map(|i| state.read[block].column(i)));
            })
        });
        let (x, ()) = self.around_feed_forward.residual(x, |x| (self.feed_forward.forward(x), ()));
        (x, weights)
    }
}

impl<N: Layer, F: Layer> EncoderBlock<N, F> {
    /// The newest token of every sequence, `x` (d, b) → (d, b), in a block with a causal mask: it sees the tokens
    /// that are kept, a step each, and itself, which is then kept too. And for every sequence their weights
    /// (m, heads).
    pub fn step<'t>(&self, x: Var<'t>, kept: &mut Vec<KvCache>) -> (Var<'t>, Vec<Matrix>) {
        let position = kept.len();
        let (x, weights) = self.around_attention.residual(x, |x| {
            kept.push(KvCache::of(&self.attention, x, &vec![position; x.shape().1]));
            ask(&self.attention, x, position, position, |j, tokens| {
                tokens.extend(kept.iter().map(|step| step.column(j)));
            })
        });
        let (x, ()) = self.around_feed_forward.residual(x, |x| (self.feed_forward.forward(x), ()));
        (x, weights)
    }
}

/// The newest words `x` (d, b), all at one position, ask tokens that were kept → (d, b), and their weights.
fn ask<'t, 'a>(
    attention: &MultiHead,
    x: Var<'t>,
    position: usize,
    farthest: usize,
    kept: impl Fn(usize, &mut Vec<KeyValue<'a>>),
) -> (Var<'t>, Vec<Matrix>) {
    let (heads, relative) = (attention.heads, &attention.relative);
    let q = relative.rotated(attention.w_q.forward(x), heads, || vec![position; x.shape().1]);
    let bias = relative.bias(q, heads, farthest).map(|bias| bias.value());
    let bias = bias.as_deref().map(|bias| (bias, position));
    let (contexts, weights) = attend(&q.value(), heads, bias, kept);
    (attention.w_o.forward(x.tape().constant(contexts)), weights)
}
// ANCHOR_END: step
