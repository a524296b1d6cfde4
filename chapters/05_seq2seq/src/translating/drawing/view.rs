//! A page with every head of a model, on one sentence and its translation.

use super::look::{Kind, Look};
use crate::translating::judging::judge::forced_alignment;
use crate::translating::training::recipe::Recipe;
use crate::translator::Translator;
use corpora::{END, Tokenizer, Vocabulary};
use shared::Matrix;
use workbench::viewer::{Group, Viewer};

/// The page of a sentence and its translation, as numbers without their end words; `None` of a model
/// without attention, and of a translation without words.
pub(crate) fn viewer<R: Recipe>(
    model: &R::Model,
    [known, to_write]: [&Vocabulary; 2],
    tokenizer: Tokenizer,
    [source, target]: [&[usize]; 2],
) -> Option<Viewer> {
    if target.is_empty() || target.len() >= model.longest() {
        return None; // no position is left for the end word
    }
    let closed = |numbers: &[usize]| [numbers, &[END]].concat();
    let (from, to) = (closed(source), closed(target));
    let mut looks = R::looks(model, &from, &to);
    if looks.is_empty() {
        let weights: Matrix = forced_alignment(model, &from, &to)?;
        looks.push(Look { kind: Kind::Cross, blocks: vec![vec![weights]] });
    }
    let [read, written] = [(known, source), (to_write, target)]
        .map(|(words, numbers)| names(words, tokenizer, numbers));
    let groups = looks.iter().map(|look| group(look, &read, &written)).collect();
    let [read, written] =
        [known.decode(source), to_write.decode(target)].map(|w| tokenizer.detokenize(&w));
    Some(Viewer { title: format!("{read} → {written}"), groups })
}

/// Words by their numbers; a piece of a word that goes on ends in a dot.
fn names(vocabulary: &Vocabulary, tokenizer: Tokenizer, numbers: &[usize]) -> Vec<String> {
    let name = |number: &usize| match (vocabulary.word(*number), vocabulary.merges()) {
        (word, None) => tokenizer.shown(word),
        (piece, Some(_)) => match piece.strip_suffix(' ') {
            Some(end) => tokenizer.shown(end),
            None => format!("{}·", tokenizer.shown(piece)),
        },
    };
    numbers.iter().map(name).collect()
}

fn group(look: &Look, source: &[String], target: &[String]) -> Group {
    let with = |words: &[String], one: &str| [words, &[one.to_owned()]].concat();
    let (read, written) = (with(source, "⟨end⟩"), with(target, "⟨end⟩"));
    let before = [&["⟨begin⟩".to_owned()], target].concat();
    let (names, mut queries, mut keys) = match look.kind {
        Kind::Encoder => (
            ["encoder", "The words of the source:", "Where it looks while it reads"],
            read.clone(),
            read,
        ),
        Kind::Decoder => (
            ["decoder", "The words of the translation:", "Where it looks behind before it writes"],
            written,
            before,
        ),
        Kind::Cross => (
            [
                "cross",
                "The words of the translation:",
                "Where it looks in the source before it writes",
            ],
            written,
            read,
        ),
    };
    let (rows, columns) = look.blocks[0][0].shape();
    keys.truncate(rows); // models of one look have no weights of the end words
    queries.truncate(columns);
    Group::new(names, queries, keys, &look.blocks)
}
