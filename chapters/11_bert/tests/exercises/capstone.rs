//! 11.11, the capstone: the reader's pieces, pairs, masks and losses pre-train a small encoder.

use crate::cut::Cut;
use crate::hide::Hide;
use crate::masked_loss::MaskedLoss;
use crate::pair::{Pair, Sequence};
use crate::small_encoder::{LONGEST, PIECES, begin};
use crate::solutions;
use bert::experiment::{decay, special};
use bert::{
    Hidden, Ladder, Masking, Pretraining, Special, Tokens, cut_word, fit, tied_cross_entropy,
};
use corpora::WordPiece;
use rand::seq::SliceRandom;
use shared::Ragged;
use shared::elementwise::{normal_distribution, softmax};
use shared::{AdamW, Matrix, Optimizer, ParamGradients, Rng, Tape, Var, cross_entropy, rng};
use std::collections::HashMap;
use std::fmt::Write;
use std::sync::OnceLock;
use tests::exercises::{Exercise, Kind, Wrong, show};
use worlds::documents::{Document, documents};

/// The answers that pre-train.
#[derive(Clone, Copy)]
pub struct Parts {
    pub cut: Cut,
    pub pair: Pair,
    pub hide: Hide,
    pub gelu_backward: fn(&Matrix, &Matrix) -> Matrix,
    pub masked_loss: MaskedLoss,
    pub factors: fn(&[usize]) -> Vec<f32>,
}

/// Which exercises ask for them.
pub const NEEDS: [u32; 6] = [1, 2, 3, 4, 5, 7];

pub const SOLVED: Parts = Parts {
    cut: solutions::cut,
    pair: solutions::pair,
    hide: solutions::hide,
    gelu_backward: solutions::gelu_backward,
    masked_loss: solutions::masked_loss,
    factors: solutions::factors,
};

/// What the chapter has in their place.
const CHAPTER: Parts = Parts {
    cut: |word, known| cut_word(word, known).ok_or(0),
    pair: |first, second, longest, special| {
        let (mut first, mut second) = (first.to_vec(), second.to_vec());
        fit(&mut first, &mut second, longest);
        let tokens = Tokens::of(&first, Some(&second), special);
        (tokens.pieces.words, tokens.segments)
    },
    hide: |pieces, special, vocabulary, rng| {
        Masking::default().hide(pieces, special, vocabulary, rng)
    },
    gelu_backward: |x, dy| {
        let tape = Tape::new();
        let leaf = tape.leaf(x.clone());
        bert::gelu(leaf).sum().backward().wrt(leaf).component_mul(dy)
    },
    masked_loss: |logits, targets, hidden| {
        let asked: Vec<usize> = (0..targets.len()).filter(|column| hidden[*column]).collect();
        let targets: Vec<usize> = asked.iter().map(|column| targets[*column]).collect();
        let tape = Tape::without_gradients();
        let logits = tape.constant(logits.select_columns(&asked));
        cross_entropy(logits, &targets).scalar() / asked.len() as f32
    },
    factors: |hidden| {
        let mean = hidden.iter().sum::<usize>() as f32 / hidden.len() as f32;
        hidden.iter().map(|own| *own as f32 / mean).collect()
    },
};

pub fn exercise() -> Exercise<Parts> {
    Exercise {
        number: 11,
        title: "capstone: your masks pre-train",
        kind: Kind::Implement,
        difficulty: 1,
        minutes: 5,
        check,
        wrong: &[
            Wrong {
                name: "hidden nowhere",
                hint: "(11.3)",
                answer: Parts {
                    hide: |pieces, special, vocabulary, rng| {
                        solutions::hide(&mut pieces.to_vec(), special, vocabulary, rng)
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "asked for what stands there now",
                hint: "(11.3)",
                answer: Parts {
                    hide: |pieces, special, vocabulary, rng| {
                        let mut hidden = solutions::hide(pieces, special, vocabulary, rng);
                        hidden.iter_mut().for_each(|one| one.original = pieces[one.place]);
                        hidden
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "places counted without the first mark",
                hint: "(11.3)",
                answer: Parts {
                    hide: |pieces, special, vocabulary, rng| {
                        let mut hidden = solutions::hide(pieces, special, vocabulary, rng);
                        hidden.iter_mut().for_each(|one| one.place -= 1);
                        hidden
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "twice as many",
                hint: "fifteen of a hundred",
                answer: Parts {
                    hide: |pieces, special, vocabulary, rng| {
                        let masking = Masking { chosen: 0.3, ..Masking::default() };
                        masking.hide(pieces, special, vocabulary, rng)
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "the mean over all positions",
                hint: "(11.5)",
                answer: Parts {
                    masked_loss: |logits, targets, _| {
                        solutions::masked_loss(logits, targets, &vec![true; targets.len()])
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "every machine counts alike",
                hint: "(11.7)",
                answer: Parts { factors: |hidden| vec![1.0; hidden.len()], ..SOLVED },
            },
            Wrong {
                name: "always [MASK]",
                hint: "(11.3)",
                answer: Parts {
                    hide: |pieces, special, vocabulary, rng| {
                        let masking = Masking { masked: 1.0, ..Masking::default() };
                        masking.hide(pieces, special, vocabulary, rng)
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "the same masks in every pass",
                hint: "drawn anew",
                answer: Parts {
                    hide: |pieces, special, vocabulary, _| {
                        let seed = pieces.iter().sum::<usize>() as u64;
                        solutions::hide(pieces, special, vocabulary, &mut rng(seed))
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "the second text alone is shortened",
                hint: "(11.2)",
                answer: Parts {
                    pair: |a, b, longest, special| {
                        let a = &a[..a.len().min(longest - 3)];
                        let b = &b[..b.len().min(longest - 3 - a.len())];
                        solutions::pair(a, b, longest, special)
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "one segment",
                hint: "(11.2)",
                answer: Parts {
                    pair: |a, b, longest, special| {
                        let (pieces, _) = solutions::pair(a, b, longest, special);
                        let segments = vec![0; pieces.len()];
                        (pieces, segments)
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "Φ as a number",
                hint: "(11.4)",
                answer: Parts {
                    gelu_backward: |x, dy| x.zip_map(dy, |x, dy| normal_distribution(x) * dy),
                    ..SOLVED
                },
            },
            Wrong {
                name: "factors turned round",
                hint: "(11.7)",
                answer: Parts {
                    factors: |hidden| solutions::factors(hidden).into_iter().rev().collect(),
                    ..SOLVED
                },
            },
            Wrong {
                name: "no word is known",
                hint: "(11.1)",
                answer: Parts { cut: |_, _| Err(0), ..SOLVED },
            },
            Wrong {
                name: "uphill through the head",
                hint: "(11.4)",
                answer: Parts { gelu_backward: |x, dy| -solutions::gelu_backward(x, dy), ..SOLVED },
            },
        ],
    }
}

const DOCUMENTS: usize = 300;
const BATCH: usize = 16; // pairs
const PASSES: usize = 4;
const RATE: f32 = 5e-3;
const HELD: usize = 256; // pairs

/// Stories of the small world, and pieces learnt from them.
fn stories() -> &'static (WordPiece, [Vec<Document>; 2]) {
    static STORIES: OnceLock<(WordPiece, [Vec<Document>; 2])> = OnceLock::new();
    STORIES.get_or_init(|| {
        let splits = documents(DOCUMENTS, 0);
        let sentences = splits.train.iter().flat_map(|document| document.sentences.clone());
        let pieces = WordPiece::learn(sentences, PIECES).unwrap();
        (pieces, [splits.train, splits.test])
    })
}

/// Words and marks of a sentence.
fn words(sentence: &str) -> Vec<String> {
    let apart = |letter: char| match letter.is_alphanumeric() {
        true => letter.to_string(),
        false => format!(" {letter} "),
    };
    sentence.chars().map(apart).collect::<String>().split_whitespace().map(String::from).collect()
}

/// What is learnt from, and what it is judged by.
struct Texts {
    special: Special,
    /// How every word is cut.
    cuts: HashMap<String, Vec<usize>>,
    training: Vec<Sequence>,
    held: Vec<Sequence>,
    /// The pairs held out, in half as many pieces.
    short: Vec<Sequence>,
    ladder: Ladder,
}

impl Texts {
    /// Cut and paired by these parts.
    fn new(parts: &Parts) -> Texts {
        let (pieces, stories) = stories();
        let special = special(pieces);
        let known: HashMap<&str, usize> = (0..pieces.len()).map(|i| (pieces.piece(i), i)).collect();
        let mut cuts: HashMap<String, Vec<usize>> = HashMap::new();
        let mut cut = |word: String| {
            let cut = |word: &String| (parts.cut)(word, &known).unwrap_or(vec![special.unknown]);
            cuts.entry(word).or_insert_with_key(cut).clone()
        };
        let mut ladder = Ladder::new(pieces.len(), &special);
        let mut read = |documents: &[Document], longest: usize, count: bool| {
            let mut sequences = Vec::new();
            for document in documents {
                let sentences: Vec<Vec<usize>> = document
                    .sentences
                    .iter()
                    .map(|sentence| words(sentence).into_iter().flat_map(&mut cut).collect())
                    .collect();
                if count {
                    ladder.count(special.cls, &sentences.concat());
                }
                let pairs = sentences.windows(2);
                sequences
                    .extend(pairs.map(|two| (parts.pair)(&two[0], &two[1], longest, &special)));
            }
            sequences
        };
        let training = read(&stories[0], LONGEST, true);
        let [mut held, mut short] = [LONGEST, LONGEST / 2].map(|n| read(&stories[1], n, false));
        held.truncate(HELD);
        short.truncate(HELD);
        Texts { special, cuts, training, held, short, ladder }
    }
}

/// Sequences side by side, of which some pieces are hidden.
struct Examples {
    tokens: Tokens,
    hidden: Vec<Hidden>,
    /// What stood in every column before.
    whole: Vec<usize>,
}

impl Examples {
    fn new(parts: &Parts, sequences: &[&Sequence], special: &Special, rng: &mut Rng) -> Examples {
        let (mut read, mut hidden) = (Vec::new(), Vec::new());
        let mut column = 0;
        for (pieces, _) in sequences {
            let mut pieces = pieces.clone();
            let found = (parts.hide)(&mut pieces, special, PIECES, rng);
            hidden.extend(found.iter().map(|one| Hidden { place: column + one.place, ..*one }));
            column += pieces.len();
            read.push(pieces);
        }
        let pieces = Ragged::new(&read.iter().map(Vec::as_slice).collect::<Vec<_>>());
        let all = |of: fn(&Sequence) -> &Vec<usize>| {
            sequences.iter().flat_map(|one| of(one).clone()).collect()
        };
        let tokens = Tokens { pieces, segments: all(|one| &one.1) };
        Examples { tokens, hidden, whole: all(|one| &one.0) }
    }

    fn columns(&self) -> Vec<usize> {
        self.hidden.iter().map(|one| one.place).collect()
    }
}

impl Parts {
    /// The mean loss of the hidden pieces, with the reader's gradient of GELU in the head.
    fn loss<'t>(&self, model: &Pretraining, tape: &'t Tape, examples: &Examples) -> Var<'t> {
        let h = model.bert.forward_some(tape, &examples.tokens, &examples.columns());
        let head = model.masked.as_ref().expect("a head for hidden pieces");
        let x = head.norm.forward(self.gelu(head.dense.forward(h)));
        let table = tape.param(&model.bert.embeddings.words.weight);
        let bias = tape.param(&head.bias);
        let originals: Vec<usize> = examples.hidden.iter().map(|one| one.original).collect();
        tied_cross_entropy(table, x, bias, &originals) * (1.0 / originals.len() as f32)
    }

    fn gelu<'t>(&self, x: Var<'t>) -> Var<'t> {
        let (value, id, backward) = (x.value(), x.id(), self.gelu_backward);
        let y = value.map(|x| x * normal_distribution(x));
        x.tape().push(y, move |dy, gradients| gradients.add(id, backward(&value, &dy)))
    }

    /// The reader's loss of some examples; beside every hidden piece the next one is looked at as well,
    /// hidden or not.
    fn judge(&self, model: &Pretraining, examples: &Examples) -> f32 {
        let mut columns = examples.columns();
        columns.extend(examples.hidden.iter().map(|one| one.place + 1));
        columns.sort_unstable();
        columns.dedup();
        let tape = Tape::without_gradients();
        let h = model.bert.forward_some(&tape, &examples.tokens, &columns);
        let all: Vec<usize> = (0..columns.len()).collect();
        let logits = model.masked_logits(h, &all).value();
        let mut targets = examples.whole.clone();
        examples.hidden.iter().for_each(|one| targets[one.place] = one.original);
        let targets: Vec<usize> = columns.iter().map(|column| targets[*column]).collect();
        let asked = |column: &usize| examples.hidden.iter().any(|one| one.place == *column);
        let hidden: Vec<bool> = columns.iter().map(asked).collect();
        (self.masked_loss)(&logits, &targets, &hidden)
    }

    /// The mean over all that is held out.
    fn judge_all(&self, model: &Pretraining, held: &[Examples]) -> f64 {
        let count: usize = held.iter().map(|part| part.hidden.len()).sum();
        let sum: f64 = held
            .iter()
            .map(|part| f64::from(self.judge(model, part)) * part.hidden.len() as f64)
            .sum();
        sum / count as f64
    }
}

/// A pre-training, pass by pass.
struct Run<'a> {
    parts: Parts,
    texts: &'a Texts,
    held: Vec<Examples>,
    model: Pretraining,
    adam: AdamW,
    rng: Rng,
    step: usize,
}

impl Run<'_> {
    fn new(parts: Parts, texts: &Texts) -> Run<'_> {
        let mut model = begin();
        (model.next, model.bert.pooler) = (None, None);
        let mut drawn = rng(1);
        let held: Vec<&Sequence> = texts.held.iter().collect();
        let held = held.chunks(BATCH);
        let held =
            held.map(|part| Examples::new(&parts, part, &texts.special, &mut drawn)).collect();
        Run { parts, texts, held, model, adam: AdamW::new(0.0, decay), rng: rng(2), step: 0 }
    }

    /// The two machines' examples of every batch of a pass.
    fn batches(&mut self) -> Vec<[Examples; 2]> {
        let mut order: Vec<&Sequence> = self.texts.training.iter().collect();
        order.shuffle(&mut self.rng);
        let mut machines = Vec::new();
        for batch in order.chunks(BATCH) {
            let shares: [&[&Sequence]; 2] = batch.split_at(batch.len().div_ceil(3)).into();
            machines.push(shares.map(|share| {
                Examples::new(&self.parts, share, &self.texts.special, &mut self.rng)
            }));
        }
        machines
    }

    fn pass(&mut self) -> f64 {
        let batches = self.batches();
        let steps = (PASSES * batches.len()) as f32;
        for machines in &batches {
            self.step += 1;
            let step = self.step as f32;
            self.adam.set_learning_rate(
                RATE * (20.0 * step / steps).min((steps - step) / (0.95 * steps)),
            );
            let mut gradients = self.gradients(machines);
            gradients.clip_norm(1.0);
            self.adam.step(&mut self.model, &gradients);
        }
        self.parts.judge_all(&self.model, &self.held)
    }

    /// Each machine's gradient of its own mean, times its factor; the mean of both.
    fn gradients(&self, machines: &[Examples; 2]) -> ParamGradients {
        let counts = machines.each_ref().map(|machine| machine.hidden.len());
        let factors = (self.parts.factors)(&counts);
        let tape = Tape::new();
        let [a, b] =
            [0, 1].map(|i| self.parts.loss(&self.model, &tape, &machines[i]) * (factors[i] / 2.0));
        (a + b).backward().into()
    }
}

/// The sequences that the chapter's own parts make.
fn our_texts() -> &'static Texts {
    static TEXTS: OnceLock<Texts> = OnceLock::new(); // the same for every answer
    TEXTS.get_or_init(|| Texts::new(&CHAPTER))
}

/// What they come to: the model, and the loss after every pass.
fn ours() -> &'static (Pretraining, Vec<f64>) {
    static OURS: OnceLock<(Pretraining, Vec<f64>)> = OnceLock::new(); // the same for every answer
    OURS.get_or_init(|| {
        let mut run = Run::new(CHAPTER, our_texts());
        let curve = (0..PASSES).map(|_| run.pass()).collect();
        (run.model, curve)
    })
}

fn check(parts: Parts) {
    let texts = Texts::new(&parts);
    texts.must_be(our_texts());
    let mut run = Run::new(parts, &texts);
    run.held.iter().for_each(Examples::must_ask_for_what_stood_there);
    run.must_hide_fifteen_of_a_hundred();
    run.must_agree_on_losses();
    let (our_model, our_curve) = ours();
    let mut curve = Vec::new();
    for our_loss in our_curve {
        let loss = run.pass();
        curve.push(loss);
        assert!(
            loss < our_loss + 0.3,
            "after pass {} your loss is {loss:.3} nats a hidden piece, the chapter's {our_loss:.3}\nhint: does \
             the gradient come through GELU as it should (11.4)? Are as many pieces hidden (11.3)?",
            curve.len()
        );
        assert!(
            loss > our_loss - 1.0,
            "after pass {} your loss is {loss:.3} nats a hidden piece, the chapter's {our_loss:.3}: too good \
             to be true\nhint: can the model see what it is asked for (11.3)?",
            curve.len()
        );
    }
    let asked = |part: &Examples| -> Vec<(usize, usize)> {
        part.hidden.iter().map(|one| (part.whole[one.place - 1], one.original)).collect()
    };
    let rungs = texts.ladder.rungs(run.held.iter().flat_map(asked));
    let ours = CHAPTER.judge_all(our_model, &run.held);
    let mut report = format!(
        "\n{DOCUMENTS} stories, {} pairs of sentences, {PASSES} passes; hidden pieces of stories that were not \
         learnt from, nats a piece:\n\n",
        texts.training.len()
    );
    let mut row = |who: &str, loss: f64| {
        let bar = "█".repeat((8.0 * loss).round() as usize);
        let _ = writeln!(report, "{who:<26} {loss:5.2} {bar}");
    };
    row("uniform", rungs.uniform);
    row("unigram", rungs.unigram);
    row("bigram", rungs.bigram);
    curve.iter().zip(1..).for_each(|(loss, pass)| row(&format!("your model, pass {pass}"), *loss));
    row("the chapter's, same pieces", ours);
    show(report + &fill(&parts, &run.model, &texts.special));
    let last = curve[PASSES - 1];
    assert!(
        last < rungs.bigram && (last - ours).abs() < 0.15,
        "your loss ends at {last:.3} nats a hidden piece, that of the chapter's functions at {ours:.3}, and the bigram \
         has {:.3}\nhint: fresh masks for every batch (11.3)? Whole sentences in the pairs (11.2)?",
        rungs.bigram
    );
}

impl Texts {
    /// Words are cut as the chapter cuts them, and pairs are made as the chapter makes them.
    fn must_be(&self, chapter: &Texts) {
        let (pieces, _) = stories();
        let told =
            |cut: &[usize]| cut.iter().map(|i| pieces.piece(*i)).collect::<Vec<_>>().join(" ");
        let mut words: Vec<&String> = chapter.cuts.keys().collect();
        words.sort();
        for word in words {
            let (yours, ours) = (&self.cuts[word], &chapter.cuts[word]);
            assert!(
                yours == ours,
                "you cut “{word}” into {}, the chapter into {}\nhint: longest piece first (11.1)",
                told(yours),
                told(ours)
            );
        }
        for (longest, yours, ours) in [
            (LONGEST, &self.training, &chapter.training),
            (LONGEST, &self.held, &chapter.held),
            (LONGEST / 2, &self.short, &chapter.short),
        ] {
            let Some(i) = (0..ours.len()).find(|i| yours[*i] != ours[*i]) else { continue };
            panic!(
                "with {longest} pieces at most a pair of sentences is\n    {}, segments {:?},\nthe chapter's\n    {}, \
                 segments {:?}\nhint: marks, segments, and which text is shortened (11.2)",
                told(&yours[i].0),
                yours[i].1,
                told(&ours[i].0),
                ours[i].1
            );
        }
    }
}

impl Examples {
    fn must_ask_for_what_stood_there(&self) {
        let (hidden, all) = (self.hidden.len(), self.whole.len());
        assert!(
            (all / 10..all / 5).contains(&hidden),
            "of {all} pieces {hidden} are hidden\nhint: fifteen of a hundred that are not special (11.3)"
        );
        for Hidden { place, original } in &self.hidden {
            let stood = self.whole[*place];
            assert!(
                stood == *original,
                "piece {original} is asked for at place {place}, where {stood} stood\nhint: place and original belong \
                 to the sequence as it was (11.3)"
            );
        }
    }
}

impl Run<'_> {
    /// In each sequence as many as there should be, anywhere, other ones every time; and of all that is held out
    /// eight tenths become `[MASK]`.
    fn must_hide_fifteen_of_a_hundred(&self) {
        let (special, drawn) = (&self.texts.special, &mut rng(3));
        let (mut all, mut again, mut way) = (0.0, 0.0, 0.0);
        let [mut masked, mut same] = [0.0; 2];
        for sequence in &self.texts.held {
            let of = |drawn: &mut Rng| {
                let mut pieces = sequence.0.clone();
                ((self.parts.hide)(&mut pieces, special, PIECES, drawn), pieces)
            };
            let [(hidden, now), (others, _)] = [of(drawn), of(drawn)];
            let words: Vec<usize> =
                (0..now.len()).filter(|i| !special.contains(sequence.0[*i])).collect();
            let n = words.len();
            let right = (0.15 * n as f64).round().max(1.0) as usize;
            let half = 3 * n % 20 == 10; // may be rounded to either side
            assert!(
                hidden.len() == right || half && hidden.len() + 1 == right,
                "of {n} pieces that are not special {} are hidden, not {right}\nhint: fifteen of a hundred (11.3)",
                hidden.len()
            );
            for one in &hidden {
                let Some(rank) = words.iter().position(|place| *place == one.place) else {
                    panic!(
                        "place {} is hidden, where a special piece stands\nhint: none of these (11.3)",
                        one.place
                    )
                };
                way += (rank as f64 + 0.5) / n as f64;
                masked += f64::from(u8::from(now[one.place] == special.mask));
                same += f64::from(u8::from(now[one.place] == one.original));
            }
            all += hidden.len() as f64;
            let places = |hidden: &[Hidden]| hidden.iter().map(|one| one.place).collect::<Vec<_>>();
            again += f64::from(u8::from(places(&hidden) == places(&others)));
        }
        // Five standard deviations and more.
        let near = |share: f64, right: f64| (share / all - right).abs() < 0.08;
        assert!(
            near(masked, 0.8) && near(same, 0.1) && near(all - masked - same, 0.1),
            "of {all} hidden pieces {masked} became [MASK] and {same} stayed\nhint: eight of ten, and one of ten (11.3)"
        );
        assert!(
            near(way, 0.5) && again < 0.5 * self.texts.held.len() as f64,
            "hidden pieces stand {:.2} of the way through their texts on average, and in {again} of {} sequences the \
             same ones are hidden once more\nhint: all places equally often, drawn anew every time (11.3)",
            way / all,
            self.texts.held.len()
        );
    }

    /// Before the first step: loss, gradient and factors of two machines are the chapter's, batch by batch.
    fn must_agree_on_losses(&mut self) {
        let batches = self.batches();
        let machines = &batches[0];
        let own = machines.each_ref().map(|machine| CHAPTER.judge(&self.model, machine));
        let yours = machines.each_ref().map(|machine| self.parts.judge(&self.model, machine));
        assert!(
            own.iter().zip(&yours).all(|(own, yours)| (own - yours).abs() < 1e-3),
            "of two machines' hidden pieces your losses are {yours:?}, the chapter's {own:?}\nhint: a mean over the \
             hidden ones alone (11.5)"
        );
        let [yours, ours] = [self.parts, CHAPTER].map(|parts| {
            let tape = Tape::new();
            let loss = parts.loss(&self.model, &tape, &machines[0]);
            let gradients: ParamGradients = loss.backward().into();
            gradients.to_numbers(&mut self.model)
        });
        let length =
            |d: &mut dyn Iterator<Item = f32>| d.map(|d| f64::from(d).powi(2)).sum::<f64>().sqrt();
        let apart = length(&mut yours.iter().zip(&ours).map(|(yours, ours)| yours - ours));
        let size = length(&mut ours.iter().copied());
        assert!(
            apart < 1e-3 * size,
            "through your GELU comes a gradient that is {apart:.4} away from the chapter's, which has a length of \
             {size:.4}\nhint: the slope of x·Φ(x) (11.4)"
        );
        for machines in &batches {
            let counts = machines.each_ref().map(|machine| machine.hidden.len());
            let [yours, ours] = [self.parts, CHAPTER].map(|parts| (parts.factors)(&counts));
            let near = |i: usize| counts[i] == 0 || (yours[i] - ours[i]).abs() < 1e-4;
            assert!(
                (0..2).all(near),
                "for machines with {counts:?} hidden pieces your factors are {yours:?}, the chapter's {ours:?}\nhint: \
                 do they give every hidden piece the same weight (11.7)?"
            );
        }
    }
}

/// A text with a hole, and the pieces that the model finds likeliest there.
fn fill(parts: &Parts, model: &Pretraining, special: &Special) -> String {
    let (pieces, _) = stories();
    let [first, second] = HOLE.map(|text| pieces.cut(text));
    let (read, segments) = (parts.pair)(&first, &second, LONGEST, special);
    let Some(hole) = read.iter().position(|piece| *piece == special.mask) else {
        return String::new();
    };
    let tokens = Tokens { pieces: Ragged::new(&[&read]), segments };
    let tape = Tape::without_gradients();
    let (h, _) = model.bert.forward(&tape, &tokens);
    let mut p = model.masked_logits(h, &[hole]).value().as_slice().to_vec();
    softmax(&mut p);
    let mut order: Vec<usize> = (0..PIECES).collect();
    order.sort_by(|a, b| p[*b].total_cmp(&p[*a]));
    let mut drawing = format!("\n{}\n", HOLE.join(" "));
    for &piece in &order[..6] {
        let bar = "█".repeat((40.0 * p[piece]).round() as usize);
        let _ = writeln!(drawing, "{:>12} {:5.1} % {bar}", pieces.piece(piece), 100.0 * p[piece]);
    }
    drawing
}

/// What the drawing shows.
const HOLE: [&str; 2] = ["daisy has a cat.", "she lives in the [MASK] tower."];
