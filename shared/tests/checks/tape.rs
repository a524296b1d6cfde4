//! What backward does, and what it refuses.

use shared::{Matrix, Param, Tape};

#[test]
fn a_value_used_twice_receives_both_shares() {
    let tape = Tape::new();
    let x = tape.leaf(Matrix::from_element(1, 1, 3.0));
    let y = x * x + x; // dy/dx = 2x + 1
    assert_eq!(y.backward().wrt(x)[(0, 0)], 7.0);
}

#[test]
fn constants_cost_nothing_and_have_no_gradient() {
    let tape = Tape::new();
    let (c, x) = (tape.constant(Matrix::identity(2, 2)), tape.leaf(Matrix::identity(2, 2)));
    let loss = (c * x).sum();
    let gradients = loss.backward();
    assert!(!gradients.needs(c.id()) && gradients.needs(x.id()));
    assert_eq!(gradients.wrt(x), Matrix::from_element(2, 2, 1.0));
}

#[test]
fn a_leaf_the_loss_does_not_depend_on_has_zero_gradient() {
    let tape = Tape::new();
    let (x, y) = (tape.leaf(Matrix::identity(2, 2)), tape.leaf(Matrix::identity(2, 2)));
    assert_eq!(x.sum().backward().wrt(y), Matrix::zeros(2, 2));
}

#[test]
fn a_parameter_used_twice_is_complete_after_its_first_use_only() {
    let param = |x| Param::new(Matrix::from_element(1, 1, x));
    let (tied, other) = (param(3.0), param(5.0));
    let tape = Tape::new();
    let h = tape.param(&tied) * tape.param(&other);
    let loss = h * tape.param(&tied); // tied²·other
    let mut complete = Vec::new();
    loss.backward_into(|id, d| complete.push((id, d[0])));
    assert_eq!(complete, [(other.id(), 9.0), (tied.id(), 30.0)]);
}

#[test]
#[should_panic(expected = "backward() has passed")]
fn values_are_freed_by_backward() {
    let tape = Tape::new();
    let x = tape.leaf(Matrix::identity(1, 1));
    x.sum().backward();
    x.value();
}

#[test]
#[should_panic(expected = "this tape is freed")]
fn a_spent_tape_is_not_written_on() {
    let tape = Tape::new();
    tape.leaf(Matrix::identity(1, 1)).sum().backward();
    tape.leaf(Matrix::identity(1, 1));
}

#[test]
#[should_panic(expected = "different tapes")]
fn operands_of_different_tapes_are_refused() {
    let (one, other) = (Tape::new(), Tape::new());
    let _ = one.leaf(Matrix::identity(1, 1)) * other.leaf(Matrix::identity(1, 1));
}

#[test]
#[should_panic(expected = "only leaves keep their gradient")]
fn the_gradient_of_a_value_in_between_is_not_kept() {
    let tape = Tape::new();
    let y = tape.leaf(Matrix::identity(1, 1)).square();
    y.sum().backward().wrt(y);
}

#[test]
#[should_panic(expected = "1 × 1 loss")]
fn backward_starts_from_a_scalar() {
    let tape = Tape::new();
    let _ = tape.leaf(Matrix::identity(2, 2)).backward();
}
