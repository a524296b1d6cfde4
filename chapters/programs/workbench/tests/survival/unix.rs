//! Training that is killed, interrupted and started again ends as if nothing had happened.
//!
//! This program starts itself as a program that trains, selected by the variable `TRAIN`, and kills
//! it.

use crate::toy;
use libtest_mimic::{Arguments, Failed, Trial};
use nix::sys::signal::{SigHandler, Signal, signal};
use rand::RngExt;
use shared::{Backend, Precision};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use toy::{Toy, Wave, options};
use workbench::program;
use workbench::training::{History, Options, Watch, train};

macro_rules! trials {
    ($($test:ident),*) => {
        vec![$(Trial::test(stringify!($test), || Ok::<(), Failed>($test()))),*]
    };
}

pub fn main() -> ExitCode {
    if let Ok(what) = std::env::var("TRAIN") {
        return program::run(|| child(&what));
    }
    // SAFETY: as every program begins; whoever started these tests may have had it ignored.
    let _ = unsafe { signal(Signal::SIGINT, SigHandler::SigDfl) };
    let tests = trials![
        killed_at_any_moment_a_run_ends_the_same,
        ctrl_c_or_a_polite_kill_saves_and_exits,
        an_ignored_signal_stays_ignored,
        ctrl_c_without_checkpoints_says_so,
        a_second_ctrl_c_does_not_wait,
        ctrl_c_after_training_ends_the_program,
        ctrl_c_in_the_last_evaluation_is_heard,
        when_all_is_saved_ctrl_c_ends_at_once,
        a_run_stays_with_the_instructions_that_it_began_with
    ];
    libtest_mimic::run(&Arguments::from_args(), tests).exit_code()
}

/// 48 steps, a checkpoint after each.
const EPOCHS: usize = 8;

/// How a program is trained: to its end, or to the mean of the last three epochs.
fn options_of(what: &str) -> Options {
    match what {
        "average" => Options { average: Some(3), ..options(EPOCHS) },
        _ => options(EPOCHS),
    }
}

/// The program that is killed.
fn child(what: &str) -> workbench::error::Result<()> {
    if let Some(unit) = std::env::var("UNIT").ok().and_then(|name| Backend::named(&name)) {
        Precision::Bf16.begin();
        unit.begin();
    }
    let folder = std::env::var_os("FOLDER").map(Into::into);
    let resume = std::env::var_os("RESUME").is_some();
    let checkpoint_steps = Some(if ["kill", "average"].contains(&what) { 1 } else { 1_000_000 });
    let options = Options { checkpoint: folder, resume, checkpoint_steps, ..options_of(what) };
    let pause = match what {
        "kill" | "average" => Duration::from_micros(300),
        "slow" => Duration::from_millis(20),
        "short" => Duration::from_millis(5),
        "stuck" => Duration::from_secs(100),
        _ => Duration::ZERO,
    };
    let begun = || {
        static BEGUN: std::sync::Once = std::sync::Once::new();
        BEGUN.call_once(|| program::say("begun"));
    };
    let judge = |epoch| {
        if epoch == EPOCHS && std::env::var("TRAIN").is_ok_and(|what| what == "judging") {
            program::say("judging");
            sleep(Duration::from_millis(500));
        }
    };
    let watch = ["judging", "saved"].contains(&what).then(Watch::begin);
    let wave = Wave { pause, begun, judge, ..Wave::default() };
    train(&wave, &mut Toy::new(1), &options)?;
    if let Some(watch) = &watch {
        watch.saved("the figures were not made".to_owned())?;
        program::say("saved");
        sleep(Duration::from_secs(100));
    }
    if what == "rounded" {
        program::say(format_args!("with {}", Backend::current().name()));
    }
    if what == "after" {
        program::say("trained");
        sleep(Duration::from_secs(100));
    }
    Ok(())
}

fn start(what: &str, folder: Option<&Path>, resume: bool) -> Child {
    start_by(Command::new(std::env::current_exe().unwrap()), what, folder, resume)
}

fn start_by(mut command: Command, what: &str, folder: Option<&Path>, resume: bool) -> Child {
    command.env("TRAIN", what).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.envs(folder.map(|folder| ("FOLDER", folder)));
    command.envs(resume.then_some(("RESUME", "1")));
    command.spawn().unwrap()
}

/// Waits until the child says something; `false` when it ends without.
fn wait_for(child: &mut Child, line: &str) -> bool {
    let mut lines = BufReader::new(child.stdout.as_mut().unwrap()).lines();
    lines.any(|said| said.unwrap() == line)
}

fn send_interrupt(child: &Child) {
    send(child, "INT");
}

fn send(child: &Child, signal: &str) {
    let command = format!("kill -{signal} {}", child.id());
    assert!(Command::new("sh").args(["-c", &command]).status().unwrap().success());
}

/// The lines of a program that is interrupted after this one: it ends as an interrupted one does.
fn interrupted(what: &str, folder: Option<&Path>, after: &str) -> String {
    let mut child = start(what, folder, false);
    assert!(wait_for(&mut child, after));
    send_interrupt(&child);
    let begin = Instant::now();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(begin.elapsed() < Duration::from_secs(50));
    stderr(&mut child)
}

fn stderr(child: &mut Child) -> String {
    let mut text = String::new();
    child.stderr.as_mut().unwrap().read_to_string(&mut text).unwrap();
    text
}

/// The result that the children should arrive at: a run in this process, never interrupted, never saved.
fn uninterrupted(what: &str) -> (Vec<u64>, History) {
    let mut toy = Toy::new(1);
    let history = train(&Wave::default(), &mut toy, &options_of(what)).unwrap();
    (toy.bits(), history)
}

/// The contents of the checkpoint of a finished run, or of one that has still to go on, in this process.
fn resumed(folder: &Path, what: &str) -> (Vec<u64>, History) {
    let mut toy = Toy::new(99); // the checkpoint's parameters replace these
    let checkpoint = Some(folder.to_owned());
    let options = Options { checkpoint, resume: true, ..options_of(what) };
    let history = train(&Wave::default(), &mut toy, &options).unwrap();
    (toy.bits(), history)
}

fn assert_same((bits, history): &(Vec<u64>, History), expected: &(Vec<u64>, History)) {
    assert_eq!(history.epochs, expected.1.epochs);
    assert!(*bits == expected.0, "the parameters differ");
}

fn killed_at_any_moment_a_run_ends_the_same() {
    let rng = &mut shared::rng(7);
    let (mut kills, mut runs, mut half_written) = (0, 0, 0);
    while runs < 2 || kills < 30 {
        let what = ["kill", "average"][runs % 2];
        let expected = uninterrupted(what);
        let folder = tempfile::tempdir().unwrap();
        let record = folder.path().join("checkpoint.json");
        let mut longest = 25_000; // microseconds
        loop {
            let before = std::fs::read(&record).ok();
            let mut child = start(what, Some(folder.path()), before.is_some());
            if wait_for(&mut child, "begun") {
                sleep(Duration::from_micros(rng.random_range(0..longest)));
            }
            child.kill().unwrap();
            let status = child.wait().unwrap();
            if status.success() {
                break; // it was faster
            }
            assert_eq!(status.code(), None, "{}", stderr(&mut child)); // killed, not failed
            kills += 1;
            half_written += (files(folder.path()) > 4) as usize;
            assert!(newest_is_whole(folder.path())); // or the one before would hide it
            if std::fs::read(&record).ok() == before {
                longest += longest / 4; // a slow machine: give it time to get somewhere
            }
        }
        assert_same(&resumed(folder.path(), what), &expected);
        runs += 1;
    }
    println!("{kills} kills in {runs} runs, {half_written} in the middle of a checkpoint");
}

/// Whether the tensors that the record names are there, as long as it says.
fn newest_is_whole(folder: &Path) -> bool {
    let Ok(record) = std::fs::read(folder.join("checkpoint.json")) else { return true };
    let record: serde_json::Value = serde_json::from_slice(&record).unwrap();
    let listed = &record["run"]["tensors"];
    let tensors = std::fs::metadata(folder.join(listed["file"].as_str().unwrap()));
    tensors.is_ok_and(|found| Some(found.len()) == listed["bytes"].as_u64())
}

/// Two records and the tensors of both are four; more are left of a checkpoint that was not finished.
fn files(folder: &Path) -> usize {
    std::fs::read_dir(folder).unwrap().count()
}

fn ctrl_c_or_a_polite_kill_saves_and_exits() {
    let expected = uninterrupted("");
    for signal in ["INT", "TERM"] {
        let folder = tempfile::tempdir().unwrap();
        let mut child = start("slow", Some(folder.path()), false);
        assert!(wait_for(&mut child, "begun"));
        sleep(Duration::from_millis(150));
        send(&child, signal);
        assert_eq!(child.wait().unwrap().code(), Some(130));
        let said = stderr(&mut child);
        assert!(
            said.contains("interrupted after step ") && said.contains("add --resume"),
            "{said}"
        );

        let record = std::fs::read_to_string(folder.path().join("checkpoint.json")).unwrap();
        let record: serde_json::Value = serde_json::from_str(&record).unwrap();
        let steps = record["run"]["state"]["steps"].as_u64().unwrap();
        assert!((1..48).contains(&steps), "{steps} steps"); // by the signal: no other reason to save
        assert_same(&resumed(folder.path(), ""), &expected);
    }
}

/// `nohup` has SIGHUP ignored, a shell's `&` SIGINT: whoever asked for that meant it.
fn an_ignored_signal_stays_ignored() {
    for kind in ["HUP", "INT"] {
        let mut shell = Command::new("sh");
        let program = std::env::current_exe().unwrap();
        shell.args(["-c", &format!("trap '' {kind}; exec \"$0\"")]).arg(program);
        let mut child = start_by(shell, "short", None, false);
        assert!(wait_for(&mut child, "begun"));
        send(&child, kind);
        assert_eq!(child.wait().unwrap().code(), Some(0), "{kind}: {}", stderr(&mut child));
    }
}

fn ctrl_c_without_checkpoints_says_so() {
    let said = interrupted("slow", None, "begun");
    assert!(
        said.contains("interrupted after step ") && said.contains("nothing was saved"),
        "{said}"
    );
}

fn a_second_ctrl_c_does_not_wait() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = start("stuck", Some(folder.path()), false);
    assert!(wait_for(&mut child, "begun"));
    send_interrupt(&child);
    sleep(Duration::from_millis(300));
    assert!(child.try_wait().unwrap().is_none(), "the first Ctrl-C waits for the step");
    assert_eq!(interrupt_until_it_ends(&mut child), Some(130));
}

fn ctrl_c_after_training_ends_the_program() {
    let said = interrupted("after", None, "trained");
    assert_eq!(said.trim(), "interrupted: what was not yet written is lost");
}

/// The last epoch has no next step to stop after: the run ends, everything is saved, and what would
/// come then is not begun.
fn ctrl_c_in_the_last_evaluation_is_heard() {
    let folder = tempfile::tempdir().unwrap();
    let said = interrupted("judging", Some(folder.path()), "judging");
    assert!(said.ends_with("the figures were not made\n"), "{said}");
    assert_same(&resumed(folder.path(), ""), &uninterrupted(""));
}

fn when_all_is_saved_ctrl_c_ends_at_once() {
    assert_eq!(interrupted("saved", None, "saved").trim(), "the figures were not made");
}

fn interrupt_until_it_ends(child: &mut Child) -> Option<i32> {
    for _ in 0..100 {
        send_interrupt(child);
        sleep(Duration::from_millis(100));
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
    }
    child.kill().unwrap();
    panic!("it does not end");
}

/// Whatever a later start has found to be faster, and in f32 not at all.
fn a_run_stays_with_the_instructions_that_it_began_with() {
    if !Precision::Bf16.is_supported() {
        eprintln!("not tested: this processor has no AVX-512 BF16");
        return;
    }
    for (first, then) in [("f32", "bf16"), ("bf16", "f32")] {
        let folder = tempfile::tempdir().unwrap();
        let run = |unit: Option<&str>, resume: bool| {
            let mut command = Command::new(std::env::current_exe().unwrap());
            command.envs(unit.map(|unit| ("UNIT", unit)));
            let child = start_by(command, "rounded", Some(folder.path()), resume);
            let output = child.wait_with_output().unwrap();
            let said = [output.stdout, output.stderr].concat();
            (output.status.code(), String::from_utf8(said).unwrap())
        };
        for (unit, resume) in [(first, false), (then, true), (first, true)] {
            let (code, said) = run(Some(unit), resume);
            assert!(code == Some(0) && said.contains(&format!("with {first}\n")), "{said}");
        }
        let (code, said) = run(None, true);
        let reason = r#"belongs to another run: precision is "bf16" there and "f32" here"#;
        assert!(code == Some(2) && said.contains(reason), "{said}");
    }
}
