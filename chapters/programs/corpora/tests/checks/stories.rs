//! Files of stories: what is read is what was written, and what is wrong is named with its line.

use corpora::stories::written;
use corpora::{Question, Story, read_stories};
use proptest::prelude::*;
use std::fs;

fn read(text: &str) -> Result<Vec<Story>, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("stories.txt");
    fs::write(&path, text).unwrap();
    let stories = read_stories(&path);
    stories.map_err(|error| error.to_string().replace(&path.display().to_string(), "FILE"))
}

#[test]
fn a_published_file_is_read() {
    let text = "1 Anna took the apple.\n2 Where is Anna? \thall\t1\n3 Anna went to the hall.\r\n\
                4 What is it?\tapple,cup\t1 3\n1 Paul left.\n2 Who left?\tPaul\t1\n";
    let stories = read(text).unwrap();
    assert_eq!(stories.len(), 2);
    let [first, second] = &stories[0].questions[..] else { panic!("two questions") };
    assert_eq!(stories[0].sentences[1].join(" "), "anna went to the hall");
    assert_eq!((first.told, &first.supports[..], first.line), (1, &[0][..], 2));
    assert_eq!((&second.answer[..], &second.supports[..]), ("apple,cup", &[0, 1][..]));
    assert_eq!(stories[1].questions[0].answer, "paul");
}

#[test]
fn what_is_wrong_is_named_with_its_line() {
    let faults = [
        ("1 a b.\n3 c d.\n", "FILE:2: line 3 of a story, 2 or 1 expected"),
        ("2 a b.\n", "FILE:1: line 2 of a story, 1 expected"),
        ("a b.\n", "FILE:1: begins with `a`, a line's number is needed"),
        ("1 a b.\n2 c?\tb\t3\n", "FILE:2: supporting fact 3: no sentence before it"),
        ("1 a b.\n2 c?\tb\t2\n", "FILE:2: supporting fact 2: no sentence before it"),
        ("1 a b.\n2 c?\tb\t0\n", "FILE:2: supporting fact 0: no sentence before it"),
        ("1 a b.\n2 c?\tb\tx\n", "FILE:2: supporting fact x: no sentence before it"),
        ("1 a b.\n2 c?\t\t1\n", "FILE:2: a question without an answer after its tab"),
        ("1 c?\tb\t\n", "FILE:1: a question before the first sentence of its story"),
        ("1 a b.\n2\n", "FILE:2: has no words after its number"),
        ("1 a b.\n", "FILE: has no question: a line with an answer after a tab"),
        ("", "FILE: has no question: a line with an answer after a tab"),
    ];
    for (text, fault) in faults {
        assert_eq!(read(text), Err(fault.to_owned()), "{text:?}");
    }
}

fn story() -> impl Strategy<Value = Story> {
    let words = || prop::collection::vec("[a-z]{1,4}", 1..4);
    let question = (words(), "[a-z]{1,4}", 1..5usize, prop::collection::vec(0..4usize, 0..3));
    (prop::collection::vec(words(), 4), prop::collection::vec(question, 1..3)).prop_map(
        |(sentences, mut questions)| {
            questions.sort_by_key(|question| question.2);
            let questions = questions.into_iter().map(|(words, answer, told, mut supports)| {
                supports.retain(|support| *support < told);
                Question { words, answer, supports, told, line: 0 }
            });
            Story { sentences, questions: questions.collect() }
        },
    )
}

proptest! {
    #[test]
    fn what_was_written_is_read(stories in prop::collection::vec(story(), 1..4)) {
        let mut again = read(&written(&stories)).unwrap();
        for question in again.iter_mut().flat_map(|story| &mut story.questions) {
            question.line = 0;
        }
        prop_assert_eq!(again, stories);
    }
}
