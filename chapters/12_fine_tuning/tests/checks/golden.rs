//! Classifiers of transformers, read and asked: `tests/golden/fine_tuning.py`.

use bert::Tokens;
use fine_tuning::program::Tuned;
use fine_tuning::{Asks, Questions};
use shared::Ragged;
use shared::Tape;
use std::fs;
use tests::assert_close;
use tests::golden::{Golden, folder, load};

fn tokens(golden: &Golden) -> Tokens {
    let pieces = Ragged { words: golden.indices("pieces"), offsets: golden.indices("offsets") };
    Tokens { pieces, segments: golden.indices("segments") }
}

fn theirs(name: &str) -> Tuned {
    Tuned::read(&folder().join("fine_tuning").join(name)).unwrap()
}

#[test]
fn the_logits_of_sequences_are_theirs() {
    let (golden, tuned) = (load("fine_tuning"), theirs("sequences"));
    assert_eq!(tuned.labels, ["zebra", "apple", "mango"]);
    assert_eq!(tuned.model.asks(), Asks::Sequences);
    let questions = Questions::of_sequences(tokens(&golden), golden.indices("classes"));
    let logits = tuned.model.logits(&Tape::new(), &questions).value();
    assert_close!(&*logits, golden.matrix::<f32>("sequence_logits"), 1e-5);
    let loss = tuned.model.loss(&Tape::new(), &questions).scalar() / 3.0;
    assert_close!(loss, golden.scalar::<f32>("sequence_loss"), 1e-5);
}

#[test]
fn the_logits_of_words_are_theirs() {
    let (golden, tuned) = (load("fine_tuning"), theirs("words"));
    assert_eq!(tuned.labels, ["person", "animal", "place", "other"]);
    assert_eq!(tuned.model.asks(), Asks::Words);
    let (asked, answers) = (golden.indices("asked"), golden.indices("tags"));
    let questions = Questions { tokens: tokens(&golden), asked, answers };
    let logits = tuned.model.logits(&Tape::new(), &questions).value();
    assert_close!(&*logits, golden.matrix::<f32>("word_logits"), 1e-5);
    let loss = tuned.model.loss(&Tape::new(), &questions).scalar() / 7.0;
    assert_close!(loss, golden.scalar::<f32>("word_loss"), 1e-5);
}

/// What is written is what was read: the same tensors, byte for byte, and the same labels.
#[test]
fn what_is_written_is_theirs() {
    for name in ["sequences", "words"] {
        let (mut tuned, copy) = (theirs(name), tempfile::tempdir().unwrap());
        tuned.write(copy.path()).unwrap();
        let place = folder().join("fine_tuning").join(name);
        let read = |folder: &std::path::Path| -> Vec<(String, Vec<u8>)> {
            let bytes = fs::read(folder.join("model.safetensors")).unwrap();
            let file = safetensors::SafeTensors::deserialize(&bytes).unwrap();
            let mut all: Vec<_> =
                file.iter().map(|(name, view)| (name.to_owned(), view.data().to_vec())).collect();
            all.sort();
            all
        };
        assert!(read(copy.path()) == read(&place), "{name}");
        let config = |folder: &std::path::Path| -> serde_json::Value {
            serde_json::from_slice(&fs::read(folder.join("config.json")).unwrap()).unwrap()
        };
        let (ours, theirs) = (config(copy.path()), config(&place));
        for field in ["architectures", "id2label", "label2id", "hidden_size", "model_type"] {
            assert_eq!(ours[field], theirs[field], "{field}");
        }
    }
}
