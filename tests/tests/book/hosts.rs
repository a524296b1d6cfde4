//! What a code host would not show as it is meant.

use formulas::markdown_options;
use pulldown_cmark::{Event, Options, Parser, Tag};
use serde_json::Value;

use super::{Page, repository, small::proven};

/// What GitHub's renderer of formulas answers with “macros are not allowed” (github/markup issue 1688), as its script lists
/// them, and what belongs to the packages of MathJax that it leaves out.
const REFUSED: [&str; 31] = [
    "operatorname",
    "mbox",
    "phantom",
    "hphantom",
    "vphantom",
    "DeclareMathOperator",
    "DeclarePairedDelimiters",
    "newtagform",
    "renewtagform",
    "colorbox",
    "fcolorbox",
    "definecolor",
    "Newextarrow",
    "mathchoice",
    "unicode",
    "mmlToken",
    "def",
    "let",
    "newcommand",
    "renewcommand",
    "newenvironment",
    "renewenvironment",
    "require",
    "href",
    "class",
    "cssId",
    "style",
    "bbox",
    "toggle",
    "mathtip",
    "texttip",
];

/// Formulas that a code host refuses or reads as Markdown, and what it shows as text, or not at all.
pub fn unshown(page: &Page) -> Vec<String> {
    let (mut faults, mut formulas) = (Vec::new(), Vec::new());
    for (event, range) in page.events() {
        match event {
            Event::InlineMath(tex) | Event::DisplayMath(tex) => {
                let names = tex.split('\\').skip(1).map(|after| {
                    after.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default()
                });
                let refused = names.filter(|name| REFUSED.contains(name));
                faults.extend(refused.map(|name| page.fault(range.start, format!("`\\{name}`"))));
                let escape = tex.match_indices('\\').find_map(|(at, _)| {
                    tex[at + 1..].chars().next().filter(char::is_ascii_punctuation)
                });
                faults.extend(escape.map(|c| {
                    page.fault(range.start, format!("`\\{c}`, of which Markdown leaves `{c}`"))
                }));
                formulas.push(range);
            }
            Event::Html(html) | Event::InlineHtml(html) if html.contains("<iframe") => {
                faults.push(page.fault(range.start, "a frame is shown as text: link to its page"));
            }
            _ => {}
        }
    }
    // A code host reads Markdown first.
    let plain = Parser::new_ext(&page.text, markdown_options() - Options::ENABLE_MATH);
    for (event, marked) in plain.into_offset_iter() {
        let marks = matches!(event, Event::Start(Tag::Emphasis | Tag::Strong | Tag::Link { .. }));
        let inside = |at: usize| formulas.iter().any(|range| range.start < at && at < range.end);
        if marks && (inside(marked.start) || inside(marked.end)) {
            let what = page.text[marked.clone()].to_owned();
            faults.push(page.fault(marked.start, format!("`{what}` is read as Markdown")));
        }
    }
    faults
}

/// The cells of text of every notebook, as pages.
pub fn notebooks() -> Vec<Page> {
    let folder = repository().join("notebooks").read_dir().expect("notebooks/");
    let files = folder.map(|entry| entry.expect("an entry").path());
    let mut pages = Vec::new();
    for file in files.filter(|file| file.extension().is_some_and(|kind| kind == "ipynb")) {
        let json = std::fs::read_to_string(&file).expect("a notebook");
        let cells: Value = serde_json::from_str(&json).expect("a notebook is JSON");
        let cells = cells["cells"].as_array().expect("cells").iter();
        let lines = cells.filter(|cell| cell["cell_type"] == "markdown").flat_map(|cell| {
            cell["source"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .chain(["\n\n"])
        });
        pages.push(Page { root: repository(), text: lines.collect(), file });
    }
    pages
}

#[test]
fn what_a_code_host_does_not_show_is_found() {
    proven(
        unshown,
        &[
            r"$\mathrm{softmax}(x_i)\thinspace y_{ij}$ and $e_{ij}$, `$\operatorname$`",
            "<details><summary>All</summary>\n\n[a page](x.html)\n\n</details>",
        ],
        &[
            (r"$\operatorname{softmax}$", r"`\operatorname`"),
            ("$$\n\\newcommand x\n$$", r"`\newcommand`"),
            (r"$a\,b$", r"`\,`, of which"),
            (r"$\mathbf{x}_i$ and $a_{j}$", "read as Markdown"),
            ("<iframe src=\"x.html\"></iframe>", "a frame"),
        ],
    );
}
