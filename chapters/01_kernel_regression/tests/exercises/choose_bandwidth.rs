//! 1.4 spot the bug: always the smallest

use super::solutions;
use super::support::means;
use kernel_regression::{Float, Kernel, leave_one_out, mean_squared_error, nadaraya_watson};
use tests::exercises::{Exercise, bug, wrong};

pub type ChooseBandwidth = fn(&[Float], &[Float], &[Float]) -> Float;

pub const EXERCISE: Exercise<ChooseBandwidth> = Exercise {
    check,
    wrong: &[
        bug("each point that sees itself is predicted almost without error", |k, y, among| {
            best_of(among, y, |h| nadaraya_watson(k, k, y, Kernel::Gaussian, h))
        }),
        wrong("without the own weight, the others must again sum to 1", |k, y, among| {
            best_of(among, y, |h| {
                means(&solutions::attention_weights(k, k, h), y, |all, own, y| all - own * y)
            })
        }),
        wrong(
            "the error may fall again after it has risen: compare all candidates",
            |k, y, among| {
                let error = |h| mean_squared_error(&left_out(k, y, h), y);
                let falls = among.windows(2).take_while(|pair| error(pair[1]) < error(pair[0]));
                among[falls.count()]
            },
        ),
        wrong(
            "another measurement at the same key is a point of its own: leave out one, by index",
            |k, y, among| {
                let predict = |key: &Float, h| {
                    let others = k.iter().zip(y).filter(|(other, _)| *other != key);
                    let (k, y): (Vec<Float>, Vec<Float>) = others.unzip();
                    nadaraya_watson(&[*key], &k, &y, Kernel::Gaussian, h)[0]
                };
                best_of(among, y, |h| k.iter().map(|key| predict(key, h)).collect())
            },
        ),
        wrong("CV(h) is a mean of squared errors", |k, y, among| {
            let root = |(found, y): (Float, &Float)| y + (found - y).abs().sqrt();
            best_of(among, y, |h| left_out(k, y, h).into_iter().zip(y).map(root).collect())
        }),
    ],
};

/// A straight line with noise of alternating sign: too narrow a bandwidth repeats the noise, too wide
/// a one forgets the slope. Then two sets of few points, found by a search for such as each of the
/// wrong answers misjudges: keys that are equal, keys in disorder, and an error with two valleys.
fn check(choose_bandwidth: ChooseBandwidth) {
    let line: Vec<Float> = (0..20).map(|i| i as Float).collect();
    let noisy: Vec<Float> =
        line.iter().map(|x| 100.0 + x / 2.0 + if x % 2.0 == 0.0 { 1.0 } else { -1.0 }).collect();
    let equal = [0.0, 0.0, 1.0, 2.0, 2.5, 3.0, 4.0, 6.0, 6.5];
    let disorder = [0.5, 2.0, 3.0, 3.5, 4.5, 9.5, 2.0, 8.5, 6.0];
    let problems: [[&[Float]; 3]; 4] = [
        [&line, &noisy, &[0.01, 1.5, 50.0]],
        [&line, &noisy, &[30.0, 0.2, 1.2]],
        [&equal, &[-2.0, 0.0, 3.0, 3.0, 7.0, 2.0, -1.0, 3.0, 6.0], &[1.5, 0.4, 3.0, 0.75, 6.0]],
        [&disorder, &[6.0, 2.0, 3.0, 3.0, 1.0, 5.0, 2.0, -1.0, 3.0], &[0.2, 5.0, 1.0]],
    ];
    let chosen = |f: ChooseBandwidth| problems.map(|[keys, values, among]| f(keys, values, among));
    let (found, right) = (chosen(choose_bandwidth), chosen(solutions::choose_bandwidth));
    if let Some(i) = (0..4).find(|i| found[*i] != right[*i]) {
        let [keys, values, candidates] = problems[i];
        panic!(
            "of four problems, choose_bandwidth(keys, values, candidates) is {found:?} instead of {right:?}\n\
             the first that differs: candidates {candidates:?}\nkeys {keys:?}\nvalues {values:?}"
        );
    }
}

fn best_of(among: &[Float], y: &[Float], predict: impl Fn(Float) -> Vec<Float>) -> Float {
    let error = |h: &Float| mean_squared_error(&predict(*h), y);
    among.iter().copied().min_by(|a, b| error(a).total_cmp(&error(b))).expect("candidates")
}

fn left_out(keys: &[Float], values: &[Float], h: Float) -> Vec<Float> {
    leave_one_out(keys, values, Kernel::Gaussian, h)
}
