//! What `train` and `recommend` refuse, and what they leave alone.

use crate::line::{arguments, told};
use crate::support::model;
use recommendation::histories::Histories;
use recommendation::program::{
    Choice, Description, Parts, Recipe, judge, read_interactions, recommend, train,
};
use recommendation::rulers::Ruler;
use shared::{Float, Matrix};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use workbench::error::Result;
use workbench::parameters::save_parameters;

/// A file of six customers with as many actions each, items counted from `first`.
fn file(folder: &TempDir, name: &str, actions: usize, first: usize) -> PathBuf {
    let path = folder.path().join(name);
    let row = |i: usize| format!("{},{},{i}\n", i % 6, (first + i * i) % 7);
    let rows: String = (0..6 * actions).map(row).collect();
    fs::write(&path, format!("user,item,time\n{rows}")).unwrap();
    path
}

fn train_on(folder: &TempDir, data: &Path, more: &[&str]) -> Result<()> {
    let out = folder.path().join("out");
    let [data, out] = [data, &out].map(|path| path.to_str().unwrap());
    train(&arguments(&[&["--data", data, "--out", out], more].concat()).unwrap())
}

/// Its file may lie elsewhere; a run does not go on with other interactions.
#[test]
fn a_run_goes_on_with_its_own_data_only() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state");
    let on = |data: &Path, epochs: &str| {
        let state = state.to_str().unwrap();
        train_on(&folder, data, &["--checkpoint", state, "--resume", "--epochs", epochs])
    };
    on(&file(&folder, "data.csv", 8, 0), "1").unwrap();
    on(&file(&folder, "moved.csv", 8, 0), "2").unwrap();
    let reason = told(&folder, on(&file(&folder, "data.csv", 8, 1), "3").unwrap_err());
    assert!(
        reason.starts_with(
            "state/checkpoint.json: belongs to another run: task.fingerprint of the data"
        ),
        "{reason}"
    );
}

#[test]
fn the_model_of_another_program_is_not_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("out/model/model.safetensors");
    fs::create_dir_all(folder.path().join("out/model")).unwrap();
    let description = serde_json::json!({ "model": "memory_networks" });
    save_parameters(&place, &mut model(Choice::Din), &description).unwrap();
    let before = fs::read(&place).unwrap();
    let data = file(&folder, "data.csv", 8, 0);
    assert_eq!(
        told(&folder, train_on(&folder, &data, &["--epochs", "1"]).unwrap_err()),
        "out/model: holds a model of another program (memory_networks): choose another folder"
    );
    assert_eq!(fs::read(&place).unwrap(), before);
}

#[test]
fn too_little_is_refused_by_the_name_of_its_file() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(
        told(&folder, train_on(&folder, &file(&folder, "three.csv", 3, 0), &[]).unwrap_err()),
        "three.csv: nothing is left to train on when two purchases a customer are held out"
    );
}

/// Scores that overflow are refused, in the loop and after it.
#[test]
fn scores_that_are_no_numbers_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let data = file(&folder, "data.csv", 8, 0);
    let steep = ["--model", "din-sum", "--learning-rate", "1e6", "--epochs", "9"];
    let reason = told(&folder, train_on(&folder, &data, &steep).unwrap_err());
    assert!(reason.contains("Try a smaller learning rate"), "{reason}");

    let (data, _) = read_interactions(&data, &arguments(&[]).unwrap()).unwrap();
    let parts = Parts::last_out(&data);
    let none =
        |histories: &Histories| Matrix::from_element(data.items.len(), histories.len(), Float::NAN);
    let judged = judge((&data, &parts.test, 9), &[], &[Ruler::Full], &none);
    assert_eq!(
        judged.unwrap_err().to_string(),
        "a score of the model is no number: try a smaller learning rate"
    );
}

/// No model is built as a file says that is not of its size.
#[test]
fn sizes_that_a_file_cannot_hold_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.safetensors");
    let own = crate::support::recipe(Choice::Sasrec);
    let recommends = |kind: &str, recipe: Recipe, kinds: usize| {
        let items = (0..crate::support::ITEMS).map(|i| i.to_string()).collect();
        let kinds = (0..kinds).map(|i| format!("kind {i}")).collect();
        let description = Description { model: kind.to_owned(), recipe, items, kinds };
        save_parameters(&path, &mut model(Choice::Sasrec), &description).unwrap();
        let path = path.to_str().unwrap();
        recommend(&arguments(&["--checkpoint", path, "--history", "3,5"]).unwrap())
    };
    recommends("recommendation", own, 3).unwrap();
    for (kind, recipe, kinds) in [
        ("captioning", own, 3),
        ("recommendation", own, 0),
        ("recommendation", Recipe { width: 6 << 40, ..own }, 3),
        ("recommendation", Recipe { longest: 1 << 60, ..own }, 3),
        ("recommendation", Recipe { longest: 0, ..own }, 3),
        ("recommendation", Recipe { heads: 4, ..own }, 3),
        ("recommendation", Recipe { heads: 0, ..own }, 3),
        ("recommendation", Recipe { dropout: 2.0, ..own }, 3),
    ] {
        assert_eq!(
            told(&folder, recommends(kind, recipe, kinds).unwrap_err()),
            "model.safetensors: a model of another program, or of sizes that its numbers have not"
        );
    }
}
