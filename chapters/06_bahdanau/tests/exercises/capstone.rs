//! 6.9: the reader's functions are a translator, trained in a moment.

use super::additive_backward::EXERCISE as SUMS;
use super::align::EXERCISE as ALIGN;
use super::alignment_error_rate::EXERCISE as AER;
use super::contexts::EXERCISE as CONTEXTS;
use super::softmax_backward::{EXERCISE as MEAN, SoftmaxBackward};
use super::solutions::Link;
use super::support::softmax_less;
use rand::RngExt;
use rand::seq::SliceRandom;
use shared::{Matrix, Rng, Vector, rng};
use tests::exercises::must_learn;

tests::parts! {
    1 align: fn(&Vector, &Matrix, &Matrix, &Matrix, &Vector) -> Vector = [ALIGN.wrong[0].answer],
    2 contexts: fn(&Matrix, &[f32], &[usize]) -> Matrix = [CONTEXTS.wrong[1].answer],
    3 softmax_backward: SoftmaxBackward = [MEAN.wrong[5].answer],
    4 additive_backward: fn(&Vector, &Matrix, &Vector, &Vector) -> (Vector, Matrix, Vector)
        = [SUMS.wrong[3].answer],
    5 alignment_error_rate: fn(&Matrix, &[Link], &[Link]) -> f64 = [AER.wrong[5].answer],
}

fn check(parts: Parts) {
    let yours = run(parts);
    let told = |shares: &[f64; 2]| {
        let [right, errors] = shares.map(|share| 100.0 * share);
        format!("{right:.0} % of the new sentences right, alignment error rate {errors:.1} %")
    };
    must_learn(yours[0] > 0.95 && yours[1] < 0.05, yours, || run(SOLVED), told);
}

/// Both languages have the same words: the, three adjectives, three nouns, three verbs, two adverbs.
const WORDS: usize = 12;
const BEGIN: usize = WORDS;

/// *the (black) cat sleeps (well)* → *le chat (noir) dort (bien)*, as numbers.
fn sentence(n: usize) -> (Vec<usize>, Vec<usize>) {
    let optional = |word: usize| if word == 0 { vec![] } else { vec![word] };
    let (adjective, noun, verb) = (optional(n % 4), 4 + n / 4 % 3, 7 + n / 12 % 3);
    let end = [vec![verb], optional([0, 10, 11][n / 36])].concat();
    let english = [&[0], &adjective[..], &[noun], &end].concat();
    (english, [&[0, noun], &adjective[..], &end].concat())
}

/// Hidden units of the score.
const HIDDEN: usize = 8;

/// A decoder whose state is the word said last, and annotations that are their words: all that it can
/// learn is where to look (W, U, v) and what to say there (O).
struct Translator {
    parts: Parts,
    w: Matrix, // (HIDDEN, WORDS + 1)
    u: Matrix, // (HIDDEN, WORDS)
    v: Vector, // (HIDDEN)
    o: Matrix, // (WORDS, WORDS)
}

impl Translator {
    fn new(parts: Parts, rng: &mut Rng) -> Translator {
        let mut random =
            |rows, columns| Matrix::from_fn(rows, columns, |_, _| rng.random_range(-0.5_f32..0.5));
        let (w, u) = (random(HIDDEN, WORDS + 1), random(HIDDEN, WORDS));
        let v = random(HIDDEN, 1).column(0).into_owned();
        Translator { parts, w, u, v, o: Matrix::zeros(WORDS, WORDS) }
    }

    /// State and words, where it looks, what it finds there, and with which probabilities it says each word.
    fn step(&self, x: &[usize], last: usize) -> (Vector, Matrix, Vector, Vector, Vector) {
        let s = one_hot(WORDS + 1, last);
        let h = Matrix::from_fn(WORDS, x.len(), |a, j| f32::from(a == x[j]));
        let alpha = (self.parts.align)(&s, &h, &self.w, &self.u, &self.v);
        let c = (self.parts.contexts)(&h, alpha.as_slice(), &[0, x.len()]).column(0).into_owned();
        let p = softmax_less(Vector::max, &self.o * &c);
        (s, h, alpha, c, p)
    }

    /// One step down the gradient of −ln p(y | x, last).
    fn learn(&mut self, x: &[usize], last: usize, y: usize) {
        const RATE: f32 = 0.4;
        let (s, h, alpha, c, p) = self.step(x, last);
        let dlogits = p - one_hot(WORDS, y);
        let dalpha = h.tr_mul(&self.o.tr_mul(&dlogits));
        let offsets = [0, x.len()];
        let de = (self.parts.softmax_backward)(alpha.as_slice(), dalpha.as_slice(), &offsets);
        let (q, keys, de) = (&self.w * &s, &self.u * &h, Vector::from_vec(de));
        let (dq, dk, dv) = (self.parts.additive_backward)(&q, &keys, &self.v, &de);
        self.o -= RATE * dlogits * c.transpose();
        self.w -= RATE * dq * s.transpose();
        self.u -= RATE * dk * h.transpose();
        self.v -= RATE * dv;
    }
}

fn one_hot(n: usize, word: usize) -> Vector {
    Vector::from_fn(n, |a, _| f32::from(a == word))
}

/// Trains a translator. After the right beginnings, the shares of test sentences with no wrong word and of
/// alignment errors.
fn run(parts: Parts) -> [f64; 2] {
    let rng = &mut rng(0);
    let mut all: Vec<_> = (0..108).map(sentence).collect();
    all.shuffle(rng);
    let (training, test) = all.split_at(60);
    let mut model = Translator::new(parts, rng);
    let before = |y: &[usize], i: usize| if i == 0 { BEGIN } else { y[i - 1] };
    for (x, y) in std::iter::repeat_n(training, 6).flatten() {
        (0..y.len()).for_each(|i| model.learn(x, before(y, i), y[i]));
    }
    let (mut right, mut errors) = (0.0, 0.0);
    for (x, y) in test {
        let steps: Vec<_> = (0..y.len()).map(|i| model.step(x, before(y, i))).collect();
        let weights: Vec<Vector> = steps.iter().map(|step| step.2.clone()).collect();
        let sources = y.iter().map(|to| x.iter().position(|from| from == to).unwrap());
        let sure: Vec<Link> = sources.zip(0..).collect();
        right += f64::from(u8::from((0..y.len()).all(|i| steps[i].4.imax() == y[i])));
        errors += (parts.alignment_error_rate)(&Matrix::from_columns(&weights), &sure, &[]);
    }
    [right, errors].map(|sum| sum / test.len() as f64)
}
