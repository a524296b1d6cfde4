//! Pairs of sentences side by side, without padding.

use recurrent_networks::Steps;
use std::cmp::Reverse;
use std::collections::HashMap;

/// A batch of sentence pairs as a translator reads it.
///
/// A recurrent layer wants its sequences longest first, and the longest source need not belong to
/// the longest target: each side has an order of its own. Everything the decoder sees stands in the
/// order of the targets, and the columns of the sources are told in that order too.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The source words, packed by [`Batch::source_steps`].
    pub source: Vec<usize>,
    /// The layout of the sources, longest first.
    pub source_steps: Steps,
    /// The words the decoder is given, packed by [`Batch::target_steps`]: the begin word, then the
    /// reference.
    pub previous: Vec<usize>,
    /// The words it should answer: the reference, then the end word.
    pub target: Vec<usize>,
    /// The layout of the targets, longest first.
    pub target_steps: Steps,
    /// For every column of the targets, the number of its sentence in the targets' order.
    pub sentence: Vec<usize>,
    /// The columns of the packed sources, sentence after sentence, in the order of the targets.
    pub annotations: Vec<usize>,
    /// Sentence `j` of the targets has the source words `annotations[offsets[j]..offsets[j + 1]]`.
    pub offsets: Vec<usize>,
    /// For each sentence of the targets, its place among the sources.
    pub source_of: Vec<usize>,
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
    /// assert_eq!(batch.source, [3, 6, 4, 2, 2]); //   step by step: 3 6 | 4 2 | 2
    /// assert_eq!(batch.previous, [1, 1, 7, 5, 8]); // the longer target stands first: 1 1 | 7 5 | 8
    /// assert_eq!(batch.target, [7, 5, 8, 2, 2]);
    /// assert_eq!(batch.offsets, [0, 2, 5]); //        its source has two words
    /// ```
    ///
    /// # Panics
    /// When there is no pair, or a side of a pair is empty.
    pub fn new(pairs: &[(&[usize], &[usize])], begin: usize) -> Batch {
        // ANCHOR: orders
        let mut by_source: Vec<usize> = (0..pairs.len()).collect();
        by_source.sort_by_key(|&i| Reverse(pairs[i].0.len()));
        let mut by_target: Vec<usize> = (0..pairs.len()).collect();
        by_target.sort_by_key(|&i| Reverse(pairs[i].1.len()));

        let sources: Vec<&[usize]> = by_source.iter().map(|&i| pairs[i].0).collect();
        let targets: Vec<&[usize]> = by_target.iter().map(|&i| pairs[i].1).collect();
        let source_steps = steps_of(&sources);
        let target_steps = steps_of(&targets);
        let before = |j: usize, t: usize| if t == 0 { begin } else { targets[j][t - 1] };

        let mut place = vec![0; pairs.len()];
        for (j, &i) in by_source.iter().enumerate() {
            place[i] = j;
        }
        let source_of: Vec<usize> = by_target.iter().map(|&i| place[i]).collect();
        // ANCHOR_END: orders
        let (mut annotations, mut offsets) = (Vec::new(), vec![0]);
        for &j in &source_of {
            annotations.extend((0..sources[j].len()).map(|t| source_steps.column(j, t)));
            offsets.push(annotations.len());
        }
        Batch {
            source: pack(&source_steps, |j, t| sources[j][t]),
            previous: pack(&target_steps, before),
            target: pack(&target_steps, |j, t| targets[j][t]),
            sentence: pack(&target_steps, |j, _| j),
            source_steps,
            target_steps,
            annotations,
            offsets,
            source_of,
        }
    }

    /// How many pairs it holds.
    pub fn sentences(&self) -> usize {
        self.source_of.len()
    }

    /// How many words the decoder must answer, end words included.
    pub fn tokens(&self) -> usize {
        self.target.len()
    }
}

fn steps_of(sequences: &[&[usize]]) -> Steps {
    Steps::new(&sequences.iter().map(|sequence| sequence.len()).collect::<Vec<_>>())
}

/// One number for every column of a layout, from its sequence and its step.
fn pack(steps: &Steps, number: impl Fn(usize, usize) -> usize) -> Vec<usize> {
    let number = &number;
    (0..steps.len()).flat_map(|t| (0..steps.size(t)).map(move |j| number(j, t))).collect()
}

/// The words that occur, each once, and for every word its place among them: what is the same for
/// all occurrences of a word needs to be computed once.
///
/// ```
/// let (words, places) = seq2seq::distinct(&[7, 5, 7, 8]);
/// assert_eq!((words, places), (vec![7, 5, 8], vec![0, 1, 0, 2]));
/// ```
pub fn distinct(words: &[usize]) -> (Vec<usize>, Vec<usize>) {
    let mut known = HashMap::new();
    let mut each = Vec::new();
    let place = |word: &usize| {
        *known.entry(*word).or_insert_with(|| {
            each.push(*word);
            each.len() - 1
        })
    };
    let places = words.iter().map(place).collect();
    (each, places)
}
