//! A batch as recurrent layers read it: step by step, the longest sentence first.

use crate::batch::Batch;
use recurrent_networks::Steps;
use shared::Ragged;
use std::cmp::Reverse;
use std::collections::HashMap;

/// A [`Batch`], packed for recurrent layers.
///
/// A recurrent layer wants its sequences longest first, and the longest source need not belong to
/// the longest target: each side has an order of its own. Everything the decoder sees stands in the
/// order of the targets, and the columns of the sources are given in that order too.
#[derive(Clone, Debug)]
pub struct Packed {
    /// The source words, packed by [`Packed::source_steps`].
    pub source: Vec<usize>,
    /// The layout of the sources, longest first.
    pub source_steps: Steps,
    /// The words the decoder is given, packed by [`Packed::target_steps`]: the begin word, then the
    /// reference.
    pub previous: Vec<usize>,
    /// The words it should answer: the reference, then the end word.
    pub target: Vec<usize>,
    /// The layout of the targets, longest first.
    pub target_steps: Steps,
    /// The number of every target column's sentence, in the targets' order.
    pub sentence: Vec<usize>,
    /// The columns of the packed sources, sentence after sentence, in the order of the targets.
    pub annotations: Vec<usize>,
    /// Sentence `j` of the targets has the source words `annotations[offsets[j]..offsets[j + 1]]`.
    pub offsets: Vec<usize>,
    /// The position of each target's source among the sources.
    pub source_of: Vec<usize>,
}

impl Packed {
    /// Finds the two orders and packs both sides.
    ///
    /// ```
    /// use seq2seq::{Batch, Packed};
    /// let short: (&[usize], &[usize]) = (&[3, 4, 2], &[5, 2]);
    /// let long: (&[usize], &[usize]) = (&[6, 2], &[7, 8, 2]);
    /// let batch = Packed::new(&Batch::new(&[short, long], 1));
    /// assert_eq!(batch.source, [3, 6, 4, 2, 2]); //   step by step: 3 6 | 4 2 | 2
    /// assert_eq!(batch.previous, [1, 1, 7, 5, 8]); // the longer target stands first: 1 1 | 7 5 | 8
    /// assert_eq!(batch.target, [7, 5, 8, 2, 2]);
    /// assert_eq!(batch.offsets, [0, 2, 5]); //        its source has two words
    /// ```
    pub fn new(batch: &Batch) -> Packed {
        let by_source = longest_first(&batch.source);
        let by_target = longest_first(&batch.target);

        let sources = in_order(&batch.source, &by_source);
        let (targets, given) =
            (in_order(&batch.target, &by_target), in_order(&batch.previous, &by_target));
        let (source_steps, target_steps) = (steps_of(&sources), steps_of(&targets));

        let mut place = vec![0; batch.sentences()];
        for (j, &i) in by_source.iter().enumerate() {
            place[i] = j;
        }
        let source_of: Vec<usize> = by_target.iter().map(|&i| place[i]).collect();
        let (mut annotations, mut offsets) = (Vec::new(), vec![0]);
        for &j in &source_of {
            annotations.extend((0..sources[j].len()).map(|t| source_steps.column(j, t)));
            offsets.push(annotations.len());
        }
        Packed {
            source: pack(&source_steps, |j, t| sources[j][t]),
            previous: pack(&target_steps, |j, t| given[j][t]),
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

    /// The column of the last word of every target's source: there a forward layer has read it all.
    pub fn last_words(&self) -> Vec<usize> {
        let last = self.source_steps.last();
        self.source_of.iter().map(|&j| last[j]).collect()
    }
}

/// The numbers of the sequences, the longest first; equally long ones stay in their order.
fn longest_first(ragged: &Ragged) -> Vec<usize> {
    let lengths: Vec<usize> = ragged.iter().map(<[usize]>::len).collect();
    let mut order: Vec<usize> = (0..ragged.len()).collect();
    order.sort_by_key(|&i| Reverse(lengths[i]));
    order
}

fn in_order<'a>(ragged: &'a Ragged, order: &[usize]) -> Vec<&'a [usize]> {
    let sequences: Vec<&[usize]> = ragged.iter().collect();
    order.iter().map(|&i| sequences[i]).collect()
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
    let (mut each, mut places) = (Vec::new(), Vec::with_capacity(words.len()));
    for word in words {
        let place = *known.entry(*word).or_insert(each.len());
        if place == each.len() {
            each.push(*word);
        }
        places.push(place);
    }
    (each, places)
}
