//! 4.12 capstone: your cell writes

use super::choose::{Choose, EXERCISE as DICE};
use super::gru_step::{EXERCISE as STEP, GruStep};
use corpora::{BEGIN, END, Vocabulary};
use parallel::{English, Sizes, splits};
use rand::RngExt;
use recurrent_networks::program::next_word::Packed;
use recurrent_networks::{Gru, LanguageModel};
use shared::{Adam, Matrix, Optimizer, Tape, loss_and_gradients, product, rng};
use std::sync::OnceLock;
use tests::exercises::show;

tests::parts! {
    1 gru_step: GruStep = [STEP.wrong[2].answer],
    8 choose: Choose = [DICE.wrong[2].answer],
}

const LONGEST: usize = 16;
const SENTENCES: u64 = 100;
const EXAMPLE: &str = "the old king does not see the horse .";

/// A small language model, trained once for all checks.
fn trained() -> &'static (LanguageModel<Gru>, Vocabulary) {
    static TRAINED: OnceLock<(LanguageModel<Gru>, Vocabulary)> = OnceLock::new();
    TRAINED.get_or_init(|| {
        let sizes = Sizes { train: 1500, validation: 0, test: 0, long: 0, compositional: 0 };
        let words: Vec<Vec<String>> =
            splits(&sizes, 1).train.into_iter().map(|pair| pair.source).collect();
        let vocabulary = Vocabulary::new(words.iter().map(Vec::as_slice), 1);
        let sentences = words.iter().map(|words| [vocabulary.encode(words), vec![END]].concat());
        let mut sentences: Vec<Vec<usize>> = sentences.collect();
        sentences.sort_by_key(|sentence| std::cmp::Reverse(sentence.len()));
        let mut model = LanguageModel::new(vocabulary.len(), 24, 48, 1, &mut rng(4));
        let mut adam = Adam::new(8e-3);
        let batches: Vec<&[Vec<usize>]> = sentences.chunks(30).collect();
        for step in 0..6 * batches.len() {
            let batch = batches[step * 17 % batches.len()]; // 17 and 50 have no common factor
            let Packed { steps, words, next } = Packed::new(&batch.iter().collect::<Vec<_>>());
            let (_, mut gradients) = loss_and_gradients(&[()], |tape: &Tape, ()| {
                model.loss(tape, &words, &next, &steps) * (1.0 / next.len() as f32)
            });
            gradients.clip_norm(1.0);
            adam.step(&mut model, &gradients);
        }
        (model, vocabulary)
    })
}

impl Parts {
    /// The state after one more word, and the logits of the next.
    fn read(self, model: &LanguageModel<Gru>, word: usize, h: &Matrix) -> (Matrix, Vec<f32>) {
        let weights = &model.layers.layers[0].weights;
        let x = model.words.weight.value().columns(word, 1).into_owned();
        let projected = product(weights.weight_x.value(), &x) + weights.bias_x.value();
        let c = weights.bias_h.value().column(0).into_owned();
        let h = (self.gru_step)(&projected, weights.weight_h.value(), &c, h);
        let readout = &model.readout;
        let offset = readout.bias.as_ref().expect("a bias").value();
        let logits = product(readout.weight.value(), &h) + offset;
        (h, logits.as_slice().to_vec())
    }

    fn write(self, model: &LanguageModel<Gru>, tickets: &[f32]) -> Vec<usize> {
        let hidden = model.layers.layers[0].weights.hidden();
        let (mut word, mut text, mut h) = (BEGIN, Vec::new(), Matrix::zeros(hidden, 1));
        for ticket in tickets {
            let (next, logits) = self.read(model, word, &h);
            word = (self.choose)(&logits, 1.0, *ticket);
            if word == END {
                break;
            }
            text.push(word);
            h = next;
        }
        text
    }
}

fn check(parts: Parts) {
    let (model, vocabulary) = trained();
    let yours = (0..SENTENCES).map(|seed| {
        let mut rng = rng(seed);
        let tickets: Vec<f32> = (0..LONGEST).map(|_| rng.random()).collect();
        parts.write(model, &tickets)
    });
    let reference = (0..SENTENCES).map(|n| model.write([BEGIN, END], LONGEST, 1.0, &mut rng(n)));
    let (yours, reference): (Vec<_>, Vec<_>) = (yours.collect(), reference.collect());
    let english = |all: &[Vec<usize>]| {
        all.iter().filter(|text| English.accepts(&vocabulary.decode(text))).count()
    };
    let written = yours.iter().take(6).map(|text| vocabulary.decode(text).join(" "));
    let written: String = written.map(|text| format!("    {text}\n")).collect();
    show(format!(
        "\nYour network writes:\n{written}English: {} of {SENTENCES}; the reference: {}\n{}",
        english(&yours),
        english(&reference),
        surprises(parts, model, vocabulary)
    ));
    let same = yours.iter().zip(&reference).filter(|(a, b)| a == b).count();
    // A ticket that falls between two words may go to either, by the last digit of a sum.
    assert!(
        same >= 95,
        "with the same weights and the same tickets your network writes {same} of {SENTENCES} sentences \
         as the reference does: look again at the step (4.1) and at how it draws (4.8)"
    );
}

/// A bar for every word of a sentence: how probable it was.
fn surprises(parts: Parts, model: &LanguageModel<Gru>, vocabulary: &Vocabulary) -> String {
    let words: Vec<String> = EXAMPLE.split_whitespace().map(String::from).collect();
    let (mut word, mut h) = (BEGIN, Matrix::zeros(model.layers.layers[0].weights.hidden(), 1));
    let mut drawing = "How probable it finds each word:\n".to_owned();
    for (text, next) in words.iter().zip(vocabulary.encode(&words)) {
        let (state, logits) = parts.read(model, word, &h);
        let largest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 = logits.iter().map(|x| (x - largest).exp()).sum();
        let p = (logits[next] - largest).exp() / sum;
        let bar = "█".repeat((40.0 * p).ceil() as usize);
        drawing += &format!("{text:>8} {p:5.3} {bar}\n");
        (word, h) = (next, state);
    }
    drawing
}
