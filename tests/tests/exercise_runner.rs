//! The exercise runner on a toy chapter: what a learner reads on a fresh clone, on the way, and at
//! the end; that a solution must be there; and that a wrong answer which its check accepts is found
//! out.
//!
//! The runner owns its process (arguments, panic hook, exit code). So this program starts itself
//! again as the toy chapter's test program, with the attempts and solutions that the variable `TOY`
//! selects, and reads what it prints.

#[path = "07_toy/tests/exercises/main.rs"]
mod toy;

use std::path::Path;
use std::process::{Command, ExitCode};

use libtest_mimic::{Arguments, Failed, Trial};
use toy::{Answers, attempts, solutions, suite, wrong};

macro_rules! answers {
    ($module:ident) => {
        Answers {
            mean: $module::mean,
            softmax: $module::softmax,
            gradient: $module::gradient,
            rotated: $module::rotated,
            power_of_two: $module::power_of_two,
        }
    };
}

macro_rules! trials {
    ($($test:ident),*) => {
        vec![$(Trial::test(stringify!($test), || Ok::<(), Failed>($test()))),*]
    };
}

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/07_toy");

fn main() -> ExitCode {
    let (open, right) = (answers!(attempts), answers!(solutions));
    let half = Answers { mean: right.mean, rotated: right.rotated, ..open };
    match std::env::var("TOY").as_deref() {
        Ok("fresh") => suite(FOLDER, open, right).run(),
        Ok("wrong") => suite(FOLDER, answers!(wrong), right).run(),
        Ok("ends") => suite(FOLDER, ends(right), right).run(),
        Ok("half") => suite(FOLDER, half, right).run(),
        Ok("solved") => suite(FOLDER, right, right).run(),
        Ok("missing") => suite(FOLDER, open, Answers { softmax: open.softmax, ..right }).run(),
        Ok("mistaken") => {
            suite(FOLDER, open, Answers { softmax: toy::softmax::over_rows, ..right }).run()
        }
        Ok("weak") => toy::suite_with(toy::weak::EXERCISE, FOLDER, open, right).run(),
        Ok("lost") => tests::exercises::Suite::new(FOLDER).run(),
        Ok(toy) => panic!("no toy is named {toy}"),
        Err(_) => {
            let tests = trials![
                a_fresh_clone_is_green,
                solved_exercises_are_counted,
                wrong_attempts_fail_with_help,
                an_attempt_that_ends_costs_no_other,
                filters_and_listing,
                what_is_solved_is_remembered,
                machine_readable_output_stays_so,
                solutions_are_strict,
                mistakes_are_rejected,
                an_accepted_mistake_is_a_failure,
                an_incomplete_catalogue_is_a_failure,
                rejections_can_be_read,
                a_capstone_opens_when_its_parts_are_solved
            ];
            libtest_mimic::run(&Arguments::from_args(), tests).exit_code()
        }
    }
}

/// Attempts that take the whole program with them, or panic on a thread of their own.
fn ends(right: Answers) -> Answers {
    fn endless(n: u32) -> u32 {
        if n == u32::MAX { 0 } else { endless(std::hint::black_box(n / 2)) + 1 }
    }
    Answers {
        mean: |_| std::process::exit(0),
        gradient: |_, _| std::process::abort(),
        rotated: |_| std::thread::spawn(|| panic!("a thread of its own")).join().unwrap(),
        power_of_two: endless,
        ..right
    }
}

struct Run {
    output: String,
    errors: String,
    passed: bool,
}

impl Run {
    /// A run with a memory of its own.
    fn of(toy: &str, arguments: &[&str]) -> Run {
        let memory = tempfile::tempdir().expect("a place for files");
        Run::after(memory.path(), toy, arguments)
    }

    fn after(memory: &Path, toy: &str, arguments: &[&str]) -> Run {
        let program = std::env::current_exe().expect("this program's path");
        let output = Command::new(program)
            .env("TOY", toy)
            .env("EXERCISES_SOLVED", memory)
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
        .shows("ignored (TODO ●○○ 1 minute)")
        .shows("ignored (TODO ●●○ 15 minutes)")
        .shows("ignored (TODO ●●● 10 minutes)")
        .shows("test the course checks itself (solutions: 6, wrong answers: 9) ... ok")
        .shows("test result: ok. 1 passed; 0 failed; 6 ignored")
        .hides("softmaxes over rows") // the hint of a wrong answer gives away what to look out for
        .hides("panicked");
    let last = "\n0 of 6 solved, 6 open – next: 7.1 mean of each column ●○○ 1 minute
in the course: 0 of 6 solved, about 0 h 37 min left";
    assert!(run.output.trim_end().ends_with(last), "{}", run.output);
    let places =
        [1, 2, 4, 3, 5, 6].map(|number| run.output.find(&format!("\ntest 7.{number}")).unwrap());
    assert!(places.is_sorted(), "not in the page's order:\n{}", run.output);
}

fn solved_exercises_are_counted() {
    let run = Run::of("half", &[]);
    run.ends(true)
        .shows("test result: ok. 3 passed; 0 failed; 4 ignored")
        .shows("\n2 of 6 solved, 4 open – next: 7.2 softmax ●●○ 15 minutes\n")
        .hides("TODO ●○○ 1 minute");
    Run::of("solved", &["--test-threads", "2"])
        .ends(true)
        .shows("7 passed")
        .shows("\n6 of 6 solved\n")
        .hides("TODO");
}

fn wrong_attempts_fail_with_help() {
    let run = Run::of("wrong", &[]);
    run.ends(false)
        .shows("test result: FAILED. 1 passed; 5 failed; 1 ignored")
        .shows("\n0 of 6 solved, 5 wrong, 1 open – next: 7.6 everything together ●○○ 1 minute\n")
        .shows("\n7.2 softmax ●●○ 15 minutes\nsoftmax(scores): 2 of 4")
        // The learner's own panic: message and place.
        .shows("your code panicked at tests/07_toy/exercises/wrong.rs:8:")
        .shows("\n    index out of bounds: the len is 6 but the index is 6\n")
        // A typical mistake: the call, the worst entry, the input, the hint, and where it was
        // checked.
        .shows("softmax(scores): 2 of 4 entries differ (2 × 2); worst at row 0, column 1: 0.5 instead of 0.25 (off by 0.25, allowed 1.25e-6)\nhint: these are softmaxes over rows")
        .shows("\nactual\n     0.5   0.5*\n    0.25* 0.75\nexpected\n    0.5  0.25\n    0.5  0.75\n")
        .shows("\ngiven scores\n    0       0\n    0  1.0986\n(checked at")
        .shows("\n(checked at tests/07_toy/tests/exercises/softmax.rs:")
        // Raised inside nalgebra, shown with the learner's line.
        .shows("your code panicked at tests/07_toy/exercises/wrong.rs:18:")
        .shows(", inside nalgebra-")
        .shows("\nhint: the gradient with respect to x goes back through Wᵀ\n")
        // Raised on another thread.
        .shows("your code panicked at tests/07_toy/exercises/wrong.rs:24:")
        .shows("\n    index out of bounds: the len is 3 but the index is 3\n")
        .shows("no answer after 2 seconds: is there an endless loop?");
}

fn filters_and_listing() {
    let next = "\n1 of 1 solved – next: 7.2 softmax ●●○ 15 minutes (5 not run)\n";
    let run = Run::of("half", &["7.1"]); // the attempt; its solution and its wrong answers
    run.ends(true).shows("2 passed").shows("itself (solutions: 1, wrong answers: 2)").shows(next);
    Run::of("half", &["--exact", "7.1_mean_of_each_column"])
        .ends(true)
        .shows("1 passed")
        .shows(next);
    let run = Run::of("half", &["no_such_test"]);
    run.ends(true).shows("running 0 tests").hides("solved");
    run.shows("no exercise is called “no_such_test”: filter by number, 7.1, or by words");
    Run::of("half", &["--exact", "7.2_softmax", "--nocapture"])
        .ends(true)
        .shows("\n0 of 1 solved, 1 open – next: 7.2 softmax ●●○ 15 minutes (5 not run)\n");
    Run::of("wrong", &["--skip", "7."]).ends(true).hides("solved");
    let run = Run::of("wrong", &["--list", "--format", "terse"]);
    run.ends(true);
    let names = "7.1_mean_of_each_column 7.2_softmax 7.4_a_shift_that_loses_the_first_entry 7.3_gradient_of_½_wx_² 7.5_smallest_power_of_two 7.6_everything_together";
    let [solutions, mistakes, attempts] = ["solutions::", "mistakes::", ""].map(|prefix| {
        let lines = names.split(' ').map(|name| format!("{prefix}{name}: test\n"));
        lines.collect::<String>()
    });
    assert_eq!(run.output, format!("catalogue: test\n{solutions}{mistakes}{attempts}"));
    let run = Run::of("wrong", &["--list", "--format", "terse", "--ignored"]); // as nextest asks
    assert_eq!(run.ends(true).output, "");
}

fn an_attempt_that_ends_costs_no_other() {
    let run = Run::of("ends", &[]);
    assert!(!run.passed);
    run.shows("\n7.1 mean of each column ●○○ 1 minute\nyour code ended the whole program (exit status: 0)")
        .shows("\n7.3 gradient of ½‖Wx‖² ●●● 10 minutes\nyour code ended")
        .shows("\nyour code panicked at tests/tests/exercise_runner.rs:")
        .shows("\n    a thread of its own\n")
        .shows("\n7.5 smallest power of two ●○○ 5 minutes\nyour code ended the whole program (signal: 6")
        .shows("\n1 of 6 solved, 4 wrong, 1 open – next: 7.6 ");
}

fn what_is_solved_is_remembered() {
    let memory = tempfile::tempdir().expect("a place for files");
    let run = |toy, filter| Run::after(memory.path(), toy, &[filter]);
    run("solved", "7.2")
        .shows("next: 7.4")
        .shows("in the course: 1 of 6 solved, about 0 h 22 min left");
    run("solved", "7.5").shows("next: 7.6").shows("in the course: 2 of 6 solved");
    run("solved", "7.1").shows("next: 7.4").shows("in the course: 3 of 6 solved");
    run("fresh", "7.2").shows("0 of 1 solved, 1 open – next: 7.2").shows("in the course: 2 of 6");
}

fn machine_readable_output_stays_so() {
    let run = Run::of("half", &["--format", "json", "--show-output"]);
    run.ends(true).hides("solved");
    for line in run.output.lines() {
        assert!(line.starts_with('{') && line.ends_with('}'), "{line}");
    }
}

fn solutions_are_strict() {
    Run::of("fresh", &["solutions::"])
        .ends(true)
        .shows("test result: ok. 6 passed; 0 failed; 0 ignored")
        .hides("solved");
    Run::of("missing", &["solutions::"])
        .ends(false)
        .shows("test result: FAILED. 5 passed; 1 failed; 0 ignored")
        .shows("---- solutions::7.2_softmax ----\nthe solution is missing: not yet implemented\n")
        .hides("solved");
    Run::of("mistaken", &["solutions::"])
        .ends(false)
        .shows("test result: FAILED. 5 passed; 1 failed; 0 ignored")
        .shows("---- solutions::7.2_softmax ----\nsoftmax(scores): 2 of 4 entries differ");
}

fn mistakes_are_rejected() {
    let run = Run::of("fresh", &["mistakes::"]);
    run.ends(true)
        .shows("test result: ok. 6 passed; 0 failed; 0 ignored")
        .shows("test mistakes::7.2_softmax ")
        .hides("solved");
    Run::of("fresh", &["catalogue"]).ends(true).shows("1 passed");
    Run::of("fresh", &["mistakes::7.2"]).ends(true).shows("1 passed");
}

fn an_accepted_mistake_is_a_failure() {
    let run = Run::of("weak", &["mistakes::7.5"]);
    run.ends(false)
        .shows("test result: FAILED. 0 passed; 1 failed")
        .shows(
            "the wrong answer “slips through”: accepted: for the check it solves 7.5 smallest power of two",
        )
        .shows("the wrong answer “that is n itself”: these inputs cannot distinguish it from another:\na message\nhint: that is nothing\n(checked at ")
        .shows("neither right nor wrong: not implemented");
}

fn an_incomplete_catalogue_is_a_failure() {
    let run = Run::of("lost", &[]);
    assert!(!run.passed && run.errors.contains("0 exercises are checked"), "{}", run.errors);
}

fn rejections_can_be_read() {
    let run = Run::of("fresh", &["--show-output"]);
    run.ends(true)
        .shows("---- mistakes::7.1_mean_of_each_column ----\nmean(x): 3 of 3 entries differ (1 × 3); worst at row 0, column 2: 16 instead of 8")
        .shows("\n    3  5  8\n(checked at tests/07_toy/tests/exercises/mean.rs:") // where `assert_close!` stands
        .shows("---- mistakes::7.2_softmax ----\nsoftmax(scores): 2 of 4 entries differ")
        .shows("must sum to 1\n")
        .shows("(2 × 1); worst at row 0, column 0: NaN instead of 0.5\nhint: ∞/∞: subtract");
    Run::of("fresh", &[]).ends(true).hides("must sum to 1");
}

fn a_capstone_opens_when_its_parts_are_solved() {
    let shown = "your mean is 3, your power 4";
    let run = Run::of("half", &[]);
    run.ends(true).shows("\ntest 7.6_everything_together ").shows("ignored (opens after 7.5)");
    run.hides(shown);
    Run::of("wrong", &[]).ends(false).shows("ignored (opens after 7.1, 7.5)");
    let run = Run::of("half", &["7.6"]); // nothing is known of the others
    run.ends(true).shows("ignored (opens after 7.1, 7.5)").hides(shown);
    let run = Run::of("solved", &[]);
    assert_eq!(run.ends(true).output.matches(shown).count(), 1, "{}", run.output); // the attempt's alone
    Run::of("solved", &["--format", "json"]).ends(true).hides(shown);
}
