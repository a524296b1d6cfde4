//! The exercises of chapter 11. Replace a `todo!()`, then run
//! `cargo test -p bert --test exercises`.
//!
//! A column is a token: `x` (d, n) are n tokens of d entries.
#![allow(unused_variables, unused_imports, unreachable_code, clippy::ptr_arg)] // until all are solved

use bert::{MaskedToken, Special};
use rand::RngExt;
use rand::seq::SliceRandom;
use shared::elementwise::normal_distribution;
use shared::{Matrix, Rng};
use std::collections::HashMap;

/// **11.1 longest piece first – difficulty ●●○, about 20 minutes**
///
/// The numbers of the pieces into which WordPiece cuts a word: the longest known beginning of the word,
/// then the longest known beginning of what is left, and so on. All pieces but the first stand in `known`
/// with `##` before them. When no known piece fits somewhere, `Err` with the number of letters (`char`s) before
/// that position. The word is taken as it is, of any length, and its letters may be of any script.
///
/// Hint: where may a `&str` be cut? And what was cut off is not taken back.
pub fn cut(word: &str, known: &HashMap<&str, usize>) -> Result<Vec<usize>, usize> {
    todo!()
}

/// **11.2 two texts, one sequence – difficulty ●○○, about 15 minutes**
///
/// The pieces `[CLS] a [SEP] b [SEP]` of two texts, and of each piece its segment: 0 as far as the first
/// `[SEP]`, that one too, then 1. When the sequence would have more than `longest` pieces (3 at least), the
/// longer text loses its last piece, again and again, until it fits; the second when both are equally long.
/// Either may be empty, or become so.
///
/// Hint: how much is left for the two texts?
pub fn pair(
    first: &[usize],
    second: &[usize],
    longest: usize,
    special: &Special,
) -> (Vec<usize>, Vec<usize>) {
    todo!()
}

/// **11.3 fifteen of a hundred – difficulty ●●○, about 25 minutes**
///
/// Masks tokens of a sequence, which may have marks or not. With n pieces that are neither `[CLS]` nor `[SEP]`,
/// choose `max(1, round(0.15·n))` positions, halves rounded up, of pieces that are not special (`special.contains`: `[UNK]`, `[PAD]` and
/// `[MASK]` are, too), all sets of so many positions being equally likely; if so many are not there, all that are.
/// Each chosen piece becomes `[MASK]` with probability 0.8; with probability 0.1 a piece drawn uniformly from those
/// of the vocabulary (numbers 0 to `vocabulary` − 1) that are not special, perhaps the very same; and it stays with
/// probability 0.1. Return positions and original pieces, in the order of the positions. All that is drawn comes from
/// `rng`.
///
/// Hint: three steps, each a line or two. How many? n counts `[UNK]`, which may not be chosen. Which? List the
/// positions that may be, then `partial_shuffle` and sort. What becomes of each? One random number for the three cases.
pub fn mask(
    pieces: &mut [usize],
    special: &Special,
    vocabulary: usize,
    rng: &mut Rng,
) -> Vec<MaskedToken> {
    todo!()
}

/// **11.4 the slope of GELU – difficulty ●○○, about 10 minutes**
///
/// From `dy`, the gradient with respect to `y = x·Φ(x)`, entry by entry, the gradient with respect to `x`
/// (both of the shape of `x`). Φ is `normal_distribution`, and its derivative is the density of the standard
/// normal distribution. Entries may be as large as ±100.
///
/// Hint: a product has two factors.
pub fn gelu_backward(x: &Matrix, dy: &Matrix) -> Matrix {
    todo!()
}

/// **11.5 spot the bug: a mask that hides nothing – difficulty ●○○, about 10 minutes**
///
/// Should be the mean of `−ln p(target)`, p = softmax, over the positions where `masked` is true, and 0 when
/// there are none. `logits` are (vocabulary, n); a position that is not masked has some target, too, and it must
/// not matter which. The lines below do what a well-known textbook did: the loss falls, and models learn.
///
/// Hint: what does the result become when only the *second* of three positions is masked, and what when only the
/// third is?
pub fn masked_loss(logits: &Matrix, targets: &[usize], masked: &[bool]) -> f32 {
    todo!("find the bug, then remove this line");
    let losses = logits.column_iter().zip(targets).map(|(o, target)| {
        let largest = o.max();
        largest + o.map(|o| (o - largest).exp()).sum().ln() - o[*target]
    });
    let loss = losses.sum::<f32>() / targets.len() as f32;
    let weights = masked.iter().map(|masked| if *masked { 1.0 } else { 0.0 });
    weights.clone().map(|weight| weight * loss).sum::<f32>() / weights.sum::<f32>()
}

/// **11.6 one test for six wrong losses – difficulty ●●○, about 15 minutes**
///
/// Design: six positions, the first three on one machine, the others on a second. Choose for each its
/// loss (a whole number from 0 to 9) and whether it is masked, at least one on either machine. What should come out
/// is the mean over the masked ones. On your positions any two of the following must differ by more than 0.5, so that
/// the number alone, as a program prints it, says which of the seven was computed:
///
/// - the right loss: masked losses summed, divided by how many are masked
/// - *no-op*: the mean over all six positions
/// - *broadcast*: the repair that makes losses (6) times mask (6, 1) a matrix (6, 6) of all their products,
///   sums it, and divides by how many are masked
/// - *too many*: masked losses summed, divided by 6
/// - *sum*: masked losses summed
/// - *inverted*: the mean over those that are not masked (there must be one)
/// - *machines*: each machine's mean over its own masked ones, then the mean of both
///
/// Hint: what is the broadcast sum, with the brackets removed?
pub fn distinguishing_positions() -> [(u8, bool); 6] {
    todo!()
}

/// **11.7 every machine knows its own mean – difficulty ●○○, about 10 minutes**
///
/// Machine i has `masked[i]` masked tokens of a batch, and computes the gradient of *its own* mean loss (zero when
/// it has none). A library multiplies it by the factor that you return for the machine, and takes the mean over
/// machines, as such libraries do. The result must be the gradient of the mean over all masked tokens of
/// the batch, of which there is one at least.
///
/// Hint: with as many pieces on each machine all factors are 1.
pub fn factors(masked: &[usize]) -> Vec<f32> {
    todo!()
}

/// **11.8 where the parameters are – difficulty ●●○, about 20 minutes**
///
/// How many numbers [`bert::Bert`] trains, without the heads of its pre-training:
/// 0. the three tables of the embeddings; there are two segments
/// 1. all attentions, whose queries, keys, values and outputs have a bias each
/// 2. all feed-forward networks
/// 3. all normalisations
/// 4. the pooler, a linear map with a bias, from `width` to `width`
///
/// Hint: the sum is 109,482,240 for BERT-Base: 30,522 pieces, 512 positions, width 768, 3072 hidden units, 12 heads,
/// 12 blocks. What would one head change?
pub fn parameters(
    vocabulary: usize,
    longest: usize,
    width: usize,
    feed_forward: usize,
    heads: usize,
    blocks: usize,
) -> [usize; 5] {
    todo!()
}

/// **11.9 what loss is normal? – difficulty ●●○, about 20 minutes**
///
/// Predict: a text has four sentences, each equally often, in random order:
///
/// > the cats drink milk . / the dogs drink water . / the cats eat fish . / the dogs eat meat .
///
/// A vocabulary has these 10 words and 5 special pieces. Every position of every sentence is masked equally often, by
/// `[MASK]`, one at a time unless something else is said. The mean loss of masked words, in nats, to
/// within 0.02, at its best for a model that
/// 0. was never trained: the softmax is over the whole vocabulary
/// 1. has learnt what never occurs, and nothing else
/// 2. knows how frequent every word is, but not what surrounds a masked one
/// 3. sees the word before, or that there is none
/// 4. sees the word before and the word after, or that there is none
/// 5. sees the whole sentence
/// 6. sees the whole sentence, of which the second *and* the fourth word are masked: the mean of these two
///
/// Hint: where the answer is certain it costs 0, and that position counts in the mean as well.
pub fn losses() -> [f64; 7] {
    todo!()
}

/// **11.10 a block that looks up a fact – difficulty ●●●, about 40 minutes**
///
/// Construct: a sequence is `[CLS]` and pairs of an animal and a colour, such as *`[CLS]` cat black dog white cat
/// `[MASK]`*: every sentence has other facts, each animal has one, and for one animal the question is asked as well,
/// before, between or after the facts. Choose an attention with one head by hand that answers it. A token has
/// sixteen entries, all 0 except for ones: rows 0 to 7 are its own piece (0 `[CLS]`, 1 `[MASK]`, 2 to 4 animals, 5 to
/// 7 colours), rows 8 to 15 in the same way the piece before it; an earlier block has written that down. `[CLS]`
/// has nothing before it. Return `W_q`, `W_k`, `W_v`, `W_o`, each (16, 16), for `y = x + W_o V softmax(KᵀQ/√16)`
/// with `Q = W_q x`, `K = W_k x`, `V = W_v x`. In rows 0 to 7
/// - at `[MASK]`, the entry of the colour of that fact must exceed all others by 1 at least;
/// - every other token must stay as it is, to within 0.05.
///
/// Hint: three questions, one after the other. Which tokens have the same piece before them as `[MASK]`, and which
/// of these must it not ask (begin with one fact and `W_q`, `W_k` of rows 8 to 15 alone)? Where may all others look, so
/// that they read nothing? And which rows of a value does `[MASK]` want?
pub fn lookup() -> [Matrix; 4] {
    todo!()
}

// **11.11 capstone: your masks pre-train – difficulty ●○○, about 5 minutes**
//
// There is nothing to write here. When 11.1 to 11.5 and 11.7 are solved, the check pre-trains a small encoder with your
// functions, on a few hundred stories of the chapter's world: `cut` and `pair` make the sequences, `mask` hides what is
// to be predicted, `gelu_backward` carries the gradient through the head, `factors` joins the gradients of two machines,
// and `masked_loss` judges.
//
// `cargo test -p bert --test exercises 11.11` prints the MLM loss after every epoch beside the chapter's.
