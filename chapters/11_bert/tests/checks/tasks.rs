//! Tasks made of stories: what their labels mean, and what counting words says of them.

use bert::world::Tag;
use bert::world::lexicon::table;
use bert::world::tasks::{
    Example, PairExample, Parts, Relation, Sense, Sizes, Tagged, ambiguous, continuation,
    entailment, sense, tags, topic,
};
use corpora::tokenize;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::LazyLock;

const SIZES: Sizes = Sizes { train: 2_000, validation: 10, test: 1_000, noise: 0.0 };

static SENSE: LazyLock<Parts<Example>> = LazyLock::new(|| sense(&SIZES, 1).unwrap());
static PAIRS: LazyLock<Parts<PairExample>> = LazyLock::new(|| entailment(&SIZES, 1).unwrap());
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
    let (topics, next) = (topic(&sizes, 1).unwrap(), continuation(&SIZES, 1).unwrap());
    let [of_sense, of_topic, of_claims, of_next] = [
        [&SENSE.train, &SENSE.test]
            .map(|part| bags(part, |one| (vec![&one.text], one.label as usize))),
        [&topics.train, &topics.test]
            .map(|part| bags(part, |one| (vec![&one.text], one.label as usize))),
        [&PAIRS.train, &PAIRS.test]
            .map(|part| bags(part, |one| (vec![&one.first, &one.second], one.label as usize))),
        [&next.train, &next.test]
            .map(|part| bags(part, |one| (vec![&one.first, &one.second], one.label as usize))),
    ];
    let shared = words_in_common(&of_next[0], &of_next[1]);
    let shares =
        [of_sense, of_topic, of_claims, of_next].map(|[train, test]| naive_bayes(&train, &test));
    println!("naive Bayes: sense, topic, entailment, continuation {shares:.3?}");
    println!("words in common: continuation {shared:.3}");
    let [of_sense, of_topic, of_claims, of_next] = shares;
    assert!(of_sense < 0.55 && of_topic > 0.9 && of_claims < 0.39 && of_next < 0.55, "{shares:?}");
    assert!(shared > 0.85, "{shared}");
}

/// The cells of a column in both tenses, by row.
fn cells(name: &str, column: usize) -> Vec<[String; 2]> {
    let form = |token: &str, place| {
        let bare = token.split(':').next().unwrap();
        bare.split('/').nth(place).unwrap_or(bare).replace('_', " ")
    };
    let cell = |text: &str, place| {
        text.split_whitespace().map(|token| form(token, place)).collect::<Vec<_>>().join(" ")
    };
    table(name).rows.iter().map(|row| [0, 1].map(|place| cell(row[column], place))).collect()
}

/// By the text and the tables: where a sentence shows two columns of a table, they are of one row
/// when it fits, and of two when it is odd.
#[test]
fn what_fits_is_of_one_row() {
    let columns = [("jobs", 0, 3), ("jobs", 0, 1), ("paths", 0, 2), ("weather", 0, 2)];
    let mut shown = HashMap::new();
    for (name, one, other) in columns {
        let [first, second] = [one, other].map(|column| cells(name, column));
        for example in SENSE.train.iter().chain(&SENSE.test) {
            let text = format!(" {} ", tokenize(&example.text).join(" "));
            let rows = |cells: &[[String; 2]]| -> Vec<usize> {
                let has = |row: &usize| {
                    cells[*row].iter().any(|form| text.contains(&format!(" {form} ")))
                };
                (0..cells.len()).filter(has).collect()
            };
            if let ([row], [column]) = (&rows(&first)[..], &rows(&second)[..]) {
                assert_eq!(row == column, example.label == Sense::Fits, "{}", example.text);
                *shown.entry((name, other, example.label)).or_insert(0) += 1;
            }
        }
    }
    println!("{shown:?}");
    assert!(shown.len() == 8 && shown.values().all(|count| *count > 5), "{shown:?}");
}

/// By the text alone, where it says so in the claim's own form; and what is claimed of a stranger
/// is not told.
#[test]
fn claims_are_labelled_by_what_is_told() {
    let mut shown = [0; 4];
    for example in PAIRS.train.iter().chain(&PAIRS.test) {
        let first = tokenize(&example.first);
        let second = tokenize(&example.second);
        if !first.contains(&second[0]) {
            assert_eq!(example.label, Relation::Unrelated, "{example:?}");
            shown[3] += 1;
        }
        let claim = &second[..second.len() - 1];
        if first.windows(claim.len()).any(|words| words == claim) {
            assert_eq!(example.label, Relation::Entailed, "{example:?}");
            shown[0] += 1;
        }
        let [head @ .., job] = claim else { panic!("an empty claim") };
        let is_a = matches!(&*head[1], "is" | "was");
        let said = first.windows(claim.len()).find(|words| words[..head.len()] == *head);
        if let Some([.., other]) = said
            && is_a
            && other != job
            && table("jobs").rows.iter().any(|row| row[0].trim_end_matches(":h") == other)
        {
            assert_eq!(example.label, Relation::Contradicted, "{example:?}");
            shown[1] += 1;
        }
        // A house that is not in the passage is nobody's there.
        let home = claim[claim.len() - 2..].join(" ");
        if !is_a && head[1].starts_with('l') && !example.first.contains(&home) {
            assert_eq!(example.label, Relation::Contradicted, "{example:?}");
            shown[2] += 1;
        }
    }
    assert!(shown.iter().all(|count| *count > 20), "{shown:?}");
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
    let (clean, dirty) = (sense(&sizes, 3).unwrap(), sense(&noisy, 3).unwrap());
    assert_eq!((&clean.validation, &clean.test), (&dirty.validation, &dirty.test));
    assert!(clean.train.iter().zip(&dirty.train).all(|(one, other)| one.text == other.text));
    let wrong = |one: &Example, other: &Example| one.label != other.label;
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
    let sense = shares(SENSE.train.iter().map(|one| one.label as usize).collect(), 2);
    let pairs = shares(PAIRS.train.iter().map(|one| one.label as usize).collect(), 3);
    assert!(sense.iter().all(|share| (share - 1.0 / 2.0).abs() < 0.03), "{sense:?}");
    assert!(pairs.iter().all(|share| (share - 1.0 / 3.0).abs() < 0.03), "{pairs:?}");
    let all = SENSE.train.iter().chain(&SENSE.validation).chain(&SENSE.test);
    assert_eq!(all.map(|one| &one.text).collect::<HashSet<_>>().len(), 3_010);
}
