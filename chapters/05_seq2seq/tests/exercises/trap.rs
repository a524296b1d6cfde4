//! 5.6: a trap for a beam of two, judged by the chapter's own search.

use crate::solutions;
use seq2seq::decoding::beam;
use seq2seq::{Batch, Next, Translator};
use shared::{Float, Matrix, Module, Tape, Var, Visitor};
use tests::exercises::{Exercise, unhinted};

type Trap = fn() -> Matrix;

pub const EXERCISE: Exercise<Trap> = Exercise {
    check,
    #[rustfmt::skip]
    wrong: &[
        unhinted("a trap for greedy search alone", || Matrix::from_row_slice(4, 4, &[
            0.0, 0.3, 1.0, 1.0,
            0.6, 0.3, 0.0, 0.0,
            0.4, 0.3, 0.0, 0.0,
            0.0, 0.1, 0.0, 0.0,
        ])),
        unhinted("a nearly equal second", || Matrix::from_row_slice(4, 4, &[
            0.0,  0.6, 0.6, 1.0,
            0.4,  0.2, 0.2, 0.0,
            0.35, 0.2, 0.2, 0.0,
            0.25, 0.0, 0.0, 0.0,
        ])),
        unhinted("nothing ends", || {
            Matrix::from_fn(4, 4, |i, _| if i == 0 { 0.0 } else { 1.0 / 3.0 })
        }),
        unhinted("rows sum to 1", || solutions::trap().transpose()),
        unhinted("numbers that are no probabilities", || {
            let mut p = solutions::trap();
            p[(0, 0)] = -1.0;
            p[(1, 0)] = 1.4;
            p
        }),
    ],
};

fn check(trap: Trap) {
    let p = trap();
    assert!(p.shape() == (4, 4), "a trap of shape {:?}, not (4, 4)", p.shape());
    for (j, column) in p.column_iter().enumerate() {
        assert!(
            column.iter().all(|p| (0.0..=1.0).contains(p)),
            "column {j} holds no probabilities: {:?}",
            column.as_slice()
        );
        assert!((column.sum() - 1.0).abs() < 1e-5, "column {j} sums to {}, not 1", column.sum());
    }
    let (best, words) = most_probable(&p, 1.0, &[]);
    let found = beam(&Chain(p), &[2], 2, 0.0);
    let found_words: Vec<usize> = found.words.iter().map(|word| word - 2).collect();
    let probability = if found.ended { found.log_probability.exp() } else { 0.0 };
    assert!(
        best > 0.01,
        "the best sentence of up to six words has a probability of {best:.4} only: nearly nothing ever ends"
    );
    assert!(
        probability <= 0.5 * best + 1e-6,
        "a beam of two finds the words {found_words:?} with probability {probability:.4}, the best are \
         {words:?} with {best:.4}: {probability:.4} is more than half of {best:.4}"
    );
}

/// The most probable sentence of up to six words that begins with `words`, after its probability.
fn most_probable(p: &Matrix, so_far: f64, words: &[usize]) -> (f64, Vec<usize>) {
    let with = |word: usize| so_far * f64::from(p[(word, words.last().copied().unwrap_or(0))]);
    let ended = (with(0), words.to_vec());
    if words.len() == 6 {
        return ended;
    }
    let longer = (1..4).map(|word| most_probable(p, with(word), &[words, &[word]].concat()));
    longer.fold(ended, |best, other| if other.0 > best.0 { other } else { best })
}

/// p(next | last), as a translator.
pub struct Chain(pub Matrix);

impl Module for Chain {
    fn visit(&mut self, _: &mut Visitor) {}
}

impl Translator for Chain {
    type State = ();

    fn loss<'t>(&self, _: &'t Tape, _: &Batch) -> Var<'t> {
        unreachable!("it is not trained")
    }

    fn encode(&self, _: &[&[usize]]) {}

    /// Word numbers are `<unk>`, `<bos>`, `<eos>`, then 1, 2, 3 of the exercise.
    fn next(&self, _: &mut (), last: &[usize]) -> Next {
        let p = |i: usize, j: usize| match i {
            0 | 1 => 0.0,
            _ => self.0[(i - 2, last[j].saturating_sub(2))],
        };
        let log_probabilities = Matrix::from_fn(6, last.len(), |i, j| Float::ln(p(i, j)));
        Next { log_probabilities, alignments: vec![Vec::new(); last.len()] }
    }

    fn select(&self, _: &mut (), _: &[usize]) {}
}
