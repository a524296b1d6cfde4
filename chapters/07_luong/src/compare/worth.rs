//! What a trained model is worth.

use super::mechanisms::NARROW;
use super::reordering::{Looked, halves};
use super::results::{Run, round};
use seq2seq::Translator;
use seq2seq::bleu::{Counts, sentence_counts};
use seq2seq::chrf::corpus_chrf;
use seq2seq::decoding::greedy_all;
use seq2seq::translating::corpus::{Corpus, Part};
use seq2seq::translating::judge::{mean_loss, translations};

/// Translations are those of greedy search.
pub(super) struct Worth {
    pub(super) run: Run,
    /// The share of words found, by distance from the same position.
    pub(super) by_displacement: Vec<f64>,
    /// What BLEU counts of every sentence: of the test, of the long part, and of the test's pairs that
    /// are not displaced, and that are.
    pub(super) counts: [Vec<Counts>; 4],
}

impl Worth {
    pub(super) fn of(model: &impl Translator, corpus: &Corpus) -> Worth {
        let (test, long) = (&corpus.tests[0], &corpus.tests[1]);
        let loss = mean_loss(model, test);
        let looked = Looked::of(model, corpus, test);
        let all: Vec<usize> = (0..test.len()).collect();
        let whole = looked.half(test, &all);
        let halves = halves(test, NARROW);
        let [near, displaced] = halves.each_ref().map(|half| looked.half(test, half));
        let longer = translations(corpus, &long.sentences.source, |some| greedy_all(model, some));
        let of_test = sentence_counts(&looked.translations, &references(test));
        let of_long = sentence_counts(&longer, &references(long));
        let [of_near, of_displaced] =
            halves.map(|half| half.iter().map(|&i| of_test[i].clone()).collect());
        let run = Run {
            loss,
            perplexity: loss.exp(),
            bleu: whole.bleu,
            chrf: corpus_chrf(&looked.translations, &references(test)),
            aer: whole.aer,
            long: bleu(&of_long),
            near,
            displaced,
        };
        let by_displacement = looked.right_by_displacement(test);
        let counts = [of_test, of_long, of_near, of_displaced];
        Worth { run: run.map(round), by_displacement, counts }
    }
}

fn references(part: &Part) -> Vec<Vec<String>> {
    part.pairs.iter().map(|pair| pair.target.clone()).collect()
}

fn bleu(counts: &[Counts]) -> f64 {
    let mut sum = Counts::default();
    counts.iter().for_each(|counts| sum += counts);
    sum.bleu()
}
