//! The models that are compared, and how each is judged.

use super::arguments::Arguments;
use super::recipe::{Chapter, Choices};
use crate::bleu::{Counts, corpus_bleu, sentence_counts};
use crate::decoding::beam_all;
use crate::translating::corpus::{Corpus, Part};
use crate::translating::judge::{
    LengthScore, Scores, bleu_by_length, judge, log_probability, together,
};
use crate::translating::recurrent::Config;
use crate::translating::train_counted;
use crate::translating::{Example, example};
use crate::{EncoderDecoder, Sizes};
use rayon::prelude::*;
use shared::Module;
use workbench::error::Result;
use workbench::study::Progress;

/// The sizes of the context that are compared, beside the default one.
const HIDDEN: [usize; 3] = [32, 64, 256];

/// The ways to search: name, width, α.
const SEARCHES: [(&str, usize, f64); 7] = [
    ("greedy", 1, 1.0),
    ("width_2", 2, 1.0),
    ("width_4", 4, 1.0),
    ("width_8", 8, 1.0),
    ("width_4_alpha_0", 4, 0.0),
    ("width_4_alpha_half", 4, 0.5),
    ("width_4_alpha_2", 4, 2.0),
];

/// One training.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The model's name in the results.
    pub name: String,
    /// Its sizes.
    pub sizes: Sizes,
    /// Whether it reads sentences from their end.
    pub reversed: bool,
    /// Of initial parameters, batches and dropout.
    pub seed: u64,
}

/// All trials, the longest first, so that none is waited for at the end.
pub fn trials(default: &Sizes, seeds: &[u64]) -> Vec<Trial> {
    let with = |hidden: usize| Sizes { hidden, ..default.clone() };
    let mut models: Vec<_> =
        HIDDEN.iter().map(|&h| (format!("hidden_{h}"), with(h), false)).collect();
    models.push(("default".to_owned(), default.clone(), false));
    models.push(("reversed".to_owned(), default.clone(), true));
    models.sort_by_key(|(_, sizes, _)| std::cmp::Reverse(sizes.hidden));
    let trial = |(name, sizes, reversed): &(String, Sizes, bool), seed| Trial {
        name: name.clone(),
        sizes: sizes.clone(),
        reversed: *reversed,
        seed,
    };
    models.iter().flat_map(|model| seeds.iter().map(move |seed| trial(model, *seed))).collect()
}

// ANCHOR: reverse
/// Turns every source around, its end word excepted (Sutskever et al. 2014, section 3.3).
pub fn reverse_sources(corpus: &mut Corpus) {
    let parts = [&mut corpus.training, &mut corpus.validation].into_iter();
    for part in parts.chain(&mut corpus.tests) {
        for source in &mut part.sentences.source {
            let words = source.len() - 1;
            source[..words].reverse();
        }
    }
}
// ANCHOR_END: reverse

/// What a trial found.
pub struct Judged {
    pub(super) name: String,
    pub(super) hidden: usize,
    pub(super) parameters: usize,
    pub(super) scores: Vec<Scores>,
    pub(super) by_length: Vec<LengthScore>,
    pub(super) searches: Vec<Width>,
    pub(super) examples: Vec<Example>,
}

/// What a way of searching found on the test part.
pub(super) struct Width {
    pub(super) name: String,
    pub(super) bleu: f64,
    pub(super) counts: Vec<Counts>,
    pub(super) length_ratio: f64,
    pub(super) search_errors: f64,
}

impl Trial {
    pub(super) fn run(
        &self,
        corpus: &Corpus,
        arguments: &Arguments,
        progress: &Progress,
    ) -> Result<Judged> {
        let options = arguments.options(&self.name, self.seed);
        let batch = arguments.usual.batch as usize;
        let config = Config::new(&self.sizes, Choices {});
        let mut model = train_counted::<Chapter>(progress, corpus, &config, batch, &options)?.model;
        let parameters = model.parameter_count();
        let scores: Vec<_> = corpus.tests.iter().map(|part| judge(&model, corpus, part)).collect();
        progress.say(format!(
            "{}, seed {}: test BLEU {:.1}, long {:.1}",
            self.name, self.seed, scores[0].bleu, scores[1].bleu
        ));
        let parts: Vec<&Part> = corpus.tests.iter().take(2).collect();
        let is_default = self.name == "default";
        let searches = if is_default { searches(&model, corpus) } else { Vec::new() };
        let pairs = if is_default { corpora::parallel::examples() } else { Vec::new() };
        Ok(Judged {
            name: self.name.clone(),
            hidden: self.sizes.hidden,
            parameters,
            by_length: bleu_by_length(&model, corpus, &parts),
            scores,
            searches,
            examples: pairs.iter().map(|pair| example(&model, corpus, pair)).collect(),
        })
    }
}

/// Every way of searching on the test part.
fn searches(model: &EncoderDecoder, corpus: &Corpus) -> Vec<Width> {
    let part = &corpus.tests[0];
    let numbers: Vec<_> = (0..part.len()).map(|i| part.numbers(i)).collect();
    let references: Vec<_> = part.pairs.iter().map(|pair| pair.target.clone()).collect();
    let true_ones: Vec<f64> =
        numbers.par_iter().map(|(s, t)| log_probability(model, s, t)).collect();
    let search = |(name, width, alpha): (&str, usize, f64)| {
        let found = together(numbers.len(), |some| {
            let sources: Vec<_> = some.map(|i| numbers[i].0).collect();
            beam_all(model, &sources, width, alpha)
        });
        let words: Vec<_> = found.iter().map(|t| corpus.target.decode(&t.words)).collect();
        let missed = found.iter().zip(&true_ones).filter(|(t, p)| t.log_probability < **p - 1e-3);
        let total = |texts: &[Vec<String>]| texts.iter().map(Vec::len).sum::<usize>() as f64;
        Width {
            name: name.to_owned(),
            bleu: corpus_bleu(&words, &references),
            counts: sentence_counts(&words, &references),
            length_ratio: total(&words) / total(&references),
            search_errors: missed.count() as f64 / found.len() as f64,
        }
    };
    SEARCHES.into_iter().map(search).collect()
}
