//! What can be predicted without a network.

use super::data::{Data, Example};
use super::table::Form;
use crate::{NaiveBayes, WordsInCommon, most_frequent};
use corpora::tokenize;
use std::collections::HashMap;

pub fn majority(data: &Data) -> Vec<Vec<usize>> {
    let answers = data.training.iter().flat_map(|example| example.answers.iter().copied());
    let class = most_frequent(data.labels.len(), answers);
    data.test.iter().map(|example| vec![class; example.answers.len()]).collect()
}

/// The answers to the test of who counts words. Of texts: naive Bayes, where words of the second text
/// of a pair are others than those of the first. Of words: the most frequent tag of each, and of all
/// words where one was never seen.
pub fn bag_of_words(data: &Data) -> Vec<Vec<usize>> {
    if data.form == Form::Words {
        return by_frequent_tags(data);
    }
    let words = |example: &Example| -> Vec<String> {
        let texts = example.texts.iter().map(|text| tokenize(text)).enumerate();
        let marked =
            texts.flat_map(|(i, own)| own.into_iter().map(move |word| format!("{i} {word}")));
        marked.collect()
    };
    let bayes = NaiveBayes::new(data.labels.len(), &counted(data, words));
    data.test.iter().map(|example| vec![bayes.class(&words(example))]).collect()
}

/// The answers to the test of who sees, of two texts, the words that both have; none of other tasks.
pub fn words_in_common(data: &Data) -> Option<Vec<Vec<usize>>> {
    if data.form != Form::Pair {
        return None;
    }
    let words = |example: &Example| [0, 1].map(|i| tokenize(&example.texts[i]));
    let common = WordsInCommon::new(data.labels.len(), &counted(data, words));
    Some(data.test.iter().map(|example| vec![common.class(&words(example))]).collect())
}

/// The words of every example to learn from, and its class.
fn counted<W>(data: &Data, words: impl Fn(&Example) -> W) -> Vec<(W, usize)> {
    data.training.iter().map(|example| (words(example), example.answers[0])).collect()
}

fn by_frequent_tags(data: &Data) -> Vec<Vec<usize>> {
    let classes = data.labels.len();
    let mut tags: HashMap<String, Vec<usize>> = HashMap::new();
    for example in &data.training {
        for (word, tag) in example.texts.iter().zip(&example.answers) {
            tags.entry(word.to_lowercase()).or_default().push(*tag);
        }
    }
    let other = most_frequent(classes, tags.values().flatten().copied());
    let tag = |word: &String| match tags.get(&word.to_lowercase()) {
        Some(tags) => most_frequent(classes, tags.iter().copied()),
        None => other,
    };
    data.test.iter().map(|example| example.texts.iter().map(tag).collect()).collect()
}
