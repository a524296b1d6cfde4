//! 5.6: a trap for a beam of two, judged by the chapter's own search.

use super::solutions;
use seq2seq::decoding::beam;
use seq2seq::{Batch, Next, Translator};
use shared::{Float, Matrix, Module, Tape, Var, Visitor};
use tests::exercises::{Exercise, unhinted};

type Trap = fn() -> Matrix;

pub const EXERCISE: Exercise<Trap> = Exercise {
    check,
    wrong: &[
        unhinted("a trap for greedy search alone", || {
            let columns = [[0.0, 0.6, 0.4, 0.0], [0.3, 0.3, 0.3, 0.1], [1.0, 0.0, 0.0, 0.0]];
            Matrix::from_fn(4, 4, |i, j| columns[j.min(2)][i])
        }),
        unhinted("nothing ends", || Matrix::from_fn(4, 4, |i, _| [0.0, 0.5, 0.25, 0.25][i])),
        unhinted("rows sum to 1", || solutions::trap().transpose()),
    ],
};

fn check(trap: Trap) {
    let p = trap();
    assert!(p.shape() == (4, 4), "a trap of shape {:?}, not (4, 4)", p.shape());
    for (j, column) in p.column_iter().enumerate() {
        let (sum, column) = (column.sum(), column.as_slice());
        let fits = (sum - 1.0).abs() < 1e-5 && column.iter().all(|p| (0.0..=1.0).contains(p));
        assert!(fits, "column {j} holds no probabilities that sum to 1: {column:?}");
    }
    let (best, words) = most_probable(&p, 1.0, &[]);
    let found = beam(&Chain(p), &[2], 2, 0.0);
    let found_words: Vec<_> = found.words.iter().map(|word| word - 2).collect();
    let p = if found.ended { found.log_probability.exp() } else { 0.0 };
    assert!(
        best > 0.01,
        "the best sentence of up to six words has a probability of {best:.4} only"
    );
    assert!(
        p <= 0.5 * best + 1e-6,
        "a beam of two finds {found_words:?} with probability {p:.4}, more than half of that of the best, {words:?} \
         with {best:.4}"
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
    longer.chain([ended]).max_by(|a, b| a.0.total_cmp(&b.0)).expect("four")
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
        let places: Vec<usize> = last.iter().map(|word| word.saturating_sub(2)).collect();
        let p = self.0.select_columns(&places).insert_rows(0, 2, 0.0);
        let log_probabilities = p.map(Float::ln);
        Next { log_probabilities, alignments: vec![Vec::new(); last.len()] }
    }
    fn select(&self, _: &mut (), _: &[usize]) {}
}
