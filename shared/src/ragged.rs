//! Sequences side by side.

/// Sequences of words, one after another: sequence `j` is `words[offsets[j]..offsets[j + 1]]`.
///
/// ```
/// use shared::Ragged;
/// let ragged = Ragged::new(&[&[3, 4, 2], &[5, 2]]);
/// assert_eq!(ragged.words, [3, 4, 2, 5, 2]);
/// assert_eq!(ragged.offsets, [0, 3, 5]);
/// assert_eq!(ragged.iter().last(), Some(&[5, 2][..]));
/// ```
#[doc(alias = "NestedTensor")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ragged {
    /// The words of all sequences.
    pub words: Vec<usize>,
    /// The place where each begins, and where the last one ends.
    pub offsets: Vec<usize>,
}

impl Ragged {
    /// Sequences in the order given.
    pub fn new(sequences: &[&[usize]]) -> Ragged {
        let mut offsets = vec![0];
        offsets.extend(sequences.iter().scan(0, |end, sequence| {
            *end += sequence.len();
            Some(*end)
        }));
        Ragged { words: sequences.concat(), offsets }
    }

    /// How many sequences.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The sequences.
    pub fn iter(&self) -> impl Iterator<Item = &[usize]> {
        self.offsets.windows(2).map(|range| &self.words[range[0]..range[1]])
    }
}
