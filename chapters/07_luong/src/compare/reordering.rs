//! Which words stand far from where they stand in the other language?

use corpora::Pair;
use seq2seq::Translator;
use seq2seq::alignment::{AlignmentErrors, links};
use seq2seq::bleu::corpus_bleu;
use seq2seq::decoding::greedy_all;
use seq2seq::translating::corpus::{Corpus, Part};
use seq2seq::translating::judge::{part_alignments, translations};
use serde::{Deserialize, Serialize};
use shared::Matrix;

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Half {
    /// BLEU of greedy translations.
    pub bleu: f64,
    pub aer: f64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Displaced {
    pub near: usize,
    pub displaced: usize,
    pub links: usize,
    /// Those outside the window.
    pub outside: usize,
}

/// How far a word's nearest sure translation stands from the same position: for every target word
/// that has one, `min |i − j|` over its sure links (i, j).
///
/// ```
/// // "pomme rouge" for "red apple": both words are one position away
/// use corpora::{Alignment, Pair};
/// let words = |s: &str| s.split(' ').map(str::to_owned).collect::<Vec<_>>();
/// let pair = Pair {
///     source: words("red apple ."),
///     target: words("pomme rouge ."),
///     alignment: Some(Alignment { sure: vec![(1, 0), (0, 1), (2, 2)], possible: vec![] }),
///     written: None,
/// };
/// assert_eq!(luong::compare::displacement(&pair), [(0, 1), (1, 1), (2, 0)]);
/// ```
pub fn displacement(pair: &Pair) -> Vec<(usize, usize)> {
    let sure = pair.alignment.iter().flat_map(|alignment| &alignment.sure);
    let mut nearest = vec![usize::MAX; pair.target.len()];
    sure.for_each(|(i, j)| nearest[*j] = nearest[*j].min(i.abs_diff(*j)));
    nearest.into_iter().enumerate().filter(|(_, distance)| *distance < usize::MAX).collect()
}

/// Whether a window of ±`width` around the same position misses a word's translation.
pub fn displaced(pair: &Pair, width: usize) -> bool {
    displacement(pair).iter().any(|(_, distance)| *distance > width)
}

pub fn halves(part: &Part, width: usize) -> [Vec<usize>; 2] {
    let of =
        |wanted| (0..part.len()).filter(|&i| displaced(&part.pairs[i], width) == wanted).collect();
    [of(false), of(true)]
}

pub(super) fn count(part: &Part, width: usize) -> Displaced {
    let [near, displaced] = halves(part, width).map(|half| half.len());
    let distances: Vec<usize> =
        part.pairs.iter().flat_map(displacement).map(|(_, distance)| distance).collect();
    let outside = distances.iter().filter(|distance| **distance > width).count();
    Displaced { near, displaced, links: distances.len(), outside }
}

/// Distances from the same position that are distinguished; the last counts all above, too.
pub(super) const DISTANCES: usize = 5;

/// What a model made of every pair of a part.
pub(super) struct Outputs {
    pub(super) translations: Vec<Vec<String>>,
    links: Vec<Vec<(usize, usize)>>,
}

impl Outputs {
    pub fn of(model: &impl Translator, corpus: &Corpus, part: &Part) -> Outputs {
        let weights = part_alignments(model, part);
        let strongest = |weights: Vec<Matrix>| weights.iter().map(|w| links(w, 0.0)).collect();
        let sources = &part.sentences.source;
        Outputs {
            translations: translations(corpus, sources, |some| greedy_all(model, some)),
            links: weights.map_or(vec![Vec::new(); part.len()], strongest),
        }
    }

    pub fn half(&self, part: &Part, chosen: &[usize]) -> Half {
        let candidates: Vec<_> = chosen.iter().map(|&i| self.translations[i].clone()).collect();
        let references: Vec<_> = chosen.iter().map(|&i| part.pairs[i].target.clone()).collect();
        let mut errors = AlignmentErrors::default();
        for &i in chosen {
            let Some(gold) = &part.pairs[i].alignment else { continue };
            errors.add(&AlignmentErrors::new(&self.links[i], &gold.sure, &gold.possible));
        }
        Half { bleu: corpus_bleu(&candidates, &references), aer: errors.rate() }
    }

    /// For each distance the share of words whose strongest weight lies on a sure translation.
    pub fn right_by_displacement(&self, part: &Part) -> Vec<f64> {
        let mut counts = [(0_u32, 0_u32); DISTANCES]; // (right, all)
        for (pair, links) in part.pairs.iter().zip(&self.links) {
            let Some(gold) = &pair.alignment else { continue };
            for (j, distance) in displacement(pair) {
                let count = &mut counts[distance.min(DISTANCES - 1)];
                count.0 += u32::from(gold.sure.contains(&links[j]));
                count.1 += 1;
            }
        }
        counts.map(|(right, all)| f64::from(right) / f64::from(all.max(1))).to_vec()
    }
}
