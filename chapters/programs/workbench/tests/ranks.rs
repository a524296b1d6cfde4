//! Several processes train what one trains, to the last bit, and end together.
//!
//! This program starts itself by `mpirun` as a program that trains, selected by the variable `TRAIN`.

#[path = "checks/toy/mod.rs"]
mod toy;

use libtest_mimic::{Arguments, Trial};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use toy::{Toy, Wave, options};
use workbench::error::{Error, Result};
use workbench::training::mpi::Ranks;
use workbench::training::{Options, Peers, train};
use workbench::{files, program};

fn main() -> ExitCode {
    if let Ok(what) = std::env::var("TRAIN") {
        return program::run(|| {
            let ranks = Ranks::join()?;
            ranks.leave(rank(&what, &ranks))
        });
    }
    let tests: [(&str, fn()); 7] = [
        ("one_two_and_four_ranks_end_with_the_same_bits", the_same_bits),
        ("a_run_goes_on_with_another_number_of_ranks", another_number),
        ("a_killed_rank_ends_the_job_and_the_run_goes_on", a_killed_rank),
        ("a_rank_that_fails_ends_the_job_and_is_named", a_failing_rank),
        ("a_rank_that_panics_ends_the_job_and_is_named", a_panicking_rank),
        ("what_fails_everywhere_is_told_once", told_once),
        ("ctrl_c_saves_and_stops_all_ranks", ctrl_c),
    ];
    let trials = tests.map(|(name, test)| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    });
    let mut arguments = Arguments::from_args();
    arguments.test_threads = Some(1); // a job is several processes already
    libtest_mimic::run(&arguments, trials.into()).exit_code()
}

/// 24 steps in 4 shards; where they run in groups, these are as many as one process has with four.
fn run_options() -> Options {
    Options { shards: 4, ..options(4) }
}

/// One rank.
fn rank(what: &str, ranks: &Arc<Ranks>) -> Result<()> {
    let var = |name| std::env::var(name).ok();
    let checkpoint = var("FOLDER").map(Into::into);
    let (resume, seed) = (var("RESUME").is_some(), options(1).seed);
    let epochs = var("EPOCHS").map_or(4, |epochs| epochs.parse().unwrap());
    let accumulate = var("GROUPS").map_or(1, |groups| groups.parse().unwrap());
    let checkpoint_steps = (what == "slow").then_some(1);
    let peers: Arc<dyn Peers> = ranks.clone();
    let options = Options {
        checkpoint,
        resume,
        epochs,
        accumulate,
        checkpoint_steps,
        peers: Some(peers),
        ..run_options()
    };
    let is_last = ranks.rank() + 1 == ranks.count();
    let (options, mut wave) = match what {
        "other" if is_last => (Options { seed: seed + 1, ..options }, Wave::default()),
        "diverge" => (options, Wave { spoil: Some((0, shared::Float::NAN)), ..Wave::default() }),
        "slow" => (options, Wave { pause: Duration::from_millis(100), ..Wave::default() }),
        _ => (options, Wave::default()),
    };
    if ranks.rank() == 0 {
        wave.begun = || {
            static BEGUN: std::sync::Once = std::sync::Once::new();
            BEGUN.call_once(|| program::say("begun"));
        };
    }
    if is_last && what == "fail" {
        return Err(Error::argument("corpus.txt:17: not a pair"));
    }
    if is_last && what == "panic" {
        panic!("matrices of (3, 4) and (5, 6)");
    }
    if what == "slow" {
        program::say(format_args!("rank {} is {}", ranks.rank(), std::process::id()));
    }
    let mut toy = Toy::new(1);
    let history = train(&wave, &mut toy, &options)?;
    let place = std::env::var("RESULT").unwrap();
    let place = format!("{place}.{}", ranks.rank());
    let epochs = serde_json::to_string(&history.epochs).unwrap();
    files::write(place.as_ref(), format!("{:?}\n{epochs}", toy.bits()).as_bytes())
}

/// What a single process without MPI arrives at.
fn alone() -> String {
    let mut toy = Toy::new(1);
    let history = train(&Wave::default(), &mut toy, &run_options()).unwrap();
    let epochs = serde_json::to_string(&history.epochs).unwrap();
    format!("{:?}\n{epochs}", toy.bits())
}

fn job(ranks: usize, what: &str, folder: &Path, variables: &[(&str, &str)]) -> Command {
    let mut command = Command::new("mpirun");
    command.args(["--allow-run-as-root", "--oversubscribe", "--bind-to", "none"]);
    command.args(["-n", &ranks.to_string()]);
    command.arg(std::env::current_exe().unwrap());
    command.env("TRAIN", what).env("RESULT", folder.join("result")).env("RAYON_NUM_THREADS", "1");
    command.envs(variables.iter().copied()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Exit code and standard error.
fn end(mut child: Child) -> (Option<i32>, String) {
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    (child.wait().unwrap().code(), said)
}

fn run(
    ranks: usize,
    what: &str,
    folder: &Path,
    variables: &[(&str, &str)],
) -> (Option<i32>, String) {
    end(job(ranks, what, folder, variables).spawn().unwrap())
}

/// Every rank has what one process alone arrives at.
fn assert_as_alone(ranks: usize, folder: &Path) {
    let expected = alone();
    for rank in 0..ranks {
        let found = std::fs::read_to_string(folder.join(format!("result.{rank}"))).unwrap();
        assert!(found == expected, "rank {rank} of {ranks}: {found}\n{expected}");
    }
}

fn the_same_bits() {
    for (ranks, groups) in [(1, "1"), (2, "1"), (2, "2"), (4, "1")] {
        let folder = tempfile::tempdir().unwrap();
        let (code, said) = run(ranks, "", folder.path(), &[("GROUPS", groups)]);
        assert_eq!(code, Some(0), "{said}");
        assert_as_alone(ranks, folder.path());
    }
}

fn another_number() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoints = folder.path().join("checkpoints");
    let checkpoints = ("FOLDER", checkpoints.to_str().unwrap());
    for (ranks, epochs) in [(4, "1"), (1, "2"), (2, "4")] {
        let variables = [checkpoints, ("EPOCHS", epochs), ("RESUME", "1")];
        let (code, said) = run(ranks, "", folder.path(), &variables);
        assert_eq!(code, Some(0), "{said}");
    }
    assert_as_alone(2, folder.path());
}

/// A slow run with checkpoints, when it has begun, and the processes of its ranks.
fn begun(ranks: usize, folder: &Path) -> (Child, Vec<String>) {
    let checkpoints = folder.join("checkpoints");
    let checkpoints = [("FOLDER", checkpoints.to_str().unwrap())];
    let mut child = job(ranks, "slow", folder, &checkpoints).spawn().unwrap();
    let mut processes = vec![String::new(); ranks];
    for line in BufReader::new(child.stdout.as_mut().unwrap()).lines() {
        let line = line.unwrap();
        if line == "begun" {
            break;
        }
        let words: Vec<&str> = line.split(' ').collect();
        processes[words[1].parse::<usize>().unwrap()] = words[3].to_owned();
    }
    (child, processes)
}

fn send(signal: &str, process: &str) {
    let command = format!("kill -{signal} {process}");
    assert!(Command::new("sh").args(["-c", &command]).status().unwrap().success());
}

/// The run that was stopped ends on so many ranks as if nothing had happened.
fn assert_goes_on(ranks: usize, folder: &Path) {
    let record = std::fs::read(folder.join("checkpoints/checkpoint.json")).unwrap();
    let record: serde_json::Value = serde_json::from_slice(&record).unwrap();
    let steps = record["run"]["state"]["steps"].as_u64().unwrap();
    assert!((1..24).contains(&steps), "{steps} steps");
    let checkpoints = folder.join("checkpoints");
    let resume = [("FOLDER", checkpoints.to_str().unwrap()), ("RESUME", "1")];
    let (code, said) = run(ranks, "", folder, &resume);
    assert_eq!(code, Some(0), "{said}");
    assert_as_alone(ranks, folder);
}

fn a_killed_rank() {
    let folder = tempfile::tempdir().unwrap();
    let (child, processes) = begun(4, folder.path());
    std::thread::sleep(Duration::from_millis(250));
    let since = Instant::now();
    send("KILL", &processes[2]);
    let (code, said) = end(child);
    assert!(since.elapsed() < Duration::from_secs(20), "{:?}", since.elapsed());
    assert_ne!(code, Some(0));
    let lines = said.lines().filter(|line| line.contains("process rank 2 ")).count();
    assert!(lines == 1 && said.contains("signal 9"), "{said}");
    assert_goes_on(2, folder.path());
}

/// The lines of a job that are the program's own.
fn own_lines(said: &str) -> Vec<&str> {
    said.lines().filter(|line| line.starts_with("error: ")).collect()
}

fn a_failing_rank() {
    let folder = tempfile::tempdir().unwrap();
    let (code, said) = run(4, "fail", folder.path(), &[]);
    assert_ne!(code, Some(0));
    assert_eq!(own_lines(&said), ["error: rank 3 of 4: corpus.txt:17: not a pair"], "{said}");

    let (code, said) = run(2, "other", folder.path(), &[]);
    assert_eq!(code, Some(2), "{said}");
    let expected = "error: rank 1 of 2: another run than in the first process: \
        run.seed is 4 there and 5 here";
    assert_eq!(own_lines(&said), [expected], "{said}");
}

fn a_panicking_rank() {
    let folder = tempfile::tempdir().unwrap();
    let (code, said) = run(2, "panic", folder.path(), &[]);
    assert_ne!(code, Some(0));
    assert!(said.contains("matrices of (3, 4) and (5, 6)"), "{said}");
    assert_eq!(said.lines().filter(|line| *line == "rank 1 of 2 panicked").count(), 1, "{said}");
}

fn told_once() {
    let folder = tempfile::tempdir().unwrap();
    let (code, said) = run(4, "diverge", folder.path(), &[]);
    assert_eq!(code, Some(2), "{said}");
    let lines = own_lines(&said);
    assert!(lines.len() == 1 && lines[0].starts_with("error: epoch 1, step "), "{said}");
}

fn ctrl_c() {
    let folder = tempfile::tempdir().unwrap();
    let (child, _) = begun(2, folder.path());
    std::thread::sleep(Duration::from_millis(250));
    send("INT", &child.id().to_string());
    let (code, said) = end(child);
    assert_ne!(code, Some(0));
    assert_eq!(said.matches("add --resume to go on from ").count(), 1, "{said}");
    assert_goes_on(4, folder.path());
}
