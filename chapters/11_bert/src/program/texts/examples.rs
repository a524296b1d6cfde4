//! Examples out of plans: their pieces are read, and some of them masked.

use super::corpus::{Corpus, Part};
use super::windows::Plan;
use crate::inputs::{Special, Tokens, fit};
use crate::{Examples, Masking};
use std::ops::Range;

/// Reads what was planned, and hides pieces of it: as many as planned, fewer where nearly all words are
/// unknown.
pub fn examples(
    corpus: &Corpus,
    part: &Part,
    masking: &Masking,
    longest: usize,
    plans: &[(Plan, u64)],
) -> Examples {
    let special: Special = corpus.special;
    let vocabulary = corpus.pieces.len();
    let (mut parts, mut masked, mut originals) = (Vec::new(), Vec::new(), Vec::new());
    let mut column = 0;
    for (plan, seed) in plans {
        let [mut first, mut second] =
            [&plan.first, &plan.second].map(|sentences| text(part, sentences.clone(), &special));
        fit(&mut first, &mut second, longest);
        let mut tokens = Tokens::of(&first, Some(&second), &special);
        let found =
            masking.mask(&mut tokens.pieces.words, &special, vocabulary, &mut shared::rng(*seed));
        masked.extend(found.iter().map(|masked| column + masked.position));
        originals.extend(found.iter().map(|masked| masked.original));
        column += tokens.len();
        parts.push(tokens);
    }
    let follows = plans.iter().map(|(plan, _)| usize::from(!plan.follows)).collect();
    Examples { tokens: Tokens::side_by_side(&parts), masked, originals, follows }
}

/// The pieces of some sentences. Whoever writes `[SEP]` in a text means the word: as a mark it would end a
/// segment that goes on.
fn text(part: &Part, sentences: Range<usize>, special: &Special) -> Vec<usize> {
    let mut pieces = part.read(sentences);
    let marks = pieces.iter_mut().filter(|piece| special.contains(**piece));
    marks.for_each(|piece| *piece = special.unknown);
    pieces
}
