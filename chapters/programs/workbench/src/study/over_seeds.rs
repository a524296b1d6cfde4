//! What several seeds found, number by number.

use super::spread::Spread;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

/// What all seeds found as one structure: every number with a point becomes the [`Spread`] of those that
/// stand in its place, whatever it is inside of. All else, names and counts, is the first seed's.
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use workbench::study::{Spread, over_seeds};
///
/// #[derive(Serialize, Deserialize)]
/// struct Scores<N = Spread> {
///     sentences: usize,
///     bleu: N,
///     by_length: Vec<N>,
/// }
/// let seed = |bleu| Scores { sentences: 9, bleu, by_length: vec![bleu + 1.0] };
/// let scores: Scores = over_seeds(&[seed(40.0), seed(44.0)]);
/// assert_eq!((scores.sentences, scores.bleu.mean, scores.by_length[0].highest), (9, 42.0, 45.0));
/// ```
///
/// # Panics
/// When there is no seed, they did not find things of one shape, or `S` is another one.
pub fn over_seeds<F: Serialize, S: DeserializeOwned>(of_seeds: &[F]) -> S {
    let values = of_seeds.iter().map(serde_json::to_value);
    let values: Vec<Value> = values.collect::<Result<_, _>>().expect("what a seed found");
    let together = together(&values.iter().collect::<Vec<_>>());
    serde_json::from_value(together).expect("spreads where the seeds have numbers")
}

fn together(values: &[&Value]) -> Value {
    match values[0] {
        Value::Object(entries) => {
            let entry = |name: &String| (name.clone(), inside(values, |value| value.get(name)));
            Value::Object(entries.keys().map(entry).collect::<Map<_, _>>())
        }
        Value::Array(entries) => {
            (0..entries.len()).map(|i| inside(values, |value| value.get(i))).collect()
        }
        Value::Number(number) if number.is_f64() => {
            let numbers = values.iter().map(|value| value.as_f64().unwrap_or(f64::NAN));
            serde_json::to_value(Spread::of(numbers)).expect("numbers")
        }
        other => other.clone(),
    }
}

fn inside<'v>(values: &[&'v Value], place: impl Fn(&'v Value) -> Option<&'v Value>) -> Value {
    let there: Option<Vec<&Value>> = values.iter().map(|value| place(value)).collect();
    together(&there.expect("all seeds found things of one shape"))
}
