//! From a published file to answers, and what is refused.

use crate::line::{arguments, told};
use memory_networks::program::{Saved, answer, tell, train, weights};
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;
use workbench::error::Result;

fn file(folder: &TempDir, name: &str, text: &str) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    path
}

/// Forty stories of who is where, two lines and a question each.
fn published() -> String {
    let (who, places) = (["Mia", "Leo"], ["attic", "yard", "shop"]);
    let stories = (0..40).map(|i| {
        let (a, b) = (places[i % 3], places[(i / 3) % 3]);
        let asked = i % 2;
        let right = [a, b][asked];
        format!(
            "1 {} went to the {a}.\n2 {} went to the {b}.\n3 Where is {}?\t{right}\t{}\n",
            who[0],
            who[1],
            who[asked],
            asked + 1
        )
    });
    stories.collect()
}

fn train_on(folder: &TempDir, text: &str, more: &[&str]) -> Result<()> {
    let path = file(folder, "stories.txt", text);
    let out = folder.path().join("out");
    let [path, out] = [&path, &out].map(|path| path.to_str().unwrap());
    train(&arguments(&[&["--file", path, "--out", out], more].concat()).unwrap())
}

#[test]
fn a_published_file_is_learnt_and_a_story_of_ones_own_answered() {
    let folder = tempfile::tempdir().unwrap();
    train_on(
        &folder,
        &published(),
        &["--epochs", "200", "--learning-rate", "0.02", "--hops", "2", "--width", "12"],
    )
    .unwrap();
    let model = folder.path().join("out/model");
    let saved = Saved::read(&model).unwrap();
    let lines = ["Mia went to the yard.", "Leo went to the shop.", "Where is Mia?"];
    let mut story = corpora::Story::default();
    for (text, line) in lines.iter().zip(1..) {
        tell(&mut story, line, text, &saved.lexicon).unwrap();
    }
    let example = &saved.lexicon.examples(&story, 50).unwrap()[0];
    let (word, sure, weights) = weights(&saved.network, example);
    assert_eq!(saved.lexicon.word(word), "yard");
    assert!(sure > 0.5 && weights.shape() == (2, 2), "{sure} {weights}");
    let results = fs::read_to_string(folder.path().join("out/results.json")).unwrap();
    assert!(results.contains("stories.txt"));
    assert!(folder.path().join("out/hops.svg").exists());

    let ask = |text: &str| {
        let path = file(&folder, "own.txt", text);
        let [path, model] = [&path, &model].map(|path| path.to_str().unwrap());
        told(&folder, answer(&arguments(&[path, "--model", model]).unwrap()).unwrap_err())
    };
    assert_eq!(
        ask("Leo went to the moon.\nWhere is Leo?"),
        "own.txt:1: the word `moon` is in no story that was trained on"
    );
    assert_eq!(
        ask("Leo went to the yard.\n?"),
        "own.txt: asks nothing: a line that ends with `?` is a question"
    );
    assert_eq!(ask("Where is Leo?"), "own.txt:1: a question before the first sentence");
}

#[test]
fn files_that_cannot_be_trained_on_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let refused =
        |text: &str, more: &[&str]| told(&folder, train_on(&folder, text, more).unwrap_err());
    let story = "1 mia left.\n2 who left?\tmia\t1\n";
    let unknown = file(&folder, "test.txt", "1 mia left.\n2 who left?\tleo\t1\n");
    assert_eq!(
        refused(story, &["--test", unknown.to_str().unwrap()]),
        "test.txt:2: the answer `leo` is in no story that was trained on"
    );
    let unknown = file(&folder, "test.txt", "1 leo left.\n2 who left?\tmia\t1\n");
    assert_eq!(
        refused(story, &["--test", unknown.to_str().unwrap()]),
        "test.txt:2: the word `leo` is in no story that was trained on (in a sentence before the question)"
    );
    assert_eq!(
        refused(&("1 mia who left.\n".repeat(9) + story), &[]),
        "stories.txt: has no question to train on"
    );
    assert_eq!(
        refused(story, &[]),
        "stories.txt: has too few stories: none is left to test on (--test FILE)"
    );
    assert_eq!(
        refused(story, &["--linear-start", "1.5"]),
        "--linear-start 1.5: a share from 0 to 1 is needed"
    );
}

/// A file of another size, or cut, is not taken for a model.
#[test]
fn a_damaged_model_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    train_on(&folder, &published(), &["--epochs", "1", "--hops", "1", "--width", "4"]).unwrap();
    let copy = tempfile::tempdir().unwrap();
    let name = workbench::parameters::MODEL_FILE;
    let bytes = fs::read(folder.path().join("out/model").join(name)).unwrap();
    fs::write(copy.path().join(name), &bytes[..bytes.len() - 40]).unwrap();
    assert!(Saved::read(copy.path()).is_err());
    assert!(Saved::read(&copy.path().join("none")).is_err());
}
