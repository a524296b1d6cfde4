//! What a run does with the folder it is told to go on in: with nothing, with damage, with other data.

use crate::plain::Plain;
use crate::toy::{Toy, Wave, options};
use shared::{Float, Matrix, Param};
use std::fs;
use std::path::Path;
use workbench::training::{History, Options, find_checkpoint, train};

fn resume(folder: &Path, epochs: usize) -> Result<(Vec<u64>, History), String> {
    let checkpoint = Some(folder.to_owned());
    let options = Options { checkpoint, resume: true, ..options(epochs) };
    let mut toy = Toy::new(1);
    match train(&Wave::default(), &mut toy, &options) {
        Ok(history) => Ok((toy.bits(), history)),
        Err(error) => Err(error.to_string().replace(&folder.display().to_string(), "DIR")),
    }
}

/// Asked to go on, a run begins where there is nothing: who starts it need not know.
#[test]
fn resuming_is_beginning_where_nothing_has_begun() {
    let folder = tempfile::tempdir().unwrap();
    let new = folder.path().join("new");
    let (begun, _) = resume(&new, 2).unwrap();
    let mut straight = Toy::new(1);
    train(&Wave::default(), &mut straight, &options(2)).unwrap();
    assert!(begun == straight.bits());
    assert!(resume(&new, 2).unwrap().0 == begun);
    assert_eq!(find_checkpoint(&new), Some(new.clone()));
    assert_eq!(find_checkpoint(folder.path()), Some(new));

    // One folder too high is no place to begin.
    let said = resume(folder.path(), 2).unwrap_err();
    assert_eq!(said, "DIR: holds no checkpoint, but DIR/new does: name that one");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// What could not be saved in the end is refused in the beginning.
#[cfg(unix)]
#[test]
fn records_that_are_links_are_refused_before_the_first_step() {
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("kept.json");
    fs::write(&kept, "mine").unwrap();
    std::os::unix::fs::symlink(&kept, folder.path().join("checkpoint.json")).unwrap();
    let said = resume(folder.path(), 1).unwrap_err();
    assert_eq!(said, "DIR/checkpoint.json: a symbolic link is not written over");
    assert_eq!(fs::read(kept).unwrap(), b"mine");
}

#[test]
fn a_damaged_checkpoint_gives_way_to_the_one_before() {
    let mut straight = Toy::new(1);
    let expected = train(&Wave::default(), &mut straight, &options(3)).unwrap();
    let (record, tensors) = ("checkpoint.json", "checkpoint-0002-000000.safetensors");
    let before = "checkpoint-0001-000000.safetensors";
    let flip = |path: &Path| {
        let mut bytes = fs::read(path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(path, bytes).unwrap();
    };
    let damages: [&dyn Fn(&Path); 5] = [
        &|folder| flip(&folder.join(record)),
        &|folder| flip(&folder.join(tensors)),
        &|folder| fs::write(folder.join(record), "").unwrap(),
        &|folder| fs::remove_file(folder.join(record)).unwrap(),
        &|folder| fs::remove_file(folder.join(tensors)).unwrap(),
    ];
    for damage in damages {
        let folder = tempfile::tempdir().unwrap();
        resume(folder.path(), 1).unwrap();
        resume(folder.path(), 2).unwrap();
        damage(folder.path());
        let (bits, history) = resume(folder.path(), 3).unwrap();
        assert!(bits == straight.bits() && history.epochs == expected.epochs);
        assert!(resume(folder.path(), 3).is_ok()); // and all is well again

        let folder = tempfile::tempdir().unwrap();
        resume(folder.path(), 1).unwrap();
        resume(folder.path(), 2).unwrap();
        damage(folder.path());
        flip(&folder.path().join(before));
        let said = resume(folder.path(), 3).unwrap_err();
        assert!(said.starts_with("DIR/checkpoint") && !said.contains("0001"), "{said}");
    }
}

/// So many examples, a batch each; the fourth spoils its step.
fn short(examples: usize) -> Plain<Param> {
    Plain {
        batches: (0..examples).map(|example| vec![example]).collect(),
        loss: |w, tape, examples| {
            let factor = if examples == [3] { Float::NAN } else { 1.0 };
            tape.param(w).square().sum() * factor
        },
    }
}

#[test]
fn other_data_of_the_same_name_does_not_panic() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoint = Some(folder.path().to_owned());
    let run = |task, resume| {
        let (checkpoint, checkpoint_steps) = (checkpoint.clone(), Some(1));
        let options = Options { checkpoint, checkpoint_steps, resume, ..options(2) };
        let mut w = Param::new(Matrix::from_element(1, 1, 1.0));
        train(&task, &mut w, &options).unwrap_err().to_string()
    };
    assert!(run(short(6), false).contains("was saved after step 3 of epoch 1"));
    let error = run(short(1), true);
    assert!(error.ends_with("stands at step 3 of an epoch that has 1: other data?"), "{error}");
}
