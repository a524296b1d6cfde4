//! An EPUB of a book of two pages: what must be in it for a reader of books to open it.

use formulas::epub::{About, bound, xhtml};
use roxmltree::Document;
use std::collections::BTreeMap;
use std::io::{Cursor, Read};
use zip::ZipArchive;

const TOC: &str = r#"<body><ol class="chapter"><li class="chapter-item expanded "><span class="chapter-link-wrapper"><a href="index.html" target="_parent">First &amp; last</a></span></li><li class="chapter-item expanded "><li class="part-title">Part</li></li><li class="chapter-item expanded "><span class="chapter-link-wrapper"><a href="01_x/index.html" target="_parent"><strong aria-hidden="true">1.</strong> X</a></span><ol class="section"><li class="chapter-item expanded "><span class="chapter-link-wrapper"><a href="01_x/more.html" target="_parent"><strong aria-hidden="true">1.1.</strong> More</a></span></li></ol><li class="chapter-item expanded "><li class="spacer"></li></li><li class="chapter-item expanded "><span class="chapter-link-wrapper"><a href="end.html" target="_parent">End</a></span></li></ol></body>"#;

const PAGE: &str = r##"<h1 id="x"><a class="header" href="#x">X</a></h1>
<p>See <a href="../index.html#y">there</a>, <a href="src/lib.rs"><code>lib.rs</code></a> and <a href="https://e.org/">e.org</a>.<br>It is 3<!--=a.b-->.</p>
<div class="drawing"><svg role="img" aria-label="a < b" viewbox="0 0 9 9"><path d="M0 0"></path></svg></div>
<p><math><mfrac displaystyle="true"><mn>1</mn><mtext><i>a</i></mtext></mfrac></math></p>
<iframe class="viewer" src="figures/attention.html" title="Every head"></iframe>"##;

fn about() -> About {
    About {
        title: "Books & more".into(),
        description: "Two pages.".into(),
        author: "Nobody".into(),
        language: "en".into(),
        modified: "2026-01-31T12:00:00Z".into(),
    }
}

fn book() -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("01_x")).unwrap();
    let plain = "<h1 id=\"y\">Y</h1>";
    for (file, content) in [
        ("index.html", plain),
        ("end.html", plain),
        ("01_x/index.html", PAGE),
        ("01_x/more.html", plain),
    ] {
        let html = format!("<html><body><main>{content}</main></body></html>");
        std::fs::write(folder.path().join(file), html).unwrap();
    }
    std::fs::write(folder.path().join("toc.html"), TOC).unwrap();
    bound(folder.path(), &about()).unwrap()
}

fn files(archive: Vec<u8>) -> BTreeMap<String, Vec<u8>> {
    let mut archive = ZipArchive::new(Cursor::new(archive)).unwrap();
    let mut files = BTreeMap::new();
    for i in 0..archive.len() {
        let mut file = archive.by_index(i).unwrap();
        let mut content = Vec::new();
        file.read_to_end(&mut content).unwrap();
        files.insert(file.name().unwrap().into_owned(), content);
    }
    files
}

#[test]
fn the_archive_begins_with_its_kind_and_is_the_same_each_time() {
    let archive = book();
    assert_eq!(archive[30..58], *b"mimetypeapplication/epub+zip");
    assert!(archive == book());
}

#[test]
fn the_manifest_names_every_file_and_no_other() {
    let files = files(book());
    let package = String::from_utf8(files["book/package.opf"].clone()).unwrap();
    let package = Document::parse(&package).unwrap();
    let all = |tag: &'static str| {
        package
            .descendants()
            .filter(move |node| node.has_tag_name(("http://www.idpf.org/2007/opf", tag)))
    };
    let mut named: Vec<_> =
        all("item").map(|item| format!("book/{}", item.attribute("href").unwrap())).collect();
    named.extend(["mimetype", "META-INF/container.xml", "book/package.opf"].map(String::from));
    named.sort();
    assert!(named.iter().eq(files.keys()), "{named:?}");
    let item = |id| all("item").find(|item| item.attribute("id") == Some(id)).unwrap();
    let read: Vec<_> = all("itemref").map(|page| item(page.attribute("idref").unwrap())).collect();
    let order: Vec<_> = read.iter().map(|item| item.attribute("href").unwrap()).collect();
    assert_eq!(
        order,
        [
            "title.xhtml",
            "contents.xhtml",
            "index.xhtml",
            "01_x/index.xhtml",
            "01_x/more.xhtml",
            "end.xhtml"
        ]
    );
    assert_eq!(read[3].attribute("properties"), Some("mathml svg"));
    assert_eq!(read[4].attribute("properties"), None);
    assert!(package.descendants().any(|node| node.text() == Some("2026-01-31T12:00:00Z")));
}

#[test]
fn every_document_is_xml_and_the_contents_are_nested() {
    let files = files(book());
    let documents =
        files.iter().filter(|(name, _)| name.ends_with("xhtml") || name.ends_with("xml"));
    let parsed = documents.map(|(name, content)| {
        let text = std::str::from_utf8(content).unwrap();
        let text = text.replace("<!DOCTYPE html>", "");
        Document::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
    });
    assert_eq!(parsed.count(), 7);
    let contents = String::from_utf8(files["book/contents.xhtml"].clone()).unwrap();
    assert!(contents.contains(
        "<ol>\n<li><a href=\"index.xhtml\">First &amp; last</a></li>\n<li><span>Part</span><ol>\n<li><a href=\"01_x/index.xhtml\">1. X</a><ol>\n<li><a href=\"01_x/more.xhtml\">1.1. More</a></li>\n</ol></li>\n</ol></li>\n<li><a href=\"end.xhtml\">End</a></li>\n</ol>"
    ), "{contents}");
}

#[test]
fn a_page_says_in_xhtml_what_it_said_in_html() {
    let page = String::from_utf8(files(book())["book/01_x/index.xhtml"].clone()).unwrap();
    for part in [
        "href=\"../epub.css\"",
        "<h1 id=\"x\"><span class=\"header\">X</span></h1>",
        "<a href=\"../index.xhtml#y\">there</a>, <span><code>lib.rs</code></span> and <a href=\"https://e.org/\">",
        "<br/>It is 3.</p>",
        "aria-label=\"a &lt; b\" viewBox=\"0 0 9 9\" xmlns=\"http://www.w3.org/2000/svg\">",
        "<mstyle displaystyle=\"true\"><mfrac><mn>1</mn>",
        "<mtext><i xmlns=\"http://www.w3.org/1999/xhtml\">a</i></mtext></mfrac></mstyle>",
        "<p class=\"elsewhere\">Every head: in the book for browsers.</p>",
    ] {
        assert!(page.contains(part), "{part} is not in\n{page}");
    }
    assert!(!page.contains("iframe"));
}

#[test]
fn a_page_that_is_not_well_formed_is_a_fault() {
    assert!(xhtml::converted("<p>a</p><details open>b</details>", &|_| None).is_err());
    assert!(xhtml::converted("<ul><li>a<li>b</ul>", &|_| None).is_err());
}
