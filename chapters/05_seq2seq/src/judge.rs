//! How good is a translator? Every sentence is judged on its own, many at a time.

use crate::alignment::AlignmentErrors;
use crate::batch::Batch;
use crate::bleu::{corpus_bleu, exact_match};
use crate::corpus::{Corpus, Part};
use crate::decoding::{Translation, beam, greedy};
use crate::translator::Translator;
use corpora::{BEGIN, END};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use shared::{Matrix, Tape};

/// What a translator is worth on a part of a corpus.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Scores {
    /// The part.
    pub part: String,
    /// How many pairs it has.
    pub sentences: usize,
    /// Cross-entropy with the references, in nats a word, end words included.
    pub loss: f64,
    /// BLEU of the translations that beam search finds, in per cent.
    pub bleu: f64,
    /// BLEU when every word is the most probable one.
    pub greedy: f64,
    /// The share of translations that equal their reference.
    pub exact: f64,
    /// The alignment error rate, of models that align and texts whose alignment is known.
    pub aer: Option<f64>,
}

/// Words of beam search that are compared at a time.
pub const BEAM: usize = 4;

/// All scores of a model on a part.
pub fn judge(model: &impl Translator, corpus: &Corpus, part: &Part) -> Scores {
    let sources = &part.sentences.source;
    let searched = translations(corpus, sources, |source| beam(model, source, BEAM, 1.0));
    let greedy = translations(corpus, sources, |source| greedy(model, source));
    let references: Vec<_> = part.pairs.iter().map(|pair| pair.target.clone()).collect();
    Scores {
        part: part.name.clone(),
        sentences: part.len(),
        loss: mean_loss(model, part),
        bleu: corpus_bleu(&searched, &references),
        greedy: corpus_bleu(&greedy, &references),
        exact: exact_match(&searched, &references),
        aer: alignment_error_rate(model, part),
    }
}

/// What `translate` makes of every source, as words.
pub fn translations(
    corpus: &Corpus,
    sources: &[Vec<usize>],
    translate: impl Fn(&[usize]) -> Translation + Sync,
) -> Vec<Vec<String>> {
    let words = |source: &Vec<usize>| corpus.target.decode(&translate(source).words);
    sources.par_iter().map(words).collect()
}

/// BLEU of greedy translations of the first `sentences` pairs of a part.
pub fn bleu_of(model: &impl Translator, corpus: &Corpus, part: &Part, sentences: usize) -> f64 {
    let count = sentences.min(part.len());
    let sources = &part.sentences.source[..count];
    let candidates = translations(corpus, sources, |source| greedy(model, source));
    let references: Vec<_> = part.pairs[..count].iter().map(|pair| pair.target.clone()).collect();
    corpus_bleu(&candidates, &references)
}

/// The cross-entropy with the references of a part, in nats a word.
pub fn mean_loss(model: &impl Translator, part: &Part) -> f64 {
    const BATCH: usize = 64;
    let mut order: Vec<usize> = (0..part.len()).collect();
    order.sort_by_key(|&i| part.sentences.target[i].len());
    let parts: Vec<(f64, usize)> = order
        .par_chunks(BATCH)
        .map(|chunk| {
            let pairs: Vec<_> = chunk.iter().map(|&i| part.numbers(i)).collect();
            let batch = Batch::new(&pairs, BEGIN);
            let loss = model.loss(&Tape::without_gradients(), &batch, None).scalar();
            (f64::from(loss), batch.tokens())
        })
        .collect();
    let (loss, words) = parts.iter().fold((0.0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
    loss / words as f64
}

/// `ln p(target | source)` of one pair, the end word included.
pub fn log_probability(model: &impl Translator, source: &[usize], target: &[usize]) -> f64 {
    let batch = Batch::new(&[(source, target)], BEGIN);
    -f64::from(model.loss(&Tape::without_gradients(), &batch, None).scalar())
}

// ANCHOR: forced_alignment
/// The weights while the model is made to say the reference: (source words, target words), without
/// the end words. `None` of a model without attention.
pub fn forced_alignment(
    model: &impl Translator,
    source: &[usize],
    target: &[usize],
) -> Option<Matrix> {
    let (m, n) = (source.len() - 1, target.len() - 1);
    let mut state = model.encode(source);
    let mut weights = Matrix::zeros(m, n);
    for (t, &last) in [BEGIN].iter().chain(target).take(n).enumerate() {
        let next = model.next(&state, last);
        weights.column_mut(t).copy_from_slice(next.alignment.get(..m)?);
        state = next.state;
    }
    debug_assert_eq!((source[m], target[n]), (END, END));
    Some(weights)
}
// ANCHOR_END: forced_alignment

/// The alignment error rate on a part whose alignments are known.
pub fn alignment_error_rate(model: &impl Translator, part: &Part) -> Option<f64> {
    let counts: Option<Vec<AlignmentErrors>> = (0..part.len())
        .into_par_iter()
        .map(|i| {
            let (source, target) = part.numbers(i);
            let gold = part.pairs[i].alignment.as_ref()?;
            let weights = forced_alignment(model, source, target)?;
            Some(AlignmentErrors::of(&weights, &gold.sure, &gold.possible))
        })
        .collect();
    let mut sum = AlignmentErrors::default();
    counts?.iter().for_each(|errors| sum.add(errors));
    Some(sum.rate())
}

/// BLEU of the pairs whose source has a number of words in each of some ranges.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LengthScore {
    /// From so many source words …
    pub from: usize,
    /// … to so many, inclusive.
    pub to: usize,
    /// How many pairs.
    pub sentences: usize,
    /// BLEU of greedy translations.
    pub bleu: f64,
}

/// BLEU by source length over several parts; ranges with fewer than 20 pairs are left out.
pub fn bleu_by_length(
    model: &impl Translator,
    corpus: &Corpus,
    parts: &[&Part],
) -> Vec<LengthScore> {
    const WIDTH: usize = 4;
    let pairs: Vec<_> =
        parts.iter().flat_map(|part| (0..part.len()).map(move |i| (*part, i))).collect();
    let longest = pairs.iter().map(|(part, i)| part.pairs[*i].source.len()).max().unwrap_or(0);
    let range = |from: usize| {
        let to = from + WIDTH - 1;
        let inside: Vec<_> = pairs
            .iter()
            .filter(|(part, i)| (from..=to).contains(&part.pairs[*i].source.len()))
            .collect();
        let sources: Vec<_> =
            inside.iter().map(|(part, i)| part.sentences.source[*i].clone()).collect();
        let references: Vec<_> =
            inside.iter().map(|(part, i)| part.pairs[*i].target.clone()).collect();
        let words = translations(corpus, &sources, |s| greedy(model, s));
        let bleu = if inside.len() < 20 { 0.0 } else { corpus_bleu(&words, &references) };
        LengthScore { from, to, sentences: inside.len(), bleu }
    };
    (1..=longest).step_by(WIDTH).map(range).filter(|score| score.sentences >= 20).collect()
}
