//! Inputs that careless answers fail on, each with the hint that goes with it: one list for all checks of a kind.

use nalgebra::DVector;

use crate::close::Real;

/// Scores that a softmax, or whatever stands before or behind one, must take.
pub fn scores<T: Real>() -> impl Iterator<Item = (&'static str, DVector<T>)> {
    let all: [(&'static str, &[f64]); 8] = [
        ("equal scores have equal weights", &[-0.5, -0.5, -0.5]),
        ("a single one has all of the weight, whatever its score", &[-3.0]),
        ("none of these scores is above 0: is the largest sought from 0 on?", &[-2.0, -0.5, -1.0]),
        ("e^1000 is no number: subtract the largest score first", &[999.0, 1000.0, 998.5]),
        (
            "e^-1000 is 0, and 0/0 is no number: subtract the largest score first",
            &[-1000.5, -1000.0],
        ),
        ("one score is far above the others", &[1.0, 750.0, 0.5]),
        ("one score is far below the others", &[1.0, 0.5, -5000.0, 0.75]),
        ("scores that are nearly equal have weights that are", &[0.25, 0.251, 0.249, 0.25]),
    ];
    all.into_iter()
        .map(|(hint, scores)| (hint, DVector::from_fn(scores.len(), |i, _| T::from_f64(scores[i]))))
}

/// Scores to rank items by.
pub const RANKINGS: [(&str, &[f32]); 7] = [
    ("no two scores are equal: count how many are above", &[0.5, 3.0, -1.0, 2.0]),
    ("all scores are equal", &[7.0, 7.0, 7.0, 7.0]),
    ("items in several places share a score", &[0.5, 2.0, 0.5, 3.0, 0.5, -1.0]),
    ("0 and −0 are equal", &[0.0, -1.0, -0.0, 1.0]),
    ("scores that are nearly equal are not equal", &[0.5, 0.500_000_06, 0.25]),
    ("a single item", &[-2.0]),
    ("more items are above than there is room for", &[9.0, 9.0, 8.0, 7.0, 6.0, 6.0, 6.0, 5.0, 1.0]),
];

/// Lengths of what lies side by side: sentences, stories, histories.
pub const LENGTHS: [(&str, &[usize]); 6] = [
    ("one of them alone", &[3]),
    ("they have different lengths", &[2, 3]),
    ("one of them is empty", &[4, 0, 1, 3]),
    ("the first ones are empty", &[0, 0, 2]),
    ("a long one comes last", &[1, 1, 9]),
    ("there are none", &[]),
];

/// Where each of these begins, and where the last one ends.
pub fn offsets(lengths: &[usize]) -> Vec<usize> {
    (0..=lengths.len()).map(|i| lengths[..i].iter().sum()).collect()
}
