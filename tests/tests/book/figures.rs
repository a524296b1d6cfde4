//! Figures and listings: numbered, named, and drawn so that they can be seen.

use std::collections::BTreeSet;
use std::path::PathBuf;

use pulldown_cmark::{Event, Tag};

use super::contents::listed;
use super::small::proven;
use super::{Page, none, normal, repository};

/// Drawings that stand in the text, where they get neither number nor id.
pub fn unnumbered(page: &Page) -> Vec<String> {
    let Ok(html) = formulas::page(&page.text, page.folder(), "7") else {
        return Vec::new(); // the fault of another check
    };
    let drawings = page.events().filter(|(event, _)| match event {
        Event::Start(Tag::Image { dest_url, .. }) => dest_url.ends_with(".svg"),
        _ => false,
    });
    // A drawing that adorns a line of a list has no number.
    let figures = drawings.filter(|(_, at)| !page.text[..at.start].ends_with("- "));
    let mut faults = Vec::new();
    for (n, (_, at)) in figures.enumerate() {
        let numbered = html.matches("<figure id=\"figure-").nth(n).is_some();
        if !numbered || !html.contains(&format!(">Figure 7.{}</a>", n + 1)) {
            faults.push(page.fault(
                at.start,
                "a figure stands alone in its paragraph, with its caption below in `<sub>`",
            ));
        }
    }
    faults
}

/// Curves on whole pixels wobble; lines need a contrast of 3 : 1 on white and on the book's navy.
fn faint_or_wobbling(svg: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let mut shrunk = false;
    for line in svg.lines() {
        shrunk = (shrunk || line.starts_with("<g transform=\"scale(0.")) && line != "</g>";
        let points = attribute(line, "points").unwrap_or_default();
        let curve = line.starts_with("<polyline") && points.split_whitespace().count() > 6;
        if curve && !shrunk && !points.contains('.') {
            faults.push("a curve on whole pixels".into());
        }
        if let Some(colour) = attribute(line, "stroke").filter(|colour| colour.starts_with('#')) {
            for ground in ["#fefefd", "#161923"] {
                if contrast(colour, ground) < 3.0 {
                    faults.push(format!("a line of {colour} is hardly seen on {ground}"));
                }
            }
        }
    }
    faults
}

/// On a phone, 390 pixels wide, a drawing has 358; panels have a line each. No letter is under nine
/// pixels there.
fn tiny_letters(svg: &str) -> Vec<String> {
    let (mut widths, mut usual) = (Vec::new(), 16.0);
    let mut faults = Vec::new();
    for tag in svg.split('<') {
        let size = attribute(tag, "font-size").and_then(|size| size.parse().ok()).unwrap_or(usual);
        if tag.starts_with("svg") {
            let view = attribute(tag, "viewBox").unwrap_or_default().split(' ').nth(2);
            widths.push(view.and_then(|width| width.parse::<f64>().ok()).unwrap_or(358.0));
        }
        match tag.split([' ', '>']).next() {
            Some("svg" | "g") => usual = size,
            Some("/svg") => drop(widths.pop()),
            Some("text" | "tspan") => {
                let shown = size * (358.0 / widths.last().unwrap_or(&358.0)).min(1.0);
                if shown < 9.0 {
                    faults.push(format!("letters of {shown:.1} pixels on a phone"));
                }
            }
            _ => {}
        }
    }
    faults.dedup();
    faults
}

fn attribute<'s>(line: &'s str, name: &str) -> Option<&'s str> {
    line.split_once(&format!(" {name}=\""))?.1.split('"').next()
}

/// The contrast ratio of WCAG 2.
fn contrast(a: &str, b: &str) -> f64 {
    let luminance = |colour: &str| {
        let part = |at: usize| match u8::from_str_radix(&colour[at..at + 2], 16) {
            Ok(part) if part <= 10 => f64::from(part) / 255.0 / 12.92,
            Ok(part) => ((f64::from(part) / 255.0 + 0.055) / 1.055).powf(2.4),
            Err(_) => f64::NAN,
        };
        0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
    };
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

fn drawings() -> Vec<PathBuf> {
    let folders = std::fs::read_dir(repository().join("chapters")).unwrap();
    let figures = folders.map(|folder| folder.unwrap().path().join("figures"));
    let files = figures.filter_map(|folder| std::fs::read_dir(folder).ok()).flatten();
    let files = files.map(|file| file.unwrap().path());
    files.filter(|file| file.extension().is_some_and(|extension| extension == "svg")).collect()
}

#[test]
fn lines_are_fine_and_can_be_seen() {
    let files = drawings();
    assert!(files.len() > 40, "{} figures", files.len());
    let faults = files.iter().flat_map(|file| {
        let svg = std::fs::read_to_string(file).unwrap();
        let faults = faint_or_wobbling(&svg).into_iter().chain(tiny_letters(&svg));
        faults.map(|fault| format!("{}: {fault}", file.display())).collect::<Vec<_>>()
    });
    none(faults.collect());
}

/// A drawing on no page is one that nobody sees.
#[test]
fn every_drawing_is_on_a_page() {
    let book = repository().join("chapters");
    let mut unseen: BTreeSet<PathBuf> = drawings().into_iter().collect();
    for page in listed(&book).iter().map(|file| Page::read(file, &book)) {
        for (event, _) in page.events() {
            if let Event::Start(Tag::Image { dest_url, .. }) = event {
                unseen.remove(&normal(&page.folder().join(&*dest_url)));
            }
        }
    }
    assert!(unseen.is_empty(), "on no page: {unseen:?}");
}

/// The appendix's figure of a training step is drawn after a measurement; one of the two alone in a commit
/// would be a mistake.
#[test]
fn the_ladder_shows_the_results() {
    let folder = repository().join("chapters/appendix/figures");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let (svg, results) = (read("ladder.svg"), read("results.json"));
    let results: serde_json::Value = serde_json::from_str(&results).unwrap();
    let texts = svg.split(['<', '>', '×']).filter_map(|text| text.trim().parse::<f64>().ok());
    let shown: Vec<f64> = texts.collect();
    for rung in ["loops", "nalgebra", "kernel", "no_padding", "fused", "threads", "bf16"] {
        for entry in ["milliseconds", "gain"] {
            let Some(number) = results["ladder"][rung][entry].as_f64() else { continue };
            let is_there = shown.iter().any(|shown| (shown / number - 1.0).abs() < 0.006); // three digits
            assert!(is_there, "ladder.svg: no {number} ({rung}, {entry})");
        }
    }
}

#[test]
fn faint_and_wobbling_lines_are_found() {
    let curve = |points: &str| format!("<polyline stroke=\"#0072B2\" points=\"{points}\"/>\n");
    let whole = curve("1,2 2,3 3,5 4,8 5,13 6,21 7,34");
    let shrunk = format!("<g transform=\"scale(0.05)\">\n{whole}</g>\n");
    assert_eq!(faint_or_wobbling(&shrunk), [""; 0]);
    assert_eq!(faint_or_wobbling(&curve("1,2 2,3")), [""; 0]);
    assert_eq!(faint_or_wobbling(&(shrunk + &whole)), ["a curve on whole pixels"]);
    for (colour, ground) in [("#E69F00", "#fefefd"), ("#00008B", "#161923")] {
        let faults = faint_or_wobbling(&format!("<line stroke=\"{colour}\"/>"));
        assert_eq!(faults, [format!("a line of {colour} is hardly seen on {ground}")]);
    }
}

#[test]
fn tiny_letters_are_found() {
    let drawing = |width: u32, inner: &str| {
        format!(
            "<svg viewBox=\"0 0 {width} 9\" font-size=\"15\"><text x=\"1\">a</text>{inner}</svg>"
        )
    };
    assert_eq!(tiny_letters(&drawing(580, "")), [""; 0]);
    assert_eq!(tiny_letters(&drawing(800, "")), ["letters of 6.7 pixels on a phone"]);
    let panels = drawing(400, "").replace("<svg", "<svg class=\"panel\"");
    let panels = format!("<svg viewBox=\"0 0 800 9\">{panels}{panels}</svg>");
    assert_eq!(tiny_letters(&panels), [""; 0]);
}

#[test]
fn figures_without_number_are_found() {
    proven(
        unnumbered,
        &[
            "![](figures/x.svg)\\\n<sub>A caption</sub>\n\n![](figures/x.svg)\\\n<sub>Another</sub>",
            "`![](figures/x.svg)`",
            "- ![](figures/x.svg) **1** One",
        ],
        &[
            ("![A caption](figures/x.svg)\n\n", "a figure stands"),
            ("See ![](figures/x.svg) here.", "with its caption below"),
        ],
    );
}
