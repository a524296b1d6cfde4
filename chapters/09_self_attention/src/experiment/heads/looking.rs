//! How far a head looks, and what it finds.

use super::texts::{Asked, Text};
use crate::experiment::reader::{Head, Reader, Texts, largest};
use crate::experiment::statistics::{share, short, spread};
use corpora::UNKNOWN;
use serde::{Deserialize, Serialize};
use shared::{Float, Matrix, Tape};
use std::collections::BTreeMap;
use workbench::study::Spread;

/// How far a head looks, in words.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Distance {
    /// Which head.
    pub head: Head,
    /// Before training.
    pub before: Float,
    /// After it.
    pub after: Float,
}

/// Where the heads look from each word of some sentences while that word is hidden: only there has a
/// look been trained.
pub(super) struct Glances {
    heads: Vec<Head>,
    /// By head, sentence and word: the weights of the sentence's words.
    alphas: Vec<Vec<Matrix>>,
}

// ANCHOR: glances
/// One copy of a sentence for each of its words, in which that word is hidden; column `j` of what is
/// kept are the weights from word `j` where word `j` is hidden.
pub(super) fn glances(reader: &Reader, sentences: &[Vec<usize>]) -> Glances {
    let heads = reader.heads();
    let mut alphas: Vec<Vec<Matrix>> = heads.iter().map(|_| Vec::new()).collect();
    for words in sentences {
        let hidden = |place: usize| {
            let mut copy = words.clone();
            copy[place] = UNKNOWN;
            copy
        };
        let copies: Vec<Vec<usize>> = (0..words.len()).map(hidden).collect();
        let texts = Texts::new(copies.iter().map(Vec::as_slice));
        let looked = reader.forward(&Tape::without_gradients(), &texts).1;
        for (head, alphas) in heads.iter().zip(&mut alphas) {
            let of = |i, j| looked[head.block].of(j, head.head)[(i, j)];
            alphas.push(Matrix::from_fn(words.len(), words.len(), of));
        }
    }
    Glances { heads, alphas }
}
// ANCHOR_END: glances

// ANCHOR: distance
/// The mean of |i − j| under weights (n, n), over all queries j: `(1/n) Σⱼ Σᵢ αᵢⱼ |i − j|`.
///
/// ```
/// use self_attention::experiment::heads::looking::distance;
/// use shared::Matrix;
/// assert_eq!(distance(&Matrix::identity(3, 3)), 0.0);
/// assert_eq!(distance(&Matrix::from_element(2, 2, 0.5)), 0.5);
/// ```
pub fn distance(alpha: &Matrix) -> Float {
    let (n, queries) = alpha.shape();
    let far = |j: usize| (0..n).map(move |i| alpha[(i, j)] * i.abs_diff(j) as Float);
    (0..queries).flat_map(far).sum::<Float>() / queries as Float
}
// ANCHOR_END: distance

/// The mean distance over the words of all sentences.
fn mean_distance<'a>(alphas: impl IntoIterator<Item = &'a Matrix>) -> Float {
    let (mut sum, mut words) = (0.0, 0);
    for alpha in alphas {
        sum += distance(alpha) * alpha.ncols() as Float;
        words += alpha.ncols();
    }
    sum / words as Float
}

/// Of every head, from what it looked at before and after training.
pub(super) fn distances([before, after]: [&Glances; 2]) -> Vec<Distance> {
    let all = after.heads.iter().zip(&before.alphas).zip(&after.alphas);
    all.map(|((head, before), after)| Distance {
        head: *head,
        before: short(mean_distance(before)),
        after: short(mean_distance(after)),
    })
    .collect()
}

/// Where all words have the same weight.
pub(super) fn uniform(sentences: &[Vec<usize>]) -> Float {
    let equal = |words: &Vec<usize>| {
        Matrix::from_element(words.len(), words.len(), 1.0 / words.len() as Float)
    };
    mean_distance(&sentences.iter().map(equal).collect::<Vec<_>>())
}

/// For one relation in one model: by head, the share of words whose largest weight finds it.
pub(super) struct Found {
    heads: Vec<Head>,
    /// Trained, in validation and test.
    trained: [Vec<Float>; 2],
    /// Untrained, in validation and test.
    untrained: [Vec<Float>; 2],
}

/// By relation, from where a model looks in the sentences of validation and test.
pub(super) fn relations([before, after]: [&[Glances; 2]; 2], parts: [&Vec<Text>; 2]) -> Vec<Found> {
    let found = |asked: Asked| {
        let by_head = |glances: &[Glances; 2]| {
            [0, 1].map(|part| {
                let alphas = glances[part].alphas.iter();
                alphas.map(|alphas| finds(alphas, parts[part], asked)).collect::<Vec<_>>()
            })
        };
        let heads = after[0].heads.clone();
        Found { heads, trained: by_head(after), untrained: by_head(before) }
    };
    Asked::ALL.into_iter().map(found).collect()
}

/// The share of words that ask whose largest weight finds what they should.
fn finds(alphas: &[Matrix], texts: &[Text], asked: Asked) -> Float {
    share(texts.iter().zip(alphas).flat_map(|(text, alpha)| {
        let places = largest(alpha);
        asked.questions(text).into_iter().map(move |(from, to)| places[from] == to)
    }))
}

/// Which head finds a relation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Followed {
    /// How many words of the test ask.
    pub asked: usize,
    /// The distance to the right at which it stands most often in the validation's sentences,
    /// negative to the left.
    pub offset: isize,
    /// How often it stands there in the test's.
    pub always: Float,
    /// How often the best head of each model finds it, chosen on the validation's sentences.
    pub best: Spread,
    /// Which head that is, by seed.
    pub heads: Vec<Head>,
    /// The same heads before training.
    pub same_untrained: Spread,
    /// The best heads of the untrained models, chosen in the same way.
    pub best_untrained: Spread,
    /// How often each head of the first model finds it.
    pub each: Vec<Float>,
}

/// By relation, from what each model found.
pub(super) fn summary(
    models: &[&[Found]],
    [validation, test]: [&Vec<Text>; 2],
) -> BTreeMap<String, Followed> {
    let best = |shares: &[Float]| {
        let all = shares.iter().enumerate();
        all.fold(0, |best, (head, share)| if *share > shares[best] { head } else { best })
    };
    let followed = |asked: Asked| {
        let models: Vec<&Found> = models.iter().map(|found| &found[asked as usize]).collect();
        let over = |of: &dyn Fn(&Found) -> Float| spread(models.iter().map(|found| of(found)));
        let offset = offset(validation, asked);
        let distances = || test.iter().flat_map(|text| asked.questions(text)).map(apart);
        let found = Followed {
            asked: distances().count(),
            offset,
            always: short(share(distances().map(|distance| distance == offset))),
            best: over(&|found| found.trained[1][best(&found.trained[0])]),
            heads: models.iter().map(|found| found.heads[best(&found.trained[0])]).collect(),
            same_untrained: over(&|found| found.untrained[1][best(&found.trained[0])]),
            best_untrained: over(&|found| found.untrained[1][best(&found.untrained[0])]),
            each: models[0].trained[1].iter().map(|share| short(*share)).collect(),
        };
        (asked.name().to_owned(), found)
    };
    Asked::ALL.into_iter().map(followed).collect()
}

fn apart((from, to): (usize, usize)) -> isize {
    to as isize - from as isize
}

/// The commonest distance.
fn offset(texts: &[Text], asked: Asked) -> isize {
    let mut counts: BTreeMap<isize, usize> = BTreeMap::new();
    let all = texts.iter().flat_map(|text| asked.questions(text)).map(apart);
    all.for_each(|distance| *counts.entry(distance).or_default() += 1);
    counts.into_iter().max_by_key(|(_, count)| *count).map_or(0, |(distance, _)| distance)
}
