//! The committed results can be made again.

use scoring_functions::program::compare::{self, Compared, projected};
use scoring_functions::program::{
    Config, Kind, Results, Setting, charts, claims, example, learn, scaling, sizes,
};
use tests::assert_close;

fn committed() -> Results {
    tests::chapter::results(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_example_is_what_the_page_says() {
    let (now, then) = (example(), committed().example);
    assert_close!(now.weights, then.weights, 1e-6);
    assert_close!(now.context, then.context, 1e-6);
}

/// Up to d = 256; sums of f32 may differ in the last digits between machines, and deep in saturation
/// a difference of scores is exponentiated.
#[test]
fn the_scaling_can_be_measured_again() {
    let committed = committed().scaling;
    assert_eq!(committed.len(), sizes().len());
    for d in [1, 16, 256] {
        let (now, then) = (scaling(d, Config::default().seed), &committed[&format!("d{d}")]);
        for (now, then) in [(&now.scaled, &then.scaled), (&now.unscaled, &then.unscaled)] {
            assert_close!(now.variance, then.variance, 1e-4, "d = {d}");
            assert_close!(now.entropy, then.entropy, 1e-4, "d = {d}");
            assert_close!(now.jacobian_mean, then.jacobian_mean, 1e-4, "d = {d}");
            assert_close!(now.jacobian_median, then.jacobian_median, 1e-4, "d = {d}");
            assert_close!(now.query_mean, then.query_mean, 1e-3, "d = {d}");
            assert_close!(now.values_mean, then.values_mean, 1e-4, "d = {d}");
            assert_close!(now.match_weight, then.match_weight, 1e-4, "d = {d}");
        }
    }
}

/// One seed of the quickest score that learns: its curve lies in the committed band. A query on the
/// edge between two keys may tip with the last digit of f32, hence one percent.
#[test]
fn a_training_can_be_repeated() {
    let (config, committed) = (Config::default(), committed());
    for setting in [Setting::Rotated, Setting::Wider] {
        let then = &committed.recall[setting.name()][Kind::General.name()];
        let (_, curve) = learn(setting, Kind::General, &config, 0).expect("general fits any sizes");
        assert_eq!(curve.len(), then.curve.len());
        for (now, (step, _, low, high)) in curve.iter().zip(&then.curve) {
            let inside = *low - 0.01 <= *now && *now <= *high + 0.01;
            assert!(inside, "{}: {now} at step {step}, recorded {low} … {high}", setting.name());
        }
        let last = *curve.last().expect("a curve has points");
        assert!(last > 0.95, "{last} after {} steps", config.steps);
    }
}

/// Whether a claim held is decided by the numbers beside it; the page has every claim.
#[test]
fn the_claims_follow_from_the_numbers_and_the_page_tells_them() {
    let results = committed();
    tests::chapter::claims(env!("CARGO_MANIFEST_DIR"), &claims(&results.recall));
}

/// What the page says about the gradient at a query: without scaling it has √d from the chain rule,
/// and the rest from the softmax' Jacobian.
#[test]
fn the_chain_rule_and_the_jacobian_are_two_factors() {
    let results = committed();
    for (d, jacobians) in [("d64", 1.14), ("d4096", 0.186)] {
        let (without, with) = (&results.scaling[d].unscaled, &results.scaling[d].scaled);
        let ratio = without.jacobian_mean / with.jacobian_mean;
        assert_close!(ratio, jacobians, 0.01);
    }
    let d64 = &results.scaling["d64"];
    assert_close!(d64.unscaled.query_mean / d64.scaled.query_mean, 7.9, 0.01);
}

#[test]
fn the_committed_figures_are_drawn_from_the_committed_results() {
    tests::chapter::figures(env!("CARGO_MANIFEST_DIR"), charts(&committed()));
}

/// What `--compare` wrote.
fn compared() -> Compared {
    let committed = include_str!("../../figures/compare.json");
    serde_json::from_str(committed).expect("of this form")
}

/// One seed; an answer on the edge may tip with the last digit of f32.
#[test]
fn the_comparison_can_be_repeated() {
    let results = compared();
    let config = Config { seeds: 1, ..Config::default() };
    let then = &results.scaling["d16"].scaled.fastest;
    let [first, steps, last] = projected(16, true, then.rate, &config, 0).map(f64::from);
    assert_close!(first, then.first.of_seeds[0], 1e-4);
    assert!((steps - then.steps.of_seeds[0]).abs() <= 2.0, "{steps} steps");
    assert_close!(last, then.last.of_seeds[0], 0.05);
}

#[test]
fn the_claims_of_the_comparison_follow_and_the_page_tells_them() {
    let results = compared();
    assert_eq!(compare::claims(&results.scaling), results.claims);
    tests::chapter::claims_on_page(env!("CARGO_MANIFEST_DIR"), &results.claims);
}
