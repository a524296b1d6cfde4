//! `mdbook build`, then `cargo run -p formulas --bin epub`: the built book as `target/book/attention.epub`.

use formulas::epub::{About, bound};
use std::path::Path;
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    match written() {
        Ok(said) => {
            println!("{said}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error} (the book is built first: mdbook build)");
            ExitCode::from(2)
        }
    }
}

fn written() -> Result<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = root.ancestors().nth(3).expect("it lies three folders deep");
    let settings = std::fs::read_to_string(root.join("book.toml"))
        .map_err(|error| format!("book.toml: {error}"))?;
    // `name = "value"` or `name = ["value"]`.
    let setting = |name: &str| {
        let line = settings.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" = "));
        let value = line.map(|value| value.trim_matches(['[', ']', '"']).to_owned());
        value.ok_or_else(|| format!("book.toml has no `{name}`"))
    };
    let about = About {
        title: setting("title")?,
        description: setting("description")?,
        author: setting("authors")?,
        language: setting("language")?,
        modified: committed(root).unwrap_or_else(|| "1980-01-01T00:00:00Z".into()),
    };
    let built = root.join("target/book");
    let (file, book) = (built.join("attention.epub"), bound(&built, &about)?);
    std::fs::write(&file, &book).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(format!("target/book/attention.epub: {} kB", book.len() / 1000))
}

/// When the last commit was made: a file of one commit is the same whenever it is made.
fn committed(root: &Path) -> Option<String> {
    let arguments = ["log", "-1", "--format=%cd", "--date=format-local:%Y-%m-%dT%H:%M:%SZ"];
    let git =
        Command::new("git").args(arguments).current_dir(root).env("TZ", "UTC").output().ok()?;
    let date = String::from_utf8(git.stdout).ok()?.trim().to_owned();
    (!date.is_empty()).then_some(date)
}
