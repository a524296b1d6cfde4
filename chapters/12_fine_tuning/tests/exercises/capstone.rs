//! 12.11, the capstone: the reader's functions teach a new layer upon a small frozen encoder.

use crate::first_pieces::FirstPieces;
use crate::interval::Interval;
use crate::layer_gradients::LayerGradients;
use crate::rate::Rate;
use crate::share_of_loss::ShareOfLoss;
use crate::small_encoder::{LONGEST, PIECES, begin};
use crate::solutions;
use bert::experiment::{Corpus, PretrainingTask, options, special};
use bert::{Bert, Tokens};
use corpora::WordPiece;
use fine_tuning::read_words;
use rand::RngExt;
use rand::seq::SliceRandom;
use shared::Ragged;
use shared::elementwise::softmax_columns;
use shared::{Matrix, Tape, cross_entropy, rng};
use std::collections::HashMap;
use std::fmt::Write;
use std::sync::OnceLock;
use tests::exercises::{Exercise, Kind, Wrong, show};
use workbench::training::{Options, Schedule, Shape, json, train};
use worlds::documents::tasks::{Sizes, Tagged, ambiguous, tags};

/// The answers that fine-tune.
#[derive(Clone, Copy)]
pub struct Parts {
    pub first_pieces: FirstPieces,
    pub share_of_loss: ShareOfLoss,
    pub rate: Rate,
    pub interval: Interval,
    pub layer_gradients: LayerGradients,
}

/// Which exercises ask for them.
pub const NEEDS: [u32; 5] = [1, 2, 4, 8, 10];

/// The parts of the solutions.
pub const SOLVED: Parts = Parts {
    first_pieces: solutions::first_pieces,
    share_of_loss: solutions::share_of_loss,
    rate: solutions::rate,
    interval: solutions::interval,
    layer_gradients: solutions::layer_gradients,
};

const DOCUMENTS: usize = 300;
const TRAINING: usize = 200; // texts
const TEST: usize = 300;
const BATCH: usize = 16;
const PASSES: usize = 10;
const HIGHEST: f64 = 0.3;
const DRAWINGS: usize = 503; // no level leaves out a half
const LEVEL: f64 = 0.95;
const TAGS: [&str; 5] = ["person", "animal", "place", "thing", "other"];

pub fn exercise() -> Exercise<Parts> {
    Exercise {
        number: 11,
        title: "capstone: your layer upon an encoder",
        kind: Kind::Implement,
        difficulty: 1,
        minutes: 5,
        check,
        wrong: &[
            Wrong {
                name: "every piece is asked",
                hint: "(12.1)",
                answer: Parts {
                    first_pieces: |words, tags, special| {
                        let (pieces, mut asked) = solutions::first_pieces(words, tags, special);
                        for place in 1..pieces.len() - 1 {
                            asked[place] = asked[place].or(asked[place - 1]);
                        }
                        (pieces, asked)
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "a word without pieces is lost",
                hint: "(12.1)",
                answer: Parts {
                    first_pieces: |words, tags, special| {
                        let there = |(word, _): &(&Vec<usize>, &usize)| !word.is_empty();
                        let both = words.iter().zip(tags).filter(there);
                        let (words, tags): (Vec<_>, Vec<_>) =
                            both.map(|(word, tag)| (word.clone(), *tag)).unzip();
                        solutions::first_pieces(&words, &tags, special)
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "each part divides by its own",
                hint: "(12.2)",
                answer: Parts {
                    share_of_loss: |logits, tags, _| {
                        let own = tags.iter().flatten().count();
                        solutions::share_of_loss(logits, tags, own)
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "no way down",
                hint: "(12.4)",
                answer: Parts { rate: |_, _, highest| highest, ..SOLVED },
            },
            Wrong {
                name: "from the worst drawing to the best",
                hint: "(12.8)",
                answer: Parts {
                    interval: |right, drawn, _| solutions::interval(right, drawn, 1.0),
                    ..SOLVED
                },
            },
            Wrong {
                name: "a tenth, rounded to the nearest",
                hint: "(12.4)",
                answer: Parts {
                    rate: |step, steps, highest| {
                        let warmup = (steps + 5) / 10;
                        match step <= warmup {
                            true => highest * step as f64 / warmup as f64,
                            false => highest * (steps - step) as f64 / (steps - warmup) as f64,
                        }
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "one further at the upper end",
                hint: "(12.8)",
                answer: Parts {
                    interval: |right, drawn, level| {
                        let (low, _) = solutions::interval(right, drawn, level);
                        let (_, high) =
                            solutions::interval(right, drawn, level + 2.0 / drawn.len() as f64);
                        (low, high)
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "the bias once more by the questions",
                hint: "(12.10)",
                answer: Parts {
                    layer_gradients: |h, w, b, answers| {
                        let (dw, db) = solutions::layer_gradients(h, w, b, answers);
                        (dw, db / answers.len() as f32)
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "the bias forgotten on the way forward",
                hint: "(12.10)",
                answer: Parts {
                    layer_gradients: |h, w, b, answers| {
                        solutions::layer_gradients(h, w, &(b * 0.0), answers)
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "uphill",
                hint: "(12.10)",
                answer: Parts {
                    layer_gradients: |h, w, b, answers| {
                        let (dw, db) = solutions::layer_gradients(h, w, b, answers);
                        (-dw, -db)
                    },
                    ..SOLVED
                },
            },
        ],
    }
}

/// An encoder that has read some stories, the same before it read any, and texts to tag.
struct World {
    pieces: WordPiece,
    encoders: [Bert; 2],
    training: Vec<Example>,
    test: Vec<Example>,
}

/// A text in words, each with its pieces and its tag; `judged` is the first word that could be several
/// things.
struct Example {
    text: Vec<String>,
    words: Vec<Vec<usize>>,
    tags: Vec<usize>,
    judged: usize,
}

fn world() -> &'static World {
    static WORLD: OnceLock<World> = OnceLock::new(); // the same for every answer
    WORLD.get_or_init(|| {
        let corpus = Corpus::generated(DOCUMENTS, PIECES, 0).unwrap();
        let task = PretrainingTask::new(&corpus, None, LONGEST, BATCH, json!(null));
        let (mut model, epochs) = (begin(), 4);
        let options = options((epochs * task.pairs().div_ceil(BATCH)) as u64, 5e-3);
        train(&task, &mut model, &Options { epochs, ..options }).unwrap();
        let sizes = Sizes { train: 2 * TRAINING, validation: 0, test: 2 * TEST, noise: 0.05 };
        let parts = tags(&sizes, 0).unwrap();
        let examples = |all: &[Tagged], count: usize| {
            let fitting = all.iter().filter_map(|one| Example::new(one, &corpus.pieces));
            fitting.take(count).collect()
        };
        let training = examples(&parts.train, TRAINING);
        let test = examples(&parts.test, TEST);
        World { encoders: [model.bert, begin().bert], pieces: corpus.pieces, training, test }
    })
}

impl Example {
    /// As many words as the encoder has places for; `None` when the one to be judged is not among them.
    fn new(tagged: &Tagged, pieces: &WordPiece) -> Option<Example> {
        let mut words: Vec<Vec<usize>> = tagged.words.iter().map(|word| pieces.cut(word)).collect();
        while words.iter().map(|word| word.len().max(1)).sum::<usize>() + 2 > LONGEST {
            words.pop();
        }
        let text = tagged.words[..words.len()].to_vec();
        let judged = text.iter().position(|word| ambiguous(word))?;
        let tags = tagged.tags[..words.len()].iter().map(|tag| *tag as usize).collect();
        Some(Example { text, words, tags, judged })
    }
}

/// A text as the frozen encoder leaves it (d, pieces), and what each piece is asked.
struct Read {
    h: Matrix,
    asked: Vec<Option<usize>>,
}

/// The new layer.
struct Layer {
    w: Matrix, // (tags, d)
    b: Matrix, // (tags, 1)
}

impl Layer {
    fn logits(&self, h: &Matrix) -> Matrix {
        let mut logits = &self.w * h;
        logits.column_iter_mut().for_each(|mut column| column += &self.b);
        logits
    }
}

/// A layer that has learnt, the mean loss of every pass, the test, and which of its texts are right.
struct Outcome {
    layer: Layer,
    curve: Vec<f32>,
    test: Vec<Read>,
    right: Vec<bool>,
}

impl Outcome {
    fn share(&self) -> f64 {
        share(&self.right)
    }
}

fn share(right: &[bool]) -> f64 {
    right.iter().filter(|right| **right).count() as f64 / right.len() as f64
}

impl Parts {
    fn read(&self, encoder: &Bert, examples: &[Example], world: &World) -> Vec<Read> {
        let special = special(&world.pieces);
        let read = |example: &Example| {
            let (pieces, asked) = (self.first_pieces)(&example.words, &example.tags, &special);
            assert!(
                pieces.len() == asked.len() && pieces.len() <= LONGEST,
                "{} pieces and {} tags of a text\nhint: (12.1)",
                pieces.len(),
                asked.len()
            );
            let segments = vec![0; pieces.len()];
            let tokens = Tokens { pieces: Ragged::new(&[&pieces]), segments };
            let tape = Tape::without_gradients();
            Read { h: encoder.forward(&tape, &tokens).0.value().as_ref().clone(), asked }
        };
        examples.iter().map(read).collect()
    }

    /// Teaches a layer of zeros, whose first loss is ln 5.
    fn tune(&self, encoder: &Bert, world: &World) -> Outcome {
        let read = self.read(encoder, &world.training, world);
        let d = read[0].h.nrows();
        let mut layer = Layer { w: Matrix::zeros(TAGS.len(), d), b: Matrix::zeros(TAGS.len(), 1) };
        let batches = read.len().div_ceil(BATCH);
        let mut order: Vec<&Read> = read.iter().collect();
        let (mut rng, mut curve) = (rng(1), Vec::new());
        for pass in 0..PASSES {
            order.shuffle(&mut rng);
            let mut sum = 0.0;
            for (batch, step) in order.chunks(BATCH).zip(pass * batches + 1..) {
                let loss = self.loss(&layer, batch);
                if step == 1 {
                    must_be_ln_5(loss);
                }
                sum += loss;
                let (h, answers) = questions(batch);
                let (dw, db) = (self.layer_gradients)(&h, &layer.w, &layer.b, &answers);
                let rate = (self.rate)(step, PASSES * batches, HIGHEST) as f32;
                layer.w -= dw * rate;
                layer.b -= db * rate;
            }
            curve.push(sum / batches as f32);
        }
        let test = self.read(encoder, &world.test, world);
        let judge = |(read, example): (&Read, &Example)| {
            let h = questions(&[read]).0;
            let logits = layer.logits(&h.select_columns(&[example.judged]));
            logits.column(0).argmax().0 == example.tags[example.judged]
        };
        let right = test.iter().zip(&world.test).map(judge).collect();
        Outcome { layer, curve, test, right }
    }

    /// Of a batch in two parts, as two threads would compute it.
    fn loss(&self, layer: &Layer, batch: &[&Read]) -> f32 {
        let words = batch.iter().map(|one| one.asked.iter().flatten().count()).sum();
        let share = |part: &[&Read]| {
            let (h, asked) = side_by_side(part);
            (self.share_of_loss)(&layer.logits(&h), &asked, words)
        };
        batch.chunks(BATCH / 2).map(share).sum()
    }
}

/// Texts side by side.
fn side_by_side(part: &[&Read]) -> (Matrix, Vec<Option<usize>>) {
    let columns: Vec<_> = part.iter().flat_map(|read| read.h.column_iter()).collect();
    (Matrix::from_columns(&columns), part.iter().flat_map(|read| read.asked.clone()).collect())
}

/// The columns that are asked, and the answers.
fn questions(part: &[&Read]) -> (Matrix, Vec<usize>) {
    let (h, asked) = side_by_side(part);
    let columns: Vec<usize> = (0..asked.len()).filter(|column| asked[*column].is_some()).collect();
    (h.select_columns(&columns), asked.into_iter().flatten().collect())
}

fn must_be_ln_5(loss: f32) {
    let right = 5f32.ln();
    assert!(
        (loss - right).abs() < 1e-3,
        "a layer of zeros has the loss {loss:.4} on a batch in two parts, where five tags that are equally \
         likely cost ln 5 = {right:.4}\nhint: what is a part's sum divided by (12.2)?"
    );
}

/// The chapter's own: its reader of words, the tape, its schedule and its bootstrap.
const CHAPTER: Parts = Parts {
    first_pieces: |words, tags, special| {
        let questions = read_words(words, tags.to_vec(), special);
        let mut asked = vec![None; questions.tokens.len()];
        questions.asked.iter().zip(tags).for_each(|(column, tag)| asked[*column] = Some(*tag));
        (questions.tokens.pieces.words, asked)
    },
    share_of_loss: |logits, tags, words| {
        let columns: Vec<usize> =
            (0..tags.len()).filter(|column| tags[*column].is_some()).collect();
        let answers: Vec<usize> = tags.iter().flatten().copied().collect();
        let tape = Tape::without_gradients();
        let logits = tape.constant(logits.select_columns(&columns));
        cross_entropy(logits, &answers).scalar() / words as f32
    },
    rate: |step, steps, highest| {
        let (warmup, shape) = (steps as u64 / 10, Shape::Linear { total: steps as u64 });
        f64::from(Schedule { rate: highest as f32, warmup, shape }.at(step as u64))
    },
    interval: |right, drawn, level| {
        let mut shares: Vec<f64> = drawn
            .iter()
            .map(|texts| share(&texts.iter().map(|text| right[*text]).collect::<Vec<_>>()))
            .collect();
        shares.sort_by(f64::total_cmp);
        let outside = ((1.0 - level) / 2.0 * shares.len() as f64).round() as usize;
        (shares[outside], shares[shares.len() - 1 - outside])
    },
    layer_gradients: |h, w, b, answers| {
        let tape = Tape::new();
        let [w, b] = [w, b].map(|parameter| tape.leaf(parameter.clone()));
        let logits = (w * tape.constant(h.clone())).add_column(b);
        let loss = cross_entropy(logits, answers) * (1.0 / answers.len() as f32);
        let gradients = loss.backward();
        (gradients.wrt(w), gradients.wrt(b))
    },
};

/// Its layer upon the encoder that has read, and upon the one that has not.
fn ours() -> &'static [Outcome; 2] {
    static OURS: OnceLock<[Outcome; 2]> = OnceLock::new(); // the same for every answer
    OURS.get_or_init(|| world().encoders.each_ref().map(|encoder| CHAPTER.tune(encoder, world())))
}

/// The tag that a word had most often in the training texts, that of a person where it is new: which
/// texts of the test this tells rightly.
fn counted(world: &World) -> Vec<bool> {
    let mut counts: HashMap<&str, [usize; 5]> = HashMap::new();
    for example in &world.training {
        for (word, tag) in example.text.iter().zip(&example.tags) {
            counts.entry(word).or_default()[*tag] += 1;
        }
    }
    let told = |example: &Example| {
        let counts = counts.get(&*example.text[example.judged]).copied().unwrap_or_default();
        (0..5).rev().max_by_key(|tag| counts[*tag]) == Some(example.tags[example.judged])
    };
    world.test.iter().map(told).collect()
}

fn check(parts: Parts) {
    let (world, [ours, unread]) = (world(), ours());
    must_read_alike(parts, world);
    let steps = PASSES * TRAINING.div_ceil(BATCH);
    for steps in [steps, steps + 8, 7] {
        must_rise_and_fall(parts, steps);
    }
    must_teach_alike(parts, &ours.layer, &ours.test);
    let mut rng = rng(2);
    let mut drawing = || (0..TEST).map(|_| rng.random_range(0..TEST)).collect::<Vec<usize>>();
    let drawn: Vec<Vec<usize>> = (0..DRAWINGS).map(|_| drawing()).collect();
    must_leave_out_alike(parts, &ours.right, &drawn);
    let yours = parts.tune(&world.encoders[0], world);
    let mut report = format!(
        "\n{TRAINING} texts to learn from, {PASSES} passes; of {TEST} others the first word that could be several \
         things:\n\n{:<38} {:>7}   95 % of drawings\n",
        "", "right, %"
    );
    let mut row = |who: &str, right: &[bool], interval: Interval| {
        let (low, high) = interval(right, &drawn, LEVEL);
        let (low, high, share) = (100.0 * low, 100.0 * high, 100.0 * share(right));
        let _ = writeln!(report, "{who:<38} {share:>7.1}    {low:.1} to {high:.1}");
    };
    row("your layer", &yours.right, parts.interval);
    row("the chapter's", &ours.right, CHAPTER.interval);
    row("the same upon an encoder without text", &unread.right, CHAPTER.interval);
    row("counting: the word's most frequent tag", &counted(world), CHAPTER.interval);
    report += "\nWhy less than counting? A table has an entry for each word; this layer has 5·57 numbers for all of them, upon \
               tokens\nthat stay as they are: its loss does not fall far even on the texts that it learns from.\n\
               \nnats a word while it learns\n";
    for (loss, pass) in yours.curve.iter().zip(1..) {
        let bar = "█".repeat((30.0 * loss).round().clamp(0.0, 70.0) as usize);
        let _ = writeln!(report, "{pass:>5} {loss:5.2} {bar}");
    }
    show(report + &drawn_text(&yours, world));
    let near = |(a, b): (&f32, &f32)| (a - b).abs() < 0.01 * b;
    assert!(
        yours.curve.iter().zip(&ours.curve).all(near),
        "your losses, pass by pass, are {:.3?}, the chapter's {:.3?}\nhint: which way do the steps go \
         (12.10)?",
        yours.curve,
        ours.curve
    );
    assert!(
        (yours.share() - ours.share()).abs() < 0.02 && ours.share() > unread.share(),
        "{:.1} % right, the chapter's layer {:.1} %\nhint: (12.10)",
        100.0 * yours.share(),
        100.0 * ours.share()
    );
}

/// Of the same texts and drawings, at several levels.
fn must_leave_out_alike(parts: Parts, right: &[bool], drawn: &[Vec<usize>]) {
    for level in [LEVEL, 0.99, 0.9, 0.5] {
        let [yours, own] =
            [parts.interval, CHAPTER.interval].map(|interval| interval(right, drawn, level));
        assert!(
            (yours.0 - own.0).abs() < 1e-6 && (yours.1 - own.1).abs() < 1e-6,
            "the interval that holds {level} of the drawings is {yours:.4?}, the chapter's {own:.4?}\nhint: how many \
             drawings are left out on either side (12.8)?"
        );
    }
}

/// Upon a layer that has learnt: a batch's gradients, and its loss in two parts of unequal length.
fn must_teach_alike(parts: Parts, layer: &Layer, batch: &[Read]) {
    let (first, others) = batch[..BATCH].split_at(3);
    let all: Vec<&Read> = batch[..BATCH].iter().collect();
    let (h, answers) = questions(&all);
    let share = |parts: &Parts, part: &[Read]| {
        let (h, asked) = side_by_side(&part.iter().collect::<Vec<_>>());
        (parts.share_of_loss)(&layer.logits(&h), &asked, answers.len())
    };
    let [yours, ours] = [parts, CHAPTER].map(|p| [first, others].map(|part| share(&p, part)));
    assert!(
        (0..2).all(|i| (yours[i] - ours[i]).abs() < 1e-4),
        "two parts' shares of a loss are {yours:?}, the chapter's {ours:?}\nhint: what is a part's sum divided by \
         (12.2)?"
    );
    let [yours, ours] =
        [parts, CHAPTER].map(|parts| (parts.layer_gradients)(&h, &layer.w, &layer.b, &answers));
    let all = [("dW", &yours.0, &ours.0), ("db", &yours.1, &ours.1)];
    for (name, yours, ours) in all {
        assert!(
            yours.shape() == ours.shape(),
            "{name} is {:?}, not {:?}",
            yours.shape(),
            ours.shape()
        );
        assert!(
            (yours - ours).norm() < 1e-3 * ours.norm(),
            "of {} questions {name} has a length of {:.5} and is {:.5} away from the chapter's, which has {:.5}\nhint: \
             softmax of W h + b, less the answer, in a mean (12.10)",
            answers.len(),
            yours.norm(),
            (yours - ours).norm(),
            ours.norm()
        );
    }
}

/// Every text is read and asked as the chapter does it, also when its second word has no piece.
fn must_read_alike(parts: Parts, world: &World) {
    let special = special(&world.pieces);
    for Example { words, tags, text, .. } in &world.training {
        let mut without = words.clone();
        without.iter_mut().skip(1).take(1).for_each(Vec::clear);
        for (words, what) in [(words, ""), (&without, ", its second word without a piece,")] {
            let [yours, ours] =
                [parts, CHAPTER].map(|parts| (parts.first_pieces)(words, tags, &special));
            assert!(
                yours == ours,
                "of “{}”{what} you read {:?} and ask {:?}, the chapter {:?} and {:?}\nhint: a word is asked at its first \
                 piece, [UNK] when it has none (12.1)",
                text.join(" "),
                yours.0,
                yours.1,
                ours.0,
                ours.1
            );
        }
    }
}

/// The rate of every step is the chapter's.
fn must_rise_and_fall(parts: Parts, steps: usize) {
    for step in 1..=steps {
        let [yours, ours] = [parts.rate, CHAPTER.rate].map(|rate| rate(step, steps, HIGHEST));
        assert!(
            (yours - ours).abs() < 1e-4,
            "the rate of step {step} of {steps} is {yours}, the chapter's {ours}\nhint: up, then down (12.4)"
        );
    }
}

/// A text of the test, and how sure the layer is of each word.
fn drawn_text(yours: &Outcome, world: &World) -> String {
    let shown = world.test.iter().position(|one| (7..12).contains(&one.text.len())).unwrap_or(0);
    let example = &world.test[shown];
    let mut p = yours.layer.logits(&questions(&[&yours.test[shown]]).0);
    softmax_columns(&mut p);
    let mut drawing = "\nhow sure it is of every word of a text\n".to_owned();
    for (j, word) in example.text.iter().enumerate() {
        let (tag, sure) = p.column(j).argmax();
        let bar = "█".repeat((30.0 * sure).round() as usize);
        let wrong = if tag == example.tags[j] { "" } else { " – wrong" };
        let _ = writeln!(drawing, "{word:>12} {:<7} {bar}{wrong}", TAGS[tag]);
    }
    drawing
}
