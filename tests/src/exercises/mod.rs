//! The runner behind every chapter's exercises.
//!
//! An exercise is one file of its chapter's `tests/exercises/`: the check, and the wrong answers that the check must
//! reject. What is asked, its number and its difficulty stand in the heading of the gap ([`tasks`]). One program a
//! chapter runs every check
//! - on the solution, `solutions::…`, strictly: an open one is a failure;
//! - on all wrong answers, `mistakes::…`: each must be rejected, and recognised. A check that accepts one
//!   fails; so the check itself is tested;
//! - on the learner's attempt, from the chapter's `exercises/`: one that reaches `todo!()` is *open*
//!   and reported as ignored, any other passes or fails. These come last, where one looks, in the
//!   page's order.
//!
//! The first two, the course's own check, are one line unless they are asked for, by `solutions::`,
//! `mistakes::`, `--exact` or `--show-output`: the names of wrong answers give away what to look out for.
//!
//! A chapter's last exercise may be a *capstone* ([`Suite::capstone`]): nothing is left to write, the
//! answers to other exercises are the system. It is ignored until these are solved.
//!
//! A check is an ordinary function that panics ([`assert!`], [`assert_close!`](crate::assert_close),
//! [`expect`](crate::expect)). That of an attempt runs in a process of its own, so that neither an endless loop, a
//! stack overflow nor an `exit` takes the others with it.
//!
//! A typical mistake is written once, in the catalogue, with the hint that a learner reads who makes it: when an
//! attempt fails, the runner tries the catalogue's wrong answers on the same inputs. The first that fails at the
//! same comparison with the same value, or with the same message, gives its hint. So a check is no more than
//! inputs, the right answer to them, and a tolerance; and inputs that cannot distinguish two wrong answers with different
//! hints apart are a failure of `mistakes::…`.
//!
//! `tests/exercises/mean.rs` of a chapter, and `tests/exercises/main.rs`, cut to one exercise:
//! ```no_run
//! mod mean {
//!     use super::solutions;
//!     use tests::exercises::{Exercise, wrong};
//!     use tests::expect;
//!
//!     type Mean = fn(&[f32]) -> f32;
//!
//!     pub const EXERCISE: Exercise<Mean> = Exercise {
//!         check,
//!         wrong: &[
//!             wrong("a sum: divide by the number of entries", |x| x.iter().sum()),
//!             wrong("an entry: add all, and divide", |x| x[0]),
//!         ],
//!     };
//!
//!     fn check(mean: Mean) {
//!         for x in [[1.0, 2.0, 6.0], [-1e6, 0.5, 1e6]] {
//!             expect(mean(&x), solutions::mean(&x), 1e-6).of("mean(x)").given("x", x).check();
//!         }
//!     }
//! }
//! # mod attempts { pub fn mean(x: &[f32]) -> f32 { todo!() } }
//! # mod solutions { pub fn mean(x: &[f32]) -> f32 { x.iter().sum::<f32>() / x.len() as f32 } }
//!
//! fn main() -> std::process::ExitCode {
//!     tests::exercises::Suite::new(env!("CARGO_MANIFEST_DIR"))
//!         .exercise(mean::EXERCISE, attempts::mean, solutions::mean)
//!         .run()
//! }
//! ```
//! A chapter writes its list with [`suite!`](crate::suite). Its library has the checks too, behind the feature
//! `exercises`: so a notebook judges answers in its cells ([`judge!`](crate::judge)).

mod answers;
mod attempt;
mod judge;
mod notebook;
mod panics;
mod progress;
mod suite;
mod task;

pub use answers::{check_answers, must_learn, with};
pub use attempt::attempted;
pub use judge::{Outcome, show};
pub use notebook::verdict;
pub use progress::{course, is_solved, record};
pub use suite::Suite;
pub use task::{Task, slug, tasks, tasks_of_all, written};

/// One exercise of a chapter.
///
/// `F` is what the learner writes: as a rule a pointer to a function, `fn(&Vector) -> Vector`; for
/// several functions that belong together a struct of such pointers.
#[derive(Clone, Copy)]
pub struct Exercise<F: 'static> {
    /// Panics when the answer is wrong. It may call it as often as it likes.
    pub check: fn(F),
    /// Typical wrong answers, at least one; where a bug is to be spotted, one is [`bug`].
    pub wrong: &'static [Wrong<F>],
}

/// A typical wrong answer, which the check must reject.
#[derive(Clone, Copy)]
pub struct Wrong<F: 'static> {
    /// The hint for this answer; of one without a hint, what it does.
    pub text: &'static str,
    kind: Kind,
    /// Stands where the learner's answer would.
    pub answer: F,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Hinted,
    Unhinted,
    Original,
}

/// A typical wrong answer: the sentence that a learner who gives it reads, and the answer.
pub const fn wrong<F: Copy>(hint: &'static str, answer: F) -> Wrong<F> {
    Wrong { text: hint, kind: Kind::Hinted, answer }
}

/// The same of a function with a bug to be spotted, as it was given.
pub const fn bug<F: Copy>(hint: &'static str, answer: F) -> Wrong<F> {
    Wrong { text: hint, kind: Kind::Original, answer }
}

/// A wrong answer without a hint, since the check's own message says it all.
pub const fn unhinted<F: Copy>(what: &'static str, answer: F) -> Wrong<F> {
    Wrong { text: what, kind: Kind::Unhinted, answer }
}

/// A chapter's exercises in the order of their numbers, each by the name of its function, which is that of the file
/// of its check too; a capstone follows them. `; within 60 seconds` limits an attempt's check. What it makes is the
/// test program's `main`, and what [`judge!`](crate::judge) needs in a notebook.
#[macro_export]
macro_rules! suite {
    ($($name:ident),+ $(; within $seconds:literal seconds)?) => {
        /// The chapter's folder.
        pub const CHAPTER: &str = env!("CARGO_MANIFEST_DIR");
        pub use $crate::judge;

        pub fn main() -> std::process::ExitCode {
            $crate::exercises::Suite::new(CHAPTER)
                $(.time_limit(std::time::Duration::from_secs($seconds)))?
                $(.exercise($name::EXERCISE, attempts::$name, solutions::$name))+
                .capstone(capstone::EXERCISE, capstone::NEEDS, capstone::ATTEMPTS, capstone::SOLVED)
                .run()
        }
    };
}
