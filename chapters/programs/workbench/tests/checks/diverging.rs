//! A number that is none stops a run before it does harm, and says what came before.

use crate::plain::Plain;
use crate::toy::{Toy, Wave, options};
use shared::{Float, Matrix, Param, Sgd, Tape, Var};
use workbench::training::{Method, Options, Schedule, train};

#[test]
fn a_number_that_is_none_stops_before_the_parameters_are_touched() {
    // Example 3 spoils its batch. Up to there, the run is as if nothing was wrong.
    for (factor, what) in [(Float::NAN, "the loss is NaN"), (Float::INFINITY, "the loss is inf")] {
        let wave = Wave { spoil: Some((3, factor)), ..Wave::default() };
        let mut toy = Toy::new(1);
        let error = train(&wave, &mut toy, &options(2)).unwrap_err().to_string();
        assert!(error.starts_with("epoch 1, step ") && error.contains(what), "{error}");
        assert!(error.contains("Try a smaller learning rate (now 0.0"), "{error}");
        assert!(toy.bits().iter().all(|bits| f64::from_bits(*bits).is_finite()));
    }
}

#[test]
fn a_gradient_without_end_is_told_with_the_last_good_numbers() {
    /// √w has a finite value and an infinite slope at 0, where the second step begins.
    fn root<'t>(w: &Param, tape: &'t Tape, _: &[usize]) -> Var<'t> {
        let w = tape.param(w);
        let value = w.value();
        tape.push([w], value.map(Float::sqrt), move |dy, [w_id], gradients| {
            gradients.add(w_id, dy.zip_map(&value, |dy, w| dy * 0.5 / w.sqrt()));
        })
    }
    let task = Plain { batches: vec![vec![0], vec![0]], loss: root };
    let schedule = Schedule::constant(2.0);
    let (method, clip) = (Method::new(Sgd { learning_rate: 0.0 }), None);
    let options = Options { epochs: 1, schedule, method, clip, ..Options::default() };
    let mut w = Param::new(Matrix::from_element(1, 1, 1.0)); // the first step is 2·½
    let error = train(&task, &mut w, &options).unwrap_err().to_string();
    let expected = "epoch 1, step 2: the gradient's norm is inf; the step before, the loss was \
        1.0000 and the gradient's norm 0.5000. Try a smaller learning rate (now 2) or clip \
        gradients at a smaller norm (now off)";
    assert_eq!(error, expected);
    assert_eq!(w.value()[0], 0.0);
}

#[test]
fn an_evaluation_that_is_no_number_is_told() {
    let wave = Wave { evaluations: vec![Some(1.0), Some(f64::NAN)], ..Wave::default() };
    let error = train(&wave, &mut Toy::new(1), &options(4)).unwrap_err().to_string();
    assert!(
        error.starts_with("epoch 2, after its last step: in the evaluation, loss is NaN"),
        "{error}"
    );
}
