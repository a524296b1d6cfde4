//! Sequences that repeat, and heads that copy them.

use language_model::induction::{
    Copier, Keys, induction_score, previous, previous_score, repeated,
};
use shared::{Matrix, Ragged, Tape, rng};

#[test]
fn every_token_is_followed_by_the_same() {
    for period in [2, 7, 16] {
        let text = repeated(period, 48, 32, &mut rng(period as u64));
        assert_eq!(text.len(), 48);
        assert!((period..48).all(|i| text[i] == text[i - period]));
        let mut tokens = text[..period].to_vec();
        tokens.sort();
        tokens.dedup();
        assert_eq!(tokens.len(), period);
    }
}

#[test]
fn scores_know_perfect_heads() {
    let n = 9;
    let before = Matrix::from_fn(n, n, |j, i| if j + 1 == i.max(1) { 1.0 } else { 0.0 });
    assert_eq!(previous_score(&before), 1.0);
    let after = Matrix::from_fn(n, n, |j, i| if j + 4 == i + 1 { 1.0 } else { 0.0 }); // of period 4
    assert_eq!((induction_score(&after, 4), induction_score(&after, 5)), (1.0, 0.0));
    let even = Matrix::from_element(n, n, 1.0 / n as shared::Float);
    assert!((previous_score(&even) - 1.0 / 9.0).abs() < 1e-6);
}

#[test]
fn the_first_token_of_each_sequence_has_itself_before_it() {
    assert_eq!(previous(&[0, 3, 5]), [0, 0, 1, /**/ 3, 3]);
}

/// A key of two tokens is that of the token and the one before, of no other.
#[test]
fn keys_hold_what_they_say() {
    let copier = |keys| Copier::new(6, 8, 2, 1, keys, &mut rng(1));
    let weights = |copier: &Copier, text: &[usize]| {
        copier.forward(&Tape::no_grad(), &Ragged::new(&[text])).1[0].of(0, 0).column(3).into_owned()
    };
    for (keys, changes) in [(Keys::Own, 0), (Keys::WithPrevious, 1)] {
        let copier = copier(keys);
        // The query is the last token; its own key has token 2 before it, which changes.
        let [one, other] = [[1, 2, 3, 4], [5, 2, 3, 4]].map(|text| weights(&copier, &text));
        let ratio = |w: &shared::Vector| w[2] / w[3]; // keys of tokens 3 and 4
        assert!((ratio(&one) - ratio(&other)).abs() < 1e-5);
        let second = |w: &shared::Vector| w[1] / w[3]; // the key of token 2, before which token 1 changed
        assert_eq!((second(&one) - second(&other)).abs() > 1e-3, changes == 1);
    }
}
