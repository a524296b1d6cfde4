//! Words that have several pieces, and texts that have more pieces than there are positions.

use crate::questions::Questions;
use bert::{Special, Tokens};
use std::ops::Range;

// ANCHOR: words
/// Words as one sequence, each asked at its first piece; of `answers` there is one a word, or none.
///
/// A word without any piece – nothing of it counts as text – is read as `[UNK]`: it must be asked
/// somewhere.
///
/// ```
/// use bert::Special;
/// let special = Special { pad: 0, unknown: 1, cls: 2, sep: 3, mask: 4 };
/// let words = [vec![7], vec![8, 9], vec![]]; // the second word has two pieces
/// let questions = fine_tuning::read_words(&words, vec![0, 2, 1], &special);
/// assert_eq!(questions.tokens.pieces.words, [2, 7, 8, 9, 1, 3]);
/// assert_eq!(questions.asked, [1, 2, 4]);
/// ```
///
/// # Panics
/// When there are answers, but not one a word.
pub fn read_words(words: &[Vec<usize>], answers: Vec<usize>, special: &Special) -> Questions {
    let (answered, there) = (answers.len(), words.len());
    assert!(answered == 0 || answered == there, "{answered} answers for {there} words");
    let (mut pieces, mut asked) = (Vec::new(), Vec::new());
    for word in words {
        asked.push(1 + pieces.len()); // [CLS] stands before
        match &word[..] {
            [] => pieces.push(special.unknown),
            word => pieces.extend_from_slice(word),
        }
    }
    Questions { tokens: Tokens::of(&pieces, None, special), asked, answers }
}
// ANCHOR_END: words

/// Which words are read together, when a sequence has at most `longest` pieces: as many as fit, from
/// the first on. `pieces` are those of each word; a word that does not fit alone has a window of its
/// own, and must be shortened.
///
/// ```
/// use fine_tuning::windows;
/// assert_eq!(windows(&[2, 1, 3, 1], 6), [0..2, 2..4]); // two of the six are [CLS] and [SEP]
/// assert_eq!(windows(&[1, 9, 1], 6), [0..1, 1..2, 2..3]);
/// ```
pub fn windows(pieces: &[usize], longest: usize) -> Vec<Range<usize>> {
    let room = longest.saturating_sub(2);
    let (mut windows, mut begin, mut length) = (Vec::new(), 0, 0);
    for (word, &pieces) in pieces.iter().enumerate() {
        let pieces = pieces.max(1); // [UNK]
        if word > begin && length + pieces > room {
            windows.push(begin..word);
            (begin, length) = (word, 0);
        }
        length += pieces;
    }
    if begin < pieces.len() {
        windows.push(begin..pieces.len());
    }
    windows
}
