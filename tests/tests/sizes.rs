//! The course has a size: no file of Rust is longer than a reader takes in at one sitting, and no part of the course
//! has more lines than the table allows. Who raises a number says in the commit what the lines bought.

use std::fs;
use std::path::Path;

const LONGEST: usize = 400;
/// A file of evidence: all that a chapter's page rests on.
const LONGEST_EVIDENCE: usize = 450;

/// Lines of Rust below a path, the whole first.
#[rustfmt::skip]
const PARTS: &[(&str, usize)] = &[
    ("", 117_990),
    ("shared/src/", 2_520),
    ("shared/tests/", 570),
    ("shared/products/", 3_490),
    ("chapters/programs/workbench/", 10_960),
    ("chapters/programs/corpora/", 5_130),
    ("chapters/programs/parallel/", 4_350),
    ("chapters/theme/", 7_940),
    ("tests/src/", 3_300),
    ("tests/tests/", 3_130),
    ("tests/benches/", 1_150),
    ("tests/evidence/", 7_730),
    ("tests/f64/", 510),
];

/// A chapter's lines: mathematics, program with its world, checks and gradients, exercises with solutions and suites.
#[rustfmt::skip]
const CHAPTERS: &[(&str, [usize; 4])] = &[
    ("01_kernel_regression", [990, 150, 550, 880]),
    ("02_parametric_attention", [750, 170, 440, 810]),
    ("03_scoring_functions", [1_670, 260, 810, 1_080]),
    ("04_recurrent_networks", [2_180, 270, 780, 1_120]),
    ("05_seq2seq", [1_950, 2_170, 1_720, 1_070]),
    ("06_bahdanau", [810, 80, 560, 930]),
    ("07_luong", [1_090, 10, 510, 890]),
    ("08_hard_attention", [770, 260, 530, 1_260]),
    ("09_self_attention", [1_380, 250, 1_060, 1_580]),
    ("10_transformer", [1_110, 410, 1_480, 1_870]),
    ("11_bert", [1_940, 3_630, 2_070, 1_360]),
    ("12_fine_tuning", [790, 1_290, 840, 1_180]),
    ("13_recommendation", [1_250, 1_670, 800, 720]),
    ("14_memory_networks", [510, 1_180, 720, 820]),
    ("15_captioning", [780, 1_070, 580, 850]),
    ("16_language_model", [1_110, 1_590, 980, 720]),
    ("17_full_circle", [1_160, 180, 520, 710]),
];

/// The four columns of [`CHAPTERS`], by what a path inside of a chapter begins with; the last that fits counts.
const COLUMNS: &[(&str, usize)] = &[
    ("src/", 0),
    ("examples/", 0),
    ("src/program/", 1),
    ("src/main.rs", 1),
    ("src/translating/", 1),
    ("src/world/", 1),
    ("tests/", 2),
    ("exercises/", 3),
    ("solutions/", 3),
    ("tests/exercises/", 3),
];

#[test]
fn no_file_is_too_long_and_no_part_too_large() {
    let files = files();
    assert!(files.len() > 300, "only {} files found", files.len());
    let long = files.iter().filter_map(|(path, lines)| {
        let evidence = path.starts_with("tests/evidence/");
        let most = if evidence { LONGEST_EVIDENCE } else { LONGEST };
        (*lines > most).then(|| format!("{path}: {lines} lines, {most} at most"))
    });
    let parts = PARTS.iter().filter_map(|(path, most)| {
        let below = files.iter().filter(|(file, _)| file.starts_with(path));
        let lines: usize = below.map(|(_, lines)| lines).sum();
        (lines > *most).then(|| format!("{path}: {lines} lines, {most} at most"))
    });
    let chapters = CHAPTERS.iter().filter_map(|(name, most)| {
        let begin = format!("chapters/{name}/");
        let mut lines = [0; 4];
        for (path, count) in
            files.iter().filter_map(|(path, n)| Some((path.strip_prefix(&begin)?, n)))
        {
            let column = COLUMNS.iter().rev().find(|(begin, _)| path.starts_with(begin));
            lines[column.unwrap_or_else(|| panic!("{begin}{path} is of no kind")).1] += count;
        }
        (0..4)
            .any(|i| lines[i] > most[i])
            .then(|| format!("{begin}: {lines:?} lines, {most:?} at most"))
    });
    let faults: Vec<String> = long.chain(parts).chain(chapters).collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// Every file of Rust with its lines; those that were built aside.
fn files() -> Vec<(String, usize)> {
    fn visit(folder: &Path, root: &Path, found: &mut Vec<(String, usize)>) {
        for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry")) {
            let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
            let kind = entry.file_type().expect("a kind");
            if kind.is_dir() && name != "target" && !name.starts_with('.') {
                visit(&path, root, found);
            } else if kind.is_file() && name.ends_with(".rs") {
                let lines = fs::read_to_string(&path).expect("text").lines().count();
                let inside = path.strip_prefix(root).expect("below the root");
                found.push((inside.to_string_lossy().replace('\\', "/"), lines));
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    visit(&root, &root, &mut found);
    found
}
