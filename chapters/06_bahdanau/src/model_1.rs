//! Which word translates which, without a network: IBM model 1 (Brown et al. 1993, section 4.1),
//! written as the attention that it is.
//!
//! The query is the target word `y_i` that is said, the key a source word `x_j`, the score the
//! logarithm of a table. The last word of every source is its end word: it stands for the *empty
//! word*, from which those come that translate nothing.

use shared::{Float, Matrix, elementwise};

/// A table of how probable each target word is as the translation of each source word.
#[derive(Clone, Debug)]
pub struct Model1 {
    /// `ln t(y | x)`: (source words, target words).
    pub log_t: Matrix,
    /// λ: how much a position far from the diagonal costs. 0 is model 1; more is a prior as that of
    /// Dyer et al. (2013, section 2).
    pub lambda: Float,
}

impl Model1 {
    /// Every target word as probable as any other.
    pub fn uniform(source_words: usize, target_words: usize, lambda: Float) -> Model1 {
        let log_t = -(target_words as Float).ln();
        Model1 { log_t: Matrix::from_element(source_words, target_words, log_t), lambda }
    }

    /// Score: `e_ij = ln t(y_i | x_j) − λ |i/n − j/m|`, (m, n); column i scores every source word
    /// against target word i.
    pub fn scores(&self, x: &[usize], y: &[usize]) -> Matrix {
        let (m, n) = (x.len(), y.len());
        Matrix::from_fn(m, n, |j, i| {
            self.log_t[(x[j], y[i])] - self.lambda * from_diagonal(i, n, j, m - 1)
        })
    }

    /// Alignment: the softmax of each column, `α_ij = p(word i comes from word j | x, y)`.
    pub fn alignment(&self, x: &[usize], y: &[usize]) -> Matrix {
        let mut alpha = self.scores(x, y);
        elementwise::softmax_columns(&mut alpha);
        alpha
    }

    // ANCHOR: step
    /// One step of expectation–maximisation.
    ///
    /// # Panics
    /// When a source has no word, not even an end word.
    pub fn step(&mut self, pairs: &[(&[usize], &[usize])]) {
        let mut counts = Matrix::zeros(self.log_t.nrows(), self.log_t.ncols());
        for (x, y) in pairs {
            let alpha = self.alignment(x, y); // (m, n)
            for (i, &word) in y.iter().enumerate() {
                // Context: c_i = Σ_j α_ij one_hot(x_j), added to the counts of y_i
                let mut c = counts.column_mut(word);
                (0..x.len()).for_each(|j| c[x[j]] += alpha[(j, i)]);
            }
        }
        for mut row in counts.row_iter_mut() {
            let all = row.sum();
            row.apply(|count| *count = (*count / all).max(RARE).ln()); // t(y | x)
        }
        self.log_t = counts;
    }
    // ANCHOR_END: step
}

/// No translation is impossible: a pair of words that were never seen together gets this.
const RARE: Float = 1e-9;

/// How far word `i` of `n` and word `j` of `m` stand from the diagonal, as a share of the sentence;
/// the empty word, `j = m`, stands nowhere and counts as half a sentence away.
fn from_diagonal(i: usize, n: usize, j: usize, m: usize) -> Float {
    let middle = |k: usize, of: usize| (k as Float + 0.5) / of as Float;
    if j == m { 0.5 } else { (middle(i, n) - middle(j, m)).abs() }
}

/// `ln p(y | x)` of all pairs, up to a constant that depends on their lengths and not on the table:
/// what a step of [`Model1::step`] never lowers.
pub fn log_likelihood(model: &Model1, pairs: &[(&[usize], &[usize])]) -> f64 {
    let of_pairs = pairs.iter().map(|(x, y)| {
        let scores = model.scores(x, y); // (m, n)
        let of_words = scores.column_iter().map(|e| {
            let most = elementwise::largest(e.as_slice());
            f64::from(most) + e.iter().map(|e| f64::from(e - most).exp()).sum::<f64>().ln()
        });
        of_words.sum::<f64>()
    });
    of_pairs.sum()
}
