//! Figures: the chapters' SVG files, put into the page itself.
//!
//! A file viewed alone carries a `<style>` that chooses its ink by the reader's colour scheme. In
//! the page that choice belongs to the theme, so the style is left out and `currentColor` decides.

use crate::translation::Translation;
use crate::{Spanned, math};
use pulldown_cmark::{Event, html::push_html};
use roxmltree::{Document, NS_XML_URI, Node};
use std::path::Path;

const SVG: &str = "http://www.w3.org/2000/svg";

/// Around a drawing's labels, never seen: by it, search.js keeps them out of what the search quotes.
const LABELS: char = '\u{2063}';

/// `<figure>` with the drawing, its number and its caption, on one line so that Markdown keeps it
/// whole. Its id, `figure-03_scoring_functions-weights`, is its name and not its number: a link to
/// it holds when another figure comes before it. A script beside the drawing makes the figure live.
pub(crate) fn inline(
    language: &Translation,
    folder: &Path,
    file: &str,
    caption: &[Spanned],
    number: &str,
) -> Result<String, String> {
    let fault = |reason: &dyn std::fmt::Display| format!("figure `{file}`: {reason}");
    let svg = std::fs::read_to_string(folder.join(file)).map_err(|error| fault(&error))?;
    let svg = language.figure(&svg);
    let (html, words) = captioned(caption).map_err(|error| fault(&error))?;
    if words.trim().is_empty() {
        return Err(fault(&"it has no caption"));
    }
    let name = own_name(folder, file);
    let drawing = embedded(&svg, &name, &words).map_err(|error| fault(&error))?;
    let script = Path::new(file).with_extension("js");
    let live = if folder.join(&script).exists() {
        let script = language.script(folder, &script.to_string_lossy());
        format!(" data-live=\"{}\"", escaped(&script))
    } else {
        String::new()
    };
    Ok(format!(
        "<figure id=\"figure-{name}\"{live}>{drawing}<figcaption><a class=\"number\" href=\"#figure-{name}\">{} {number}</a> {html}</figcaption></figure>\n\n",
        language.of("Figure")
    ))
}

/// A drawing that says nothing of its own: without number, and not read aloud.
pub(crate) fn adorning(folder: &Path, file: &str) -> Result<String, String> {
    let fault = |reason: &dyn std::fmt::Display| format!("figure `{file}`: {reason}");
    let svg = std::fs::read_to_string(folder.join(file)).map_err(|error| fault(&error))?;
    let drawing = embedded(&svg, &own_name(folder, file), "").map_err(|error| fault(&error))?;
    let drawing = drawing.replace("role=\"img\" aria-label=\"\"", "aria-hidden=\"true\"");
    let span = drawing.replacen("<div class=\"drawing\">", "<span class=\"adorning\">", 1);
    Ok(span.replace("</svg></div>", "</svg></span>"))
}

/// `03_scoring_functions`, `figures/weights.svg` → `03_scoring_functions-weights`: what makes the
/// ids of a drawing its own. Several figures share a page, and the print page holds all of them.
fn own_name(folder: &Path, file: &str) -> String {
    let chapter = folder.file_name().unwrap_or_default().to_string_lossy();
    let figure = Path::new(file).file_stem().unwrap_or_default().to_string_lossy();
    format!("{chapter}-{figure}")
}

/// The caption as HTML, and as plain words for those who listen.
fn captioned(caption: &[Spanned]) -> Result<(String, String), String> {
    let mut words = String::new();
    let mut events = Vec::new();
    for (event, _) in caption {
        match event {
            Event::Text(text) | Event::Code(text) => words += text,
            Event::InlineMath(tex) | Event::DisplayMath(tex) => words += tex,
            Event::SoftBreak | Event::HardBreak => words.push(' '),
            _ => {}
        }
        events.push(match event {
            Event::InlineMath(tex) => Event::InlineHtml(math::inline(tex)?.into()),
            Event::DisplayMath(tex) => Event::InlineHtml(math::display(tex)?.into()),
            Event::SoftBreak => Event::Text(" ".into()),
            other => other.clone(),
        });
    }
    let mut html = String::new();
    push_html(&mut html, events.into_iter());
    Ok((html.replace('\n', " "), words))
}

/// The drawing as an element of the page: labelled, without style and comments, its ids its own. Panels
/// become drawings of their own, which the style sheet sets side by side or one below the other.
fn embedded(svg: &str, name: &str, label: &str) -> Result<String, String> {
    let document = Document::parse(svg).map_err(|error| error.to_string())?;
    let root = document.root_element();
    if root.tag_name().name() != "svg" {
        return Err(format!(
            "an SVG file begins with <svg>, this with <{}>",
            root.tag_name().name()
        ));
    }
    let width = root.attribute("width").and_then(|width| width.parse::<f32>().ok());
    let height = root.attribute("height").and_then(|height| height.parse::<f32>().ok());
    let label = format!("role=\"img\" aria-label=\"{}\"", escaped(label));
    let panels = || root.children().filter(|child| child.has_tag_name((SVG, "svg")));
    if panels().next().is_some() {
        let first_row = panels().filter(|panel| panel.attribute("y") == Some("0")).count();
        let mut html =
            format!("<div class=\"drawing panels\" {label} style=\"--columns: {first_row}\">");
        panels().for_each(|panel| write(panel, name, &mut html));
        return Ok(html + "</div>");
    }
    let mut html = format!("<div class=\"drawing\"><svg {label}");
    match (root.attribute("viewBox"), width, height) {
        (Some(_), ..) => {}
        // Without a viewBox a drawing cannot shrink to the width of a phone.
        (None, Some(w), Some(h)) => html += &format!(" viewBox=\"0 0 {w} {h}\""),
        _ => return Err("it has neither a viewBox nor a size".into()),
    }
    attributes(root, name, &mut html);
    html.push(LABELS);
    root.children().for_each(|child| write(child, name, &mut html));
    html.push(LABELS);
    Ok(html + "</svg></div>")
}

fn write(node: Node, name: &str, html: &mut String) {
    if node.is_text() {
        *html += &escaped(node.text().unwrap_or_default());
    } else if node.is_element() && !matches!(node.tag_name().name(), "style" | "script") {
        let tag = node.tag_name().name();
        *html += &format!("<{tag}");
        attributes(node, name, html);
        // A panel's marks are inside it: between panels, text would take a place of its own in their grid.
        html.extend((tag == "svg").then_some(LABELS));
        node.children().for_each(|child| write(child, name, html));
        html.extend((tag == "svg").then_some(LABELS));
        *html += &format!("</{tag}>");
    }
}

/// The attributes and the end of an opening tag; whatever names an id names the drawing's own.
fn attributes(node: Node, name: &str, html: &mut String) {
    for attribute in node.attributes() {
        let value = match (attribute.name(), attribute.value()) {
            ("id", id) => format!("{name}-{id}"),
            ("href", link) => link.replacen('#', &format!("#{name}-"), 1),
            (_, value) => value.replace("url(#", &format!("url(#{name}-")),
        };
        let prefix = if attribute.namespace() == Some(NS_XML_URI) { "xml:" } else { "" };
        *html += &format!(" {prefix}{}=\"{}\"", attribute.name(), escaped(&value));
    }
    html.push('>');
}

/// The text on one line, with `&`, `<` and `"` as references.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;").replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page;

    #[test]
    fn a_drawing_without_a_caption_adorns() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("x.svg"), DRAWING).unwrap();
        let html = page("- ![](x.svg) **1** One\n", folder.path(), "3").unwrap();
        assert!(html.starts_with("- <span class=\"adorning\"><svg aria-hidden=\"true\""), "{html}");
        assert!(html.contains("</svg></span> **1** One"), "{html}");
        let missing = page("![](y.svg) z\n", folder.path(), "3").unwrap_err();
        assert!(missing[0].contains("figure `y.svg`"), "{missing:?}");
    }

    const DRAWING: &str = r##"<?xml version="1.0" encoding="UTF-8"?>
<!-- drawn by hand -->
<svg xmlns="http://www.w3.org/2000/svg" width="720" height="360" viewBox="0 0 720 360">
<style>svg { color: #222 } @media (prefers-color-scheme: dark) { svg { color: #ddd } }</style>
<clipPath id="area"><rect width="9" height="9"/></clipPath>
<path clip-path="url(#area)" stroke="currentColor" d="M0 0"/>

<text>a &lt; b</text>
</svg>"##;

    fn page_with(svg: &str, markdown: &str) -> Result<String, Vec<String>> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("x.svg"), svg).unwrap();
        page(markdown, folder.path(), "3")
    }

    #[test]
    fn a_figure_alone_in_a_paragraph_becomes_part_of_the_page() {
        let html = page_with(
            DRAWING,
            "Before.\n\n![](x.svg)\\\n<sub>All *weights* for $h = 1$: 0.3<!--=a.b--></sub>\n\nAfter.\n",
        )
        .unwrap();
        let figure = html.lines().find(|line| line.starts_with("<figure id=")).unwrap();
        assert!(figure.ends_with("</figure>"), "one line, or Markdown would cut it: {html}");
        assert!(figure.contains("Figure 3.1</a> All"), "{figure}");
        assert!(figure.contains("role=\"img\" aria-label=\"All weights for h = 1: 0.3\""));
        assert!(figure.contains("viewBox=\"0 0 720 360\""));
        assert!(figure.contains("All <em>weights</em> for <math>"));
        assert!(figure.contains("0.3<!--=a.b--></figcaption>"));
        assert!(figure.contains("a &lt; b"));
        assert!(!figure.contains("style") && !figure.contains("drawn by hand"));
    }

    #[test]
    fn a_script_beside_the_drawing_makes_a_figure_live() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("x.svg"), DRAWING).unwrap();
        let converted = || page("![](x.svg)\\\n<sub>All</sub>\n", folder.path(), "3").unwrap();
        assert!(!converted().contains("data-live"));
        std::fs::write(folder.path().join("x.js"), "").unwrap();
        assert!(converted().contains("-x\" data-live=\"x.js\"><div"), "{}", converted());
    }

    #[test]
    fn panels_become_drawings_of_their_own() {
        let panel =
            |class, y| format!("<svg class=\"{class}\" x=\"0\" y=\"{y}\" viewBox=\"0 0 9 9\"/>");
        let (above, below) = (panel("panel", 0) + &panel("panel", 0), panel("key", 9));
        let file = format!("<svg xmlns=\"{SVG}\" viewBox=\"0 0 9 18\">{above}{below}</svg>");
        let html = embedded(&file, "x", "Two").unwrap();
        let start =
            "<div class=\"drawing panels\" role=\"img\" aria-label=\"Two\" style=\"--columns: 2\">";
        assert!(html.starts_with(start), "{html}");
        assert_eq!((html.matches("<svg").count(), html.matches("</svg>").count()), (3, 3));
        assert!(
            html.contains("2\"><svg") && html.contains("</svg><svg"),
            "no text between: {html}"
        );
        assert!(html.contains("9 9\">\u{2063}\u{2063}</svg></div>"), "{html}");
    }

    #[test]
    fn ids_belong_to_their_figure() {
        let html = embedded(DRAWING, "02_x-fit", "…").unwrap();
        assert!(html.contains("id=\"02_x-fit-area\"") && html.contains("url(#02_x-fit-area)"));
    }

    #[test]
    fn the_labels_of_a_drawing_can_be_told_from_the_text() {
        let html = embedded(DRAWING, "02_x-fit", "…").unwrap();
        let [_, labels, _] = html.split(LABELS).collect::<Vec<_>>()[..] else { panic!("{html}") };
        assert!(labels.contains("a &lt; b"));
    }

    #[test]
    fn a_drawing_with_a_size_alone_can_shrink() {
        let html = embedded("<svg width=\"600\" height=\"360\"/>", "x", "…").unwrap();
        assert!(html.contains("viewBox=\"0 0 600 360\""), "{html}");
    }

    #[test]
    fn images_in_running_text_and_of_other_kinds_are_left_to_mdbook() {
        for markdown in [
            "See ![a](x.svg) here.\n",
            "![](photo.png)\\\n<sub>a</sub>\n",
            "![](https://e.org/x.svg)\n",
        ] {
            assert_eq!(page_with(DRAWING, markdown).unwrap(), markdown);
        }
    }

    #[test]
    fn a_figure_that_cannot_be_shown_is_a_fault_that_names_it() {
        for (svg, markdown, reason) in [
            (DRAWING, "![](y.svg)\\\n<sub>caption</sub>", "figure `y.svg`: No such file"),
            (DRAWING, "![](x.svg)", "figure `x.svg`: it has no caption"),
            (
                DRAWING,
                "![](x.svg)\\\n<sub>$\\nonsense$</sub>",
                r"figure `x.svg`: formula `\nonsense`",
            ),
            ("<svg", "![](x.svg)\\\n<sub>caption</sub>", "figure `x.svg`: "),
            ("<html/>", "![](x.svg)\\\n<sub>caption</sub>", "begins with <svg>, this with <html>"),
            ("<svg/>", "![](x.svg)\\\n<sub>caption</sub>", "neither a viewBox nor a size"),
        ] {
            let faults = page_with(svg, markdown).unwrap_err();
            assert!(faults[0].contains(reason), "{faults:?}");
        }
    }
}
