//! One training, all trainings, what they gave.

use super::guesser::{Guesser, looks, right, train};
use super::sentences::{Family, Sentence, Sizes, corpus, examples};
use crate::experiment::reader::{Head, Reader, largest};
use crate::experiment::statistics::{commonest, share, spread};
use corpora::Vocabulary;
use scoring_functions::Sight;
use scoring_functions::fused::Weights;
use serde::{Deserialize, Serialize};
use shared::{Float, Module, rng};
use std::collections::BTreeMap;
use workbench::error::Result;
use workbench::study::{Spread, short, trainings};

pub const NEAR: Sight = Sight::Window { behind: 4, ahead: 4 };

#[derive(Clone, Debug)]
pub struct Config {
    pub seed: u64,
    /// How often the training is repeated, with other sentences and other start values.
    pub seeds: usize,
    pub epochs: usize,
    pub sizes: Sizes,
}

impl Default for Config {
    fn default() -> Config {
        Config { seed: 0, seeds: 5, epochs: 14, sizes: Sizes([6, 1, 2]) }
    }
}

impl Config {
    fn stream(&self, number: u64) -> u64 {
        workbench::stream(self.seed, number)
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Right {
    pub all: Spread,
    pub family: BTreeMap<String, Spread>,
}

/// The share of sentences in which a head's largest weight, from *it*, lies on the noun it stands for.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Looks {
    /// The head that does so most often in the validation's sentences, in the test's.
    pub trained: Spread,
    pub untrained: Spread,
    pub best_untrained: Spread,
    pub family: BTreeMap<String, Spread>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Pronoun {
    pub sentences: [usize; 3],
    pub words: usize,
    pub parameters: [usize; 2],
    pub attention: Right,
    /// Attention again, whose first block sees everything as well.
    pub everywhere: Right,
    pub bag: Right,
    /// Right answers of the noun that is most often right in training, of the first, of the nearest to *it*.
    pub majority: Spread,
    pub first: Spread,
    pub nearest: Spread,
    pub heads: Vec<Head>,
    pub looks: Looks,
    /// Right answers without the head that looks, and without the other one that is missed most.
    pub without: Spread,
    pub without_another: Spread,
    /// The two pairs of sentences that the page shows, with the first seed's head.
    pub examples: Vec<[Example; 2]>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Example {
    pub words: Vec<String>,
    pub weights: Vec<Float>,
    pub follows: bool,
}

struct Run {
    counts: [usize; 3],
    words: usize,
    parameters: [usize; 2],
    test: Vec<Sentence>,
    majority: Float,
    /// Of attention, of attention that sees everything in both blocks, of the bag.
    rights: [Vec<bool>; 3],
    head: Head,
    looks: Vec<bool>,
    untrained: Float,
    best_untrained: Float,
    without: Float,
    without_another: Float,
    examples: Vec<[Example; 2]>,
}

pub fn measure(config: &Config) -> Result<Pronoun> {
    let seeds: Vec<u64> = (0..config.seeds as u64).collect();
    Ok(summary(&trainings("what \"it\" stands for", &seeds, |seed| one(config, *seed))?))
}

fn one(config: &Config, seed: u64) -> Result<Run> {
    let [training, validation, test] = corpus(config.sizes, &mut rng(config.stream(500 + seed)));
    let vocabulary = Vocabulary::new(training.iter().map(|s| s.words.as_slice()), 1);
    let words = vocabulary.len();
    let start = |sight| Guesser::attention(words, sight, &mut rng(config.stream(600 + seed)));
    let mut untrained = start(NEAR);
    let mut guessers =
        [start(NEAR), start(Sight::All), Guesser::bag(words, &mut rng(config.stream(700 + seed)))];
    for guesser in &mut guessers {
        train(guesser, &training, &vocabulary, config.epochs, config.stream(800 + seed))?;
    }
    let asked: Vec<&Sentence> = test.iter().collect();
    let validated: Vec<&Sentence> = validation.iter().collect();
    let best = |reader: &Reader| {
        let looked = looks(reader, &validated, &vocabulary);
        let found = |head| share(follows(&looked, head, &validated));
        let all = reader.heads().into_iter().map(|head| (found(head), head));
        all.reduce(|best, next| if next.0 > best.0 { next } else { best }).expect("heads").1
    };
    let rights = [0, 1, 2].map(|model| right(&guessers[model], &asked, &vocabulary));
    let parameters = [0, 2].map(|model: usize| guessers[model].parameter_count());
    let attention = &mut guessers[0];
    let (head, fresh) = (best(attention.reader()), untrained.reader());
    let followed = follows(&looks(attention.reader(), &asked, &vocabulary), head, &asked);
    let at_first = looks(fresh, &asked, &vocabulary);
    let examples = shown(attention.reader(), head, &vocabulary);
    let mut without = |head: Head| {
        let kept = attention.reader().silence(head);
        let found = share(right(attention, &asked, &vocabulary));
        attention.reader().restore(head, kept);
        found
    };
    let common = commonest(training.iter().map(Sentence::answer));
    let others = fresh.heads().into_iter().filter(|other| *other != head);
    Ok(Run {
        counts: [training.len(), validation.len(), test.len()],
        words,
        parameters,
        majority: share(asked.iter().map(|sentence| Some(sentence.answer()) == common)),
        rights,
        head,
        looks: followed,
        untrained: share(follows(&at_first, head, &asked)),
        best_untrained: share(follows(&at_first, best(fresh), &asked)),
        without: without(head),
        without_another: others.map(without).fold(1.0, Float::min),
        examples,
        test,
    })
}

// ANCHOR: follows
/// For each sentence, whether the head's largest weight from *it* lies on the noun it stands for.
fn follows(looked: &[Weights], head: Head, sentences: &[&Sentence]) -> Vec<bool> {
    let of = |(j, sentence): (usize, &&Sentence)| {
        largest(looked[head.block].of(j, head.head))[sentence.it] == sentence.referent
    };
    sentences.iter().enumerate().map(of).collect()
}
// ANCHOR_END: follows

/// Where *it* looks in the sentences that the page shows.
fn shown(reader: &Reader, head: Head, vocabulary: &Vocabulary) -> Vec<[Example; 2]> {
    let example = |sentence: Sentence| {
        let weights = &looks(reader, &[&sentence], vocabulary)[head.block];
        let column = weights.of(0, head.head).column(sentence.it).into_owned();
        let follows = column.imax() == sentence.referent;
        let weights = column.iter().map(|weight| short(*weight)).collect();
        Example { words: sentence.words, weights, follows }
    };
    examples().into_iter().map(|two| two.map(example)).collect()
}

fn summary(runs: &[Run]) -> Pronoun {
    let over = |of: &dyn Fn(&Run) -> Float| spread(runs.iter().map(of));
    let family = |of: fn(&Run) -> &Vec<bool>| -> BTreeMap<String, Spread> {
        let within = |run: &Run, family| {
            let all = of(run).iter().zip(&run.test);
            share(all.filter(|(_, s)| s.family == family).map(|(so, _)| *so))
        };
        let of_family =
            |family: Family| (family.name().to_owned(), over(&|run| within(run, family)));
        Family::ALL.into_iter().map(of_family).collect()
    };
    let right = |of: fn(&Run) -> &Vec<bool>| Right {
        all: over(&|run| share(of(run).iter().copied())),
        family: family(of),
    };
    let noun =
        |place: usize| over(&|run| share(run.test.iter().map(|s| s.nouns[place] == s.referent)));
    Pronoun {
        sentences: runs[0].counts,
        words: runs[0].words,
        parameters: runs[0].parameters,
        attention: right(|run| &run.rights[0]),
        everywhere: right(|run| &run.rights[1]),
        bag: right(|run| &run.rights[2]),
        majority: over(&|run| run.majority),
        first: noun(0),
        nearest: noun(1),
        heads: runs.iter().map(|run| run.head).collect(),
        looks: Looks {
            trained: over(&|run| share(run.looks.iter().copied())),
            untrained: over(&|run| run.untrained),
            best_untrained: over(&|run| run.best_untrained),
            family: family(|run| &run.looks),
        },
        without: over(&|run| run.without),
        without_another: over(&|run| run.without_another),
        examples: runs[0].examples.clone(),
    }
}
