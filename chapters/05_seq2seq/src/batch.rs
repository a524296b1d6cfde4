//! Pairs of sentences side by side, without padding.

use shared::Ragged;

/// A batch of sentence pairs, sentence after sentence: what every translator reads, recurrent or
/// not. Recurrent layers pack it step by step ([`Packed`](crate::Packed)).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// The source words; every sentence ends in the end word.
    pub source: Ragged,
    /// The words the decoder is given: the begin word, then the reference without its end.
    pub previous: Ragged,
    /// The words it should answer: the reference, then the end word.
    pub target: Ragged,
}

impl Batch {
    /// From pairs (source, target) of word numbers; both end in the end word, and `begin` stands
    /// before every target.
    ///
    /// ```
    /// use seq2seq::Batch;
    /// let short: (&[usize], &[usize]) = (&[3, 4, 2], &[5, 2]);
    /// let long: (&[usize], &[usize]) = (&[6, 2], &[7, 8, 2]);
    /// let batch = Batch::new(&[short, long], 1);
    /// assert_eq!(batch.source.words, [3, 4, 2, /**/ 6, 2]);
    /// assert_eq!(batch.previous.words, [1, 5, /**/ 1, 7, 8]);
    /// assert_eq!(batch.target.words, [5, 2, /**/ 7, 8, 2]);
    /// assert_eq!(batch.target.offsets, [0, 2, 5]);
    /// ```
    ///
    /// # Panics
    /// When there is no pair, or a side of a pair is empty.
    pub fn new(pairs: &[(&[usize], &[usize])], begin: usize) -> Batch {
        assert!(!pairs.is_empty(), "a batch of no pairs");
        let empty = pairs.iter().any(|(source, target)| source.is_empty() || target.is_empty());
        assert!(!empty, "a sentence without words, not even an end word");
        let (sources, targets): (Vec<_>, Vec<_>) = pairs.iter().copied().unzip();
        let shifted = targets.iter().map(|target| [&[begin], &target[..target.len() - 1]].concat());
        let previous: Vec<Vec<usize>> = shifted.collect();
        let previous: Vec<&[usize]> = previous.iter().map(Vec::as_slice).collect();
        Batch {
            source: Ragged::new(&sources),
            previous: Ragged::new(&previous),
            target: Ragged::new(&targets),
        }
    }

    /// Sources to be translated: each is paired with a target of one word, which is not looked at.
    ///
    /// # Panics
    /// As [`Batch::new`].
    pub fn to_translate(sources: &[&[usize]]) -> Batch {
        let pairs: Vec<(&[usize], &[usize])> =
            sources.iter().map(|source| (*source, &[0][..])).collect();
        Batch::new(&pairs, 0)
    }

    /// How many pairs it holds.
    pub fn sentences(&self) -> usize {
        self.target.len()
    }

    /// How many words the decoder must answer, end words included.
    pub fn tokens(&self) -> usize {
        self.target.words.len()
    }
}
