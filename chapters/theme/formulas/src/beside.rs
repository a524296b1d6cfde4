//! What lies beside a book: where it is published there are other files, to which it may lead.

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

#[cfg(test)]
mod tests {
    use super::{notebooks, uncovered};

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
