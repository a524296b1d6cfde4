//! Word by word with keys and values kept, against the whole decoder run again for every word.

use crate::support::{ENCODINGS, KINDS, WORDS, model, placed, sentence, unequal};
use seq2seq::decoding::beam_all;
use seq2seq::translating::Kind;
use seq2seq::{BEGIN, Batch, END, Next, Translator, log_softmax};
use shared::{Float, Matrix, Module, Ragged, Tape, Var, Visitor};
use std::sync::atomic::{AtomicUsize, Ordering};
use tests::assert_close;
use transformer::decoding::State;
use transformer::program::CHAPTER;
use transformer::{Norm, Tied, Transformer};

/// Log-probabilities (words, n) after each of the words, and where the last of them looked, as the
/// whole decoder finds them.
fn all_at_once(model: &Transformer, source: &[usize], previous: &[usize]) -> (Matrix, Vec<Float>) {
    let tape = Tape::no_grad();
    let (source, previous) = (Ragged::new(&[source]), Ragged::new(&[previous]));
    let (h, _) = Transformer::encode(model, &tape, &source);
    let (x, looked) = model.decode(h, &source, &previous);
    let heads = model.decoder.last().unwrap().cross.heads;
    let [_, across] = looked.last().unwrap();
    let last = previous.words.len() - 1;
    let sum = (0..heads).map(|head| across.of(0, head).column(last).into_owned());
    let mean = sum.reduce(|a, b| a + b).unwrap() / heads as Float;
    (log_softmax(&model.logits(x).value()), mean.as_slice().to_vec())
}

/// The models of these tests.
fn models() -> impl Iterator<Item = Transformer> {
    let all = KINDS.map(|(norm, tied)| model(norm, tied)).into_iter();
    all.chain([unequal(Norm::Post), unequal(Norm::Pre)]).chain(ENCODINGS.map(placed))
}

/// What the page with all heads shows across, word by word, is where decoding says that it looked: the
/// mean over the heads of the last block. And all weights of a word, in every head, are a distribution.
#[test]
fn the_weights_on_show_are_those_of_decoding() {
    for model in models() {
        let closed = |length: usize, seed: usize| [&sentence(length, seed)[..], &[END]].concat();
        let (source, target) = (closed(6, 3), closed(8, 5));
        let looks = (CHAPTER.heads.unwrap().looks)(&model, &source, &target);
        let kinds: Vec<Kind> = looks.iter().map(|look| look.kind).collect();
        assert_eq!(kinds, [Kind::Encoder, Kind::Decoder, Kind::Cross]);
        let blocks: Vec<usize> = looks.iter().map(|look| look.blocks.len()).collect();
        assert_eq!(blocks, [model.encoder.len(), model.decoder.len(), model.decoder.len()]);
        for weights in looks.iter().flat_map(|look| look.blocks.iter().flatten()) {
            let ones = Matrix::from_element(1, weights.ncols(), 1.0);
            assert_close!(
                Matrix::from_fn(1, weights.ncols(), |_, t| weights.column(t).sum()),
                ones,
                1e-5
            );
        }
        let heads = looks[2].blocks.last().unwrap();
        let mut state = Translator::encode(&model, &[&source]);
        let previous = [&[BEGIN], &target[..target.len() - 1]].concat();
        for (t, word) in previous.iter().enumerate() {
            let looked = model.next(&mut state, &[*word]).alignments.remove(0);
            let sums = (0..source.len()).map(|j| heads.iter().map(|h| h[(j, t)]).sum::<Float>());
            let shown: Vec<Float> = sums.map(|sum| sum / heads.len() as Float).collect();
            assert_close!(shown, looked, 1e-5, "word {t}");
        }
    }
}

/// One word further as [`Translator::next`], where word `t` is said to stand at `place(t)`.
fn step(
    model: &Transformer,
    state: &mut State,
    last: &[usize],
    place: fn(usize) -> usize,
) -> Matrix {
    let (tape, t) = (Tape::no_grad(), state.open_step());
    let scale = (model.target.weight.value().nrows() as Float).sqrt();
    let words = model.target.forward(&tape, last) * scale;
    let mut x = model.positions.as_ref().unwrap().add(words, &vec![place(t); last.len()]);
    for (l, block) in model.decoder.iter().enumerate() {
        x = block.step(x, l, state).0;
    }
    log_softmax(&model.logits(x).value())
}

/// A well-known textbook feeds its decoder one word at a time, and adds the vector of position 0 to
/// each.
#[test]
fn every_word_stands_at_its_own_place() {
    let (model, source) = (model(Norm::Post, Tied::Output), sentence(5, 0));
    let told = [&[BEGIN], &sentence(7, 9)[..]].concat();
    let expected = all_at_once(&model, &source, &told).0;
    let run = |place: fn(usize) -> usize| {
        let mut state = Translator::encode(&model, &[&source]);
        Vec::from_iter(told.iter().map(|word| step(&model, &mut state, &[*word], place)))
    };
    for (t, found) in run(|t| t).iter().enumerate() {
        assert_close!(found.column(0), expected.column(t), 1e-5, "word {t}");
    }
    let wrong = run(|_| 0);
    assert_close!(wrong[0].column(0), expected.column(0), 1e-5); // the first word does stand there
    for (t, wrong) in wrong.iter().enumerate().skip(1) {
        let off = (wrong - expected.columns(t, 1)).amax();
        assert!(off > 0.01, "word {t} at position 0 is off by {off} only");
    }
}

/// The new hypotheses are old ones in any order, several times or not at all, and each goes on from
/// its own words about its own source.
#[test]
fn hypotheses_move_with_all_that_they_have_read_and_written() {
    for model in models() {
        let sources = [sentence(5, 0), sentence(2, 1), sentence(3, 2)];
        let borrowed: Vec<&[usize]> = sources.iter().map(Vec::as_slice).collect();
        let mut state = Translator::encode(&model, &borrowed);
        let mut hypotheses: Vec<(usize, Vec<usize>)> = (0..3).map(|j| (j, vec![BEGIN])).collect();
        let moves: [&[usize]; 6] =
            [&[2, 0, 1], &[1, 1, 0, 2, 1], &[4, 0], &[1, 0, 1], &[2], &[0, 0]];
        for (t, chosen) in moves.into_iter().enumerate() {
            let last: Vec<usize> = hypotheses.iter().map(|(_, words)| words[t]).collect();
            let next = model.next(&mut state, &last);
            for (j, (source, words)) in hypotheses.iter().enumerate() {
                let (log_p, looked) = all_at_once(&model, &sources[*source], words);
                assert_close!(next.log_probabilities.column(j), log_p.column(t), 1e-5, "{words:?}");
                assert_close!(next.alignments[j].clone(), looked, 1e-5, "{words:?}");
            }
            model.select(&mut state, chosen);
            hypotheses = chosen.iter().map(|&j| hypotheses[j].clone()).collect();
            for (j, (_, words)) in hypotheses.iter_mut().enumerate() {
                words.push(3 + (t + 2 * j) % (WORDS - 3)); // twins part here
            }
        }
    }
}

/// The same model, which keeps nothing but words.
struct Forgetful<'a> {
    model: &'a Transformer,
    /// How often a hypothesis went on as two.
    parted: AtomicUsize,
}

impl Module for Forgetful<'_> {
    fn visit(&mut self, _: &mut Visitor) {}
}

impl Translator for Forgetful<'_> {
    /// The source and the words of every hypothesis.
    type State = Vec<(Vec<usize>, Vec<usize>)>;

    fn loss<'t>(&self, _: &'t Tape, _: &Batch) -> Var<'t> {
        unreachable!("decoding needs no loss")
    }

    fn encode(&self, sources: &[&[usize]]) -> Self::State {
        sources.iter().map(|source| (source.to_vec(), Vec::new())).collect()
    }

    fn next(&self, state: &mut Self::State, last: &[usize]) -> Next {
        let mut log_probabilities = Matrix::zeros(WORDS, last.len());
        let mut alignments = Vec::new();
        for (j, (source, words)) in state.iter_mut().enumerate() {
            words.push(last[j]);
            let (log_p, looked) = all_at_once(self.model, source, words);
            log_probabilities.set_column(j, &log_p.column(words.len() - 1));
            alignments.push(looked);
        }
        Next { log_probabilities, alignments }
    }

    fn select(&self, state: &mut Self::State, chosen: &[usize]) {
        let parted = chosen.windows(2).filter(|pair| pair[0] == pair[1]).count();
        self.parted.fetch_add(parted, Ordering::Relaxed);
        *state = chosen.iter().map(|&j| state[j].clone()).collect();
    }
}

/// The same model with the end word less likely, so that it writes sentences.
fn talkative(mut model: Transformer) -> Transformer {
    match &mut model.output {
        Some(output) => output.weight.value_mut().row_mut(END).scale_mut(0.1),
        None => model.target.weight.value_mut().column_mut(END).scale_mut(0.1),
    }
    model
}

#[test]
fn a_beam_finds_what_a_beam_that_computes_everything_again_finds() {
    let sources = [sentence(4, 0), sentence(1, 1), sentence(2, 5)];
    let sources: Vec<&[usize]> = sources.iter().map(Vec::as_slice).collect();
    let models =
        [model(Norm::Post, Tied::Output), model(Norm::Pre, Tied::Nothing), unequal(Norm::Pre)];
    for model in models.map(talkative) {
        let forgetful = Forgetful { model: &model, parted: AtomicUsize::new(0) };
        let mut longest = 0;
        for width in [1, 2, 4] {
            let kept = beam_all(&model, &sources, width, 2.0); // in favour of long ones
            let again = beam_all(&forgetful, &sources, width, 2.0);
            for (kept, again) in kept.iter().zip(&again) {
                assert_eq!((&kept.words, kept.ended), (&again.words, again.ended), "width {width}");
                longest = longest.max(kept.words.len());
                assert_close!(kept.log_probability, again.log_probability, 1e-5);
                assert_close!(&kept.alignment, &again.alignment, 1e-5);
            }
        }
        assert!(longest >= 3, "the longest of all translations has {longest} words");
        assert!(forgetful.parted.into_inner() > 3, "no hypothesis ever went on as two");
    }
}
