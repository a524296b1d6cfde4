//! The answers of `questions.md`, computed.

use seq2seq::bleu::Counts;
use seq2seq::{BEGIN, Batch, END};
use tests::questions::answers;

#[test]
fn answers_are_those_computed() {
    let (source, target) = (&[3, 4, 5, END][..], &[3, 4, 5, END][..]); // le chat noir
    let losses = Batch::new(&[(source, target)], BEGIN).tokens();

    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let pairs = Counts::of(&words("le chat le chat"), &[words("le chat noir dort")]);
    let p_2 = pairs.matches[1] as f64 / pairs.runs[1] as f64;

    let (first, all) = (words("a b c d e f g h"), words("a b c d e f g h i j"));
    let bleu = Counts::of(&first, &[all]).bleu();
    let right = [losses.to_string(), format!("{p_2:.2}"), format!("{bleu:.1}")];
    let [losses, p_2, bleu] = right;
    answers(env!("CARGO_MANIFEST_DIR"), &[("5a", losses), ("5b", p_2), ("5c", bleu)]);
}
