//! 6.9: the reader's functions are a translator, trained in a moment.

use crate::solutions;
use rand::RngExt;
use rand::seq::SliceRandom;
use seq2seq::translating::draw::in_text;
use shared::{Matrix, Rng, Vector, rng};
use solutions::Link;
use tests::exercises::{Exercise, Kind, Wrong, show};

type SoftmaxBackward = fn(&[f32], &[f32], &[usize]) -> Vec<f32>;

/// What the translator is made of.
#[derive(Clone, Copy)]
pub struct Parts {
    pub align: fn(&Vector, &Matrix, &Matrix, &Matrix, &Vector) -> Vector,
    pub contexts: fn(&Matrix, &[f32], &[usize]) -> Matrix,
    pub softmax_backward: SoftmaxBackward,
    pub additive_backward: fn(&Vector, &Matrix, &Vector, &Vector) -> (Vector, Matrix, Vector),
    pub alignment_error_rate: fn(&Matrix, &[Link], &[Link]) -> f64,
}

/// The exercises that ask for them.
pub const NEEDS: [u32; 5] = [1, 2, 3, 4, 5];

/// The parts of the solutions.
pub const SOLVED: Parts = Parts {
    align: solutions::align,
    contexts: solutions::contexts,
    softmax_backward: solutions::softmax_backward,
    additive_backward: solutions::additive_backward,
    alignment_error_rate: solutions::alignment_error_rate,
};

pub fn exercise() -> Exercise<Parts> {
    Exercise {
        number: 9,
        title: "capstone: your attention learns to translate",
        kind: Kind::Implement,
        difficulty: 1,
        minutes: 5,
        check,
        wrong: &[
            Wrong {
                name: "a softmax without its mean",
                hint: "6.3",
                answer: Parts {
                    softmax_backward: |alpha, dalpha, _| {
                        alpha.iter().zip(dalpha).map(|(a, d)| a * d).collect()
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "the query's gradient of one word only",
                hint: "6.4",
                answer: Parts {
                    additive_backward: |q, keys, v, de| {
                        let (_, dk, dv) = solutions::additive_backward(q, keys, v, de);
                        (dk.column(0).into_owned(), dk, dv)
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "uphill",
                hint: "6.4",
                answer: Parts {
                    additive_backward: |q, keys, v, de| {
                        let (dq, dk, dv) = solutions::additive_backward(q, keys, v, de);
                        (-dq, -dk, -dv)
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "all words look alike",
                hint: "6.1",
                answer: Parts {
                    align: |_, h, _, _, _| Vector::from_element(h.ncols(), 1.0 / h.ncols() as f32),
                    ..SOLVED
                },
            },
            Wrong {
                name: "the context is the sum of all",
                hint: "6.2",
                answer: Parts {
                    contexts: |values, weights, offsets| {
                        solutions::contexts(values, &vec![1.0; weights.len()], offsets)
                    },
                    ..SOLVED
                },
            },
        ],
    }
}

/// Both languages have these words, the same numbers translate each other.
const ENGLISH: [&str; WORDS] = [
    "the", "black", "white", "grey", "cat", "dog", "horse", "sleeps", "eats", "waits", "well",
    "here",
];
const FRENCH: [&str; WORDS] = [
    "le", "noir", "blanc", "gris", "chat", "chien", "cheval", "dort", "mange", "attend", "bien",
    "ici",
];
const WORDS: usize = 12;
const BEGIN: usize = WORDS;

/// *the (black) cat sleeps (well)* → *le chat (noir) dort (bien)*
type Pair = (Vec<usize>, Vec<usize>);

/// All sentences, in random order.
fn sentences(rng: &mut Rng) -> Vec<Pair> {
    let optional =
        |words: std::ops::Range<usize>| [vec![]].into_iter().chain(words.map(|w| vec![w]));
    let mut all: Vec<Pair> = Vec::new();
    for adjective in optional(1..4) {
        for noun in 4..7 {
            for verb in 7..10 {
                for adverb in optional(10..12) {
                    let end = [vec![verb], adverb].concat();
                    let english = [vec![0], adjective.clone(), vec![noun], end.clone()].concat();
                    all.push((english, [vec![0, noun], adjective.clone(), end].concat()));
                }
            }
        }
    }
    all.shuffle(rng);
    all
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

/// A word as it is looked at and said.
struct Step {
    s: Vector,
    h: Matrix,
    alpha: Vector,
    c: Vector,
    p: Vector,
}

impl Translator {
    fn new(parts: Parts, rng: &mut Rng) -> Translator {
        let mut random =
            |rows, columns| Matrix::from_fn(rows, columns, |_, _| rng.random_range(-0.5_f32..0.5));
        let (w, u) = (random(HIDDEN, WORDS + 1), random(HIDDEN, WORDS));
        let v = random(HIDDEN, 1).column(0).into_owned();
        Translator { parts, w, u, v, o: Matrix::zeros(WORDS, WORDS) }
    }

    fn step(&self, x: &[usize], last: usize) -> Step {
        let s = one_hot(WORDS + 1, last);
        let h = Matrix::from_fn(WORDS, x.len(), |a, j| f32::from(u8::from(a == x[j])));
        let alpha = (self.parts.align)(&s, &h, &self.w, &self.u, &self.v);
        let c = (self.parts.contexts)(&h, alpha.as_slice(), &[0, x.len()]).column(0).into_owned();
        let p = crate::support::softmax(&self.o * &c);
        Step { s, h, alpha, c, p }
    }

    /// One step down the gradient of −ln p(y | x, last).
    fn learn(&mut self, x: &[usize], last: usize, y: usize) {
        const RATE: f32 = 0.4;
        let Step { s, h, alpha, c, p } = self.step(x, last);
        let dlogits = p - one_hot(WORDS, y);
        let dc = self.o.tr_mul(&dlogits);
        let dalpha = h.tr_mul(&dc);
        let offsets = [0, x.len()];
        let de = (self.parts.softmax_backward)(alpha.as_slice(), dalpha.as_slice(), &offsets);
        let (q, keys) = (&self.w * &s, &self.u * &h);
        let (dq, dk, dv) =
            (self.parts.additive_backward)(&q, &keys, &self.v, &Vector::from_vec(de));
        self.o -= RATE * dlogits * c.transpose();
        self.w -= RATE * dq * s.transpose();
        self.u -= RATE * dk * h.transpose();
        self.v -= RATE * dv;
    }

    /// The most probable words, as many as the reference has, and where it looked for the
    /// reference's: (source words, target words).
    fn translate(&self, (x, y): &Pair) -> (Vec<usize>, Matrix) {
        let (mut said, mut weights) = (Vec::new(), Matrix::zeros(x.len(), y.len()));
        for i in 0..y.len() {
            let last = said.last().copied().unwrap_or(BEGIN);
            said.push(self.step(x, last).p.imax());
            let forced = self.step(x, if i == 0 { BEGIN } else { y[i - 1] });
            weights.set_column(i, &forced.alpha);
        }
        (said, weights)
    }
}

fn one_hot(n: usize, word: usize) -> Vector {
    Vector::from_fn(n, |a, _| f32::from(u8::from(a == word)))
}

/// What came out: sentences translated without a mistake, the mean alignment error rate, and the
/// first sentence's weights.
struct Outcome {
    right: f64,
    error_rate: f64,
    drawing: String,
}

fn run(parts: Parts) -> Outcome {
    let rng = &mut rng(0);
    let all = sentences(rng);
    let (training, test) = all.split_at(60);
    let mut model = Translator::new(parts, rng);
    for _ in 0..6 {
        for (x, y) in training {
            for (i, &word) in y.iter().enumerate() {
                model.learn(x, if i == 0 { BEGIN } else { y[i - 1] }, word);
            }
        }
    }
    let (mut right, mut errors) = (0.0, 0.0);
    for pair in test {
        let (said, weights) = model.translate(pair);
        let link = |i: usize| (pair.0.iter().position(|word| *word == pair.1[i]).unwrap(), i);
        let sure: Vec<Link> = (0..pair.1.len()).map(link).collect();
        right += f64::from(u8::from(said == pair.1));
        errors += (parts.alignment_error_rate)(&weights, &sure, &[]);
    }
    let shown = test.iter().find(|pair| pair.0.len() == 5).unwrap();
    let words =
        |of: [&str; WORDS], s: &[usize]| s.iter().map(|w| of[*w].to_owned()).collect::<Vec<_>>();
    let drawing =
        in_text(&model.translate(shown).1, &words(ENGLISH, &shown.0), &words(FRENCH, &shown.1));
    let n = test.len() as f64;
    Outcome { right: right / n, error_rate: errors / n, drawing }
}

fn check(parts: Parts) {
    let yours = run(parts);
    let told = |of: &Outcome| {
        let (right, error_rate) = (100.0 * of.right, 100.0 * of.error_rate);
        format!("{right:.0} % of the new sentences right, alignment error rate {error_rate:.1} %")
    };
    let table = format!("yours: {}\n\n{}", told(&yours), yours.drawing);
    show(format!("\nours:  {}\n{table}", told(&run(SOLVED))));
    assert!(
        yours.right > 0.95 && yours.error_rate < 0.05,
        "{table}\nhint: the parts are 6.1 (align), 6.2 (contexts), 6.3 and 6.4 (gradients) and 6.5: \
         do their own tests pass? Then compare with finite differences of −ln p"
    );
}
