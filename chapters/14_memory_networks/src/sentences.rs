//! Stories side by side, and a sentence as one vector.

use scoring_functions::Sequences;
use shared::{Float, Matrix, Ragged, Var};

// ANCHOR: stories
/// Some stories, each with a question, side by side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stories {
    /// The sentences of all stories, as words; in a key–value memory, its keys.
    pub sentences: Ragged,
    /// What is read where a sentence is found; none: the sentence itself.
    pub values: Option<Ragged>,
    /// The beginning of each story among the sentences, and the end of the last.
    pub offsets: Vec<usize>,
    /// A question for each story.
    pub questions: Ragged,
}
// ANCHOR_END: stories

impl Stories {
    /// One story.
    pub fn one(sentences: &[&[usize]], question: &[usize]) -> Stories {
        Stories {
            sentences: Ragged::new(sentences),
            values: None,
            offsets: vec![0, sentences.len()],
            questions: Ragged::new(&[question]),
        }
    }

    /// Which question looks at which sentences: each at those of its story.
    pub fn sequences(&self) -> Sequences {
        Sequences::one_each(&self.offsets)
    }

    /// How many sentences of its story come after each: 0 for the last.
    pub fn ages(&self) -> Vec<usize> {
        self.offsets.windows(2).flat_map(|ends| (0..ends[1] - ends[0]).rev()).collect()
    }
}

/// Whether a sentence's vector knows the order of its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// A bag of words: their sum.
    Bag,
    /// Position encoding: every entry of a word weighs differently from place to place.
    Positions,
}

// ANCHOR: position
/// The weight of entry `k` (of `d`) of word `j` (of `len`), both counted from 0 (Sukhbaatar et al.
/// 2015, §4.1, who count from 1): `l = (1 − j/J) − (k/d)(1 − 2j/J)`.
pub fn position(j: usize, len: usize, k: usize, d: usize) -> Float {
    let place = (j + 1) as Float / len as Float;
    let entry = (k + 1) as Float / d as Float;
    (1.0 - place) - entry * (1.0 - 2.0 * place)
}
// ANCHOR_END: position

// ANCHOR: bags
/// Every sentence as the sum of its words' vectors: `table` (d, V) → (d, sentences).
///
/// # Panics
/// When a word is not in the table.
pub fn bags<'t>(table: Var<'t>, sentences: &Ragged, order: Order) -> Var<'t> {
    let words = table.value();
    let (d, vocabulary) = words.shape();
    if let Some(word) = sentences.words.iter().find(|word| **word >= vocabulary) {
        panic!("word {word} in a table of {vocabulary} columns");
    }
    let mut y = Matrix::zeros(d, sentences.len());
    for (mut y, sentence) in y.column_iter_mut().zip(sentences.iter()) {
        for (j, &word) in sentence.iter().enumerate() {
            let x = words.column(word);
            weighted(y.as_mut_slice(), x.as_slice(), j, sentence.len(), order); // y += l ⊙ x
        }
    }
    let sentences = sentences.clone();
    table.tape().push([table], y, move |dy, [table_id], gradients| {
        gradients.update(table_id, |dx| {
            for (dy, sentence) in dy.column_iter().zip(sentences.iter()) {
                for (j, &word) in sentence.iter().enumerate() {
                    let mut dx = dx.column_mut(word);
                    weighted(dx.as_mut_slice(), dy.as_slice(), j, sentence.len(), order); // dx += l ⊙ dy
                }
            }
        });
    })
}
// ANCHOR_END: bags

/// `y += l ⊙ x`
fn weighted(y: &mut [Float], x: &[Float], j: usize, len: usize, order: Order) {
    let d = y.len();
    for (k, (y, x)) in y.iter_mut().zip(x).enumerate() {
        *y += match order {
            Order::Bag => *x,
            Order::Positions => position(j, len, k, d) * x,
        };
    }
}
