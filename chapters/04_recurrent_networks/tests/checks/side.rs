//! What `language` has recorded, and the plain network's other starts.

use recurrent_networks::program::starts::{Start, learn};
use recurrent_networks::program::writing::{Languages, language_claims};
use recurrent_networks::program::{adding, flow};
use std::fs::read_to_string;
use tests::{assert_close, chapter};
use workbench::study::Findings;

const FOLDER: &str = env!("CARGO_MANIFEST_DIR");

/// The claims follow from the numbers, and the page has a row for each, with its outcome.
#[test]
fn the_claims_of_the_language_models_follow_and_are_told() {
    let text = read_to_string(format!("{FOLDER}/figures/language.json")).expect("a record");
    let languages: Languages = serde_json::from_str(&text).expect("of this form");
    let claims = language_claims(&languages.english, &languages.french);
    assert_eq!(claims, languages.claims);
    chapter::claims_on_page(FOLDER, &claims);
    chapter::figures(FOLDER, languages.figures());
}

/// All singular values of an orthogonal start are 1, and its gradient arrives where that of the usual
/// start is gone.
#[test]
fn gradients_arrive_from_an_orthogonal_start() {
    let layer = Start::Orthogonal.layer(3);
    let u = layer.weights.weight_h.value();
    assert_close!(u.tr_mul(u), shared::Matrix::identity(adding::HIDDEN, adding::HIDDEN), 1e-5);
    let [usual, others @ ..] =
        Start::ALL.map(|start| *flow::norms(&start.layer(0), 0).last().unwrap());
    assert!(others.iter().all(|norm| *norm > 1e10 * usual), "{others:?}, {usual}");
}

/// The notebook's trainings: a gradient that arrives is not enough for a tanh.
#[test]
fn of_all_starts_rectified_units_alone_learn_length_20_at_once() {
    for start in Start::ALL {
        let error = learn(start, 20, 600, 0).expect("a training");
        assert_eq!(error < 0.01, start == Start::Rectified, "{}: {error}", start.name());
    }
}
