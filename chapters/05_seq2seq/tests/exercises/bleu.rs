//! 5.3: BLEU from its counts.

use crate::solutions;
use seq2seq::bleu::corpus_bleu;
use tests::exercises::{Exercise, Kind, Wrong};

type Bleu = fn([usize; 4], [usize; 4], usize, usize) -> f64;

pub fn exercise() -> Exercise<Bleu> {
    Exercise {
        number: 3,
        title: "BLEU from its counts",
        kind: Kind::Implement,
        difficulty: 1,
        minutes: 10,
        check,
        wrong: &[
            Wrong {
                name: "an arithmetic mean",
                hint: "a geometric mean",
                answer: |matches, runs, c, r| {
                    let shares: f64 = (0..4).map(|n| share(matches, runs, n)).sum();
                    penalty(c, r) * shares / 4.0
                },
            },
            Wrong {
                name: "a product without the root",
                hint: "a geometric mean",
                answer: |matches, runs, c, r| solutions::bleu(matches, runs, c, r).powi(4),
            },
            Wrong {
                name: "no penalty",
                hint: "exp(1 − 9/7)",
                answer: |matches, runs, _, _| unpunished(matches, runs),
            },
            Wrong {
                name: "c and r exchanged",
                hint: "exp(1 − 9/7)",
                answer: |matches, runs, c, r| solutions::bleu(matches, runs, r, c),
            },
            Wrong {
                name: "long candidates punished as well",
                hint: "too long is not punished",
                answer: |matches, runs, c, r| {
                    unpunished(matches, runs) * (-(1.0 - r as f64 / c as f64).abs()).exp()
                },
            },
            Wrong {
                name: "a long candidate rewarded",
                hint: "too long is not punished",
                answer: |matches, runs, c, r| {
                    unpunished(matches, runs) * (1.0 - r as f64 / c as f64).exp()
                },
            },
            Wrong {
                name: "the penalty c/r",
                hint: "exp(1 − 9/7)",
                answer: |matches, runs, c, r| {
                    unpunished(matches, runs) * (c as f64 / r as f64).min(1.0)
                },
            },
            Wrong {
                name: "a share of 0 left out",
                hint: "a share of 0",
                answer: |matches, runs, c, r| {
                    let some = (0..4).filter(|n| matches[*n] > 0);
                    let log: f64 = some.map(|n| share(matches, runs, n).ln()).sum();
                    penalty(c, r) * (log / 4.0).exp()
                },
            },
            Wrong {
                name: "nothing divided by nothing",
                hint: "no run of four",
                answer: |matches, runs, c, r| {
                    if (0..4).any(|n| share(matches, runs, n) == 0.0) {
                        return 0.0;
                    }
                    let log: f64 = (0..4).map(|n| share(matches, runs, n).ln()).sum();
                    penalty(c, r) * (log / 4.0).exp()
                },
            },
            Wrong {
                name: "in per cent",
                hint: "a perfect candidate",
                answer: |matches, runs, c, r| 100.0 * solutions::bleu(matches, runs, c, r),
            },
            Wrong {
                name: "products of whole numbers",
                hint: "", // they overflow, and that panics
                answer: |matches, runs, c, r| {
                    let [matches, runs]: [usize; 2] = [matches, runs].map(|n| n.iter().product());
                    match matches {
                        0 => 0.0,
                        _ => penalty(c, r) * (matches as f64 / runs as f64).powf(0.25),
                    }
                },
            },
        ],
    }
}

fn check(bleu: Bleu) {
    let check = |matches: [usize; 4], runs: [usize; 4], c, r, right: f64, hint: &str| {
        let found = bleu(matches, runs, c, r);
        assert!(
            (found - right).abs() < 1e-9,
            "bleu({matches:?}, {runs:?}, {c}, {r}) is {found}, not {right}\nhint: {hint}"
        );
    };
    check([7, 6, 5, 4], [7, 6, 5, 4], 7, 7, 1.0, "a perfect candidate has a BLEU of 1");
    let worked = (6.0 / 7.0 * 4.0 / 6.0 * 3.0 / 5.0 * 2.0 / 4.0_f64).powf(0.25);
    check([6, 4, 3, 2], [7, 6, 5, 4], 7, 7, worked, "a geometric mean of four shares");
    let short = (1.0 - 9.0 / 7.0_f64).exp() * worked;
    let hint = "7 words for 9: the penalty is exp(1 − 9/7)";
    check([6, 4, 3, 2], [7, 6, 5, 4], 7, 9, short, hint);
    let hint = "7 words for 5: too long is not punished here";
    check([6, 4, 3, 2], [7, 6, 5, 4], 7, 5, worked, hint);
    check([5, 2, 1, 0], [6, 5, 4, 3], 6, 6, 0.0, "a share of 0 makes the mean 0");
    check([3, 2, 1, 0], [3, 2, 1, 0], 3, 3, 0.0, "three words have no run of four to share");
    let (matches, runs) =
        ([600_000, 400_000, 300_000, 200_000], [700_000, 600_000, 500_000, 400_000]);
    let hint = "a large corpus has the same shares: divide before you multiply";
    check(matches, runs, 700_000, 700_000, worked, hint);
    let corpus = [["le chat noir dort sur le lit", "le chat noir dort sur mon grand lit"]];
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let [candidates, references] = [0, 1].map(|i| corpus.map(|pair| words(pair[i])).to_vec());
    let whole = corpus_bleu(&candidates, &references) / 100.0;
    check([6, 4, 3, 2], [7, 6, 5, 4], 7, 8, whole, "as seq2seq::bleu::corpus_bleu has it");
}

fn share(matches: [usize; 4], runs: [usize; 4], n: usize) -> f64 {
    matches[n] as f64 / runs[n] as f64
}

fn penalty(c: usize, r: usize) -> f64 {
    (1.0 - r as f64 / c as f64).min(0.0).exp()
}

fn unpunished(matches: [usize; 4], runs: [usize; 4]) -> f64 {
    solutions::bleu(matches, runs, 1, 1)
}
