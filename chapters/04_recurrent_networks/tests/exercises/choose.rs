//! 4.8 a word drawn

use super::solutions;
use tests::exercises::{Exercise, wrong};
use tests::hard;

pub type Choose = fn(&[f32], f32, f32) -> usize;

pub const EXERCISE: Exercise<Choose> = Exercise {
    check,
    wrong: &[
        wrong("the temperature divides logits", |x, t, ticket| {
            solutions::choose(x, 1.0 / t, ticket)
        }),
        wrong("the temperature is not used", |x, _, ticket| solutions::choose(x, 1.0, ticket)),
        wrong("no maximum: draw, by the ticket", |x, t, _| solutions::choose(x, t.min(1e-3), 0.5)),
        wrong("do exponentials overflow?", |x, t, mut ticket| {
            let p: Vec<f32> = x.iter().map(|x| (x / t).exp()).collect();
            let sum: f32 = p.iter().sum();
            for (word, p) in p.iter().enumerate() {
                if ticket < p / sum {
                    return word;
                }
                ticket -= p / sum;
            }
            0
        }),
        wrong("1 is no word's: take the most probable", |x, t, ticket| {
            if ticket >= 1.0 { x.len() - 1 } else { solutions::choose(x, t, ticket) }
        }),
    ],
};

fn check(choose: Choose) {
    let logits = [0.0, 1.0, 2.0, -1.0]; // 0.087, 0.237, 0.644, 0.032
    let many: Vec<f32> = (0..50).map(|k| (k as f32 + 0.5) / 50.0).collect();
    let large: Vec<Vec<f32>> =
        hard::scores::<f32>().map(|(_, x)| (x / 100.0).as_slice().to_vec()).collect();
    let hard = large.iter().map(|logits| (&logits[..], 0.01, &[0.0, 0.1, 0.3, 0.6, 0.9][..]));
    for (logits, temperature, tickets) in [
        (&logits[..], 1.0, &many[..]),
        (&logits, 0.5, &many),
        (&logits, 3.0, &many),
        (&[90.0, 100.0, 95.0], 1e-3, &[0.5]),
        (&[1.0, 2.0, 0.0], 1.0, &[1.0]),
    ]
    .into_iter()
    .chain(hard)
    {
        let drawn = |f: Choose| -> Vec<usize> {
            tickets.iter().map(|ticket| f(logits, temperature, *ticket)).collect()
        };
        let (found, right) = (drawn(choose), drawn(solutions::choose));
        assert!(
            found == right,
            "logits {logits:?}, temperature {temperature}: you draw {found:?}\n    instead of {right:?}\n    with \
             the tickets {tickets:?}"
        );
    }
}
