//! Pairs held out to judge by.

use super::Pair;
use rand::Rng;
use rand::seq::SliceRandom;
use std::collections::HashMap;
use workbench::error::{Error, Result};

/// Pairs to learn from, to choose a model by, and to judge it by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Split {
    /// The pairs to learn from.
    pub train: Vec<Pair>,
    /// The pairs to choose by, as training goes on.
    pub validation: Vec<Pair>,
    /// The pairs to judge by, once.
    pub test: Vec<Pair>,
}

/// Holds out a `share` of the pairs for validation and as many for the test, at random; each part
/// keeps the order of the pairs.
///
/// A sentence with several translations, of which real collections are full, goes with all of them
/// to one part: else the test would ask for sentences that were learnt. (A translation may well
/// stand in two parts, for two sentences that mean the same.) The held-out parts are filled
/// sentence by sentence until they have at least their share, so they exceed it by less than the
/// translations of one sentence.
///
/// # Errors
/// When the share is not between 0 and ½, or one of the parts would stay empty.
pub fn split(pairs: Vec<Pair>, share: f64, rng: &mut impl Rng) -> Result<Split> {
    let (train, [validation, test]) = hold_out(pairs, share, rng)?;
    Ok(Split { train, validation, test })
}

/// [`split`] with any number of parts that are held out: what is left, and those.
pub fn hold_out<const N: usize>(
    pairs: Vec<Pair>,
    share: f64,
    rng: &mut impl Rng,
) -> Result<(Vec<Pair>, [Vec<Pair>; N])> {
    if !(share > 0.0 && share < 0.5) {
        return Err(Error::argument(format!(
            "a share of {share} to hold out: not between 0 and ½"
        )));
    }
    let mut sentences = by_source(&pairs);
    sentences.shuffle(rng);

    let wanted = (share * pairs.len() as f64).ceil() as usize;
    let mut part_of = vec![N; pairs.len()]; // N: learnt from
    let mut sizes = vec![0; N + 1];
    for sentence in &sentences {
        let part = (0..N).find(|part| sizes[*part] < wanted).unwrap_or(N);
        sizes[part] += sentence.len();
        sentence.iter().for_each(|index| part_of[*index] = part);
    }
    if sizes.contains(&0) {
        let (sentences, pairs) = (sentences.len(), pairs.len());
        return Err(Error::argument(format!(
            "{pairs} pairs of {sentences} different sentences are too few to hold out {N} × \
             {share} of them"
        )));
    }
    let mut train = Vec::new();
    let mut held = [const { Vec::new() }; N];
    for (pair, part) in pairs.into_iter().zip(part_of) {
        held.get_mut(part).unwrap_or(&mut train).push(pair);
    }
    Ok((train, held))
}

/// The indices of each source sentence's pairs, in the order of their first.
fn by_source(pairs: &[Pair]) -> Vec<Vec<usize>> {
    let mut sentences: Vec<Vec<usize>> = Vec::new();
    let mut places = HashMap::new();
    for (index, pair) in pairs.iter().enumerate() {
        let place = *places.entry(&pair.source).or_insert(sentences.len());
        if place == sentences.len() {
            sentences.push(Vec::new());
        }
        sentences[place].push(index);
    }
    sentences
}

#[cfg(test)]
mod tests {
    use super::*;
    use shared::rng;
    use std::collections::HashSet;

    #[test]
    fn no_sentence_stands_in_two_parts() {
        let pair = |index: usize| Pair {
            source: vec![format!("{}", index / 3)],
            target: vec![format!("{index}")],
            alignment: None,
            written: None,
        };
        let pairs: Vec<Pair> = (0..300).map(pair).collect();
        let parts = split(pairs.clone(), 0.1, &mut rng(0)).unwrap();
        let Split { train, validation, test } = &parts;
        assert_eq!((train.len(), validation.len(), test.len()), (240, 30, 30));
        let sources = |part: &[Pair]| -> HashSet<String> {
            part.iter().map(|p| p.source[0].clone()).collect()
        };
        for (a, b) in [(train, test), (train, validation), (validation, test)] {
            assert!(sources(a).is_disjoint(&sources(b)));
        }
        for part in [train, validation, test] {
            assert!(part.is_sorted_by_key(|pair| pair.target[0].parse::<usize>().unwrap()));
        }
        assert_eq!(split(pairs.clone(), 0.1, &mut rng(0)).unwrap(), parts);
        assert_ne!(split(pairs, 0.1, &mut rng(1)).unwrap(), parts);
    }

    #[test]
    fn a_split_that_leaves_nothing_is_refused() {
        let pair = |word: &str| Pair {
            source: vec![word.to_owned()],
            target: vec![],
            alignment: None,
            written: None,
        };
        let error = |pairs, share| split(pairs, share, &mut rng(0)).unwrap_err().to_string();
        assert_eq!(
            error(vec![pair("a"), pair("b"), pair("b")], 0.1),
            "3 pairs of 2 different sentences are too few to hold out 2 × 0.1 of them"
        );
        assert!(error(vec![], 0.1).contains("0 pairs"));
        assert_eq!(error(vec![], 0.5), "a share of 0.5 to hold out: not between 0 and ½");
        assert!(error(vec![], f64::NAN).contains("NaN"));
        assert!(split(vec![pair("a"), pair("b"), pair("c")], 0.1, &mut rng(0)).is_ok());
    }
}
