//! Compiles the live figures' mathematics for browsers: `cargo run -p live --example build`. With `--check` it
//! writes nothing, and fails if the committed file differs.
//!
//! The same bytes come from every clone, until the code itself changes: a fixed toolchain, no path of this machine,
//! and no line numbers for panics, which every comment would move.

use live::script;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::{env, fs};

fn main() -> ExitCode {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = folder.join("mathematics.js");
    let wasm = compiled(folder);
    let made = "`cargo run -p live --example build`: the chapters' functions as WebAssembly";
    let script = script::write(made, &wasm);
    println!("{} bytes of WebAssembly, {} of script", wasm.len(), script.len());
    if fs::read_to_string(&file).is_ok_and(|committed| committed == script) {
        return ExitCode::SUCCESS;
    }
    if env::args().any(|argument| argument == "--check") {
        eprintln!("{} is not what its sources give: build it again", file.display());
        return ExitCode::FAILURE;
    }
    fs::write(&file, script).expect("the folder of the crate is writable");
    ExitCode::SUCCESS
}

/// The crate as WebAssembly.
fn compiled(folder: &Path) -> Vec<u8> {
    let toolchain = concat!(env!("CARGO_PKG_RUST_VERSION"), ".0");
    let target = "wasm32-unknown-unknown";
    let output = Command::new("rustup")
        .args(["run", toolchain, "rustc", "--print", "sysroot"])
        .output()
        .expect("rustup is installed");
    assert!(
        output.status.success(),
        "rustup toolchain install {toolchain} --profile minimal --target {target}"
    );
    let sysroot = String::from_utf8(output.stdout).expect("text");
    let home =
        env::var("CARGO_HOME").unwrap_or_else(|_| env::var("HOME").expect("a home") + "/.cargo");
    let remap = |from: &str, to: &str| format!("--remap-path-prefix={from}={to}");
    let no_lines = "-Zlocation-detail=none".to_owned();
    let four_at_once = "-Ctarget-feature=+simd128".to_owned(); // every browser has it since 2023
    let flags = [remap(&home, "/cargo"), remap(sysroot.trim(), "/rust"), no_lines, four_at_once];
    let root = folder.ancestors().nth(3).expect("chapters/theme/live");
    let directory = env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), Into::into);
    let status = Command::new("rustup")
        .args(["run", toolchain, "cargo", "build", "--locked", "--package", "live", "--lib"])
        .args(["--profile", "live", "--target", target])
        .current_dir(root)
        .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f"))
        .env("RUSTC_BOOTSTRAP", "1") // for the option -Z, which this one toolchain is known to have
        .env_remove("RUSTC") // cargo has set it to that of its own toolchain
        .env_remove("CARGO")
        .status()
        .expect("rustup is installed");
    assert!(status.success(), "rustup toolchain install {toolchain} --target {target}");
    fs::read(directory.join(target).join("live/live.wasm")).expect("it was just built")
}
