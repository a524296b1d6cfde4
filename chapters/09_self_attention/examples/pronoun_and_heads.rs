//! The two trained sections alone: `cargo run --release -p self_attention --example pronoun_and_heads
//! -- FOLDER [pronoun|heads]`.

use self_attention::experiment::{heads, pronoun};
use serde::Serialize;
use std::path::Path;
use workbench::error::{Error, Result};
use workbench::figure::Svg;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[derive(Serialize)]
struct Results {
    pronoun: Option<pronoun::Pronoun>,
    heads: Option<heads::Heads>,
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = arguments.first().ok_or_else(|| Error::argument("a folder, please"))?;
    let wanted = |name: &str| arguments.get(1).is_none_or(|only| only == name);
    let mut results = Results { pronoun: None, heads: None };
    if wanted("pronoun") {
        let found = pronoun::measure(&pronoun::Config::default(), || eprint!("."))?;
        draw(folder, pronoun::figures(&found));
        results.pronoun = Some(found);
    }
    if wanted("heads") {
        let found = heads::measure(&heads::Config::default(), || eprint!("."))?;
        draw(folder, heads::figures(&found));
        results.heads = Some(found);
    }
    let text = serde_json::to_string_pretty(&results).expect("results are JSON");
    write(folder, "results.json", text);
    Ok(())
}

fn draw(folder: &str, figures: Vec<(&'static str, Svg)>) {
    for (name, figure) in figures {
        write(folder, &format!("{name}.svg"), figure.to_string());
    }
}

fn write(folder: &str, name: &str, text: String) {
    std::fs::write(Path::new(folder).join(name), text).expect("a folder that can be written to");
}
