//! Does a model need to look at *cat* to say *le*? One thing is changed, and the article watched.

use super::looks::{Class, class_of, linked};
use super::variants::{Variant, together};
use crate::Bahdanau;
use corpora::BEGIN;
use parallel::lexicon::{NOUNS, Noun};
use parallel::tree::Number;
use rand::RngExt;
use seq2seq::Translator;
use seq2seq::translating::corpus::{Corpus, Part};
use serde::{Deserialize, Serialize};
use shared::{Float, Rng, rng};
use std::collections::BTreeMap;

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
        let Some(gold) = &pair.alignment else { continue };
        let (words, links) = (&pair.target, linked(gold, pair.target.len()));
        for i in 0..words.len().saturating_sub(1) {
            let is_article = ARTICLES.contains(&words[i].as_str());
            if !is_article || class_of(&words[i + 1]) != Class::Noun {
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

/// What a model says when something cannot be looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Masked<N = f64> {
    /// How often the most probable of the four articles is the right one.
    pub right: N,
    /// The mean probability of the right one among all words.
    pub probability: N,
}

/// What cannot be looked at in the step that says the article.
pub const MASKS: [&str; 5] = ["nothing", "noun", "the", "other", "all_but_noun"];

/// The articles of a part, when an annotation is hidden in the step that says them: that of the noun,
/// that of *the*, that with the most weight of all others; or all but the noun's. Their number, the
/// mean weight on the noun while nothing is hidden, and what is said.
pub fn masked(
    model: &Bahdanau,
    corpus: &Corpus,
    part: &Part,
) -> (usize, f64, BTreeMap<String, Masked>) {
    let articles = articles(part);
    let ids = ARTICLES.map(|word| corpus.target.id(word));
    let (mut weight, mut sums) = (0.0, [Masked::<f64>::default(); MASKS.len()]);
    for case in &articles {
        let (x, y) = part.numbers(case.number);
        let mut state = model.encode(&[x]);
        for i in 0..case.i {
            model.next(&mut state, &[before(y, i)]);
        }
        let now = Variant::of(&state, 0);
        let last = before(y, case.i);
        let alpha = &model.next(&mut state, &[last]).alignments[0];
        weight += f64::from(alpha[case.noun]);
        let others = (0..x.len() - 1).filter(|j| *j != case.the && *j != case.noun);
        let other = others.max_by(|a, b| alpha[*a].total_cmp(&alpha[*b])).unwrap_or(x.len() - 1);
        let variants = [
            now.clone(),
            now.without(case.noun),
            now.without(case.the),
            now.without(other),
            now.only(case.noun),
        ];
        let next = model.next(&mut together(&variants), &[last; MASKS.len()]);
        for (sum, log_p) in sums.iter_mut().zip(next.log_probabilities.column_iter()) {
            let of = |id: &usize| log_p[*id];
            let best = ids.iter().flatten().max_by(|a, b| of(a).total_cmp(&of(b)));
            sum.right += f64::from(u8::from(best == Some(&y[case.i])));
            sum.probability += f64::from(of(&y[case.i]).exp());
        }
    }
    let n = articles.len().max(1) as f64;
    let mean = |sum: Masked| Masked { right: sum.right / n, probability: sum.probability / n };
    let masks = MASKS.iter().zip(sums).map(|(name, sum)| (name.to_string(), mean(sum)));
    (articles.len(), weight / n, masks.collect())
}

/// The word that the decoder is given to say word `i`.
fn before(y: &[usize], i: usize) -> usize {
    if i == 0 { BEGIN } else { y[i - 1] }
}

/// What comes from the sentence with the other noun.
pub const PATCHES: [&str; 6] = ["nothing", "everything", "noun", "the", "others", "start"];

/// The noun of *le* or *la* exchanged for one of the other gender, and a part of what the decoder
/// sees taken from the new sentence: its whole reading, the noun's annotation, that of *the*, those of
/// all other words, or the first state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Patched<N = f64> {
    /// The share that became the other article.
    pub changed: N,
    /// How far the logarithm of the odds of the two articles moved, as a share of how far it moves with
    /// everything.
    pub moved: N,
}

/// How many articles' nouns could be exchanged, for how many of these the model says the right article in
/// both sentences, and what becomes of the latter.
pub fn patched(
    model: &Bahdanau,
    corpus: &Corpus,
    part: &Part,
) -> (usize, usize, BTreeMap<String, Patched>) {
    let mut rng = rng(0);
    let (mut exchanged, mut known, mut sums) = (0, 0, [Patched::<f64>::default(); PATCHES.len()]);
    for case in articles(part) {
        let Some(other) = exchange(&case, corpus, part, &mut rng) else { continue };
        exchanged += 1;
        let odds = odds(model, corpus, part, &case, &other);
        if odds[0] >= 0.0 || odds[1] <= 0.0 {
            continue; // the model errs in one of the sentences
        }
        known += 1;
        for (sum, now) in sums.iter_mut().zip(odds) {
            sum.changed += f64::from(u8::from(now > 0.0));
            sum.moved += f64::from(now - odds[0]);
        }
    }
    let (count, everything) = (known.max(1) as f64, sums[1].moved.max(1e-9));
    let share = |Patched { changed, moved }| Patched {
        changed: changed / count,
        moved: moved / everything,
    };
    let patched = PATCHES.iter().zip(sums).map(|(name, sum)| (name.to_string(), share(sum)));
    (exchanged, known, patched.collect())
}

/// ln p(the other article) − ln p(the article), patch by patch.
fn odds(
    model: &Bahdanau,
    corpus: &Corpus,
    part: &Part,
    case: &Article,
    other: &[usize],
) -> [Float; PATCHES.len()] {
    let (x, y) = part.numbers(case.number);
    let state = model.encode(&[x, other]);
    let [old, new] = [0, 1].map(|s| Variant::of(&state, s));
    let rest: Vec<usize> = (0..x.len()).filter(|j| ![case.the, case.noun].contains(j)).collect();
    let start = Variant { hidden: new.hidden.clone(), ..old.clone() };
    let from_new = |j: &[usize]| old.clone().with_annotations(j, &new);
    let variants = [
        old.clone(),
        new.clone(),
        from_new(&[case.noun]),
        from_new(&[case.the]),
        from_new(&rest),
        start,
    ];
    let mut state = together(&variants);
    for i in 0..case.i {
        model.next(&mut state, &[before(y, i); PATCHES.len()]);
    }
    let next = model.next(&mut state, &[before(y, case.i); PATCHES.len()]);
    std::array::from_fn(|v| {
        let of = |word: &str| next.log_probabilities[(corpus.target.id(word).unwrap_or(0), v)];
        other_article(&part.pairs[case.number].target[case.i], of)
    })
}

/// ln p(the other one) − ln p(this article), of *le* and *la*.
fn other_article(article: &str, log_p: impl Fn(&str) -> Float) -> Float {
    match article {
        "le" => log_p("la") - log_p("le"),
        _ => log_p("le") - log_p("la"),
    }
}

/// The source of a case with a noun of the other gender, of the same class if there is one; `None`
/// where more than *le* or *la* would have to change.
fn exchange(case: &Article, corpus: &Corpus, part: &Part, rng: &mut Rng) -> Option<Vec<usize>> {
    let pair = &part.pairs[case.number];
    let (article, before) = (&pair.target[case.i], case.i.checked_sub(1).map(|i| &pair.target[i]));
    let contracts = before.is_some_and(|word| word == "de" || word == "à"); // du, au
    if !["le", "la"].contains(&article.as_str()) || contracts {
        return None;
    }
    let noun = NOUNS.iter().find(|noun| {
        noun.english(Number::Singular) == pair.source[case.noun]
            && noun.french(Number::Singular) == pair.target[case.i + 1]
    })?;
    let fits = |other: &&Noun| {
        let french = other.french(Number::Singular);
        let elides = french.starts_with(|c: char| "aeiouyhâàéèêîôœ".contains(c));
        other.gender != noun.gender
            && !elides
            && corpus.source.id(other.english(Number::Singular)).is_some()
            && corpus.target.id(french).is_some()
    };
    let fitting: Vec<&Noun> = NOUNS.iter().filter(fits).collect();
    let same: Vec<&Noun> =
        fitting.iter().filter(|other| other.class == noun.class).copied().collect();
    let among = if same.is_empty() { fitting } else { same };
    let other = among[rng.random_range(0..among.len())];
    let mut source = part.numbers(case.number).0.to_vec();
    source[case.noun] = corpus.source.id(other.english(Number::Singular))?;
    Some(source)
}
