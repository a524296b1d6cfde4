//! 5.6: a trap for a beam of two, judged by the chapter's own search.

use crate::solutions;
use seq2seq::decoding::beam;
use seq2seq::{Batch, Next, Translator};
use shared::{Float, Matrix, Module, Tape, Var, Visitor};
use tests::exercises::{Exercise, Kind, Wrong};

type Trap = fn() -> Matrix;

pub fn exercise() -> Exercise<Trap> {
    Exercise {
        number: 6,
        title: "a trap for a beam of two",
        kind: Kind::Derive,
        difficulty: 2,
        minutes: 20,
        check,
        wrong: &[
            Wrong {
                name: "a trap for greedy search alone",
                hint: "is more than half of",
                answer: || {
                    #[rustfmt::skip]
                    let p = [
                        0.0, 0.3, 1.0, 1.0,
                        0.6, 0.3, 0.0, 0.0,
                        0.4, 0.3, 0.0, 0.0,
                        0.0, 0.1, 0.0, 0.0,
                    ];
                    Matrix::from_row_slice(4, 4, &p)
                },
            },
            Wrong {
                name: "a nearly equal second",
                hint: "is more than half of",
                answer: || {
                    #[rustfmt::skip]
                    let p = [
                        0.0, 0.6, 0.6, 1.0,
                        0.4, 0.2, 0.2, 0.0,
                        0.35, 0.2, 0.2, 0.0,
                        0.25, 0.0, 0.0, 0.0,
                    ];
                    Matrix::from_row_slice(4, 4, &p)
                },
            },
            Wrong {
                name: "all alike",
                hint: "is more than half of",
                answer: || Matrix::from_element(4, 4, 0.25),
            },
            Wrong {
                name: "nothing ends",
                hint: "nearly nothing ever ends",
                answer: || Matrix::from_fn(4, 4, |i, _| if i == 0 { 0.0 } else { 1.0 / 3.0 }),
            },
            Wrong {
                name: "rows sum to 1",
                hint: "column 0 sums to",
                answer: || solutions::trap().transpose(),
            },
            Wrong {
                name: "numbers that are no probabilities",
                hint: "holds no probabilities",
                answer: || {
                    let mut p = solutions::trap();
                    p[(0, 0)] = -1.0;
                    p[(1, 0)] = 1.4;
                    p
                },
            },
            Wrong { name: "three words", hint: "not (4, 4)", answer: || Matrix::identity(3, 3) },
        ],
    }
}

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
    let model = Chain(p);
    let (best, words) = model.best();
    let found = beam(&model, &[2], 2, 0.0);
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

/// p(next | last), as a translator.
pub struct Chain(pub Matrix);

impl Chain {
    /// The most probable sentence of up to six words, after its probability.
    fn best(&self) -> (f64, Vec<usize>) {
        let p = |word: usize, words: &[usize]| {
            f64::from(self.0[(word, words.last().copied().unwrap_or(0))])
        };
        let mut open = vec![(1.0, Vec::new())];
        let mut best = (0.0, Vec::new());
        for _ in 0..7 {
            for (so_far, words) in &open {
                let ended = so_far * p(0, words);
                if ended > best.0 {
                    best = (ended, words.clone());
                }
            }
            let longer = |(so_far, words): &(f64, Vec<usize>)| {
                [1, 2, 3].map(|word| (so_far * p(word, words), [&words[..], &[word]].concat()))
            };
            open = open.iter().flat_map(longer).collect();
        }
        best
    }
}

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
