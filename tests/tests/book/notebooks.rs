//! A notebook is its chapter, built by the reader: it has a budget, shows, asks, and says nothing that its page does not.

use std::path::{Path, PathBuf};

use formulas::markdown_options;
use pulldown_cmark::{Event, Parser};
use serde_json::Value;

/// Words of its text.
const WORDS: std::ops::RangeInclusive<usize> = 900..=1_500;
/// The most lines of a cell.
const LINES: usize = 15;

/// What is wrong with the notebooks of the chapters of this repository.
pub fn notebooks(repository: &Path) -> Vec<String> {
    let chapters = std::fs::read_dir(repository.join("chapters")).expect("a folder of chapters");
    let mut folders: Vec<PathBuf> = chapters.flatten().map(|entry| entry.path()).collect();
    folders.sort();
    let names = folders.iter().filter_map(|folder| folder.file_name()?.to_str()?.split_once('_'));
    let crates: Vec<&str> =
        names.map(|(_, name)| name).chain(["shared", "workbench", "corpora"]).collect();
    let of_chapter = |folder: &PathBuf| {
        let name = folder.file_name()?.to_string_lossy().into_owned();
        let number = name.split_once('_')?.0.parse::<u32>().ok()?;
        let file = repository.join("notebooks").join(format!("{name}.ipynb"));
        let page = std::fs::read_to_string(folder.join("README.md")).unwrap_or_default();
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let cells = serde_json::from_str::<Value>(&text).map(|all| all["cells"].clone());
        let cells = cells.ok().and_then(|cells| cells.as_array().cloned()).unwrap_or_default();
        let faults =
            [linked(&name, &page), of_notebook(&cells, &page, number), unasked(&cells, &crates)];
        let faults = faults.concat();
        Some(faults.into_iter().map(move |fault| format!("notebooks/{name}.ipynb: {fault}")))
    };
    folders.iter().filter_map(of_chapter).flatten().collect()
}

/// Under its title a page leads to its notebook, to its exercises and, where it is published, to its crate's documentation.
fn linked(name: &str, page: &str) -> Vec<String> {
    let crate_name = name.split_once('_').map_or(name, |(_, name)| name);
    let top = page.split("\n## ").next().unwrap_or_default();
    let notebook = format!("](../../notebooks/{name}.ipynb)");
    let documentation = format!("](../rustdoc/{crate_name}/index.html)");
    let missing = [&*notebook, "](#exercises)", &documentation]
        .into_iter()
        .filter(|link| !top.contains(link));
    missing.map(|link| format!("under its page's title there is no {link}")).collect()
}

/// Crates that cells use and the first does not ask for. (The check of all notebooks has them for all.)
fn unasked(cells: &[Value], crates: &[&str]) -> Vec<String> {
    let code: Vec<String> =
        cells.iter().filter(|cell| cell["cell_type"] == "code").map(source).collect();
    let first = code.first().cloned().unwrap_or_default();
    let missing = crates.iter().filter(|name| {
        let used = code.iter().any(|cell| cell.contains(&format!("{name}::")));
        used && !first.contains(&format!(":dep {name} = "))
    });
    missing.map(|name| format!("uses {name} without a line `:dep {name}`")).collect()
}

fn of_notebook(cells: &[Value], page: &str, number: u32) -> Vec<String> {
    let is_code = |cell: &&Value| cell["cell_type"] == "code";
    let tagged = |tag: &str| {
        let tags = cells.iter().filter_map(|cell| cell["metadata"]["tags"].as_array());
        tags.filter(|tags| tags.iter().any(|found| found == tag)).count()
    };
    let text: String = cells.iter().filter(|cell| !is_code(cell)).map(source).collect();
    let code: Vec<String> = cells.iter().filter(is_code).map(source).collect();
    let all_code = code.join("\n");
    let figures = cells.iter().filter(|cell| cell["outputs"].to_string().contains("image/svg+xml"));
    let words = words(&text);
    let checks = [
        (!WORDS.contains(&words), format!("{words} words")),
        (!text.contains("/README.md)"), "it does not lead to its page".into()),
        (figures.count() < 3, "fewer than three figures".into()),
        (
            text.matches("**See:**").count() < 3,
            "figures without a line that begins **See:**".into(),
        ),
        (tagged("predict") < 3, "fewer than three cells in which one predicts".into()),
        (tagged("change") < 3, "fewer than three cells to change".into()),
        (all_code.matches("CHANGE").count() < 3, "cells to change do not say where".into()),
        (all_code.matches("judge!(").count() < 2, "fewer than two exercises".into()),
        (!all_code.contains("assert!("), "nothing is held against the crate".into()),
    ];
    let mut faults: Vec<String> =
        checks.into_iter().filter(|(is_fault, _)| *is_fault).map(|(_, what)| what).collect();
    let long = code.iter().filter(|cell| cell.trim_end().lines().count() > LINES);
    faults.extend(long.map(|cell| format!("a cell of more than {LINES} lines: {}", first(cell))));
    let others = all_code.split("judge!(\"").skip(1);
    let others = others.filter(|rest| !rest.starts_with(&format!("{number}.")));
    faults.extend(others.map(|rest| format!("an exercise of another chapter: {}", first(rest))));
    let page = plain(page);
    let unknown = formulas(&text).into_iter().filter(|formula| !page.contains(&plain(formula)));
    faults.extend(unknown.map(|formula| format!("a formula that its page has not: {formula}")));
    faults
}

fn source(cell: &Value) -> String {
    let lines = cell["source"].as_array().cloned().unwrap_or_default();
    lines.iter().filter_map(Value::as_str).chain(["\n\n"]).collect()
}

/// Formulas that say something: displayed, or an equation of more than letters and numbers.
fn formulas(text: &str) -> Vec<String> {
    let events = Parser::new_ext(text, markdown_options());
    let formulas = events.filter_map(|event| match event {
        Event::DisplayMath(tex) => Some(tex.to_string()),
        Event::InlineMath(tex) if tex.contains('=') && tex.contains('\\') => Some(tex.to_string()),
        _ => None,
    });
    formulas.collect()
}

/// Without what only spaces.
fn plain(tex: &str) -> String {
    let spaces = ["\\thinspace", "\\negthinspace", "\\thickspace"];
    let tex = spaces.iter().fold(tex.to_string(), |tex, space| tex.replace(space, ""));
    tex.split_whitespace().collect()
}

fn words(text: &str) -> usize {
    let events = Parser::new_ext(text, markdown_options());
    let prose = events.filter_map(|event| match event {
        Event::Text(text) | Event::Code(text) => Some(text.split_whitespace().count()),
        _ => None,
    });
    prose.sum()
}

fn first(text: &str) -> String {
    text.lines().next().unwrap_or_default().chars().take(60).collect()
}

#[test]
fn what_is_missing_in_a_notebook_is_found() {
    let cell = |kind: &str, text: &str| serde_json::json!({ "cell_type": kind, "source": [text] });
    let lines = "let x = 1;\n".repeat(16);
    let cells = [
        cell("markdown", "# A\n\n$$ e = q^\\top k $$\n\nand $\\hat a = b$"),
        cell("code", &lines),
        cell("code", "judge!(\"4.1\", f);"),
    ];
    let faults = of_notebook(&cells, "on the page: $e = q^\\top\\thinspace k$", 3).join("\n");
    let missing =
        [" words", "its page\n", "three figures", "**See:**", "predicts", "cells to change\n"];
    for what in missing.into_iter().chain(["than 15 lines", "two exercises", "held against"]) {
        assert!(faults.contains(what), "{what} is not in\n{faults}");
    }
    for what in ["another chapter: 4.1", "has not: \\hat a = b"] {
        assert!(faults.contains(what), "{what} is not in\n{faults}");
    }
    assert!(!faults.contains("q^"), "{faults}");
    let top = "[n](../../notebooks/03_a.ipynb) [e](#exercises)<!-- published: [d](../rustdoc/a/index.html) -->";
    assert!(linked("03_a", top).is_empty());
    assert_eq!(linked("03_a", &format!("\n## Later\n{top}")).len(), 3);
    let cell = |source: &str| serde_json::json!({ "cell_type": "code", "source": [source] });
    let cells = [cell(":dep bert = { path = \"b\" }"), cell("use bert::Bert; shared::rng(1)")];
    assert_eq!(unasked(&cells, &["bert", "shared", "luong"]).len(), 1);
}
