//! What comes later changes no bit; one word further is as all at once; batches and threads change nothing.

use language_model::world::{self, BEGIN, WORDS};
use language_model::{Config, Gpt, Sampling};
use rand::RngExt;
use shared::{Float, Matrix, Ragged, Tape, rng};
use tests::assert_close;

fn models() -> [Gpt; 3] {
    let today = Config { width: 16, feed_forward: 24, longest: 40, ..Config::today(WORDS.len()) };
    let one_group = Config { groups: 1, ..today.clone() };
    let gpt2 = Config { width: 16, feed_forward: 24, longest: 40, ..Config::gpt2(WORDS.len()) };
    [today, one_group, gpt2].map(|config| Gpt::new(&config, &mut rng(1)))
}

fn logits(model: &Gpt, text: &[usize]) -> Matrix {
    let tape = Tape::no_grad();
    let (x, _) = model.forward(&tape, &Ragged::new(&[text]));
    Matrix::clone(&model.logits(x).value())
}

#[test]
fn a_later_word_changes_no_earlier_bit() {
    let text = world::text(29, &mut rng(2));
    for model in models() {
        let whole = logits(&model, &text);
        let mut other = text.clone();
        other[20] = (other[20] + 1) % WORDS.len();
        let changed = logits(&model, &other);
        assert_eq!(whole.columns(0, 20), changed.columns(0, 20));
        assert!(whole.columns(20, 10) != changed.columns(20, 10));
    }
}

/// Two texts side by side, a word each a step.
#[test]
fn a_step_is_a_column_of_the_whole() {
    let texts = [3, 4].map(|seed| world::text(29, &mut rng(seed)));
    for model in models() {
        let wholes = texts.each_ref().map(|text| logits(&model, text));
        let mut cache = model.cache();
        for i in 0..30 {
            let step = model.step(&[texts[0][i], texts[1][i]], &mut cache);
            for (j, whole) in wholes.iter().enumerate() {
                assert_close!(step.column(j), whole.column(i), 1e-5, "word {i} of text {j}");
            }
        }
    }
}

/// The words that are drawn with a cache are those drawn where all words are read anew each time.
#[test]
fn a_cache_changes_no_word() {
    for model in models() {
        for sampling in [Sampling::PLAIN, Sampling::GREEDY] {
            let written = model.write(&[BEGIN], 30, sampling, &mut rng(7));
            let (mut text, rng) = (vec![BEGIN], &mut rng(7));
            for _ in 0..30 {
                let all = logits(&model, &text);
                let last = all.column(all.ncols() - 1);
                text.push(sampling.draw(last.as_slice(), rng.random::<Float>()));
            }
            assert_eq!(written, text[1..]);
        }
    }
}

/// The keys and values that are kept shrink with the groups.
#[test]
fn a_cache_keeps_a_column_for_each_group() {
    let rows = models().map(|model| {
        let mut cache = model.cache();
        model.step(&[BEGIN], &mut cache);
        cache[0][0].keys.nrows()
    });
    assert_eq!(rows, [8, 4, 16]); // of a width of 16 and four heads: two groups, one, four
}

#[test]
#[should_panic(expected = "41 words")]
fn more_words_than_positions_are_refused() {
    let [model, ..] = models();
    model.write(&[BEGIN], 40, Sampling::PLAIN, &mut rng(0));
}
