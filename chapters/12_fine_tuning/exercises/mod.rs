//! The exercises of chapter 12. Replace a `todo!()`, then run
//! `cargo test -p fine_tuning --test exercises`.
//!
//! A column is a token: `logits` (classes, n) are of n tokens.
#![allow(unused_variables, unused_imports, unreachable_code, clippy::ptr_arg)] // until all are solved

use bert::Special;
use shared::Matrix;

/// **12.1 the first piece of every word – difficulty ●○○, about 15 minutes**
///
/// The pieces `[CLS] … [SEP]` of words that are cut already, and for each piece the tag that it is asked for:
/// that of its word at the word's first piece, none at all others. Of each word there is one tag. A word without
/// any piece becomes `[UNK]`, which is asked for its tag. There may be no words.
///
/// Hint: both lists grow together.
pub fn first_pieces(
    words: &[Vec<usize>],
    tags: &[usize],
    special: &Special,
) -> (Vec<usize>, Vec<Option<usize>>) {
    todo!()
}

/// **12.2 spot the bug: a mean of means – difficulty ●○○, about 10 minutes**
///
/// A batch is computed in parts, and the results are added. Should be the share of one part: such that the shares of
/// all parts, added up, are the mean of `−ln p(tag)`, p = softmax, over all pieces of the batch that have a tag.
/// The batch has `words_of_batch` such pieces, one at least. `logits` are (classes, pieces of the part), and may be
/// as large as ±1000.
///
/// Hint: one part has a word, another has nine. What does each word of the whole count?
pub fn share_of_loss(logits: &Matrix, tags: &[Option<usize>], words_of_batch: usize) -> f32 {
    todo!("find the bug, then remove this line");
    let mut sum = 0.0;
    let mut words = 0;
    for (column, tag) in logits.column_iter().zip(tags) {
        let Some(tag) = tag else { continue };
        let most = column.max();
        let normaliser: f32 = column.iter().map(|x| (x - most).exp()).sum();
        sum += normaliser.ln() + most - column[*tag];
        words += 1;
    }
    sum / words as f32
}

/// **12.3 what has a gradient? – difficulty ●○○, about 10 minutes**
///
/// Predict: which of these parameters have a gradient that is not zero (to rounding), for a batch of several
/// texts? Columns: 0 texts are classified, everything is trained; 1 texts are classified, the encoder is
/// frozen; 2 words are tagged, everything is trained. The model has learnt for a while; no bias is zero.
///
/// Rows: 0 the table's column of a piece that stands in the batch; 1 the table's column of a piece that does
/// not; 2 the values' matrix of the last block; 3 the keys' biases of the last block; 4 the pooler's matrix
/// (in column 2: is there one that has a gradient?); 5 the new layer's bias.
///
/// Hint: what does a softmax not see? And what stands between `[CLS]` and the new layer?
pub fn have_gradients() -> [[bool; 3]; 6] {
    todo!()
}

/// **12.4 up, then down – difficulty ●○○, about 10 minutes**
///
/// The learning rate of step `step`, counted from 1, in a training of `steps`: up to `highest` over the first
/// tenth of the steps (rounded down) in equal parts, so that it is reached at that tenth's last step; then
/// down on a straight line that is 0 at the last step. With fewer than ten steps there is no warm-up: the line
/// comes down from `highest` at step 0, so that the first step's rate is lower already.
///
/// Hint: how many steps are there after the warm-up?
pub fn rate(step: usize, steps: usize, highest: f64) -> f64 {
    todo!()
}

/// What a task asks of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One text, one answer.
    Text,
    /// Two texts in one sequence, one answer.
    Pair,
    /// A question and a passage: where in the passage does the answer begin, and where does it end?
    Span,
    /// One beginning and several endings, each read with the beginning as a sequence of its own and given a
    /// score: which ending is best?
    Choice,
}

/// **12.5 eleven tasks, four shapes – difficulty ●○○, about 10 minutes**
///
/// Judge: the paper fine-tunes on eleven tasks. Which shape has each, and how many rows has the matrix of its new
/// layer? A row makes one number of one token: the score of a class, or whatever else is asked of the token.
///
/// 0 MNLI: does the second sentence follow from the first, contradict it, or neither? 1 QQP: do two questions
/// ask the same? 2 QNLI: does the sentence hold the answer to the question? 3 SST-2: is a sentence of a film
/// review positive? 4 CoLA: is the sentence acceptable English? 5 STS-B: how similar are two sentences, from 1 to
/// 5? 6 MRPC: do two sentences mean the same? 7 RTE: does one text follow from the other? 8 SQuAD 1.1: where is the
/// answer to the question in the passage? 9 SQuAD 2.0: the same, or is it not there? 10 SWAG: which of four
/// sentences goes on?
///
/// Hint: section 4 of the paper; figure 4 draws SWAG as a pair, but how many sequences has one question of it?
/// A number may be an answer.
pub fn shapes() -> [(Shape, usize); 11] {
    todo!()
}

/// **12.6 what a bag of words can tell – difficulty ●●○, about 10 minutes**
///
/// Predict: a classifier is given how often which word stands in a text, and nothing else. Can *any* such
/// classifier be right on all texts of the task? Each task's texts are all that its sentence allows.
///
/// 0. *A bites B*, where A and B are two different ones of *dog*, *cat*, *man*: is it the dog that bites?
/// 1. One word of *good*, *bad*, perhaps after *not*: is it praise? (*not bad* is.)
/// 2. *A and B*, with A, B from *cup*, *book*, which may be equal: are they equal?
/// 3. *A , not B* with two different ones of *red*, *blue*: is it red?
/// 4. A row of three letters, each *x* or *y*: is there an *x*?
/// 5. A row of three letters, each *x* or *y*: is the first an *x*?
///
/// Hint: look for two texts with the same words and different answers. A sum of weights is *one* such
/// classifier, not all.
pub fn bag_can() -> [bool; 6] {
    todo!()
}

/// **12.7 what does the difference show? – difficulty ●●○, about 10 minutes**
///
/// Design: these runs are planned, all of the same encoder's sizes, on the same task and test:
///
/// | run | parameters at first | pieces | the encoder is | examples | epochs | seeds |
/// |---|---|---|---|---:|---:|---:|
/// | 0 | pre-trained | of the big corpus | trained | 200 | 24 | 3 |
/// | 1 | random | of the big corpus | trained | 200 | 24 | 3 |
/// | 2 | random | of the 200 examples | trained | 200 | 24 | 3 |
/// | 3 | pre-trained | of the big corpus | frozen | 200 | 24 | 3 |
/// | 4 | random | of the big corpus | frozen | 200 | 24 | 3 |
/// | 5 | random | of the big corpus | trained | 200 | 240 | 3 |
/// | 6 | pre-trained | of the big corpus | trained | 1000 | 24 | 3 |
/// | 7 | random | of the big corpus | trained | 1000 | 24 | 1 |
///
/// For each question the two runs, in either order, that differ in what is asked and in nothing else, and have
/// three seeds; `None` when no two do.
///
/// 0. What are pre-trained *parameters* worth, when all is trained?
/// 1. What are pieces worth that were learnt from more text?
/// 2. What are pre-trained parameters worth when only the new layer is trained?
/// 3. Does it help to train the pre-trained encoder as well?
/// 4. Does a start from random parameters become better with more epochs?
/// 5. What are pre-trained parameters worth with 1000 examples?
pub fn comparisons() -> [Option<[usize; 2]>; 6] {
    todo!()
}

/// **12.8 the middle of what could have come – difficulty ●●○, about 20 minutes**
///
/// The bootstrap's interval of an accuracy. `right` says of every test text whether it was answered rightly;
/// each of `drawn` lists the numbers of as many texts, drawn with replacement. Compute the accuracy of each
/// drawing, put these in order, leave out `round((1 − level)/2 · drawings)` of them on either side (rounded to the
/// nearest; it is never a half), and return the lowest and the highest of those that are left, one at least.
///
/// Hint: a text that was drawn twice counts twice.
pub fn interval(right: &[bool], drawn: &[Vec<usize>], level: f64) -> (f64, f64) {
    todo!()
}

/// **12.9 three seeds, four ways – difficulty ●●○, about 10 minutes**
///
/// Judge: accuracies in %, three seeds a row, the same test of 1000 texts; chance is 50:
///
/// | way | 50 examples | 1000 examples |
/// |---|---|---|
/// | pre-trained | 71.2, 74.9, 78.3 | 93.1, 93.4, 93.8 |
/// | pre-trained, frozen | 70.1, 72.6, 75.0 | 78.9, 79.3, 79.6 |
/// | from scratch | 49.1, 50.4, 51.6 | 70.2, 79.1, 88.0 |
/// | counting words | 50.2, 50.9, 51.3 | 51.0, 51.4, 52.2 |
///
/// Is the claim shown (`Some(true)`), refuted (`Some(false)`) or not decided (`None`)? A difference is decided
/// when the seeds of two cells do not overlap.
///
/// 0. With 50 examples, training the encoder as well is better than leaving it frozen.
/// 1. With 1000 examples, leaving it frozen is better.
/// 2. With 1000 examples, starting from scratch is better than the frozen encoder.
/// 3. Here, 50 examples after pre-training are worth more than 1000 without.
/// 4. No number of examples makes a start from scratch as good as pre-training.
/// 5. Words alone, counted, tell next to nothing of this task: with 1000 examples at most 3 points above chance,
///    with every seed.
pub fn verdicts() -> [Option<bool>; 6] {
    todo!()
}

/// **12.10 the gradient of the new layer – difficulty ●●○, about 15 minutes**
///
/// Derive: the loss of a batch is the mean of `−ln p(answer)` over its questions, p = softmax(W h + b), column by
/// column; `h` (d, m), `w` (classes, d), `b` (classes, 1), an answer a column. Return `dW` and `db`. Logits may be
/// in the thousands.
///
/// Hint: what is the gradient of `−ln p(answer)` with respect to the logits?
pub fn layer_gradients(h: &Matrix, w: &Matrix, b: &Matrix, answers: &[usize]) -> (Matrix, Matrix) {
    todo!()
}

// **12.11 capstone: your layer on top of an encoder – difficulty ●○○, about 5 minutes**
//
// There is nothing to write here. When 12.1, 12.2, 12.4, 12.8 and 12.10 are solved, your functions teach a new layer to
// tag words, on top of a small encoder that has read a few hundred stories and is frozen: `first_pieces` says where words are
// asked, `share_of_loss` what a batch costs, `layer_gradients` and `rate` make the steps, `interval` says how far the
// score can be trusted.
//
// `cargo test -p fine_tuning --test exercises 12.11` prints score and interval beside the chapter's.
