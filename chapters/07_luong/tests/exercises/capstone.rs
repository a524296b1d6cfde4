//! 7.10, the capstone: the reader's functions are a translator whose window moves along.

use crate::attentional::{Attentional, EXERCISE as TANH};
use crate::general_scores::EXERCISE as SCORES;
use crate::local_p::EXERCISE as LOCAL;
use crate::position_gradient::EXERCISE as MOVE;
use crate::solutions;
use crate::window::EXERCISE as WINDOW;
use rand::RngExt;
use rand::seq::SliceRandom;
use shared::elementwise::softmax;
use shared::{Float, Matrix, Rng, Vector, rng};
use std::fmt::from_fn;
use std::ops::Range;
use tests::exercises::{Exercise, must_agree, show, unhinted};
use tests::{uneven, uneven_vector};

tests::parts! {
    1 window: fn(Float, usize, usize) -> Range<usize>,
    2 general_scores: fn(&Matrix, &Matrix, &Matrix) -> Matrix,
    3 position_gradient: fn(&[Float], Float, Float, &[Float]) -> Float,
    5 local_p: fn(&[Float], Float, usize, Range<usize>) -> Vec<Float>,
    7 attentional: Attentional,
}

pub const EXERCISE: Exercise<Parts> = Exercise {
    check,
    wrong: &[
        unhinted(WINDOW.wrong[3].text, Parts { window: WINDOW.wrong[3].answer, ..SOLVED }),
        unhinted(SCORES.wrong[2].text, Parts { general_scores: SCORES.wrong[2].answer, ..SOLVED }),
        unhinted(MOVE.wrong[0].text, Parts { position_gradient: MOVE.wrong[0].answer, ..SOLVED }),
        unhinted(LOCAL.wrong[2].text, Parts { local_p: LOCAL.wrong[2].answer, ..SOLVED }),
        unhinted(TANH.wrong[1].text, Parts { attentional: TANH.wrong[1].answer, ..SOLVED }),
    ],
};

fn check(parts: Parts) {
    [0.4, 2.6, 6.7].into_iter().for_each(|p| must_agree(parts, SOLVED, 1e-4, |of| of.told(p)));
    let yours = run(parts);
    let told = |shares: [f64; 2]| {
        let [right, aligned] = shares.map(|share| 100.0 * share);
        format!("{right:.1} % of the new sentences' words right, {aligned:.1} % looked at")
    };
    let table = format!("yours: {}", told(yours));
    // ours are trained only where they are shown
    show(from_fn(|f| write!(f, "\nours:  {}\n{table}", told(run(SOLVED)))));
    let learnt = yours.iter().all(|share| *share > 0.9);
    assert!(learnt, "{table}\nhint: one by one the parts agree with ours");
}

impl Parts {
    /// What each part says of one sentence around this position.
    fn told(self, p: Float) -> Vec<(&'static str, Vec<Float>)> {
        let (w, h, w_c) = (uneven(STATE, WORDS, 1.3), uneven(WORDS, 7, 0.4), uneven(4, 5, 2.0));
        let (c, s, dy) = (uneven_vector(2, 0.2), uneven_vector(3, 1.1), uneven_vector(4, 2.2));
        let (alpha, d) = ([0.2, 0.5, 0.3], [1.0, -2.0, 0.5]);
        let (window, words) = ((self.window)(p, WIDTH, 7), solutions::window(p, WIDTH, 7));
        let general = (self.general_scores)(&uneven(STATE, 1, 0.7), &w, &h);
        let local = (self.local_p)(&[0.5, 2.0, -1.0, 1.0, 3.0, 0.0, 1.5], p, WIDTH, words);
        let (y, dw, dc, ds) = (self.attentional)(&w_c, &c, &s, &dy);
        let all = [y.as_slice(), dw.as_slice(), dc.as_slice(), ds.as_slice()].concat();
        vec![
            ("window (7.1)", vec![window.start as Float, window.end as Float]),
            ("general_scores (7.2)", general.as_slice().to_vec()),
            ("position_gradient (7.3)", vec![(self.position_gradient)(&alpha, p, SIGMA, &d)]),
            ("local_p (7.5)", local),
            ("attentional (7.7)", all),
        ]
    }
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

/// *the (black) cat sees the (white) dog* → *le chat (noir) voit le chien (blanc)*, all as numbers in random order.
fn sentences(rng: &mut Rng) -> Vec<(Vec<usize>, Vec<usize>)> {
    let optional = |n: usize| if n == 0 { vec![] } else { vec![7 + n] };
    let sentence = |n: usize| {
        let (one, other) = (optional(n % 4), optional(n / 4 % 4));
        let (noun, object, verb) = (1 + n / 16 % 4, 1 + n / 64 % 4, 5 + n / 256);
        let read = [&[0], &one[..], &[noun, verb, 0], &other, &[object]].concat();
        (read, [&[0, noun], &one[..], &[verb, 0, object], &other].concat())
    };
    let mut all: Vec<_> = (0..3 * 256).map(sentence).collect();
    all.shuffle(rng);
    all
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
        let mut one = |_: usize, _: usize| rng.random_range(-0.3..0.3_f32) as Float;
        let mut random = |rows, columns| Matrix::from_fn(rows, columns, &mut one);
        let (w, w_c) = (random(STATE, WORDS), random(HIDDEN, WORDS + STATE));
        Translator { parts, v: 0.4, w, w_c, w_s: random(WORDS, HIDDEN) }
    }

    /// One state looks at one sentence, `h` (WORDS, m).
    fn look(&self, s: &Vector, h: &Matrix) -> Look {
        let m = h.ncols();
        let p = m as Float / (1.0 + (-self.v * s[STATE - 1]).exp());
        let words = (self.parts.window)(p, WIDTH, m);
        let query = Matrix::from_columns(std::slice::from_ref(s));
        let scores = (self.parts.general_scores)(&query, &self.w, h);
        let mut alpha = scores.as_slice()[words.clone()].to_vec();
        softmax(&mut alpha);
        let local = (self.parts.local_p)(scores.as_slice(), p, WIDTH, words.clone());
        let weights = Vector::from_vec(local);
        let c = h.columns_range(words.clone()) * &weights;
        let (y, ..) = (self.parts.attentional)(&self.w_c, &c, s, &Vector::zeros(HIDDEN));
        let mut said = &self.w_s * &y;
        softmax(said.as_mut_slice());
        (p, words, alpha, weights, c, y, said)
    }

    /// One step down the gradient of −ln p(y_i | x, y_{i−1}).
    fn learn(&mut self, s: &Vector, h: &Matrix, word: usize) {
        const RATE: Float = 0.3;
        let (p, words, alpha, weights, c, y, mut dlogits) = self.look(s, h);
        dlogits[word] -= 1.0;
        let dy = self.w_s.tr_mul(&dlogits);
        let (_, dw_c, dc, _) = (self.parts.attentional)(&self.w_c, &c, s, &dy);
        let (seen, inside) = (h.columns_range(words.clone()), p - words.start as Float);
        let dweights = seen.tr_mul(&dc);
        let dp = (self.parts.position_gradient)(&alpha, inside, SIGMA, dweights.as_slice());
        let dv = dp * p * (1.0 - p / h.ncols() as Float) * s[STATE - 1]; // p = m·σ(v s)
        let through = weights.component_mul(&dweights); // the Gaussian, then the softmax
        let de = &through - Vector::from_vec(alpha) * through.sum();
        self.w_s -= RATE * dlogits * y.transpose();
        self.w_c -= RATE * dw_c;
        self.w -= RATE * s * (seen * de).transpose();
        self.v -= 5.0 * RATE * dv;
    }
}

/// The state after the word `last` was read, before word `i` of a sentence with m source words.
fn state(last: usize, i: usize, m: usize) -> Vector {
    let mut s = Vector::zeros(STATE);
    s[last] = 1.0;
    s[STATE - 1] = (i as Float + 0.5) / m as Float - 0.5;
    s
}

fn annotations(x: &[usize]) -> Matrix {
    Matrix::from_fn(WORDS, x.len(), |a, j| if a == x[j] { 1.0 } else { 0.0 })
}

/// Trains a translator. Of the test's words, the shares that are said right after the right ones, and of those other
/// than *le* whose largest weight lies on their translation.
fn run(parts: Parts) -> [f64; 2] {
    let rng = &mut rng(0);
    let all = sentences(rng);
    let mut model = Translator::new(parts, rng);
    let before = |y: &[usize], i: usize| if i == 0 { BEGIN } else { y[i - 1] };
    for (x, y) in std::iter::repeat_n(&all[..80], 5).flatten() {
        for (i, &word) in y.iter().enumerate() {
            model.learn(&state(before(y, i), i, x.len()), &annotations(x), word);
        }
    }
    let (mut right, mut aligned) = (Vec::new(), Vec::new());
    for (x, y) in &all[80..130] {
        for (i, &word) in y.iter().enumerate() {
            let (_, words, _, weights, .., said) =
                model.look(&state(before(y, i), i, x.len()), &annotations(x));
            right.push(said.imax() == word);
            aligned.extend((word > 0).then(|| x[words.start + weights.imax()] == word));
        }
    }
    let share = |of: Vec<bool>| of.iter().filter(|yes| **yes).count() as f64 / of.len() as f64;
    [share(right), share(aligned)]
}
