//! Bytes as a script, since a page from a disk may not read a binary file: compressed with gzip, then in base64.

use flate2::{Compression, read::GzDecoder, write::GzEncoder};
use std::io::{Read, Write};

const BEGIN: &str = "live.data(\"";
const END: &str = "\");\n";

/// A script that hands these bytes over, the same ones on every machine; `made`: by which command, and what it is.
pub fn write(made: &str, bytes: &[u8]) -> String {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    gzip.write_all(bytes).expect("memory can be written");
    let digits = base64::encode(gzip.finish().expect("memory can be written"));
    format!("// Made by {made}.\n{BEGIN}{digits}{END}")
}

/// The bytes that a script hands over.
///
/// # Panics
/// When [`write()`] did not make it.
pub fn read(script: &str) -> Vec<u8> {
    let (_, data) = script.split_once(BEGIN).expect("a script of data");
    let digits = data.strip_suffix(END).expect("the end of a script of data");
    let mut bytes = Vec::new();
    let gzip = base64::decode(digits).expect("digits");
    GzDecoder::new(&*gzip).read_to_end(&mut bytes).expect("a whole script");
    bytes
}
