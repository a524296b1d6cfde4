//! The committed results can be made again.

use recurrent_networks::program::adding::{Answers, SOLVED, batch, train};
use scoring_functions::Segments;
use self_attention::program::adding::{Adder, LENGTH, LENGTHS, norms};
use self_attention::program::{Config, Results, own, padding, places, walk};
use shared::Tape;
use tests::assert_close;
use workbench::study::Findings;

pub(super) fn committed() -> Results {
    tests::chapter::results(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_walk_gives_the_known_numbers_in_both_forms() {
    let (now, then) = (walk::measure(&Config::default()), committed().walk);
    assert_close!(now.dots, [112.0, 96.0], 1e-3);
    assert_close!(now.scores, [14.0, 12.0], 1e-3);
    assert_close!(now.weights, [0.8808, 0.1192], 1e-3);
    assert!(now.difference < 1e-5, "{}", now.difference);
    assert_close!(now.y, then.y, 1e-3);
    assert_close!(now.q, then.q, 1e-3);
}

#[test]
fn untrained_tokens_look_at_themselves_as_recorded() {
    let committed = committed().own.untrained;
    for d in [2, 8] {
        let (now, then) =
            (own::untrained(d, Config::default().stream(100)), &committed[&format!("d{d}")]);
        assert_close!(now.plain.weight, then.plain.weight, 1e-3);
        assert_close!(now.one_matrix.weight, then.one_matrix.weight, 1e-3);
        assert_close!(now.two_matrices.weight, then.two_matrices.weight, 1e-3);
    }
}

/// A third of the steps suffices for the easiest of the three tasks.
#[test]
fn a_head_learns_to_look_at_the_first_word() {
    let (accuracy, [before, after]) = own::train("first", 100, Config::default().stream(110));
    let first = |alphas: &[shared::Matrix]| alphas.iter().map(|a| a.row(0).mean()).sum::<f32>();
    let n = after.len() as f32;
    assert!(accuracy > 0.95, "{accuracy}");
    assert!(first(&before) / n < 0.3 && first(&after) / n > 0.7);
}

/// In the picture of the head that names itself: whose columns look at their own word, and whose do
/// not.
#[test]
fn some_words_are_named_by_looking_at_another_word() {
    let words = own::pictured("itself", Config::default().stream(110));
    let columns = &committed().own.pictures["itself"];
    let places = |word: usize| {
        words.iter().enumerate().filter(move |(_, w)| **w == word).map(|(place, _)| place)
    };
    let on = |i: usize, word: usize| places(word).map(|j| columns[i][j]).sum::<f32>();
    for all in [vec![1, 4, 13], vec![8, 12], vec![2, 3, 10, 14, 15]] {
        let word = words[all[0]];
        assert_eq!(places(word).collect::<Vec<_>>(), all);
        for i in &all {
            // Columns of one word are alike.
            let apart = columns[*i].iter().zip(&columns[all[0]]).map(|(a, b)| (a - b).abs());
            assert!(apart.sum::<f32>() < 0.2, "{i}");
            if all.len() < 5 {
                assert!(on(*i, word) > 0.85, "{i}: {}", on(*i, word));
            } else {
                assert!((0.9..0.97).contains(&columns[*i][0]) && on(*i, word) < 0.01, "{i}");
            }
        }
    }
    assert_eq!(places(words[0]).count(), 1);
    // The figure's letters are these words.
    for (a, letter) in own::PICTURED.chars().enumerate() {
        let alike = own::PICTURED.chars().map(|other| other == letter);
        assert!(alike.eq(words.iter().map(|word| *word == words[a])), "{words:?}");
    }
}

/// Positions against none, as the page has it: at two lengths no overlap, at one there is.
#[test]
fn positions_disturb_at_two_lengths_of_three() {
    let learned = committed().adding.learned;
    let [with, without] = [Adder::With, Adder::Without]
        .map(|adder| LENGTHS.map(|length| learned[&format!("t{length}")][adder.name()].clone()));
    for (length, (with, without)) in LENGTHS.into_iter().zip(with.iter().zip(&without)) {
        assert_eq!(with.lowest > without.highest, length != 100, "{length}");
        assert!(with.highest < SOLVED / 100.0, "{length}: {}", with.highest);
    }
}

#[test]
fn padding_and_places_can_be_measured_again() {
    let (config, committed) = (Config::default(), committed());
    let (now, then) = (padding::measure(&config), committed.padding);
    for (way, change) in &now.change {
        assert!((change - then.change[way]).abs() < 1e-3, "{way}: {change}");
    }
    assert!(now.change["right"] < 1e-5);
    let (now, then) = (places::measure(&config), committed.places);
    for from in now.dots.keys() {
        assert_close!(now.dots[from], then.dots[from], 2e-3, "{from}");
        assert_close!(now.projected[from], then.projected[from], 2e-3, "{from}");
    }
}

/// The last token's query alone gives what the whole layer gives in its last column.
#[test]
fn one_query_is_the_last_column() {
    let model = Adder::With.asker(10, 7).expect("no cell");
    let (x, steps, _) = batch(10, &[3, 5]);
    let tape = Tape::new();
    let x = tape.constant(x);
    let short = model.answers(x, &steps).value();
    let (tokens, offsets) = model.tokens(x, &steps);
    let y = model.attention.forward(tokens, tokens, &Segments::within(&offsets));
    let whole = model.readout.forward(y.select_columns(&[9, 19])).value();
    assert_close!(*short, *whole, 1e-5);
}

/// A fifteenth of the steps solves length 10, as the committed runs did.
#[test]
fn self_attention_adds() {
    let mut model = Adder::Without.asker(10, 1).expect("no cell");
    let curve = train(&mut model, 10, 200, 1).expect("finite numbers");
    let last = *curve.last().expect("a look");
    assert!(last < SOLVED, "{last}");
    let learned = committed().adding.learned;
    for adder in [Adder::With, Adder::Without] {
        for length in LENGTHS {
            let learned = &learned[&format!("t{length}")][adder.name()];
            assert!(learned.highest < SOLVED, "{} at {length}", adder.name());
        }
    }
}

/// In a fresh layer without positions the first token's gradient is that of a mean: as 1/n.
#[test]
fn a_gradient_is_diluted_by_the_number_of_tokens() {
    let adding = committed().adding;
    let model = Adder::Without.asker(10, Config::default().stream(500)).expect("no cell");
    let now = norms(&model, 10, Config::default().stream(500));
    assert_close!(now.last().copied().expect("distances"), adding.diluted[0], 1e-3);
    for (one, next) in adding.diluted.iter().zip(&adding.diluted[1..]) {
        assert!((one / next - 10.0).abs() < 0.1, "{one} and {next}");
    }
}

/// The cells are chapter 4's: same sequences, same seeds, same steps.
#[test]
fn the_cells_repeat_chapter_4() {
    let chapter_4 = concat!(env!("CARGO_MANIFEST_DIR"), "/../04_recurrent_networks");
    let then: recurrent_networks::program::Results = tests::chapter::results(chapter_4);
    let (now, then) = (committed().adding.learned, &then.adding[&format!("t{LENGTH}")]);
    for cell in ["rnn", "gru", "lstm"] {
        let (now, then) = (&now[&format!("t{LENGTH}")][cell], &then[cell]);
        // A training multiplies differences of rounding, and this one may have fewer seeds.
        let inside = 0.5 * then.lowest < now.lowest && now.highest < 2.0 * then.highest;
        assert!(inside, "{cell}: {} … {}", now.lowest, now.highest);
    }
}

/// Whether a claim held is decided by the numbers beside it; the page has every claim.
#[test]
fn the_claims_follow_from_the_numbers_and_the_page_tells_them() {
    tests::chapter::claims(env!("CARGO_MANIFEST_DIR"), &committed().judged());
}

#[test]
fn the_committed_figures_are_drawn_from_the_committed_results() {
    tests::chapter::figures(env!("CARGO_MANIFEST_DIR"), committed().figures());
}
