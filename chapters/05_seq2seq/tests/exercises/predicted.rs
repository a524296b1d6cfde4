//! 5.9: what beams of several widths return, told before they run.

use crate::trap::Chain;
use seq2seq::decoding::beam;
use shared::Matrix;
use tests::exercises::{Exercise, Kind, Wrong};

type Predicted = fn() -> [Vec<usize>; 4];

/// Widths and α, in the order asked for.
const SEARCHES: [(usize, f64); 4] = [(1, 0.0), (2, 0.0), (2, 1.0), (3, 0.0)];

pub fn exercise() -> Exercise<Predicted> {
    Exercise {
        number: 9,
        title: "predict: what a beam returns",
        kind: Kind::Predict,
        difficulty: 2,
        minutes: 15,
        check,
        wrong: &[
            Wrong {
                name: "a wider beam finds longer sentences",
                hint: "a beam of 2 with α = 0",
                answer: || [vec![1, 2], vec![1, 2], vec![1, 2], vec![1, 2, 3]],
            },
            Wrong {
                name: "the empty sentence is none",
                hint: "a beam of 3 with α = 0",
                answer: || [vec![1, 2], vec![2], vec![1, 2], vec![2]],
            },
            Wrong {
                name: "the first word decides",
                hint: "a beam of 1 with α = 0",
                answer: || [vec![1], vec![2], vec![1, 2], vec![]],
            },
            Wrong {
                name: "a length that is not divided by",
                hint: "a beam of 2 with α = 1",
                answer: || [vec![1, 2], vec![2], vec![2], vec![]],
            },
        ],
    }
}

/// The table of the exercise.
fn table() -> Matrix {
    #[rustfmt::skip]
    let p = [
        0.18, 0.1, 0.52, 0.9,
        0.5,  0.0, 0.1,  0.1,
        0.32, 0.6, 0.0,  0.0,
        0.0,  0.3, 0.38, 0.0,
    ];
    Matrix::from_row_slice(4, 4, &p)
}

fn check(predicted: Predicted) {
    let model = Chain(table());
    for ((width, alpha), words) in SEARCHES.into_iter().zip(predicted()) {
        let found = beam(&model, &[2], width, alpha);
        let right: Vec<usize> = found.words.iter().map(|word| word - 2).collect();
        assert!(
            words == right,
            "a beam of {width} with α = {alpha} does not return {words:?}\nhint: write down, step by \
             step, which beginnings are kept; one that has ended keeps its place"
        );
    }
}
