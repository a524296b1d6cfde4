//! The book's own preprocessor for mdBook: formulas become MathML, figures become part of the page
//! and are numbered, boxes say what they are for, listings which file they are from, and questions
//! can be answered.
//!
//! A reader needs `mdbook` and the Rust toolchain, nothing else, and the built book loads nothing
//! from the network. That rules out the usual ways. MathJax and KaTeX want scripts, or a style
//! sheet and a set of fonts, from somewhere else; KaTeX's MathML, tried in Chromium, lost bold and
//! blackboard letters and did not stretch braces. MathML Core, on the other hand, is understood by
//! every current browser, follows the colour of the text around it, and can be searched and read
//! aloud. What it needs is one font with mathematics in it (`theme/fonts`).
//!
//! Figures are SVG drawn in `currentColor`. Behind an `<img>` they would not know the page's
//! colour; inlined ([`figure`]) they turn light on a dark page together with the text. A script beside
//! a drawing makes its figure live: the crate `live` tells how.
//!
//! [`page`] does this for one page of Markdown. `main.rs` speaks mdBook's protocol. [`epub`] makes one file of
//! the built book.

pub mod beside;
pub mod epub;
pub mod figure;
pub mod listing;
pub mod math;
pub mod question;
mod spaces;
pub mod translation;
pub mod ways;

use pulldown_cmark::{BlockQuoteKind, Event, Options, Parser, Tag, TagEnd};
use std::ops::Range;
use std::path::Path;

use spaces::{before_units, in_intervals};
use translation::Translation;

/// A page of Markdown with its questions asked, its formulas as MathML, its figures inlined, its links to
/// other pages leading there.
///
/// `folder` is where the page lies: figures are named relative to it. `number` is the page's own,
/// `3` or `A`, and begins those of its figures: 3.1, 3.2 …. What is wrong with the page
/// – every formula that does not convert, every figure that cannot be read – comes back as one
/// line each.
pub fn page(markdown: &str, folder: &Path, number: &str) -> Result<String, Vec<String>> {
    page_in(&Translation::default(), markdown, folder, number)
}

/// The same with the preprocessor's own words and with the labels of drawings in another language; the lines of the page
/// are [translated](Translation::page) before.
pub fn page_in(
    language: &Translation,
    markdown: &str,
    folder: &Path,
    number: &str,
) -> Result<String, Vec<String>> {
    let markdown = &*question::placed(markdown, folder)?;
    let events: Vec<_> = Parser::new_ext(markdown, markdown_options()).into_offset_iter().collect();
    let mut edits = Vec::new();
    let mut faults = Vec::new();
    let mut figures = 0;
    let mut code = false;
    let mut seen = 0; // up to here everything is part of a figure
    for (i, (event, range)) in events.iter().enumerate() {
        if range.start < seen {
            continue;
        }
        match event {
            Event::Start(Tag::CodeBlock(_)) => code = true,
            Event::End(TagEnd::CodeBlock) => code = false,
            Event::Text(_) if !code => {
                let spaces = before_units(markdown, range).chain(in_intervals(markdown, range));
                edits.extend(spaces.map(|space| (space, "\u{a0}".into())));
            }
            _ => {}
        }
        let (range, replacement) = match event {
            Event::InlineMath(tex) => {
                let (before, after) = punctuation(markdown, range);
                let whole = range.start - before.len()..range.end + after.len();
                (whole, math::inline(tex).map(|math| together(before, &math, after)))
            }
            Event::Code(code) if code.chars().count() > LONG => {
                (range.clone(), Ok(format!("<code class=\"long\">{}</code>", math::literal(code))))
            }
            Event::DisplayMath(tex) => (range.clone(), math::display(tex)),
            Event::Start(Tag::Paragraph) => match figure_alone(&events[i..]) {
                Some((file, caption, image)) => {
                    seen = image.end;
                    figures += 1;
                    (
                        image,
                        figure::inline(
                            language,
                            folder,
                            file,
                            caption,
                            &format!("{number}.{figures}"),
                        ),
                    )
                }
                None => match page_alone(&events[i..]) {
                    Some((link, frame)) => (link, Ok(frame)),
                    None => continue,
                },
            },
            Event::Start(Tag::Image { dest_url, .. }) if adorns(&events[i..]) => {
                (range.clone(), figure::adorning(folder, dest_url))
            }
            Event::Start(Tag::BlockQuote(Some(kind))) => {
                let Some((class, title)) = purpose(*kind) else { continue };
                // The line of the mark goes; the quote stays, in a box that says what it is for.
                let mark =
                    markdown[range.clone()].find('\n').map_or(range.end, |end| range.start + end);
                edits.push((
                    range.start..mark,
                    format!("<div class=\"box {class}\">\n\n> **{}**\n>", language.of(title)),
                ));
                (range.end..range.end, Ok("\n</div>\n\n".into()))
            }
            Event::Start(Tag::Link { dest_url, .. }) if names_readme(dest_url) => {
                match markdown[range.clone()].rfind(README) {
                    Some(at) => {
                        let start = range.start + at;
                        (start..start + README.len(), Ok("index.md".into()))
                    }
                    None => (0..0, Err(format!("link `{dest_url}`: write it where it is used"))),
                }
            }
            _ => continue,
        };
        match replacement {
            Ok(text) => edits.push((range, text)),
            Err(fault) => faults.push(fault),
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    edits.sort_by_key(|(range, _)| range.start);
    let mut converted = String::with_capacity(2 * markdown.len());
    let mut copied = 0;
    for (range, text) in edits {
        converted += &markdown[copied..range.start];
        converted += &text;
        copied = range.end;
    }
    Ok(converted + &markdown[copied..])
}

/// Code in a line that is longer may break: a command does not fit beside other words.
const LONG: usize = 40;

/// The characters at a formula that must not part from it: `(` before, and `,` or `).` after it.
fn punctuation<'m>(markdown: &'m str, formula: &Range<usize>) -> (&'m str, &'m str) {
    let (before, after) = (&markdown[..formula.start], &markdown[formula.end..]);
    let opens = before.ends_with('(') && !before.ends_with("](");
    let closes = after.len() - after.trim_start_matches([',', '.', ';', ':', '?', ')']).len();
    (&before[before.len() - usize::from(opens)..], &after[..closes])
}

/// A browser may break a line at either side of a formula, and would begin one with a comma.
fn together(before: &str, math: &str, after: &str) -> String {
    if before.is_empty() && after.is_empty() {
        return math.into();
    }
    format!("<span class=\"whole\">{before}{math}{after}</span>")
}

/// The purpose of mdBook's boxes “Tip” and “Important” in the course: a class and a title.
fn purpose(kind: BlockQuoteKind) -> Option<(&'static str, &'static str)> {
    match kind {
        BlockQuoteKind::Tip => Some(("try-it", "Try it")),
        BlockQuoteKind::Important => Some(("exercise", "Exercise")),
        _ => None,
    }
}

/// mdBook builds `index.html` from a folder's `README.md`, but leaves the links to it as they are.
const README: &str = "README.md";

fn names_readme(link: &str) -> bool {
    let file = link.split('#').next().unwrap_or_default();
    !link.contains(':') && (file == README || file.ends_with("/README.md"))
}

/// The options of mdBook's own parser, and mathematics.
pub fn markdown_options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_HEADING_ATTRIBUTES
        | Options::ENABLE_SMART_PUNCTUATION
        | Options::ENABLE_DEFINITION_LIST
        | Options::ENABLE_GFM
        | Options::ENABLE_MATH
}

type Spanned<'a> = (Event<'a>, Range<usize>);

/// If a paragraph holds one SVG image of ours and, in `<sub>` below it, its caption, as a code host shows both: its
/// file, caption and extent.
fn figure_alone<'e>(
    events: &'e [Spanned<'e>],
) -> Option<(&'e str, &'e [Spanned<'e>], Range<usize>)> {
    let [_paragraph, (Event::Start(Tag::Image { dest_url, .. }), image), (_, _), rest @ ..] =
        events
    else {
        return None;
    };
    let ours = dest_url.ends_with(".svg") && !dest_url.contains(':');
    let is = |event: &Event, tag: &str| matches!(event, Event::InlineHtml(html) if **html == *tag);
    let end = rest.iter().position(|(event, _)| *event == Event::End(TagEnd::Paragraph))?;
    let caption = match &rest[..end] {
        [] => &[],
        [(Event::HardBreak, _), (open, _), caption @ .., (close, _)]
            if is(open, "<sub>") && is(close, "</sub>") =>
        {
            caption
        }
        _ => return None,
    };
    let last = rest[..end].last().map_or(image.end, |(_, range)| range.end);
    ours.then_some((&**dest_url, caption, image.start..last))
}

/// If a paragraph is a link to a page of HTML, the page in a frame, which has the link's title.
fn page_alone(events: &[Spanned]) -> Option<(Range<usize>, String)> {
    let [_paragraph, (Event::Start(Tag::Link { dest_url, title, .. }), link), ..] = events else {
        return None;
    };
    let end = events.iter().position(|(event, _)| *event == Event::End(TagEnd::Link))?;
    let alone = events[end + 1].0 == Event::End(TagEnd::Paragraph);
    let frame = format!(
        "<iframe class=\"viewer\" src=\"{dest_url}\" title=\"{title}\" loading=\"lazy\"></iframe>"
    );
    (alone && dest_url.ends_with(".html") && !dest_url.contains(':')).then(|| (link.clone(), frame))
}

/// A drawing without a caption adorns the text that it is in.
fn adorns(events: &[Spanned]) -> bool {
    let [(Event::Start(Tag::Image { dest_url, .. }), _), (next, _), ..] = events else {
        return false;
    };
    dest_url.ends_with(".svg") && !dest_url.contains(':') && *next == Event::End(TagEnd::Image)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn converted(markdown: &str) -> String {
        page(markdown, Path::new("."), "3").unwrap()
    }

    #[test]
    fn formulas_are_converted_where_markdown_has_them_and_nowhere_else() {
        let html = converted("Let $x$ be.\n\n```\n$y$ in code\n```\n\nAnd `$z$`, and 5 \\$.\n");
        assert!(html.contains("Let <math><mi>x</mi></math> be."));
        assert!(html.contains("$y$ in code"));
        assert!(html.contains("`$z$`"));
    }

    #[test]
    fn a_formula_survives_the_markdown_parser_that_reads_it_next() {
        // mdBook parses the result once more: a `*`, a `_` or a `[` of the formula must not
        // become emphasis or a link.
        let html = converted("$a * b$ and $c * d$, $\\{x_1, [y]\\}$, $f(x)' | z$");
        let mut again = String::new();
        pulldown_cmark::html::push_html(
            &mut again,
            Parser::new_ext(&html, markdown_options() - Options::ENABLE_MATH),
        );
        assert!(!again.contains("<em>"), "{again}");
        assert!(again.contains("<mo stretchy=\"false\">[</mo>"), "{again}");
        assert_eq!(again.matches("</math>").count(), 4);
    }

    #[test]
    fn display_formulas_may_span_lines_also_inside_quotes_and_lists() {
        for markdown in [
            "$$\na +\nb\n$$\n",
            "> Note:\n>\n> $$\n> a +\n> b\n> $$\n",
            "- item\n\n  $$\n  a +\n  b\n  $$\n",
        ] {
            let html = converted(markdown);
            assert!(html.contains("<mi>a</mi><mo>&#43;</mo><mi>b</mi></math>"), "{html}");
            assert!(!html.contains("<mo>&gt;</mo>"), "the quote's mark is in the formula: {html}");
        }
    }

    #[test]
    fn every_fault_of_a_page_is_named() {
        let faults = page("$\\nonsense$ and $\\frac{1}{2}$ and $\\left( x$", Path::new("."), "3")
            .unwrap_err();
        assert_eq!(faults.len(), 2);
        assert!(faults[0].contains(r"\nonsense"), "{faults:?}");
        assert!(faults[1].contains(r"\left( x"), "{faults:?}");
    }

    #[test]
    fn punctuation_stays_with_its_formula() {
        let x = math::inline("x").unwrap();
        for (markdown, html) in [
            ("at $x$, so", format!("at <span class=\"whole\">{x},</span> so")),
            ("(at $x$).", format!("(at <span class=\"whole\">{x}).</span>")),
            ("($x$ here", format!("<span class=\"whole\">({x}</span> here")),
            ("$x$ here", format!("{x} here")),
            ("*$x$*!", format!("*{x}*!")),
            ("[$x$](a.md)", format!("[{x}](a.md)")),
        ] {
            assert_eq!(converted(markdown), html);
        }
    }

    #[test]
    fn links_to_a_readme_lead_to_the_page_built_from_it() {
        assert_eq!(
            converted("[back to $x$](../02_y/README.md#why) and [readme](https://e.org/README.md)"),
            format!(
                "[back to {}](../02_y/index.md#why) and [readme](https://e.org/README.md)",
                math::inline("x").unwrap()
            )
        );
        assert!(page("[a]\n\n[a]: ../02_y/README.md\n", Path::new("."), "3").is_err());
    }

    #[test]
    fn a_page_linked_alone_is_in_a_frame() {
        let html = converted("[Open *it*](x/y.html \"Heads\")\n\nSee [it](x/y.html).\n");
        assert!(html.starts_with("<iframe class=\"viewer\" src=\"x/y.html\" title=\"Heads\""));
        assert!(html.ends_with("</iframe>\n\nSee [it](x/y.html).\n"), "{html}");
    }

    #[test]
    fn a_number_keeps_its_unit() {
        assert_eq!(
            converted("Takes 3.1<!--=ms--> ms, or 2 × more: 5 men.\n\n```\n3 ms\n```\n"),
            "Takes 3.1<!--=ms-->\u{a0}ms, or 2\u{a0}× more: 5 men.\n\n```\n3 ms\n```\n"
        );
        assert_eq!(
            converted("1.0<!--=m--> ± 0.2<!--=s--> (0.8<!--=l--> to +1.2), 3 to one, 5 % to 6 %"),
            "1.0<!--=m-->\u{a0}±\u{a0}0.2<!--=s--> (0.8<!--=l-->\u{a0}to\u{a0}+1.2), 3 to one, 5\u{a0}%\u{a0}to\u{a0}6\u{a0}%"
        );
    }

    #[test]
    fn long_code_may_break_and_is_still_what_it_was() {
        let short = "run `cargo test -- --help`\n";
        assert_eq!(converted(short), short);
        let long = converted("run `cargo run -p x -- --only \"a_b c_d\" --out <folder> & *`\n");
        assert!(long.starts_with("run <code class=\"long\">cargo run &#45;p x"), "{long}");
        assert!(long.contains("&#95;") && long.contains("&lt;folder&gt; &amp; &#42;</code>"));
    }

    #[test]
    fn boxes_say_what_they_are_for() {
        let x = math::inline("x").unwrap();
        assert_eq!(
            converted("> [!IMPORTANT]\n> **1.1** Find $x$ here.\n\nAfter.\n"),
            format!(
                "<div class=\"box exercise\">\n\n> **Exercise**\n>\n> **1.1** Find {x} here.\n\n</div>\n\n\nAfter.\n"
            )
        );
        assert!(converted("> [!TIP]\n> Try.\n").contains("<div class=\"box try-it\">"));
        for left in ["> [!NOTE]\n> Aside.\n", "> A quotation.\n"] {
            assert_eq!(converted(left), left);
        }
    }

    #[test]
    fn marks_of_measured_numbers_stay_comments() {
        assert_eq!(converted("It is 0.31<!--=loo.h-->."), "It is 0.31<!--=loo.h-->.");
    }
}
