//! 8.9: the loss to go.

use crate::solutions;
use tests::exercises::{Exercise, Kind, Wrong};

type LossesToGo = fn(&[f32]) -> Vec<f32>;

pub fn exercise() -> Exercise<LossesToGo> {
    Exercise {
        number: 9,
        title: "the loss to go",
        kind: Kind::Implement,
        difficulty: 1,
        minutes: 10,
        check,
        wrong: &[
            Wrong {
                name: "the whole loss for each look",
                hint: "what came before",
                answer: |losses| vec![losses.iter().sum(); losses.len()],
            },
            Wrong {
                name: "its own loss alone",
                hint: "later looks",
                answer: |losses| losses.to_vec(),
            },
            Wrong { name: "the losses so far", hint: "from the other end", answer: so_far },
            Wrong {
                name: "its own loss left out",
                hint: "its own loss counts",
                answer: |losses| {
                    let to_go = solutions::losses_to_go(losses);
                    to_go.iter().zip(losses).map(|(sum, own)| sum - own).collect()
                },
            },
            Wrong {
                name: "the mean instead of the sum",
                hint: "a sum",
                answer: |losses| {
                    let n = losses.len();
                    let to_go = solutions::losses_to_go(losses).into_iter().enumerate();
                    to_go.map(|(i, sum)| sum / (n - i) as f32).collect()
                },
            },
            Wrong {
                name: "panics without a look",
                hint: "",
                answer: |losses| {
                    assert!(!losses[0].is_nan());
                    solutions::losses_to_go(losses)
                },
            },
        ],
    }
}

fn check(losses_to_go: LossesToGo) {
    let losses = [2.0, 0.5, 0.0, 1.0];
    let (found, right) = (losses_to_go(&losses), [3.5, 1.5, 1.0, 1.0]);
    let whole = vec![3.5; 4];
    let hint = match &found {
        found if *found == right => "",
        found if *found == whole => "what came before a look is not its doing",
        found if found == &losses => "a look changes what later looks find: their losses count too",
        found if *found == so_far(&losses) => "the sum runs from the other end: what comes after",
        found if found.last() == Some(&0.0) => {
            "its own loss counts: look i answers for i, i + 1, …"
        }
        _ => "a sum, over its own loss and all later ones",
    };
    assert!(
        found == right,
        "losses_to_go({losses:?}) is {found:?}, it should be {right:?}\nhint: {hint}"
    );
    let found = losses_to_go(&[1e8, 0.25, 0.5]);
    assert!(
        found[1..] == [0.75, 0.5],
        "losses_to_go([1e8, 0.25, 0.5]) ends with {:?}",
        &found[1..]
    );
    assert_eq!(losses_to_go(&[7.0]), [7.0], "one look answers for its own loss");
    assert!(losses_to_go(&[]).is_empty(), "no look, no loss");
}

fn so_far(losses: &[f32]) -> Vec<f32> {
    losses
        .iter()
        .scan(0.0, |sum, loss| {
            *sum += loss;
            Some(*sum)
        })
        .collect()
}
