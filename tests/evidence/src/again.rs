//! What takes seconds is measured again whenever the tests run, and is what its record says.

use crate::comparison::Numbers;
use crate::{kernel_regression, parametric_attention, self_attention};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Asserts that values are those of a record: the same names and words, and numbers that differ by a part in a
/// thousand at most, since processors add up in different order. What has a `noisy` place may be any number:
/// it is itself a rounding error.
fn recorded(record: &str, once: &BTreeMap<String, Value>, noisy: &[&str]) {
    let path = format!("{}/../../chapters/{record}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let then: Numbers =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"));
    assert!(!once.is_empty());
    for (name, now) in once {
        let then = then.once.get(name).unwrap_or_else(|| panic!("{path} has no {name}"));
        alike(&format!("{record}:{name}"), then, &json!(now), noisy);
    }
}

fn alike(place: &str, then: &Value, now: &Value, noisy: &[&str]) {
    match (then, now) {
        _ if noisy.iter().any(|noisy| place.contains(noisy)) => {
            assert!(now.is_number(), "{place}")
        }
        (Value::Object(old), Value::Object(new)) => {
            assert!(old.keys().eq(new.keys()), "{place}: {then} and {now}");
            old.iter()
                .for_each(|(name, old)| alike(&format!("{place}.{name}"), old, &new[name], noisy));
        }
        (Value::Array(old), Value::Array(new)) => {
            assert_eq!(old.len(), new.len(), "{place}");
            old.iter().zip(new).for_each(|(old, new)| alike(place, old, new, noisy));
        }
        (Value::Number(_), Value::Number(_)) => {
            let [old, new] = [then, now].map(|number| number.as_f64().expect("a number"));
            assert!(
                (old - new).abs() <= 1e-3 * old.abs() + 1e-9,
                "{place}: {old} before, {new} now"
            );
        }
        _ => assert_eq!(then, now, "{place}"),
    }
}

/// A number by the names on its way.
fn at(once: &BTreeMap<String, Value>, names: &str) -> f64 {
    let (first, rest) = names.split_once('.').expect("two names");
    let found = once[first].pointer(&format!("/{}", rest.replace('.', "/")));
    found.and_then(Value::as_f64).unwrap_or_else(|| panic!("no {names}"))
}

/// The page's words about the numbers hold too.
#[test]
fn chapter_1() {
    let once = kernel_regression::quick();
    recorded("01_kernel_regression/figures/results.json", &once, &[]);
    let error = |names: &str| at(&once, &format!("{names}.error"));
    for kernel in ["gaussian", "boxcar", "triangular", "epanechnikov"] {
        assert!(error(&format!("kernels.{kernel}")) < 0.2 * at(&once, "average_pooling.error"));
    }
    let chosen = error("kernels.gaussian");
    assert!(chosen < error("bandwidths.narrow") && chosen < error("bandwidths.wide"));
    assert!(chosen < 1.1 * error("bandwidths.best"));
    assert!(at(&once, "underflow.1.quotient_nan") > 0.1);
    assert!((0..4).all(|i| at(&once, &format!("underflow.{i}.softmax_nan")) == 0.0));
    assert!((0..3).all(|i| at(&once, &format!("lookup.{i}.best_over_noise")) == 1.0));
}

/// Names of numbers that are themselves rounding errors, or count steps until one.
const NOISE: [&str; 6] = [
    ":gradient.differences",
    ":gradient.worst",
    ":width.relative_difference",
    ":differences.",
    ":descents.",
    ":itself.logarithms.",
];

#[test]
fn chapter_2() {
    let once = parametric_attention::found();
    recorded("02_parametric_attention/figures/results.json", &once, &NOISE);
    let at = |names: &str| at(&once, names);
    assert!(at("first_step.stuck") > 0.0);
    assert!(at("gradient.worst") < 1e-3);
    assert!((at("gradient.by_hand") / at("gradient.differences") - 1.0).abs() < 1e-3);
    // The first step went past the best width, the last is still on its way back.
    assert!(at("textbook.5.loss") < at("textbook.0.loss"));
    assert!(at("textbook.1.w") > at("textbook.5.w") && at("textbook.5.w") > at("width.learnt"));
    assert!(at("descents.logarithms") < at("descents.textbook_rate"));
    assert!(at("descents.textbook_rate") < at("descents.small_rate"));
    // Sharper weights, less smooth a fit.
    let falls = |name: &str| {
        let [unit, learnt, textbook] =
            ["unit", "learnt", "textbook"].map(|fit| at(&format!("fits.{fit}.{name}")));
        [unit > learnt && learnt > textbook, unit < learnt && learnt < textbook]
    };
    assert_eq!([falls("keys"), falls("bending")], [[true, false], [false, true]]);
    // Seeing itself, w grows, and the truth goes away.
    assert!(at("itself.logarithms.loss") < 1e-6);
    assert!(at("itself.epochs_5.w") < at("itself.epochs_500.w"));
    assert!(at("itself.epochs_500.w") < at("itself.epochs_50000.w"));
    assert!(at("itself.epochs_50000.distance_from_truth") > at("fits.learnt.distance_from_truth"));
    // The matrix ignores the irrelevant input.
    assert!(at("plane.full.metric.1.1") < 0.02 * at("plane.full.metric.0.0"));
    assert!(at("plane.full.distance_from_truth") < at("plane.one_width.distance_from_truth"));
}

#[test]
fn chapter_9_untrained() {
    let once = self_attention::untrained();
    recorded("09_self_attention/figures/untrained.json", &once, &[":padding.right"]); // zero, but for rounding
    assert!(at(&once, "padding.right") < 1e-6);
}
