//! `translate --file`: line by line what `translate` says, and nothing half-written.

use crate::place::{Place, text};
use std::fs;
use std::sync::OnceLock;

/// A place with a trained model, which is trained once.
fn trained() -> Place {
    static MODEL: OnceLock<Vec<u8>> = OnceLock::new();
    const PATH: &str = "out/seq2seq/model/model.safetensors";
    let model = MODEL.get_or_init(|| {
        let place = Place::new();
        place.pairs();
        text(&place.train(""));
        fs::read(place.path(PATH)).unwrap()
    });
    let place = Place::new();
    fs::create_dir_all(place.path(PATH).parent().unwrap()).unwrap();
    place.write(PATH, model);
    place
}

#[test]
fn every_line_is_translated_in_its_place() {
    let place = trained();
    let sentences =
        ["The black cat sleeps.", "The red owl runs.", "", "The purple dog sings, the dog."];
    let many: Vec<&str> = sentences.iter().copied().cycle().take(70).collect(); // several batches
    place.write("in.txt", format!("\u{feff}{}", many.join("\r\n")));
    let told = text(&place.run("translate --file in.txt --output out.txt"));
    assert!(told.contains("70 lines translated into out.txt"), "{told}");
    let unknown = "does not know, translated around: 51 (`purple`, `the`, `,`)";
    assert!(told.contains(unknown), "{told}");

    let expected = sentences.map(|sentence| match sentence {
        "" => "\n".to_owned(),
        _ => text(&place.command("translate").args([sentence, "--unknown"]).output().unwrap()),
    });
    let found = fs::read_to_string(place.path("out.txt")).unwrap();
    assert!(found.ends_with('\n'));
    assert_eq!(found.lines().count(), 70);
    for (i, line) in found.lines().enumerate() {
        assert_eq!(format!("{line}\n"), expected[i % 4], "line {}", i + 1);
    }

    place.write("empty.txt", "");
    text(&place.run("translate --file empty.txt --output none.txt"));
    assert_eq!(fs::read_to_string(place.path("none.txt")).unwrap(), "");
}

#[test]
fn files_that_do_not_fit_are_told_before_anything_is_translated() {
    let place = trained();
    fs::create_dir(place.path("folder")).unwrap();
    place.write("good.txt", "the cat sleeps.\n");
    place.write("long.txt", format!("the cat.\n\n{}\n", "cat ".repeat(201)));
    place.write("bytes.txt", b"cat\n\xff\n");
    let cases = [
        (
            "long.txt",
            "out.txt",
            "long.txt:3: the sentence has 201 words; 200 are the most that can be",
        ),
        ("bytes.txt", "out.txt", "bytes.txt:2: this is not valid UTF-8 text"),
        ("good.txt", "folder", "folder: a folder is not written over"),
        ("good.txt", "./good.txt", "./good.txt: is not known to be this program's"),
        ("good.txt", "out.txt --checkpoint absent", "absent: no trained model here"),
    ];
    for (file, output, expected) in cases {
        let line = place.refused(&format!("translate --file {file} --output {output}"));
        assert!(line.starts_with(expected), "{line}");
    }
    assert!(!place.path("out.txt").exists());
    assert_eq!(fs::read(place.path("good.txt")).unwrap(), b"the cat sleeps.\n");
    for wrong in ["--file good.txt", "--output out.txt", "cat --file good.txt --output out.txt"] {
        let output = place.run(&format!("translate {wrong}"));
        assert_eq!(output.status.code(), Some(2), "{wrong}");
    }
    assert!(nothing_unfinished(&place));
}

fn nothing_unfinished(place: &Place) -> bool {
    let mut left = fs::read_dir(place.path("")).unwrap().map(|entry| entry.unwrap().file_name());
    left.all(|name| !name.to_string_lossy().ends_with(".unfinished"))
}
