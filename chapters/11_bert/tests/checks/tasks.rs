//! Tasks made of stories: what their labels mean, and what counting words says of them.

use bert::world::Tag;
use bert::world::tasks::{
    About, Continued, Parts, Sizes, Tagged, ambiguous, continuation, tags, topic,
};
use corpora::tokenize;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::LazyLock;

const SIZES: Sizes = Sizes { train: 2_000, validation: 10, test: 1_000, noise: 0.0 };

static NEXT: LazyLock<Parts<Continued>> = LazyLock::new(|| continuation(&SIZES, 1).unwrap());
static TAGS: LazyLock<Parts<Tagged>> = LazyLock::new(|| tags(&SIZES, 1).unwrap());

/// Examples as counting sees them: the words of one text or two, and the label.
type Bags = Vec<(Vec<Vec<String>>, usize)>;

fn bags<E>(examples: &[E], of: impl Fn(&E) -> (Vec<&str>, usize)) -> Bags {
    let bag =
        |(texts, label): (Vec<&str>, usize)| (texts.into_iter().map(tokenize).collect(), label);
    examples.iter().map(|example| bag(of(example))).collect()
}

/// Naive Bayes on bags of words, add-one, the words of a second text being other words than those of the
/// first: the share of `test` it labels as given.
fn naive_bayes(train: &Bags, test: &Bags) -> f64 {
    let words = |texts: &[Vec<String>]| -> Vec<(usize, String)> {
        let marked = texts.iter().enumerate();
        marked.flat_map(|(i, text)| text.iter().map(move |word| (i, word.clone()))).collect()
    };
    let labels = train.iter().map(|(_, label)| label + 1).max().unwrap();
    let mut counts = vec![HashMap::new(); labels];
    for (texts, label) in train {
        words(texts).into_iter().for_each(|word| *counts[*label].entry(word).or_insert(0.0) += 1.0);
    }
    let types = counts.iter().flat_map(HashMap::keys).collect::<HashSet<_>>().len() as f64;
    let totals: Vec<f64> = counts.iter().map(|count| count.values().sum()).collect();
    let score = |texts: &[Vec<String>], label: usize| -> f64 {
        let p = |word| counts[label].get(&word).unwrap_or(&0.0) + 1.0;
        words(texts).into_iter().map(|word| (p(word) / (totals[label] + types)).ln()).sum()
    };
    let right = test.iter().filter(|(texts, label)| {
        let best = (0..labels).max_by(|i, j| score(texts, *i).total_cmp(&score(texts, *j)));
        best == Some(*label)
    });
    right.count() as f64 / test.len() as f64
}

/// The words that two texts share, each worth `ln(1/share)`, its share being that of all words to learn
/// from; the threshold that is best on the examples to learn from, where more words are label 0. The
/// share of `test` it labels as given.
fn words_in_common(train: &Bags, test: &Bags) -> f64 {
    let mut counts: HashMap<&str, f64> = HashMap::new();
    for word in train.iter().flat_map(|(texts, _)| texts.iter().flatten()) {
        *counts.entry(word).or_default() += 1.0;
    }
    let all: f64 = counts.values().sum();
    let sums = |part: &Bags| -> Vec<(f64, bool)> {
        let both = |texts: &[Vec<String>]| -> f64 {
            let both = texts[0].iter().filter(|word| texts[1].contains(word));
            let both: BTreeSet<&String> = both.collect();
            both.into_iter().map(|word| (all / counts.get(&**word).unwrap_or(&1.0)).ln()).sum()
        };
        part.iter().map(|(texts, label)| (both(texts), *label == 0)).collect()
    };
    let (train, test) = (sums(train), sums(test));
    let right = |part: &[(f64, bool)], least: f64| {
        part.iter().filter(|(sum, label)| (*sum >= least) == *label).count()
    };
    let best = train.iter().map(|(sum, _)| *sum).max_by_key(|sum| right(&train, *sum)).unwrap();
    right(&test, best) as f64 / test.len() as f64
}

/// The last two columns of the table in `tasks`: what counting says of texts and of pairs.
#[test]
fn counting_words_tells_as_much_as_the_table_says() {
    let sizes = Sizes { train: 300, test: 100, ..SIZES }; // it takes many stories to find a topic
    let topics = topic(&sizes, 1).unwrap();
    let of_topic = [&topics.train, &topics.test]
        .map(|part| bags(part, |one| (vec![&one.text], one.label as usize)));
    let of_next = [&NEXT.train, &NEXT.test]
        .map(|part| bags(part, |one| (vec![&one.first, &one.second], one.label as usize)));
    let shared = words_in_common(&of_next[0], &of_next[1]);
    let [of_topic, of_next] = [of_topic, of_next].map(|[train, test]| naive_bayes(&train, &test));
    println!("naive Bayes: topic {of_topic:.3}, continuation {of_next:.3}");
    println!("words in common: continuation {shared:.3}");
    assert!(of_topic > 0.9 && of_next < 0.55, "{of_topic} {of_next}");
    assert!(shared > 0.85, "{shared}");
}

#[test]
fn tags_are_those_that_context_decides() {
    let mut counts: HashMap<&str, [usize; 5]> = HashMap::new();
    for example in &TAGS.train {
        assert_eq!(example.words.len(), example.tags.len());
        for (word, tag) in example.words.iter().zip(&example.tags) {
            counts.entry(word).or_default()[*tag as usize] += 1;
        }
    }
    let commonest = |word: &str| {
        let count = counts.get(word)?;
        (0..5).max_by_key(|tag| count[*tag])
    };
    let (mut right, mut all, mut other) = ([0.0; 2], [0.0; 2], 0.0);
    for example in &TAGS.test {
        for (word, tag) in example.words.iter().zip(&example.tags) {
            let kind = usize::from(ambiguous(word));
            all[kind] += 1.0;
            right[kind] += f64::from(u8::from(commonest(word) == Some(*tag as usize)));
            other += f64::from(u8::from(*tag == Tag::Other));
        }
    }
    let total = all[0] + all[1];
    println!(
        "tags: {:.3} other; a word's commonest tag: {:.3} of all, {:.3} of the {:.3} ambiguous",
        other / total,
        (right[0] + right[1]) / total,
        right[1] / all[1],
        all[1] / total,
    );
    assert!(all[1] / total > 0.07 && right[1] / all[1] < 0.8);
}

#[test]
fn noise_is_as_much_as_stated() {
    let sizes = Sizes { train: 200, validation: 20, test: 20, noise: 0.0 };
    let noisy = Sizes { noise: 0.05, ..sizes };
    let (clean, dirty) = (topic(&sizes, 3).unwrap(), topic(&noisy, 3).unwrap());
    assert_eq!((&clean.validation, &clean.test), (&dirty.validation, &dirty.test));
    assert!(clean.train.iter().zip(&dirty.train).all(|(one, other)| one.text == other.text));
    let wrong = |one: &About, other: &About| one.label != other.label;
    let count = clean.train.iter().zip(&dirty.train).filter(|(one, other)| wrong(one, other));
    assert_eq!(count.count(), 10);
    let (clean, dirty) = (tags(&sizes, 3).unwrap(), tags(&noisy, 3).unwrap());
    let all = |part: &Parts<Tagged>| part.train.iter().flat_map(|one| one.tags.clone()).collect();
    let (clean, dirty): (Vec<Tag>, Vec<Tag>) = (all(&clean), all(&dirty));
    let wrong = clean.iter().zip(&dirty).filter(|(one, other)| one != other).count();
    assert_eq!(wrong, (0.05 * clean.len() as f64).round() as usize);
}

#[test]
fn labels_are_even_and_examples_differ() {
    let shares = |labels: Vec<usize>, kinds| -> Vec<f64> {
        let share = |kind| labels.iter().filter(|label| **label == kind).count() as f64;
        (0..kinds).map(|kind| share(kind) / labels.len() as f64).collect()
    };
    let next = shares(NEXT.train.iter().map(|one| one.label as usize).collect(), 2);
    assert!(next.iter().all(|share| (share - 1.0 / 2.0).abs() < 0.03), "{next:?}");
    let all = NEXT.train.iter().chain(&NEXT.validation).chain(&NEXT.test);
    assert_eq!(all.collect::<HashSet<_>>().len(), 3_010);
}
