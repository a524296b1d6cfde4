//! The exercise runner on a toy chapter: what a learner reads on a fresh clone, on the way, and at
//! the end; and that a mistake which the suite accepts is found out.
//!
//! The runner owns its process (arguments, panic hook, exit code). So this program starts itself
//! again as the toy chapter's three test programs, selected by the variable `TOY`, and reads what
//! they print.

#[path = "07_toy/exercises/mod.rs"]
mod exercises;
#[path = "07_toy/solutions/mod.rs"]
mod solutions;
#[path = "07_toy/suite/mod.rs"]
mod suite;
#[path = "07_toy/exercises/wrong.rs"]
mod wrong;

use std::process::{Command, ExitCode};

use libtest_mimic::{Arguments, Failed, Trial};
use suite::{Table, suite};
use tests::exercises::{Exercise, Kind, Mistake};

macro_rules! table {
    ($answers:ident) => {
        Table {
            mean: $answers::mean,
            softmax: $answers::softmax,
            gradient: $answers::gradient,
            rotated: $answers::rotated,
            power_of_two: $answers::power_of_two,
        }
    };
}

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/07_toy");

fn main() -> ExitCode {
    match std::env::var("TOY").as_deref() {
        Ok("fresh") => suite(FOLDER).run_exercises(table!(exercises)),
        Ok("wrong") => suite(FOLDER).run_exercises(table!(wrong)),
        Ok("half") => suite(FOLDER).run_exercises(Table {
            mean: solutions::mean,
            rotated: solutions::rotated,
            ..table!(exercises)
        }),
        Ok("solved") => suite(FOLDER).run_exercises(table!(solutions)),
        Ok("solutions") => suite(FOLDER).run_solutions(table!(solutions)),
        Ok("missing") => {
            suite(FOLDER).run_solutions(Table { softmax: exercises::softmax, ..table!(solutions) })
        }
        Ok("mistakes") => suite(FOLDER).run_mistakes(table!(solutions)),
        Ok("weak") => suite(FOLDER).exercise(weak()).run_mistakes(table!(solutions)),
        Ok(toy) => panic!("no toy is named {toy}"),
        Err(_) => {
            let tests: [(&str, fn()); 10] = [
                ("a_fresh_clone_is_green", a_fresh_clone_is_green),
                ("solved_exercises_are_counted", solved_exercises_are_counted),
                ("wrong_attempts_fail_with_help", wrong_attempts_fail_with_help),
                ("filters_and_listing", filters_and_listing),
                ("machine_readable_output_stays_so", machine_readable_output_stays_so),
                ("solutions_are_strict", solutions_are_strict),
                ("mistakes_are_rejected", mistakes_are_rejected),
                ("an_accepted_mistake_is_a_failure", an_accepted_mistake_is_a_failure),
                ("an_incomplete_catalogue_is_a_failure", an_incomplete_catalogue_is_a_failure),
                ("rejections_can_be_read", rejections_can_be_read),
            ];
            let trial = |(name, test): (&str, fn())| {
                Trial::test(name, move || {
                    test();
                    Ok::<(), Failed>(())
                })
            };
            libtest_mimic::run(&Arguments::from_args(), tests.map(trial).into()).exit_code()
        }
    }
}

/// An exercise with a check that hardly looks, in the wrong place, and a catalogue full of errors.
fn weak() -> Exercise<Table> {
    Exercise {
        number: 9,
        title: "never checked",
        kind: Kind::SpotTheBug,
        difficulty: 4,
        minutes: 1,
        check: suite::weak,
        mistakes: &[
            Mistake { name: "slips through", hint: "", apply: |table| table.power_of_two = |_| 4 },
            Mistake {
                name: "other hint",
                hint: "another message",
                apply: |table| table.power_of_two = |_| 0,
            },
            Mistake {
                name: "open",
                hint: "",
                apply: |table| table.power_of_two = exercises::power_of_two,
            },
            Mistake { name: "Open!", hint: "", apply: |table| table.power_of_two = |n| n },
        ],
    }
}

struct Run {
    output: String,
    errors: String,
    passed: bool,
}

impl Run {
    fn of(toy: &str, arguments: &[&str]) -> Run {
        let program = std::env::current_exe().expect("this program's path");
        let output = Command::new(program)
            .env("TOY", toy)
            .args(arguments)
            .output()
            .expect("this program starts");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        Run {
            output: text(output.stdout),
            errors: text(output.stderr),
            passed: output.status.code() == Some(0),
        }
    }

    #[track_caller]
    fn shows(&self, text: &str) -> &Run {
        assert!(self.output.contains(text), "no {text:?} in\n{}{}", self.output, self.errors);
        self
    }

    #[track_caller]
    fn hides(&self, text: &str) -> &Run {
        assert!(!self.output.contains(text), "{text:?} in\n{}", self.output);
        self
    }

    #[track_caller]
    fn ends(&self, passed: bool) -> &Run {
        assert!(self.passed == passed, "passed: {}\n{}{}", self.passed, self.output, self.errors);
        assert!(self.errors.is_empty(), "standard error: {}", self.errors);
        self
    }
}

fn a_fresh_clone_is_green() {
    let run = Run::of("fresh", &[]);
    run.ends(true)
        .shows("7.1_mean_of_each_column")
        .shows("ignored (TODO 7.1 mean of each column – difficulty ●○○, about 1 minute)")
        .shows("ignored (TODO 7.2 softmax – difficulty ●●○, about 15 minutes)")
        .shows("ignored (TODO 7.3 gradient of ½‖Wx‖² – difficulty ●●●, about 10 minutes)")
        .shows("ignored (TODO 7.4 a shift that loses the first entry – difficulty ●○○, about 5 minutes)")
        .shows("test result: ok. 0 passed; 0 failed; 5 ignored")
        .hides("panicked");
    assert!(run.output.trim_end().ends_with("\n0 of 5 solved"), "{}", run.output);
    let places: Vec<_> =
        (1..=5).map(|number| run.output.find(&format!("TODO 7.{number}")).unwrap()).collect();
    assert!(places.is_sorted(), "out of order:\n{}", run.output);
}

fn solved_exercises_are_counted() {
    let run = Run::of("half", &[]);
    run.ends(true)
        .shows("test result: ok. 2 passed; 0 failed; 3 ignored")
        .shows("\n2 of 5 solved\n")
        .hides("TODO 7.1");
    Run::of("solved", &["--test-threads", "2"])
        .ends(true)
        .shows("5 passed")
        .shows("\n5 of 5 solved\n")
        .hides("TODO");
}

fn wrong_attempts_fail_with_help() {
    let run = Run::of("wrong", &[]);
    run.ends(false)
        .shows("test result: FAILED. 0 passed; 5 failed; 0 ignored")
        .shows("\n0 of 5 solved\n")
        // The learner's own panic: message and place.
        .shows("your code panicked at tests/07_toy/exercises/wrong.rs:8:")
        .shows("\n    index out of bounds: the len is 6 but the index is 6\n")
        // A typical mistake: the call, the worst entry, the input, the hint, and where it was
        // checked.
        .shows("softmax(scores): 2 of 4 entries differ (2 × 2); worst at row 0, column 1: 0.5 instead of 0.25 (off by 0.25, allowed 1.25e-6)")
        .shows("\nactual\n     0.5   0.5*\n    0.25* 0.75\nexpected\n    0.5  0.25\n    0.5  0.75\n")
        .shows("\ngiven scores\n    0       0\n    0  1.0986\nhint: these are softmaxes over rows")
        .shows("\n(checked at tests/07_toy/suite/mod.rs:")
        // Raised inside nalgebra, told with the learner's line.
        .shows("your code panicked at tests/07_toy/exercises/wrong.rs:18:")
        .shows(", inside nalgebra-")
        // Raised on another thread.
        .shows("your code panicked at tests/07_toy/exercises/wrong.rs:24:")
        .shows("\n    index out of bounds: the len is 3 but the index is 3\n")
        .shows("no answer after 2 seconds: is there an endless loop?");
}

fn filters_and_listing() {
    let run = Run::of("half", &["7.1"]);
    run.ends(true).shows("1 passed").shows("\n1 of 1 solved (4 not run)\n");
    Run::of("half", &["no_such_test"]).ends(true).shows("5 filtered out").hides("solved");
    Run::of("half", &["--exact", "7.2_softmax", "--nocapture"])
        .ends(true)
        .shows("\n0 of 1 solved (4 not run)\n");
    Run::of("wrong", &["--skip", "7."]).ends(true).hides("solved");
    let run = Run::of("wrong", &["--list", "--format", "terse"]);
    run.ends(true);
    let names = "7.1_mean_of_each_column 7.2_softmax 7.3_gradient_of_½_wx_² 7.4_a_shift_that_loses_the_first_entry 7.5_smallest_power_of_two";
    let lines: String = names.split(' ').map(|name| format!("{name}: test\n")).collect();
    assert_eq!(run.output, lines);
    let run = Run::of("wrong", &["--list", "--format", "terse", "--ignored"]); // as nextest asks
    assert_eq!(run.ends(true).output, "");
}

fn machine_readable_output_stays_so() {
    let run = Run::of("half", &["--format", "json"]);
    run.ends(true).hides("solved");
    for line in run.output.lines() {
        assert!(line.starts_with('{') && line.ends_with('}'), "{line}");
    }
}

fn solutions_are_strict() {
    Run::of("solutions", &[])
        .ends(true)
        .shows("test result: ok. 5 passed; 0 failed; 0 ignored")
        .hides("solved");
    Run::of("missing", &[])
        .ends(false)
        .shows("test result: FAILED. 4 passed; 1 failed; 0 ignored")
        .shows("---- 7.2_softmax ----\nthe solution is missing: not yet implemented\n");
}

fn mistakes_are_rejected() {
    let run = Run::of("mistakes", &[]);
    run.ends(true)
        .shows("test result: ok. 10 passed; 0 failed; 0 ignored")
        .shows("test 7.2_softmax::over_rows")
        .shows("test 7.4_a_shift_that_loses_the_first_entry::the_original_bug");
    Run::of("mistakes", &["7.2"]).ends(true).shows("3 passed");
}

fn an_accepted_mistake_is_a_failure() {
    let run = Run::of("weak", &["never_checked"]);
    run.ends(false)
        .shows("test result: FAILED. 1 passed; 3 failed")
        .shows("accepted: for the suite “slips through” is a solution of 7.9 never checked")
        .shows("rejected, but without the hint “another message”:\na message\n(checked at ")
        .shows("neither right nor wrong: not implemented");
}

fn an_incomplete_catalogue_is_a_failure() {
    let run = Run::of("weak", &["catalogue"]);
    run.ends(false)
        .shows("7.9 never checked – difficulty ●●●, about 1 minute: it stands in place 6\n")
        .shows("exercises/mod.rs has no comment with this very heading\n")
        .shows("difficulty is 1 to 3")
        .shows("no mistake is named “the original bug”\n")
        .shows("two mistakes are named “Open!”\n");
}

fn rejections_can_be_read() {
    let run = Run::of("mistakes", &["--show-output"]);
    run.ends(true)
        .shows("---- 7.1_mean_of_each_column::constant ----\nmean(x): 3 of 3 entries differ (1 × 3); worst at row 0, column 2: 0 instead of 8")
        .shows("\n    3  5  8\n(checked at tests/07_toy/suite/mod.rs:") // where `assert_close!` stands
        .shows("---- 7.2_softmax::over_rows ----\nsoftmax(scores): 2 of 4 entries differ")
        .shows("must sum to 1\n");
    Run::of("mistakes", &[]).ends(true).hides("must sum to 1");
}
