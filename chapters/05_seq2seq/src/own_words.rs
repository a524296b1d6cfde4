//! What a decoder reads while it learns and while it is judged: the true words, or its own.

use crate::batch::Batch;
use crate::translator::Translator;
use crate::words::{BEGIN, END, UNKNOWN};
use rand::{Rng, RngExt};
use shared::{Float, Ragged};

// ANCHOR: own_words
/// The batch with some of the given words exchanged (Bengio et al. 2015, section 2.4): each, with
/// the probability `share`, for the word that the model finds most probable there, after all that it
/// was given before. The answers stay the reference's.
///
/// A sentence of the batch goes on until its reference ends: the end word is not among the model's
/// own.
pub fn with_own_words(
    model: &impl Translator,
    batch: &Batch,
    share: f64,
    rng: &mut impl Rng,
) -> Batch {
    let truly: Vec<&[usize]> = batch.previous.iter().collect();
    let mut given: Vec<Vec<usize>> = truly.iter().map(|words| vec![words[0]]).collect();
    follow(model, batch, |j, i, log_p| {
        let Some(&word) = truly[j].get(i + 1) else { return BEGIN }; // nothing more is given
        let word = if rng.random::<f64>() < share { most_probable(log_p) } else { word };
        given[j].push(word);
        word
    });
    let given: Vec<&[usize]> = given.iter().map(Vec::as_slice).collect();
    Batch { previous: Ragged::new(&given), ..batch.clone() }
}
// ANCHOR_END: own_words

/// `−ln p` of every answer, sentence by sentence, after the words that the batch gives.
pub fn word_losses(model: &impl Translator, batch: &Batch) -> Vec<Vec<f64>> {
    at_every_word(model, batch, |log_p, answer| -f64::from(log_p[answer]))
}

/// The entropy of what may be answered, `−Σ p ln p` in nats, where [`word_losses`] has a loss: how many
/// words the model hesitates between, whichever the reference has.
pub fn word_entropies(model: &impl Translator, batch: &Batch) -> Vec<Vec<f64>> {
    at_every_word(model, batch, |log_p, _| {
        -log_p.iter().map(|log_p| f64::from(*log_p).exp() * f64::from(*log_p)).sum::<f64>()
    })
}

/// A number for every answer, from `ln p` of all words there and the answer.
fn at_every_word(
    model: &impl Translator,
    batch: &Batch,
    number: impl Fn(&[Float], usize) -> f64,
) -> Vec<Vec<f64>> {
    let given: Vec<&[usize]> = batch.previous.iter().collect();
    let answers: Vec<&[usize]> = batch.target.iter().collect();
    let mut numbers = vec![Vec::new(); given.len()];
    follow(model, batch, |j, i, log_p| {
        numbers[j].push(number(log_p, answers[j][i]));
        given[j].get(i + 1).copied().unwrap_or(BEGIN)
    });
    numbers
}

/// Reads all sentences side by side, word by word, as far as their references go. `then` is given the
/// sentence, how many words were given after the begin word, and `ln p` of what may follow; it
/// answers which word is given next.
fn follow(
    model: &impl Translator,
    batch: &Batch,
    mut then: impl FnMut(usize, usize, &[Float]) -> usize,
) {
    let sources: Vec<&[usize]> = batch.source.iter().collect();
    let lengths: Vec<usize> = batch.target.iter().map(<[usize]>::len).collect();
    let mut state = model.encode(&sources);
    let mut open: Vec<usize> = (0..sources.len()).collect();
    let mut last = vec![BEGIN; open.len()];
    for i in 0.. {
        let going_on: Vec<usize> = (0..open.len()).filter(|&k| i < lengths[open[k]]).collect();
        if going_on.is_empty() {
            return;
        }
        if going_on.len() < open.len() {
            model.select(&mut state, &going_on);
        }
        last = going_on.iter().map(|&k| last[k]).collect();
        open = going_on.iter().map(|&k| open[k]).collect();
        let log_p = model.next(&mut state, &last).log_probabilities;
        let columns = log_p.as_slice().chunks_exact(log_p.nrows());
        last = open.iter().zip(columns).map(|(&j, column)| then(j, i, column)).collect();
    }
}

/// The most probable word that is one.
fn most_probable(log_p: &[Float]) -> usize {
    let words = (0..log_p.len()).filter(|word| ![UNKNOWN, BEGIN, END].contains(word));
    words.reduce(|best, next| if log_p[next] > log_p[best] { next } else { best }).unwrap_or(END)
}
