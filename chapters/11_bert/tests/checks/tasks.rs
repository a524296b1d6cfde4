//! Tasks made of stories: their labels and their examples.

use bert::world::Tag;
use bert::world::tasks::{About, Continued, Parts, Sizes, Tagged, continuation, tags, topic};
use std::collections::HashSet;
use std::sync::LazyLock;

const SIZES: Sizes = Sizes { train: 2_000, validation: 10, test: 1_000, noise: 0.0 };

static NEXT: LazyLock<Parts<Continued>> = LazyLock::new(|| continuation(&SIZES, 1).unwrap());

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
