//! 15.8: what evenness allows.

use super::solutions;
use tests::exercises::{Exercise, wrong};
use tests::expect;

type UnderEvenness = fn(usize, usize, usize) -> f32;

pub const EXERCISE: Exercise<UnderEvenness> = Exercise {
    check,
    wrong: &[
        wrong("words may share the places out among them", |_, own, _| own as f32 / 64.0),
        wrong("the sums of all places are equal, and not 1", |_, own, naming| {
            (own as f32 / naming as f32).min(1.0)
        }),
        wrong("a share is 1 at most", |words, own, naming| {
            (words * own) as f32 / 64.0 / naming as f32
        }),
        wrong("of the weight of these words, which is their number", |words, own, naming| {
            ((words * own) as f32 / 64.0).min(naming as f32)
        }),
    ],
};

fn check(under_evenness: UnderEvenness) {
    let cases =
        [(8, 3, 4), (13, 6, 3), (10, 6, 1), (16, 2, 3), (100, 5, 2), (40, 16, 3), (12, 64, 12)];
    for (words, own, naming) in cases {
        let right = solutions::under_evenness(words, own, naming);
        expect(under_evenness(words, own, naming), right, 1e-4)
            .of(format!("under_evenness({words}, {own}, {naming})"))
            .hint(format!(
                "{words} words give {words} in all, and 64 places take equally much of it"
            ))
            .check();
    }
}
