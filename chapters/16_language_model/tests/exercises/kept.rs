//! 16.7: what a cache keeps.

use super::solutions;
use language_model::{Config, Gpt};
use shared::rng;
use tests::exercises::{Exercise, wrong};

type Kept = fn(usize, usize, usize, usize, usize) -> usize;

pub const EXERCISE: Exercise<Kept> = Exercise {
    check,
    wrong: &[
        wrong("keys and values", |t, b, w, h, g| solutions::kept(t, b, w, h, g) / 2),
        wrong("heads of a group share what is kept", |t, b, w, _, _| 2 * t * b * w),
        wrong("every block keeps its own", |t, b, w, h, g| solutions::kept(t, b, w, h, g) / b),
        wrong("a group keeps width/heads rows", |t, b, w, _, g| 2 * t * b * g * w),
        wrong("a group of one head for each head keeps all", |t, b, w, h, g| {
            2 * t * b * w * g / (h * h)
        }),
        wrong("one column a token, not one for each pair", |t, b, w, h, g| {
            solutions::kept(t, b, w, h, g) * t
        }),
    ],
};

/// Counted in a cache that was filled.
fn check(kept: Kept) {
    for (tokens, blocks, width, heads, groups) in
        [(3, 3, 16, 4, 2), (5, 1, 12, 2, 1), (2, 3, 8, 4, 4)]
    {
        let config = Config { width, blocks, heads, groups, feed_forward: 4, ..Config::today(6) };
        let model = Gpt::new(&config, &mut rng(0));
        let mut cache = model.cache();
        (0..tokens).for_each(|_| drop(model.step(&[1], &mut cache)));
        let columns = cache.iter().flatten();
        let counted: usize = columns.map(|kept| kept.keys.len() + kept.values.len()).sum();
        let found = kept(tokens, blocks, width, heads, groups);
        assert!(
            found == counted,
            "kept({tokens}, {blocks}, {width}, {heads}, {groups}) is {found}; a cache of {tokens} tokens has {counted} numbers"
        );
    }
}
