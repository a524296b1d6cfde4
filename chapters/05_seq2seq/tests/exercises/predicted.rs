//! 5.9: what beams of several widths return, predicted before they run.

use super::trap::Chain;
use seq2seq::decoding::beam;
use shared::Matrix;
use tests::exercises::{Exercise, unhinted};

type Predicted = fn() -> [Vec<usize>; 4];

pub const EXERCISE: Exercise<Predicted> = Exercise {
    check,
    wrong: &[
        unhinted("a wider beam finds longer sentences", || {
            [vec![1, 2], vec![1, 2], vec![1, 2], vec![1, 2, 3]]
        }),
        unhinted("the empty sentence is none", || [vec![1, 2], vec![2], vec![1, 2], vec![2]]),
        unhinted("the first word decides", || [vec![1], vec![2], vec![1, 2], vec![]]),
        unhinted("a length that is not divided by", || [vec![1, 2], vec![2], vec![2], vec![]]),
    ],
};

fn check(predicted: Predicted) {
    #[rustfmt::skip]
    let table = Matrix::from_row_slice(4, 4, &[
        0.18, 0.1, 0.52, 0.9,
        0.5,  0.0, 0.1,  0.1,
        0.32, 0.6, 0.0,  0.0,
        0.0,  0.3, 0.38, 0.0,
    ]);
    let model = Chain(table);
    let searches = [(1, 0.0), (2, 0.0), (2, 1.0), (3, 0.0)];
    for ((width, alpha), words) in searches.into_iter().zip(predicted()) {
        let found = beam(&model, &[2], width, alpha).words;
        assert!(
            words.iter().map(|word| word + 2).eq(found),
            "a beam of {width} with α = {alpha} does not return {words:?}\nhint: write down, step by \
             step, which beginnings are kept; one that has ended keeps its place"
        );
    }
}
