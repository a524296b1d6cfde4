//! What BERT reads: pieces of words between marks, in one segment or two.

use shared::Ragged;

/// The numbers of the pieces that stand for no text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Special {
    /// `[PAD]`. Other libraries fill up short sequences with it; nothing here does.
    pub pad: usize,
    /// `[UNK]`: a word that cannot be cut into known pieces.
    pub unknown: usize,
    /// `[CLS]`: begins every sequence, and its token speaks for the whole.
    pub cls: usize,
    /// `[SEP]`: ends every segment.
    pub sep: usize,
    /// `[MASK]`: stands for a masked token.
    pub mask: usize,
}

impl Special {
    /// Whether a piece is one of them.
    pub fn contains(&self, piece: usize) -> bool {
        [self.pad, self.unknown, self.cls, self.sep, self.mask].contains(&piece)
    }
}

/// Sequences side by side, without padding: their pieces, and the segment of each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tokens {
    /// The pieces of all sequences.
    pub pieces: Ragged,
    /// The segment of every piece, 0 or 1.
    pub segments: Vec<usize>,
}

impl Tokens {
    // ANCHOR: of
    /// One sequence: `[CLS] a [SEP]`, or `[CLS] a [SEP] b [SEP]` (Devlin et al. 2019, figure 2). The
    /// first `[SEP]` belongs to the first segment.
    ///
    /// ```
    /// use bert::{Special, Tokens};
    /// let special = Special { pad: 0, unknown: 1, cls: 2, sep: 3, mask: 4 };
    /// let pair = Tokens::of(&[7, 8], Some(&[9]), &special);
    /// assert_eq!(pair.pieces.words, [2, 7, 8, 3, 9, 3]);
    /// assert_eq!(pair.segments, [0, 0, 0, 0, 1, 1]);
    /// ```
    pub fn of(first: &[usize], second: Option<&[usize]>, special: &Special) -> Tokens {
        let mut pieces = [&[special.cls], first, &[special.sep]].concat();
        let mut segments = vec![0; pieces.len()];
        if let Some(second) = second {
            pieces.extend_from_slice(second);
            pieces.push(special.sep);
            segments.resize(pieces.len(), 1);
        }
        Tokens { pieces: Ragged::new(&[&pieces]), segments }
    }
    // ANCHOR_END: of

    /// Several, side by side.
    pub fn side_by_side(parts: &[Tokens]) -> Tokens {
        let sequences: Vec<&[usize]> = parts.iter().flat_map(|part| part.pieces.iter()).collect();
        let segments = parts.iter().flat_map(|part| part.segments.iter().copied()).collect();
        Tokens { pieces: Ragged::new(&sequences), segments }
    }

    /// How many sequences.
    pub fn sequences(&self) -> usize {
        self.pieces.len()
    }

    /// How many pieces, all sequences together.
    pub fn len(&self) -> usize {
        self.segments.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.segments.is_empty()
    }
}

/// Shortens the longer of two lists, from its end, until both fit into `longest` pieces with the three
/// marks of a pair.
///
/// ```
/// let (mut a, mut b) = (vec![1; 9], vec![2; 3]);
/// bert::fit(&mut a, &mut b, 12);
/// assert_eq!((a.len(), b.len()), (6, 3));
/// ```
///
/// # Panics
/// When not even the marks fit.
pub fn fit(first: &mut Vec<usize>, second: &mut Vec<usize>, longest: usize) {
    assert!(longest >= 3, "a pair has three marks, but a sequence at most {longest} pieces");
    while first.len() + second.len() + 3 > longest {
        let longer = if first.len() > second.len() { &mut *first } else { &mut *second };
        longer.pop();
    }
}
