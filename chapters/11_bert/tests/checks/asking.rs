//! What a trained model is asked: what it answers, and what is refused.

use crate::place::{EMBED, Place, numbers, sizes};
use crate::support::{letters, packed, small, tensors};
use bert::Tokens;
use bert::program::special;
use serde_json::{Value, json};
use shared::{Matrix, Tape};
use std::fs;
use std::process::Stdio;
use tests::assert_close;
use workbench::viewer::{State, Viewer};

fn fill<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["fill", "--checkpoint", "model"], more].concat()
}

fn view<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["view", "--checkpoint", "model"], more].concat()
}

/// The likeliest first, with the probabilities that the model gives.
#[test]
fn fill_tells_the_most_likely_pieces() {
    let (place, model) = Place::with_model();
    let pieces = letters();
    let asked = fill(&["a b [MASK] c", "--second", "d e", "--top", "4"]);
    let tokens =
        Tokens::of(&pieces.cut("a b [MASK] c"), Some(&pieces.cut("d e")), &special(&pieces));
    let tape = Tape::no_grad();
    let (h, _) = model.bert.forward(&tape, &tokens);
    let p = model.masked_logits(h, &[3]).softmax().value();
    let mut order: Vec<usize> = (0..pieces.len()).collect();
    order.sort_by(|a, b| p[*b].total_cmp(&p[*a]));
    let printed = place.printed(&asked);
    assert_eq!(printed.lines().count(), 4);
    for (line, i) in printed.lines().zip(order) {
        let told: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(told[..2], [pieces.piece(i), &format!("{:.1}", 100.0 * p[i])], "{line}");
    }
}

#[test]
fn fill_asks_for_one_hole() {
    let (place, _) = Place::with_model();
    assert!(place.refused(&fill(&["a b c"])).contains("no [MASK] in the text"));
    let reason = place.refused(&fill(&["a [MASK] c", "--second", "[MASK] d [MASK]"]));
    assert!(reason.contains("3 times [MASK]: one is needed"), "{reason}");
    place.printed(&fill(&["", "--second", "[MASK]"]));
}

/// The model has eleven positions.
#[test]
fn a_text_beyond_the_last_place_is_refused() {
    let (place, _) = Place::with_model();
    place.printed(&fill(&["a b c d e f a b [MASK]"]));
    let reason = place.refused(&fill(&["a b c d e f a b c [MASK]"]));
    assert!(reason.contains("12 pieces with their marks, but the model has 11"), "{reason}");
    assert!(place.refused(&view(&["a b c d e f", "--second", "a b c"])).contains("11 positions"));
    assert!(!place.path("attention.html").exists());
    place.printed(&view(&["a b [MASK] c"]));
    let page = place.read("attention.html");
    let heads: usize = small().blocks * small().heads;
    assert!(page.contains("\"hole\":3") && page.matches("\"silenced\":[").count() == heads);
}

/// What is said of its heads is so.
#[test]
fn the_committed_page_of_attentions_is_drawn_from_its_own_data() {
    let folder = env!("CARGO_MANIFEST_DIR");
    tests::chapter::attentions(folder, |data| {
        let viewer = serde_json::from_str::<Viewer>(data).unwrap();
        let lucy =
            |state: &State| state.candidates.iter().find(|(piece, _)| piece == "lucy").unwrap().1;
        let [whole, others @ ..] = &viewer.states[..] else { panic!("no state") };
        assert_eq!((lucy(whole) / 10, others.len()), (79, 16));
        for state in others {
            let decides = state.silenced == Some([0, 1, 6]);
            let (first, p) = &state.candidates[0];
            assert_eq!(first, if decides { "he" } else { "lucy" });
            assert!(!decides || (*p > 85 && *p < 95 && lucy(state) > 84 && lucy(state) < 95));
        }
        // Most pieces' largest weight is on the next one, or on the one before.
        for (head, step) in [(4, 1), (5, -1)] {
            let rows = &whole.groups[0].blocks[0][head];
            let largest = rows.iter().map(|row| (0..row.len()).max_by_key(|&k| row[k]).unwrap());
            let hits = largest.enumerate().filter(|(q, k)| *k as i32 == *q as i32 + step);
            assert!(hits.count() * 4 > rows.len() * 3, "head {head}");
        }
        viewer.html()
    });
    let drawing = std::fs::read_to_string(format!("{folder}/figures/attention.svg")).unwrap();
    assert!(drawing.contains("To predict “[MASK]”, head 7 of block 2 looks at “lucy” ("));
}

/// A vocabulary of more pieces than there are vectors belongs to another model.
#[test]
fn a_folder_that_holds_no_whole_model_is_refused() {
    let (place, _) = Place::with_model();
    let reason = place.refused(&["fill", "[MASK]"]);
    assert!(reason.contains("no such folder; this trains a model"), "{reason}");
    fs::remove_file(place.path("model/tokenizer.json")).unwrap();
    place.printed(&fill(&["[MASK]"])); // there is still vocab.txt
    place.write("model/vocab.txt", place.read("model/vocab.txt") + "g\n");
    let reason = place.refused(&fill(&["[MASK]"]));
    assert_eq!(reason, "model: 12 pieces in the vocabulary, but vectors for 11");
}

/// The folder `model` with a tensor of other rows, and a size of `config.json` that says so.
fn resize(place: &Place, name: &str, size: &str, rows: usize) {
    let mut all = tensors(&place.path("model"));
    for tensor in all.iter_mut().filter(|tensor| tensor.name.ends_with(name)) {
        let row = tensor.bytes.len() / tensor.shape[0];
        tensor.shape[0] = rows;
        tensor.bytes = tensor.bytes.iter().copied().cycle().take(rows * row).collect();
    }
    place.write("model/model.safetensors", packed(&all));
    let mut fields = place.json("model/config.json");
    fields[size] = rows.into();
    place.write("model/config.json", fields.to_string());
}

/// More vectors than pieces are fine: those without a piece are nobody's answer.
#[test]
fn tables_of_other_sizes_limit_what_is_read() {
    let (place, _) = Place::with_model();
    resize(&place, "word_embeddings.weight", "vocab_size", 16);
    resize(&place, "cls.predictions.bias", "vocab_size", 16);
    assert_eq!(place.printed(&fill(&["a [MASK]", "--top", "1000"])).lines().count(), 11);

    resize(&place, "token_type_embeddings.weight", "type_vocab_size", 1);
    let reason = "model: this model knows no second segment";
    assert_eq!(place.refused(&fill(&["a [MASK]", "--second", "b"])), reason);
    assert_eq!(place.refused(&view(&["a", "--second", "b"])), reason);

    // Three million numbers justify half a million positions, but no attention between all of them.
    resize(&place, "position_embeddings.weight", "max_position_embeddings", 500_000);
    place.write("lines.txt", "a ".repeat(400_000));
    let reason = place.refused(&EMBED);
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
    place.write("model/model.safetensors", packed(&all));
    place.write("lines.txt", "a b\n");
    for asked in [fill(&["a [MASK]"]), EMBED.to_vec(), view(&["a", "--output", "page.html"])] {
        let told = "model: its numbers are too large: what it computes is no number";
        assert_eq!(place.refused(&asked), told);
    }
    assert!(!place.path("page.html").exists());
}

/// Without its heads a model embeds and shows where it looks, but predicts no tokens.
#[test]
fn an_encoder_alone_can_be_asked_for_vectors() {
    let (place, _) = Place::with_model();
    let expected = place.embed("a b\n", &[]);
    let mut kept = tensors(&place.path("model"));
    kept.retain(|tensor| !tensor.name.starts_with("cls.") && !tensor.name.contains("pooler"));
    place.write("model/model.safetensors", packed(&kept));
    assert_eq!(place.embed("a b\n", &[]), expected);
    let reason = place.refused(&fill(&["[MASK]"]));
    assert!(reason.contains("without the MLM head that predicts masked tokens"), "{reason}");
    let reason = place.refused(&[&EMBED[..], &["--pooling", "pooler"]].concat());
    assert!(reason.contains("no pooler"), "{reason}");
}

/// Against the model itself: the mean has length 1, the pooler's vector is taken as it is. Lines have many
/// lengths, one is empty, and one is longer than the table of positions.
#[test]
fn embed_takes_the_vectors_it_says() {
    let (place, model) = Place::with_model();
    let words = ["a", "b", "c", "d", "e", "f"];
    let line = |n: usize| (n..2 * n).map(|i| words[i * i % 6]).collect::<Vec<_>>().join(" ");
    let lines: Vec<String> = (0..70).map(|i| line((5 * i) % 8)).chain([line(30)]).collect();
    let pieces = letters();
    let [mean, pooled] = ["mean", "pooler"].map(|pooling| {
        let (vectors, told) = place.embed(&lines.join("\n"), &["--pooling", pooling]);
        assert_eq!(told, "lines with more than 11 pieces, cut off: 1\n");
        assert_eq!(vectors.len(), lines.len());
        vectors
    });
    for ((line, found_mean), found_pooled) in lines.iter().zip(mean).zip(pooled) {
        let mut text = pieces.cut(line);
        text.truncate(sizes().longest - 2);
        let tape = Tape::no_grad();
        let tokens = Tokens::of(&text, None, &special(&pieces));
        let (h, _) = model.bert.forward(&tape, &tokens);
        assert_close!(&found_pooled[..], model.bert.pooled(h, &tokens).value().as_slice(), 1e-5);
        let mean = h.value().column_mean().normalize();
        assert_close!(&found_mean[..], mean.as_slice(), 1e-5);
    }
}

/// Also from standard input, and until its reader has enough.
#[test]
fn embed_reads_files_and_standard_input() {
    let (place, _) = Place::with_model();
    assert!(place.refused(&EMBED).starts_with("lines.txt: "));
    place.write("lines.txt", b"a b\nc \xff d\n");
    assert!(place.refused(&EMBED).starts_with("lines.txt:2: "));
    let (expected, _) = place.embed("a b\nc\n", &[]);
    let embed = |out: Stdio| {
        let mut command = place.command(&["embed", "--checkpoint", "model", "--file", "-"]);
        command.stdin(fs::File::open(place.path("lines.txt")).unwrap()).stdout(out);
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        child.stdout.take();
        child.wait_with_output().unwrap()
    };
    embed(fs::File::create(place.path("printed")).unwrap().into());
    assert_eq!(place.read("printed").lines().map(numbers).collect::<Vec<_>>(), expected);
    if cfg!(target_os = "linux") {
        let full = embed(fs::File::create("/dev/full").unwrap().into());
        let told = String::from_utf8_lossy(&full.stderr).into_owned();
        assert_eq!(told, "error: standard output cannot be written to: no space left on device\n");
        assert_eq!(full.status.code(), Some(2));
    }
    assert!(embed(Stdio::piped()).status.success(), "who reads has enough");
}

/// `modules.json` and the files it names, as *sentence-transformers* writes them.
#[test]
fn embed_follows_the_folder_of_a_sentence_encoder() {
    let (place, model) = Place::with_model();
    let write = |modules: &[(&str, &str)], pooling: &Value| {
        let modules = modules.iter().map(|(class, path)| {
            json!({"type": format!("sentence_transformers.models.{class}"), "path": path})
        });
        fs::create_dir_all(place.path("model/1_Pooling")).unwrap();
        place.write("model/modules.json", json!(Vec::from_iter(modules)).to_string());
        place.write("model/1_Pooling/config.json", pooling.to_string());
    };
    let three = [("Transformer", ""), ("Pooling", "1_Pooling"), ("Normalize", "2_Normalize")];
    let two = &three[..2];
    let sentence = json!({"max_seq_length": 5, "do_lower_case": false});
    place.write("model/sentence_bert_config.json", sentence.to_string());

    let pieces = letters();
    let tokens = Tokens::of(&pieces.cut("a b c"), None, &special(&pieces));
    let h = Matrix::clone(&model.bert.forward(&Tape::no_grad(), &tokens).0.value());
    let (mean, first) = (h.column_mean(), h.column(0).into_owned());
    let max = Matrix::from_fn(h.nrows(), 1, |i, _| h.row(i).max()).column(0).into_owned();
    let switches = json!({"pooling_mode_max_tokens": true, "pooling_mode_cls_token": false});
    for (modules, pooling, expected) in [
        (two, json!({"pooling_mode_mean_tokens": true}), mean.clone()),
        (&three, json!({"pooling_mode_mean_tokens": true}), mean.normalize()),
        (two, switches, max.clone()),
        (&three, json!({"pooling_mode": "max"}), max.normalize()),
        (&three, json!({"pooling_mode": ["cls"]}), first.normalize()),
    ] {
        write(modules, &pooling);
        let (found, told) = place.embed("a b c\na b c d e\n", &[]);
        assert_eq!(told, "lines with more than 5 pieces, cut off: 1\n");
        for found in &found {
            assert_close!(&found[..], expected.as_slice(), 1e-5, "{pooling}"); // the second line is cut to the first
        }
    }
    let refused = |modules: &[(&str, &str)], pooling: Value| {
        write(modules, &pooling);
        place.refused(&EMBED)
    };
    let both = json!({"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": true});
    let told = "model/1_Pooling/config.json: pools by `cls_token, mean_tokens`: cls, mean or max alone is done here";
    assert_eq!(refused(two, both), told);
    let dense = [two, &[("Dense", "2_Dense")]].concat();
    let told = "model/modules.json: lists Transformer, Pooling, Dense: Transformer, Pooling, and Normalize at \
                most, are followed";
    assert_eq!(refused(&dense, json!({"pooling_mode_cls_token": true})), told);
}

/// A foreign vocabulary may hold anything.
#[test]
fn pieces_do_not_command_the_terminal() {
    let (place, _) = Place::with_model();
    let text = place.read("model/vocab.txt").replace("\nf\n", "\n\u{1b}[2J\u{9b}\n");
    place.write("model/vocab.txt", text);
    fs::remove_file(place.path("model/tokenizer.json")).unwrap();
    let printed = place.printed(&fill(&["a [MASK]", "--top", "100"]));
    assert!(printed.contains(r"\u001b[2J\u009b"), "{printed}");
    assert!(!printed.contains(|c: char| c.is_control() && c != '\n'), "{printed:?}");
}
