//! 7.10, the capstone: the reader's functions are a translator whose window moves along.

use crate::attentional::Attentional;
use crate::solutions;
use rand::RngExt;
use rand::seq::SliceRandom;
use seq2seq::translating::draw::in_text;
use shared::{Float, Matrix, Rng, Vector, rng};
use std::fmt::{self, Display, Formatter};
use std::ops::Range;
use tests::exercises::{Exercise, Kind, Wrong, show};

/// What the translator is made of.
#[derive(Clone, Copy)]
pub struct Parts {
    pub window: fn(Float, usize, usize) -> Range<usize>,
    pub general_scores: fn(&Matrix, &Matrix, &Matrix) -> Matrix,
    pub position_gradient: fn(&[Float], Float, Float, &[Float]) -> Float,
    pub local_p: fn(&[Float], Float, usize, Range<usize>) -> Vec<Float>,
    pub attentional: Attentional,
}

/// Which exercises ask for them.
pub const NEEDS: [u32; 5] = [1, 2, 3, 5, 7];

const SOLVED: Parts = Parts {
    window: solutions::window,
    general_scores: solutions::general_scores,
    position_gradient: solutions::position_gradient,
    local_p: solutions::local_p,
    attentional: solutions::attentional,
};

pub fn exercise() -> Exercise<Parts> {
    Exercise {
        number: 10,
        title: "capstone: your window moves along",
        kind: Kind::Implement,
        difficulty: 1,
        minutes: 5,
        check,
        wrong: &[
            Wrong {
                name: "the window moves away",
                hint: "7.3",
                answer: Parts {
                    position_gradient: |alpha, p, sigma, dy| {
                        -solutions::position_gradient(alpha, p, sigma, dy)
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "the window stays",
                hint: "7.3",
                answer: Parts { position_gradient: |_, _, _, _| 0.0, ..SOLVED },
            },
            Wrong {
                name: "scores that ignore the query",
                hint: "7.2",
                answer: Parts {
                    general_scores: |queries, _, keys| Matrix::zeros(keys.ncols(), queries.ncols()),
                    ..SOLVED
                },
            },
            Wrong {
                name: "the center is rounded first",
                hint: "(7.1)",
                answer: Parts {
                    window: |center, width, words| {
                        let center = center.round() as usize;
                        center.saturating_sub(width)..(center + width + 1).min(words)
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "scaled scores",
                hint: "(7.2)",
                answer: Parts {
                    general_scores: |queries, w, keys| {
                        solutions::general_scores(queries, w, keys)
                            / (queries.nrows() as Float).sqrt()
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "σ instead of σ²",
                hint: "(7.3)",
                answer: Parts {
                    position_gradient: |alpha, p, sigma, dy| {
                        sigma * solutions::position_gradient(alpha, p, sigma, dy)
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "weights that sum to 1 again",
                hint: "(7.5)",
                answer: Parts {
                    local_p: |scores, p, width, window| {
                        let weights = solutions::local_p(scores, p, width, window);
                        let sum: Float = weights.iter().sum();
                        weights.into_iter().map(|weight| weight / sum).collect()
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "the state above the context",
                hint: "(7.7)",
                answer: Parts {
                    attentional: |w, c, s, dy| {
                        let (y, dw, ds, dc) = solutions::attentional(w, s, c, dy);
                        (y, dw, dc, ds)
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "no gradient of the state",
                hint: "(7.7)",
                answer: Parts {
                    attentional: |w, c, s, dy| {
                        let (y, dw, dc, _) = solutions::attentional(w, c, s, dy);
                        (y, dw, dc, Vector::zeros(s.len()))
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "uphill",
                hint: "7.7",
                answer: Parts {
                    attentional: |w, c, s, dy| {
                        let (y, dw, dc, ds) = solutions::attentional(w, c, s, dy);
                        (y, -dw, -dc, ds)
                    },
                    ..SOLVED
                },
            },
        ],
    }
}

const ENGLISH: [&str; WORDS] =
    ["the", "cat", "dog", "horse", "king", "sees", "hears", "likes", "black", "white", "grey"];
const FRENCH: [&str; WORDS] =
    ["le", "chat", "chien", "cheval", "roi", "voit", "entend", "aime", "noir", "blanc", "gris"];
const WORDS: usize = 11;
const BEGIN: usize = WORDS;

/// *the (black) cat sees the (white) dog* → *le chat (noir) voit le chien (blanc)*
type Pair = (Vec<usize>, Vec<usize>);

/// Some of the sentences, drawn at random.
fn sentences(rng: &mut Rng) -> Vec<Pair> {
    let adjectives = || (7..11).map(|word| if word == 7 { vec![] } else { vec![word] });
    let mut all: Vec<Pair> = Vec::new();
    for (one, other) in adjectives().flat_map(|one| adjectives().map(move |a| (one.clone(), a))) {
        for (noun, object) in (1..5).flat_map(|noun| (1..5).map(move |object| (noun, object))) {
            for verb in 5..8 {
                let read = [&[0], &one[..], &[noun, verb, 0], &other, &[object]].concat();
                all.push((read, [&[0, noun], &one[..], &[verb, 0, object], &other].concat()));
            }
        }
    }
    all.shuffle(rng);
    all
}

/// D
const WIDTH: usize = 3;
const SIGMA: Float = WIDTH as Float / 2.0;
/// Entries of a state: one of them says the word said last, and the last how far the translation has
/// come.
const STATE: usize = WORDS + 2;
/// Entries of s̃.
const HIDDEN: usize = 16;

/// A decoder whose state is the word said last and the place that is written, and annotations that are
/// their words: what it learns is how far to move (v), what to look for (W), and what to say then (W_c, W_s).
#[derive(Clone)]
struct Translator {
    parts: Parts,
    v: Float,    // p = m·σ(v s), s the state's last entry
    w: Matrix,   // (STATE, WORDS): the general score
    w_c: Matrix, // (HIDDEN, WORDS + STATE)
    w_s: Matrix, // (WORDS, HIDDEN)
}

/// A word as it is looked for, found and said.
struct Look {
    p: Float,
    words: Range<usize>,
    scores: Vec<Float>,
    weights: Vec<Float>,
    c: Vector,
    y: Vector,
    said: Vector,
}

impl Look {
    /// The softmax in the window, and the gradient with respect to the weights, from that of c.
    fn of_weights(&self, h: &Matrix, dc: &Vector) -> (Vec<Float>, Vec<Float>) {
        let scores = || self.words.clone().map(|j| self.scores[j]);
        let largest = scores().fold(Float::MIN, Float::max);
        let sum: Float = scores().map(|score| (score - largest).exp()).sum();
        let alpha = scores().map(|score| (score - largest).exp() / sum).collect();
        (alpha, self.words.clone().map(|j| h.column(j).dot(dc)).collect())
    }
}

impl Translator {
    fn new(parts: Parts, rng: &mut Rng) -> Translator {
        let mut random = |rows, columns| {
            Matrix::from_fn(rows, columns, |_, _| rng.random_range(-0.3..0.3_f32) as Float)
        };
        let (w, w_c) = (random(STATE, WORDS), random(HIDDEN, WORDS + STATE));
        Translator { parts, v: 0.4, w, w_c, w_s: random(WORDS, HIDDEN) }
    }

    /// The state after the word `last` was read, before word `i` of a sentence with m source words.
    fn state(last: usize, i: usize, m: usize) -> Vector {
        let mut s = Vector::zeros(STATE);
        s[last] = 1.0;
        s[STATE - 1] = (i as Float + 0.5) / m as Float - 0.5;
        s
    }

    /// One state looks at one sentence, `h` (WORDS, m).
    fn look(&self, s: &Vector, h: &Matrix) -> Look {
        let m = h.ncols();
        let p = m as Float / (1.0 + (-self.v * s[STATE - 1]).exp());
        let words = (self.parts.window)(p, WIDTH, m);
        let query = Matrix::from_column_slice(STATE, 1, s.as_slice());
        let scores = (self.parts.general_scores)(&query, &self.w, h).as_slice().to_vec();
        let weights = (self.parts.local_p)(&scores, p, WIDTH, words.clone());
        let c = h.columns_range(words.clone()) * Vector::from_column_slice(&weights);
        let (y, ..) = (self.parts.attentional)(&self.w_c, &c, s, &Vector::zeros(HIDDEN));
        let mut said = &self.w_s * &y;
        let largest = said.max();
        said.apply(|z| *z = (*z - largest).exp());
        said /= said.sum();
        Look { p, words, scores, weights, c, y, said }
    }

    /// One step down the gradient of −ln p(y_i | x, y_{i−1}).
    fn learn(&mut self, s: &Vector, h: &Matrix, word: usize) {
        const RATE: Float = 0.3;
        let look = self.look(s, h);
        let (dlogits, dy) = self.of_logits(&look, word);
        let (_, dw_c, dc, _) = (self.parts.attentional)(&self.w_c, &look.c, s, &dy);
        let (alpha, dweights) = look.of_weights(h, &dc);
        let Look { p, words, weights, y, .. } = look;
        let inside = p - words.start as Float; // counted from the window's first word
        let dp = (self.parts.position_gradient)(&alpha, inside, SIGMA, &dweights);
        let m = h.ncols() as Float;
        let dv = dp * p * (1.0 - p / m) * s[STATE - 1]; // p = m·σ(v s)

        // and to the scores: the Gaussian, then the softmax
        let through: Vec<Float> = weights.iter().zip(&dweights).map(|(w, d)| w * d).collect();
        let mean: Float = through.iter().sum();
        let de: Vec<Float> =
            through.iter().zip(&alpha).map(|(d, alpha)| d - alpha * mean).collect();
        let dkeys = h.columns_range(words) * Vector::from_vec(de);

        self.w_s -= RATE * dlogits * y.transpose();
        self.w_c -= RATE * dw_c;
        self.w -= RATE * s * dkeys.transpose();
        self.v -= 5.0 * RATE * dv;
    }

    /// The gradients of −ln p(word) with respect to the logits and to s̃.
    fn of_logits(&self, look: &Look, word: usize) -> (Vector, Vector) {
        let mut dlogits = look.said.clone();
        dlogits[word] -= 1.0;
        let dy = self.w_s.tr_mul(&dlogits);
        (dlogits, dy)
    }

    /// Before this word, one part after the other says what ours says.
    fn must_agree(&self, s: &Vector, h: &Matrix, word: usize) {
        let ours = Translator { parts: SOLVED, ..self.clone() };
        let (own, look) = (self.look(s, h), ours.look(s, h));
        if (look.p - look.p.round()).abs() < 1e-3 {
            return; // a word may stand on the window's border, to rounding
        }
        let before = format!("before “{}”, from {} words,", FRENCH[word], h.ncols());
        assert!(
            own.words == look.words,
            "{before} your window around {:.2} is {:?}, ours {:?}\nhint: does it pass its own test (7.1)?",
            look.p,
            own.words,
            look.words
        );
        let tell = |what: &str, yours: &[Float], ours: &[Float]| {
            let size = ours.iter().fold(0.0, |most: Float, x| most.max(x.abs()));
            let near = |i: usize| (yours[i] - ours[i]).abs() < 1e-3 * size + 1e-6;
            assert!(yours.len() == ours.len(), "{before} {what} have {} entries", yours.len());
            if let Some(i) = (0..ours.len()).find(|i| !near(*i)) {
                panic!(
                    "{before} entry {i} of {what} is {:.5}, ours {:.5}\nhint: does it pass its own test?",
                    yours[i], ours[i]
                );
            }
        };
        tell("the scores (7.2)", &own.scores, &look.scores);
        tell("the weights (7.5)", &own.weights, &look.weights);
        tell("s̃ (7.7)", own.y.as_slice(), look.y.as_slice());
        let (_, dy) = ours.of_logits(&look, word);
        let both = [self.parts, SOLVED];
        let [yours, right] = both.map(|parts| (parts.attentional)(&self.w_c, &look.c, s, &dy));
        tell("dW (7.7)", yours.1.as_slice(), right.1.as_slice());
        tell("dc (7.7)", yours.2.as_slice(), right.2.as_slice());
        tell("ds (7.7)", yours.3.as_slice(), right.3.as_slice());
        let (alpha, dweights) = look.of_weights(h, &right.2);
        let inside = look.p - look.words.start as Float;
        let of_place = |parts: Parts| (parts.position_gradient)(&alpha, inside, SIGMA, &dweights);
        let [yours, right] = both.map(|parts| [of_place(parts)]);
        tell("the gradient of the place (7.3), a number,", &yours, &right);
    }

    /// The most probable words, as many as the reference has, and where it looked for the
    /// reference's: (source words, target words).
    fn translate(&self, (x, y): &Pair) -> (Vec<usize>, Matrix) {
        let (h, m) = (annotations(x), x.len());
        let (mut said, mut weights) = (Vec::new(), Matrix::zeros(m, y.len()));
        for i in 0..y.len() {
            let last = said.last().copied().unwrap_or(BEGIN);
            said.push(self.look(&Translator::state(last, i, m), &h).said.imax());
            let forced = if i == 0 { BEGIN } else { y[i - 1] };
            let look = self.look(&Translator::state(forced, i, m), &h);
            look.words.zip(look.weights).for_each(|(j, weight)| weights[(j, i)] = weight);
        }
        (said, weights)
    }
}

fn annotations(x: &[usize]) -> Matrix {
    Matrix::from_fn(WORDS, x.len(), |a, j| if a == x[j] { 1.0 } else { 0.0 })
}

/// What came out: words said right, words other than *le* whose largest weight lies on their
/// translation, and a sentence's weights.
struct Outcome {
    right: f64,
    aligned: f64,
    drawing: String,
}

fn run(parts: Parts) -> Outcome {
    let rng = &mut rng(0);
    let all = sentences(rng);
    let (training, test) = (&all[..80], &all[80..130]);
    let mut model = Translator::new(parts, rng);
    for _ in 0..EPOCHS {
        for (x, y) in training {
            let h = annotations(x);
            for (i, &word) in y.iter().enumerate() {
                let last = if i == 0 { BEGIN } else { y[i - 1] };
                model.learn(&Translator::state(last, i, x.len()), &h, word);
            }
        }
    }
    let (mut right, mut words, mut aligned, mut named) = (0.0, 0.0, 0.0, 0.0);
    for pair in test {
        let (said, weights) = model.translate(pair);
        for (i, word) in pair.1.iter().enumerate() {
            let (j, _) = weights.column(i).argmax();
            right += f64::from(u8::from(said[i] == *word));
            words += 1.0;
            if *word > 0 {
                aligned += f64::from(u8::from(pair.0[j] == *word));
                named += 1.0;
            }
        }
    }
    let shown = test.iter().find(|pair| pair.0.len() == 7).expect("two adjectives");
    let names =
        |of: [&str; WORDS], s: &[usize]| s.iter().map(|w| of[*w].to_owned()).collect::<Vec<_>>();
    let (read, written) = (names(ENGLISH, &shown.0), names(FRENCH, &shown.1));
    let drawing = in_text(&model.translate(shown).1, &read, &written);
    Outcome { right: right / words, aligned: aligned / named, drawing }
}

const EPOCHS: usize = 6;

impl Display for Outcome {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let (right, aligned) = (100.0 * self.right, 100.0 * self.aligned);
        write!(f, "{right:.1} % of the new sentences' words right, {aligned:.1} % looked at")
    }
}

/// The reader's translator beside ours, which is trained when it is shown.
struct Beside<'o>(&'o Outcome);

impl Display for Beside<'_> {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let (ours, yours) = (run(SOLVED), self.0);
        write!(f, "\nours:  {ours}\nyours: {yours}\n\n{}", yours.drawing)
    }
}

fn check(parts: Parts) {
    must_agree(parts);
    let yours = run(parts);
    show(Beside(&yours));
    assert!(
        yours.right > 0.9 && yours.aligned > 0.9,
        "yours: {yours}\n\n{}\nhint: before it learns, its parts agree with ours: do the tests of 7.1, 7.2, 7.3, 7.5 and \
         7.7 pass?",
        yours.drawing
    );
}

/// Before anything is learnt.
fn must_agree(parts: Parts) {
    let rng = &mut rng(1);
    let model = Translator::new(parts, rng);
    for (x, y) in &sentences(rng)[..50] {
        for (i, &word) in y.iter().enumerate() {
            let last = if i == 0 { BEGIN } else { y[i - 1] };
            model.must_agree(&Translator::state(last, i, x.len()), &annotations(x), word);
        }
    }
}
