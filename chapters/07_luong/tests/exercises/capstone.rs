//! 7.10, the capstone: the reader's functions are a translator whose window moves along.

use super::attentional::Attentional;
use super::position_gradient::EXERCISE as MOVE;
use rand::RngExt;
use rand::seq::SliceRandom;
use shared::elementwise::softmax;
use shared::{Float, Matrix, Rng, Vector, rng};
use std::ops::Range;
use tests::exercises::must_learn;

tests::parts! {
    1 window: fn(Float, usize, usize) -> Range<usize>,
    2 general_scores: fn(&Matrix, &Matrix, &Matrix) -> Matrix,
    3 position_gradient: fn(&[Float], Float, Float, &[Float]) -> Float = [MOVE.wrong[0].answer],
    5 local_p: fn(&[Float], Float, usize, Range<usize>) -> Vec<Float>,
    7 attentional: Attentional,
}

fn check(parts: Parts) {
    let yours = run(parts);
    let told = |shares: &[f64; 2]| {
        let [right, aligned] = shares.map(|share| 100.0 * share);
        format!("{right:.1} % of the new sentences' words right, {aligned:.1} % looked at")
    };
    must_learn(yours[0] > 0.9 && yours[1] > 0.9, yours, || run(SOLVED), told);
}

const WORDS: usize = 11;
const BEGIN: usize = WORDS;
/// D
const WIDTH: usize = 3;
const SIGMA: Float = WIDTH as Float / 2.0;
/// Entries of a state: one of them says the word said last, and the last how far the translation has come.
const STATE: usize = WORDS + 2;
/// Entries of s̃.
const HIDDEN: usize = 16;

/// *the (black) cat sees the (white) dog* → *le chat (noir) voit le chien (blanc)*, all as numbers.
fn sentence(n: usize) -> (Vec<usize>, Vec<usize>) {
    let optional = |n: usize| if n == 0 { vec![] } else { vec![7 + n] };
    let (one, other) = (optional(n % 4), optional(n / 4 % 4));
    let (noun, object, verb) = (1 + n / 16 % 4, 1 + n / 64 % 4, 5 + n / 256);
    let read = [&[0], &one[..], &[noun, verb, 0], &other, &[object]].concat();
    (read, [&[0, noun], &one[..], &[verb, 0, object], &other].concat())
}

/// A decoder whose state is the word said last and the position that is written, and annotations that are
/// their words: what it learns is how far to move (v), what to look for (W), and what to say then (W_c, W_s).
struct Translator {
    parts: Parts,
    v: Float,    // p = m·σ(v s), s the state's last entry
    w: Matrix,   // (STATE, WORDS): the general score
    w_c: Matrix, // (HIDDEN, WORDS + STATE)
    w_s: Matrix, // (WORDS, HIDDEN)
}

/// A word as it is looked for, found and said: p, the window, its softmax, the weights, context, s̃ and probabilities.
type Look = (Float, Range<usize>, Vec<Float>, Vector, Vector, Vector, Vector);

impl Translator {
    fn new(parts: Parts, rng: &mut Rng) -> Translator {
        let mut random = |rows, columns| {
            Matrix::from_fn(rows, columns, |_, _| rng.random_range(-0.3..0.3_f32) as Float)
        };
        let (w, w_c) = (random(STATE, WORDS), random(HIDDEN, WORDS + STATE));
        Translator { parts, v: 0.4, w, w_c, w_s: random(WORDS, HIDDEN) }
    }

    /// The state before word `i`, the annotations (WORDS, m), and how it looks from there.
    fn look(&self, x: &[usize], y: &[usize], i: usize) -> (Vector, Matrix, Look) {
        let (m, mut s) = (x.len(), Vector::zeros(STATE));
        let h = Matrix::from_fn(WORDS, m, |a, j| if a == x[j] { 1.0 } else { 0.0 });
        s[if i == 0 { BEGIN } else { y[i - 1] }] = 1.0;
        s[STATE - 1] = (i as Float + 0.5) / m as Float - 0.5;
        let p = m as Float / (1.0 + (-self.v * s[STATE - 1]).exp());
        let words = (self.parts.window)(p, WIDTH, m);
        let query = Matrix::from_columns(std::slice::from_ref(&s));
        let scores = (self.parts.general_scores)(&query, &self.w, &h);
        let mut alpha = scores.as_slice()[words.clone()].to_vec();
        softmax(&mut alpha);
        let local = (self.parts.local_p)(scores.as_slice(), p, WIDTH, words.clone());
        let weights = Vector::from_vec(local);
        let c = h.columns_range(words.clone()) * &weights;
        let (y, ..) = (self.parts.attentional)(&self.w_c, &c, &s, &Vector::zeros(HIDDEN));
        let mut said = &self.w_s * &y;
        softmax(said.as_mut_slice());
        (s, h, (p, words, alpha, weights, c, y, said))
    }

    /// One step down the gradient of −ln p(y_i | x, y_{i−1}).
    fn learn(&mut self, x: &[usize], y: &[usize], i: usize) {
        const RATE: Float = 0.3;
        let (s, h, (p, words, alpha, weights, c, hidden, mut dlogits)) = self.look(x, y, i);
        dlogits[y[i]] -= 1.0;
        let dy = self.w_s.tr_mul(&dlogits);
        let (_, dw_c, dc, _) = (self.parts.attentional)(&self.w_c, &c, &s, &dy);
        let (seen, inside) = (h.columns_range(words.clone()), p - words.start as Float);
        let dweights = seen.tr_mul(&dc);
        let dp = (self.parts.position_gradient)(&alpha, inside, SIGMA, dweights.as_slice());
        let dv = dp * p * (1.0 - p / h.ncols() as Float) * s[STATE - 1]; // p = m·σ(v s)
        let through = weights.component_mul(&dweights); // the Gaussian, then the softmax
        let de = &through - Vector::from_vec(alpha) * through.sum();
        self.w_s -= RATE * dlogits * hidden.transpose();
        self.w_c -= RATE * dw_c;
        self.w -= RATE * s * (seen * de).transpose();
        self.v -= 5.0 * RATE * dv;
    }
}

/// Trains a translator. Of the test's words, the shares that are said right after the right ones, and of those other
/// than *le* whose largest weight lies on their translation.
fn run(parts: Parts) -> [f64; 2] {
    let rng = &mut rng(0);
    let mut all: Vec<_> = (0..3 * 256).map(sentence).collect();
    all.shuffle(rng);
    let mut model = Translator::new(parts, rng);
    for (x, y) in std::iter::repeat_n(&all[..80], 5).flatten() {
        (0..y.len()).for_each(|i| model.learn(x, y, i));
    }
    let (mut right, mut aligned) = (Vec::new(), Vec::new());
    for (x, y) in &all[80..130] {
        for (i, &word) in y.iter().enumerate() {
            let (.., (_, words, _, weights, .., said)) = model.look(x, y, i);
            right.push(said.imax() == word);
            aligned.extend((word > 0).then(|| x[words.start + weights.imax()] == word));
        }
    }
    let share = |of: Vec<bool>| of.iter().filter(|yes| **yes).count() as f64 / of.len() as f64;
    [share(right), share(aligned)]
}
