//! The exercises of chapter 5. Replace a `todo!()`, then run
//! `cargo test -p seq2seq --test exercises`.
//!
//! Words are numbers; a column of a matrix belongs to a word of the text, a row to a word of the
//! vocabulary.
#![allow(unused_variables, unused_imports, unused_mut, unreachable_code)] // until all are solved

use shared::{Float, Matrix};
use std::collections::HashMap;

/// **5.1 teacher forcing – difficulty ●○○, about 5 minutes**
///
/// What the decoder is given and what it should answer, word by word, for one target sentence
/// (without begin and end): two lists of equal length.
///
/// Hint: `chat noir` is learnt in three steps.
pub fn teacher_forcing(target: &[usize], begin: usize, end: usize) -> (Vec<usize>, Vec<usize>) {
    todo!()
}

/// **5.2 clipped counts – difficulty ●●○, about 15 minutes**
///
/// How many of the candidate's runs of `n` words stand in the reference, each counted at most as
/// often as it stands there; and how many runs the candidate has. A sentence shorter than `n` has
/// none.
///
/// Hint: `windows(n)`, and a count for each run of the reference that is used up.
pub fn clipped_matches(candidate: &[&str], reference: &[&str], n: usize) -> (usize, usize) {
    todo!()
}

/// **5.3 BLEU from its counts – difficulty ●○○, about 10 minutes**
///
/// BLEU from 0 to 1, without smoothing: the geometric mean of the four shares
/// `matches[n − 1] / runs[n − 1]`, times `exp(1 − r/c)` if the candidates' `c` words are fewer than
/// the references' `r`. 0 when a share is 0, or when there are no runs to share.
pub fn bleu(matches: [usize; 4], runs: [usize; 4], c: usize, r: usize) -> f64 {
    todo!()
}

/// **5.4 the gradient of the cross-entropy – difficulty ●●○, about 15 minutes**
///
/// The loss is `−Σⱼ ln softmax(zⱼ)[yⱼ]`, summed over the columns zⱼ of `logits` (V, N), with
/// yⱼ = `targets[j]`. Derive its gradient and return it: (V, N). Logits may be as large as ±1000.
///
/// Hint: write the logarithm out before you differentiate: `ln Σᵥ exp zᵥ − z_y`.
pub fn cross_entropy_gradient(logits: &Matrix, targets: &[usize]) -> Matrix {
    todo!()
}

/// **5.5 one step of a beam – difficulty ●●●, about 25 minutes**
///
/// `sums[b]` is ln p of beginning b, column b of `logits` (V, B) scores what may follow it. Return
/// the `width` most probable continuations of all, the best first: (beginning, word, their ln p).
/// Logits may be as large as ±1000.
///
/// Hint: logits of different columns cannot be compared before each column's `ln Σ exp` is taken
/// away.
pub fn beam_step(sums: &[f64], logits: &Matrix, width: usize) -> Vec<(usize, usize, f64)> {
    todo!()
}

/// **5.6 a trap for a beam of two – difficulty ●●○, about 20 minutes**
///
/// A model that looks at the last word only. Row and column 0 stand for the end and the beginning,
/// 1 to 3 for words: entry (i, j) is the probability that i follows j, so columns sum to 1. Choose
/// the entries so that a beam of two that compares probabilities (α = 0) finds a sentence at most
/// half as probable as the best one. To end at once is a sentence, too.
///
/// Hint: what must happen in the first step, and what can the two survivors not offer in the second?
pub fn trap() -> Matrix {
    todo!()
}

/// **5.7 spot the bug: perplexity – difficulty ●○○, about 5 minutes**
///
/// Should return the perplexity of a text: `exp` of the mean cross-entropy of its words. Each batch
/// is (sum of its words' cross-entropies, number of its words), and may be empty.
///
/// Hint: two batches, one of a single word.
pub fn perplexity(batches: &[(f64, usize)]) -> f64 {
    todo!("find the bug, then remove this line");
    let means = batches.iter().map(|(loss, words)| loss / *words as f64);
    (means.sum::<f64>() / batches.len() as f64).exp()
}

/// **5.8 spot the bug: whose context? – difficulty ●●○, about 15 minutes**
///
/// A batch has two orders: sources stand longest first, and so do targets (equally long ones stay in
/// the order given). `pairs` holds the lengths (source, target). Should return, for each position among
/// the targets, the position of the same pair among the sources: whose context it is to start from.
///
/// Hint: with two pairs it is right. Follow three.
pub fn source_of(pairs: &[(usize, usize)]) -> Vec<usize> {
    todo!("find the bug, then remove this line");
    let order = |length: fn(&(usize, usize)) -> usize| {
        let mut order: Vec<usize> = (0..pairs.len()).collect();
        order.sort_by_key(|&i| std::cmp::Reverse(length(&pairs[i])));
        order
    };
    let (by_source, by_target) = (order(|pair| pair.0), order(|pair| pair.1));
    let mut place = vec![0; pairs.len()];
    for (j, &i) in by_target.iter().enumerate() {
        place[i] = j;
    }
    by_source.iter().map(|&i| place[i]).collect()
}

/// **5.9 predict: what a beam returns – difficulty ●●○, about 15 minutes**
///
/// A model that knows three words and looks at the last one only. Its probabilities:
///
/// ```text
/// after …          1      2      3      the end
/// the beginning    0.5    0.32   0      0.18
/// 1                0      0.6    0.3    0.1
/// 2                0.1    0      0.38   0.52
/// 3                0.1    0      0      0.9
/// ```
///
/// Return the words (without the end) that the chapter's beam search returns: with a width of 1 and
/// α = 0, of 2 and α = 0, of 2 and α = 1, of 3 and α = 0. Work them out before you run the check.
///
/// Hint: a sentence may be empty; |y| counts the end word.
pub fn predicted() -> [Vec<usize>; 4] {
    todo!()
}

/// **5.10 judge: four systems – difficulty ●●○, about 10 minutes**
///
/// BLEU of four kinds of training, three seeds each, on one test; 95 % intervals of the mean, and of the
/// difference from A on the same drawn sentences:
///
/// ```text
///      seeds               mean (interval)        difference from A
/// A    61.0  62.0  63.0    62.0 (60.1 to 63.9)
/// B    63.5  64.0  64.5    64.0 (62.1 to 65.9)    +2.0 (+0.9 to +3.1)
/// C    60.0  63.0  66.3    63.1 (61.2 to 65.0)    +1.1 (+0.1 to +2.1)
/// D    62.2  62.6  62.7    62.5 (60.6 to 64.4)    +0.5 (−0.4 to +1.4)
/// ```
///
/// A claim about *kinds of training* is decided by the seeds, if their ranges do not overlap; one about
/// *these models*, on other sentences of this kind, by the interval of the difference. Return for each
/// claim whether it held (`Some(true)`), did not (`Some(false)`), or is not decided (`None`):
///
/// 1. Training as for B gives a higher BLEU than training as for A.
/// 2. Training as for C gives a higher BLEU than training as for A.
/// 3. These models of C are better than these of A.
/// 4. These models of D are better than these of A.
/// 5. These models of A are better than these of B.
/// 6. These models of B are better than these of A by more than 1 BLEU.
pub fn verdicts() -> [Option<bool>; 6] {
    todo!()
}

// **5.11 capstone: your translator – difficulty ●○○, about 5 minutes**
//
// Nothing to write: 5.1, 5.2, 5.3, 5.4, 5.5, 5.7 and 5.8 together are a translator. It opens when they are
// solved: `cargo test -p seq2seq --test exercises 5.11`.
