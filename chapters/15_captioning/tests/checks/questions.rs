//! The answers of `questions.md`, computed.

use captioning::objective::least_even;
use tests::questions::answers;

/// The side of what one unit sees after layers of this stride, 3 × 3 each.
fn seen(strides: &[usize]) -> usize {
    let (side, _) =
        strides.iter().fold((1, 1), |(side, step), stride| (side + 2 * step, step * stride));
    side
}

#[test]
fn answers_are_those_computed() {
    assert_eq!(seen(&[2, 2, 1]), 15);
    let right = [("15a", seen(&[2, 2, 1, 1]).to_string()), ("15b", least_even(16).to_string())];
    answers(env!("CARGO_MANIFEST_DIR"), &right);
}
