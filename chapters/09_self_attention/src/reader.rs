//! The small model: word vectors, positions, and attentions with a residual connection each.
//! [`Resolver`] names what *it* stands for with it.

use crate::MultiHead;
use crate::positions::{Positions, token_positions};
use scoring_functions::fused::Weights;
use scoring_functions::{AttentionMask, Sequences};
use shared::{Embedding, Float, Linear, Matrix, Module, Rng, Tape, Var, Visitor};

/// The most tokens of a sentence.
pub const LONGEST: usize = 64;

/// Sentences side by side: sentence `j` has the columns `offsets[j]..offsets[j + 1]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    /// The numbers of all words, sentence after sentence.
    pub words: Vec<usize>,
    /// Where each sentence begins, and where the last one ends.
    pub offsets: Vec<usize>,
}

impl Texts {
    /// A batch of sentences, one after another.
    pub fn new<'a>(sentences: impl IntoIterator<Item = &'a [usize]>) -> Texts {
        let mut texts = Texts { words: Vec::new(), offsets: vec![0] };
        for sentence in sentences {
            texts.words.extend(sentence);
            texts.offsets.push(texts.words.len());
        }
        texts
    }
}

/// What a [`Reader`] is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Sizes {
    /// Entries of a token.
    pub d_model: usize,
    /// Heads of a block.
    pub heads: usize,
    /// Attentions, one after the other.
    pub blocks: usize,
    /// How far the first block sees; those above see everything.
    pub mask: AttentionMask,
}

/// Words and positions, then blocks in which every token adds what it has read to what it is.
#[derive(Debug)]
pub struct Reader {
    /// A vector for each word.
    pub words: Embedding,
    /// Where a token stands.
    pub positions: Positions,
    /// The attentions, from the words up.
    pub blocks: Vec<MultiHead>,
    /// How far the first block sees.
    pub mask: AttentionMask,
}

impl Reader {
    /// Random parameters.
    pub fn new(words: usize, sizes: Sizes, rng: &mut Rng) -> Reader {
        let Sizes { d_model, heads, blocks, mask } = sizes;
        Reader {
            words: Embedding::new(words, d_model, rng),
            positions: Positions::sinusoids(d_model, LONGEST),
            blocks: (0..blocks).map(|_| MultiHead::new(d_model, heads, rng)).collect(),
            mask,
        }
    }

    /// The tokens (d_model, n), and where the heads of each block looked.
    pub fn forward<'t>(&self, tape: &'t Tape, texts: &Texts) -> (Var<'t>, Vec<Weights>) {
        let x = self.words.forward(tape, &texts.words); // (d_model, n)
        let mut x = self.positions.add(x, &token_positions(&texts.offsets));
        let mut sequences = Sequences::new(&texts.offsets).with(self.mask.clone());
        let mut looked = Vec::with_capacity(self.blocks.len());
        for attention in &self.blocks {
            let (y, weights) = attention.forward_with_weights(x, x, &sequences);
            sequences.mask = AttentionMask::All; // of the blocks above
            x = x + y;
            looked.push(weights);
        }
        (x, looked)
    }
}

/// One head of one block, both counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "program", derive(serde::Serialize, serde::Deserialize))]
pub struct Head {
    /// From the words up.
    pub block: usize,
    /// In its block.
    pub head: usize,
}

impl Reader {
    /// All heads, block after block.
    pub fn heads(&self) -> Vec<Head> {
        let heads = self.blocks.iter().enumerate().flat_map(|(block, attention)| {
            (0..attention.heads).map(move |head| Head { block, head })
        });
        heads.collect()
    }

    /// Makes one head add nothing, by zeros in its columns of `W_o`; returns what stood there.
    pub fn ablate(&mut self, head: Head) -> Matrix {
        self.exchange(head, None)
    }

    /// Lets a head speak again, with what [`Reader::ablate`] returned.
    pub fn restore(&mut self, head: Head, columns: Matrix) {
        self.exchange(head, Some(columns));
    }

    fn exchange(&mut self, Head { block, head }: Head, columns: Option<Matrix>) -> Matrix {
        let attention = &mut self.blocks[block];
        let heads = attention.heads;
        let w_o = attention.w_o.weight.value_mut();
        let (rows, d) = (w_o.nrows(), w_o.ncols() / heads);
        let mut own = w_o.columns_mut(head * d, d);
        let before = own.clone_owned();
        own.copy_from(&columns.unwrap_or_else(|| Matrix::zeros(rows, d)));
        before
    }
}

impl Module for Reader {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("words", &mut self.words);
        visitor.module("positions", &mut self.positions);
        visitor.module("blocks", &mut self.blocks);
    }
}

/// How far a query of a [`Resolver`]'s first block sees on the page.
pub const NEAR: AttentionMask = AttentionMask::Window { behind: 4, ahead: 4 };

/// Names the noun that *it* stands for, from the column of the token *it*: its own vector and position and what
/// attention has added. The answer is the word whose vector fits best.
#[derive(Debug)]
pub struct Resolver {
    /// Two blocks of four heads.
    pub reader: Reader,
    /// From the column of *it* to what is compared with the words.
    pub readout: Linear,
}

impl Resolver {
    /// Entries of a token.
    pub const WIDTH: usize = 32;

    /// Random parameters; the first block sees so far.
    pub fn new(words: usize, mask: AttentionMask, rng: &mut Rng) -> Resolver {
        let sizes = Sizes { d_model: Resolver::WIDTH, heads: 4, blocks: 2, mask };
        let reader = Reader::new(words, sizes, rng);
        Resolver { reader, readout: Linear::new(Resolver::WIDTH, Resolver::WIDTH, rng) }
    }

    /// Logits (words, sentences) for the tokens in the columns `its`, and where the heads of each block looked.
    pub fn forward<'t>(
        &self,
        tape: &'t Tape,
        texts: &Texts,
        its: &[usize],
    ) -> (Var<'t>, Vec<Weights>) {
        let (x, looked) = self.reader.forward(tape, texts); // (d_model, n)
        let y = self.readout.forward(x.select_columns(its));
        let words = tape.param(&self.reader.words.weight); // (d_model, words)
        (words.tr_mul(y) * (1.0 / (Resolver::WIDTH as Float).sqrt()), looked)
    }
}

impl Module for Resolver {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("reader", &mut self.reader);
        visitor.module("readout", &mut self.readout);
    }
}
