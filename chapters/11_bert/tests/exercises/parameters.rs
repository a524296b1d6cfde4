//! 11.8: where the parameters are.

use super::solutions;
use bert::{Bert, Config};
use shared::{Module, rng};
use tests::exercises::{Exercise, wrong};
use tests::expect;

type Parameters = fn(usize, usize, usize, usize, usize, usize) -> [usize; 5];

pub const EXERCISE: Exercise<Parameters> = Exercise {
    check,
    wrong: &[
        wrong("a bias of the keys changes no result, but BERT has it", |v, l, d, f, h, b| {
            but(solutions::parameters(v, l, d, f, h, b), 1, |n| n - b * d)
        }),
        wrong(
            "the heads divide the rows of one matrix and its bias among them",
            |v, l, d, f, h, b| {
                let more = b * (h - 1) * 3 * (d * d + d);
                but(solutions::parameters(v, l, d, f, h, b), 1, |n| n + more)
            },
        ),
        wrong("one more matrix, W_o with its bias, mixes the heads", |v, l, d, f, h, b| {
            but(solutions::parameters(v, l, d, f, h, b), 1, |n| n - b * (d * d + d))
        }),
        wrong(
            "positions are learned: they have a table as long as the longest sequence",
            |v, l, d, f, h, b| but(solutions::parameters(v, l, d, f, h, b), 0, |n| n - l * d),
        ),
        wrong("segments have a table of two columns", |v, l, d, f, h, b| {
            but(solutions::parameters(v, l, d, f, h, b), 0, |n| n - 2 * d)
        }),
        wrong(
            "one more normalisation stands over the sum of the embeddings",
            |v, l, d, f, h, b| but(solutions::parameters(v, l, d, f, h, b), 3, |n| n - 2 * d),
        ),
        wrong("one pooler, above the last block", |v, l, d, f, h, b| {
            but(solutions::parameters(v, l, d, f, h, b), 4, |n| n * b)
        }),
    ],
};

/// These counts with one other number.
fn but(mut counts: [usize; 5], at: usize, other: impl Fn(usize) -> usize) -> [usize; 5] {
    counts[at] = other(counts[at]);
    counts
}

/// Models are built and counted; then Base and Large, whose sums are known.
fn check(parameters: Parameters) {
    for (vocabulary, longest, width, feed_forward, heads, blocks) in
        [(17, 5, 8, 11, 4, 3), (11, 6, 4, 7, 1, 1), (11, 6, 4, 7, 2, 1), (13, 9, 6, 5, 3, 2)]
    {
        let sizes = Config { vocabulary, longest, width, feed_forward, ..Config::BASE };
        let built = counted(&Config { heads, blocks, ..sizes });
        let found = parameters(vocabulary, longest, width, feed_forward, heads, blocks);
        let sizes = format!("{vocabulary}, {longest}, {width}, {feed_forward}, {heads}, {blocks}");
        expect(found.map(|n| n as f64), built, 0.0).of(format!("parameters({sizes})")).check();
    }
    for (config, known) in [(Config::BASE, 109_482_240.0), (Config::LARGE, 335_141_888.0)] {
        let Config { vocabulary: v, width: d, feed_forward, blocks, longest, .. } = config;
        for heads in [config.heads, 1] {
            let sum: usize = parameters(v, longest, d, feed_forward, heads, blocks).iter().sum();
            let what = format!("the sum for width {d} and {heads} heads");
            expect(sum as f64, known, 0.0).of(what).check();
        }
    }
}

/// The parameters of a model, by the names they have.
fn counted(config: &Config) -> [f64; 5] {
    let mut counts = [0.0; 5];
    Bert::new(config, &mut rng(0)).for_each_parameter(|name, param| {
        let parts = ["attention", "feed_forward", "norm", "pooler"];
        let part = parts.iter().rposition(|part| name.contains(part)).map_or(0, |part| part + 1);
        counts[part] += param.value().len() as f64;
    });
    counts
}
