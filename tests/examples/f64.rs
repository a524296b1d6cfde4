//! Writes the packages that build the course in double precision: `cargo run -p tests --example f64`.

use std::path::Path;
use std::{fs, io};

fn main() -> io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new(".."));
    for (path, text) in tests::copies::files(root) {
        fs::create_dir_all(path.parent().unwrap_or(root))?;
        if fs::read_to_string(&path).ok().as_deref() != Some(&text) {
            fs::write(&path, text)?;
            println!("{}", path.display());
        }
    }
    Ok(())
}
