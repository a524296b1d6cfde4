//! What `language` and `starts` have recorded can be made again, as far as seconds allow, and the page
//! says it.

use recurrent_networks::experiment::starts::{self, Start, Starts, learn, start_claims};
use recurrent_networks::experiment::writing::{Languages, language_claims};
use recurrent_networks::experiment::{Config, adding, flow};
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::fs::read_to_string;
use tests::{assert_close, chapter};
use workbench::Claim;
use workbench::study::Findings;

const FOLDER: &str = env!("CARGO_MANIFEST_DIR");

fn recorded<T: DeserializeOwned>(name: &str) -> T {
    let path = format!("{FOLDER}/figures/{name}");
    serde_json::from_str(&read_to_string(path).expect(name)).expect(name)
}

/// The claims follow from the numbers, and the page has a row for each, with its outcome.
fn on_page(now: &BTreeMap<String, Claim>, then: &BTreeMap<String, Claim>) {
    assert_eq!(now, then);
    chapter::claims_on_page(FOLDER, now);
}

#[test]
fn the_claims_of_the_language_models_follow_and_are_told() {
    let languages: Languages = recorded("language.json");
    on_page(&language_claims(&languages.english, &languages.french), &languages.claims);
    chapter::figures(FOLDER, languages.figures());
}

#[test]
fn the_claims_of_the_starts_follow_and_are_told() {
    let starts: Starts = recorded("starts.json");
    on_page(&start_claims(&starts.adding, &starts.gates), &starts.claims);
    chapter::figures(FOLDER, starts.figures());
}

/// All singular values of an orthogonal start are 1, and its gradient arrives where that of the usual
/// start is gone; as far as rounding allows, the recorded one.
#[test]
fn gradients_arrive_from_an_orthogonal_start() {
    let layer = Start::Orthogonal.layer(3);
    let u = layer.weights.weight_h.value();
    assert_close!(u.tr_mul(u), shared::Matrix::identity(adding::HIDDEN, adding::HIDDEN), 1e-5);
    let (now, then) = (starts::fresh(&Config::default()), recorded::<Starts>("starts.json").fresh);
    for start in Start::ALL {
        for (now, then) in now[start.name()].iter().zip(&then[start.name()]) {
            assert_close!(now.log10(), then.log10(), 0.02, "{}", start.name());
        }
    }
    let last = flow::LAGS.len() - 1;
    assert!(now["orthogonal"][last] > 1e10 * now["usual"][last]);
}

/// The usual start is that of the chapter's first table: its errors lie where those did.
#[test]
fn the_usual_start_is_the_first_tables() {
    let (starts, then): (Starts, serde_json::Value) =
        (recorded("starts.json"), recorded("results.json"));
    for length in starts::LENGTHS.map(|length| format!("t{length}")) {
        let plain = &then["adding"][&length]["rnn"];
        let number = |key: &str| plain[key].as_f64().expect("a number");
        for error in &starts.adding["usual"][&length].errors {
            assert!((0.5 * number("lowest")..2.0 * number("highest")).contains(error), "{length}");
        }
    }
}

/// A quick training ends about where the recorded one did.
#[test]
fn rectified_units_learn_length_10() {
    let recorded = &recorded::<Starts>("starts.json").adding["rectified"]["t10"];
    assert_eq!((recorded.errors.len(), recorded.solved), (3, 3));
    let (error, _) = learn(Start::Rectified, 10, 1000, 0).expect("a training");
    assert!(error < 0.1 * f64::from(adding::ALWAYS_ONE), "{error}");
}
