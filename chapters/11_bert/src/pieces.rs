//! How a word is cut into known pieces.

use std::collections::HashMap;

// ANCHOR: greedy
/// WordPiece's cut of a word (Wu et al. 2016; as BERT has it): the longest known beginning is the first
/// piece, the longest known beginning of the rest, marked `##`, the next. `None` when no piece fits
/// somewhere: then the whole word is unknown.
///
/// ```
/// let known = ["un", "##know", "##able", "##a"].into_iter().zip(0..).collect();
/// assert_eq!(bert::cut_word("unknowable", &known), Some(vec![0, 1, 2]));
/// assert_eq!(bert::cut_word("unknown", &known), None);
/// ```
pub fn cut_word(word: &str, known: &HashMap<&str, usize>) -> Option<Vec<usize>> {
    let (mut pieces, mut rest) = (Vec::new(), word);
    while !rest.is_empty() {
        let mark = if pieces.is_empty() { "" } else { "##" };
        let ends = rest.char_indices().map(|(at, letter)| at + letter.len_utf8()).rev();
        let found = ends.map(|end| (end, format!("{mark}{}", &rest[..end])));
        let (end, piece) =
            found.filter_map(|(end, piece)| Some((end, *known.get(&*piece)?))).next()?;
        pieces.push(piece);
        rest = &rest[end..];
    }
    Some(pieces)
}
// ANCHOR_END: greedy
