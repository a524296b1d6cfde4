//! A checkpoint of transformers, read: its results and every gradient, `tests/golden/bert.py`.

use crate::support::theirs;
use bert::interchange::{Parts, read_encoder, read_pretraining, table};
use bert::{Denominators, Examples, Pretraining, Tokens};
use shared::Ragged;
use shared::{Matrix, Module, Tape};
use std::collections::HashMap;
use tests::assert_close;
use tests::golden::{Golden, load};
use workbench::parameters::Entry;

fn tokens(golden: &Golden) -> Tokens {
    let pieces = Ragged { words: golden.indices("pieces"), offsets: golden.indices("offsets") };
    Tokens { pieces, segments: golden.indices("segments") }
}

fn examples(golden: &Golden) -> Examples {
    Examples {
        tokens: tokens(golden),
        masked: golden.indices("hidden"),
        originals: golden.indices("originals"),
        follows: golden.indices("follows"),
    }
}

fn model() -> Pretraining {
    let read = read_pretraining(&theirs()).unwrap();
    assert!(read.extra.is_empty(), "{:?}", read.extra);
    read.model
}

/// The state after `k` blocks is what an encoder of `k` blocks says.
#[test]
fn the_states_of_all_blocks_and_the_pooled_vectors_are_theirs() {
    let golden = load("bert");
    let (tokens, mut bert) = (tokens(&golden), read_encoder(&theirs()).unwrap().model.bert);
    let tape = Tape::new();
    let (h, _) = bert.forward(&tape, &tokens);
    assert_close!(&*bert.pooled(h, &tokens).value(), golden.matrix::<f32>("pooled"), 1e-5);
    for blocks in (0..=2).rev() {
        bert.blocks.truncate(blocks);
        let (h, _) = bert.forward(&tape, &tokens);
        assert_close!(&*h.value(), golden.matrix::<f32>(&format!("states.{blocks}")), 1e-5);
    }
}

#[test]
fn every_head_looks_where_theirs_looks() {
    let golden = load("bert");
    let (tokens, bert) = (tokens(&golden), read_encoder(&theirs()).unwrap().model.bert);
    let (_, looked) = bert.forward(&Tape::new(), &tokens);
    assert_eq!(looked.len(), 2);
    for (block, weights) in looked.iter().enumerate() {
        assert_eq!(weights.heads(), 3);
        for (sequence, head) in (0..3).flat_map(|sequence| (0..3).map(move |head| (sequence, head)))
        {
            let name = format!("weights.{block}.{sequence}.{head}");
            assert_close!(weights.of(sequence, head), golden.matrix::<f32>(&name), 1e-6, "{name}");
        }
    }
}

#[test]
fn the_logits_of_both_heads_and_the_loss_are_theirs() {
    let golden = load("bert");
    let (tape, examples, model) = (Tape::new(), examples(&golden), model());
    let tokens = &examples.tokens;
    let (h, _) = model.bert.forward(&tape, tokens);
    let all: Vec<usize> = (0..tokens.len()).collect();
    let masked = model.masked_logits(h, &all).value();
    assert_close!(&*masked, golden.matrix::<f32>("masked_logits"), 1e-5);
    let next = model.next_logits(h, tokens).value();
    assert_close!(&*next, golden.matrix::<f32>("next_logits"), 1e-5);
    let whole = Denominators { masked: examples.masked.len(), pairs: examples.follows.len() };
    let loss = model.loss(&tape, &examples, &whole).value()[0];
    assert_close!(loss, golden.scalar::<f32>("loss"), 1e-5);
}

/// Biases of keys have no recorded gradient: it is zero, for they have no influence.
#[test]
fn every_gradient_is_theirs() {
    let golden = load("bert");
    let (tape, examples, mut model) = (Tape::new(), examples(&golden), model());
    let whole = Denominators { masked: examples.masked.len(), pairs: examples.follows.len() };
    let gradients = model.loss(&tape, &examples, &whole).backward();

    let config = bert::interchange::read_config(&theirs()).unwrap().config;
    let parts = Parts { pooler: true, masked: true, next: true };
    let entries = table(&config, parts).entries;
    let entries: HashMap<&str, &Entry> = entries.iter().map(|e| (&*e.ours, e)).collect();
    let mut compared = 0;
    model.for_each_parameter(|name, param| {
        let found = gradients.of(param).unwrap_or_else(|| panic!("{name}: no gradient"));
        if name.ends_with("w_k.bias") {
            return assert_close!(found, Matrix::zeros(12, 1), 1e-6, "{name}");
        }
        let theirs = &entries[name].theirs[0];
        let expected = golden.matrix::<f32>(&format!("gradient.{}", theirs.names[0]));
        let turned = theirs.shape.len() == 2 && !theirs.transposed; // golden files load transposed
        let expected = if turned { expected.transpose() } else { expected };
        assert_close!(found, expected, 1e-5, "{name}");
        compared += 1;
    });
    let recorded = golden.tensors().filter(|name| name.starts_with("gradient.")).count();
    assert_eq!(compared, recorded);
}
