//! Looking: draws follow the alignment, gradients follow the draws.

use hard_attention::program::training::{Change, Config, Kind, batch_loss, train, world};
use hard_attention::retrieval::{Episode, Method, PLACES, QUERIES};
use hard_attention::sequence::{Credit, reinforce_in_turn};
use hard_attention::{Baseline, draw, log_probability, look, place, reinforce};
use rand::RngExt;
use shared::{Float, Matrix, Tape, rng};
use tests::assert_close;
use workbench::program::trainings;

/// χ² of 40,000 draws against α: with 4 degrees of freedom above 23.5 once in 10,000 times.
#[test]
fn places_are_drawn_as_often_as_their_weight_says() {
    let alpha = Matrix::from_column_slice(6, 1, &[0.05, 0.3, 0.0, 0.4, 0.24, 0.01]);
    let (mut counts, draws, rng) = ([0.0; 6], 40_000, &mut rng(1));
    for _ in 0..draws {
        counts[draw(&alpha, rng)[0]] += 1.0;
    }
    assert_eq!(counts[2], 0.0);
    let chi: f64 = (0..6)
        .filter(|i| *i != 2)
        .map(|i| (counts[i], f64::from(alpha[i]) * f64::from(draws)))
        .map(|(found, expected)| (found - expected) * (found - expected) / expected)
        .sum();
    assert!(chi < 23.5, "χ² = {chi}, counts {counts:?}");
}

#[test]
fn rounding_never_leads_to_a_place_without_weight() {
    assert_eq!(place(&[0.0, 0.3, 0.3, 0.3, 0.0], 0.95), 3);
    assert_eq!(place(&[0.0, 0.3, 0.7], 0.0), 1);
}

#[test]
#[should_panic(expected = "no positive weight")]
fn nowhere_to_look_is_refused() {
    place(&[0.0, 0.0], 0.5);
}

#[test]
fn a_look_finds_one_value_as_it_is() {
    let tape = Tape::no_grad();
    let scores = tape.constant(Matrix::from_row_slice(3, 2, &[0.0, 9.0, 0.0, 0.0, 0.0, 0.0]));
    let values = tape.constant(Matrix::from_row_slice(2, 3, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));
    let look = look(scores, values, &[0.9, 0.5]); // thirds, and nearly all on place 0
    assert_eq!(look.places, [2, 0]);
    assert_eq!(*look.contexts.value(), Matrix::from_row_slice(2, 2, &[3.0, 1.0, 6.0, 4.0]));
    let alpha = scores.softmax().value();
    let expected = [alpha[(2, 0)].ln(), alpha[(0, 1)].ln()];
    assert_close!(*look.log_probability.value(), [expected], 1e-6);
}

/// ln α of a place that is never looked at: a number, where the logarithm of the softmax is −∞.
#[test]
fn the_logarithm_of_a_hopeless_place_is_finite() {
    let tape = Tape::new();
    let scores = tape.leaf(Matrix::from_column_slice(2, 1, &[1000.0, -1000.0]));
    let ln_alpha = log_probability(scores, &[1]);
    assert_eq!(ln_alpha.scalar(), -2000.0);
    assert_eq!(ln_alpha.backward().wrt(scores).as_slice(), [-1.0, 1.0]);
}

#[test]
fn the_baseline_does_not_know_the_batch_it_serves() {
    let mut baseline = Baseline::default();
    baseline.update(3.0);
    let before = baseline.value();
    baseline.update(100.0);
    assert_eq!(before, 3.0);
    assert_close!(baseline.value(), 12.7, 1e-6);
}

#[test]
fn an_episode_asks_for_what_it_holds() {
    let (world, rng) = (world(3), &mut rng(7));
    let episodes: Vec<Episode> = (0..200).map(|_| world.episode(rng)).collect();
    let first = &episodes[0];
    assert_eq!(first.keys.ncols(), PLACES);
    assert_eq!((first.queries.ncols(), first.answers.len()), (QUERIES, QUERIES));
    let asked = episodes.iter().flat_map(|e| &e.places);
    let favoured = asked.clone().filter(|place| **place == 0).count() as f64;
    let share = favoured / asked.count() as f64;
    assert!((share - 0.5).abs() < 4.0 * 0.5 / (3200.0_f64).sqrt(), "place 0: {share}");
}

/// What is trained by looks is trained through every parameter, and the loss reported is the plain one.
#[test]
fn the_bonus_changes_what_is_differentiated_and_not_what_is_told() {
    let config = Config { steps: 40, ..Config::default() };
    let model = train(Kind::BaselineEntropy, Change::None, &config, 0, |_, _| {});
    let batch = [world(0).episode(&mut rng(5))];
    let rng = &mut rng(9);
    let uniforms: Vec<Float> = (0..QUERIES).map(|_| rng.random()).collect();
    let told = |entropy: Float| {
        let tape = Tape::new();
        let method = Method::Sampled { baseline: 2.0, entropy };
        let (plain, objective) = batch_loss(&model, &tape, &batch, method, &uniforms);
        (plain.scalar(), objective.scalar(), objective.backward().into_params().len())
    };
    let (bare, with_bonus) = (told(0.0), told(0.1));
    assert_eq!((bare.1, bare.2), (bare.0, 4));
    assert_eq!((with_bonus.0, with_bonus.2), (bare.0, 4));
    assert!(with_bonus.1 < bare.1 - 0.01);
}

/// Same seed, same numbers: also when other trainings run beside.
#[test]
fn a_training_does_not_depend_on_its_neighbours() {
    let config = Config { steps: 60, ..Config::default() };
    let weights = |seed| {
        let model = train(Kind::Baseline, Change::None, &config, seed, |_, _| {});
        model.content.w.weight.value().clone()
    };
    let alone = weights(1);
    let beside = trainings("", &[1, 2], |seed| Ok(weights(*seed))).expect("two trainings");
    assert_eq!(alone, beside[0]);
}

/// A sequence of one look is one look.
#[test]
fn one_look_in_turn_is_one_look() {
    let run = |accumulate: bool| {
        let tape = Tape::new();
        let scores = tape.leaf(Matrix::from_fn(4, 3, |i, j| (i as Float - 1.0) * (j as Float)));
        let losses = tape.leaf(Matrix::from_row_slice(1, 3, &[0.5, 2.0, 1.0]));
        let ln_alpha = log_probability(scores, &[1, 0, 3]);
        let sum = if accumulate {
            reinforce_in_turn(&[losses], &[ln_alpha], Credit::ToGo, &[0.7])
        } else {
            reinforce(losses, ln_alpha, 0.7)
        };
        let (value, gradients) = (sum.scalar(), sum.backward());
        (value, gradients.wrt(scores), gradients.wrt(losses))
    };
    assert_eq!(run(true), run(false));
}
