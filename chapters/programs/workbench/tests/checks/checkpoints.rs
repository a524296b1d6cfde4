//! Checkpoints go on where they were saved, and what does not fit is refused with its reason.

use crate::toy::{Toy, Wave, options};
use shared::{Float, Sgd};
use std::fs;
use std::path::Path;
use workbench::training::{Method, Options, Schedule, train};

fn in_folder(folder: &Path, options: Options) -> Options {
    Options { checkpoint: Some(folder.to_owned()), ..options }
}

fn resuming(options: Options) -> Options {
    Options { resume: true, ..options }
}

/// A folder with the checkpoint of a run of two epochs.
fn saved() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    train(&Wave::default(), &mut Toy::new(1), &in_folder(folder.path(), options(2))).unwrap();
    folder
}

/// The same, and nothing to fall back on.
fn saved_once() -> tempfile::TempDir {
    let folder = saved();
    fs::remove_file(folder.path().join("checkpoint.previous.json")).unwrap();
    folder
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Why a run that should go on from the folder does not, with the folder's name replaced.
fn refusal(folder: &Path, wave: &Wave, options: Options) -> String {
    let mut toy = Toy::new(3);
    let before = toy.bits();
    let error = train(wave, &mut toy, &resuming(in_folder(folder, options))).unwrap_err();
    assert!(toy.bits() == before, "the model was touched");
    error.to_string().replace(&folder.display().to_string(), "DIR")
}

#[test]
fn a_finished_run_goes_on_when_more_epochs_are_asked_for() {
    let mut straight = Toy::new(1);
    let expected = train(&Wave::default(), &mut straight, &options(5)).unwrap();

    let folder = saved();
    assert_eq!(
        names(folder.path()),
        [
            "checkpoint-0000-000000.safetensors",
            "checkpoint-0002-000000.safetensors",
            "checkpoint.json",
            "checkpoint.previous.json"
        ]
    );
    let mut toy = Toy::new(77);
    let longer = resuming(in_folder(folder.path(), options(5)));
    let history = train(&Wave::default(), &mut toy, &longer).unwrap();
    assert_eq!(history.epochs, expected.epochs);
    assert!(toy.bits() == straight.bits());

    // Once more: there is nothing to do, and the result is there.
    let mut again = Toy::new(78);
    let history = train(&Wave::default(), &mut again, &longer).unwrap();
    assert_eq!(history.epochs, expected.epochs);
    assert_eq!(history.timings.len(), 5);
    assert!(again.bits() == straight.bits());

    let said = refusal(folder.path(), &Wave::default(), options(4));
    assert_eq!(
        said,
        "DIR/checkpoint.json: has trained 4 epochs and more: it was saved after epoch 5"
    );
}

#[test]
fn a_checkpoint_is_not_written_over() {
    let folder = saved();
    let files = |folder: &Path| {
        names(folder).iter().map(|name| fs::read(folder.join(name)).unwrap()).collect::<Vec<_>>()
    };
    let before = files(folder.path());
    let options = in_folder(folder.path(), options(2));
    let error = train(&Wave::default(), &mut Toy::new(1), &options).unwrap_err().to_string();
    let expected = format!(
        "{}: holds a checkpoint: add --resume to go on from it, or choose another folder",
        folder.path().display()
    );
    assert_eq!(error, expected);
    assert_eq!(files(folder.path()), before);
}

#[test]
fn two_runs_do_not_share_a_folder() {
    let folder = saved();
    let lock = fs::File::open(folder.path()).unwrap(); // as another process has it
    lock.lock().unwrap();
    let said = refusal(folder.path(), &Wave::default(), options(3));
    assert_eq!(said, "DIR: another program is writing into this folder: choose another one");
}

#[test]
fn another_run_is_refused() {
    let folder = saved();
    let case = |wave: Wave, options: Options| refusal(folder.path(), &wave, options);
    let foreign = "DIR/checkpoint.json: belongs to another run: ";
    let other = |text: &str| format!("{foreign}{text}");

    let wave = || Wave { data: "other", ..Wave::default() };
    assert_eq!(case(wave(), options(3)), other(r#"task.data is "wave" there and "other" here"#));
    let wave = || Wave { share: 0.3, ..Wave::default() };
    assert_eq!(case(wave(), options(3)), other("task.share is 0.15 there and 0.3 here"));
    let wave = || Wave { data: "other", ..Wave::default() };
    // Of another seed the data may be others, too; the seed is what somebody chose.
    assert_eq!(
        case(wave(), Options { seed: 5, ..options(3) }),
        other("seed is 4 there and 5 here")
    );
    let wave = Wave::default;
    assert_eq!(
        case(wave(), Options { method: Method::new(Sgd { learning_rate: 0.0 }), ..options(3) }),
        other(r#"optimizer.name is "adam" there and "sgd" here"#)
    );
    assert_eq!(
        case(wave(), Options { shards: 2, ..options(3) }),
        other("shards is 3 there and 2 here")
    );
    assert_eq!(
        case(wave(), Options { average: Some(2), ..options(3) }),
        other("average is null there and 2 here")
    );
}

#[test]
fn learning_rate_and_clipping_may_change() {
    let folder = saved();
    let schedule = Schedule { rate: 0.001, ..options(3).schedule };
    let careful = Options { schedule, clip: Some(0.01), ..options(3) };
    let mut toy = Toy::new(1);
    let careful = resuming(in_folder(folder.path(), careful));
    let history = train(&Wave::default(), &mut toy, &careful).unwrap();
    assert_eq!(history.epochs[2].learning_rate, schedule.at(18));
    let mut straight = Toy::new(1);
    train(&Wave::default(), &mut straight, &options(3)).unwrap();
    assert!(toy.bits() != straight.bits());
}

/// Changes a file of a good checkpoint, and returns what is then said.
fn damaged(file: &str, damage: impl Fn(Vec<u8>) -> Option<Vec<u8>>) -> String {
    let folder = saved_once();
    let path = folder.path().join(file);
    match damage(fs::read(&path).unwrap()) {
        Some(bytes) => fs::write(&path, bytes).unwrap(),
        None => fs::remove_file(&path).unwrap(),
    }
    refusal(folder.path(), &Wave::default(), options(3))
}

/// `records` tests that every damage is noticed, here is what is said.
#[test]
fn what_is_damaged_is_told() {
    let (record, tensors) = ("checkpoint.json", "checkpoint-0002-000000.safetensors");
    let replaced = |old: &'static str, new: &'static str| {
        damaged(record, move |bytes| {
            let text = String::from_utf8(bytes).unwrap();
            assert!(text.contains(old), "{old} is not in {text}");
            Some(text.replacen(old, new, 1).into_bytes())
        })
    };
    let broken = "is damaged: it is not what was written";
    let told = |reason: &str| format!("DIR/checkpoint.json: {reason}");
    assert_eq!(replaced("\"seed\": 4", "\"seed\": 5"), told(broken));
    assert_eq!(
        replaced("\"version\": 1", "\"version\": 2"),
        told("has format version 2, this program reads 1")
    );
    let said = replaced("workbench::training", "x");
    assert_eq!(said, told("this is no checkpoint of a training run"));
    for bytes in [&b""[..], b"\xff\xfe", b"{\"format\": ", b"null", b"{}"] {
        let said = damaged(record, |_| Some(bytes.to_vec()));
        assert!(said.contains("this is no "), "{said}");
    }
    let said = damaged(tensors, |_| None);
    assert_eq!(said, format!("DIR/{tensors}: cannot be read: no such file or directory"));
    let said = damaged(tensors, |mut bytes| bytes.pop().map(|_| bytes));
    assert!(said.ends_with(" were written"), "{said}");
    let said = damaged(tensors, |mut bytes| {
        *bytes.last_mut().unwrap() ^= 1;
        Some(bytes)
    });
    assert_eq!(said, format!("DIR/{tensors}: {broken}"));
}

#[test]
fn divergence_keeps_the_last_checkpoint() {
    // Two good epochs, then every batch with example 3 is spoilt.
    let folder = saved();
    let spoilt = Wave { spoil: Some((3, Float::NAN)), ..Wave::default() };
    let longer = resuming(in_folder(folder.path(), options(4)));
    let mut toy = Toy::new(1);
    let error = train(&spoilt, &mut toy, &longer).unwrap_err().to_string();
    assert!(error.starts_with("epoch 3, step "), "{error}");
    assert!(error.ends_with("was saved after epoch 2, add --resume to begin there"), "{error}");
    assert!(!error.contains("it was the first step"), "{error}");
    // The folder is good: without the spoilt example the run goes on.
    let mut straight = Toy::new(1);
    train(&Wave::default(), &mut straight, &options(4)).unwrap();
    train(&Wave::default(), &mut toy, &longer).unwrap();
    assert!(toy.bits() == straight.bits());
}

/// A checkpoint is written in three moves. Between any two of them the folder is good.
#[test]
fn the_folder_is_good_between_the_moves_of_a_save() {
    let folder = saved();
    let old = "checkpoint-0002-000000.safetensors";
    let new = "checkpoint-0003-000000.safetensors";
    let writing = ".checkpoint-0003-000000.safetensors-a1B2c3.unfinished";
    let previous = "checkpoint.previous.json";
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    let (old_record, old_tensors) = (read("checkpoint.json"), read(old));
    let next = resuming(in_folder(folder.path(), options(3)));
    train(&Wave::default(), &mut Toy::new(1), &next).unwrap();
    let (new_record, new_tensors) = (read("checkpoint.json"), read(new));

    let mut straight = Toy::new(1);
    train(&Wave::default(), &mut straight, &options(4)).unwrap();
    let half = &new_tensors[..new_tensors.len() / 2];
    let moments: [&[(&str, &[u8])]; 6] = [
        &[("checkpoint.json", &old_record), (old, &old_tensors), (writing, half)],
        &[("checkpoint.json", &old_record), (old, &old_tensors), (new, &new_tensors)],
        // The bytes of the new tensors may be missing only while the record names the old ones.
        &[("checkpoint.json", &old_record), (old, &old_tensors), (new, half)],
        &[
            ("checkpoint.json", &old_record),
            (previous, &old_record),
            (old, &old_tensors),
            (new, half),
        ],
        &[("checkpoint.json", &new_record), (old, &old_tensors), (new, &new_tensors)],
        &[("checkpoint.json", &new_record), (new, &new_tensors)],
    ];
    for files in moments {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in files {
            fs::write(folder.path().join(name), bytes).unwrap();
        }
        let mut toy = Toy::new(9);
        let longer = resuming(in_folder(folder.path(), options(4)));
        train(&Wave::default(), &mut toy, &longer).unwrap();
        assert!(toy.bits() == straight.bits());
        assert_eq!(names(folder.path()).len(), 4); // two checkpoints
    }
}

#[test]
fn what_a_kill_leaves_behind_is_swept_up() {
    let folder = saved();
    let theirs = [
        ".checkpoint-0001-000003.safetensors-000000.unfinished",
        "checkpoint-0001-000003.safetensors",
    ];
    let mine = [
        ".checkpoint.json-backup",
        "checkpoint-0002-000000.safetensors.bak",
        "checkpoint-2-0.safetensors",
        "notes.txt",
    ];
    for name in theirs.iter().chain(&mine) {
        fs::write(folder.path().join(name), "half").unwrap();
    }
    let longer = resuming(in_folder(folder.path(), options(3)));
    train(&Wave::default(), &mut Toy::new(1), &longer).unwrap();
    let found = names(folder.path());
    assert!(mine.iter().all(|name| found.iter().any(|found| found == name)), "{found:?}");
    assert!(!theirs.iter().any(|name| found.iter().any(|found| found == name)), "{found:?}");
    assert_eq!(found.len(), mine.len() + 4);
}
