//! How good is a translator? Many sentences are translated at a time, on every thread.

use crate::alignment::AlignmentErrors;
use crate::batch::Batch;
use crate::bleu::{Counts, corpus_bleu, exact_match, sentence_counts};
use crate::chrf::corpus_chrf;
use crate::decoding::{Translation, beam_within, greedy_within};
use crate::translating::corpus::{Corpus, Part};
use crate::translator::Translator;
use crate::written::{Case, signature, text_counts};
use corpora::BEGIN;
use rayon::prelude::*;
use serde::Serialize;
use shared::{Float, Matrix, Tape};
use std::cmp::Reverse;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use workbench::error::Result;
use workbench::memory::must_fit;
use workbench::statistics::{Bootstrap, Tally};

/// Pairs that are judged at once on a thread, without a way back.
const JUDGED: usize = 64;

/// How good a translator is on a part of a corpus.
#[derive(Clone, Debug, Serialize)]
pub struct Scores {
    pub part: String,
    pub sentences: usize,
    /// Cross-entropy with the references, in nats a word, end words included.
    pub loss: f64,
    /// BLEU of the translations that beam search finds, in per cent.
    pub bleu: f64,
    pub greedy: f64,
    /// chrF of the translations that beam search finds, in per cent.
    pub chrf: f64,
    pub exact: f64,
    /// The alignment error rate, of models that align and texts whose alignment is known.
    pub aer: Option<f64>,
    /// BLEU against the references as they were written, of texts from files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub written: Option<[WrittenScore; 2]>,
    /// Translations that beam search cut off, or gives in place of a better one that it cut off.
    #[serde(skip_serializing_if = "is_zero")]
    pub cut: usize,
    /// The counts of BLEU for each translation that greedy search finds, for ranges of lengths.
    #[serde(skip)]
    greedy_counts: Vec<Counts>,
}

/// BLEU of the sentences that beam search finds, as others compute it, against the references as
/// they were written.
#[derive(Clone, Debug, Serialize)]
pub struct WrittenScore {
    pub signature: String,
    pub bleu: f64,
    /// The ends of the interval that covers 95 % of the tests drawn from this one.
    pub interval: [f64; 2],
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// How many beginnings beam search keeps.
pub const BEAM: usize = 4;

/// All scores of a model on a part, which is translated once by each search.
pub fn judge(model: &impl Translator, corpus: &Corpus, part: &Part) -> Scores {
    let sources = &part.sentences.source;
    let cut = AtomicUsize::new(0);
    let searched = translations(corpus, sources, |some| {
        let found = beam_within(model, some, BEAM, 1.0, corpus.per_word);
        cut.fetch_add(found.iter().filter(|found| found.cut).count(), Ordering::Relaxed);
        found
    });
    let greedy = translations(corpus, sources, |some| greedy_within(model, some, corpus.per_word));
    let references: Vec<_> = part.pairs.iter().map(|pair| pair.target.clone()).collect();
    let greedy_counts = sentence_counts(&greedy, &references);
    Scores {
        part: part.name.clone(),
        sentences: part.len(),
        loss: mean_loss(model, part),
        bleu: corpus_bleu(&searched, &references),
        greedy: Counts::score(greedy_counts.iter()),
        chrf: corpus_chrf(&letters(corpus, &searched), &letters(corpus, &references)),
        exact: exact_match(&searched, &references),
        aer: alignment_error_rate(model, part),
        written: written_scores(corpus, &searched, part),
        cut: cut.into_inner(),
        greedy_counts,
    }
}

/// BLEU of a corpus is that of its sums.
impl Tally for Counts {
    fn score<'a>(drawn: impl Iterator<Item = &'a Counts>) -> f64 {
        let mut sum = Counts::default();
        drawn.for_each(|counts| sum += counts);
        sum.bleu()
    }
}

/// The letters of every sentence, as chrF counts them.
fn letters(corpus: &Corpus, sentences: &[Vec<String>]) -> Vec<Vec<String>> {
    let texts = sentences.iter().map(|words| corpus.tokenizer.detokenize(words));
    texts.map(|text| vec![text.split_whitespace().collect()]).collect()
}

/// BLEU in mixed and in lower case, where somebody wrote the references.
fn written_scores(
    corpus: &Corpus,
    candidates: &[Vec<String>],
    part: &Part,
) -> Option<[WrittenScore; 2]> {
    let references: Vec<&String> =
        part.pairs.iter().map(|pair| pair.written.as_ref()).collect::<Option<_>>()?;
    let candidates: Vec<String> =
        candidates.iter().map(|words| corpus.tokenizer.detokenize(words)).collect();
    Some([Case::Mixed, Case::Lower].map(|case| {
        let pairs = candidates.iter().zip(&references);
        let counts = pairs
            .map(|(candidate, reference)| text_counts(candidate, reference, corpus.bleu, case));
        let found = Bootstrap::default().score(&[counts.collect()], &mut shared::rng(0));
        let interval = [found.low, found.high];
        WrittenScore { signature: signature(corpus.bleu, case), bleu: found.estimate, interval }
    }))
}

/// Sentences that are translated at once: their hypotheses are the columns of one matrix.
const TOGETHER: usize = 32;

/// The translation of every source by `translate`, as words.
pub fn translations(
    corpus: &Corpus,
    sources: &[Vec<usize>],
    translate: impl Fn(&[&[usize]]) -> Vec<Translation> + Sync,
) -> Vec<Vec<String>> {
    let found = together(sources.len(), |some| {
        translate(&some.map(|i| &sources[i][..]).collect::<Vec<_>>())
    });
    found.iter().map(|translation| corpus.target.decode(&translation.words)).collect()
}

/// Does something for the numbers below `count`, some at a time, on every thread.
pub fn together<T: Send>(count: usize, work: impl Fn(Range<usize>) -> Vec<T> + Sync) -> Vec<T> {
    let starts: Vec<usize> = (0..count).step_by(TOGETHER).collect();
    starts.par_iter().flat_map_iter(|start| work(*start..(start + TOGETHER).min(count))).collect()
}

/// BLEU of greedy translations of the first `sentences` pairs of a part.
pub fn bleu_of(model: &impl Translator, corpus: &Corpus, part: &Part, sentences: usize) -> f64 {
    let count = sentences.min(part.len());
    let sources = &part.sentences.source[..count];
    let candidates =
        translations(corpus, sources, |some| greedy_within(model, some, corpus.per_word));
    let references: Vec<_> = part.pairs[..count].iter().map(|pair| pair.target.clone()).collect();
    corpus_bleu(&candidates, &references)
}

/// The cross-entropy with the references of a part, in nats a word.
pub fn mean_loss(model: &impl Translator, part: &Part) -> f64 {
    let mut order: Vec<usize> = (0..part.len()).collect();
    order.sort_by_key(|&i| part.sentences.target[i].len());
    let parts: Vec<(f64, usize)> = order
        .par_chunks(JUDGED)
        .map(|chunk| {
            let pairs: Vec<_> = chunk.iter().map(|&i| part.numbers(i)).collect();
            let batch = Batch::new(&pairs, BEGIN);
            let loss = model.loss(&Tape::no_grad(), &batch).scalar();
            (f64::from(loss), batch.tokens())
        })
        .collect();
    let (loss, words) = parts.iter().fold((0.0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
    loss / words as f64
}

/// Refuses a corpus whose longest sentences, as many as are judged at once, would take more memory than there is: for
/// every word the scores of all words that may stand there, their softmax, and its logarithm.
pub(crate) fn must_fit_judging(corpus: &Corpus) -> Result<()> {
    let judged = corpus.parts().skip(1); // the first one is learnt from
    let mut lengths: Vec<_> =
        judged.flat_map(|part| part.sentences.target.iter().map(Vec::len)).collect();
    lengths.sort_unstable_by_key(|words| Reverse(*words));
    let words: usize = lengths.iter().take(JUDGED * rayon::current_num_threads()).sum();
    let bytes = 3 * words * corpus.target.len() * size_of::<Float>();
    must_fit("judging by these sentences", Some(bytes as u64))
}

/// `ln p(target | source)` of one pair, the end word included.
pub fn log_probability(model: &impl Translator, source: &[usize], target: &[usize]) -> f64 {
    let batch = Batch::new(&[(source, target)], BEGIN);
    -f64::from(model.loss(&Tape::no_grad(), &batch).scalar())
}

/// The weights while the model is made to say the reference: (source words, target words), without
/// the end words. `None` of a model without attention.
pub fn forced_alignment(
    model: &impl Translator,
    source: &[usize],
    target: &[usize],
) -> Option<Matrix> {
    forced_alignments(model, &[(source, target)])?.pop()
}

/// [`forced_alignment`] of several pairs at once.
pub fn forced_alignments(
    model: &impl Translator,
    pairs: &[(&[usize], &[usize])],
) -> Option<Vec<Matrix>> {
    let weights =
        |(source, target): &(&[usize], &[usize])| Matrix::zeros(source.len() - 1, target.len() - 1);
    let mut weights: Vec<Matrix> = pairs.iter().map(weights).collect();
    let sources: Vec<&[usize]> = pairs.iter().map(|(source, _)| *source).collect();
    let mut state = model.encode(&sources);
    let mut open: Vec<usize> = (0..pairs.len()).collect(); // pair of each hypothesis
    for t in 0.. {
        let chosen: Vec<usize> =
            (0..open.len()).filter(|&j| t < weights[open[j]].ncols()).collect();
        if chosen.is_empty() {
            break;
        }
        model.select(&mut state, &chosen);
        open = chosen.iter().map(|&j| open[j]).collect();
        let before = open.iter().map(|&i| if t == 0 { BEGIN } else { pairs[i].1[t - 1] });
        let next = model.next(&mut state, &before.collect::<Vec<_>>());
        for (&i, alignment) in open.iter().zip(&next.alignments) {
            let m = weights[i].nrows();
            weights[i].column_mut(t).copy_from_slice(alignment.get(..m)?);
        }
    }
    Some(weights)
}

/// The alignment error rate on a part whose alignments are known.
pub fn alignment_error_rate(model: &impl Translator, part: &Part) -> Option<f64> {
    if part.pairs.iter().any(|pair| pair.alignment.is_none()) {
        return None; // before any sentence is decoded
    }
    let mut sum = AlignmentErrors::default();
    for (weights, pair) in part_alignments(model, part)?.iter().zip(&part.pairs) {
        let gold = pair.alignment.as_ref()?;
        sum.add(&AlignmentErrors::of(weights, &gold.sure, &gold.possible));
    }
    Some(sum.rate())
}

/// [`forced_alignment`] of every pair of a part, on words: see
/// [`on_words`](crate::alignment::on_words).
pub fn part_alignments(model: &impl Translator, part: &Part) -> Option<Vec<Matrix>> {
    let weights = together(part.len(), |range| {
        let pairs: Vec<_> = range.clone().map(|i| part.numbers(i)).collect();
        match forced_alignments(model, &pairs) {
            Some(weights) => {
                let numbered = range.zip(&weights);
                numbered.map(|(i, weights)| Some(part.on_words(i, weights))).collect()
            }
            None => vec![None; range.len()],
        }
    });
    weights.into_iter().collect()
}

/// BLEU of the pairs whose source has a number of words in a range.
#[derive(Clone, Debug, Serialize)]
pub struct LengthScore {
    pub from: usize,
    /// … to so many, inclusive.
    pub to: usize,
    pub sentences: usize,
    /// BLEU of greedy translations.
    pub bleu: f64,
}

/// BLEU of greedy translations by source length, over all parts that have scores; ranges with fewer than
/// 20 pairs are left out.
pub fn bleu_by_length(parts: &[Part], scores: &[Scores]) -> Vec<LengthScore> {
    const WIDTH: usize = 4;
    let counted = parts.iter().zip(scores).flat_map(|(part, scores)| {
        let lengths = part.pairs.iter().map(|pair| pair.source.len());
        lengths.zip(&scores.greedy_counts)
    });
    let counted: Vec<(usize, &Counts)> = counted.collect();
    let longest = counted.iter().map(|(length, _)| *length).max().unwrap_or(0);
    let ranges = (1..=longest).step_by(WIDTH).map(|from| {
        let to = from + WIDTH - 1;
        let inside = || counted.iter().filter(|(length, _)| (from..=to).contains(length));
        let bleu = Counts::score(inside().map(|(_, counts)| *counts));
        LengthScore { from, to, sentences: inside().count(), bleu }
    });
    ranges.filter(|score| score.sentences >= 20).collect()
}
