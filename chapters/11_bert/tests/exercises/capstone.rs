//! 11.11, the capstone: the reader's pieces, pairs, masks and losses pre-train a small encoder.

use crate::cut::{Cut, EXERCISE as CUT};
use crate::factors::Factors;
use crate::mask::Mask;
use crate::masked_loss::{EXERCISE as LOSS, MaskedLoss};
use crate::pair::{EXERCISE as PAIR, Pair, Sequence};
use crate::slope::{Backward, EXERCISE as SLOPE};
use crate::small_encoder::{LONGEST, PIECES, begin};
use crate::solutions;
use bert::program::{decay, special};
use bert::world::{Document, documents};
use bert::{Ladder, Pretraining, Special, Tokens, tied_cross_entropy};
use corpora::WordPiece;
use rand::seq::SliceRandom;
use shared::elementwise::{normal_distribution, softmax};
use shared::{AdamW, Optimizer, ParamGradients, Ragged, Rng, Tape, Var, Vector, rng};
use std::fmt::Write;
use std::sync::OnceLock;
use tests::exercises::{Exercise, show, wrong};
use tests::expect;

/// The answers that pre-train.
#[derive(Clone, Copy)]
pub struct Parts {
    pub cut: Cut,
    pub pair: Pair,
    pub mask: Mask,
    pub gelu_backward: Backward,
    pub masked_loss: MaskedLoss,
    pub factors: Factors,
}

/// Which exercises ask for them.
pub const NEEDS: [u32; 6] = [1, 2, 3, 4, 5, 7];

pub const SOLVED: Parts = Parts {
    cut: solutions::cut,
    pair: solutions::pair,
    mask: solutions::mask,
    gelu_backward: solutions::gelu_backward,
    masked_loss: solutions::masked_loss,
    factors: solutions::factors,
};

pub const EXERCISE: Exercise<Parts> = Exercise {
    check,
    wrong: &[
        wrong("(11.1)", Parts { cut: CUT.wrong[0].answer, ..SOLVED }),
        wrong("(11.2)", Parts { pair: PAIR.wrong[4].answer, ..SOLVED }),
        wrong("(11.3)", Parts { mask: nowhere, ..SOLVED }),
        wrong("(11.3)", Parts { mask: the_same, ..SOLVED }),
        wrong("(11.4)", Parts { gelu_backward: SLOPE.wrong[0].answer, ..SOLVED }),
        wrong("(11.5)", Parts { masked_loss: LOSS.wrong[0].answer, ..SOLVED }),
        wrong("(11.7)", Parts { factors: |masked| vec![1.0; masked.len()], ..SOLVED }),
    ],
};

type Masked = Vec<bert::MaskedToken>;

fn nowhere(pieces: &mut [usize], special: &Special, vocabulary: usize, rng: &mut Rng) -> Masked {
    solutions::mask(&mut pieces.to_vec(), special, vocabulary, rng)
}

fn the_same(pieces: &mut [usize], special: &Special, vocabulary: usize, _: &mut Rng) -> Masked {
    let seed = pieces.iter().sum::<usize>() as u64;
    solutions::mask(pieces, special, vocabulary, &mut rng(seed))
}

const DOCUMENTS: usize = 300;
const BATCH: usize = 16; // pairs
const PASSES: usize = 4;
const RATE: f32 = 5e-3;
const HELD: usize = 256; // pairs
/// What the solutions come to at the end: their own run of this check holds them to it.
const OURS: f64 = 3.13;

fn check(parts: Parts) {
    let world = world();
    let [training, held] = [0, 1].map(|which| world.must_read_alike(parts, which));
    let held = &held[..HELD];
    world.must_hide_fifteen_of_a_hundred(parts, held);
    world.must_teach_alike(parts, &world.batches(parts, &training, &mut rng(1)));
    let held: Vec<Asked> = world.batches(SOLVED, held, &mut rng(1)).into_iter().flatten().collect();
    let (model, curve) = world.train(parts, &training, &held);
    let bigram = world.report(&model, &held, &curve);
    let last = curve[PASSES - 1];
    assert!(
        last < bigram && (last - OURS).abs() < 0.15,
        "your loss ends at {last:.3} nats a masked token, the solutions' at {OURS:.2}, and the bigram has {bigram:.3}\n\
         hint: each part alone is right, so what changes from pass to pass (11.3)?"
    );
}

/// Stories of the small world, and pieces learnt from them.
struct World {
    pieces: WordPiece,
    special: Special,
    /// To learn from, and held out.
    stories: [Vec<Document>; 2],
}

fn world() -> &'static World {
    static WORLD: OnceLock<World> = OnceLock::new();
    WORLD.get_or_init(|| {
        let splits = documents(DOCUMENTS, 0);
        let sentences = splits.train.iter().flat_map(|document| document.sentences.clone());
        let pieces = WordPiece::learn(sentences, PIECES).expect("enough to learn from");
        World { special: special(&pieces), pieces, stories: [splits.train, splits.test] }
    })
}

/// Sequences side by side, and what is asked: in which columns, and which pieces stood there.
struct Asked {
    tokens: Tokens,
    columns: Vec<usize>,
    originals: Vec<usize>,
}

impl World {
    /// The sentences of each story in pieces.
    fn sentences(&self, parts: Parts, which: usize) -> Vec<Vec<Vec<usize>>> {
        let known = (0..self.pieces.len()).map(|i| (self.pieces.piece(i), i)).collect();
        let cut = |word: &str| (parts.cut)(word, &known).unwrap_or(vec![self.special.unknown]);
        let sentence = |text: &String| {
            let apart =
                |c: char| if c.is_alphanumeric() { format!("{c}") } else { format!(" {c} ") };
            let words: String = text.chars().map(apart).collect();
            words.split_whitespace().flat_map(cut).collect()
        };
        let story = |story: &Document| story.sentences.iter().map(sentence).collect();
        self.stories[which].iter().map(story).collect()
    }

    fn pairs(&self, parts: Parts, stories: &[Vec<Vec<usize>>], longest: usize) -> Vec<Sequence> {
        let pair = |two: &[Vec<usize>]| (parts.pair)(&two[0], &two[1], longest, &self.special);
        stories.iter().flat_map(|story| story.windows(2).map(pair)).collect()
    }

    /// The pairs, when words are cut and pairs made as by us.
    fn must_read_alike(&self, parts: Parts, which: usize) -> Vec<Sequence> {
        let told = |pieces: &[usize]| {
            pieces.iter().map(|i| self.pieces.piece(*i)).collect::<Vec<_>>().join(" ")
        };
        let [stories, ours] = [parts, SOLVED].map(|parts| self.sentences(parts, which));
        for (yours, ours) in stories.iter().flatten().zip(ours.iter().flatten()) {
            let (yours, ours) = (told(yours), told(ours));
            assert!(yours == ours, "cut by you (11.1)\n    {yours}\nand by us\n    {ours}");
        }
        for longest in [LONGEST / 2, LONGEST] {
            let [yours, ours] = [parts, SOLVED].map(|parts| self.pairs(parts, &stories, longest));
            for ((pieces, segments), ours) in yours.iter().zip(&ours) {
                assert!(
                    (pieces, segments) == (&ours.0, &ours.1),
                    "a pair of at most {longest} pieces made by you (11.2)\n    {}\n    {segments:?}\nand by us\n    \
                     {}\n    {:?}",
                    told(pieces),
                    told(&ours.0),
                    ours.1
                );
            }
        }
        self.pairs(parts, &stories, LONGEST)
    }

    /// In each sequence as many as there should be, other ones every time; and eight tenths become `[MASK]`.
    fn must_hide_fifteen_of_a_hundred(&self, parts: Parts, held: &[Sequence]) {
        let (special, drawn) = (&self.special, &mut rng(3));
        let [mut all, mut marked, mut same, mut again] = [0.0; 4];
        for (before, _) in held {
            let [(masked, now), (others, _), (right, _)] =
                [parts.mask, parts.mask, solutions::mask].map(|mask| {
                    let mut pieces = before.clone();
                    (mask(&mut pieces, special, PIECES, drawn), pieces)
                });
            let stood = |one: &bert::MaskedToken| before.get(one.position) == Some(&one.original);
            assert!(
                masked.len() == right.len() && masked.iter().all(stood),
                "of {before:?} you mask {masked:?}\nhint: how many, and what stood there before (11.3)?"
            );
            let count =
                |of: usize| masked.iter().filter(|one| now[one.position] == of).count() as f64;
            all += masked.len() as f64;
            marked += count(special.mask);
            same += masked.iter().filter(|one| now[one.position] == one.original).count() as f64;
            again += f64::from(u8::from(masked == others));
        }
        assert!(
            (marked / all - 0.8).abs() < 0.08 && (same / all - 0.1).abs() < 0.08,
            "of {all} chosen tokens {marked} became [MASK] and {same} stayed\nhint: eight of ten, one of ten (11.3)"
        );
        assert!(
            again < 0.5 * held.len() as f64,
            "in {again} of {} sequences the same pieces are masked again\nhint: drawn anew every time (11.3)",
            held.len()
        );
    }

    /// The examples of two machines, of every batch of a pass.
    fn batches(&self, parts: Parts, pairs: &[Sequence], rng: &mut Rng) -> Vec<[Asked; 2]> {
        let mut order: Vec<&Sequence> = pairs.iter().collect();
        order.shuffle(rng);
        let mut batches = Vec::new();
        for batch in order.chunks(BATCH) {
            let shares: [_; 2] = batch.split_at(batch.len().div_ceil(3)).into();
            batches.push(shares.map(|share: &[&Sequence]| {
                let (mut read, mut column) = (Vec::new(), 0);
                let [mut columns, mut originals, mut segments] = [(); 3].map(|()| Vec::new());
                for (pieces, own) in share {
                    let mut pieces = pieces.clone();
                    for one in (parts.mask)(&mut pieces, &self.special, PIECES, rng) {
                        columns.push(column + one.position);
                        originals.push(one.original);
                    }
                    column += pieces.len();
                    segments.extend(own);
                    read.push(pieces);
                }
                let pieces = Ragged::new(&read.iter().map(Vec::as_slice).collect::<Vec<_>>());
                Asked { tokens: Tokens { pieces, segments }, columns, originals }
            }));
        }
        batches
    }

    /// Before the first step: losses, gradient and factors of two machines.
    fn must_teach_alike(&self, parts: Parts, batches: &[[Asked; 2]]) {
        let (mut model, machines) = (fresh(), &batches[0]);
        let [yours, ours] = [parts, SOLVED]
            .map(|parts| machines.each_ref().map(|machine| parts.judge(&model, machine)));
        expect(yours, ours, 1e-3).of("your loss of two machines' masked tokens (11.5)").check();
        let [yours, ours] = [parts, SOLVED].map(|parts| {
            let tape = Tape::new();
            let loss = parts.loss(&model, &tape, &machines[0]);
            Vector::from_vec(ParamGradients::from(loss.backward()).to_numbers(&mut model))
        });
        expect((yours - &ours).norm() / ours.norm(), 0.0, 1e-3)
            .of("how far the gradient through your GELU is from ours, in lengths of it (11.4),")
            .check();
        for machines in batches {
            let counts = machines.each_ref().map(|machine| machine.columns.len());
            let [yours, ours] = [parts, SOLVED].map(|parts| (parts.factors)(&counts));
            let call = format!("your factors for machines with {counts:?} masked tokens (11.7)");
            expect(yours, ours, 1e-4).of(call).check();
        }
    }

    /// The model, and after every pass the loss of what is held out.
    fn train(
        &self,
        parts: Parts,
        training: &[Sequence],
        held: &[Asked],
    ) -> (Pretraining, Vec<f64>) {
        let (mut model, mut adam, rng) = (fresh(), AdamW::new(0.0, decay), &mut rng(2));
        let steps = (PASSES * training.len().div_ceil(BATCH)) as f32;
        let (mut step, mut curve) = (0.0, Vec::new());
        for _ in 0..PASSES {
            for machines in self.batches(parts, training, rng) {
                step += 1.0;
                let up_and_down = (20.0 * step / steps).min((steps - step) / (0.95 * steps));
                adam.set_learning_rate(RATE * up_and_down);
                let counts = machines.each_ref().map(|machine| machine.columns.len());
                let (factors, tape) = ((parts.factors)(&counts), Tape::new());
                let [a, b] =
                    [0, 1].map(|i| parts.loss(&model, &tape, &machines[i]) * (factors[i] / 2.0));
                let mut gradients: ParamGradients = (a + b).backward().into();
                gradients.clip_norm(1.0);
                adam.step(&mut model, &gradients);
            }
            let count = |part: &Asked| part.columns.len() as f64;
            let sum = held.iter().map(|part| f64::from(parts.judge(&model, part)) * count(part));
            curve.push(sum.sum::<f64>() / held.iter().map(count).sum::<f64>());
        }
        (model, curve)
    }

    /// Shows the losses beside the baselines', and a mask that the model fills. The loss of the bigram.
    fn report(&self, model: &Pretraining, held: &[Asked], curve: &[f64]) -> f64 {
        let mut ladder = Ladder::new(PIECES, &self.special);
        for story in self.sentences(SOLVED, 0) {
            ladder.count(self.special.cls, &story.concat());
        }
        let asked = |part: &Asked| -> Vec<(usize, usize)> {
            let before = part.columns.iter().map(|column| part.tokens.pieces.words[column - 1]);
            before.zip(part.originals.clone()).collect()
        };
        let rungs = ladder.rungs(held.iter().flat_map(asked));
        let mut text = format!("\n{DOCUMENTS} stories; masked tokens of others, nats a piece:\n\n");
        let mut row = |who: &str, loss: f64| {
            let bar = "█".repeat((8.0 * loss).round() as usize);
            let _ = writeln!(text, "{who:<22} {loss:5.2} {bar}");
        };
        let known =
            [("uniform", rungs.uniform), ("unigram", rungs.unigram), ("bigram", rungs.bigram)];
        known.into_iter().for_each(|(who, loss)| row(who, loss));
        for (pass, loss) in curve.iter().enumerate() {
            row(&format!("pass {} of {PASSES}", pass + 1), *loss);
        }
        row(&format!("the solutions, pass {PASSES}"), OURS);
        let [first, second] = MASKED.map(|text| self.pieces.cut(text));
        let tokens = Tokens::of(&first, Some(&second), &self.special);
        let mask = tokens.pieces.words.iter().position(|piece| *piece == self.special.mask);
        let tape = Tape::without_gradients();
        let (h, _) = model.bert.forward(&tape, &tokens);
        let mut p = model.masked_logits(h, &[mask.expect("a mask")]).value().as_slice().to_vec();
        softmax(&mut p);
        let mut order: Vec<usize> = (0..PIECES).collect();
        order.sort_by(|a, b| p[*b].total_cmp(&p[*a]));
        show(format!("{text}\n{}\n", MASKED.join(" ")));
        for &piece in &order[..6] {
            let bar = "█".repeat((40.0 * p[piece]).round() as usize);
            show(format!("{:>12} {:5.1} % {bar}", self.pieces.piece(piece), 100.0 * p[piece]));
        }
        rungs.bigram
    }
}

/// What the drawing shows.
const MASKED: [&str; 2] = ["daisy has a cat.", "she lives in the [MASK] tower."];

fn fresh() -> Pretraining {
    let mut model = begin();
    (model.next, model.bert.pooler) = (None, None);
    model
}

impl Parts {
    /// The mean loss of the masked tokens, with the reader's gradient of GELU in the head.
    fn loss<'t>(&self, model: &Pretraining, tape: &'t Tape, asked: &Asked) -> Var<'t> {
        let h = model.bert.forward_some(tape, &asked.tokens, &asked.columns);
        let head = model.masked.as_ref().expect("an MLM head");
        let before = head.dense.forward(h);
        let (x, backward) = (before.value(), self.gelu_backward);
        let y = x.map(|x| x * normal_distribution(x));
        let gelu = tape.push([before], y, move |dy, [x_id], gradients| {
            gradients.add(x_id, backward(&x, &dy));
        });
        let table = tape.param(&model.bert.embeddings.words.weight);
        let bias = tape.param(&head.bias);
        let sum = tied_cross_entropy(table, head.norm.forward(gelu), bias, &asked.originals);
        sum * (1.0 / asked.originals.len() as f32)
    }

    /// The reader's loss of masked tokens; the columns of `[CLS]` are given too, and are not masked.
    fn judge(&self, model: &Pretraining, asked: &Asked) -> f32 {
        let Asked { tokens, columns, originals } = asked;
        let mut all = [&tokens.pieces.offsets[..tokens.sequences()], columns].concat();
        all.sort_unstable();
        let tape = Tape::without_gradients();
        let h = model.bert.forward_some(&tape, tokens, &all);
        let logits = model.masked_logits(h, &(0..all.len()).collect::<Vec<_>>()).value();
        let masked: Vec<bool> = all.iter().map(|column| columns.contains(column)).collect();
        let mut originals = originals.iter();
        let target = |masked: &bool| if *masked { originals.next() } else { None };
        let targets: Vec<usize> = masked.iter().map(target).map(|one| *one.unwrap_or(&0)).collect();
        (self.masked_loss)(&logits, &targets, &masked)
    }
}
