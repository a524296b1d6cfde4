//! 15.8: what evenness does.

use captioning::objective::least_even;
use tests::exercises::{Exercise, Kind, wrong};
use tests::expect;

type UnderEvenness = fn(usize, usize) -> (f32, f32);

pub const EXERCISE: Exercise<UnderEvenness> = Exercise {
    number: 8,
    title: "predict: what evenness does",
    kind: Kind::Predict,
    difficulty: 2,
    minutes: 10,
    check,
    wrong: &[
        wrong(
            "the term becomes 0",
            "the weights of all words sum to their number, which is not 64",
            |_, own| (own as f32 / 64.0, 0.0),
        ),
        wrong("the thing keeps its word", "nothing but evenness counts", |words, _| {
            (1.0, least_even(words))
        }),
        wrong(
            "of its share of the words",
            "each word has a weight of 1 to give, whatever the others do",
            |words, own| ((own * words) as f32 / 64.0, least_even(words)),
        ),
        wrong(
            "a place each",
            "sixteen sums of 1 and the others 0: squares like evenness better",
            |words, own| (own as f32 / 64.0, 64.0 - words as f32),
        ),
    ],
};

fn check(under_evenness: UnderEvenness) {
    for (words, own) in [(10, 6), (16, 2), (8, 9)] {
        let (share, term) = under_evenness(words, own);
        expect(vec![share, term], vec![own as f32 / 64.0, least_even(words)], 1e-4)
            .of(format!("under_evenness({words}, {own})"))
            .check();
    }
}
