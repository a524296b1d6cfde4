//! Tasks made of stories: their labels.

use bert::world::Tag;
use bert::world::tasks::{About, Parts, Sizes, Tagged, tags, topic};

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
