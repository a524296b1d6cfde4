//! The committed results are what the page says, and can be made again.

use bahdanau::Reading;
use clap::ValueEnum;
use luong::Scoring;
use luong::compare::stuck::{Stuck, StuckRow};
use luong::compare::{
    NARROW, Results, Tally, claims, displacement, halves, quick, table_4, words_found,
};
use luong::program::{Chapter, Choices};
use luong::windows::Reach;
use seq2seq::translating::corpus::Corpus;
use seq2seq::translating::recurrent::{Config, SizeArgs};
use seq2seq::translating::{Recipe, Words};
use shared::Module;
use std::collections::BTreeMap;
use tests::assert_close;
use workbench::study::Interval;

/// Nothing is built before its size is known, and what cannot be built is refused.
#[test]
fn the_number_of_parameters_is_known_before_a_model_is_built() {
    let words = Words { source: 11, target: 7 };
    let (mut choices, mut tried) = (Choices { positions: 6, ..Choices::default() }, 0);
    for score in Scoring::value_variants() {
        for reach in Reach::value_variants() {
            for (reading, projected, feeding) in [
                (Reading::BothDirections, true, true),
                (Reading::BothDirections, true, false),
                (Reading::BothDirections, false, true),
                (Reading::Forward, true, true),
                (Reading::Forward, false, false),
            ] {
                choices = Choices {
                    score: *score,
                    reach: *reach,
                    reading,
                    projected,
                    feeding,
                    ..choices
                };
                let sizes =
                    SizeArgs { embedding: 3, hidden: 6, layers: 1 + tried % 2, dropout: 0.0 };
                let config = Config { sizes, choices: choices.clone() };
                let built = Chapter::build(&config, words, &mut shared::rng(0)).parameter_count();
                assert_eq!(Chapter::parameters(&config, words), Some(built as u64), "{config:?}");
                tried += 1;
            }
        }
    }
    let halved = Choices { projected: false, ..Choices::default() };
    for (hidden, choices) in [
        (16, Choices { window: 0, ..Choices::default() }),
        (16, Choices { positions: 0, ..Choices::default() }),
        (15, halved),
    ] {
        let sizes = SizeArgs { hidden, ..SizeArgs::QUICK };
        assert!(Chapter::check(&Config { sizes, choices }).is_err());
    }
}

fn committed() -> Results {
    tests::chapter::results(env!("CARGO_MANIFEST_DIR"))
}

/// Two epochs on 300 pairs. Sums of f32 may differ in the last digits between machines, and some
/// twenty steps of Adam enlarge that.
#[test]
fn a_short_training_can_be_repeated() {
    let (now, then) = (quick().unwrap(), committed().quick);
    assert_eq!(now.len(), then.len());
    for (name, loss) in now {
        assert_close!(loss, then[&name], 1e-3, "{name}");
    }
}

#[test]
fn whether_a_claim_held_is_decided_by_the_numbers_beside_it() {
    let results = committed();
    assert_eq!(claims(&results.rows), results.claims);
    assert_eq!(results.claims.len(), 24);
    assert_eq!(table_4(&results.rows), results.table_4);
    let pairs = |tally: &Tally| tally.held + tally.failed + tally.not_decided;
    // 21 pairs of seven rows and 15 of six; two of each table's numbers are equal
    assert_eq!(results.table_4.values().map(pairs).collect::<Vec<_>>(), [14, 20]);
}

/// A claim on BLEU has its interval, around the difference of the means beside it.
#[test]
fn every_claim_on_bleu_has_an_interval() {
    let Results { claims, differences, .. } = committed();
    let on_bleu = claims.iter().filter(|(name, _)| name.starts_with("bleu_"));
    assert_eq!(on_bleu.clone().count(), differences.len());
    for (name, claim) in on_bleu {
        let Interval { estimate, low, high } = differences[name];
        assert_close!(estimate, claim.more - claim.less, 2e-4, "{name}");
        assert!(low < estimate && estimate < high, "{name}: {low} to {high}");
    }
}

/// No verdict hangs on one training: whichever single seed is left out of a row, a claim that was
/// decided comes out the same.
#[test]
fn a_claim_that_is_decided_does_not_hang_on_one_seed() {
    let results = committed();
    let decided: Vec<_> =
        results.claims.iter().filter(|(_, claim)| claim.holds != "not decided").collect();
    for (mechanism, kinds) in &results.rows {
        for (kind, seed) in kinds.keys().flat_map(|kind| (0..3).map(move |seed| (kind, seed))) {
            let mut rows = results.rows.clone();
            let row = rows.get_mut(mechanism).unwrap().get_mut(kind).unwrap();
            row.seeds.remove(seed);
            let again = claims(&rows);
            for (name, claim) in &decided {
                assert_eq!(
                    again[*name].holds, claim.holds,
                    "{name} without {mechanism}'s seed {seed}"
                );
            }
        }
    }
}

/// What the chapter was built to show.
#[test]
fn local_m_loses_on_displaced_pairs_and_local_p_does_not() {
    let results = committed();
    for claim in ["local_m_loses", "local_p_does_not"] {
        assert_eq!(results.claims[claim].holds, "held", "{claim}: {:?}", results.claims[claim]);
    }
}

#[test]
fn every_row_has_three_seeds_and_as_many_parameters_to_a_percent() {
    let results = committed();
    for (name, kinds) in &results.rows {
        for row in kinds.values() {
            let share = row.parameters as f64 / results.plan.parameters as f64;
            assert!((share - 1.0).abs() < 0.01, "{name}: {}", row.parameters);
            assert_eq!(row.seeds.len(), results.plan.seeds);
        }
    }
    let lengths = (results.plan.seeds, results.rows.len());
    assert_eq!(lengths, (3, 10));
}

/// The halves of the test, from the corpus itself.
#[test]
fn the_displaced_half_is_counted_right() {
    let corpus = Corpus::generated(100, 1, 0); // the test does not depend on the training's size
    let (test, then) = (&corpus.tests[0], committed().displaced);
    let [near, far] = halves(test, NARROW);
    assert_eq!((near.len(), far.len()), (then.near, then.displaced));
    let distances = |i: &usize| displacement(&test.pairs[*i]).into_iter().map(|(_, d)| d);
    assert!(near.iter().flat_map(distances).all(|distance| distance <= NARROW));
    assert!(far.iter().all(|i| distances(i).any(|distance| distance > NARROW)));
    assert_eq!(far.iter().flat_map(distances).filter(|d| *d > NARROW).count(), then.outside);
}

#[test]
fn stuck_trainings_are_counted_right() {
    let results: Stuck = tests::chapter::results(concat!(env!("CARGO_MANIFEST_DIR"), "/stuck"));
    for (name, row) in &results.rows {
        assert_eq!(StuckRow::new(row.bleu.clone(), row.aer.clone()), *row, "{name}");
    }
}

#[test]
fn the_committed_figures_are_drawn_from_the_committed_results() {
    tests::chapter::figures(
        env!("CARGO_MANIFEST_DIR"),
        [("displacement", words_found(&committed().by_displacement))],
    );
}

/// What follows a mark, as far as it is a number.
fn number(text: &str, mark: &str) -> f32 {
    let after = text.split_once(mark).expect("the mark").1;
    after.split('"').next().and_then(|number| number.parse().ok()).expect("a number")
}

#[test]
fn five_small_panels_show_the_weights_that_the_program_has_drawn() {
    const FILL: &str = "fill=\"#D55E00\" fill-opacity=\"";
    let index = |place: f32, start: f32, size: f32| ((place - start) / size).round() as usize;
    let mut drawn = BTreeMap::new();
    let large = include_str!("../../figures/alignments_1.svg");
    for panel in large.split("<svg class=\"panel\"").skip(1) {
        let title =
            panel.split(['>', '<']).find(|text| text.contains("al, ") || text.contains("D ="));
        let title = title.expect("a title").replace("general, D", "D");
        for element in panel.split("/>").filter(|element| element.contains(FILL)) {
            let Some((_, cells)) = element.split_once(" d=\"M") else { continue };
            for cell in cells.split('M') {
                let edges: Vec<f32> =
                    cell.split([' ', 'H', 'V']).map_while(|edge| edge.parse().ok()).collect();
                for column in index(edges[0], 82.0, 24.93)..index(edges[2], 82.0, 24.93) {
                    let row = index(edges[1], 34.0, 24.93);
                    drawn.insert((title.clone(), column, row), number(element, FILL));
                }
            }
        }
    }
    drawn.retain(|_, weight| *weight > 0.02); // paler is left out
    let small = include_str!("../../figures/five_ways.svg");
    let mut title = (String::new(), 0.0, 0.0);
    let mut shown = 0;
    for element in small.split('\n') {
        if element.contains("font-weight=\"bold\"") {
            let name = element.split(['>', '<']).nth(2).expect("a title");
            // Above the first two panels stand the French words.
            let words = if number(element, " y=\"") < 20.0 { 59.0 } else { 7.0 };
            title = (name.into(), number(element, " x=\""), number(element, " y=\"") + words);
        } else if let Some((_, weight)) = element.split_once(FILL)
            && let place = (number(element, " x=\""), number(element, " y=\""))
            && !(place.0 > 250.0 && place.1 == 540.0)
        {
            let cell = (index(place.0, title.1, 14.0), index(place.1, title.2, 14.0));
            let weight: f32 = weight.split('"').next().unwrap().parse().unwrap();
            let there = drawn.get(&(title.0.clone(), cell.0, cell.1));
            assert!(
                there.is_some_and(|there| (there - weight).abs() < 0.0051),
                "{title:?} {cell:?}"
            );
            shown += 1;
        }
    }
    assert_eq!(shown, drawn.len());
}
