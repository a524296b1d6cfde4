//! 5.11, the capstone: the reader's functions feed, teach, search and judge a small translator.

use crate::beam_step::BeamStep;
use crate::clipped_counts::ClippedMatches;
use crate::solutions;
use crate::teacher_forcing::TeacherForcing;
use seq2seq::bleu::corpus_bleu;
use seq2seq::decoding::beam_all;
use seq2seq::{BEGIN, Batch, END, EncoderDecoder, Packed, Ragged, Sizes, Translator, vectors};
use shared::{Adam, Float, Matrix, Optimizer, Tape, Var, rng};
use std::fmt::Write;
use std::sync::OnceLock;
use tests::exercises::{Exercise, Kind, Wrong, show};

/// The answers that the translator is made of.
#[derive(Clone, Copy)]
pub struct Parts {
    pub teacher_forcing: TeacherForcing,
    pub clipped_matches: ClippedMatches,
    pub bleu: fn([usize; 4], [usize; 4], usize, usize) -> f64,
    pub cross_entropy_gradient: fn(&Matrix, &[usize]) -> Matrix,
    pub beam_step: BeamStep,
    pub perplexity: fn(&[(f64, usize)]) -> f64,
    pub source_of: fn(&[(usize, usize)]) -> Vec<usize>,
}

/// Which exercises ask for them.
pub const NEEDS: [u32; 7] = [1, 2, 3, 4, 5, 7, 8];

const SOLVED: Parts = Parts {
    teacher_forcing: solutions::teacher_forcing,
    clipped_matches: solutions::clipped_matches,
    bleu: solutions::bleu,
    cross_entropy_gradient: solutions::cross_entropy_gradient,
    beam_step: solutions::beam_step,
    perplexity: solutions::perplexity,
    source_of: solutions::source_of,
};

pub fn exercise() -> Exercise<Parts> {
    Exercise {
        number: 11,
        title: "capstone: your translator",
        kind: Kind::Implement,
        difficulty: 1,
        minutes: 5,
        check,
        wrong: &[
            Wrong {
                name: "answers are not shifted",
                hint: "is it given what it should answer",
                answer: Parts {
                    teacher_forcing: |target, _, end| {
                        let closed = [target, &[end]].concat();
                        (closed.clone(), closed)
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "another sentence's context",
                hint: "whose context",
                answer: Parts { source_of: |pairs| (0..pairs.len()).rev().collect(), ..SOLVED },
            },
        ],
    }
}

const EPOCHS: usize = 30;
const BATCH: usize = 32;
const WIDTH: usize = 2;

type Pair = (Vec<usize>, Vec<usize>);

/// Sentences of a small grammar, as numbers, without begin and end.
struct Language {
    words: Vec<String>, // of both languages
    training: Vec<Pair>,
    test: Vec<Pair>,
}

impl Language {
    /// *the black cat does not sleep .* – *le chat noir ne dort pas .*
    fn new() -> Language {
        let nouns =
            ["cat chat le", "dog chien le", "boy garçon le", "king roi le", "horse cheval le"];
        let nouns = nouns.into_iter().chain(["girl fille la", "cow vache la", "queen reine la"]);
        let adjectives =
            ["black noir noire", "white blanc blanche", "small petit petite", "big grand grande"];
        let verbs = ["sleep dort", "sing chante", "run court", "walk marche"];
        let mut words: Vec<String> = ["<unk>", "<bos>", "<eos>"].map(str::to_owned).into();
        let mut number = |word: &str| match words.iter().position(|known| known == word) {
            Some(number) => number,
            None => {
                words.push(word.to_owned());
                words.len() - 1
            }
        };
        let mut numbers = |line: String| line.split(' ').map(&mut number).collect::<Vec<_>>();
        let cut = |line: &'static str| line.split(' ').collect::<Vec<_>>();
        let (mut training, mut test) = (Vec::new(), Vec::new());
        for (i, noun) in nouns.map(cut).enumerate() {
            for (j, adjective) in adjectives.map(cut).iter().enumerate() {
                let form = adjective[if noun[2] == "le" { 1 } else { 2 }];
                let (article, name) = (noun[2], noun[1]);
                let subject = match j < 2 {
                    true => format!("{article} {name} {form}"),
                    false => format!("{article} {form} {name}"),
                };
                for (k, verb) in verbs.map(cut).iter().enumerate() {
                    for not in [false, true] {
                        let (english, french) = match not {
                            false => (format!("{}s", verb[0]), verb[1].to_owned()),
                            true => {
                                (format!("does not {}", verb[0]), format!("ne {} pas", verb[1]))
                            }
                        };
                        let source =
                            numbers(format!("the {} {} {english} .", adjective[0], noun[0]));
                        let target = numbers(format!("{subject} {french} ."));
                        let held_out = (i + j + k + usize::from(not)) % 4 == 0;
                        let part = if held_out { &mut test } else { &mut training };
                        part.push((source, target));
                    }
                }
            }
        }
        Language { words, training, test }
    }

    fn text(&self, words: &[usize]) -> Vec<String> {
        words.iter().map(|&word| self.words[word].clone()).collect()
    }
}

fn closed(words: &[usize]) -> Vec<usize> {
    [words, &[END]].concat()
}

fn model(language: &Language) -> EncoderDecoder {
    let n = language.words.len();
    let sizes = Sizes {
        source_words: n,
        target_words: n,
        embedding: 16,
        hidden: 32,
        layers: 1,
        dropout: 0.0,
    };
    EncoderDecoder::new(&sizes, &mut rng(0))
}

/// Trains a fresh model; after every epoch the loss per word. The pairs come in the same order always.
fn trained(
    language: &Language,
    loss: &dyn for<'t> Fn(&EncoderDecoder, &'t Tape, &[Pair]) -> Var<'t>,
) -> (EncoderDecoder, Vec<f64>) {
    let (mut model, mut adam, mut curve) = (model(language), Adam::new(0.01), Vec::new());
    let count = language.training.len();
    let batches = count.div_ceil(BATCH);
    for epoch in 0..EPOCHS {
        adam.learning_rate = 0.01 * (1.0 - epoch as Float / EPOCHS as Float);
        let (mut sum, mut words) = (0.0, 0);
        for batch in 0..batches {
            let chosen = (batch..count).step_by(batches);
            let pairs: Vec<Pair> = chosen.map(|i| language.training[i].clone()).collect();
            let n: usize = pairs.iter().map(|(_, target)| target.len() + 1).sum();
            let tape = Tape::new();
            let loss = loss(&model, &tape, &pairs) * (1.0 / n as Float);
            sum += f64::from(loss.scalar()) * n as f64;
            words += n;
            let gradients = loss.backward().into();
            adam.step(&mut model, &gradients);
        }
        curve.push(sum / words as f64);
    }
    (model, curve)
}

/// The chapter's own loss.
fn reference_loss<'t>(model: &EncoderDecoder, tape: &'t Tape, pairs: &[Pair]) -> Var<'t> {
    let pairs: Vec<Pair> = pairs.iter().map(|(s, t)| (closed(s), closed(t))).collect();
    let borrowed: Vec<_> = pairs.iter().map(|(s, t)| (&s[..], &t[..])).collect();
    model.loss(tape, &Batch::new(&borrowed, BEGIN), None)
}

impl Parts {
    /// The same, of the reader's parts: what is given, whose context it is, and the gradient.
    fn loss<'t>(&self, model: &EncoderDecoder, tape: &'t Tape, pairs: &[Pair]) -> Var<'t> {
        let sources: Vec<Vec<usize>> = pairs.iter().map(|(source, _)| closed(source)).collect();
        let forced = pairs.iter().map(|(_, target)| (self.teacher_forcing)(target, BEGIN, END));
        let (given, answers): (Vec<_>, Vec<_>) = forced.unzip();
        let ragged = |lists: &[Vec<usize>]| {
            Ragged::new(&lists.iter().map(Vec::as_slice).collect::<Vec<_>>())
        };
        let batch =
            Batch { source: ragged(&sources), previous: ragged(&given), target: ragged(&answers) };
        let packed = Packed::new(&batch);
        let x = vectors(&model.source, tape, &packed.source, 0.0, &mut None);
        let h = model.encoder.forward(x, &packed.source_steps, None, None)[0]; // (H, N)
        let lengths: Vec<_> =
            sources.iter().zip(&answers).map(|(s, t)| (s.len(), t.len())).collect();
        let last = packed.source_steps.last();
        let columns: Vec<usize> = (self.source_of)(&lengths).iter().map(|&j| last[j]).collect();
        let c = h.select_columns(&columns); // (H, B)
        let words = model.target.forward(tape, &packed.previous);
        let x = words.stack(c.select_columns(&packed.sentence)); // (E + H, N)
        let s = model.decoder.forward(x, &packed.target_steps, Some(&[c]), None)[0];
        self.cross_entropy(model.output.forward(s), packed.target)
    }

    /// The loss forwards, and the reader's gradient backwards.
    fn cross_entropy<'t>(&self, logits: Var<'t>, targets: Vec<usize>) -> Var<'t> {
        let (z, dz, gradient) = (logits.value(), logits.id(), self.cross_entropy_gradient);
        let log_p = seq2seq::log_softmax(&z);
        let loss: Float = targets.iter().enumerate().map(|(j, &y)| -log_p[(y, j)]).sum();
        logits.tape().push(Matrix::from_element(1, 1, loss), move |dy, gradients| {
            gradients.add(dz, gradient(&z, &targets) * dy[0]);
        })
    }

    /// A beam of two, of the reader's steps.
    fn translate(&self, model: &EncoderDecoder, source: &[usize]) -> Vec<usize> {
        let mut state = model.encode(&[&closed(source)[..]]);
        let mut open: Vec<(f64, Vec<usize>)> = vec![(0.0, Vec::new())];
        let mut ended: Vec<(f64, Vec<usize>)> = Vec::new();
        for _ in 0..2 * source.len() + 8 {
            let last: Vec<usize> =
                open.iter().map(|(_, words)| words.last().copied().unwrap_or(BEGIN)).collect();
            let logits = model.next(&mut state, &last).log_probabilities; // as good as logits
            let sums: Vec<f64> = open.iter().map(|(sum, _)| *sum).collect();
            let steps = (self.beam_step)(&sums, &logits, WIDTH - ended.len());
            let longer =
                |(b, word, sum): &(usize, usize, f64)| (*sum, [&open[*b].1[..], &[*word]].concat());
            ended.extend(steps.iter().filter(|step| step.1 == END).map(longer));
            let going_on: Vec<_> = steps.iter().filter(|step| step.1 != END).copied().collect();
            open = going_on.iter().map(longer).collect();
            if open.is_empty() {
                break;
            }
            model.select(&mut state, &going_on.iter().map(|step| step.0).collect::<Vec<_>>());
        }
        let score = |found: &(f64, Vec<usize>)| found.0 / found.1.len() as f64; // α = 1
        let best = ended.into_iter().max_by(|a, b| score(a).total_cmp(&score(b)));
        best.map(|(_, words)| words[..words.len() - 1].to_vec()).unwrap_or_default()
    }

    /// The reader's BLEU of a test, from 0 to 1.
    fn score(&self, candidates: &[Vec<String>], references: &[Vec<String>]) -> f64 {
        let (mut matches, mut runs, mut c, mut r) = ([0; 4], [0; 4], 0, 0);
        for (candidate, reference) in candidates.iter().zip(references) {
            let [candidate, reference]: [Vec<&str>; 2] =
                [candidate, reference].map(|words| words.iter().map(String::as_str).collect());
            for n in 1..=4 {
                let (found, of) = (self.clipped_matches)(&candidate, &reference, n);
                matches[n - 1] += found;
                runs[n - 1] += of;
            }
            (c, r) = (c + candidate.len(), r + reference.len());
        }
        (self.bleu)(matches, runs, c, r)
    }
}

fn check(parts: Parts) {
    let language = Language::new();
    let (yours, curve) = trained(&language, &|model, tape, pairs| parts.loss(model, tape, pairs));
    static OURS: OnceLock<(EncoderDecoder, Vec<f64>)> = OnceLock::new(); // the same for every answer
    let (ours, our_curve) = OURS.get_or_init(|| trained(&language, &reference_loss));
    let references: Vec<_> =
        language.test.iter().map(|(_, target)| language.text(target)).collect();
    let your_words: Vec<Vec<usize>> =
        language.test.iter().map(|(source, _)| parts.translate(&yours, source)).collect();
    let translations: Vec<_> = your_words.iter().map(|words| language.text(words)).collect();
    let your_bleu = 100.0 * parts.score(&translations, &references);
    let sources: Vec<Vec<usize>> = language.test.iter().map(|(source, _)| closed(source)).collect();
    let sources: Vec<&[usize]> = sources.iter().map(Vec::as_slice).collect();
    let found = beam_all(ours, &sources, WIDTH, 1.0);
    let our_words: Vec<_> = found.iter().map(|found| language.text(&found.words)).collect();
    let our_bleu = corpus_bleu(&our_words, &references);
    let words: usize = language.test.iter().map(|(_, target)| target.len() + 1).sum();
    let losses = [&yours, ours].map(|model| {
        let tape = Tape::without_gradients();
        f64::from(reference_loss(model, &tape, &language.test).scalar())
    });
    let [your_perplexity, our_perplexity] = losses.map(|loss| (parts.perplexity)(&[(loss, words)]));
    let mut report = format!(
        "\n{} pairs, {EPOCHS} passes; {} sentences that were not learnt from:\n\n\
         {:22} {:>8} {:>11}\n{:22} {your_bleu:>8.1} {our_bleu:>11.1}\n\
         {:22} {your_perplexity:>8.2} {our_perplexity:>11.2}\n\nnats a word while it learns\n",
        language.training.len(),
        language.test.len(),
        "",
        "yours",
        "chapter's",
        "BLEU",
        "perplexity",
    );
    for (epoch, loss) in curve.iter().enumerate().step_by(5) {
        let bar = "█".repeat((12.0 * loss).round().clamp(0.0, 60.0) as usize);
        let _ = writeln!(report, "{:>5} {loss:5.2} {bar}", epoch + 1);
    }
    for i in (0..language.test.len()).step_by(13) {
        let [source, yours] =
            [&language.test[i].0, &your_words[i]].map(|w| language.text(w).join(" "));
        let _ = write!(report, "\n  {source}\n→ {yours}");
    }
    show(&report);
    let (last, our_last) = (curve[EPOCHS - 1], our_curve[EPOCHS - 1]);
    assert!(
        last > 0.2 * our_last,
        "{last:.4} nats a word at the end, the chapter's model {our_last:.4}: too good to be true\nhint: \
         is it given what it should answer (5.1)?"
    );
    assert!(
        your_bleu > our_bleu - 10.0 && our_bleu > 50.0,
        "BLEU {your_bleu:.1}, the chapter's model {our_bleu:.1}, after the same lessons\nhint: \
         whose context does a sentence start from (5.8), and which of its beginnings are kept (5.5)?"
    );
    let curves = curve.iter().zip(our_curve).take(5).all(|(a, b)| (a - b).abs() < 0.01 * b);
    assert!(curves, "the first losses are {:?}, the chapter's {:?}", &curve[..5], &our_curve[..5]);
}
