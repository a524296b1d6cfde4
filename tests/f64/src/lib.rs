//! Gradient checks in double precision: see the files under `tests/`.

use shared::{Matrix, Module, Param, Tape, Var};
use tests::assert_close;

/// Compares the gradient of a model's loss with central differences, parameter by parameter, entry
/// by entry.
///
/// # Panics
/// When they differ by more than 1e-8, or when the loss hardly depends on a parameter, so that the
/// comparison would say nothing.
pub fn check_parameters<M: Module>(
    mut model: M,
    loss: impl for<'t> Fn(&M, &'t Tape) -> Var<'t>,
    what: &str,
) {
    let tape = Tape::new();
    let gradients = loss(&model, &tape).backward();
    for name in model.parameter_names() {
        let mut start = Matrix::zeros(0, 0);
        let mut analytic = Matrix::zeros(0, 0);
        with(&mut model, &name, |param| {
            start = param.value().clone();
            analytic = gradients.of(param).unwrap_or_else(|| panic!("no gradient: {name}")).clone();
        });
        let mut numeric = Matrix::zeros(start.nrows(), start.ncols());
        let h = f64::EPSILON.cbrt();
        for i in 0..start.len() {
            let mut at = |x| {
                with(&mut model, &name, |param| param.value_mut()[i] = x);
                loss(&model, &Tape::new()).scalar()
            };
            numeric[i] = (at(start[i] + h) - at(start[i] - h)) / (2.0 * h);
            at(start[i]);
        }
        assert!(numeric.amax() > 1e-4, "{what}: {name} has no influence");
        assert_close!(analytic, numeric, 1e-8, "{what}: {name}");
    }
}

fn with(model: &mut impl Module, name: &str, mut f: impl FnMut(&mut Param)) {
    model.for_each_parameter(|other, param| {
        if other == name {
            f(param);
        }
    });
}
