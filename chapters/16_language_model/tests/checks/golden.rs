//! A decoder with the block of today, against PyTorch: `tests/golden/language_model.py`; and GPT-2's folder.

use crate::line::told;
use language_model::program::load;
use language_model::{Config, Gpt, shifted};
use shared::{Matrix, Module, Ragged, Tape, rng};
use std::fs;
use std::path::{Path, PathBuf};
use tests::assert_close;
use tests::golden;

#[test]
fn logits_loss_and_gradients_are_pytorchs() {
    let golden = golden::load("language_model");
    let config = Config { width: 8, feed_forward: 17, longest: 4, ..Config::today(7) }; // 11 units behind the gate
    let mut model = Gpt::new(&config, &mut rng(0));
    let value = |name: &str| {
        let found: Matrix = golden.matrix(name); // a row of PyTorch's is a column
        let is_table = name.ends_with("words.weight") || found.ncols() == 1;
        if is_table { found } else { found.transpose() }
    };
    model.for_each_parameter(|name, param| {
        let found = value(name);
        assert_eq!(found.shape(), param.value().shape(), "{name}");
        *param.value_mut() = found;
    });
    let words = golden.indices("texts");
    let (first, second) = words.split_at(golden.indices("lengths")[0]);
    let tape = Tape::new();
    let (x, _) = model.forward(&tape, &shifted(&[first, second]).0);
    let logits = model.logits(x).value();
    assert_close!(&*logits, golden.matrix::<f32>("logits"), 1e-5);
    let loss = model.loss(&tape, &[first, second]);
    assert_close!(loss.scalar(), golden.scalar::<f32>("loss"), 1e-5);
    let gradients = loss.backward();
    model.for_each_parameter(|name, param| {
        let expected = value(&format!("d.{name}"));
        assert!(expected.amax() > 1e-3, "{name} has no influence");
        let found = gradients.of(param).unwrap_or_else(|| panic!("{name}: no gradient"));
        assert_close!(found, expected, 1e-4, "{name}");
    });
}

/// A folder of the library *transformers*, its pieces from either file: `tests/golden/gpt2.py`.
#[test]
fn gpt2_s_folder_gives_the_logits_of_transformers() {
    let texts = [
        "Paul's café: two cups, déjà vu.\n  Three more cups!",
        "the 猫 sat; the cat sat on 12 mats…",
    ];
    let golden = golden::load("gpt2");
    let older = golden_folder();
    let whole = tempfile::tempdir().unwrap();
    for name in ["config.json", "model.safetensors", "whole/tokenizer.json"] {
        let to = whole.path().join(name.rsplit('/').next().unwrap());
        fs::copy(older.join(name), to).unwrap();
    }
    for folder in [&older, whole.path()] {
        let (model, words) = load(folder).unwrap();
        for (i, text) in texts.into_iter().enumerate() {
            let pieces = words.encode(text).unwrap();
            assert_eq!(pieces, golden.indices(&format!("pieces.{i}")));
            assert_eq!(words.decode(&pieces), text);
            let tape = Tape::no_grad();
            let (x, _) = model.forward(&tape, &Ragged::new(&[&pieces]));
            let logits = model.logits(x).value();
            assert_close!(&*logits, golden.matrix::<f32>(&format!("logits.{i}")), 1e-5);
            let mut cache = model.cache();
            let last = pieces.iter().map(|piece| model.step(&[*piece], &mut cache)).last().unwrap();
            assert_close!(last, logits.columns(pieces.len() - 1, 1), 1e-5);
        }
    }
}

#[test]
fn what_is_no_gpt2_is_refused_by_name() {
    let config = fs::read_to_string(golden_folder().join("config.json")).unwrap();
    let with = |from: &str, to: &str| {
        let folder = tempfile::tempdir().unwrap();
        for name in ["model.safetensors", "vocab.json", "merges.txt"] {
            fs::copy(golden_folder().join(name), folder.path().join(name)).unwrap();
        }
        assert!(config.contains(from), "{from}");
        fs::write(folder.path().join("config.json"), config.replacen(from, to, 1)).unwrap();
        told(&folder, load(folder.path()).unwrap_err())
    };
    for (from, to, expected) in [
        ("{", "", "config.json:2: not a JSON object: "),
        ("\"gpt2\"", "\"gptj\"", "config.json: `model_type` is \"gptj\", \"gpt2\" is needed"),
        (
            "\"gelu_new\"",
            "\"swish\"",
            "config.json: `activation_function` is \"swish\", \"gelu_new\" is needed",
        ),
        (
            "\"n_head\": 3",
            "\"n_head\": 5",
            "config.json: `n_head` is 5, which does not divide the `n_embd` 12",
        ),
        (
            "\"n_layer\": 2",
            "\"n_layer\": 4000",
            "model.safetensors: there is no tensor `transformer.h.2.attn.c_attn.weight`",
        ),
        (
            "\"n_positions\": 64",
            "\"n_positions\": 1",
            "config.json: `n_positions` is 1: nothing can be written",
        ),
        (
            "\"n_positions\": 64",
            "\"n_positions\": 16000000",
            "model.safetensors: tensor `transformer.wpe.weight` ",
        ),
        (
            "\"vocab_size\": 280",
            "\"vocab_size\": 281",
            "config.json: `vocab_size` is 281, the tokenizer has 280",
        ),
        (
            "\"n_embd\": 12",
            "\"n_embd\": -1",
            "config.json: `n_embd` is -1, a whole number from 1 to 16777216 is needed",
        ),
    ] {
        let found = with(from, to);
        assert!(found.starts_with(expected), "{to}: {found}");
    }
    let empty = tempfile::tempdir().unwrap();
    fs::write(empty.path().join("config.json"), &config).unwrap();
    let found = told(&empty, load(empty.path()).unwrap_err());
    assert!(found.ends_with("has neither tokenizer.json nor vocab.json and merges.txt"), "{found}");
}

/// A vocabulary without the letter Z.
#[test]
fn a_text_that_its_pieces_cannot_spell_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["config.json", "model.safetensors", "merges.txt", "vocab.json"] {
        let text = fs::read(golden_folder().join(name)).unwrap();
        fs::write(folder.path().join(name), text).unwrap();
    }
    let path = folder.path().join("vocab.json");
    let vocabulary = fs::read_to_string(&path).unwrap();
    assert!(vocabulary.contains("\"Z\""));
    fs::write(&path, vocabulary.replace("\"Z\"", "\"ZZ\"")).unwrap();
    let (_, words) = load(folder.path()).unwrap();
    assert!(words.encode("Paul").is_ok());
    for text in ["Z", "Paul Z"] {
        let reason = words.encode(text).unwrap_err().to_string();
        assert_eq!(reason, format!("'{text}': the model's pieces cannot spell it"));
    }
}

fn golden_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/gpt2")
}
