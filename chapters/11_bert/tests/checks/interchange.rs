//! Checkpoints of transformers: what is read whatever it is called, what is refused, what is written.

use crate::support::{
    Tensor, config_with, folder, packed, said, small, stirred, tensors, their_config, theirs,
    values,
};
use bert::Config;
use bert::interchange::{read_encoder, read_pretraining, write_pretraining};
use safetensors::tensor::Dtype;
use serde_json::{Value, json};
use shared::Matrix;
use std::fs;
use std::path::Path;

/// A parameter's name and value.
type Named = (String, Matrix);

fn pretraining(folder: &Path) -> Vec<Named> {
    values(&mut read_pretraining(folder).unwrap().model)
}

/// Parameters in two files and an index are those of one file.
#[test]
fn shards_are_read_by_their_index() {
    let all = tensors(&theirs());
    let folder = folder(&their_config(), &[]);
    fs::remove_file(folder.path().join("model.safetensors")).unwrap();
    let names = ["model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"];
    let mut map = serde_json::Map::new();
    for (name, half) in names.iter().zip(all.chunks(all.len().div_ceil(2))) {
        fs::write(folder.path().join(name), packed(half)).unwrap();
        map.extend(half.iter().map(|tensor| (tensor.name.clone(), json!(name))));
    }
    let index = folder.path().join("model.safetensors.index.json");
    let write = |map: &serde_json::Map<String, Value>| {
        fs::write(&index, json!({"metadata": {}, "weight_map": map}).to_string()).unwrap();
    };
    write(&map);
    assert_eq!(pretraining(folder.path()), pretraining(&theirs()));

    for (name, told) in [(names[1], "no tensor `more`"), ("../odd", "names `../odd`, which is no")]
    {
        let mut odd = map.clone();
        odd.insert("more".into(), json!(name));
        write(&odd);
        let said = said(folder.path(), read_encoder);
        assert!(said.contains(told), "{said}");
    }
    write(&map);
    fs::remove_file(folder.path().join(names[1])).unwrap();
    let told = "FOLDER/model-00002-of-00002.safetensors: cannot be read: no such file or directory";
    assert_eq!(said(folder.path(), read_encoder), told);
}

fn renamed(rename: impl Fn(&str) -> String) -> Vec<Tensor> {
    let theirs = tensors(&theirs()).into_iter();
    theirs.map(|tensor| Tensor { name: rename(&tensor.name), ..tensor }).collect()
}

fn kept(keep: impl Fn(&str) -> bool) -> Vec<Tensor> {
    tensors(&theirs()).into_iter().filter(|tensor| keep(&tensor.name)).collect()
}

#[test]
fn older_names_and_lacking_prefixes_are_read() {
    let config = their_config();
    let older = renamed(|name| {
        let name = name.replace("LayerNorm.weight", "LayerNorm.gamma");
        name.replace("LayerNorm.bias", "LayerNorm.beta")
    });
    assert!(older.iter().filter(|tensor| tensor.name.ends_with("gamma")).count() == 6);
    assert_eq!(pretraining(folder(&config, &older).path()), pretraining(&theirs()));

    let bare = renamed(|name| name.strip_prefix("bert.").unwrap_or(name).to_owned());
    assert_eq!(pretraining(folder(&config, &bare).path()), pretraining(&theirs()));

    let bias = renamed(|name| name.replace("predictions.bias", "predictions.decoder.bias"));
    assert_eq!(pretraining(folder(&config, &bias).path()), pretraining(&theirs()));
}

#[test]
fn the_encoder_is_read_below_any_head_and_alone() {
    let mut whole = read_encoder(&theirs()).unwrap();
    assert_eq!(whole.extra.len(), 7);
    assert!(whole.extra.iter().all(|name| name.starts_with("cls.")), "{:?}", whole.extra);

    let mut alone = kept(|name| name.starts_with("bert."));
    for tensor in &mut alone {
        tensor.name = tensor.name.replacen("bert.", "", 1);
    }
    let places = (0..12_i64).flat_map(|place| place.to_le_bytes()).collect();
    let name = "embeddings.position_ids".to_owned();
    alone.push(Tensor { name, dtype: Dtype::I64, shape: vec![1, 12], bytes: places });
    alone.push(Tensor::single("classifier.weight", &[2, 12], &[0.5; 24]));
    let alone_in_a_folder = folder(&their_config(), &alone);
    for read in [read_encoder, read_pretraining] {
        let mut read = read(alone_in_a_folder.path()).unwrap();
        assert_eq!(values(&mut read.model), values(&mut whole.model));
        assert_eq!(read.extra, ["classifier.weight"]);
    }
}

#[test]
fn what_a_file_lacks_is_named() {
    let lacking = kept(|name| !name.contains("pooler")); // the head for pairs needs it
    assert_eq!(
        said(folder(&their_config(), &lacking).path(), read_pretraining),
        "FOLDER/model.safetensors: there is no tensor `bert.pooler.dense.weight`; \
         there is no tensor `bert.pooler.dense.bias`"
    );
}

/// Sizes that `config.json` names and the file does not have: refused before a model is built.
#[test]
fn sizes_that_the_file_does_not_justify_are_refused() {
    let said = |fields| {
        let folder = folder(&config_with(fields), &tensors(&theirs()));
        said(folder.path(), read_encoder)
    };
    let file = "FOLDER/model.safetensors";
    let told = said(json!({"vocab_size": 16_777_216}));
    assert!(told.ends_with("is [32, 12], [16777216, 12] is needed"), "{told}");
    let told = format!("{file}: has 46 tensors, too few for the 4096 blocks of config.json");
    assert_eq!(said(json!({"num_hidden_layers": 4096})), told);
    let folder = folder(&config_with(json!({"num_hidden_layers": 1})), &tensors(&theirs()));
    let read = read_encoder(folder.path()).unwrap();
    assert_eq!(read.extra.iter().filter(|name| name.contains("layer.1.")).count(), 16);
}

#[test]
fn the_last_layer_must_be_the_table_of_the_input() {
    let all = tensors(&theirs());
    let read = |tensors: &[Tensor]| read_pretraining(folder(&their_config(), tensors).path());
    for (part, name, told) in [
        ("word_embeddings", "cls.predictions.decoder.weight", "is not the table of the input"),
        (
            "cls.predictions.bias",
            "cls.predictions.decoder.bias",
            "and `cls.predictions.bias` differ",
        ),
    ] {
        let twin = all.iter().find(|tensor| tensor.name.contains(part)).unwrap().clone();
        let mut with = [&all[..], &[Tensor { name: name.to_owned(), ..twin }]].concat();
        assert!(read(&with).unwrap().extra.is_empty());
        with.last_mut().unwrap().bytes[4 * 17] ^= 1;
        let said = read(&with).unwrap_err().to_string();
        assert!(said.contains(name) && said.contains(told), "{said}");
    }
    let untied = folder(&config_with(json!({"tie_word_embeddings": false})), &all);
    let told = "there is no tensor `cls.predictions.decoder.weight`, and config.json ties no other";
    assert!(said(untied.path(), read_pretraining).ends_with(told));
    read_encoder(untied.path()).unwrap();
}

/// Name by name, byte by byte.
#[test]
fn what_was_read_is_written_as_it_was() {
    let mut read = read_pretraining(&theirs()).unwrap();
    let copy = tempfile::tempdir().unwrap();
    let copy = copy.path().join("new/folder");
    write_pretraining(&copy, None, &mut read.model, &read.folder.config).unwrap();
    assert_eq!(tensors(&copy), tensors(&theirs()));
}

#[test]
fn models_of_any_parts_are_read_as_they_were_written() {
    let folder = tempfile::tempdir().unwrap();
    for (pooler, next) in [(true, true), (true, false), (false, false)] {
        let config = Config { dropout: 0.3, epsilon: 1e-7, deviation: 0.04, ..small() };
        let mut model = stirred(&config, 5);
        if !pooler {
            model.bert.pooler = None;
        }
        if !next {
            model.next = None;
        }
        write_pretraining(folder.path(), None, &mut model, &config).unwrap();
        let mut read = read_pretraining(folder.path()).unwrap();
        assert_eq!(read.folder.config, config);
        assert_eq!(values(&mut read.model), values(&mut model));
        let name = if next { "BertForPreTraining" } else { "BertForMaskedLM" };
        assert_eq!(read.folder.architectures, [name]);
    }
}
