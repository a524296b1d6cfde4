//! Chapter 11's trained BERT, which predicts whatever piece of a sentence a reader hides.

use crate::packed;
use bert::{Config, Pretraining, Special, Tokens, cut_word};
use shared::{Float, Tape};
use std::cell::RefCell;

thread_local! {
    static FILLER: RefCell<Option<Filler>> = const { RefCell::new(None) };
}

pub(crate) struct Filler {
    pub(crate) pieces: Vec<String>,
    pub(crate) config: Config,
    pub(crate) model: Pretraining,
}

/// The special pieces, as the program numbers them.
pub(crate) const SPECIAL: Special = Special { pad: 0, unknown: 1, cls: 2, sep: 3, mask: 4 };

/// How many letters the pieces of the vocabulary have, with a break of line after each; these letters; then the
/// [`packed`] parameters of the model that `cargo run --release -p bert` trains → nothing.
pub fn filler(numbers: &[Float]) -> Vec<Float> {
    FILLER.set(Some(Filler::read(numbers)));
    Vec::new()
}

impl Filler {
    pub(crate) fn read(numbers: &[Float]) -> Filler {
        let (text, parameters) = numbers[1..].split_at(numbers[0] as usize);
        let pieces: Vec<String> = letters(text).lines().map(str::to_owned).collect();
        let sizes = Config { width: 128, feed_forward: 256, heads: 8, blocks: 2, ..Config::BASE };
        let config = Config { vocabulary: pieces.len(), longest: 64, dropout: 0.0, ..sizes };
        let mut model = Pretraining::new(&config, &mut shared::rng(0));
        packed::unpack(&mut model, parameters);
        Filler { pieces, config, model }
    }
}

pub(crate) fn letters(codes: &[Float]) -> String {
    codes.iter().filter_map(|code| char::from_u32(*code as u32)).collect()
}

/// A word's letters → its pieces, or none if it cannot be cut.
pub fn cut(numbers: &[Float]) -> Vec<Float> {
    FILLER.with_borrow(|filler| {
        let pieces = filler.as_ref().expect("a filler").pieces.iter();
        let known = pieces.map(String::as_str).zip(0..).collect();
        let cut = cut_word(&letters(numbers), &known).unwrap_or_default();
        cut.into_iter().map(|piece| piece as Float).collect()
    })
}

/// Which piece is hidden, then all pieces of a text → the five that are most probable there with their
/// probabilities, a piece and its probability in turn, and the probability of the one that was hidden.
pub fn fill(numbers: &[Float]) -> Vec<Float> {
    let hidden = numbers[0] as usize;
    let mut pieces: Vec<usize> = numbers[1..].iter().map(|piece| *piece as usize).collect();
    let original = std::mem::replace(&mut pieces[hidden], SPECIAL.mask);
    FILLER.with_borrow(|filler| {
        let model = &filler.as_ref().expect("a filler").model;
        let tape = Tape::no_grad();
        let tokens = Tokens::of(&pieces, None, &SPECIAL);
        let (h, _) = model.bert.forward(&tape, &tokens);
        let p = model.masked_logits(h, &[hidden + 1]).softmax().value(); // after [CLS]
        let mut order: Vec<usize> = (0..p.len()).collect();
        order.sort_by(|a, b| p[*b].total_cmp(&p[*a]));
        let best = order[..5].iter().flat_map(|piece| [*piece as Float, p[*piece]]);
        best.chain([p[original]]).collect()
    })
}
