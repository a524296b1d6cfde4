//! 4.8 a word drawn

use tests::exercises::{Exercise, Kind, Wrong};

use crate::solutions;

type Choose = fn(&[f32], f32, f32) -> usize;

pub fn exercise() -> Exercise<Choose> {
    Exercise {
        number: 8,
        title: "a word drawn",
        kind: Kind::Implement,
        difficulty: 2,
        minutes: 15,
        check,
        wrong: &[
            Wrong {
                name: "the temperature multiplies",
                hint: "divided by the temperature",
                answer: |x, t, ticket| solutions::choose(x, 1.0 / t, ticket),
            },
            Wrong {
                name: "no temperature",
                hint: "temperature",
                answer: |x, _, ticket| solutions::choose(x, 1.0, ticket),
            },
            Wrong {
                name: "always the most probable",
                hint: "draw",
                answer: |x, t, _| solutions::choose(x, t.min(1e-3), 0.5),
            },
            Wrong {
                name: "probabilities divided after the softmax",
                hint: "",
                answer: |x, t, ticket| {
                    let p: Vec<f32> = x.iter().map(|x| x.exp() / t).collect();
                    let logs: Vec<f32> = p.iter().map(|p| p.ln()).collect();
                    solutions::choose(&logs, 1.0, ticket)
                },
            },
            Wrong {
                name: "exponentials of large numbers",
                hint: "overflow",
                answer: |x, t, mut ticket| {
                    let p: Vec<f32> = x.iter().map(|x| (x / t).exp()).collect();
                    let sum: f32 = p.iter().sum();
                    for (word, p) in p.iter().enumerate() {
                        if ticket < p / sum {
                            return word;
                        }
                        ticket -= p / sum;
                    }
                    0
                },
            },
            Wrong {
                name: "the last word for the last tickets",
                hint: "to no word",
                answer: |x, t, ticket| {
                    if ticket >= 1.0 { x.len() - 1 } else { solutions::choose(x, t, ticket) }
                },
            },
        ],
    }
}

fn check(choose: Choose) {
    let logits = [0.0, 1.0, 2.0, -1.0]; // 0.087, 0.237, 0.644, 0.032
    let tickets: Vec<f32> = (0..50).map(|k| (k as f32 + 0.5) / 50.0).collect();
    for temperature in [1.0, 0.5, 3.0] {
        let found: Vec<usize> =
            tickets.iter().map(|ticket| choose(&logits, temperature, *ticket)).collect();
        let right: Vec<usize> =
            tickets.iter().map(|ticket| solutions::choose(&logits, temperature, *ticket)).collect();
        if found == right {
            continue;
        }
        let other = |temperature: f32| -> Vec<usize> {
            tickets.iter().map(|ticket| solutions::choose(&logits, temperature, *ticket)).collect()
        };
        let hint = match () {
            () if found.iter().all(|word| *word == 2) => {
                "this is always the most probable word: draw, by the ticket"
            }
            () if found == other(1.0 / temperature) => "logits are divided by the temperature",
            () if found == other(1.0) => "the temperature is not used",
            () => "the words lie on the line in their order, each as long as it is probable",
        };
        panic!(
            "logits {logits:?}, temperature {temperature}, tickets 0.01, 0.03 … 0.99:\n    \
             you draw {found:?}\n    instead of {right:?}\nhint: {hint}"
        );
    }
    let large = choose(&[90.0, 100.0, 95.0], 1e-3, 0.5);
    assert!(large == 1, "logits 90, 100, 95 at 0.001: word {large}; do the exponentials overflow?");
    let low = [0.25, 0.75].map(|ticket| choose(&[-200.0, -200.0], 1.0, ticket));
    assert!(low == [0, 1], "logits −200 and −200: words {low:?}; is every exponential 0?");
    let last = choose(&[1.0, 2.0, 0.0], 1.0, 1.0);
    assert!(last == 1, "a ticket of 1 belongs to no word: the most probable is 1, not {last}");
}
