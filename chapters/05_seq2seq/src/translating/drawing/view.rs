//! A page with every head of a model, on one sentence and its translation.

use super::look::{Kind, Look};
use crate::decoding::beam_within;
use crate::translating::judge::forced_alignment;
use crate::translating::training::chapter::{Chapter, Description, Heads};
use crate::translator::Translator;
use corpora::{END, Tokenizer, Vocabulary};
use workbench::viewer::{Group, State, Viewer};

/// The page of a sentence, as numbers, and of what the model makes of it by a beam of so many, which writes so
/// many words for a word; `None` of a model without attention, and of a translation without words or without an end.
pub(crate) fn viewer<C: Description, M: Translator>(
    chapter: &Chapter<C, M>,
    model: &mut M,
    vocabularies: [&Vocabulary; 2],
    tokenizer: Tokenizer,
    source: &[usize],
    (hypotheses, per_word): (usize, f64),
) -> Option<Viewer> {
    let text = |side: usize, numbers: &[usize]| {
        let words: Vec<String> = vocabularies[side].decode(numbers);
        tokenizer.detokenize(&words)
    };
    let closed = source;
    let source = &closed[..closed.len() - 1];
    let state = |model: &M| {
        let target = beam_within(model, &[closed], hypotheses, 1.0, per_word).remove(0).words;
        let groups = groups(chapter, model, vocabularies, tokenizer, [source, &target]);
        State { silenced: None, answer: text(1, &target), candidates: Vec::new(), groups }
    };
    let whole = state(model);
    let without_head = |head| {
        let ablate = chapter.heads.as_ref()?.ablate;
        let there = ablate(model, head, None);
        let found = state(model);
        ablate(model, head, Some(there));
        Some(found)
    };
    (!whole.groups.is_empty()).then(|| Viewer::new(text(0, source), whole, without_head))
}

/// The attentions on a sentence and its translation, if there are any.
fn groups<C: Description, M: Translator>(
    chapter: &Chapter<C, M>,
    model: &M,
    [known, to_write]: [&Vocabulary; 2],
    tokenizer: Tokenizer,
    [source, target]: [&[usize]; 2],
) -> Vec<Group> {
    if target.is_empty() || target.len() >= model.longest() {
        return Vec::new(); // no position is left for the end word
    }
    let closed = |numbers: &[usize]| [numbers, &[END]].concat();
    let (from, to) = (closed(source), closed(target));
    let looks = |heads: &Heads<M>| (heads.looks)(model, &from, &to);
    let mut looks = chapter.heads.as_ref().map(looks).unwrap_or_default();
    if let (true, Some(weights)) = (looks.is_empty(), forced_alignment(model, &from, &to)) {
        looks.push(Look { kind: Kind::Cross, blocks: vec![vec![weights]] });
    }
    let [read, written] = [(known, source), (to_write, target)]
        .map(|(words, numbers)| names(words, tokenizer, numbers));
    looks.iter().map(|look| group(look, &read, &written)).collect()
}

/// Words by their numbers; a piece of a word that goes on ends in a dot.
fn names(vocabulary: &Vocabulary, tokenizer: Tokenizer, numbers: &[usize]) -> Vec<String> {
    let names =
        numbers.iter().map(|number| match (vocabulary.word(*number), vocabulary.merges()) {
            (word, None) => tokenizer.shown(word),
            (piece, Some(_)) => match piece.strip_suffix(' ') {
                Some(end) => tokenizer.shown(end),
                None => format!("{}·", tokenizer.shown(piece)),
            },
        });
    names.collect()
}

fn group(look: &Look, source: &[String], target: &[String]) -> Group {
    let with = |words: &[String], one: &str| [words, &[one.to_owned()]].concat();
    let (read, written) = (with(source, "⟨end⟩"), with(target, "⟨end⟩"));
    let before = [&["⟨begin⟩".to_owned()], target].concat();
    let (names, mut queries, mut keys) = match look.kind {
        Kind::Encoder => (["encoder", "It reads", "To read"], read.clone(), read),
        Kind::Decoder => (["decoder", "It writes", "To write"], written, before),
        Kind::Cross => (["cross", "It writes", "To write"], written, read),
    };
    let (rows, columns) = look.blocks[0][0].shape();
    keys.truncate(rows); // models of one look have no weights of the end words
    queries.truncate(columns);
    Group::new(names, queries, keys, &look.blocks)
}
