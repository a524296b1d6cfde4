//! The shortest way through the book can be walked: it says where it goes on, explains its words before it uses them,
//! and asks for no code.

use std::fs;

use formulas::ways::{Way, drawing, linked, ways};

use super::budgets::without_comments;
use super::{none, repository};

/// What has to be explained on the short way before it is used: a word, and the beginning of its explanation.
#[rustfmt::skip]
const WORDS: &[(&str, &str)] = &[
    ("query", "the **query**"), ("softmax", "that is the *softmax*"), ("context", "context: the weighted mean"),
    ("token", "A *token* is one item"), ("loss", "measures the errors, the *loss*"), ("gradient", "are its *gradient*"),
    ("learning rate", "the *learning rate* says"), ("parameters", "its *parameters* or weights"),
    ("bandwidth", "in **bandwidths**"), ("variance", "a **variance**, the mean"), ("heatmap", "Such *heatmaps*"),
    ("Jacobian", "is the **Jacobian**"), ("\\circ", "\\circ g$ (“"), ("hidden units", "the *hidden units*"), ("bias", "The *bias*"),
    ("batch", "Sentences of a *batch*"), ("padded", "are *padded*"), ("NaN", "NaN, “not a number”"),
    ("causal", "the *causal* mask"), ("entropy", "*entropy* of the weights"), ("nat", "is the *nat*"),
    ("nats", "is the *nat*"), ("cross-entropy", "the *cross-entropy*"), ("vocabulary", "is the *vocabulary*"),
    ("one-hot", "*one-hot*"), ("embedding", "its *embedding*"), ("logits", "called *logits*"),
    ("greedy search", "this is *greedy search*"), ("perplexity", "**Perplexity** is"), ("BLEU", "*BLEU*, from 0 to 100"),
    ("GRU", "*gated recurrent unit* (GRU)"), ("source", "reads the *source*"), ("target", "writes the *target*"),
    ("annotation", "an *annotation*"), ("head", "**head** 1"), ("O(", "$O(n)$ means"), ("ablate", "To *ablate*"),
    ("validation", "*validation* sentences"), ("⊙", "⊙ is the product entry by entry"),
    ("cross-attention", "*cross-attention* stands between"), ("pre-LN", "*pre-LN*"), ("warm-up", "*warm-up*"),
];

/// Words of sections that are not on the short way.
const ABSENT: &[&str] = &[
    "AER",
    "maxout",
    "reset gate",
    "LSTM",
    "ConvS2S",
    "Adam",
    "dropout",
    "leave-one-out",
    "segments",
];

/// Lines of a listing that a reader without Rust passes as easily as a formula.
const FORMULA: usize = 14;

#[test]
fn every_stretch_says_where_its_way_goes_on() {
    let book = repository().join("chapters");
    let ways = ways(&book);
    assert_eq!(ways.len(), 2, "{:?}", ways.iter().map(|way| &way.name).collect::<Vec<_>>());
    let mut stale = Vec::new();
    for page in ways.iter().flat_map(|way| &way.stretches).map(|stretch| &stretch.page) {
        let text = fs::read_to_string(book.join(page)).expect("a page");
        if linked(&text, page, &ways) != text {
            stale.push(format!("{page}: run `cargo run -p tests --example listings`"));
        }
    }
    none(stale);
    let drawn = fs::read_to_string(book.join("figures/ways.svg")).expect("a drawing");
    assert_eq!(drawn, drawing(&book, &ways), "run `cargo run -p tests --example listings`");
}

#[test]
fn the_short_way_explains_its_words_before_it_uses_them() {
    let absent: Vec<_> = ABSENT.iter().map(|word| (*word, "")).collect();
    none([unexplained(&short(), WORDS), unexplained(&short(), &absent)].concat());
}

#[test]
fn the_short_way_shows_no_code_and_no_exercises() {
    none(unfolded(&short()));
}

/// All that is read on the first of the ways, in its order.
fn short() -> String {
    let book = repository().join("chapters");
    let Way { stretches, .. } = ways(&book).swap_remove(0);
    let read = stretches.iter().map(|stretch| {
        let page = fs::read_to_string(book.join(&stretch.page)).expect("a page");
        page[stretch.text.clone()].to_owned()
    });
    read.collect::<Vec<_>>().join("\n")
}

/// Words that are used more than a paragraph before the one that explains them; of those without an explanation, all.
fn unexplained(way: &str, words: &[(&str, &str)]) -> Vec<String> {
    let mut shown = String::new();
    let (mut code, mut folded) = (false, false);
    for line in way.lines() {
        let fence = line.trim_start_matches("> ").starts_with("```");
        code ^= fence;
        folded = (folded || line.contains("<details>")) && !line.contains("</details>");
        if !code && !fence && !folded && !line.starts_with('#') {
            shown += line;
            shown.push('\n');
        }
    }
    let shown = without_comments(&shown);
    let paragraphs: Vec<&str> = shown.split("\n\n").collect();
    let mut faults = Vec::new();
    for (word, explanation) in words {
        let used = paragraphs.iter().position(|paragraph| holds(paragraph, word));
        let explained = paragraphs.iter().position(|paragraph| paragraph.contains(explanation));
        match (used, explained) {
            (_, None) => faults.push(format!("{word}: “{explanation}” is not on the way")),
            (Some(used), Some(explained)) if explanation.is_empty() || used + 1 < explained => {
                faults.push(format!("{word} is used before it is explained: {}", paragraphs[used]));
            }
            _ => {}
        }
    }
    faults
}

/// Whether a word stands in a text by itself, not as a part of another.
fn holds(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + word.len()..]);
        !before.ends_with(char::is_alphanumeric) && !after.starts_with(char::is_alphanumeric)
    })
}

/// Boxes of exercises, and listings of code longer than a formula, that stand open.
fn unfolded(way: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let mut folded = false;
    let mut listing = None;
    let mut heading = "";
    for line in way.lines() {
        folded = (folded || line.contains("<details>")) && !line.contains("</details>");
        if line.starts_with('#') && listing.is_none() {
            heading = line;
        }
        if line.starts_with("> [!IMPORTANT]") && !folded {
            faults.push(format!("{heading}: a box of exercises is not folded"));
        }
        listing = match (listing, line.starts_with("```")) {
            (None, true) => Some((0, line.starts_with("```text"))),
            (Some((lines, output)), true) => {
                if lines > FORMULA && !output && !folded {
                    faults.push(format!("{heading}: a listing of {lines} lines is not folded"));
                }
                None
            }
            (lines, false) => lines.map(|(lines, output)| (lines + 1, output)),
        };
    }
    faults
}

#[test]
fn words_and_code_that_come_too_early_are_found() {
    let way = "\n\nAER is `AER`.\n\nMore.\n\nThe *alignment error rate* (AER) counts.\n";
    let words = [("AER", "alignment error rate")];
    assert_eq!(unexplained(way, &words), ["AER is used before it is explained: AER is `AER`."]);
    let folded = way.replace("AER is `AER`.", "<details>\nAER\n</details>");
    assert!(unexplained(&folded, &words).is_empty());
    assert!(unexplained("nothing", &words)[0].contains("is not on the way"));
    let code = format!("# A\n> [!IMPORTANT]\n> 1.1\n\n```rust\n{}```\n", "x\n".repeat(15));
    assert_eq!(unfolded(&code).len(), 2);
    assert!(unfolded(&format!("<details>\n{code}</details>\n")).is_empty());
}
