//! The answers of `questions.md`, computed.

use full_circle::{Estimator, LocalLine, Memory, Update};
use shared::{Matrix, Vector};
use tests::questions::answers;

fn row(x: &[f32]) -> Matrix {
    Matrix::from_row_slice(1, x.len(), x)
}

/// The same with a narrow and with a wide bandwidth.
fn eleven() -> f32 {
    let of = |bandwidth| {
        LocalLine { bandwidth }.answer(&row(&[11.0]), &row(&[9.0, 10.0]), &row(&[14.0, 17.0]))[0]
    };
    assert!((of(0.7) - of(5.0)).abs() < 1e-3);
    of(5.0)
}

/// The entries of a memory after some tokens.
fn kept() -> usize {
    let mut memory = Memory::new(64, 64, Update::Delta(0.5));
    let x = Vector::from_element(64, 0.1);
    (0..5).for_each(|_| memory.write(&x, &x));
    memory.state.len()
}

fn written_twice() -> f32 {
    let mut memory = Memory::new(2, 1, Update::Delta(1.0));
    let key = Vector::from_vec(vec![0.6, 0.8]);
    for value in [5.0, 3.0] {
        memory.write(&key, &Vector::from_element(1, value));
    }
    memory.read(&key)[0]
}

#[test]
fn answers_are_those_computed() {
    let right = [
        ("17a", format!("{:.0}", eleven())),
        ("17b", kept().to_string()),
        ("17c", format!("{:.0}", written_twice())),
    ];
    answers(env!("CARGO_MANIFEST_DIR"), &right);
}
