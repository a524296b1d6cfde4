//! Checkpoints of transformers: what is read whatever it is called, what is refused, what is written.

use crate::support::{
    Tensor, folder, packed, small, stirred, tensors, their_config, theirs, values,
};
use bert::interchange::{
    Parts, label_fields, linear, read_config, read_encoder, read_pretraining, table, write,
    write_pretraining,
};
use bert::{Config, Pretraining, count};
use half::{bf16, f16};
use safetensors::tensor::Dtype;
use serde_json::{Value, json};
use shared::{Linear, Matrix, Module, Visitor, rng};
use std::fs;
use std::path::Path;
use workbench::error::Result;

/// A parameter's name and value.
type Named = (String, Matrix);

fn pretraining(folder: &Path) -> Vec<Named> {
    values(&mut read_pretraining(folder).unwrap().model)
}

/// `config.json` of theirs with other fields.
fn config_with(fields: Value) -> String {
    let mut config: Value = serde_json::from_str(&their_config()).unwrap();
    for (name, value) in fields.as_object().unwrap() {
        config[name] = value.clone();
    }
    config.to_string()
}

/// What is said of a folder.
fn said<T>(folder: &Path, read: impl Fn(&Path) -> Result<T>) -> String {
    let said = read(folder).err().expect("an error").to_string();
    assert!(!said.contains(char::is_control), "{said:?}");
    said.replace(&folder.display().to_string(), "FOLDER")
}

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
    let size = "a whole number from 1 to 16777216";
    let share = "a number from 0 to below 1";
    let between = "a number between 0 and 1";
    for (fields, reason) in [
        (json!({"hidden_size": 0}), format!("`hidden_size` is 0, {size} is needed")),
        (json!({"hidden_size": -12}), format!("`hidden_size` is -12, {size} is needed")),
        (json!({"hidden_size": 12.0}), format!("`hidden_size` is 12.0, {size} is needed")),
        (json!({"hidden_size": "12"}), format!("`hidden_size` is \"12\", {size} is needed")),
        (json!({"hidden_size": null}), "`hidden_size` is missing".to_owned()),
        (
            json!({"vocab_size": u64::MAX}),
            format!("`vocab_size` is {}, {size} is needed", u64::MAX),
        ),
        (
            json!({"intermediate_size": [1]}),
            format!("`intermediate_size` is [1], {size} is needed"),
        ),
        (json!({"max_position_embeddings": 1e300}), {
            format!("`max_position_embeddings` is 1e+300, {size} is needed")
        }),
        (json!({"type_vocab_size": 0}), format!("`type_vocab_size` is 0, {size} is needed")),
        (json!({"num_hidden_layers": 4097}), {
            "`num_hidden_layers` is 4097, a whole number from 1 to 4096 is needed".to_owned()
        }),
        (json!({"num_attention_heads": 5}), {
            "`num_attention_heads` is 5, which does not divide the `hidden_size` 12".to_owned()
        }),
        (json!({"hidden_act": "gelu_new"}), {
            "`hidden_act` is \"gelu_new\", \"gelu\" is needed".to_owned()
        }),
        (json!({"hidden_act": "relu"}), "`hidden_act` is \"relu\", \"gelu\" is needed".to_owned()),
        (json!({"model_type": "roberta"}), {
            "`model_type` is \"roberta\", \"bert\" is needed".to_owned()
        }),
        (json!({"position_embedding_type": "relative_key"}), {
            "`position_embedding_type` is \"relative_key\", \"absolute\" is needed".to_owned()
        }),
        (json!({"tokenizer_class": "BertJapaneseTokenizer"}), {
            "`tokenizer_class` is \"BertJapaneseTokenizer\", \"BertTokenizer\" is needed".to_owned()
        }),
        (json!({"is_decoder": true}), "`is_decoder` is true, false is needed".to_owned()),
        (json!({"hidden_dropout_prob": 1}), {
            format!("`hidden_dropout_prob` is 1, {share} is needed")
        }),
        (json!({"attention_probs_dropout_prob": -0.5}), {
            format!("`attention_probs_dropout_prob` is -0.5, {share} is needed")
        }),
        (json!({"layer_norm_eps": 0.0}), format!("`layer_norm_eps` is 0.0, {between} is needed")),
        (
            json!({"layer_norm_eps": 1e-60}),
            format!("`layer_norm_eps` is 1e-60, {between} is needed"),
        ),
        (
            json!({"pad_token_id": 32}),
            "`pad_token_id` is 32, a piece below 32 is needed".to_owned(),
        ),
        (json!({"tie_word_embeddings": 1}), {
            "`tie_word_embeddings` is 1, true or false is needed".to_owned()
        }),
        (json!({"architectures": "x".repeat(1000)}), {
            format!("`architectures` is \"{}…, a list of names is needed", "x".repeat(39))
        }),
    ] {
        let folder = folder(&config_with(fields), &[]);
        assert_eq!(said(folder.path(), read_config), format!("FOLDER/config.json: {reason}"));
    }
    let folder = folder("{\n\"vocab_size\": 32,\n}", &[]);
    let told = "FOLDER/config.json:3: not a JSON object: trailing comma";
    assert_eq!(said(folder.path(), read_config), told);
    fs::write(folder.path().join("config.json"), "[1]").unwrap();
    assert!(
        said(folder.path(), read_config).starts_with("FOLDER/config.json:1: not a JSON object")
    );
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

    let mut odd = map.clone();
    odd.insert("more".into(), json!(names[1]));
    write(&odd);
    let told =
        "FOLDER/model-00002-of-00002.safetensors: there is no tensor `more`, as the index says";
    assert_eq!(said(folder.path(), read_encoder), told);
    odd.insert("more".into(), json!("../model.safetensors"));
    write(&odd);
    let told = "names `../model.safetensors`, which is no file beside it";
    assert_eq!(
        said(folder.path(), read_encoder),
        format!("FOLDER/model.safetensors.index.json: {told}")
    );
    write(&map);
    fs::remove_file(folder.path().join(names[1])).unwrap();
    let told = "FOLDER/model-00002-of-00002.safetensors: cannot be read: no such file or directory";
    assert_eq!(said(folder.path(), read_encoder), told);
}

fn renamed(rename: impl Fn(&str) -> String) -> Vec<Tensor> {
    let rename = |tensor: Tensor| Tensor { name: rename(&tensor.name), ..tensor };
    tensors(&theirs()).into_iter().map(rename).collect()
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

/// All of theirs are multiples of 1/64 below 2: exact in eight bits.
#[test]
fn half_precision_is_read_exactly() {
    let halved = |dtype, bytes: fn(f32) -> [u8; 2]| {
        let halve = |tensor: Tensor| {
            let bytes = tensor.numbers().into_iter().flat_map(bytes).collect();
            Tensor { dtype, bytes, ..tensor }
        };
        tensors(&theirs()).into_iter().map(halve).collect::<Vec<Tensor>>()
    };
    for tensors in [
        halved(Dtype::F16, |x| f16::from_f32(x).to_le_bytes()),
        halved(Dtype::BF16, |x| bf16::from_f32(x).to_le_bytes()),
    ] {
        let folder = folder(&their_config(), &tensors);
        assert_eq!(pretraining(folder.path()), pretraining(&theirs()));
    }
}

#[test]
fn the_encoder_is_read_below_any_head_and_alone() {
    let mut whole = read_encoder(&theirs()).unwrap();
    assert_eq!(
        whole.extra,
        [
            "cls.predictions.bias",
            "cls.predictions.transform.LayerNorm.bias",
            "cls.predictions.transform.LayerNorm.weight",
            "cls.predictions.transform.dense.bias",
            "cls.predictions.transform.dense.weight",
            "cls.seq_relationship.bias",
            "cls.seq_relationship.weight"
        ]
    );
    let config = whole.folder.config.clone();
    assert_eq!(whole.model.parameter_count() as u64, count(&config).encoder()); // and no head

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

    alone.retain(|tensor| !tensor.name.starts_with("pooler"));
    let mut read = read_encoder(folder(&their_config(), &alone).path()).unwrap();
    assert!(read.model.bert.pooler.is_none());
    whole.model.bert.pooler = None;
    assert_eq!(values(&mut read.model), values(&mut whole.model));
}

/// `BertForMaskedLM`.
#[test]
fn the_head_for_hidden_pieces_alone_is_read() {
    let masked = kept(|name| !name.contains("pooler") && !name.contains("seq_relationship"));
    let mut read = read_pretraining(folder(&their_config(), &masked).path()).unwrap();
    assert!(read.model.bert.pooler.is_none() && read.model.next.is_none());
    let mut whole = read_pretraining(&theirs()).unwrap().model;
    (whole.bert.pooler, whole.next) = (None, None);
    assert_eq!(values(&mut read.model), values(&mut whole));
}

#[test]
fn what_a_file_lacks_is_named() {
    let said = |tensors: &[Tensor]| said(folder(&their_config(), tensors).path(), read_pretraining);
    let lacks = |part: &str| said(&kept(|name| !name.contains(part)));
    let file = "FOLDER/model.safetensors";
    assert_eq!(
        lacks("seq_relationship.bias"),
        format!("{file}: there is no tensor `cls.seq_relationship.bias`")
    );
    assert_eq!(
        lacks("pooler"), // the head for pairs needs it
        format!(
            "{file}: there is no tensor `bert.pooler.dense.weight`; \
             there is no tensor `bert.pooler.dense.bias`"
        )
    );
    assert_eq!(
        lacks("cls.predictions.bias"),
        format!(
            "{file}: there is no tensor `cls.predictions.bias` or `cls.predictions.decoder.bias`"
        )
    );
    let mut wrong = tensors(&theirs());
    for tensor in &mut wrong {
        if tensor.name.contains("layer.1.output.dense.weight") {
            tensor.shape = vec![20, 12];
        }
        if tensor.name.contains("layer.1.attention.self.key.bias") {
            tensor.dtype = Dtype::I32;
        }
    }
    let layer = "bert.encoder.layer.1";
    assert_eq!(
        said(&wrong),
        format!(
            "{file}: tensor `{layer}.attention.self.key.bias` is I32, F32 or F64 or F16 or BF16 is \
             needed; tensor `{layer}.output.dense.weight` is [20, 12], [12, 20] is needed"
        )
    );
}

/// Sizes that `config.json` tells and the file does not have: refused before a model is built.
#[test]
fn sizes_that_the_file_does_not_justify_are_refused() {
    let said = |fields| {
        let folder = folder(&config_with(fields), &tensors(&theirs()));
        said(folder.path(), read_encoder)
    };
    let file = "FOLDER/model.safetensors";
    assert_eq!(
        said(json!({"vocab_size": 16_777_216})),
        format!(
            "{file}: tensor `bert.embeddings.word_embeddings.weight` is [32, 12], [16777216, 12] is needed"
        )
    );
    let told = format!("{file}: has 46 tensors, too few for the 4096 blocks of config.json");
    assert_eq!(said(json!({"num_hidden_layers": 4096})), told);
    let told = format!("{file}: has 46 tensors, too few for the 3 blocks of config.json");
    assert_eq!(said(json!({"num_hidden_layers": 3})), told);

    let folder = folder(&config_with(json!({"num_hidden_layers": 1})), &tensors(&theirs()));
    let read = read_encoder(folder.path()).unwrap();
    assert_eq!(read.extra.iter().filter(|name| name.contains("layer.1.")).count(), 16);
}

#[test]
fn the_last_layer_must_be_the_table_of_the_input() {
    let find = |tensors: &[Tensor], part: &str| {
        tensors.iter().find(|tensor| tensor.name.contains(part)).unwrap().clone()
    };
    let with = |tensors: &[Tensor], twin: &Tensor| [tensors, std::slice::from_ref(twin)].concat();
    let (file, all) = ("FOLDER/model.safetensors", tensors(&theirs()));
    let said = |tensors: &[Tensor]| said(folder(&their_config(), tensors).path(), read_pretraining);

    let name = "cls.predictions.decoder.weight".to_owned();
    let mut twin = Tensor { name, ..find(&all, "word_embeddings") };
    let read = read_pretraining(folder(&their_config(), &with(&all, &twin)).path()).unwrap();
    assert!(read.extra.is_empty());
    twin.bytes[4 * 17] ^= 1;
    assert_eq!(
        said(&with(&all, &twin)),
        format!(
            "{file}: tensor `cls.predictions.decoder.weight` is not the table of the input; such a \
             model is not built here"
        )
    );

    let name = "cls.predictions.decoder.bias".to_owned();
    let mut twin = Tensor { name, ..find(&all, "cls.predictions.bias") };
    let read = read_pretraining(folder(&their_config(), &with(&all, &twin)).path()).unwrap();
    assert!(read.extra.is_empty());
    twin.bytes[4 * 31] ^= 1;
    assert_eq!(
        said(&with(&all, &twin)),
        format!("{file}: tensors `cls.predictions.decoder.bias` and `cls.predictions.bias` differ")
    );

    let untied = folder(&config_with(json!({"tie_word_embeddings": false})), &all);
    assert_eq!(
        crate::interchange::said(untied.path(), read_pretraining),
        format!(
            "{file}: there is no tensor `cls.predictions.decoder.weight`, and config.json ties no other"
        )
    );
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

    let ours: Value = serde_json::from_slice(&fs::read(copy.join("config.json")).unwrap()).unwrap();
    let theirs: Value = serde_json::from_str(&their_config()).unwrap();
    for (name, value) in ours.as_object().unwrap() {
        match &**name {
            "attention_probs_dropout_prob" => assert_eq!(*value, 0.0), // ours has none
            "position_embedding_type" => assert_eq!(*value, "absolute"), // older versions ask for it
            name => assert_eq!(*value, theirs[name], "{name}"),
        }
    }
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

/// A head of another kind, as a later model has it.
struct Classifier {
    bert: bert::Bert,
    classifier: Linear,
}

impl Module for Classifier {
    fn visit(&mut self, visitor: &mut Visitor) {
        visitor.module("bert", &mut self.bert);
        visitor.module("classifier", &mut self.classifier);
    }
}

#[test]
fn a_model_with_another_head_is_written() {
    let (config, labels) = (small(), ["no", "maybe", "yes"]);
    let Pretraining { bert, .. } = stirred(&config, 6);
    let mut model = Classifier { bert, classifier: Linear::new(6, 3, &mut rng(7)) };
    let mut table = table(&config, Parts { pooler: true, ..Parts::default() });
    table.entries.extend(linear("classifier", "classifier", [3, 6]));
    let folder = tempfile::tempdir().unwrap();
    let name = "BertForSequenceClassification";
    write(folder.path(), None, &config, name, label_fields(&labels), &mut model, &table).unwrap();

    let mut read = read_encoder(folder.path()).unwrap();
    assert_eq!(read.folder.labels().unwrap(), labels);
    assert_eq!(read.folder.architectures, [name]);
    assert_eq!(read.extra, ["classifier.bias", "classifier.weight"]);
    assert_eq!(values(&mut read.model.bert), values(&mut model.bert));
}
