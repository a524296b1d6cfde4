//! Chapter 6: attention or one fixed context, read in both directions or forwards; where attention looks, and what an
//! article needs.

use crate::Numbers;
use crate::claims::{Verdict, all_hold};
use crate::comparison::{Comparison, Expected, Row};
use crate::translators::{
    EPOCHS, Found, by_length, corpus, counted, numbers, options, row, trained,
};
use bahdanau::fixed_context::FixedContext;
use bahdanau::model_1::Model1;
use bahdanau::program::CHAPTER;
use bahdanau::{Bahdanau, Reading, State};
use corpora::{Alignment, BEGIN};
use parallel::lexicon::{ADJECTIVES, Adjective, Conjugation, MODALS, NAMES, NOUNS, Noun, VERBS};
use parallel::tree::{Features, Gender, Number};
use rand::RngExt;
use seq2seq::alignment::AlignmentErrors;
use seq2seq::program::Choices;
use seq2seq::translating::Chapter;
use seq2seq::translating::corpus::{Corpus, Part};
use seq2seq::translating::judge::forced_alignment;
use seq2seq::translating::recurrent::Config;
use seq2seq::{Sizes, Translator};
use serde::Serialize;
use serde_json::Value;
use shared::{Matrix, Rng, rng};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, LazyLock};
use workbench::error::Result;
use workbench::figure::{Svg, colour};
use workbench::statistics::{rounded, smaller};

pub const EVIDENCE: &[Comparison] = &[Comparison {
    name: "compare",
    about: "Attention or one fixed context, a source read in both directions or forwards; where it looks",
    record: "06_bahdanau/figures/results.json",
    claims: CLAIMS,
    figures: &[("by_length", lengths)],
    run: |this, arguments| {
        let corpus = corpus(arguments, 20_000);
        let judge = |setup: &Setup, seed| judged(setup, &corpus, seed);
        this.compare_and(arguments, corpus.fingerprint(), rows(), judge, || Ok(once(&corpus)))
    },
}];

/// A corner of the page's square: attention or one fixed context, a source read in both directions or forwards, and
/// states as long as give all about the same number of parameters.
#[derive(Clone, Debug, Serialize)]
struct Setup {
    attention: bool,
    both: bool,
    hidden: usize,
}

fn rows() -> Vec<Row<Setup>> {
    [
        ("without", false, false, 179),
        ("without_both", false, true, 136),
        ("with_forward", true, false, 166),
        ("with", true, true, 128),
    ]
    .map(|(name, attention, both, hidden)| row(name, Setup { attention, both, hidden }, EPOCHS))
    .into()
}

/// How the model without a look back that reads in both directions is trained; it has no program of its own.
const FIXED: Chapter<Config<Choices>, FixedContext> = Chapter::recurrent(
    "bahdanau_fixed_context",
    ["", ""],
    |config, words, rng| FixedContext::new(&config.sizes.sizes(words), rng),
    &[],
);

fn judged(setup: &Setup, corpus: &Corpus, seed: u64) -> Result<Found> {
    let (options, hidden, words) = (options(seed), setup.hidden, corpus.words());
    let (source_words, target_words) = (words.source, words.target);
    let sizes =
        Sizes { source_words, target_words, embedding: 64, hidden, layers: 1, dropout: 0.1 };
    let none = Config::new(&sizes, Choices {});
    let mut found = match (setup.attention, setup.both) {
        (true, both) => {
            let reading = if both { Reading::BothDirections } else { Reading::Forward };
            let config = Config::new(&sizes, reading.into());
            let (mut model, _) = trained(&CHAPTER, corpus, &config, &options)?;
            let mut found = numbers(&mut model, corpus);
            if both {
                let test = &corpus.tests[0];
                found.extend(looks(&model, test));
                found.extend(masked(&model, corpus, test));
                found.extend(patched(&model, corpus, test));
            }
            found
        }
        (false, true) => numbers(&mut trained(&FIXED, corpus, &none, &options)?.0, corpus),
        (false, false) => {
            let five = &seq2seq::program::CHAPTER;
            numbers(&mut trained(five, corpus, &none, &options)?.0, corpus)
        }
    };
    found.push(("hidden".to_owned(), hidden as f64));
    Ok(found)
}

/// Numbers of the texts alone.
fn once(corpus: &Corpus) -> BTreeMap<String, Value> {
    let test = &corpus.tests[0];
    let mut found = counted(corpus);
    found.insert("articles".to_owned(), articles(test).len().into());
    found.insert("best_possible_aer".to_owned(), rounded(best_possible(test)).into());
    // How much a position far from the diagonal costs was chosen beforehand: half a sentence costs e².
    for (name, lambda, steps) in
        [("diagonal", 4.0, 0), ("model_1", 0.0, 10), ("model_1_diagonal", 4.0, 10)]
    {
        // The source's end word is the empty word; the target has none.
        let numbers = (0..corpus.training.len()).map(|i| corpus.training.numbers(i));
        let training: Vec<_> = numbers.map(|(x, y)| (x, &y[..y.len() - 1])).collect();
        let mut model = Model1::uniform(corpus.source.len(), corpus.target.len(), lambda);
        (0..steps).for_each(|_| model.step(&training));
        let mut sum = AlignmentErrors::default();
        for (number, known) in test.pairs.iter().enumerate() {
            let (x, y) = test.numbers(number);
            let weights = model.alignment(x, &y[..y.len() - 1]).remove_row(x.len() - 1);
            let known = known.alignment.as_ref().expect("links");
            sum.add(&AlignmentErrors::of(&weights, &known.sure, &known.possible));
        }
        found.insert(format!("aer_{name}"), rounded(sum.rate()).into());
    }
    found
}

/// The alignment error rate of somebody who knows the links but, as we do, must link each target word to exactly one
/// source word.
fn best_possible(part: &Part) -> f64 {
    let mut sum = AlignmentErrors::default();
    for pair in &part.pairs {
        let known = pair.alignment.as_ref().expect("links");
        let links = (0..pair.target.len()).map(|j| {
            let of = |links: &[(usize, usize)]| links.iter().find(|link| link.1 == j).copied();
            let nowhere = (pair.source.len(), j); // a word that translates nothing is linked all the same
            of(&known.sure).or(of(&known.possible)).unwrap_or(nowhere)
        });
        sum.add(&AlignmentErrors::new(&links.collect::<Vec<_>>(), &known.sure, &known.possible));
    }
    sum.rate()
}

/// What kind of word a French word is, where it is several the first of: article, noun (also names), adjective, verb
/// (without être and avoir), ne, pas, punctuation, other.
fn class_of(word: &str) -> &'static str {
    match word {
        "le" | "la" | "les" | "l'" | "un" | "une" | "des" => "article",
        "ne" | "n'" => "ne",
        "pas" => "pas",
        "." | "?" | "!" => "punctuation",
        "être" | "avoir" | "a" | "ont" | "est" | "sont" | "était" | "étaient" => "other",
        _ => CONTENT.get(word).copied().unwrap_or("other"),
    }
}

/// Every form of the lexicon's nouns, adjectives and verbs.
static CONTENT: LazyLock<HashMap<String, &'static str>> = LazyLock::new(|| {
    let mut classes = HashMap::new();
    for verb in VERBS.iter().map(|v| &v.french).chain(MODALS.iter().map(|m| &m.french)) {
        classes.extend(forms(verb).map(|form| (form, "verb")));
    }
    for number in [Number::Singular, Number::Plural] {
        for gender in [Gender::Masculine, Gender::Feminine] {
            let features = Features::third(number, gender);
            let forms = |a: &Adjective| [a.french(features), a.before_vowel(features)];
            let forms = ADJECTIVES.iter().flat_map(forms);
            classes.extend(forms.map(|form| (form.to_owned(), "adjective")));
        }
    }
    let nouns = NOUNS.iter().flat_map(|noun| noun.french).chain(NAMES.iter().map(|name| name.text));
    classes.extend(nouns.map(|form| (form.to_owned(), "noun")));
    classes.remove("");
    classes
});

fn forms(verb: &'static Conjugation) -> impl Iterator<Item = String> {
    let participles = ["", "e", "s", "es"].map(|ending| format!("{}{ending}", verb.participle));
    let finite = verb.present.iter().chain(&verb.imperfect).chain([&verb.infinitive]);
    finite.map(|form| form.to_string()).chain(participles)
}

/// For each of `n` target words the source words that it translates, possible ones included.
fn linked(known: &Alignment, n: usize) -> Vec<Vec<usize>> {
    let mut links = vec![Vec::new(); n];
    known.sure.iter().chain(&known.possible).for_each(|(j, i)| links[*i].push(*j));
    links
}

/// Where the weights lie while the references are dictated, by kind of word, in shares of the whole: on the source words
/// that a word translates, on those that only the next one translates; and how often the largest is on its own.
fn looks(model: &Bahdanau, part: &Part) -> Found {
    let mut sums: BTreeMap<&str, [f64; 4]> = BTreeMap::new();
    for (number, pair) in part.pairs.iter().enumerate() {
        let (source, target) = part.numbers(number);
        let weights = forced_alignment(model, source, target).expect("attention");
        let links = linked(pair.alignment.as_ref().expect("links"), weights.ncols());
        for (i, word) in pair.target.iter().enumerate().filter(|(i, _)| !links[*i].is_empty()) {
            let (column, own) = (weights.column(i), &links[i]);
            let next = links.get(i + 1).into_iter().flatten().filter(|j| !own.contains(j));
            let largest = (0..column.len()).max_by(|a, b| column[*a].total_cmp(&column[*b]));
            let is_own = largest.is_some_and(|j| own.contains(&j));
            let [own, next] = [own.iter().collect(), next.collect::<Vec<_>>()]
                .map(|words| words.into_iter().map(|j| f64::from(column[*j])).sum::<f64>());
            let sum = sums.entry(class_of(word)).or_default();
            let numbers = [1.0, own, next, f64::from(u8::from(is_own))];
            sum.iter_mut().zip(numbers).for_each(|(sum, x)| *sum += x);
        }
    }
    let shares = sums.into_iter().flat_map(|(class, [count, own, next, largest])| {
        [("own", own), ("next", next), ("largest", largest)]
            .map(|(name, sum)| (format!("{class}_{name}"), sum / count))
    });
    shares.collect()
}

const ARTICLES: [&str; 4] = ["le", "la", "l'", "les"];

/// An article directly before its noun, both of which translate one word: the number of the pair, where
/// the article stands in the target, and where *the* and the noun stand in the source.
struct Article {
    number: usize,
    i: usize,
    the: usize,
    noun: usize,
}

fn articles(part: &Part) -> Vec<Article> {
    let mut found = Vec::new();
    for (number, pair) in part.pairs.iter().enumerate() {
        let known = pair.alignment.as_ref().expect("links");
        let (words, links) = (&pair.target, linked(known, pair.target.len()));
        for i in 0..words.len().saturating_sub(1) {
            if !ARTICLES.contains(&words[i].as_str()) || class_of(&words[i + 1]) != "noun" {
                continue;
            }
            let the = links[i].iter().find(|j| pair.source[**j] == "the");
            if let (Some(&the), [noun]) = (the, &links[i + 1][..])
                && the != *noun
            {
                found.push(Article { number, i, the, noun: *noun });
            }
        }
    }
    found
}

/// The input of a decoder's step with another memory: annotations (c, m), the same as keys, the state of every layer.
#[derive(Clone)]
struct Seen([Matrix; 2], Vec<Matrix>);

impl Seen {
    fn of(state: &State, number: usize) -> Seen {
        let own = state.sources[number].clone();
        let part = |x: &Matrix| x.columns(own.start, own.len()).into_owned();
        let hidden = state.hidden.iter().map(|s| s.columns(number, 1).into_owned());
        Seen([part(&state.values), part(&state.keys)], hidden.collect())
    }

    /// The same without annotation `j`: the weights of the others are normalised among themselves.
    fn without(&self, j: usize) -> Seen {
        Seen(self.0.clone().map(|x| x.remove_column(j)), self.1.clone())
    }

    /// The same with annotation `j` of another reading in the place of its own.
    fn with(&self, j: usize, other: &Seen) -> Seen {
        let mut changed = self.clone();
        for (x, other) in changed.0.iter_mut().zip(&other.0) {
            x.set_column(j, &other.column(j));
        }
        changed
    }

    /// The state of one hypothesis that sees this.
    fn state(&self) -> State {
        let [values, keys] = self.0.clone().map(Arc::new);
        let hidden = self.1.iter().cloned().map(Arc::new).collect();
        State { sources: std::iter::once(0..values.ncols()).collect(), values, keys, hidden }
    }
}

/// ln p of every word at an article, when the reference was said up to there; `change` makes what is seen in the last
/// step of what was seen.
fn at_article(
    model: &Bahdanau,
    mut state: State,
    y: &[usize],
    i: usize,
    change: impl Fn(Seen) -> Seen,
) -> Matrix {
    let before = |i: usize| if i == 0 { BEGIN } else { y[i - 1] };
    (0..i).for_each(|i| drop(model.next(&mut state, &[before(i)])));
    model.next(&mut change(Seen::of(&state, 0)).state(), &[before(i)]).log_probabilities
}

/// How often the most probable of the four articles is the right one when, in the step that says it, an annotation is
/// hidden: none, that of the noun, that of *the*.
fn masked(model: &Bahdanau, corpus: &Corpus, part: &Part) -> Found {
    let (articles, ids) = (articles(part), ARTICLES.map(|word| corpus.target.id(word)));
    type Hide = fn(Seen, &Article) -> Seen;
    let masks: [(&str, Hide); 3] = [
        ("masked_nothing", |seen, _| seen),
        ("masked_noun", |seen, case| seen.without(case.noun)),
        ("masked_the", |seen, case| seen.without(case.the)),
    ];
    let shares = masks.map(|(name, hide)| {
        let right = articles.iter().filter(|case| {
            let (x, y) = part.numbers(case.number);
            let log_p = at_article(model, model.encode(&[x]), y, case.i, |seen| hide(seen, case));
            let best = ids.iter().flatten().max_by(|a, b| log_p[**a].total_cmp(&log_p[**b]));
            best == Some(&y[case.i])
        });
        (name.to_owned(), right.count() as f64 / articles.len() as f64)
    });
    shares.into()
}

/// The noun of *le* or *la* exchanged for one of the other gender, and one annotation taken from the new sentence, that
/// of the noun or that of *the*: which share of the articles becomes the other one, where a model says the right one in
/// both sentences.
fn patched(model: &Bahdanau, corpus: &Corpus, part: &Part) -> Found {
    let mut rng = rng(0);
    let (mut known, mut changed) = (0.0, [0.0; 2]);
    for case in articles(part) {
        let Some(other) = exchange(&case, corpus, part, &mut rng) else { continue };
        let (x, y) = part.numbers(case.number);
        let le = part.pairs[case.number].target[case.i] == "le";
        let [le_id, la_id] = ["le", "la"].map(|word| corpus.target.id(word).unwrap_or(0));
        let both = model.encode(&[x, &other]);
        let [old, new] = [0, 1].map(|sentence| Seen::of(&both, sentence));
        let turned = |start: &Seen| {
            let log_p = at_article(model, start.state(), y, case.i, |seen| seen);
            (log_p[la_id] > log_p[le_id]) == le
        };
        if turned(&old) || !turned(&new) {
            continue; // the model errs in one of the sentences
        }
        known += 1.0;
        for (count, j) in changed.iter_mut().zip([case.noun, case.the]) {
            *count += f64::from(u8::from(turned(&old.with(j, &new))));
        }
    }
    let [noun, the] = changed.map(|count| count / f64::max(known, 1.0));
    [("patched_known", known), ("patched_noun", noun), ("patched_the", the)]
        .map(|(name, x)| (name.to_owned(), x))
        .into()
}

/// The source of a case with a noun of the other gender, of the same class if there is one; `None`
/// where more than *le* or *la* would have to change.
fn exchange(case: &Article, corpus: &Corpus, part: &Part, rng: &mut Rng) -> Option<Vec<usize>> {
    let pair = &part.pairs[case.number];
    let before = case.i.checked_sub(1).map(|i| &pair.target[i][..]);
    let contracts = matches!(before, Some("de" | "à")); // du, au
    if !["le", "la"].contains(&pair.target[case.i].as_str()) || contracts {
        return None;
    }
    let noun = NOUNS.iter().find(|noun| {
        noun.english(Number::Singular) == pair.source[case.noun]
            && noun.french(Number::Singular) == pair.target[case.i + 1]
    })?;
    let fitting = NOUNS.iter().filter(|other| {
        let french = other.french(Number::Singular);
        let elides = french.starts_with(|c: char| "aeiouyhâàéèêîôœ".contains(c));
        other.gender != noun.gender
            && !elides
            && corpus.source.id(other.english(Number::Singular)).is_some()
            && corpus.target.id(french).is_some()
    });
    let fitting: Vec<&Noun> = fitting.collect();
    let same: Vec<&Noun> =
        fitting.iter().filter(|other| other.class == noun.class).copied().collect();
    let among = if same.is_empty() { fitting } else { same };
    let other = among[rng.random_range(0..among.len())];
    let mut source = part.numbers(case.number).0.to_vec();
    source[case.noun] = corpus.source.id(other.english(Number::Singular))?;
    Some(source)
}

/// Whether attention raises BLEU of a part by at least 20, with every seed.
fn gains(found: &Numbers, rows: [&str; 2], part: &str) -> Verdict {
    let [with, without] = rows.map(|row| (row, part));
    found.every(with, without, |with, without| with - without >= 20.0)
}

const CLAIMS: &[Expected] = &[
    ("parameters", "the four models differ in parameters by less than 2 %", |found| {
        let counts: Vec<f64> = found.each("parameters").iter().map(|x| x.mean).collect();
        let ends = counts.iter().fold((f64::MAX, 0.0_f64), |(a, b), x| (a.min(*x), b.max(*x)));
        Some(Some((ends.1 - ends.0) * 50.0 < ends.0))
    }),
    (
        "attention",
        "attention raises BLEU on the long part by at least 20, whichever way the source is read, with every seed",
        |found| {
            let both = gains(found, ["with", "without_both"], "long_bleu")?;
            Some(all_hold([both, gains(found, ["with_forward", "without"], "long_bleu")?]))
        },
    ),
    (
        "reading_with",
        "with attention, reading in both directions gives a higher BLEU on the test part than reading forwards",
        |found| found.less(("with_forward", "test_bleu"), ("with", "test_bleu")),
    ),
    (
        "reading_without",
        "without attention too, reading in both directions gives a higher BLEU on the test part than reading forwards",
        |found| found.less(("without", "test_bleu"), ("without_both", "test_bleu")),
    ),
    (
        "flat_beyond",
        "with attention the mean BLEU of 21–24 words, longer than anything in training, is at most 10 below that of 13–16",
        |found| {
            let mean = |number| Some(found.of("with", number)?.mean);
            Some(Some(mean("length_13")? - mean("length_21")? <= 10.0))
        },
    ),
    (
        "model_1",
        "the network's alignment error rate on the test part is below that of model 1",
        |found| {
            let network = &found.of("with", "test_aer")?.of_seeds;
            Some(smaller(network, &[found.once.get("aer_model_1")?.as_f64()?]))
        },
    ),
    (
        "masked",
        "without the noun's annotation the article is right less often than without that of *the*",
        |found| found.less(("with", "masked_noun"), ("with", "masked_the")),
    ),
];

fn lengths(found: &Numbers) -> Svg {
    let lines = [
        ("with", "with attention", colour::WITH_ATTENTION),
        ("without", "without", colour::WITHOUT_ATTENTION),
    ];
    by_length("BLEU by length", found, &lines)
}
