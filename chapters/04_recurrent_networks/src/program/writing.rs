//! Language models of the course's own sentences: how well they know what comes next, and what they
//! write.

use super::agreement::{self, Case};
use super::config::Config;
use super::next_word::{BothWays, Language, Packed, Predicts, Text, loss, train};
use super::ngrams::Ngrams;
use crate::bidirectional::Bidirectional;
use crate::language::LanguageModel;
use crate::layers::{Gru, Recurrent, Rnn};
use crate::steps::Steps;
use corpora::{BEGIN, END};
use rand::RngExt;
use serde::{Deserialize, Serialize};
use shared::{Embedding, Float, Linear, Matrix, Tape, elementwise, rng};
use std::collections::{BTreeMap, HashSet};
use workbench::error::Result;
use workbench::figure::{Svg, bars};
use workbench::program::{Table, progress, say};
use workbench::study::{Findings, significant as short};
use workbench::{Claim, smaller};

const WIDTH: usize = 48;
/// Entries of the GRU's state; the others get as many as make the parameters equal.
const HIDDEN: usize = 96;
const WRITTEN: usize = 500;
const SHOWN: usize = 4;
const LONGEST: usize = 16;
/// Cases of agreement, with a noun of the other number between subject and verb and without.
const CASES: usize = 500;

pub const TEMPERATURES: [(&str, Float); 3] = [("half", 0.5), ("one", 1.0), ("two", 2.0)];

/// The sentence whose words' probabilities are drawn: none of the corpus, *sees* and *are* agree with
/// what stands far to the left.
pub const EXAMPLE: &str = "the boys that the old queen sees in the garden are tired .";

/// The shares of cases in which the right form is the more probable one: with no noun of the other
/// number in between, and with one.
fn agreement(
    text: &Text,
    cases: &[Case],
    model: impl Fn(&[usize], [usize; 2]) -> [f64; 2],
) -> [f64; 2] {
    let (mut right, mut all) = ([0.0; 2], [0.0; 2]);
    for case in cases {
        let read = [vec![BEGIN], text.vocabulary.encode(&case.before)].concat();
        let form = |form: &str| text.vocabulary.id(form).expect("a verb of the corpus");
        let [p, q] = model(&read, [form(case.right), form(case.wrong)]);
        let kind = usize::from(case.attracted);
        all[kind] += 1.0;
        right[kind] += if p > q { 1.0 } else { 0.0 };
    }
    [0, 1].map(|kind| short(right[kind] / all[kind]))
}

fn two_logits(model: &impl Predicts, read: &[usize], two: [usize; 2]) -> [f64; 2] {
    let tape = Tape::without_gradients();
    let logits = model.logits(&tape, read, &Steps::new(&[read.len()])).value();
    two.map(|word| f64::from(logits[(word, read.len() - 1)]))
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Model {
    pub hidden: usize,
    pub parameters: usize,
    /// Cross-entropy on the test in nats a word, a number a seed.
    pub losses: Vec<f64>,
    pub perplexities: Vec<f64>,
    pub perplexity: f64,
    /// For each seed the shares of verbs that agree, without and with a noun of the other number in
    /// between; English alone.
    pub agreement: Vec<[f64; 2]>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Written {
    pub grammatical: f64,
    pub new: f64,
    pub different: f64,
    pub sentences: Vec<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Rung {
    pub loss: f64,
    pub perplexity: f64,
    /// As in [`Model`]; none where it knows nothing of what stands before.
    pub agreement: Option<[f64; 2]>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OfLanguage {
    pub words: usize,
    pub sentences: [usize; 2],
    /// `uniform`, `unigram`, `bigram`, `trigram`.
    pub rungs: BTreeMap<String, Rung>,
    /// `rnn`, `gru`, `two` layers of GRU, `both` directions.
    pub models: BTreeMap<String, Model>,
    pub written: BTreeMap<String, Written>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Languages {
    pub english: OfLanguage,
    pub french: OfLanguage,
    /// The probability of every word of [`EXAMPLE`]: by the counts of words and of pairs, by the GRU.
    pub example: Vec<Vec<f64>>,
    pub claims: BTreeMap<String, Claim>,
}

pub fn writer(text: &Text, config: &Config, seed: u64) -> Result<LanguageModel<Gru>> {
    let rng = &mut rng(config.stream(800 + seed));
    let mut model = LanguageModel::new(text.vocabulary.len(), WIDTH, HIDDEN, 1, rng);
    train(text, &mut model, config.stream(810 + seed))?;
    Ok(model)
}

pub fn sentences(
    text: &Text,
    model: &LanguageModel<Gru>,
    temperature: Float,
    count: usize,
    seed: u64,
) -> Vec<String> {
    let rng = &mut rng(seed);
    let mut one = || model.write([BEGIN, END], LONGEST, temperature, rng);
    (0..count).map(|_| text.vocabulary.decode(&one()).join(" ")).collect()
}

fn judged(text: &Text, sentences: Vec<String>) -> Written {
    let words = |sentence: &String| -> Vec<String> {
        sentence.split_whitespace().map(String::from).collect()
    };
    let right: Vec<Vec<String>> =
        sentences.iter().map(words).filter(|words| text.language.accepts(words)).collect();
    let new = right.iter().filter(|words| !text.known.contains(*words)).count();
    let different: HashSet<&String> = sentences.iter().collect();
    Written {
        grammatical: short(right.len() as f64 / sentences.len() as f64),
        new: short(new as f64 / right.len().max(1) as f64),
        different: short(different.len() as f64 / sentences.len() as f64),
        sentences: sentences.into_iter().take(SHOWN).collect(),
    }
}

fn of_language(
    language: Language,
    config: &Config,
    trained: &impl Fn(),
) -> Result<(OfLanguage, Vec<Vec<f64>>)> {
    let text = Text::new(language);
    let count = if language == Language::English { CASES } else { 0 };
    let cases = agreement::cases(count, &text.known, config.stream(890));
    let ngrams = Ngrams::new(text.vocabulary.len(), BEGIN, &text.train);
    let (mut models, mut example) = (BTreeMap::new(), Vec::new());
    let mut written = counted(&text, &ngrams, config);
    let mut gru = Model::default();
    for seed in 0..config.seeds as u64 {
        let mut model = writer(&text, config, seed)?;
        gru.add(&text, &cases, &mut model, HIDDEN);
        trained();
        if seed == 0 {
            for (name, temperature) in TEMPERATURES {
                let all = sentences(&text, &model, temperature, WRITTEN, config.stream(880));
                written.insert(name.to_string(), judged(&text, all));
            }
            example = probabilities(&text, &ngrams, &model);
        }
    }
    if language == Language::English {
        let size = gru.parameters;
        for (name, model) in [
            ("rnn", rivals::<Rnn>(&text, &cases, config, size, [1, 1], trained)?),
            ("two", rivals::<Gru>(&text, &cases, config, size, [3, 2], trained)?),
            ("both", both_ways(&text, config)?),
        ] {
            models.insert(name.to_string(), model);
        }
        trained();
    }
    models.insert("gru".to_string(), gru);
    let rungs = rungs(&text, &cases, &ngrams);
    let sentences = [text.train.len(), text.test.len()];
    let found = OfLanguage { words: text.vocabulary.len(), sentences, rungs, models, written };
    Ok((found, example))
}

impl Model {
    fn add<M: Predicts>(&mut self, text: &Text, cases: &[Case], model: &mut M, hidden: usize) {
        let loss = loss(text, model);
        (self.hidden, self.parameters) = (hidden, model.parameter_count());
        self.losses.push(short(loss));
        self.perplexities.push(short(loss.exp()));
        let sum: f64 = self.perplexities.iter().sum();
        self.perplexity = short(sum / self.perplexities.len() as f64);
        if !cases.is_empty() {
            let judge = |read: &[usize], two| two_logits(model, read, two);
            self.agreement.push(agreement(text, cases, judge));
        }
    }
}

/// Models of so many gates and layers that have about `parameters` parameters.
fn rivals<L: Recurrent + Sync>(
    text: &Text,
    cases: &[Case],
    config: &Config,
    parameters: usize,
    [gates, layers]: [usize; 2],
    trained: &impl Fn(),
) -> Result<Model> {
    let words = text.vocabulary.len();
    let hidden = as_large_as(parameters, words, gates, layers);
    let mut found = Model::default();
    for seed in 0..config.seeds as u64 {
        let rng = &mut rng(config.stream(820 + seed));
        let mut model: LanguageModel<L> = LanguageModel::new(words, WIDTH, hidden, layers, rng);
        train(text, &mut model, config.stream(810 + seed))?;
        found.add(text, cases, &mut model, hidden);
        trained();
    }
    Ok(found)
}

fn both_ways(text: &Text, config: &Config) -> Result<Model> {
    let (words, rng) = (text.vocabulary.len(), &mut rng(config.stream(830)));
    let mut model = BothWays {
        words: Embedding::new(words, WIDTH, rng),
        layer: Bidirectional::new(WIDTH, HIDDEN / 2, rng),
        readout: Linear::new(HIDDEN, words, rng),
    };
    train(text, &mut model, config.stream(810))?;
    let mut found = Model::default();
    found.add(text, &[], &mut model, HIDDEN / 2);
    Ok(found)
}

fn counted(text: &Text, ngrams: &Ngrams, config: &Config) -> BTreeMap<String, Written> {
    let write = |(name, order): (&str, usize)| {
        let rng = &mut rng(config.stream(881));
        let mut one = || ngrams.write(order, [BEGIN, END], LONGEST, || rng.random());
        let all = (0..WRITTEN).map(|_| text.vocabulary.decode(&one()).join(" ")).collect();
        (name.to_string(), judged(text, all))
    };
    [("bigram", 1), ("trigram", 2)].map(write).into()
}

fn rungs(text: &Text, cases: &[Case], ngrams: &Ngrams) -> BTreeMap<String, Rung> {
    let rung =
        |loss: f64, agreement| Rung { loss: short(loss), perplexity: short(loss.exp()), agreement };
    let uniform = (text.vocabulary.len() as f64).ln();
    let mut rungs = BTreeMap::from([("uniform".to_string(), rung(uniform, None))]);
    for (name, order) in [("unigram", 0), ("bigram", 1), ("trigram", 2)] {
        let judge = |read: &[usize], two: [usize; 2]| {
            let padded = [&[BEGIN], read].concat();
            two.map(|word| ngrams.probability(&padded[padded.len() - order..], word))
        };
        let right = (order > 0 && !cases.is_empty()).then(|| agreement(text, cases, judge));
        rungs.insert(name.to_string(), rung(ngrams.loss(order, BEGIN, &text.test), right));
    }
    rungs
}

/// The hidden units of a model of so many gates and layers that has about as many parameters.
fn as_large_as(parameters: usize, words: usize, gates: usize, layers: usize) -> usize {
    let count = |hidden: usize| {
        let layer = |inputs: usize| gates * hidden * (inputs + hidden + 2);
        words * WIDTH + layer(WIDTH) + (layers - 1) * layer(hidden) + words * (hidden + 1)
    };
    (1..1000).min_by_key(|hidden| count(*hidden).abs_diff(parameters)).expect("sizes")
}

fn probabilities(text: &Text, ngrams: &Ngrams, model: &LanguageModel<Gru>) -> Vec<Vec<f64>> {
    let words: Vec<String> = EXAMPLE.split_whitespace().map(String::from).collect();
    let sentence = [text.vocabulary.encode(&words), vec![END]].concat();
    let packed = Packed::new(&[&sentence]);
    let tape = Tape::without_gradients();
    let mut p = Matrix::clone(&model.logits(&tape, &packed.words, &packed.steps).value());
    elementwise::softmax_columns(&mut p);
    let padded = [&[BEGIN, BEGIN], &sentence[..]].concat();
    let counted = |order: usize| -> Vec<f64> {
        let of = |three: &[usize]| short(ngrams.probability(&three[2 - order..2], three[2]));
        padded.windows(3).map(of).collect()
    };
    let read = |(j, word): (usize, &usize)| short(f64::from(p[(*word, j)]));
    vec![counted(0), counted(1), sentence.iter().enumerate().map(read).collect()]
}

pub fn languages(config: &Config) -> Result<Languages> {
    let bar = progress(4 * config.seeds as u64 + 1, "trainings");
    bar.enable_steady_tick(std::time::Duration::from_secs(1));
    let (english, example) = of_language(Language::English, config, &|| bar.inc(1))?;
    let (french, _) = of_language(Language::French, config, &|| bar.inc(1))?;
    bar.finish_and_clear();
    let claims = language_claims(&english, &french);
    Ok(Languages { english, french, example, claims })
}

pub fn language_claims(english: &OfLanguage, french: &OfLanguage) -> BTreeMap<String, Claim> {
    let of = |name: &str| &english.models[name].perplexities;
    let below_trigram = |found: &OfLanguage| {
        let trigram = found.rungs["trigram"].perplexity;
        found.models["gru"].perplexities.iter().all(|perplexity| *perplexity < trigram)
    };
    let attracted = |name: &str| -> Vec<f64> {
        english.models[name].agreement.iter().map(|right| right[1]).collect()
    };
    let counted = english.rungs["trigram"].agreement.map_or(1.0, |right| right[1]);
    workbench::claims([
        (
            "a_trigram",
            "in both languages, the GRU's perplexity is lower than that of triples, with every seed",
            Some([english, french].into_iter().all(below_trigram)),
        ),
        (
            "b_agreement",
            "with a noun of the other number in between, the GRU chooses the right verb more often \
             than triples do, with every seed",
            Some(attracted("gru").iter().all(|share| *share > counted)),
        ),
        (
            "c_plain",
            "on equal parameters, the GRU's perplexity is lower than the plain network's",
            smaller(of("gru"), of("rnn")),
        ),
        (
            "d_deep",
            "on equal parameters, two layers of GRU have a lower perplexity than one",
            smaller(of("two"), of("gru")),
        ),
        (
            "e_written",
            "at temperature 1, the GRU writes more sentences that can be read than triples do, in \
             both languages",
            Some([english, french].iter().all(|found| {
                found.written["one"].grammatical > found.written["trigram"].grammatical
            })),
        ),
    ])
}

impl Findings for Languages {
    fn print(&self) {
        for (language, found) in [("English", &self.english), ("French", &self.french)] {
            let mut table = Table::new([language, "nats a word", "perplexity"]);
            let rungs = found.rungs.iter().map(|(name, at)| (name, at.loss, at.perplexity));
            let models = found.models.iter().map(|(name, model)| {
                let loss = model.losses.iter().sum::<f64>() / model.losses.len() as f64;
                (name, loss, model.perplexity)
            });
            for (name, loss, perplexity) in rungs.chain(models) {
                table.row([name.clone(), format!("{loss:.3}"), format!("{perplexity:.3}")]);
            }
            say(&table);
            for (name, written) in &found.written {
                say(format!("{name}: {:.1} % can be read", 100.0 * written.grammatical));
                written.sentences.iter().for_each(|sentence| say(format!("    {sentence}")));
            }
        }
    }

    fn claims(&self) -> &BTreeMap<String, Claim> {
        &self.claims
    }

    /// How surprising every word of [`EXAMPLE`] is.
    fn figures(&self) -> Vec<(String, Svg)> {
        let words: Vec<&str> = EXAMPLE.split_whitespace().chain(["⟨end⟩"]).collect();
        let surprises = |p: &Vec<f64>| p.iter().map(|p| -p.ln()).collect::<Vec<f64>>();
        let surprises: Vec<Vec<f64>> = self.example.iter().map(surprises).collect();
        let names = ["by its frequency", "after the word before", "after all words before: GRU"];
        let rows: Vec<_> = names.into_iter().zip(surprises.iter().map(Vec::as_slice)).collect();
        let verb = words.iter().position(|word| *word == "are").expect("the verb of the example");
        vec![(
            "surprise".to_owned(),
            bars("How surprising is each word? (−ln p, nats)", &words, &rows, verb),
        )]
    }
}
