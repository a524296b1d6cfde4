//! 5.11, the capstone: the reader's functions feed, teach, search and judge a small translator.

use crate::beam_step::BeamStep;
use crate::clipped_counts::ClippedMatches;
use crate::solutions;
use crate::teacher_forcing::TeacherForcing;
use seq2seq::bleu::{Counts, corpus_bleu, sentence_counts};
use seq2seq::decoding::{Translation, beam_all};
use seq2seq::{BEGIN, Batch, END, EncoderDecoder, Packed, Sizes, Translator, vectors};
use shared::{Adam, Float, Matrix, Optimizer, ParamGradients, Ragged, Tape, Var, rng};
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
            Wrong {
                name: "as if there were one order",
                hint: "whose context",
                answer: Parts { source_of: |pairs| (0..pairs.len()).collect(), ..SOLVED },
            },
            Wrong {
                name: "the gradient of the mean",
                hint: "(5.4)",
                answer: Parts {
                    cross_entropy_gradient: |z, y| {
                        solutions::cross_entropy_gradient(z, y) / y.len() as Float
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "logits as they are",
                hint: "(5.5)",
                answer: Parts {
                    beam_step: |sums, logits, width| {
                        let all =
                            (0..logits.len()).map(|i| (i / logits.nrows(), i % logits.nrows()));
                        let sum = |(b, v): (usize, usize)| sums[b] + f64::from(logits[(v, b)]);
                        let mut all: Vec<_> = all.map(|(b, v)| (b, v, sum((b, v)))).collect();
                        all.sort_by(|x, y| y.2.total_cmp(&x.2));
                        all.truncate(width);
                        all
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "not clipped",
                hint: "(5.2)",
                answer: Parts {
                    clipped_matches: |candidate, reference, n| {
                        let known = |run: &&[&str]| reference.windows(n).any(|other| other == *run);
                        let runs = candidate.windows(n);
                        (runs.clone().filter(known).count(), runs.len())
                    },
                    ..SOLVED
                },
            },
            Wrong {
                name: "no penalty",
                hint: "(5.3)",
                answer: Parts {
                    bleu: |matches, runs, _, _| solutions::bleu(matches, runs, 1, 1),
                    ..SOLVED
                },
            },
            Wrong {
                name: "a mean of means",
                hint: "(5.7)",
                answer: Parts {
                    perplexity: |batches| {
                        let means = batches.iter().map(|(loss, words)| loss / *words as f64);
                        (means.sum::<f64>() / batches.len() as f64).exp()
                    },
                    ..SOLVED
                },
            },
        ],
    }
}

const EPOCHS: usize = 40;
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
        // The last is longer in English: so sources and targets stand in different orders.
        let verbs = [["sleep", "dort"], ["sing", "chante"], ["run", "court"], ["go away", "part"]];
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
                for (k, [verb, french]) in verbs.into_iter().enumerate() {
                    for not in [false, true] {
                        let (english, french) = match not {
                            true => (format!("does not {verb}"), format!("ne {french} pas")),
                            false if verb == "go away" => ("goes away".into(), french.into()),
                            false => (format!("{verb}s"), french.into()),
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

/// The loss of some pairs, summed over their words.
type Loss<'l> = dyn for<'t> Fn(&EncoderDecoder, &'t Tape, &[Pair]) -> Var<'t> + 'l;

/// Trains a fresh model; after every epoch the loss per word. The pairs come in the same order always.
fn trained(language: &Language, loss: &Loss) -> (EncoderDecoder, Vec<f64>) {
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
    model.loss(tape, &Batch::new(&borrowed, BEGIN))
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
        let x = vectors(&model.source, tape, &packed.source, 0.0);
        let h = model.encoder.forward(x, &packed.source_steps, None)[0]; // (H, N)
        let lengths: Vec<_> =
            sources.iter().zip(&answers).map(|(s, t)| (s.len(), t.len())).collect();
        let last = packed.source_steps.last();
        let columns: Vec<usize> = (self.source_of)(&lengths).iter().map(|&j| last[j]).collect();
        let c = h.select_columns(&columns); // (H, B)
        let words = model.target.forward(tape, &packed.previous);
        let x = words.stack(c.select_columns(&packed.sentence)); // (E + H, N)
        let s = model.decoder.forward(x, &packed.target_steps, Some(&[c]))[0];
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
            let mut logits = model.next(&mut state, &last).log_probabilities;
            for (b, mut column) in logits.column_iter_mut().enumerate() {
                column.add_scalar_mut(5.0 * (1 + b) as Float); // as good as any logits
            }
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

    /// What the reader's BLEU counts of a test.
    fn counts(&self, candidates: &[Vec<String>], references: &[Vec<String>]) -> Counts {
        let mut counts = Counts::default();
        for (candidate, reference) in candidates.iter().zip(references) {
            let [candidate, reference]: [Vec<&str>; 2] =
                [candidate, reference].map(|words| words.iter().map(String::as_str).collect());
            for n in 1..=4 {
                let (found, of) = (self.clipped_matches)(&candidate, &reference, n);
                counts.matches[n - 1] += found;
                counts.runs[n - 1] += of;
            }
            counts.candidate_words += candidate.len();
            counts.reference_words += reference.len();
        }
        counts
    }

    /// The reader's BLEU of these counts, in per cent.
    fn score(&self, counts: &Counts) -> f64 {
        let Counts { matches, runs, candidate_words, reference_words } = *counts;
        100.0 * (self.bleu)(matches, runs, candidate_words, reference_words)
    }

    /// Before the first step, loss and gradient are the chapter's.
    fn must_teach_alike(&self, language: &Language) {
        let pairs = &language.training[..BATCH];
        let of = |loss: &Loss| {
            let (mut model, tape) = (model(language), Tape::new());
            let loss = loss(&model, &tape, pairs);
            let sum = loss.scalar();
            let gradients: ParamGradients = loss.backward().into();
            (sum, gradients.to_numbers(&mut model))
        };
        let (yours, d_yours) = of(&|model, tape, pairs| self.loss(model, tape, pairs));
        let (ours, d_ours) = of(&reference_loss);
        assert!(
            (yours - ours).abs() < 1e-5 * ours,
            "before the first step {BATCH} sentences have a loss of {yours:.3}, the chapter's is {ours:.3}\nhint: \
             what is the decoder given (5.1), and whose context (5.8)?"
        );
        let length = |numbers: &mut dyn Iterator<Item = Float>| {
            numbers.map(|d| f64::from(d * d)).sum::<f64>().sqrt()
        };
        let apart = length(&mut d_yours.iter().zip(&d_ours).map(|(yours, ours)| yours - ours));
        let [yours, ours] = [d_yours, d_ours].map(|d| length(&mut d.into_iter()));
        assert!(
            apart < 1e-3 * ours,
            "the loss is the chapter's, but its gradient is {apart:.3} away from the chapter's; yours has a length \
             of {yours:.3}, the chapter's {ours:.3}\nhint: what is the gradient of the loss, summed over columns (5.4)?"
        );
    }

    /// In the same model the same sentences are found, but for ties.
    fn must_search_alike(&self, model: &EncoderDecoder, test: &[Pair], found: &[Translation]) {
        let yours = test.iter().map(|(source, _)| self.translate(model, source));
        let others = yours.zip(found).filter(|(yours, found)| *yours != found.words).count();
        assert!(
            20 * others <= test.len(),
            "in the chapter's model your beam finds another translation of {others} of {} sentences\nhint: which \
             beginnings are kept (5.5)?",
            test.len()
        );
    }

    /// Translations are judged alike as they are, said twice in a row (against references that are, too), and
    /// without their last words.
    fn must_judge_alike(&self, translations: &[Vec<String>], references: &[Vec<String>]) {
        let twice = |all: &[Vec<String>]| -> Vec<Vec<String>> {
            all.iter().map(|words| [&words[..], words].concat()).collect()
        };
        let short = translations.iter().map(|words| words[..words.len() * 3 / 4].into()).collect();
        let all = [
            ("your translations", translations.to_vec(), references.to_vec()),
            ("your translations, each said twice,", twice(translations), references.to_vec()),
            (
                "your translations and the references, each said twice,",
                twice(translations),
                twice(references),
            ),
            ("your translations without their last words", short, references.to_vec()),
        ];
        for (what, candidates, references) in all {
            let yours = self.counts(&candidates, &references);
            let mut ours = Counts::default();
            sentence_counts(&candidates, &references).iter().for_each(|counts| ours += counts);
            assert!(
                yours == ours,
                "of {what} you count {:?} matches of {:?} runs, the chapter {:?} of {:?}\nhint: each run is counted \
                 as often as in the reference at most (5.2)",
                yours.matches,
                yours.runs,
                ours.matches,
                ours.runs
            );
            let (found, right) = (self.score(&yours), ours.bleu());
            assert!(
                (found - right).abs() < 1e-6,
                "{what} have a BLEU of {found:.2}, the chapter's is {right:.2}\nhint: it is from 0 to 1, of four \
                 shares and the penalty (5.3)"
            );
        }
    }
}

/// The loss of the test, batch by batch of unequal length, and its words.
fn test_losses(model: &EncoderDecoder, test: &[Pair]) -> Vec<(f64, usize)> {
    let (first, others) = test.split_at(3);
    let batch = |pairs: &[Pair]| {
        let loss = reference_loss(model, &Tape::without_gradients(), pairs).scalar();
        (f64::from(loss), pairs.iter().map(|(_, target)| target.len() + 1).sum())
    };
    vec![batch(first), batch(others)]
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
    let your_bleu = parts.score(&parts.counts(&translations, &references));
    let sources: Vec<Vec<usize>> = language.test.iter().map(|(source, _)| closed(source)).collect();
    let sources: Vec<&[usize]> = sources.iter().map(Vec::as_slice).collect();
    let found = beam_all(ours, &sources, WIDTH, 1.0);
    let our_words: Vec<_> = found.iter().map(|found| language.text(&found.words)).collect();
    let our_bleu = corpus_bleu(&our_words, &references);
    let losses = [&yours, ours].map(|model| test_losses(model, &language.test));
    let your_perplexity = (parts.perplexity)(&losses[0]);
    let [own_perplexity, our_perplexity] = losses.map(|batches| {
        let (loss, words) =
            batches.iter().fold((0.0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        (loss / words as f64).exp()
    });
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
    parts.must_teach_alike(&language);
    parts.must_search_alike(ours, &language.test, &found);
    parts.must_judge_alike(&translations, &references);
    assert!(
        (your_perplexity - own_perplexity).abs() < 1e-6 * own_perplexity,
        "in two batches of the test your perplexity is {your_perplexity:.4}, the chapter's {own_perplexity:.4}\nhint: \
         what does each word of the whole count (5.7)?"
    );
    assert!(
        your_bleu > our_bleu - 10.0 && our_bleu > 50.0,
        "BLEU {your_bleu:.1}, the chapter's model {our_bleu:.1}, after the same lessons\nhint: do all parts pass their \
         own tests?"
    );
}
