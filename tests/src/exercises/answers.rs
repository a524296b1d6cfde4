//! Answers to numbered questions.

use std::fmt::{Debug, from_fn};

use super::show;

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

/// Shows what the reader's parts have learnt, and what ours, which are trained only where this is shown.
pub fn must_learn<T>(
    has_learnt: bool,
    yours: T,
    ours: impl Fn() -> T,
    told: impl Fn(&T) -> String,
) {
    let yours = told(&yours);
    show(from_fn(|f| write!(f, "\nours:  {}\nyours: {yours}", told(&ours()))));
    assert!(has_learnt, "{yours}\nhint: do the tests of all parts pass?");
}

/// The answers that a capstone is made of, after the numbers of their exercises: the struct `Parts` of functions,
/// its values `ATTEMPTS` and `SOLVED`, and the numbers, `NEEDS`. With `= [wrong answers]` after types also the capstone
/// itself, `EXERCISE`, of the function `check`: each wrong answer among right ones is to be rejected.
#[macro_export]
macro_rules! parts {
    ($($number:literal $name:ident: $type:ty),* $(,)?) => {
        #[derive(Clone, Copy)]
        pub struct Parts {
            $(pub $name: $type),*
        }
        pub const NEEDS: &[u32] = &[$($number),*];
        pub const ATTEMPTS: Parts = Parts { $($name: super::attempts::$name),* };
        pub const SOLVED: Parts = Parts { $($name: super::solutions::$name),* };
    };
    ($($number:literal $name:ident: $type:ty $(= [$($wrong:expr),*])?),* $(,)?) => {
        $crate::parts! { $($number $name: $type),* }
        pub const EXERCISE: $crate::exercises::Exercise<Parts> = $crate::exercises::Exercise {
            check,
            wrong: &[$($($($crate::exercises::unhinted(stringify!($name), Parts { $name: $wrong, ..SOLVED }),)*)?)*],
        };
    };
}
