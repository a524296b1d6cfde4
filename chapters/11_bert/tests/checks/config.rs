//! `config.json` of transformers: what is read, and what is refused.

use crate::support::{config_with, folder, said, their_config, theirs};
use bert::Config;
use bert::interchange::{read_config, read_encoder};
use serde_json::{Value, json};
use std::fs;

/// Files as old as the paper's have no more than this.
#[test]
fn what_need_not_be_there_is_the_papers() {
    let least = json!({
        "vocab_size": 30522, "hidden_size": 768, "intermediate_size": 3072, "num_hidden_layers": 12,
        "num_attention_heads": 12, "max_position_embeddings": 512, "pad_token_id": null,
        "something_else": {"of": ["no", "concern"]},
    });
    let found = read_config(folder(&least.to_string(), &[]).path()).unwrap();
    assert_eq!((&found.config, found.tied), (&Config::BASE, true));
    let theirs = read_config(&theirs()).unwrap();
    assert_eq!((theirs.config.width, theirs.config.dropout), (12, 0.1));
    assert_eq!(theirs.architectures, ["BertForPreTraining"]);
    assert_eq!(theirs.labels().unwrap(), ["LABEL_0", "LABEL_1"]); // as the library has it
}

#[test]
fn classes_have_names() {
    let read = |fields: Value| read_config(folder(&config_with(fields), &[]).path()).unwrap();
    let labels = |fields| read(fields).labels().unwrap().to_vec();
    let names = json!({"1": "B-PER", "0": "O", "2": 3});
    assert_eq!(labels(json!({"num_labels": 3})), ["LABEL_0", "LABEL_1", "LABEL_2"]);
    // Neither is looked at by the library where there is `id2label`.
    let odd = json!({"id2label": names, "label2id": {"O": "0", "X": 1}, "num_labels": 2});
    assert_eq!(labels(odd), ["O", "B-PER", "3"]);

    // Whoever asks for no labels does not hear of them.
    for (fields, what) in [
        (json!({"id2label": {"0": "O", "2": "X"}}), "an object of names, numbered from \"0\""),
        (json!({"num_labels": 1_000_000_000_000_u64}), "a whole number from 1 to 1024"),
        (json!({"problem_type": "regression"}), "\"single_label_classification\""),
    ] {
        let refused = read(fields).labels().unwrap_err().to_string();
        assert!(refused.ends_with(&format!("{what} is needed")), "{refused}");
    }
}

#[test]
fn a_config_that_cannot_be_is_refused_by_its_field() {
    let size = "a whole number from 1 to 16777216 is needed";
    for (field, value, needed) in [
        ("hidden_size", json!(0), size),
        ("hidden_size", json!(12.0), size),
        ("vocab_size", json!(u64::MAX), size),
        ("intermediate_size", json!([1]), size),
        ("num_hidden_layers", json!(4097), "a whole number from 1 to 4096 is needed"),
        ("num_attention_heads", json!(5), "which does not divide the `hidden_size` 12"),
        ("hidden_act", json!("gelu_new"), "\"gelu\" is needed"),
        ("model_type", json!("roberta"), "\"bert\" is needed"),
        ("position_embedding_type", json!("relative_key"), "\"absolute\" is needed"),
        ("tokenizer_class", json!("BertJapaneseTokenizer"), "\"BertTokenizer\" is needed"),
        ("is_decoder", json!(true), "false is needed"),
        ("hidden_dropout_prob", json!(1), "a number from 0 to below 1 is needed"),
        ("layer_norm_eps", json!(1e-60), "a number between 0 and 1 is needed"),
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

/// What stands in the place of parameters is named.
#[test]
fn parameters_of_another_kind_are_named() {
    let folder = folder(&their_config(), &[]);
    fs::remove_file(folder.path().join("model.safetensors")).unwrap();
    let told = "FOLDER/model.safetensors: is not there";
    assert_eq!(said(folder.path(), read_encoder), told);
    fs::write(folder.path().join("tf_model.h5"), "").unwrap();
    let what = "`tf_model.h5` (TensorFlow's) is not read: save the model as safetensors";
    assert_eq!(said(folder.path(), read_encoder), format!("{told}; {what}"));
}
