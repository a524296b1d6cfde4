//! 12.8: the middle of what could have come.

use rand::RngExt;
use shared::rng;
use tests::exercises::{Exercise, Kind, Wrong};

pub type Interval = fn(&[bool], &[Vec<usize>], f64) -> (f64, f64);

pub fn exercise() -> Exercise<Interval> {
    Exercise {
        number: 8,
        title: "the middle of what could have come",
        kind: Kind::Implement,
        difficulty: 2,
        minutes: 20,
        check,
        wrong: &[
            Wrong {
                name: "lowest and highest of all",
                hint: "left out",
                answer: |right, drawn, _| crate::solutions::interval(right, drawn, 1.0),
            },
            Wrong {
                name: "all that is outside on one side",
                hint: "on either side",
                answer: |right, drawn, level| {
                    let level = 1.0 - 2.0 * (1.0 - level);
                    crate::solutions::interval(right, drawn, level)
                },
            },
            Wrong {
                name: "each text once",
                hint: "counts twice",
                answer: |right, drawn, level| {
                    let once = |drawn: &Vec<usize>| {
                        let mut once = drawn.clone();
                        once.sort_unstable();
                        once.dedup();
                        once
                    };
                    let drawn: Vec<_> = drawn.iter().map(once).collect();
                    crate::solutions::interval(right, &drawn, level)
                },
            },
            Wrong {
                name: "not in order",
                hint: "in order",
                answer: |right, drawn, level| {
                    let share = |drawn: &Vec<usize>| {
                        drawn.iter().filter(|i| right[**i]).count() as f64 / drawn.len() as f64
                    };
                    let outside = ((1.0 - level) / 2.0 * drawn.len() as f64).round() as usize;
                    (share(&drawn[outside]), share(&drawn[drawn.len() - 1 - outside]))
                },
            },
            Wrong {
                name: "one further at the upper end",
                hint: "on either side",
                answer: |right, drawn, level| {
                    let (low, _) = crate::solutions::interval(right, drawn, level);
                    let outside = ((1.0 - level) / 2.0 * drawn.len() as f64).round() as usize;
                    let share = |drawn: &Vec<usize>| {
                        drawn.iter().filter(|i| right[**i]).count() as f64 / drawn.len() as f64
                    };
                    let mut shares: Vec<f64> = drawn.iter().map(share).collect();
                    shares.sort_by(f64::total_cmp);
                    (low, shares[shares.len() - outside])
                },
            },
            Wrong {
                name: "rounded down",
                hint: "nearest",
                answer: |right, drawn, level| {
                    let mut shares: Vec<f64> = drawn
                        .iter()
                        .map(|d| d.iter().filter(|i| right[**i]).count() as f64 / d.len() as f64)
                        .collect();
                    shares.sort_by(f64::total_cmp);
                    let outside = ((1.0 - level) / 2.0 * shares.len() as f64) as usize;
                    (shares[outside], shares[shares.len() - 1 - outside])
                },
            },
            Wrong {
                name: "half of what is outside, rounded before",
                hint: "nearest",
                answer: |right, drawn, level| {
                    let mut shares: Vec<f64> = drawn
                        .iter()
                        .map(|d| d.iter().filter(|i| right[**i]).count() as f64 / d.len() as f64)
                        .collect();
                    shares.sort_by(f64::total_cmp);
                    let outside = ((1.0 - level) * shares.len() as f64).round() as usize / 2;
                    (shares[outside], shares[shares.len() - 1 - outside])
                },
            },
            Wrong {
                name: "as if there were one drawing fewer",
                hint: "nearest",
                answer: |right, drawn, level| {
                    let mut shares: Vec<f64> = drawn
                        .iter()
                        .map(|d| d.iter().filter(|i| right[**i]).count() as f64 / d.len() as f64)
                        .collect();
                    shares.sort_by(f64::total_cmp);
                    let outside =
                        ((1.0 - level) / 2.0 * (shares.len() - 1) as f64).round() as usize;
                    (shares[outside], shares[shares.len() - 1 - outside])
                },
            },
        ],
    }
}

fn check(interval: Interval) {
    // By hand: 1, ½, 0, ¾ in order are 0, ½, ¾, 1; a quarter on either side is left out.
    let right = [true, false, true, true];
    let drawn = [vec![0, 0, 2, 3], vec![1, 1, 0, 0], vec![1, 1, 1, 1], vec![0, 1, 2, 3]];
    let tell = |found: (f64, f64), expected: (f64, f64), call: &str| {
        let mut hint = "in order, then as many left out on either side";
        if found == (0.0, 1.0) {
            hint = "the lowest and the highest quarter are left out";
        }
        let near = (found.0 - expected.0).abs() < 1e-12 && (found.1 - expected.1).abs() < 1e-12;
        assert!(near, "{call} is {found:?}, not {expected:?}\nhint: {hint}");
    };
    tell(interval(&right, &drawn, 0.5), (0.5, 0.75), "interval(…, 0.5)");
    let twice = interval(&right, &[vec![1, 1, 1, 0]], 0.95);
    assert!(
        twice == (0.25, 0.25),
        "one drawing 1 1 1 0 gives {twice:?}\nhint: a text that was drawn twice counts twice"
    );
    // Ten drawings of ten texts, of which 7, 8, 9, 0, 1 … are the one that was right.
    let one: Vec<bool> = (0..10).map(|text| text == 0).collect();
    let tenths: Vec<Vec<usize>> =
        (0..10).map(|i| (0..10).map(|text| usize::from(text >= (i + 7) % 10)).collect()).collect();
    for (level, expected) in [(0.67, (0.2, 0.7)), (0.75, (0.1, 0.8)), (1.0, (0.0, 0.9))] {
        let found = interval(&one, &tenths, level);
        let near = (found.0 - expected.0).abs() < 1e-12 && (found.1 - expected.1).abs() < 1e-12;
        assert!(
            near,
            "of ten accuracies from 0 to 0.9 interval(…, {level}) is {found:?}, not {expected:?}\nhint: {:.2} of them on \
             either side, rounded to the nearest number",
            (1.0 - level) / 2.0 * 10.0
        );
    }
    let rng = &mut rng(1);
    let right: Vec<bool> = (0..40).map(|i| i % 3 > 0).collect();
    let drawn: Vec<Vec<usize>> =
        (0..200).map(|_| (0..40).map(|_| rng.random_range(0..40)).collect()).collect();
    for level in [0.9, 0.95, 0.99] {
        let expected = crate::solutions::interval(&right, &drawn, level);
        tell(interval(&right, &drawn, level), expected, &format!("interval(…, {level})"));
    }
}
