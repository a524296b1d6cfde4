//! Parameters and their names.

use shared::{Matrix, Module, Param};

#[test]
fn names_are_dotted_paths() {
    let mut parts =
        vec![vec![Param::new(Matrix::zeros(1, 2))], vec![], vec![Param::new(Matrix::zeros(3, 1))]];
    assert_eq!(parts.parameter_names(), ["0.0", "2.0"]);
    assert_eq!(parts.parameter_count(), 5);
}

#[test]
fn a_clone_is_another_parameter() {
    let a = Param::new(Matrix::zeros(1, 1));
    assert_ne!(a.id(), a.clone().id());
}
