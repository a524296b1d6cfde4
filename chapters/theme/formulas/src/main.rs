//! mdBook's side of the preprocessor: the book comes in as JSON on standard input and goes back out
//! on standard output. A fault on any page stops the build, with the page and the formula named.

use mdbook_preprocessor::errors::{Error, Result};
use mdbook_preprocessor::parse_input;
use std::io;
use std::process::ExitCode;

fn main() -> ExitCode {
    // mdBook first asks `formulas supports <renderer>`; the answer is the exit code.
    if let Some("supports") = std::env::args().nth(1).as_deref() {
        let html = std::env::args().nth(2).as_deref() == Some("html");
        return if html { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    match preprocess() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn preprocess() -> Result<()> {
    let (context, mut book) = parse_input(io::stdin())?;
    let source = context.root.join(&context.config.book.src);
    let theme = context.config.html_config().unwrap_or_default().theme_dir(&context.root);
    formulas::font::provide(&theme.join("fonts"))?;

    let mut faults = Vec::new();
    book.for_each_chapter_mut(|chapter| {
        let Some(file) = &chapter.source_path else { return };
        let file = source.join(file);
        let folder = file.parent().expect("a page lies in a folder");
        match formulas::page(&chapter.content, folder) {
            Ok(converted) => chapter.content = converted,
            Err(found) => {
                faults.extend(found.iter().map(|fault| format!("{}: {fault}", file.display())))
            }
        }
    });
    if !faults.is_empty() {
        return Err(Error::msg(faults.join("\n")));
    }
    serde_json::to_writer(io::stdout(), &book)?;
    Ok(())
}
