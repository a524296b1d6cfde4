//! How far a head looks, and what it finds.

use super::texts::{Asked, Text};
use crate::experiment::statistics::{commonest, share, spread};
use crate::reader::{Head, Reader, Texts, largest};
use corpora::UNKNOWN;
use serde::{Deserialize, Serialize};
use shared::{Float, Matrix, Tape};
use std::collections::BTreeMap;
use workbench::study::{Spread, short};

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Distance {
    pub head: Head,
    /// In words, the mean over the test's words before training, and after it.
    pub before: Float,
    pub after: Float,
}

/// Where the heads look from each word of some sentences while that word is hidden: only there has a
/// look been trained.
pub(super) struct Glances {
    heads: Vec<Head>,
    /// By head, sentence and word: the weights of the sentence's words.
    alphas: Vec<Vec<Matrix>>,
}

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

fn mean_distance<'a>(alphas: impl IntoIterator<Item = &'a Matrix>) -> Float {
    let (mut sum, mut words) = (0.0, 0);
    for alpha in alphas {
        sum += distance(alpha) * alpha.ncols() as Float;
        words += alpha.ncols();
    }
    sum / words as Float
}

pub(super) fn distances([before, after]: [&Glances; 2]) -> Vec<Distance> {
    let all = after.heads.iter().zip(&before.alphas).zip(&after.alphas);
    all.map(|((head, before), after)| Distance {
        head: *head,
        before: short(mean_distance(before)),
        after: short(mean_distance(after)),
    })
    .collect()
}

/// The mean distance where all words have the same weight.
pub(super) fn uniform(sentences: &[Vec<usize>]) -> Float {
    let equal = |words: &Vec<usize>| {
        Matrix::from_element(words.len(), words.len(), 1.0 / words.len() as Float)
    };
    mean_distance(&sentences.iter().map(equal).collect::<Vec<_>>())
}

/// For one relation in one model: by head, the share of words whose largest weight finds it.
pub(super) struct Accuracies {
    heads: Vec<Head>,
    /// In validation and test.
    trained: [Vec<Float>; 2],
    untrained: [Vec<Float>; 2],
}

/// By relation, from where a model looks in the sentences of validation and test.
pub(super) fn relations(
    [before, after]: [&[Glances; 2]; 2],
    parts: [&Vec<Text>; 2],
) -> Vec<Accuracies> {
    let found = |asked: Asked| {
        let by_head = |glances: &[Glances; 2]| {
            [0, 1].map(|part| {
                let alphas = glances[part].alphas.iter();
                alphas.map(|alphas| finds(alphas, parts[part], asked)).collect::<Vec<_>>()
            })
        };
        let heads = after[0].heads.clone();
        Accuracies { heads, trained: by_head(after), untrained: by_head(before) }
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

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Followed {
    pub asked: usize,
    /// The distance to the right at which it stands most often in the validation's sentences,
    /// negative to the left.
    pub offset: isize,
    /// How often it stands there in the test's.
    pub always: Float,
    /// How often the best head of each model finds it, chosen on the validation's sentences.
    pub best: Spread,
    pub heads: Vec<Head>,
    /// The same heads before training, and the best ones of the untrained models, chosen in the same way.
    pub same_untrained: Spread,
    pub best_untrained: Spread,
    /// How often each head of the first model finds it.
    pub each: Vec<Float>,
}

pub(super) fn summary(
    models: &[Vec<Accuracies>],
    [validation, test]: [&Vec<Text>; 2],
) -> BTreeMap<String, Followed> {
    let best = |shares: &[Float]| {
        let all = shares.iter().enumerate();
        all.fold(0, |best, (head, share)| if *share > shares[best] { head } else { best })
    };
    let followed = |asked: Asked| {
        let models: Vec<&Accuracies> = models.iter().map(|found| &found[asked as usize]).collect();
        let over = |of: &dyn Fn(&Accuracies) -> Float| spread(models.iter().map(|found| of(found)));
        let distances = |part: &[Text]| -> Vec<isize> {
            let questions = part.iter().flat_map(|text| asked.questions(text));
            questions.map(|(from, to)| to as isize - from as isize).collect()
        };
        let (offset, of_test) = (commonest(distances(validation)).unwrap_or(0), distances(test));
        let found = Followed {
            asked: of_test.len(),
            offset,
            always: short(share(of_test.iter().map(|distance| *distance == offset))),
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
