//! The arguments of programs that train.

use clap::{CommandFactory, FromArgMatches, Parser};
use std::fs;
use std::path::Path;
use workbench::program::{TrainingArgs, with_negative_numbers};
use workbench::training::{Options, Schedule};

#[derive(Parser)]
struct Program {
    #[command(flatten)]
    training: TrainingArgs,
}

/// The options that a command line leads to, or what is said about it.
fn parse(arguments: &[&str]) -> Result<Options, String> {
    let command = with_negative_numbers(Program::command());
    let matches = command.try_get_matches_from([&["program"], arguments].concat());
    let program = matches.and_then(|matches| Program::from_arg_matches(&matches));
    let program = program.map_err(|error| error.to_string())?;
    let schedule = Schedule { warmup: 7, ..Schedule::constant(0.5) };
    let chapter = Options { epochs: 12, schedule, ..Options::default() };
    program.training.options(chapter).map_err(|error| error.to_string())
}

#[test]
fn arguments_change_the_options_of_the_chapter() {
    let options = parse(&[]).unwrap();
    assert_eq!((options.epochs, options.seed, options.schedule.rate), (12, 0, 0.5));
    assert_eq!((options.checkpoint, options.resume, options.progress), (None, false, true));
    let options = parse(&["--epochs", "3", "--learning-rate", "0.1", "--seed", "9"]).unwrap();
    assert_eq!((options.epochs, options.seed, options.schedule.rate), (3, 9, 0.1));
    assert_eq!((options.schedule.warmup, options.average), (7, None));
    assert_eq!(parse(&["--average", "12"]).unwrap().average, Some(12));
}

#[test]
fn arguments_that_make_no_sense_are_told() {
    let said = |arguments: &[&str]| parse(arguments).unwrap_err();
    let epochs = |n: &str| format!("--epochs {n}: a number from 1 to 1000000 is needed");
    for n in ["0", "-3", "1000001"] {
        assert_eq!(said(&["--epochs", n]), epochs(n));
    }
    for (average, epochs) in [("0", "12"), ("-1", "12"), ("13", "12"), ("3", "2")] {
        let expected =
            format!("--average {average}: a number from 1 to {epochs}, the epochs, is needed");
        assert_eq!(said(&["--epochs", epochs, "--average", average]), expected);
    }
    for (rate, fault) in [
        ("0", "a positive number is needed"),
        ("-0.1", "a positive number is needed"),
        ("-1e-7", "a positive number is needed"),
        ("-inf", "a positive number is needed"),
        ("NaN", "a positive number is needed"),
        ("1e-50", "too small or too large for single precision"),
        ("1e50", "too small or too large for single precision"),
    ] {
        let expected = format!("--learning-rate {rate}: {fault}");
        assert_eq!(said(&["--learning-rate", rate]), expected);
    }
    assert!(said(&["--seed", "-1"]).contains("invalid value '-1' for '--seed <N>'"));
    assert!(said(&["--out", "--seed", "1"]).contains("a value is required for '--out <DIR>'"));
    assert!(said(&["--epochs", "many"]).contains("invalid value 'many' for '--epochs <N>'"));
    assert!(said(&["--resume"]).contains("--checkpoint <DIR>"));
}

#[test]
fn a_folder_that_does_not_fit_is_told_before_anything_is_trained() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    // Nothing to go on from yet: a run may be told to resume before it has begun.
    assert!(parse(&["--checkpoint", path, "--resume"]).unwrap().resume);
    let options = parse(&["--checkpoint", path]).unwrap();
    assert_eq!(options.checkpoint.as_deref(), Some(Path::new(path)));

    // A folder too high counts as well.
    for place in [folder.path().join("below"), folder.path().to_owned()] {
        fs::create_dir_all(&place).unwrap();
        fs::write(place.join("checkpoint.json"), "").unwrap();
        let said = parse(&["--checkpoint", path]).unwrap_err();
        let reason = "holds a checkpoint: add --resume to go on from it, or choose another folder";
        assert_eq!(said, format!("{}: {reason}", place.display()));
        assert!(parse(&["--checkpoint", path, "--resume"]).unwrap().resume);
    }
}
