//! The answers of `questions.md`, computed.

use bert::{Masking, Special, Tokens, cut_word};
use tests::questions::{answers, option};

#[test]
fn answers_are_those_computed() {
    let known = ["un", "una", "##able", "##b"].into_iter().zip(0..).collect();
    let cut = cut_word("unable", &known);
    let half = cut.as_ref().is_some_and(|pieces| pieces[..2] == [1, 3]);
    let cut = option([cut == Some(vec![0, 2]), half, cut.is_none()]);

    let special = Special { pad: 0, unknown: 1, cls: 2, sep: 3, mask: 4 };
    let tokens = Tokens::of(&[5, 6, 7], Some(&[5, 6, 7, 8]), &special);
    let first = tokens.segments.iter().filter(|segment| **segment == 0).count();

    let masking = Masking::default();
    let changed = masking.count(1000) as f64 * (masking.masked + masking.replaced);
    let right = [("11a", cut), ("11b", first.to_string()), ("11c", format!("{changed:.0}"))];
    answers(env!("CARGO_MANIFEST_DIR"), &right);
}
