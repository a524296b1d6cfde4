//! HTML as mdBook writes it → XHTML as EPUB 3 has it.
//!
//! mdBook's pages are well-formed but for elements that have no end. It also writes the names of SVG in small
//! letters, which a browser puts right in HTML and nobody does in XML.

use roxmltree::{Document, Node};

const ENDLESS: [&str; 6] = ["br", "col", "hr", "img", "input", "wbr"];

/// SVG's attributes with capitals, those our figures have.
const CAPITALS: [&str; 12] = [
    "viewBox",
    "refX",
    "refY",
    "markerWidth",
    "markerHeight",
    "markerUnits",
    "patternUnits",
    "patternTransform",
    "patternContentUnits",
    "clipPathUnits",
    "gradientUnits",
    "textLength",
];

/// A part of a page as XML, in an element `part`.
pub fn well_formed(html: &str) -> String {
    let mut xml = String::with_capacity(html.len() + html.len() / 8);
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        xml += &rest[..at];
        rest = &rest[at..];
        if let Some(comment) = rest.strip_prefix("<!--") {
            rest = comment.split_once("-->").map_or("", |(_, after)| after);
            continue;
        }
        let mut quoted = false;
        let end = rest.find(|c| {
            quoted ^= c == '"';
            c == '>' && !quoted
        });
        let (tag, after) = rest.split_at(end.map_or(rest.len(), |end| end + 1));
        let mut tag = format!("<{}", tag[1..].replace('<', "&lt;"));
        for name in CAPITALS {
            tag = tag.replace(&format!(" {}=\"", name.to_lowercase()), &format!(" {name}=\""));
        }
        tag = tag.replace("<clippath", "<clipPath").replace("</clippath", "</clipPath");
        let name = tag[1..].split([' ', '>', '/']).next().unwrap_or_default();
        if ENDLESS.contains(&name) && !tag.ends_with("/>") {
            tag.insert(tag.len() - 1, '/');
        }
        xml += &tag;
        rest = after;
    }
    format!("<part>{xml}{rest}</part>")
}

/// A page's content as XHTML; `target` says where a link leads, `None` for what the EPUB does not hold.
pub fn converted(
    html: &str,
    target: &dyn Fn(&str) -> Option<String>,
) -> Result<String, roxmltree::Error> {
    let xml = well_formed(html);
    let document = Document::parse(&xml)?;
    let mut out = String::with_capacity(xml.len());
    document.root_element().children().for_each(|child| write(child, target, &mut out));
    Ok(out)
}

fn write(node: Node, target: &dyn Fn(&str) -> Option<String>, out: &mut String) {
    if node.is_text() {
        // Without the marks around a drawing's labels, see `figure.rs`.
        *out += &escaped(&node.text().unwrap_or_default().replace('\u{2063}', ""));
        return;
    }
    let (mut tag, mut attributes) = (node.tag_name().name(), String::new());
    let mut style = String::new();
    for attribute in node.attributes() {
        let (name, value) = (attribute.name(), escaped(attribute.value()));
        let prefix = if attribute.namespace().is_some() { "xml:" } else { "" };
        let pair = format!(" {prefix}{name}=\"{value}\"");
        match name {
            // MathML 3, which EPUB 3 has, knows these of few elements; `mstyle` says the same.
            "displaystyle" if matches!(tag, "math" | "mstyle" | "mtable") => attributes += &pair,
            "displaystyle" | "scriptlevel" if tag != "mstyle" => style += &pair,
            "href" | "target" if tag == "a" => {}
            _ => attributes += &pair,
        }
    }
    match (tag, node.attribute("href")) {
        ("iframe", _) => {
            let title = escaped(node.attribute("title").unwrap_or("A page"));
            *out += &format!("<p class=\"elsewhere\">{title}: in the book for browsers.</p>");
            return;
        }
        ("a", Some(href)) => match target(href) {
            Some(href) if node.attribute("class") != Some("header") => {
                attributes += &format!(" href=\"{}\"", escaped(&href));
            }
            _ => tag = "span",
        },
        ("th", _) if !node.has_children() => tag = "td", // a corner over the names of rows heads nothing
        ("svg", _) => attributes += " xmlns=\"http://www.w3.org/2000/svg\"",
        ("math", _) => attributes += " xmlns=\"http://www.w3.org/1998/Math/MathML\"",
        _ if node.parent().is_some_and(|parent| parent.has_tag_name("mtext")) => {
            attributes += " xmlns=\"http://www.w3.org/1999/xhtml\"";
        }
        _ => {}
    }
    if !style.is_empty() {
        *out += &format!("<mstyle{style}>");
    }
    if node.has_children() || !ENDLESS.contains(&tag) {
        *out += &format!("<{tag}{attributes}>");
        node.children().for_each(|child| write(child, target, out));
        *out += &format!("</{tag}>");
    } else {
        *out += &format!("<{tag}{attributes}/>");
    }
    if !style.is_empty() {
        *out += "</mstyle>";
    }
}

/// Text as XML shows it, in an attribute too.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
