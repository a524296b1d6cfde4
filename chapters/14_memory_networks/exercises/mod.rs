//! The exercises of chapter 14. Replace a `todo!()`, then run
//! `cargo test -p memory_networks --test exercises`.
//!
//! A vector is a `Vec<f64>`; a story is a list of sentences, a vector each.
#![allow(unused_variables, unused_imports, unreachable_code, clippy::ptr_arg)] // until all are solved

/// **14.1 the weight of a word's place – difficulty ●○○, about 10 minutes**
///
/// Position encoding: the weight of entry `k` (of `d`) of word `j` (of `len`). `j` and `k` are counted from 0, the page's
/// formula counts from 1.
///
/// Hint: of a single word every entry has a weight, too.
pub fn word_place(j: usize, len: usize, k: usize, d: usize) -> f64 {
    todo!()
}

/// **14.2 construct a second look – difficulty ●●○, about 20 minutes**
///
/// Entries: 0 *apple*, 1 *anna*, 2 *paul*, 3 *garden*, 4 *hall*. The question is *apple*, (1, 0, 0, 0, 0). Three sentences:
///
/// 0. anna took the apple
/// 1. anna went to the garden
/// 2. paul went to the hall
///
/// Choose a key and a value for each, entries from −9 to 9, the same in both hops, such that hop 1 gives sentence 0 more
/// than 0.9 of the weight, hop 2 sentence 1 more than 0.9, and the garden is the largest entry of what follows (`u + o`
/// after hop 2). It must work for the hall, too: with *paul* for *anna* in sentence 0, where your key and value of sentence 0
/// have their entries 1 and 2 exchanged, hop 2 finds sentence 2.
///
/// Returns keys and values.
///
/// Hint: what is asked in hop 2, and which sentence must it not find again?
pub fn second_look() -> ([[f64; 5]; 3], [[f64; 5]; 3]) {
    todo!()
}

/// **14.3 three hops – difficulty ●●○, about 20 minutes**
///
/// The scores of all answers after as many hops as there are tables, less one. `question` is the question's vector,
/// `tables[k]` has the story's sentences as table k makes them, and `answers` a vector for every answer. Adjacent tying:
/// hop 1 has its keys from table 0 and its values from table 1. Scores may be in the thousands.
///
/// Hint: what one hop reads, the next one searches.
pub fn hops(question: &[f64], tables: &[Vec<Vec<f64>>], answers: &[Vec<f64>]) -> Vec<f64> {
    todo!()
}

/// **14.4 what reaches a score – difficulty ●●○, about 15 minutes**
///
/// Ten sentences; the value of sentence 0 is the number 1, all others are 0, so what is read is `o = p₀`. Derive the
/// derivative of `o` with respect to the score of sentence 0
///
/// 0. with a softmax, when all scores are equal;
/// 1. with a softmax, when sentence 0 has the weight 0.99;
/// 2. in a linear start?
///
/// And with respect to the score of sentence 1
///
/// 3. with a softmax, when all scores are equal;
/// 4. in a linear start?
pub fn what_reaches_a_score() -> [f64; 5] {
    todo!()
}

/// **14.5 spot the bug: how old is a sentence? – difficulty ●○○, about 10 minutes**
///
/// Stories lie side by side: story i has the sentences `offsets[i]..offsets[i + 1]`. Should be, for each sentence, how many
/// of its own story come after it.
///
/// Hint: two stories of different lengths.
pub fn ages(offsets: &[usize]) -> Vec<usize> {
    todo!("find the bug, then remove this line");
    let sentences = offsets[offsets.len() - 1];
    (0..sentences).map(|i| sentences - 1 - i).collect()
}

/// **14.6 is the fact found? – difficulty ●●○, about 15 minutes**
///
/// `weights[q][hop][sentence]` of some questions, and for each question the sentence that supports it. In which share of the
/// questions has that sentence the largest weight, in the hop that has it most often? (The first hop, if several do.) Returns
/// the share and the hop, counted from 0. There is a question at least.
///
/// Hint: a hop is chosen once for the model, not once for a question.
pub fn found(weights: &[Vec<Vec<f64>>], supports: &[usize]) -> (f64, usize) {
    todo!()
}

/// **14.7 which run tells? – difficulty ●●○, about 15 minutes**
///
/// With a linear start, *counting* ends with more wrong answers. Two explanations:
///
/// - A: the linear start takes a tenth of the steps, and too few are left;
/// - B: it leads the tables to where the softmax cannot leave.
///
/// Which of these runs would tell A from B, that is, do the two predict another outcome for it?
///
/// 0. ten more seeds of both rows;
/// 1. a linear start as before, and after it as many steps with the softmax as the other row has in all;
/// 2. a softmax from the start, with nine tenths of the steps;
/// 3. a linear start in wider vectors;
/// 4. a linear start, then the tables drawn anew, and the remaining nine tenths with the softmax.
pub fn telling_runs() -> [bool; 5] {
    todo!()
}

/// **14.8 judge: ten seeds – difficulty ●○○, about 10 minutes**
///
/// Right answers in percent:
///
/// | | lowest | mean | highest |
/// |---|---|---|---|
/// | two facts, with a linear start | 98.4 | 99.2 | 99.6 |
/// | two facts, without | 44.8 | 49.3 | 52.2 |
/// | two facts, self-attention | 46.3 | 53.3 | 67.3 |
/// | yes or no, with a linear start | 81.0 | 87.8 | 91.3 |
/// | yes or no, self-attention | 64.7 | 85.3 | 100.0 |
///
/// Shown (`Some(true)`), refuted (`Some(false)`), or not decided (`None`)? A difference is decided when the seeds of two rows do
/// not overlap.
///
/// 0. A linear start answers more of two facts than none.
/// 1. Self-attention answers more of two facts than a network without a linear start.
/// 2. Self-attention answers more of yes or no than a network with a linear start.
/// 3. With a linear start, the best of ten answers at least 95 % of two facts.
/// 4. Self-attention cannot learn two facts.
/// 5. Of yes or no, self-attention scatters more widely than the network with a linear start, in these ten seeds.
pub fn verdicts() -> [Option<bool>; 6] {
    todo!()
}

// **14.9 capstone: your hops find the cup – difficulty ●○○, about 5 minutes**
//
// There is nothing to write here. When 14.1, 14.3, 14.5 and 14.6 are solved, your functions run the trained network of
// `examples/smallest.rs`: `word_place` and `ages` make vectors of new stories, `hops` answers them, `found` says whether both hops
// look where they should.
//
// `cargo test -p memory_networks --test exercises 14.9` prints how many new questions are answered, and draws one.
