//! 11.8: where the parameters are.

use bert::{Bert, Config};
use shared::{Module, rng};
use tests::exercises::{Exercise, Kind, Wrong};

type Parameters = fn(usize, usize, usize, usize, usize, usize) -> [usize; 5];

pub fn exercise() -> Exercise<Parameters> {
    Exercise {
        number: 8,
        title: "where the parameters are",
        kind: Kind::Implement,
        difficulty: 2,
        minutes: 20,
        check,
        wrong: &[
            Wrong {
                name: "the keys without a bias",
                hint: "a bias of the keys",
                answer: |v, l, d, f, h, b| but(right(v, l, d, f, h, b), 1, |n| n - b * d),
            },
            Wrong {
                name: "every head has matrices of the whole width",
                hint: "divide the rows",
                answer: |v, l, d, f, h, b| {
                    but(right(v, l, d, f, h, b), 1, |n| n + b * (h - 1) * 3 * (d * d + d))
                },
            },
            Wrong {
                name: "the heads are not mixed",
                hint: "W_o",
                answer: |v, l, d, f, h, b| but(right(v, l, d, f, h, b), 1, |n| n - b * (d * d + d)),
            },
            Wrong {
                name: "places are sinusoids",
                hint: "places are learned",
                answer: |v, l, d, f, h, b| but(right(v, l, d, f, h, b), 0, |n| n - l * d),
            },
            Wrong {
                name: "no table of segments",
                hint: "segments",
                answer: |v, l, d, f, h, b| but(right(v, l, d, f, h, b), 0, |n| n - 2 * d),
            },
            Wrong {
                name: "no normalisation below the blocks",
                hint: "the sum of the embeddings",
                answer: |v, l, d, f, h, b| but(right(v, l, d, f, h, b), 3, |n| n - 2 * d),
            },
            Wrong {
                name: "a normalisation above the blocks as well",
                hint: "post-LN",
                answer: |v, l, d, f, h, b| but(right(v, l, d, f, h, b), 3, |n| n + 2 * d),
            },
            Wrong {
                name: "one normalisation a block",
                hint: "two normalisations",
                answer: |v, l, d, f, h, b| but(right(v, l, d, f, h, b), 3, |_| (1 + b) * 2 * d),
            },
            Wrong {
                name: "a gain alone",
                hint: "a gain and a bias",
                answer: |v, l, d, f, h, b| but(right(v, l, d, f, h, b), 3, |n| n / 2),
            },
            Wrong {
                name: "the network without biases",
                hint: "two biases",
                answer: |v, l, d, f, h, b| but(right(v, l, d, f, h, b), 2, |n| n - b * (f + d)),
            },
            Wrong {
                name: "a pooler for every block",
                hint: "one pooler",
                answer: |v, l, d, f, h, b| but(right(v, l, d, f, h, b), 4, |n| n * b),
            },
            Wrong {
                name: "a pooler without a bias",
                hint: "a bias",
                answer: |v, l, d, f, h, b| but(right(v, l, d, f, h, b), 4, |n| n - d),
            },
            Wrong {
                name: "attention without biases",
                hint: "a bias each",
                answer: |v, l, d, f, h, b| but(right(v, l, d, f, h, b), 1, |n| n - b * 4 * d),
            },
        ],
    }
}

fn right(v: usize, l: usize, d: usize, f: usize, h: usize, b: usize) -> [usize; 5] {
    crate::solutions::parameters(v, l, d, f, h, b)
}

/// With another number in one place.
fn but(mut counts: [usize; 5], at: usize, other: impl Fn(usize) -> usize) -> [usize; 5] {
    counts[at] = other(counts[at]);
    counts
}

const PARTS: [&str; 5] =
    ["tables", "attentions", "position-wise networks", "normalisations", "pooler"];

/// Models are built and counted; then Base and Large, whose sums are known.
fn check(parameters: Parameters) {
    for (vocabulary, longest, width, feed_forward, heads, blocks) in
        [(17, 5, 8, 11, 4, 3), (11, 6, 4, 7, 1, 1), (11, 6, 4, 7, 2, 1), (13, 9, 6, 5, 3, 2)]
    {
        let config = Config {
            vocabulary,
            width,
            feed_forward,
            heads,
            blocks,
            longest,
            dropout: 0.0,
            ..Config::BASE
        };
        let counts = counted(&config);
        let found = parameters(vocabulary, longest, width, feed_forward, heads, blocks);
        for (part, (found, count)) in found.into_iter().zip(counts).enumerate() {
            let off = found as i64 - count as i64;
            let hint = hint(part, off, &config);
            assert!(
                off == 0,
                "parameters({vocabulary}, {longest}, {width}, {feed_forward}, {heads}, {blocks}): {part}, \
                 the {}, are {found}, {off:+} against the {count} of the model that is built so{hint}",
                PARTS[part]
            );
        }
    }
    for (config, known) in [(Config::BASE, 109_482_240), (Config::LARGE, 335_141_888)] {
        let Config { vocabulary, width, feed_forward, heads, blocks, longest, .. } = config;
        for heads in [heads, 1] {
            let sum: usize =
                parameters(vocabulary, longest, width, feed_forward, heads, blocks).iter().sum();
            assert!(
                sum == known,
                "of width {width} with {heads} heads the sum is {sum}, not {known}"
            );
        }
    }
}

/// The parameters of a model, by the names they have.
fn counted(config: &Config) -> [usize; 5] {
    let mut counts = [0; 5];
    Bert::new(config, &mut rng(0)).for_each_parameter(|name, param| {
        let has = |part: &str| name.split('.').any(|own| own == part);
        let part = if name.contains("norm") {
            3
        } else if has("attention") {
            1
        } else if has("feed_forward") {
            2
        } else if has("pooler") {
            4
        } else {
            0
        };
        counts[part] += param.value().len();
    });
    counts
}

/// What somebody who is so far off has done.
fn hint(part: usize, off: i64, config: &Config) -> String {
    let Config { width: d, feed_forward, heads, blocks, longest, .. } = *config;
    let known: [(usize, i64, usize, &str); 13] = [
        (
            0,
            -1,
            longest * d,
            "places are learned: they have a table as long as the longest sequence",
        ),
        (0, -1, 2 * d, "segments have a table of two columns"),
        (1, -1, blocks * d, "a bias of the keys changes no result, but BERT has it"),
        (
            1,
            1,
            blocks * (heads - 1) * 3 * (d * d + d),
            "the heads divide the rows of one matrix and its bias among them",
        ),
        (1, -1, blocks * (d * d + d), "one more matrix, W_o with its bias, mixes the heads"),
        (2, -1, blocks * (feed_forward + d), "two linear maps, so two biases"),
        (3, -1, 2 * d, "one more normalisation stands over the sum of the embeddings"),
        (3, 1, 2 * d, "post-LN: every block ends with a normalisation, and above them stands none"),
        (3, -1, blocks * 2 * d, "a block has two normalisations"),
        (3, -1, (1 + 2 * blocks) * d, "a normalisation has a gain and a bias for each entry"),
        (1, -1, blocks * 4 * d, "queries, keys, values and outputs have a bias each"),
        (4, -1, d, "the pooler's linear map has a bias"),
        (4, 1, (blocks - 1) * (d * d + d), "one pooler, above the last block"),
    ];
    let mut found =
        known.iter().filter(|(of, sign, by, _)| *of == part && off == sign * *by as i64);
    found.next().map_or(String::new(), |(.., hint)| format!("\nhint: {hint}"))
}
