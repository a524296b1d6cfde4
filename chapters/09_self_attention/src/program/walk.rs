//! Two words, step by step, in numbers.

use super::config::Config;
use super::section::Section;
use super::statistics::normal;
use crate::SelfAttention;
use serde::{Deserialize, Serialize};
use shared::{Float, Matrix, Operand, Tape, elementwise, product, rng};
use workbench::program::{Table, say};
use workbench::study::short;

const D_MODEL: usize = 512;
const D: usize = 64;
const SCORES: [Float; 2] = [112.0, 96.0];

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Walk {
    pub x: [[Float; 4]; 2],
    pub q: [Float; 4],
    pub k: [[Float; 4]; 2],
    pub v: [[Float; 4]; 2],
    /// q₁·k₁ and q₁·k₂.
    pub dots: [Float; 2],
    /// Divided by √64.
    pub scores: [Float; 2],
    pub weights: [Float; 2],
    pub y: [Float; 4],
    /// The largest difference between y₁ and the first column of the matrix form.
    pub difference: Float,
}

/// Two words and a head, random except for one thing: `q₁·k₁ = 112` and `q₁·k₂ = 96`.
///
/// `W_k` is changed as little as possible for that. Only its part along q₁ matters, so it gets
/// `W_k + q₁cᵀ/‖q₁‖²`, where `c` is the shortest vector with `cᵀxⱼ = scoreⱼ − q₁·kⱼ`.
pub fn words(seed: u64) -> (SelfAttention, Matrix) {
    let rng = &mut rng(seed);
    let x = normal(D_MODEL, 2, rng);
    let mut head = SelfAttention::new(D_MODEL, D, rng);
    let q = product(head.w_q.weight.value(), &x.columns(0, 1).into_owned()); // (D, 1)
    let k = product(head.w_k.weight.value(), &x); //                            (D, 2)
    let missing = Matrix::from_column_slice(2, 1, &SCORES) - product(&k.t(), &q);
    let inner = product(&x.t(), &x); // (2, 2)
    let inverse = inner.try_inverse().expect("two random words are not parallel");
    let c = product(&x, &product(&inverse, &missing)); // (D_MODEL, 1)
    *head.w_k.weight.value_mut() += product(&q, &c.t()) / q.norm_squared();
    (head, x)
}

// ANCHOR: steps
/// The first word's way through a head, one number after another: what it scores the words
/// `x` (d_model, n), the scores divided by √d, the weights, and `y₁` (d, 1).
pub fn first_word(head: &SelfAttention, x: &Matrix) -> [Matrix; 4] {
    let SelfAttention { w_q, w_k, w_v } = head;
    let word = |j: usize| x.columns(j, 1).into_owned(); //                     (d_model, 1)
    let q_1 = product(w_q.weight.value(), &word(0)); //                        (d, 1)
    let k = |j: usize| product(w_k.weight.value(), &word(j)); //               (d, 1)
    let v = |j: usize| product(w_v.weight.value(), &word(j)); //               (d, 1)
    let dots = Matrix::from_fn(x.ncols(), 1, |j, _| q_1.dot(&k(j))); //        (n, 1)
    let scores = &dots / Float::sqrt(q_1.nrows() as Float); //                 (n, 1)
    let mut alpha = scores.clone();
    elementwise::softmax(alpha.as_mut_slice()); //                             (n, 1)
    let weighted = |j: usize| v(j) * alpha[j];
    let y_1 = (0..x.ncols()).map(weighted).sum(); //                           (d, 1)
    [dots, scores, alpha, y_1]
}
// ANCHOR_END: steps

pub fn measure(config: &Config) -> Walk {
    let (head, x) = words(config.stream(200));
    let [dots, scores, weights, y] = first_word(&head, &x);
    let tape = Tape::without_gradients();
    let all = head.forward(tape.constant(x.clone())).value(); // (D, 2): both words at once
    let four = |x: &Matrix, j: usize| std::array::from_fn(|i| short(x[(i, j)]));
    let both = |x: &Matrix| [four(x, 0), four(x, 1)];
    let two = |x: &Matrix| [short(x[0]), short(x[1])];
    let project = |w: &shared::Linear| product(w.weight.value(), &x);
    Walk {
        x: both(&x),
        q: four(&project(&head.w_q), 0),
        k: both(&project(&head.w_k)),
        v: both(&project(&head.w_v)),
        dots: two(&dots),
        scores: two(&scores),
        weights: two(&weights),
        y: four(&y, 0),
        difference: (all.column(0) - y.column(0)).amax(),
    }
}

impl Section for Walk {
    fn report(&self) {
        let mut table = Table::new(["word", "q₁·k", "divided by 8", "weight"]);
        for (j, word) in ["1", "2"].into_iter().enumerate() {
            let numbers = [self.dots[j], self.scores[j], self.weights[j]];
            let [a, b, c] = numbers.map(|x| format!("{x:.2}"));
            table.row([word.to_string(), a, b, c]);
        }
        say("Two words, width 512, three matrices 512 → 64");
        say(&table);
    }
}
