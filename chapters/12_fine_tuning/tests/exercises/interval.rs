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
                hint: "(1 − level)/2 of them are left out on either side",
                answer: |right, drawn, _| crate::solutions::interval(right, drawn, 1.0),
            },
            Wrong {
                name: "all that is outside on one side",
                hint: "(1 − level)/2 of them on either side, not 1 − level",
                answer: |right, drawn, level| {
                    let level = 1.0 - 2.0 * (1.0 - level);
                    crate::solutions::interval(right, drawn, level)
                },
            },
            Wrong {
                name: "each text once",
                hint: "a text that was drawn twice counts twice",
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
                hint: "the accuracies are put in order first",
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
                hint: "as many at the upper end as at the lower",
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
                hint: "rounded to the nearest, not down",
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
                hint: "first the half, then rounded",
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
                hint: "a share of the drawings, not of the gaps between them",
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
    for (right, drawn, level, by_hand) in cases() {
        let found = interval(&right, &drawn, level);
        let (low, high) = crate::solutions::interval(&right, &drawn, level);
        assert!(by_hand.is_none_or(|by_hand| near((low, high), by_hand)));
        if near(found, (low, high)) {
            continue;
        }
        // What is told fits in every case, or is the rule.
        let same = |other: Interval| {
            cases().iter().all(|(right, drawn, level, _)| {
                near(interval(right, drawn, *level), other(right, drawn, *level))
            })
        };
        let known = exercise().wrong.iter().find(|wrong| same(wrong.answer));
        let hint =
            known.map_or("in order, then as many left out on either side", |wrong| wrong.hint);
        panic!(
            "of {} drawings of {} texts each, interval(…, {level}) is {found:?}, not {:?}: {:.2} on either side, \
             rounded, are left out\nhint: {hint}",
            drawn.len(),
            drawn[0].len(),
            (low, high),
            (1.0 - level) / 2.0 * drawn.len() as f64
        );
    }
    // So little to choose from that nothing is left out.
    let (texts, one) = (vec![true, false, true, true], vec![vec![1, 1, 1, 0]]);
    let (two, all) = (vec![vec![1, 1, 0, 0], vec![1, 1, 1, 1]], (0.0, 0.5));
    for (drawn, level, right) in
        [(&one, 0.95, (0.25, 0.25)), (&one, 0.5, (0.25, 0.25)), (&two, 1.0, all)]
    {
        let found = interval(&texts, drawn, level);
        let call = format!("of {} drawings, interval(…, {level})", drawn.len());
        assert!(
            near(found, right),
            "{call} is {found:?}, not {right:?}\nhint: here none is left out"
        );
    }
}

fn near(a: (f64, f64), b: (f64, f64)) -> bool {
    (a.0 - b.0).abs() < 1e-12 && (a.1 - b.1).abs() < 1e-12
}

/// What was answered rightly, drawings, a level, and the interval where it was worked out by hand.
type Case = (Vec<bool>, Vec<Vec<usize>>, f64, Option<(f64, f64)>);

fn cases() -> Vec<Case> {
    let right = vec![true, false, true, true];
    // In order 0, ½, ¾, 1.
    let drawn = vec![vec![0, 0, 2, 3], vec![1, 1, 0, 0], vec![1, 1, 1, 1], vec![0, 1, 2, 3]];
    // Ten drawings of ten texts, of which 7, 8, 9, 0, 1 … are the one that was right.
    let one: Vec<bool> = (0..10).map(|text| text == 0).collect();
    let drawing = |i| (0..10).map(|text| usize::from(text >= (i + 7) % 10)).collect();
    let tenths: Vec<Vec<usize>> = (0..10).map(drawing).collect();
    let many: Vec<bool> = (0..40).map(|i| i % 3 > 0).collect();
    let rng = &mut rng(1);
    let random: Vec<Vec<usize>> =
        (0..200).map(|_| (0..40).map(|_| rng.random_range(0..40)).collect()).collect();
    let mut cases = vec![(right, drawn, 0.5, Some((0.5, 0.75)))];
    let levels = [(0.67, (0.2, 0.7)), (0.64, (0.2, 0.7)), (0.66, (0.2, 0.7)), (0.75, (0.1, 0.8))];
    for (level, by_hand) in levels {
        cases.push((one.clone(), tenths.clone(), level, Some(by_hand)));
    }
    cases.extend([0.9, 0.95, 0.99].map(|level| (many.clone(), random.clone(), level, None)));
    cases
}
