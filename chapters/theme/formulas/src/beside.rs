//! What lies beside a book: where it is published there are other files, to which it may lead.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// What stands in `<!-- built: … -->` is shown in a book, and nowhere else; what stands in `<!-- published: … -->`
/// in one that is published, as CI says by naming the repository: there other files lie beside it.
pub fn uncovered(content: &str, published: bool) -> String {
    let mut content = content.to_owned();
    for (mark, show) in [("<!-- built: ", true), ("<!-- published: ", published)] {
        while let Some((before, rest)) = content.split_once(mark) {
            let (inside, after) = rest.split_once(" -->").unwrap_or((rest, ""));
            let inside = if show { format!(" {inside}") } else { String::new() };
            content = format!("{before}{inside}{after}");
        }
    }
    content
}

/// Links to notebooks, which lie outside the book: in a published one they lead to a notebook's HTML, which lies beside
/// it; in any other they say where its file is.
pub fn notebooks(content: &str, published: bool) -> String {
    const FOLDER: &str = "](../../notebooks/";
    let mut links = content.split(FOLDER);
    let mut text = links.next().unwrap_or_default().to_owned();
    for rest in links {
        let (name, after) = rest.split_once(".ipynb)").unwrap_or((rest, ""));
        if published {
            text += &format!("](../notebooks/{name}.html){after}");
        } else {
            let begin = text.rfind('[').unwrap_or(text.len());
            let words = text.split_off(begin);
            let words = words.trim_start_matches('[');
            text += &format!("{words}, `notebooks/{name}.ipynb`{after}");
        }
    }
    text
}

/// A page of a book in another language, which lies in a folder of the English one: what that book does not have, the
/// English one has. `page` and `own`, the pages that it has, are named from the book's source.
pub fn in_english(content: &str, page: &Path, own: &HashSet<PathBuf>) -> String {
    let folder = page.parent().unwrap_or(Path::new(""));
    let up = "../".repeat(folder.components().count() + 1);
    let mut links = content.split("](");
    let mut text = links.next().unwrap_or_default().to_owned();
    for rest in links {
        let (target, after) = rest.split_once(')').unwrap_or((rest, ""));
        let (file, anchor) = target.split_once('#').map_or((target, None), |(f, a)| (f, Some(a)));
        let there = joined(folder, file);
        let page = file.ends_with(".md") && !own.contains(&there);
        let beside = [".html", ".epub", ".pdf"].iter().any(|end| file.ends_with(end));
        if (page || beside) && !file.contains(':') {
            let html = there.to_string_lossy().replace("README.md", "index.md");
            let html = html.strip_suffix(".md").map_or(html.clone(), |name| format!("{name}.html"));
            let anchor = anchor.map(|anchor| format!("#{anchor}")).unwrap_or_default();
            text += &format!("]({up}{html}{anchor}){after}");
        } else {
            text += &format!("]({rest}");
        }
    }
    text
}

/// The path of a link on a page in this folder.
fn joined(folder: &Path, link: &str) -> PathBuf {
    let mut path = folder.to_owned();
    for part in link.split('/') {
        match part {
            ".." => drop(path.pop()),
            "." => {}
            part => path.push(part),
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_book_in_another_language_leads_to_pages_of_the_english_one() {
        let own = HashSet::from([PathBuf::from("02_b/README.md"), PathBuf::from("x.md")]);
        let page = "[b](README.md#q) [c](../03_c/README.md#why), [x](../x.md) [m](measurements.md) [w](https://e.org/a.md)";
        let led = "[b](README.md#q) [c](../../03_c/index.html#why), [x](../x.md) [m](../../02_b/measurements.html) [w](https://e.org/a.md)";
        assert_eq!(in_english(page, Path::new("02_b/README.md"), &own), led);
        assert_eq!(
            in_english("[c](03_c/README.md)", Path::new("x.md"), &own),
            "[c](../03_c/index.html)"
        );
    }

    #[test]
    fn links_to_notebooks_are_in_published_books() {
        let page = "A. [The notebook](../../notebooks/03_scores.ipynb): built.";
        assert_eq!(notebooks(page, true), "A. [The notebook](../notebooks/03_scores.html): built.");
        assert_eq!(notebooks(page, false), "A. The notebook, `notebooks/03_scores.ipynb`: built.");
    }

    #[test]
    fn links_to_what_lies_beside_a_published_book_are_in_no_other() {
        let page = "A.<!-- built: [b](b.html) --><!-- published: [c](c.epub) --> <!--=d-->";
        assert_eq!(uncovered(page, false), "A. [b](b.html) <!--=d-->");
        assert_eq!(uncovered(page, true), "A. [b](b.html) [c](c.epub) <!--=d-->");
    }
}
