//! Answers to numbered questions.

use std::fmt::Debug;

use crate::close::{Entries, expect};

/// Compares answers to numbered questions; each wrong one is shown with its hint.
#[track_caller]
pub fn check_answers<A: PartialEq + Debug, const N: usize>(
    found: [A; N],
    right: [A; N],
    hints: [&str; N],
) {
    let mut wrong = String::new();
    for (i, ((found, right), hint)) in found.iter().zip(&right).zip(hints).enumerate() {
        if found != right {
            wrong += &format!("{i}: you say {found:?}\nhint: {hint}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// The right answers with one of them exchanged.
pub fn with<A, const N: usize>(mut answers: [A; N], place: usize, answer: A) -> [A; N] {
    answers[place] = answer;
    answers
}

/// One by one, the parts of a capstone say what the solutions say: many a wrong part learns all the same.
pub fn must_agree<P: Copy, V: Entries>(
    yours: P,
    ours: P,
    tolerance: f64,
    told: impl Fn(P) -> Vec<(&'static str, V)>,
) {
    for ((name, yours), (_, ours)) in told(yours).into_iter().zip(told(ours)) {
        expect(yours, ours, tolerance).of(format!("your {name}, beside ours")).check();
    }
}

/// The answers that a capstone is made of, after the numbers of their exercises: the struct `Parts` of functions,
/// its values `ATTEMPTS` and `SOLVED`, and the numbers, `NEEDS`.
#[macro_export]
#[allow(clippy::crate_in_macro_def)] // the attempts and solutions of the chapter that calls it
macro_rules! parts {
    ($($number:literal $name:ident: $type:ty),* $(,)?) => {
        #[derive(Clone, Copy)]
        pub struct Parts {
            $(pub $name: $type),*
        }
        pub const NEEDS: &[u32] = &[$($number),*];
        pub const ATTEMPTS: Parts = Parts { $($name: crate::attempts::$name),* };
        pub const SOLVED: Parts = Parts { $($name: crate::solutions::$name),* };
    };
}
