//! Puts into every page of the book the code that its listings show, the numbers of its tables, the titles,
//! difficulties and minutes of its exercises, and where the ways go on: `cargo run -p tests --example listings`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{fs, io};

fn main() -> io::Result<ExitCode> {
    let tests = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or(env!("CARGO_MANIFEST_DIR").into());
    let root = Path::new(&tests).parent().unwrap_or(Path::new(".."));
    let book = root.join("chapters");
    let mut pages = Vec::new();
    markdown_files(&book, &mut pages)?;
    let ways = formulas::ways::ways(&book);
    let mut faults = 0;
    for page in pages {
        let text = fs::read_to_string(&page)?;
        let exercises = page.parent().map(tests::exercises::tasks).unwrap_or_default();
        let posed = tests::exercises::written(&text, &exercises);
        let posed = tests::numbers::filled(&posed, &page);
        let name = page.strip_prefix(&book).unwrap_or(&page).to_string_lossy().replace('\\', "/");
        let posed = formulas::ways::linked(&posed, &name, &ways);
        match formulas::listing::filled(&posed, &page) {
            Ok(filled) if filled == text => {}
            Ok(filled) => {
                fs::write(&page, filled)?;
                println!("{}", page.display());
            }
            Err(found) => {
                faults += found.len();
                found.iter().for_each(|fault| eprintln!("{}:{fault}", page.display()));
            }
        }
    }
    let drawing = formulas::ways::drawing(&book, &formulas::ways::ways(&book));
    fs::write(book.join("figures/ways.svg"), drawing)?;
    Ok(if faults == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn markdown_files(folder: &Path, pages: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            markdown_files(&path, pages)?;
        } else if path.extension().is_some_and(|extension| extension == "md") {
            pages.push(path);
        }
    }
    Ok(())
}
