//! `config.json` of transformers: what is read, and what is refused.

use crate::support::{config_with, folder, said, their_config, theirs};
use bert::Config;
use bert::interchange::{read_config, read_encoder};
use serde_json::{Value, json};
use std::fs;

#[test]
fn config_json_is_read() {
    let found = read_config(&theirs()).unwrap();
    let config = Config {
        vocabulary: 32,
        width: 12,
        feed_forward: 20,
        heads: 3,
        blocks: 2,
        longest: 12,
        segments: 2,
        dropout: 0.1,
        epsilon: 0.01,
        deviation: 0.02,
    };
    assert_eq!((&found.config, &found.path), (&config, &theirs()));
    assert_eq!((found.pad, found.attention_dropout, found.tied), (Some(0), 0.1, true));
    assert_eq!(found.architectures, ["BertForPreTraining"]);
    assert_eq!(found.labels().unwrap(), ["LABEL_0", "LABEL_1"]); // as the library has it
}

/// Files as old as the paper's have no more than this.
#[test]
fn what_need_not_be_there_is_the_papers() {
    let least = json!({
        "vocab_size": 30522, "hidden_size": 768, "intermediate_size": 3072, "num_hidden_layers": 12,
        "num_attention_heads": 12, "max_position_embeddings": 512, "pad_token_id": null,
        "something_else": {"of": ["no", "concern"]},
    });
    let folder = folder(&least.to_string(), &[]);
    let found = read_config(folder.path()).unwrap();
    assert_eq!(found.config, Config::BASE);
    assert_eq!((found.pad, found.tied), (None, true));
}

#[test]
fn classes_have_names() {
    let read = |fields: Value| {
        let folder = folder(&config_with(fields), &[]);
        read_config(folder.path()).map_err(|error| {
            error.to_string().replace(&folder.path().display().to_string(), "FOLDER")
        })
    };
    let labels = |fields| read(fields).unwrap().labels().unwrap().to_vec();
    let names = json!({"1": "B-PER", "0": "O", "2": 3});
    assert_eq!(labels(json!({"id2label": names})), ["O", "B-PER", "3"]);
    assert_eq!(labels(json!({"num_labels": 3})), ["LABEL_0", "LABEL_1", "LABEL_2"]);
    // Neither is looked at by the library where there is `id2label`.
    let odd = json!({"id2label": names, "label2id": {"O": "0", "X": 1}, "num_labels": 2});
    assert_eq!(labels(odd), ["O", "B-PER", "3"]);

    // Whoever asks for no labels does not hear of them.
    let refused = |fields| read(fields).unwrap().labels().unwrap_err().to_string();
    for (fields, what) in [
        (
            json!({"id2label": {"0": "O", "2": "X"}}),
            r#"`id2label` is {"0":"O","2":"X"}, an object of names, numbered from "0" is needed"#,
        ),
        (
            json!({"num_labels": 1_000_000_000_000_u64}),
            "`num_labels` is 1000000000000, a whole number from 1 to 1024 is needed",
        ),
        (
            json!({"problem_type": "regression"}),
            r#"`problem_type` is "regression", "single_label_classification" is needed"#,
        ),
    ] {
        assert!(refused(fields).ends_with(&format!("/config.json: {what}")), "{what}");
    }
}

#[test]
fn a_config_that_cannot_be_is_refused_by_its_field() {
    let size = "a whole number from 1 to 16777216 is needed";
    let share = "a number from 0 to below 1 is needed";
    let between = "a number between 0 and 1 is needed";
    for (field, value, needed) in [
        ("hidden_size", json!(0), size),
        ("hidden_size", json!(-12), size),
        ("hidden_size", json!(12.0), size),
        ("hidden_size", json!("12"), size),
        ("vocab_size", json!(u64::MAX), size),
        ("intermediate_size", json!([1]), size),
        ("max_position_embeddings", json!(1e300), size),
        ("type_vocab_size", json!(0), size),
        ("num_hidden_layers", json!(4097), "a whole number from 1 to 4096 is needed"),
        ("num_attention_heads", json!(5), "which does not divide the `hidden_size` 12"),
        ("hidden_act", json!("gelu_new"), "\"gelu\" is needed"),
        ("model_type", json!("roberta"), "\"bert\" is needed"),
        ("position_embedding_type", json!("relative_key"), "\"absolute\" is needed"),
        ("tokenizer_class", json!("BertJapaneseTokenizer"), "\"BertTokenizer\" is needed"),
        ("is_decoder", json!(true), "false is needed"),
        ("hidden_dropout_prob", json!(1), share),
        ("attention_probs_dropout_prob", json!(-0.5), share),
        ("layer_norm_eps", json!(0.0), between),
        ("layer_norm_eps", json!(1e-60), between),
        ("pad_token_id", json!(32), "a piece below 32 is needed"),
        ("tie_word_embeddings", json!(1), "true or false is needed"),
        ("architectures", json!("x"), "a list of names is needed"),
    ] {
        let folder = folder(&config_with(json!({field: value})), &[]);
        let told = said(folder.path(), read_config);
        assert_eq!(told, format!("FOLDER/config.json: `{field}` is {value}, {needed}"));
    }
    let folder = folder(&config_with(json!({"hidden_size": null})), &[]);
    let told = "FOLDER/config.json: `hidden_size` is missing";
    assert_eq!(said(folder.path(), read_config), told);
    fs::write(folder.path().join("config.json"), "{\n\"vocab_size\": 32,\n}").unwrap();
    let told = "FOLDER/config.json:3: not a JSON object: trailing comma";
    assert_eq!(said(folder.path(), read_config), told);
    fs::remove_file(folder.path().join("config.json")).unwrap();
    let told = "FOLDER/config.json: is not there: no model, or one that was not written to its end";
    assert_eq!(said(folder.path(), read_encoder), told);
}

#[test]
fn what_stands_in_the_place_of_parameters_is_told() {
    let folder = folder(&their_config(), &[]);
    let place = folder.path().join("model.safetensors");
    let told = |what: &str| format!("FOLDER/model.safetensors: {what}");
    for (bytes, what) in [
        (
            "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n",
            "is a pointer of Git LFS, not the file itself: fetch that with `git lfs pull`",
        ),
        ("<!DOCTYPE html>\n<html>", "is a page of HTML, not the file itself: download that again"),
    ] {
        fs::write(&place, bytes).unwrap();
        assert_eq!(said(folder.path(), read_encoder), told(what));
    }
    fs::remove_file(&place).unwrap();
    assert_eq!(said(folder.path(), read_encoder), told("is not there"));
    for (name, kind) in [
        ("onnx/model.onnx", "ONNX"),
        ("tf_model.h5", "TensorFlow's"),
        ("pytorch_model.bin", "PyTorch's"),
    ] {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "").unwrap();
        let what = format!("`{name}` ({kind}) is not read: save the model as safetensors");
        assert_eq!(said(folder.path(), read_encoder), told(&format!("is not there; {what}")));
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("nowhere", &place).unwrap();
        assert_eq!(said(folder.path(), read_encoder), told("is a link that leads nowhere"));
        let file = folder.path().join("config.json"); // named where its folder is meant
        assert!(said(&file, read_encoder).ends_with("cannot be read: not a directory"));
    }
}
