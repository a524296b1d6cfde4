//! The order of classes.

use crate::line::told;
use crate::support::file;
use fine_tuning::program::{Task, labels_of, read_data, read_table};

fn labels(content: &str) -> Result<Vec<String>, String> {
    let (folder, path) = file(content);
    let table = read_table(&path).map_err(|error| told(&folder, error))?;
    labels_of(&path, &table).map_err(|error| told(&folder, error))
}

#[test]
fn the_order_of_labels_is_not_that_of_the_lines() {
    assert_eq!(labels("text\tlabel\na\tno\nb\tmaybe\nc\tno\nd\tmaybe\n").unwrap(), ["maybe", "no"]);
    let numbers = "text\tlabel\na\t10\nb\t9\nc\t-1\nd\t10\ne\t9\nf\t-1\n";
    assert_eq!(labels(numbers).unwrap(), ["-1", "9", "10"]);
    let mixed = "text\tlabel\na\t10\nb\t9\nc\tx\nd\t10\ne\t9\nf\tx\n";
    assert_eq!(labels(mixed).unwrap(), ["10", "9", "x"]);
}

#[test]
fn labels_that_cannot_be_learnt_are_refused() {
    let once = "text\tlabel\na\tyes\nb\tno\nc\tyse\nd\tyes\ne\tno\n";
    assert_eq!(
        labels(once).unwrap_err(),
        "FILE:4: the label `yse` is seen here and nowhere else: a slip?"
    );
    let one = labels("words\ttags\na b\tx x\n").unwrap_err();
    assert_eq!(one, "FILE: every `tags` is `x`: there is nothing to distinguish");
    assert_eq!(labels("text\na\n").unwrap_err(), "FILE: there is no column `label`");
    assert_eq!(labels("text\tlabel\n\na\t \n").unwrap_err(), "FILE:3: column `label` is empty");
    assert_eq!(labels("words\ttags\na b\tx\n").unwrap_err(), "FILE:2: 2 words, but 1 tags");
}

#[test]
fn a_label_that_was_not_learnt_is_refused_where_it_stands() {
    let (_folder, path) = file("text\tlabel\na\tyes\nb\tno\nc\tyes\nd\tno\n");
    let (other, test) = file("text\tlabel\na\tyes\nb\tperhaps\n");
    let error = read_data(&path, [None, Some(&test)], 0).unwrap_err();
    assert_eq!(told(&other, error), "FILE:3: `perhaps` is none of the labels learnt");
    let (other, pairs) = file("first\tsecond\tlabel\na\tb\tyes\n");
    let error = read_data(&path, [Some(&pairs), None], 0).unwrap_err();
    assert_eq!(
        told(&other, error),
        "FILE: has `first`, `second` to be read, where `text` is needed"
    );
}

/// Equal texts go to one part, and every example goes somewhere.
#[test]
fn what_is_held_out_is_not_learnt() {
    let lines: String = (0..90).map(|i| format!("text {}\t{}\n", i / 3, i % 2)).collect();
    let (_folder, path) = file(format!("text\tlabel\n{lines}"));
    let data = read_data(&path, [None, None], 1).unwrap();
    let parts = [&data.training, &data.validation, &data.test];
    assert_eq!(parts.map(Vec::len), [72, 9, 9]);
    for (a, b) in [(0, 1), (0, 2), (1, 2)] {
        let texts = |part: usize| parts[part].iter().map(|example| &example.texts);
        assert!(texts(a).all(|text| texts(b).all(|other| other != text)));
    }
    let (folder, path) = file("text\tlabel\na\t1\na\t2\na\t1\na\t2\n");
    let error = told(&folder, read_data(&path, [None, None], 0).unwrap_err());
    assert!(error.starts_with("FILE: 4 examples are too few to hold some out"), "{error}");
}

#[test]
fn generated_tasks_name_their_classes_in_order() {
    let labels = Task::ALL.map(|task| crate::support::few(task, 30).labels);
    assert_eq!(labels[0], ["food", "games", "weather", "jobs"]);
    assert_eq!(labels[1], ["next", "another"]);
    assert_eq!(labels[2], ["person", "animal", "place", "thing", "other"]);
    for task in Task::ALL {
        let data = crate::support::few(task, 30);
        let answered = |class: usize| data.training.iter().any(|e| e.answers.contains(&class));
        assert!((0..data.labels.len()).all(answered), "{task:?}");
    }
}
