//! What a run does with the folder it is told to go on in: with nothing, with damage, with forgeries.

use crate::toy::{Toy, Wave, options};
use shared::Float;
use std::fs;
use std::path::Path;
use workbench::figure::Chart;
use workbench::fingerprint;
use workbench::training::{History, Options, Prepared, Task, Value, find_checkpoint, json, train};

fn resume(folder: &Path, epochs: usize) -> Result<(Vec<u64>, History), String> {
    let checkpoint = Some(folder.to_owned());
    let options = Options { checkpoint, resume: true, ..options(epochs) };
    let mut toy = Toy::new(1);
    let history = train(&Wave::default(), &mut toy, &options);
    let named = |text: String| text.replace(&folder.display().to_string(), "DIR");
    history.map(|history| (toy.bits(), history)).map_err(|error| named(error.to_string()))
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

/// What could not be saved in the end is told in the beginning.
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

/// Puts a value into a good record, and a fingerprint that fits.
fn forge(folder: &Path, pointer: &str, value: &Value) {
    let path = folder.join("checkpoint.json");
    let mut record: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    *record["run"].pointer_mut(pointer).unwrap_or_else(|| panic!("no {pointer}")) = value.clone();
    record["fingerprint"] = json!(fingerprint(record["run"].to_string().as_bytes()));
    fs::write(&path, record.to_string()).unwrap();
}

/// The largest numbers that a record may hold are drawn in time, and as numbers.
#[test]
fn what_is_believed_can_be_drawn() {
    let largest = [(1.0, 1e100), (2.0, -1e100)];
    let figure = Chart::new("Learning", "epoch", "loss").line("training", &largest).draw();
    assert!(!figure.to_string().contains("NaN") && !figure.to_string().contains("inf"));
}

/// A fingerprint tells of accidents, not of intent.
#[test]
fn forged_records_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    resume(folder.path(), 2).unwrap();
    let path = folder.path().join("checkpoint.json");
    let good = fs::read(&path).unwrap();
    let state = "/state";
    let many: [(&str, Vec<Value>); 20] = [
        ("/epoch", vec![json!(0), json!(1), json!(3)]),
        ("/step", vec![json!(1), json!(u64::MAX)]),
        ("/steps", vec![json!(0), json!(11), json!(u64::MAX)]),
        ("/loss", vec![json!(1e308), json!(-1e308)]),
        ("/divisor", vec![json!(-1.0), json!(1e308)]),
        ("/norm", vec![json!(-1.0)]),
        ("/seconds", vec![json!(-1.0), json!(1e200)]),
        ("/tokens", vec![json!(u64::MAX)]),
        ("/last", vec![json!([1e308, 0.0]), json!([0.0, -1.0])]),
        (
            "/moved",
            vec![json!([]), json!([1]), json!([-1, -1, -1, -1, -1]), json!([99, 99, 99, 99, 99])],
        ),
        ("/history/best", vec![json!(0), json!(3), json!(999), json!(u64::MAX), json!(null)]),
        ("/history/epochs", vec![json!([])]),
        ("/history/timings", vec![json!([])]),
        ("/history/epochs/1/epoch", vec![json!(0), json!(1), json!(u64::MAX)]),
        ("/history/epochs/0/steps", vec![json!(0), json!(12), json!(u64::MAX)]),
        ("/history/epochs/0/loss", vec![json!(1e308), json!(-1e308)]),
        ("/history/epochs/0/gradient_norm", vec![json!(-1.0), json!(1e308)]),
        ("/history/epochs/0/evaluation/loss", vec![json!(1e308), json!(-1e308)]),
        ("/history/epochs/0/evaluation/scores/third", vec![json!(1e308)]),
        ("/history/timings/0/seconds", vec![json!(-1.0), json!(1e308)]),
    ];
    for (pointer, values) in many {
        for value in values {
            forge(folder.path(), &format!("{state}{pointer}"), &value);
            let said = resume(folder.path(), 2).unwrap_err();
            let told = said.starts_with("DIR/checkpoint.json: cannot be ");
            assert!(told, "{pointer} {value}: {said}");
            fs::write(&path, &good).unwrap();
        }
    }
    forge(folder.path(), "/tensors/file", &json!("../checkpoint-0002-000000.safetensors"));
    let said = resume(folder.path(), 2).unwrap_err();
    assert_eq!(said, "DIR/checkpoint.json: names no tensors of a checkpoint");
}

#[test]
fn other_data_of_the_same_name_does_not_panic() {
    struct Shrunk(Wave);
    impl Task for Shrunk {
        type Model = Toy;
        type Shard = Vec<usize>;
        fn describe(&self) -> Value {
            self.0.describe()
        }
        fn batches(&self, rng: &mut shared::Rng) -> Vec<Vec<usize>> {
            self.0.batches(rng).into_iter().take(1).collect()
        }
        fn prepare(
            &self,
            examples: &[usize],
            shards: usize,
            rng: &mut shared::Rng,
        ) -> Prepared<Vec<usize>> {
            self.0.prepare(examples, shards, rng)
        }
        fn loss<'t>(
            &self,
            toy: &Toy,
            tape: &'t shared::Tape,
            examples: &Vec<usize>,
            rng: &mut shared::Rng,
        ) -> shared::Var<'t> {
            self.0.loss(toy, tape, examples, rng)
        }
    }
    // Stopped by a spoilt step in the middle of the first epoch, with a checkpoint after each.
    let folder = tempfile::tempdir().unwrap();
    let checkpoint = Some(folder.path().to_owned());
    let each = Options { checkpoint, checkpoint_steps: Some(1), ..options(2) };
    let last = Wave::default().batches(&mut shared::rng(0)).len();
    assert_eq!(last, 6);
    for example in 0..29 {
        let wave = Wave { spoil: Some((example, Float::NAN)), ..Wave::default() };
        for record in ["checkpoint.json", "checkpoint.previous.json"] {
            let _ = fs::remove_file(folder.path().join(record));
        }
        let error = train(&wave, &mut Toy::new(1), &each).unwrap_err().to_string();
        if error.contains("after step 3") {
            let shrunk = Shrunk(Wave::default());
            let error = train(&shrunk, &mut Toy::new(1), &Options { resume: true, ..each })
                .unwrap_err()
                .to_string();
            let reason = "stands at step 3 of an epoch that has 1: other data?";
            return assert!(error.ends_with(reason), "{error}");
        }
    }
    panic!("no example stands in the fourth batch");
}
