//! Where sentences begin and end: random starts, and the last position. And the committed page of attentions.

use seq2seq::translating::Words;
use seq2seq::{BEGIN, Batch, Translator};
use shared::{Tape, rng};
use std::path::Path;
use std::process::Command;
use transformer::program::{CHAPTER, Sizes};
use workbench::viewer::Viewer;

/// Exit code and what was said.
fn program(folder: &Path, arguments: &str) -> (Option<i32>, String) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_transformer"));
    let output = program.current_dir(folder).args(arguments.split(' ')).output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// The links are the grammar's; what silenced heads do is what the chapter says.
#[test]
fn the_committed_page_of_attentions_is_drawn_from_its_own_data() {
    let known = parallel::examples()[0].alignment.clone().unwrap();
    let folder = env!("CARGO_MANIFEST_DIR");
    tests::chapter::attentions(folder, |data| {
        let mut viewer = serde_json::from_str::<Viewer>(data).unwrap();
        viewer.states[0].groups[2].links =
            known.sure.iter().map(|&(read, written)| [written, read]).collect();
        let without = |head: [usize; 3]| {
            let state = viewer.states.iter().find(|state| state.silenced == Some(head));
            state.unwrap().answer.as_str()
        };
        assert_eq!(without([2, 1, 2]), viewer.states[0].answer);
        assert!(without([2, 1, 0]).contains("la cheval"));
        viewer.html()
    });
    let drawing = std::fs::read_to_string(format!("{folder}/figures/attention.svg")).unwrap();
    assert!(drawing.contains("To write “cheval”, head 3 of block 2 looks at “horse” ("));
}

/// With sinusoids every start gives other inputs; judged, all sentences begin at position 0.
#[test]
fn pairs_begin_at_random_places_while_training_and_at_0_otherwise() {
    let words = Words { source: 9, target: 9 };
    let still = Sizes { dropout: 0.0, smoothing: 0.0, ..Sizes::QUICK };
    let moved = Sizes { start: 16, ..still.clone() };
    let pair: (&[usize], &[usize]) = (&[3, 4, 2], &[5, 6, 7, 2]);
    let batch = Batch::new(&[pair, pair], BEGIN);
    let loss = |sizes: &Sizes, seed: Option<u64>| {
        let model = (CHAPTER.build)(sizes, words, &mut rng(0));
        let tape = seed.map_or_else(Tape::no_grad, |seed| Tape::training(rng(seed)));
        model.loss(&tape, &batch).scalar()
    };
    assert_eq!(loss(&still, Some(1)), loss(&still, Some(2)));
    assert_ne!(loss(&moved, Some(1)), loss(&moved, Some(2)));
    assert_eq!(loss(&moved, None), loss(&still, None));
}

/// No more positions than the table of positions has, and no table that no argument can give.
#[test]
fn a_start_beyond_the_positions_is_refused() {
    let check = |start, longest| (CHAPTER.check)(&Sizes { start, longest, ..Sizes::QUICK }, false);
    let reason = check(65, 128).unwrap_err();
    assert!(reason.contains("position 65") && reason.contains("128 tokens"), "{reason}");
    assert!(check(64, 128).is_ok() && check(u32::MAX, 128).is_err() && check(0, u32::MAX).is_err());
    let moved = Sizes { start: 48, ..Sizes::QUICK };
    let model = (CHAPTER.build)(&moved, Words { source: 9, target: 9 }, &mut rng(0));
    assert_eq!(Translator::longest(&model), 128 - 48); // wherever it begins, it ends within the table
}

/// A sentence longer than the table of positions is refused before the training.
#[test]
fn sentences_beyond_the_last_place_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let lines = |i: usize| format!("cat {i}\tchat {i}\n");
    let long = "so many words that nine positions cannot hold them all";
    let text: String = (0..40).map(lines).chain([format!("{long}\toui\n")]).collect();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let refused = |arguments: &str, reason: &str| {
        let (code, said) = program(folder.path(), arguments);
        assert!(code == Some(2) && said.contains(reason), "{said}");
    };
    let train =
        "train --data pairs.tsv --min-frequency 1 --width 8 --heads 2 --longest 9 --epochs 1";
    write("pairs.tsv", &text);
    refused(train, "positions for 9");

    write("pairs.tsv", &(0..40).map(lines).collect::<String>());
    assert_eq!(program(folder.path(), train).0, Some(0));
    write("in.txt", &format!("cat 1\n{long}\n"));
    refused("translate --file in.txt --output out.txt", "in.txt:2: the sentence has 11 words");
    // Hardly trained, it does not find an end: the end word would be one position too far.
    refused("translate cat --view look.html --beam 1", "without an end");
}
