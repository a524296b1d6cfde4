//! The answers of `questions.md`, computed.

use bert::{Bert, Config, Special};
use fine_tuning::{Asks, Classifier, NaiveBayes, read_words};
use shared::{AdamW, Optimizer, Tape, rng};
use tests::questions::{answers, option};

const SPECIAL: Special = Special { pad: 0, unknown: 1, cls: 2, sep: 3, mask: 4 };

/// Whether a step moves the encoder's first matrix, and whether everything in it gets smaller.
fn moved(freeze: bool) -> [bool; 2] {
    let small = Config { vocabulary: 20, width: 12, blocks: 1, ..Config::BASE };
    let bert = Bert::new(&small, &mut rng(0));
    let mut model = Classifier::new(bert, &small, Asks::Words, 2, &mut rng(1));
    model.freeze_encoder(freeze);
    let questions = read_words(&[vec![7], vec![8, 9]], vec![0, 1], &SPECIAL);
    let before = model.bert.embeddings.words.weight.value().clone();
    let gradients = model.loss(&Tape::new(), &questions).backward();
    AdamW::new(0.1, |_| 0.01).step(&mut model, &gradients.into());
    let after = model.bert.embeddings.words.weight.value();
    [before != *after, before.iter().zip(after).all(|(before, after)| after.abs() < before.abs())]
}

#[test]
fn answers_are_those_computed() {
    let words = [vec![7], vec![8, 9, 10], vec![11, 12]];
    let column = read_words(&words, vec![0, 1, 0], &SPECIAL).asked[2];

    let [moves, shrinks] = moved(true);
    assert!(moved(false)[0], "a step that moves nothing");
    let examples = [("warm soup", 0), ("warm rain", 1), ("cold rain", 1)];
    let examples = examples.map(|(text, class)| (text.split(' ').collect(), class));
    let class = NaiveBayes::new(2, &examples).class(&["soup", "rain"]);
    let frozen = option([!moves, moves && shrinks, moves && !shrinks]);
    let class = option([class == 0, class == 1, class > 1]);
    let right = [("12a", column.to_string()), ("12b", frozen), ("12c", class)];
    answers(env!("CARGO_MANIFEST_DIR"), &right);
}
