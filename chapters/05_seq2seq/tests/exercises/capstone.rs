//! 5.11, the capstone: the reader's functions feed, teach, search and judge a small translator.

use super::beam_step::BeamStep;
use super::bleu::Bleu;
use super::clipped_matches::ClippedMatches;
use super::cross_entropy_gradient::Gradient;
use super::perplexity::Perplexity;
use super::source_of::SourceOf;
use super::teacher_forcing::{EXERCISE as FORCING, TeacherForcing};
use seq2seq::{BEGIN, Batch, END, EncoderDecoder, Packed, Sizes, Translator, log_softmax, vectors};
use shared::{Adam, Float, Matrix, Optimizer, Ragged, Tape, Var, rng};
use tests::exercises::must_learn;

tests::parts! {
    1 teacher_forcing: TeacherForcing = [FORCING.wrong[0].answer],
    2 clipped_matches: ClippedMatches,
    3 bleu: Bleu,
    4 cross_entropy_gradient: Gradient,
    5 beam_step: BeamStep,
    7 perplexity: Perplexity,
    8 source_of: SourceOf,
}

fn check(parts: Parts) {
    let yours = run(parts);
    let told = |(bleu, report): &(f64, String)| format!("BLEU {bleu:.1}{report}");
    must_learn(yours.0 > 50.0, yours, || run(SOLVED), told);
}

impl Parts {
    /// Summed over the words of these pairs: what is given, whose context it is, and the gradient are the reader's.
    fn loss<'t>(&self, model: &EncoderDecoder, tape: &'t Tape, pairs: &[Pair]) -> Var<'t> {
        let forced = pairs.iter().map(|(_, target)| (self.teacher_forcing)(target, BEGIN, END));
        let (given, answers): (Vec<_>, Vec<_>) = forced.unzip();
        let sources: Vec<_> = pairs.iter().map(|(source, _)| &source[..]).collect();
        let ragged = |lists: &[Vec<usize>]| {
            Ragged::new(&lists.iter().map(Vec::as_slice).collect::<Vec<_>>())
        };
        let (previous, target) = (ragged(&given), ragged(&answers));
        let packed = Packed::new(&Batch { source: Ragged::new(&sources), previous, target });
        let x = vectors(&model.source, tape, &packed.source, 0.0);
        let h = model.encoder.forward(x, &packed.source_steps, None)[0]; // (H, N)
        let lengths = sources.iter().zip(&answers).map(|(s, t)| (s.len(), t.len()));
        let places = (self.source_of)(&lengths.collect::<Vec<_>>());
        let last = packed.source_steps.last();
        let c = h.select_columns(&places.iter().map(|&j| last[j]).collect::<Vec<_>>()); // (H, B)
        let words = model.target.forward(tape, &packed.previous);
        let x = words.stack(c.select_columns(&packed.sentence)); // (E + H, N)
        let s = model.decoder.forward(x, &packed.target_steps, Some(&[c]))[0];
        let logits = model.output.forward(s);
        let (z, targets) = (logits.value(), packed.target);
        let (log_p, gradient) = (log_softmax(&z), self.cross_entropy_gradient);
        let loss: Float = targets.iter().enumerate().map(|(j, &y)| -log_p[(y, j)]).sum();
        tape.push([logits], Matrix::from_element(1, 1, loss), move |dy, [z_id], gradients| {
            gradients.add(z_id, gradient(&z, &targets) * dy[0]);
        })
    }

    /// A beam of two, of the reader's steps.
    fn translate(&self, model: &EncoderDecoder, source: &[usize]) -> Vec<usize> {
        let mut state = model.encode(&[source]);
        let mut open: Vec<(f64, Vec<usize>)> = vec![(0.0, vec![BEGIN])];
        for _ in 0..12 {
            let last: Vec<usize> = open.iter().map(|(_, words)| words[words.len() - 1]).collect();
            let logits = model.next(&mut state, &last).log_probabilities;
            let sums: Vec<f64> = open.iter().map(|(sum, _)| *sum).collect();
            let steps = (self.beam_step)(&sums, &logits, 2);
            let longer = steps.iter().map(|&(b, v, sum)| (sum, [&open[b].1[..], &[v]].concat()));
            open = longer.collect();
            if open[0].1.ends_with(&[END]) {
                break;
            }
            model.select(&mut state, &steps.iter().map(|step| step.0).collect::<Vec<_>>());
        }
        open.swap_remove(0).1.into_iter().filter(|word| ![BEGIN, END].contains(word)).collect()
    }

    /// BLEU in per cent.
    fn score(&self, pairs: &[(Vec<&str>, Vec<&str>)]) -> f64 {
        let counts = |n: usize| {
            pairs.iter().map(move |(found, of)| (self.clipped_matches)(found, of, n + 1))
        };
        let [matches, runs] = [|c: (usize, usize)| c.0, |c: (usize, usize)| c.1]
            .map(|of| [0, 1, 2, 3].map(|n| counts(n).map(of).sum()));
        let [found, right] = [0, 1].map(|i| pairs.iter().map(|p| [p.0.len(), p.1.len()][i]).sum());
        100.0 * (self.bleu)(matches, runs, found, right)
    }
}

/// Words as numbers: the source with its end, the target without.
type Pair = (Vec<usize>, Vec<usize>);

const WORDS: &str =
    "<unk> <bos> <eos> not pas cat dog king boy black white small big sleep sing run cry the";

fn text(numbers: &[usize]) -> Vec<&'static str> {
    numbers.iter().filter_map(|word| WORDS.split(' ').nth(*word)).collect()
}

/// *the black cat not sleep* – *the cat black not sleep pas*: one of 128.
fn sentence(n: usize) -> Pair {
    let (noun, adjective, verb) = (5 + n % 4, 9 + n / 4 % 4, 13 + n / 16 % 4);
    let named = if adjective < 11 { [noun, adjective] } else { [adjective, noun] };
    let [read, said] = [[3, verb, END], [3, verb, 4]];
    let (read, said) = if n < 64 { (&read[1..], &said[1..2]) } else { (&read[..], &said[..]) };
    ([&[17, adjective, noun], read].concat(), [&[17], &named[..], said].concat())
}

/// Trains a fresh model: its BLEU in sentences that it has not learnt from, and what is to be seen of it.
fn run(parts: Parts) -> (f64, String) {
    let (mut test, mut training) = (Vec::new(), Vec::new());
    for (i, pair) in (0..128).map(sentence).enumerate() {
        if i % 5 == 0 { &mut test } else { &mut training }.push(pair);
    }
    let [source_words, target_words] = [WORDS.split(' ').count(); 2];
    let sizes =
        Sizes { source_words, target_words, embedding: 16, hidden: 32, layers: 1, dropout: 0.0 };
    let (mut model, mut adam) = (EncoderDecoder::new(&sizes, &mut rng(0)), Adam::new(0.01));
    let mut losses = Vec::new();
    for epoch in 0..40 {
        adam.learning_rate = 0.01 * (1.0 - epoch as Float / 40.0);
        losses.clear();
        for batch in 0..4 {
            let pairs: Vec<Pair> = training.iter().skip(batch).step_by(4).cloned().collect();
            let words = pairs.iter().map(|(_, target)| target.len() + 1).sum();
            let tape = Tape::new();
            let loss = parts.loss(&model, &tape, &pairs);
            losses.push((f64::from(loss.scalar()), words));
            adam.step(&mut model, &(loss * (1.0 / words as Float)).backward().into());
        }
    }
    let mut report = format!("\nperplexity {:.2}\n", (parts.perplexity)(&losses));
    let found: Vec<_> = test.iter().map(|(source, _)| parts.translate(&model, source)).collect();
    for ((source, _), found) in test.iter().zip(&found).step_by(7) {
        report += &format!("{} → {}\n", text(source).join(" "), text(found).join(" "));
    }
    let both = found.iter().zip(&test).map(|(found, (_, right))| (text(found), text(right)));
    (parts.score(&both.collect::<Vec<_>>()), report)
}
