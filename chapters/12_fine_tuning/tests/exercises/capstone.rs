//! 12.11, the capstone: the reader's functions teach a new layer on top of a small frozen encoder.

use super::first_pieces::FirstPieces;
use super::interval::Interval;
use super::layer_gradients::{EXERCISE as LAYER, LayerGradients};
use super::rate::Rate;
use super::share_of_loss::ShareOfLoss;
use super::small_encoder::{LONGEST, PIECES, begin};
use bert::program::{Corpus, PretrainingTask, options, special};
use bert::world::tasks::{Sizes, Tagged, ambiguous, tags};
use bert::{Bert, Special, Tokens};
use corpora::WordPiece;
use rand::RngExt;
use rand::seq::SliceRandom;
use shared::{Matrix, Ragged, Tape, product, rng};
use std::sync::OnceLock;
use tests::exercises::show;
use workbench::training::{Options, json, train};

tests::parts! {
    1 first_pieces: FirstPieces,
    2 share_of_loss: ShareOfLoss,
    4 rate: Rate,
    8 interval: Interval,
    10 layer_gradients: LayerGradients = [LAYER.wrong[1].answer],
}

const TRAINING: usize = 200; // texts
const TEST: usize = 300;
const BATCH: usize = 16;
const PASSES: usize = 10;

fn check(parts: Parts) {
    static WORLD: OnceLock<(World, f64)> = OnceLock::new(); // the same for every answer
    let share = |right: &[bool]| right.iter().filter(|right| **right).count() as f64 / TEST as f64;
    let (world, ours) = WORLD.get_or_init(|| {
        let world = World::new();
        let ours = share(&world.tune(SOLVED).0);
        (world, ours)
    });
    let (right, curve) = world.tune(parts);
    let (low, high) = (parts.interval)(&right, &drawn(), 0.95);
    let [yours, low, high, ours] = [share(&right), low, high, *ours].map(|share| 100.0 * share);
    let told = format!(
        "{yours:.1} % of ambiguous words right, ours {ours:.1} %; 95 % of drawings: {low:.1} to {high:.1}"
    );
    show(format!("\n{told}\nloss, pass by pass: {curve:.3?}"));
    assert!((yours - ours).abs() < 2.0, "{told}\nhint: which way do the steps go (12.4, 12.10)?");
}

/// The draws of a bootstrap from the texts of the test.
fn drawn() -> Vec<Vec<usize>> {
    let mut rng = rng(2);
    (0..503).map(|_| (0..TEST).map(|_| rng.random_range(0..TEST)).collect()).collect()
}

/// An encoder that has read some stories, and texts to tag.
struct World {
    special: Special,
    encoder: Bert,
    training: Vec<Example>,
    test: Vec<Example>,
}

/// A text in words, each with its pieces and its tag, and the first word that could be several things.
type Example = (Vec<Vec<usize>>, Vec<usize>, usize);

/// Keeps as many words as the encoder has positions for; `None` when the one to be judged is not among them.
fn example(tagged: &Tagged, pieces: &WordPiece) -> Option<Example> {
    let mut words: Vec<Vec<usize>> = tagged.words.iter().map(|word| pieces.cut(word)).collect();
    while words.iter().map(|word| word.len().max(1)).sum::<usize>() + 2 > LONGEST {
        words.pop();
    }
    let judged = tagged.words[..words.len()].iter().position(|word| ambiguous(word))?;
    let tags = tagged.tags[..words.len()].iter().map(|tag| *tag as usize).collect();
    Some((words, tags, judged))
}

impl World {
    fn new() -> World {
        let corpus = Corpus::generated(300, PIECES, 0).unwrap();
        let task = PretrainingTask::new(&corpus, None, LONGEST, BATCH, json!(null));
        let (mut model, epochs) = (begin(), 4);
        let options = options((epochs * task.pairs().div_ceil(BATCH)) as u64, 5e-3);
        train(&task, &mut model, &Options { epochs, ..options }).unwrap();
        let sizes = Sizes { train: 2 * TRAINING, validation: 0, test: 2 * TEST, noise: 0.05 };
        let parts = tags(&sizes, 0).unwrap();
        let all =
            |of: &[Tagged]| of.iter().filter_map(|one| example(one, &corpus.pieces)).collect();
        let [mut training, mut test]: [Vec<Example>; 2] = [all(&parts.train), all(&parts.test)];
        training.truncate(TRAINING);
        test.truncate(TEST);
        World { special: special(&corpus.pieces), encoder: model.bert, training, test }
    }

    /// A text as the frozen encoder leaves it (d, pieces), and what each piece is asked.
    fn read(&self, parts: Parts, (words, tags, _): &Example) -> (Matrix, Vec<Option<usize>>) {
        let (pieces, asked) = (parts.first_pieces)(words, tags, &self.special);
        let tokens = Tokens { pieces: Ragged::new(&[&pieces]), segments: vec![0; pieces.len()] };
        let tape = Tape::no_grad();
        (Matrix::clone(&self.encoder.forward(&tape, &tokens).0.value()), asked)
    }

    /// Teaches a layer of zeros: which texts of the test are right, and the mean loss of every pass.
    fn tune(&self, parts: Parts) -> (Vec<bool>, Vec<f32>) {
        let [read, test] = [&self.training, &self.test]
            .map(|all| all.iter().map(|one| self.read(parts, one)).collect::<Vec<_>>());
        let (mut w, mut b) = (Matrix::zeros(5, read[0].0.nrows()), Matrix::zeros(5, 1));
        let logits = |w: &Matrix, b: &Matrix, h: &Matrix| {
            let mut logits = product(w, h);
            logits.column_iter_mut().for_each(|mut column| column += b);
            logits
        };
        let (mut order, mut rng, mut curve) = (read.iter().collect::<Vec<_>>(), rng(1), Vec::new());
        let batches = read.len().div_ceil(BATCH);
        for pass in 0..PASSES {
            order.shuffle(&mut rng);
            let mut sum = 0.0;
            for (batch, step) in order.chunks(BATCH).zip(pass * batches + 1..) {
                let columns: Vec<_> = batch.iter().flat_map(|(h, _)| h.column_iter()).collect();
                let (h, asked) = (Matrix::from_columns(&columns), batch.iter().flat_map(|b| &b.1));
                let asked: Vec<Option<usize>> = asked.copied().collect();
                let answers: Vec<usize> = asked.iter().flatten().copied().collect();
                sum += (parts.share_of_loss)(&logits(&w, &b, &h), &asked, answers.len());
                let places: Vec<usize> = (0..asked.len()).filter(|i| asked[*i].is_some()).collect();
                let h = h.select_columns(&places);
                let (dw, db) = (parts.layer_gradients)(&h, &w, &b, &answers);
                let rate = (parts.rate)(step, PASSES * batches, 0.3) as f32;
                w -= dw * rate;
                b -= db * rate;
            }
            curve.push(sum / batches as f32);
        }
        let right = test.iter().zip(&self.test).map(|((h, asked), (_, tags, judged))| {
            let place = (0..asked.len()).filter(|i| asked[*i].is_some()).nth(*judged);
            let o = logits(&w, &b, &h.columns(place.expect("a word"), 1).into_owned());
            o.column(0).imax() == tags[*judged]
        });
        (right.collect(), curve)
    }
}
