//! The commands: what they answer, what they refuse, and a training that is killed.

use crate::support::{letters, packed, small, stirred, tensors};
use bert::experiment::{
    Beginning, Corpus, Held, Model, PairsFirst, PretrainingTask, Share, candidates, options,
    pretrain_model,
};
use bert::interchange::write_pretraining;
use bert::{Config, Pretraining, Tokens};
use corpora::word_piece::{Settings, WordPiece};
use serde_json::Value;
use shared::{Float, Matrix, Module, Rng, Tape, Var, rng};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use tempfile::TempDir;
use tests::{assert_close, kill_when};
use workbench::stream;
use workbench::training::{Evaluation, Options, Prepared, Schedule, Task, json, train};
use workbench::viewer::Viewer;

/// A folder to run the program in.
struct Place(TempDir);

/// Sizes that train in a moment.
const SMALL: &str = "--width 8 --feed-forward 8 --heads 2 --blocks 1 --longest 16";

/// What the chapter's own training has, for a text as well.
const BOTH: [&str; 4] = ["--alike", "4", "--pairs-first", "0.15"];

impl Place {
    fn new() -> Place {
        Place(tempfile::tempdir().unwrap())
    }

    /// With a model of eleven pieces and eleven places in the folder `model`.
    fn with_model() -> (Place, Pretraining) {
        let (place, mut model) = (Place::new(), stirred(&sizes(), 5));
        let pieces = letters();
        write_pretraining(&place.path("model"), Some(&pieces), &mut model, &sizes()).unwrap();
        (place, model)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bert"));
        command.current_dir(self.0.path()).args(arguments).output().unwrap()
    }

    /// What it prints when all is well.
    fn printed(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && errors.is_empty(), "{arguments:?}: {errors}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// The reason why it ends with exit code 2, told in one line.
    fn refused(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
        assert_eq!(errors.lines().count(), 1, "{arguments:?}: {errors}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        errors.trim_end().strip_prefix("error: ").expect("an error").to_owned()
    }

    /// The reason why a corpus of these bytes is refused; nothing is left behind.
    fn refused_corpus(&self, bytes: &[u8], more: &[&str]) -> String {
        fs::write(self.path("text.txt"), bytes).unwrap();
        let arguments = ["--corpus", "text.txt", "--vocabulary", "60"];
        let reason = self.refused(&[&arguments[..], more].concat());
        assert_eq!(files(self.0.path()), [self.path("text.txt")]);
        reason
    }

    fn embed(&self, lines: &str, more: &[&str]) -> Vec<Vec<Float>> {
        let (vectors, told) = self.embed_and_tell(lines, more);
        assert!(
            told.is_empty() || told == "lines with more than 11 pieces, cut off: 1\n",
            "{told}"
        );
        vectors
    }

    /// The vectors, and what is told beside them.
    fn embed_and_tell(&self, lines: &str, more: &[&str]) -> (Vec<Vec<Float>>, String) {
        fs::write(self.path("lines.txt"), lines).unwrap();
        let arguments = ["embed", "--checkpoint", "model", "--file", "lines.txt"];
        let output = self.run(&[&arguments[..], more].concat());
        let [printed, told] =
            [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        assert!(output.status.success(), "{told}");
        let number = |text: &str| text.parse().unwrap();
        (printed.lines().map(|line| line.split(' ').map(number).collect()).collect(), told)
    }
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// Those of [`small`] with a piece for every letter.
fn sizes() -> Config {
    Config { vocabulary: letters().len(), ..small() }
}

const FILL: [&str; 3] = ["fill", "--checkpoint", "model"];

fn fill<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&FILL[..], more].concat()
}

/// The likeliest first, with the probabilities that the model gives.
#[test]
fn fill_tells_the_most_likely_pieces() {
    let (place, model) = Place::with_model();
    let pieces = letters();
    let text = ["a b [MASK] c", "--second", "d e"];
    let json = place.printed(&fill(&[&text[..], &["--top", "4", "--json"]].concat()));
    let found: Value = serde_json::from_str(&json).unwrap();
    let tape = Tape::without_gradients();
    let tokens = Tokens::of(&pieces.cut("a b [MASK] c"), Some(&pieces.cut("d e")), &special());
    let (h, _) = model.bert.forward(&tape, &tokens);
    let mut p = model.masked_logits(h, &[3]).value().as_slice().to_vec();
    shared::elementwise::softmax(&mut p);
    let mut order: Vec<usize> = (0..pieces.len()).collect();
    order.sort_by(|a, b| p[*b].total_cmp(&p[*a]));
    assert_eq!(found.as_array().unwrap().len(), 4);
    for (candidate, i) in found.as_array().unwrap().iter().zip(order) {
        assert_eq!(candidate["piece"], pieces.piece(i));
        assert_close!(candidate["probability"].as_f64().unwrap() as Float, p[i], 1e-6);
    }
    let lines = place.printed(&fill(&[&text[..], &["--top", "4"]].concat()));
    let pieces = lines.lines().map(|line| line.split(' ').next().unwrap());
    assert!(
        pieces.eq(found.as_array().unwrap().iter().map(|found| found["piece"].as_str().unwrap()))
    );
}

#[test]
fn fill_asks_for_one_hole() {
    let (place, _) = Place::with_model();
    assert!(place.refused(&fill(&["a b c"])).contains("no [MASK] in the text"));
    let reason = place.refused(&fill(&["a [MASK] c", "--second", "[MASK] d [MASK]"]));
    assert!(reason.contains("3 times [MASK]: one is needed"), "{reason}");
    assert!(place.refused(&fill(&[""])).contains("no [MASK]"));
    place.printed(&fill(&["", "--second", "[MASK]"]));
}

/// The model has eleven places.
#[test]
fn a_text_beyond_the_last_place_is_refused() {
    let (place, _) = Place::with_model();
    place.printed(&fill(&["a b c d e f a b [MASK]"]));
    let reason = place.refused(&fill(&["a b c d e f a b c [MASK]"]));
    assert!(reason.contains("12 pieces with their marks, but the model has 11 places"), "{reason}");
    let before = files(place.0.path());
    let view = ["view", "--checkpoint", "model", "a b c d e f", "--second", "a b c"];
    assert!(place.refused(&view).contains("11 places"));
    assert_eq!(files(place.0.path()), before);
    place.printed(&["view", "--checkpoint", "model", "a b c d e", "--second", "a b c"]);
    assert!(fs::read_to_string(place.path("attention.html")).unwrap().contains("<html"));
}

#[test]
fn the_committed_page_of_attentions_is_drawn_from_its_own_data() {
    tests::chapter::attentions(env!("CARGO_MANIFEST_DIR"), |data| {
        serde_json::from_str::<Viewer>(data).unwrap().html()
    });
}

#[test]
fn a_folder_that_holds_no_model_is_refused() {
    let (place, _) = Place::with_model();
    let reason = place.refused(&["fill", "[MASK]"]);
    assert!(reason.contains("no such folder; this trains a model"), "{reason}");
    fs::remove_file(place.path("model/tokenizer.json")).unwrap();
    place.printed(&fill(&["[MASK]"])); // there is still vocab.txt
    fs::remove_file(place.path("model/vocab.txt")).unwrap();
    let reason = place.refused(&fill(&["[MASK]"]));
    assert_eq!(reason, "model: has neither tokenizer.json nor vocab.txt");
}

/// A vocabulary of more pieces than there are vectors belongs to another model.
#[test]
fn a_vocabulary_of_another_model_is_refused() {
    let (place, _) = Place::with_model();
    let text = fs::read_to_string(place.path("model/vocab.txt")).unwrap() + "g\n";
    fs::write(place.path("model/vocab.txt"), text).unwrap();
    fs::remove_file(place.path("model/tokenizer.json")).unwrap();
    let reason = place.refused(&fill(&["[MASK]"]));
    assert_eq!(reason, "model: 12 pieces in the vocabulary, but vectors for 11");
}

/// The folder `model` with a tensor of other rows, and a size of `config.json` that says so.
fn resize(place: &Place, name: &str, size: &str, rows: usize) {
    let mut all = tensors(&place.path("model"));
    for tensor in all.iter_mut().filter(|tensor| tensor.name.ends_with(name)) {
        let row = tensor.bytes.len() / tensor.shape[0];
        tensor.shape[0] = rows;
        let bytes = tensor.bytes.iter().copied().cycle();
        tensor.bytes = bytes.take(rows * row).collect();
    }
    fs::write(place.path("model/model.safetensors"), packed(&all)).unwrap();
    let config = place.path("model/config.json");
    let mut fields: Value = serde_json::from_slice(&fs::read(&config).unwrap()).unwrap();
    fields[size] = rows.into();
    fs::write(config, fields.to_string()).unwrap();
}

/// Vectors without a piece are nobody's answer.
#[test]
fn more_vectors_than_pieces_are_fine() {
    let (place, _) = Place::with_model();
    resize(&place, "word_embeddings.weight", "vocab_size", 16);
    resize(&place, "cls.predictions.bias", "vocab_size", 16);
    assert_eq!(place.printed(&fill(&["a [MASK]", "--top", "1000"])).lines().count(), 11);
}

#[test]
fn a_second_text_needs_a_second_segment() {
    let (place, _) = Place::with_model();
    resize(&place, "token_type_embeddings.weight", "type_vocab_size", 1);
    place.printed(&fill(&["a [MASK]"]));
    let reason = "model: this model knows no second segment";
    assert_eq!(place.refused(&fill(&["a [MASK]", "--second", "b"])), reason);
    let view = ["view", "--checkpoint", "model", "a", "--second", "b"];
    assert_eq!(place.refused(&view), reason);
}

#[test]
fn a_text_needs_a_place_between_its_marks() {
    let (place, _) = Place::with_model();
    for places in [1, 2] {
        resize(&place, "position_embeddings.weight", "max_position_embeddings", places);
        let reason = format!("model: {places} places: at least 3 are needed");
        assert_eq!(place.refused(&fill(&["[MASK]"])), reason);
    }
}

/// Three million numbers justify a million places, but no attention between all of them.
#[test]
fn a_text_that_takes_too_much_memory_is_refused() {
    let (place, _) = Place::with_model();
    resize(&place, "position_embeddings.weight", "max_position_embeddings", 500_000);
    let text = "a ".repeat(400_000);
    fs::write(place.path("lines.txt"), &text).unwrap();
    let embed = ["embed", "--checkpoint", "model", "--file", "lines.txt"];
    let reason = place.refused(&embed);
    assert!(reason.starts_with("reading this text would take about "), "{reason}");
}

/// Finite parameters whose products are not.
#[test]
fn numbers_that_are_too_large_are_refused() {
    let (place, _) = Place::with_model();
    let mut all = tensors(&place.path("model"));
    for tensor in &mut all {
        tensor.bytes = tensor.bytes.chunks(4).flat_map(|_| 3e38f32.to_le_bytes()).collect();
    }
    fs::write(place.path("model/model.safetensors"), packed(&all)).unwrap();
    let told = "model: its numbers are too large: what it computes is no number";
    assert_eq!(place.refused(&fill(&["a [MASK]"])), told);
    fs::write(place.path("lines.txt"), "a b\n").unwrap();
    assert_eq!(place.refused(&["embed", "--checkpoint", "model", "--file", "lines.txt"]), told);
    let view = ["view", "--checkpoint", "model", "a", "--output", "page.html"];
    assert_eq!(place.refused(&view), told);
    assert!(!place.path("page.html").exists());
}

/// As a program leaves it that is killed while the model takes the place of an older one.
#[test]
fn a_model_without_its_seal_is_refused() {
    let (place, _) = Place::with_model();
    fs::remove_file(place.path("model/config.json")).unwrap();
    assert_eq!(
        place.refused(&fill(&["[MASK]"])),
        "model/config.json: is not there: no model, or one that was not written to its end"
    );
}

/// What is read, and the model that is asked, are never written over.
#[test]
fn nothing_that_is_read_is_written_over() {
    let (place, _) = Place::with_model();
    for (command, name) in [
        ("pretrain", "results.json"),
        ("pretrain", "ladder.svg"),
        ("pretrain", "attention.html"),
        ("pretrain", "corpus.numbers"),
        ("compare", "compare.json"),
        ("compare", "starts.svg"),
        ("compare", "corpus.numbers"),
    ] {
        fs::write(place.path(name), documents()).unwrap();
        let train = [command, "--corpus", name, "--out", "."];
        let reason = place.refused(&[&train[..], &BOTH].concat());
        assert!(reason.starts_with(&format!("{name}: would be written over")), "{reason}");
        assert_eq!(fs::read_to_string(place.path(name)).unwrap(), documents());
    }
    let view = ["view", "--checkpoint", "model", "a", "--output", "model/config.json"];
    let reason = place.refused(&view);
    assert_eq!(
        reason,
        "model/config.json: is read by this program and not written over: choose another place"
    );
}

#[test]
fn embed_reads_standard_input() {
    let (place, _) = Place::with_model();
    let expected = place.embed("a b\nc\n", &[]);
    let embed = |out: Stdio| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_bert"))
            .current_dir(place.0.path())
            .args(["embed", "--checkpoint", "model", "--file", "-"])
            .stdin(Stdio::from(fs::File::open(place.path("lines.txt")).unwrap()))
            .stdout(out)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdout.take();
        child.wait_with_output().unwrap()
    };
    let printed = place.path("printed");
    embed(fs::File::create(&printed).unwrap().into());
    let printed = fs::read_to_string(printed).unwrap();
    let numbers = |line: &str| line.split(' ').map(|x| x.parse().unwrap()).collect::<Vec<Float>>();
    assert_eq!(printed.lines().map(numbers).collect::<Vec<_>>(), expected);
    if cfg!(target_os = "linux") {
        let full = embed(fs::File::create("/dev/full").unwrap().into());
        let told = String::from_utf8_lossy(&full.stderr).into_owned();
        assert_eq!(told, "error: standard output cannot be written to: no space left on device\n");
        assert_eq!(full.status.code(), Some(2));
    }
    assert!(embed(Stdio::piped()).status.success(), "who reads has enough");
}

/// Without its heads a model embeds and shows where it looks, but tells no pieces.
#[test]
fn an_encoder_alone_can_be_asked_for_vectors() {
    let (place, _) = Place::with_model();
    let expected = place.embed("a b\n", &[]);
    let mut kept = tensors(&place.path("model"));
    let file = place.path("model/model.safetensors");
    kept.retain(|tensor| !tensor.name.starts_with("cls."));
    fs::write(&file, packed(&kept)).unwrap();
    assert_eq!(place.embed("a b\n", &[]), expected);
    let reason = place.refused(&fill(&["[MASK]"]));
    assert!(reason.contains("without the head that tells hidden pieces"), "{reason}");
    kept.retain(|tensor| !tensor.name.contains("pooler"));
    fs::write(&file, packed(&kept)).unwrap();
    assert_eq!(place.embed("a b\n", &["--pooling", "cls"])[0].len(), sizes().width);
    let embed = ["embed", "--checkpoint", "model", "--file", "lines.txt", "--pooling", "pooler"];
    assert!(place.refused(&embed).contains("no pooler"));
}

/// Lines of many lengths, an empty one, and one that is longer than the places.
fn lines() -> Vec<String> {
    let word = |i: usize| ["a", "b", "c", "d", "e", "f"][i * i % 6];
    let line = |n: usize| (n..2 * n).map(word).collect::<Vec<_>>().join(" ");
    (0..70).map(|i| line((5 * i) % 8)).chain([line(30)]).collect()
}

/// A vector has the same numbers alone and among others, and the place of its line.
#[test]
fn embed_keeps_lines_apart() {
    let (place, _) = Place::with_model();
    let lines = lines();
    for pooling in ["mean", "cls", "pooler"] {
        let all = place.embed(&(lines.join("\n") + "\n"), &["--pooling", pooling]);
        assert_eq!(all.len(), lines.len());
        for i in [0, 1, 2, 3, 34, 70] {
            let alone = place.embed(&(lines[i].clone() + "\n"), &["--pooling", pooling]);
            assert_eq!(alone.len(), 1);
            for (x, y) in alone[0].iter().zip(&all[i]) {
                assert!((x - y).abs() < 1e-6, "{pooling}, line {i}: {x} alone, {y} among others");
            }
        }
    }
}

/// Against the model itself: the mean has length 1; `[CLS]` and the pooler are taken as they are.
#[test]
fn embed_takes_the_vectors_it_says() {
    let (place, model) = Place::with_model();
    let pieces = letters();
    let lines = lines();
    let expected = |line: &str| -> [Matrix; 3] {
        let mut text = pieces.cut(line);
        text.truncate(sizes().longest - 2);
        let (tape, tokens) = (Tape::without_gradients(), Tokens::of(&text, None, &special()));
        let (h, _) = model.bert.forward(&tape, &tokens);
        let pooled = Matrix::clone(&model.bert.pooled(h, &tokens).value());
        let mean = Matrix::from_column_slice(sizes().width, 1, h.value().column_mean().as_slice());
        let length = mean.norm();
        [mean / length, h.value().columns(0, 1).into_owned(), pooled]
    };
    let text = lines.join("\n");
    let found =
        ["mean", "cls", "pooler"].map(|pooling| place.embed(&text, &["--pooling", pooling]));
    for (i, line) in lines.iter().enumerate() {
        for (found, expected) in found.iter().zip(expected(line)) {
            assert_close!(Matrix::from_column_slice(sizes().width, 1, &found[i]), expected, 1e-5);
        }
        let length: Float = found[0][i].iter().map(|x| x * x).sum();
        assert!((length.sqrt() - 1.0).abs() < 1e-6, "length {length} in line {i}");
    }
}

/// `modules.json` and the files it names, as *sentence-transformers* writes them.
#[test]
fn embed_follows_the_folder_of_a_sentence_encoder() {
    let (place, model) = Place::with_model();
    let module = |class: &str, path: &str| json!({"type": format!("sentence_transformers.models.{class}"), "path": path});
    let write = |modules: &[Value], pooling: Value| {
        fs::create_dir_all(place.path("model/1_Pooling")).unwrap();
        fs::write(place.path("model/modules.json"), json!(modules).to_string()).unwrap();
        fs::write(place.path("model/1_Pooling/config.json"), pooling.to_string()).unwrap();
    };
    let two = [module("Transformer", ""), module("Pooling", "1_Pooling")];
    let three = [two.clone().to_vec(), vec![module("Normalize", "2_Normalize")]].concat();
    let sentence = json!({"max_seq_length": 5, "do_lower_case": false}).to_string();
    fs::write(place.path("model/sentence_bert_config.json"), sentence).unwrap();

    let (tape, tokens) =
        (Tape::without_gradients(), Tokens::of(&letters().cut("a b c"), None, &special()));
    let (h, _) = model.bert.forward(&tape, &tokens);
    let h = h.value();
    let rows = |f: &dyn Fn(&[Float]) -> Float| -> Vec<Float> {
        h.row_iter().map(|row| f(&row.iter().copied().collect::<Vec<_>>())).collect()
    };
    let mean = rows(&|row| row.iter().sum::<Float>() / row.len() as Float);
    let max = rows(&|row| row.iter().copied().fold(Float::MIN, Float::max));
    let unit = |x: &[Float]| {
        let length = x.iter().map(|x| x * x).sum::<Float>().sqrt();
        x.iter().map(|x| x / length).collect::<Vec<_>>()
    };
    for (modules, pooling, expected) in [
        (&two[..], json!({"pooling_mode_mean_tokens": true}), mean.clone()),
        (&three[..], json!({"pooling_mode_mean_tokens": true}), unit(&mean)),
        (
            &two[..],
            json!({"pooling_mode_max_tokens": true, "pooling_mode_cls_token": false}),
            max.clone(),
        ),
        (&three[..], json!({"pooling_mode": "max"}), unit(&max)),
        (&three[..], json!({"pooling_mode": ["cls"]}), unit(&rows(&|row| row[0]))),
    ] {
        write(modules, pooling.clone());
        let (found, told) = place.embed_and_tell("a b c\na b c d e\n", &[]);
        assert_eq!(told, "lines with more than 5 pieces, cut off: 1\n");
        for found in &found {
            for (x, y) in found.iter().zip(&expected) {
                assert!((x - y).abs() < 1e-5, "{pooling}: {x} {y}"); // the second line is cut to the first
            }
        }
    }
    let refused = |modules: &[Value], pooling: Value| {
        write(modules, pooling);
        place.refused(&["embed", "--checkpoint", "model", "--file", "lines.txt"])
    };
    let both = json!({"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": true});
    let told = "model/1_Pooling/config.json: pools by `cls_token, mean_tokens`: cls, mean or max alone is done here";
    assert_eq!(refused(&two, both), told);
    let dense = [two.to_vec(), vec![module("Dense", "2_Dense")]].concat();
    let told = "model/modules.json: lists Transformer, Pooling, Dense: Transformer, Pooling, and Normalize at \
                most, are followed";
    assert_eq!(refused(&dense, json!({"pooling_mode_cls_token": true})), told);
}

/// A foreign vocabulary may hold anything.
#[test]
fn pieces_do_not_command_the_terminal() {
    let (place, _) = Place::with_model();
    let text = fs::read_to_string(place.path("model/vocab.txt")).unwrap();
    fs::write(place.path("model/vocab.txt"), text.replace("\nf\n", "\n\u{1b}[2J\u{9b}\n")).unwrap();
    fs::remove_file(place.path("model/tokenizer.json")).unwrap();
    for more in [&["--top", "100"][..], &["--top", "100", "--json"]] {
        let printed = place.printed(&fill(&[&["a [MASK]"], more].concat()));
        assert!(printed.contains(r"\u001b[2J\u009b"), "{printed}");
        assert!(!printed.contains(|c: char| c.is_control() && c != '\n'), "{printed:?}");
    }
}

/// Two models take turns in a folder: every answer is of one of them.
#[test]
fn a_reader_beside_a_writer_reads_one_model() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model");
    let of = |i: usize| {
        let names = ["a b c d e f", "f e d c b a g h"][i];
        let pieces = format!("[PAD] [UNK] [CLS] [SEP] [MASK] {names}");
        let pieces: Vec<String> = pieces.split(' ').map(String::from).collect();
        let config = Config { vocabulary: pieces.len(), ..small() };
        (WordPiece::new(pieces, Settings::default()).unwrap(), stirred(&config, i as u64), config)
    };
    let mut models = [of(0), of(1)];
    let answers = |model: &Model| candidates(model, "a [MASK] c", None, 3).unwrap();
    let mut write = |i: usize| {
        let (pieces, model, config) = &mut models[i];
        write_pretraining(&path, Some(pieces), model, config).unwrap();
    };
    let expected = [0, 1].map(|i| {
        write(i);
        answers(&Model::open(Some(&path)).unwrap())
    });
    assert_ne!(expected[0], expected[1]);
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for i in 0..60 {
                write(i % 2);
                std::thread::sleep(std::time::Duration::from_millis(3));
            }
            done.store(true, Ordering::Relaxed);
        });
        while !done.load(Ordering::Relaxed) {
            match Model::open(Some(&path)) {
                Ok(model) => assert!(expected.contains(&answers(&model))),
                Err(error) => {
                    let told = error.to_string(); // only on a machine that is busy otherwise
                    assert!(
                        told.contains("again and again") || told.contains("is not there"),
                        "{told}"
                    );
                }
            }
        }
    });
    assert_eq!(answers(&Model::open(Some(&path)).unwrap()), expected[1]);
}

#[test]
fn files_that_embed_cannot_read_are_refused() {
    let (place, _) = Place::with_model();
    let embed = ["embed", "--checkpoint", "model", "--file", "lines.txt"];
    assert!(place.refused(&embed).starts_with("lines.txt: "));
    fs::write(place.path("lines.txt"), b"a b\nc \xff d\n").unwrap();
    assert!(place.refused(&embed).starts_with("lines.txt:2: "));
    assert!(place.embed("", &[]).is_empty());
}

fn special() -> bert::Special {
    bert::experiment::special(&letters())
}

/// Each in one line that names the file, and nothing is left in the folder.
#[test]
fn texts_to_learn_nothing_from_are_refused() {
    let place = Place::new();
    let text = |bytes: &[u8]| place.refused_corpus(bytes, &[]);
    assert_eq!(text(b""), "text.txt: is empty");
    assert_eq!(text(b"the cat sat."), "text.txt: holds one sentence, two are needed");
    for (bytes, documents) in
        [("a cat sat. it ran.", 1), ("a cat sat.\n\na dog ran. it fell.\n", 2)]
    {
        let reason = text(bytes.as_bytes());
        let expected = match documents {
            1 => "text.txt: has 1 document: at least 3 are needed",
            _ => "text.txt: has 2 documents: at least 3 are needed",
        };
        assert!(reason.starts_with(expected), "{reason}");
    }
    assert!(text(b"\n \n\n\t\n").starts_with("text.txt: "));
    let binary = text(b"\x7fELF\x02\x01\x01\x00\x00");
    assert!(binary.contains("byte 7 of the file is zero"), "{binary}");
    // In the fourth line, behind seventy thousand bytes: the place in the file, not in a part of it.
    let mut late = format!("a cat.\nb cat.\n{}\n", "c cat ".repeat(12_000)).into_bytes();
    let byte = late.len() + 3;
    late.extend_from_slice(b"caf\xe9 latin\n");
    assert_eq!(text(&late), format!("text.txt:4: byte {byte} of the file is no UTF-8"));
    let letters = text("abcdefghijklmnopqrstuvwxyz1234567890.,;:!?()+-*/\n".repeat(9).as_bytes());
    assert!(letters.contains("60 pieces are too few"), "{letters}");
}

/// What is wrong with arguments is told before anything is read or written.
#[test]
fn arguments_that_fit_nothing_are_refused() {
    let place = Place::new();
    let text: String = (0..60).map(|i| format!("cat {} sat. it fell.\n\n", i % 7)).collect();
    let reason = place.refused_corpus(text.as_bytes(), &["--width", "10", "--heads", "4"]);
    assert!(reason.contains("10") && reason.contains("4"), "{reason}");
    let missing = place.refused(&["--corpus", "nowhere.txt"]);
    assert!(missing.starts_with("nowhere.txt: "), "{missing}");
    for (option, values, wanted) in [
        ("--alike", ["-1", "NaN", "0.5", "100.5"], "must be 0, or from 1 to 100"),
        ("--pairs-first", ["-0.1", "NaN", "1", "1.5"], "must be at least 0 and below 1"),
    ] {
        for value in values {
            for also in [&[][..], &["--count"]] {
                let reason = place.refused(&[&[&format!("{option}={value}")[..]], also].concat());
                assert!(reason.contains(&format!(" {value}: it {wanted}")), "{reason}");
            }
        }
    }
}

/// Who asks for counts alone is told as well what is wrong with the rest.
#[test]
fn counting_passes_over_no_argument() {
    let place = Place::new();
    let reason = place.refused(&["--count", "--shards", "3", "--accumulate", "2"]);
    assert!(reason.contains("a power of two"), "{reason}");
}

/// Documents of two to ten sentences, most of them longer than a sequence, and a sentence that is.
fn documents() -> String {
    let tell = |i: usize| format!("The cat {} sees the dog {}. It runs home.", i % 7, i % 5);
    let document = |i: usize| (0..1 + i % 5).map(|j| tell(i + j)).collect::<Vec<_>>().join(" ");
    let all: Vec<String> = (0..60).map(document).collect();
    all.join("\n\n") + "\n\nThe " + &"cat sees the ".repeat(20) + "dog.\n"
}

/// From a text to a model that can be asked, in files that all are there.
#[test]
fn a_text_becomes_a_model() {
    let place = Place::new();
    fs::write(place.path("text.txt"), documents()).unwrap();
    let arguments = "--corpus text.txt --vocabulary 60 --out run --epochs 2 --batch 8 --seed 3 \
                     --checkpoint state";
    let train: Vec<&str> = arguments.split(' ').chain(SMALL.split(' ')).chain(BOTH).collect();
    let told = place.printed(&train);
    assert!(told.contains("unigram: knows how frequent each is"), "{told}");
    for name in ["results.json", "ladder.svg", "attention.html", "model/vocab.txt"] {
        assert!(place.path("run").join(name).exists(), "{name}");
    }
    let model = ["--checkpoint", "run/model"];
    let ask = [&["fill", "the cat sees the [MASK]", "--json"], &model[..]].concat();
    assert_eq!(
        serde_json::from_str::<Value>(&place.printed(&ask)).unwrap().as_array().unwrap().len(),
        5
    );

    // Pairs come first for their share of the steps; the rate is the chapter's.
    let settings = &checkpoint(&place)["run"]["state"]["settings"];
    let results: Value =
        serde_json::from_slice(&fs::read(place.path("run/results.json")).unwrap()).unwrap();
    assert_eq!(results["pairs_first"], 0.15);
    let total = results["epochs"][1]["steps"].as_u64().unwrap();
    let shape = json!({"linear": {"total": total}});
    let schedule = json!({"rate": 0.002, "warmup": total / 10, "shape": shape});
    assert_eq!(settings["schedule"], schedule);
    let first = PairsFirst { steps: total * 15 / 100 };
    assert!(first.steps > total / 10, "or nothing was tested");
    let rates = results["epochs"].as_array().unwrap().iter().map(|epoch| {
        let found = epoch["learning_rate"].as_f64().unwrap() as Float;
        (found, first.rate(&options(total, 0.002).schedule, epoch["steps"].as_u64().unwrap()))
    });
    rates.for_each(|(found, expected)| assert_eq!(found, expected));

    // Once more: the same model to the last bit.
    let bytes =
        |folder: &str| fs::read(place.path(folder).join("model/model.safetensors")).unwrap();
    let again = train.iter().map(|word| match *word {
        "run" => "again",
        "state" => "another",
        word => word,
    });
    place.printed(&Vec::from_iter(again));
    assert!(bytes("run") == bytes("again"), "another run, another model");
}

/// The record in the folder `state`.
fn checkpoint(place: &Place) -> Value {
    serde_json::from_slice(&fs::read(place.path("state/checkpoint.json")).unwrap()).unwrap()
}

/// Four ways for each seed, of which the last is `pretrain`'s; a comparison that is finished, or was stopped,
/// goes on from its checkpoints.
#[test]
fn a_comparison_trains_what_pretrain_does() {
    let place = Place::new();
    fs::write(place.path("text.txt"), documents()).unwrap();
    let arguments = "--corpus text.txt --vocabulary 60 --epochs 1 --batch 8 --seed 4 --out run";
    let common: Vec<&str> = arguments.split(' ').chain(SMALL.split(' ')).collect();
    let compare = ["compare", "--seeds", "2", "--checkpoint", "state"];
    let compare = [&compare, &common[..], &BOTH].concat();
    let told = place.printed(&compare);
    assert!(told.contains("8 of 8 trained"), "{told}");
    assert!(place.path("run/starts.svg").exists());
    let read = |name: &str| -> Value {
        serde_json::from_slice(&fs::read(place.path("run").join(name)).unwrap()).unwrap()
    };
    let found = read("compare.json");
    assert_eq!(found["claims"].as_object().unwrap().len(), 8);
    let ways = ["neither", "start", "order", "both"];
    assert_eq!(Vec::from_iter(found["ways"].as_object().unwrap().keys()), {
        let mut ways = ways;
        ways.sort_unstable();
        ways
    });
    // On a text, nothing is alike and nothing comes first unless told.
    for (way, told) in ways.into_iter().zip([&[][..], &BOTH[..2], &BOTH[2..], &BOTH]) {
        let trainings = found["ways"][way]["seeds"].as_array().unwrap();
        let seeds = Vec::from_iter(trainings.iter().map(|trained| trained["seed"].clone()));
        assert_eq!(seeds, [json!(4), json!(5)]);
        place.printed(&[&common[..], told].concat());
        assert_eq!(trainings[0]["test"], read("results.json")["test"], "{way}");
    }

    // As if it had been stopped in the last training.
    fs::remove_dir_all(place.path("state/both_5")).unwrap();
    let again = place.run(&[&compare[..], &["--resume"]].concat());
    let told = String::from_utf8(again.stdout).unwrap() + &String::from_utf8(again.stderr).unwrap();
    assert_eq!(told.matches("is of a finished run").count(), 7, "{told}");
    assert_eq!(told.matches("yet: begins").count(), 1, "{told}");
    let times = |mut found: Value| {
        for row in found["ways"].as_object_mut().unwrap().values_mut() {
            row["seeds"].as_array_mut().unwrap().iter_mut().for_each(|trained| {
                trained.as_object_mut().unwrap().remove("training_seconds").unwrap();
            });
        }
        found
    };
    assert_eq!(times(read("compare.json")), times(found));
}

/// With nothing to leave out there is nothing to compare.
#[test]
fn a_comparison_needs_both_to_leave_out() {
    let place = Place::new();
    fs::write(place.path("text.txt"), documents()).unwrap();
    for nothing in
        [["--alike", "0"], ["--pairs-first", "0"], ["--config", "base"], ["--corpus", "text.txt"]]
    {
        let reason = place.refused(&[&["compare"], &nothing[..]].concat());
        assert!(reason.contains("must be above 0"), "{reason}");
    }
}

/// What was not told is the chapter's for generated documents; on a text, and with Base's other settings,
/// nothing is alike and nothing comes first.
#[test]
fn the_start_and_the_order_are_those_of_the_small_world() {
    for (arguments, alike, first) in [
        ("--documents 100", 4.0, 0.15_f32),
        ("--corpus text.txt", 0.0, 0.0),
        ("--config base --documents 100", 0.0, 0.0),
    ] {
        let place = Place::new();
        fs::write(place.path("text.txt"), documents()).unwrap();
        let also = "--vocabulary 60 --epochs 1 --checkpoint state";
        let train = [arguments, also, SMALL].map(|words| words.split(' ')).into_iter().flatten();
        place.printed(&Vec::from_iter(train));
        let told = &checkpoint(&place)["run"]["fixed"]["task"];
        let found = (&told["config"]["alike"], &told["pairs first"]);
        assert_eq!(found, (&json!(alike), &json!(first)), "{arguments}");
    }
}

/// A run that goes on for more passes has more steps in which pairs come first: all that changes is told.
#[test]
fn a_run_that_becomes_longer_tells_all_that_changes() {
    let place = Place::new();
    fs::write(place.path("text.txt"), documents()).unwrap();
    let arguments = "--corpus text.txt --vocabulary 60 --batch 2 --checkpoint state";
    let train: Vec<&str> = arguments.split(' ').chain(SMALL.split(' ')).chain(BOTH).collect();
    place.printed(&[&train[..], &["--epochs", "1"]].concat());
    let told = |more: &[&str]| {
        let told = place.run(&[&train[..], more].concat());
        String::from_utf8(told.stderr).unwrap() + &String::from_utf8(told.stdout).unwrap()
    };
    let longer = told(&["--epochs", "2", "--resume"]);
    let line =
        longer.lines().find(|line| line.contains("goes on")).unwrap_or_else(|| panic!("{longer}"));
    for setting in ["warmup", "shape.linear.total"] {
        assert!(line.contains(&format!("{setting} is ")), "{setting}: {line}");
    }

    // Nothing is trained any more, so what was asked for otherwise has no effect: that is told as well.
    let other = ["--epochs", "2", "--learning-rate", "0.5", "--resume"];
    let other = told(&other);
    let finished = "of a finished run with a change: schedule.rate is 0.002 there and 0.5 here";
    assert!(other.contains(finished), "{other}");
}

/// Held-out documents of letters that were never seen: no word of them can be hidden and told.
#[test]
fn held_out_documents_of_unknown_words_are_refused() {
    let place = Place::new();
    let text: String = (0..19).map(|i| format!("cat {} sat. it fell.\n\n", i % 7)).collect();
    fs::write(place.path("text.txt"), format!("ω ω ω\n\n{text}")).unwrap();
    let arguments = ["--corpus", "text.txt", "--vocabulary", "60"];
    let output = place.run(&[&arguments[..], &SMALL.split(' ').collect::<Vec<_>>()].concat());
    let reason = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{reason}");
    assert!(reason.contains("no word that can be cut into known pieces"), "{reason}");
    assert_eq!(reason.lines().count(), 1, "{reason}");
}

/// The chapter's task; before batch `stuck` of this process it waits to be killed.
struct Stuck<'a> {
    task: PretrainingTask<'a>,
    batches: AtomicUsize,
    stuck: usize,
}

impl Task for Stuck<'_> {
    type Model = Pretraining;
    type Shard = Share;

    fn describe(&self) -> workbench::training::Value {
        self.task.describe()
    }

    fn batches(&self, rng: &mut Rng) -> Vec<Vec<usize>> {
        self.task.batches(rng)
    }

    fn prepare(&self, examples: &[usize], shards: usize, rng: &mut Rng) -> Prepared<Share> {
        if self.batches.fetch_add(1, Ordering::SeqCst) == self.stuck {
            println!("\n{STUCK}");
            std::thread::sleep(std::time::Duration::from_secs(60));
        }
        self.task.prepare(examples, shards, rng)
    }

    fn begin_step(&self, before: u64, shares: &mut [Share]) {
        self.task.begin_step(before, shares);
    }

    fn rate(&self, schedule: &Schedule, step: u64) -> Float {
        self.task.rate(schedule, step)
    }

    fn loss<'t>(&self, model: &Pretraining, tape: &'t Tape, share: &Share) -> Var<'t> {
        self.task.loss(model, tape, share)
    }

    fn evaluate(&self, model: &Pretraining, epoch: usize) -> Option<Evaluation> {
        self.task.evaluate(model, epoch)
    }
}

const STUCK: &str = "waits to be killed";

/// Three epochs of the chapter's recipe on a hundred documents: the model's bytes.
fn trained(stuck: usize, checkpoint: Option<&Path>) -> Vec<u8> {
    let corpus = Corpus::generated(100, 300, 0).unwrap();
    let config = Config { vocabulary: corpus.pieces.len(), longest: 48, ..small() };
    let held = Held::new(&corpus, &corpus.validation, config.longest, 16, 0).unwrap();
    let task = PretrainingTask::new(&corpus, Some(&held), config.longest, 32, json!({}));
    let steps = (3 * task.pairs().div_ceil(32)) as u64;
    let first = PairsFirst { steps: steps * 3 / 4 };
    assert!(first.steps > 6, "{steps} steps: or nobody is killed while pairs come first");
    let task = task.with_pairs_first(first);
    let options = Options {
        epochs: 3,
        shards: 4,
        checkpoint: checkpoint.map(Path::to_owned),
        checkpoint_steps: Some(1),
        resume: checkpoint.is_some(),
        ..options(steps, 1e-3)
    };
    let mut model = Pretraining::new(&config, &mut rng(stream(0, 0)));
    let history = train(&Stuck { task, batches: 0.into(), stuck }, &mut model, &options).unwrap();
    assert_eq!(history.epochs.len(), 3);
    bytes(&mut model)
}

fn bytes(model: &mut Pretraining) -> Vec<u8> {
    let mut bytes = Vec::new();
    model.for_each_parameter(|_, param| {
        bytes.extend(param.value().iter().flat_map(|x| x.to_le_bytes()));
    });
    bytes
}

/// `pretrain` makes of a share what the parts make of steps: how much hidden pieces count, and the rate.
#[test]
fn a_share_of_the_steps_reaches_the_task_and_the_rate() {
    let corpus = Corpus::generated(100, 300, 0).unwrap();
    let config = Config { vocabulary: corpus.pieces.len(), longest: 48, ..small() };
    let options = Options { epochs: 3, shards: 4, ..options(1, 1e-3) };
    let beginning = Beginning { alike: 0.0, pairs_first: 0.75 };
    let mut trained_here = pretrain_model(&corpus, &config, 32, beginning, &options).unwrap();
    assert!(bytes(&mut trained_here.model) == trained(usize::MAX, None), "the parameters differ");
}

#[test]
#[ignore = "is started, and killed, by the next test"]
fn trains_until_it_is_killed() {
    let folder = std::env::var_os("FOLDER").map(PathBuf::from).expect("a folder");
    let stuck = std::env::var("STUCK").expect("a batch to be killed before");
    trained(stuck.parse().unwrap(), Some(&folder));
}

/// Killed in the first epoch and again in a later one: plans, hidden pieces and dropout are drawn as if
/// nothing had happened, and the averages of the optimiser go on.
#[test]
fn a_killed_training_goes_on_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    for stuck in [2, 4] {
        let environment =
            [("FOLDER", folder.path().as_os_str()), ("STUCK", &OsString::from(stuck.to_string()))];
        kill_when(STUCK, "program::trains_until_it_is_killed", &environment);
        assert!(folder.path().join("checkpoint.json").exists());
    }
    let (resumed, expected) = (trained(usize::MAX, Some(folder.path())), trained(usize::MAX, None));
    assert!(resumed == expected, "the parameters differ");
}
