//! The answers of `questions.md`, computed.

use recommendation::rulers::Ruler;
use shared::{Float, Vector, rng};
use tests::questions::{answers, option};

#[test]
fn answers_are_those_computed() {
    let q = Vector::from_column_slice(&[1.0, 1.0]);
    let history = [[0.0, 1.0], [2.0, 0.0], [1.0, 1.0]].map(|k| Vector::from_column_slice(&k));
    let u: Vector = history.iter().map(|k| k * q.dot(k)).sum();
    let bowl = q.dot(&u);

    let scores: Vec<Float> = (0..1000).map(|place| -(place as Float)).collect();
    let rng = &mut rng(0);
    let mut hit = |ruler: Ruler| ruler.rank(&scores, 24, &[], rng).hit(10);
    let full = hit(Ruler::Full);
    let sampled = (0..1000).map(|_| hit(Ruler::Uniform(100))).sum::<f64>() / 1000.0;
    let is = [sampled == 0.0, sampled > 0.99, (0.05..0.2).contains(&sampled)];
    assert_eq!(full, 0.0);
    let right = [("13a", bowl.to_string()), ("13b", option(is))];
    answers(env!("CARGO_MANIFEST_DIR"), &right);
}
