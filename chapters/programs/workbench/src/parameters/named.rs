//! A model's parameters, taken out and put back.

use shared::{Matrix, Module, ParamId};
use std::sync::Arc;

/// A parameter as files know it. The value is shared, not copied.
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) id: ParamId,
    pub(crate) value: Arc<Matrix>,
}

/// All parameters of a model, in the order of the visit.
pub(crate) fn parameters(model: &mut impl Module) -> Vec<Named> {
    let mut all = Vec::new();
    model.for_each_parameter(|name, param| {
        all.push(Named { name: name.to_owned(), id: param.id(), value: param.shared_value() });
    });
    all
}

/// Gives every parameter its value, in the order of the visit.
pub(crate) fn assign(model: &mut impl Module, values: Vec<Matrix>) {
    let mut values = values.into_iter();
    model.for_each_parameter(|_, param| {
        *param.value_mut() = values.next().expect("a value for each parameter");
    });
}
