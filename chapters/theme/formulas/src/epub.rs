//! The course as one file for a reader of books: EPUB 3, with formulas as MathML, figures as SVG with
//! their descriptions, and the font that sets the formulas.
//!
//! It is made of the book that mdBook has built. There every link, every box and every number of a figure
//! is as it shall be; what is left is to write XHTML ([`xhtml`]), to say what there is, and to pack it
//! (the crate `zip`). A renderer of mdBook's own would run at every build, and move the pages to another folder.

pub mod xhtml;

use crate::listing;
use std::io::{Cursor, Write};
use std::path::Path;
use xhtml::escaped;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

/// The entries of the title page and of a library's catalogue.
pub struct About {
    /// The title.
    pub title: String,
    /// The book in a sentence or two.
    pub description: String,
    /// Who wrote it.
    pub author: String,
    /// Its language, as `en`.
    pub language: String,
    /// When it was changed, as `2026-01-31T12:00:00Z`.
    pub modified: String,
}

/// It names the work, whatever the version: made once, by chance.
const IDENTIFIER: &str = "urn:uuid:6f0d4c1e-52a7-4b0c-9a3e-7d1f8e2b9c45";

const CONTAINER: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="book/package.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
"#;

const SUMMARY: &str = "Formulas are MathML, listings are text. Every figure that stands for itself has its caption as its description. Drawings follow the colour of the text.";

const XHTML: &str = "application/xhtml+xml";

/// The EPUB of the book that lies built in `built`.
pub fn bound(built: &Path, about: &About) -> Result<Vec<u8>, String> {
    let lines = contents(&read(built, "toc.html")?);
    let pages: Vec<_> =
        lines.iter().filter_map(|line| Some((line.page.as_deref()?, &*line.title))).collect();
    let mut package = Package::new();
    package.file("mimetype", b"application/epub+zip", CompressionMethod::Stored); // first, and readable as it is
    package.file("META-INF/container.xml", CONTAINER.as_bytes(), CompressionMethod::Deflated);
    package.add("epub.css", "text/css", "", include_bytes!("../../epub.css"));
    package.add("math.css", "text/css", "", include_bytes!("../../math.css"));
    package.add("math.woff2", "font/woff2", "", include_bytes!("../../fonts/math.woff2"));
    let licence = include_bytes!("../../fonts/LICENSE-math.txt");
    package.add("LICENSE-math.txt", "text/plain", "", licence);

    let [title, description, author] =
        [&about.title, &about.description, &about.author].map(|text| escaped(text));
    let cover = format!("<h1>{title}</h1>\n<p>{description}</p>\n<p>{author}</p>");
    package.page("title.xhtml", "", &document(about, &title, &cover, 0));
    let toc = format!(
        "<nav epub:type=\"toc\" role=\"doc-toc\"><h1>Contents</h1>\n{}</nav>",
        navigation(&lines)
    );
    package.page("contents.xhtml", "nav", &document(about, "Contents", &toc, 0));
    for &(page, title) in &pages {
        let html = read(built, page)?;
        let content = html.split_once("<main>").and_then(|(_, rest)| rest.split_once("</main>"));
        let (content, _) = content.ok_or_else(|| format!("{page} has no <main>"))?;
        let body = xhtml::converted(content, &|link| target(link, page, &pages))
            .map_err(|error| format!("{page}: {error}"))?;
        let holds = [("mathml", "<math"), ("svg", "<svg")];
        let holds = holds.map(|(name, tag)| if body.contains(tag) { name } else { "" }).join(" ");
        let depth = page.matches('/').count();
        package.page(&renamed(page), holds.trim(), &document(about, title, &body, depth));
    }
    Ok(package.finish(about))
}

fn read(folder: &Path, file: &str) -> Result<String, String> {
    let path = folder.join(file);
    std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
}

/// An EPUB that is being written: what it holds, and in which order it is read.
struct Package {
    archive: ZipWriter<Cursor<Vec<u8>>>,
    items: String,
    spine: String,
    count: usize,
}

impl Package {
    fn new() -> Package {
        let (items, spine) = (String::new(), String::new());
        Package { archive: ZipWriter::new(Cursor::default()), items, spine, count: 0 }
    }

    /// Every file has the date on which the format's time begins: the same book is the same bytes.
    fn file(&mut self, name: &str, content: &[u8], method: CompressionMethod) {
        let options = SimpleFileOptions::default();
        let options = options.compression_method(method).last_modified_time(DateTime::default());
        self.archive.start_file(name, options).expect("a new name");
        self.archive.write_all(content).expect("memory takes every byte");
    }

    fn add(&mut self, file: &str, kind: &str, properties: &str, content: &[u8]) {
        self.file(&format!("book/{file}"), content, CompressionMethod::Deflated);
        self.count += 1;
        self.items +=
            &format!("<item id=\"i{}\" href=\"{file}\" media-type=\"{kind}\"", self.count);
        if !properties.is_empty() {
            self.items += &format!(" properties=\"{properties}\"");
        }
        self.items += "/>\n";
    }

    fn page(&mut self, file: &str, properties: &str, content: &str) {
        self.add(file, XHTML, properties, content.as_bytes());
        self.spine += &format!("<itemref idref=\"i{}\"/>\n", self.count);
    }

    fn finish(mut self, about: &About) -> Vec<u8> {
        let [title, description, author, language] =
            [&about.title, &about.description, &about.author, &about.language]
                .map(|text| escaped(text));
        let access: String = [
            ("accessMode", "textual"),
            ("accessMode", "visual"),
            ("accessModeSufficient", "textual,visual"),
            ("accessibilityFeature", "MathML"),
            ("accessibilityFeature", "alternativeText"),
            ("accessibilityFeature", "displayTransformability"),
            ("accessibilityFeature", "readingOrder"),
            ("accessibilityFeature", "structuralNavigation"),
            ("accessibilityFeature", "tableOfContents"),
            ("accessibilityHazard", "none"),
            ("accessibilitySummary", SUMMARY),
        ]
        .map(|(name, value)| format!("<meta property=\"schema:{name}\">{value}</meta>\n"))
        .concat();
        let text = format!(
            r#"<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="{language}">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">{IDENTIFIER}</dc:identifier>
<dc:title>{title}</dc:title>
<dc:creator>{author}</dc:creator>
<dc:language>{language}</dc:language>
<dc:description>{description}</dc:description>
<meta property="dcterms:modified">{modified}</meta>
{access}</metadata>
<manifest>
{items}</manifest>
<spine>
{spine}</spine>
</package>
"#,
            modified = about.modified,
            items = self.items,
            spine = self.spine,
        );
        self.file("book/package.opf", text.as_bytes(), CompressionMethod::Deflated);
        self.archive.finish().expect("memory takes every byte").into_inner()
    }
}

/// A whole document; it lies `depth` folders deep.
fn document(about: &About, title: &str, body: &str, depth: usize) -> String {
    let (language, up) = (&about.language, "../".repeat(depth));
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="{language}" xml:lang="{language}">
<head>
<title>{title}</title>
<link rel="stylesheet" type="text/css" href="{up}epub.css"/>
<link rel="stylesheet" type="text/css" href="{up}math.css"/>
</head>
<body>
{body}
</body>
</html>
"#
    )
}

/// A line of the table of contents: a page, or the title of a part.
struct Line {
    level: usize,
    title: String, // as XML
    page: Option<String>,
}

/// The lines of mdBook's `toc.html`, whose lists are not well-formed: not every entry ends.
fn contents(toc: &str) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let (mut section, mut part, mut in_link) = (0, 0, false);
    for piece in toc.split('<') {
        let (tag, text) = piece.split_once('>').unwrap_or_default();
        match tag.split(['"', ' ']).filter(|word| !word.is_empty()).collect::<Vec<_>>()[..] {
            ["ol", "class=", "section"] => section += 1,
            ["/ol"] if section > 0 => section -= 1,
            ["li", "class=", "spacer"] => part = 0,
            ["li", "class=", "part-title"] => {
                part = 1;
                lines.push(Line { level: 0, title: text.into(), page: None });
            }
            ["a", "href=", page, ..] => {
                in_link = true;
                let (level, page) = (part + section, Some(page.into()));
                lines.push(Line { level, title: text.into(), page });
            }
            ["/a"] => in_link = false,
            _ if in_link => lines.last_mut().expect("a link began").title += text,
            _ => {}
        }
    }
    lines
}

fn navigation(lines: &[Line]) -> String {
    let mut html = String::from("<ol>\n");
    for (i, Line { level, title, page }) in lines.iter().enumerate() {
        html += &match page {
            Some(page) => format!("<li><a href=\"{}\">{title}</a>", renamed(page)),
            None => format!("<li><span>{title}</span>"),
        };
        let next = lines.get(i + 1).map_or(0, |line| line.level);
        if next > *level {
            html += "<ol>\n";
        } else {
            html += "</li>\n";
            html += &"</ol></li>\n".repeat(level - next);
        }
    }
    html + "</ol>\n"
}

/// Where a link of a page leads inside the EPUB, or outside the book; `None` for files beside the pages.
fn target(link: &str, page: &str, pages: &[(&str, &str)]) -> Option<String> {
    if link.contains(':') || link.starts_with('#') {
        return Some(link.to_owned());
    }
    let (file, place) = link.split_at(link.find('#').unwrap_or(link.len()));
    let whole = Path::new(page).parent().expect("a page lies in a folder").join(file);
    let whole = listing::normal(&whole);
    pages.iter().any(|(page, _)| Path::new(page) == whole).then(|| renamed(file) + place)
}

/// `03_x/index.html` → `03_x/index.xhtml`.
fn renamed(page: &str) -> String {
    format!("{}.xhtml", page.strip_suffix(".html").unwrap_or(page))
}
