//! Chapter 17: chapter 1's points under eight estimators.

use full_circle::Kind;
use shared::Float;

/// An estimator's number, its parameter, a query, how many places, the places, keys, as many values → the answer to the
/// query, the answers at the places, what each value counts for the query.
pub fn estimate(numbers: &[Float]) -> Vec<Float> {
    let [kind, parameter, query, count, rest @ ..] = numbers else { panic!("too few numbers") };
    let (places, points) = rest.split_at(*count as usize);
    let (keys, values) = points.split_at(points.len() / 2);
    let kind = Kind::ALL[*kind as usize];
    let answers = kind.curve(*parameter, &[&[*query], places].concat(), keys, values);
    [answers, kind.weights(*parameter, &[*query], keys).as_slice().to_vec()].concat()
}

/// Keys, as many values → for each estimator the parameter that leave-one-out chooses.
pub fn chosen(points: &[Float]) -> Vec<Float> {
    let (keys, values) = points.split_at(points.len() / 2);
    Kind::ALL.iter().map(|kind| kind.leave_one_out(keys, values).0).collect()
}
