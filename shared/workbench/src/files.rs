//! Data from files: checked as it is read, so that nothing unexpected reaches the mathematics.

use crate::error::{Error, Result};
use crate::memory::{free_memory, readable};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// Reads columns of numbers, by name, from a file of comma-separated values with a header.
///
/// A byte-order mark, CRLF line ends, quoted fields, blanks around numbers and empty lines are
/// fine; columns that are not asked for are ignored. The numbers come in double precision: a date
/// in seconds has more digits than `f32`.
///
/// ```
/// let file = tempfile::NamedTempFile::new()?;
/// std::fs::write(file.path(), "day,y,x\n1,0.5,2\n2,0.75,4\n")?;
/// let [x, y] = workbench::files::read_columns(file.path(), ["x", "y"])?;
/// assert_eq!((x, y), (vec![2.0, 4.0], vec![0.5, 0.75]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the file cannot be read, is no UTF-8 text, is empty, has no row, or lacks a column; when a
/// row is not as long as the header, or a field is not a finite number.
pub fn read_columns<const N: usize>(path: &Path, names: [&str; N]) -> Result<[Vec<f64>; N]> {
    let bytes = read(path)?;
    let text = as_text(path, &bytes)?;
    if text.trim().is_empty() {
        return Err(Error::file(path, "the file is empty"));
    }

    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let header = reader.headers().map_err(|error| malformed(path, text, &error))?.clone();
    let header_line = line_of(text, header.position());
    let mut places = [0; N];
    for (place, name) in places.iter_mut().zip(names) {
        *place = find(&header, name).map_err(|reason| Error::line(path, header_line, reason))?;
    }

    let mut columns = [const { Vec::new() }; N];
    for row in reader.records() {
        let row = row.map_err(|error| malformed(path, text, &error))?;
        for ((column, place), name) in columns.iter_mut().zip(places).zip(names) {
            let number = parse_number(&row[place]);
            column.push(number.map_err(|reason| {
                Error::line(
                    path,
                    line_of(text, row.position()),
                    format!("column `{name}` {reason}"),
                )
            })?);
        }
    }
    if columns[0].is_empty() {
        return Err(Error::file(path, "there is a header, but no row of data follows it"));
    }
    Ok(columns)
}

/// Writes a file: beside its place first, then moved there. Whoever opens it finds what was there
/// before or all of the new, also after the process was killed or the power failed.
///
/// ```
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("words.txt");
/// workbench::files::write(&path, b"attention")?;
/// assert_eq!(std::fs::read(&path)?, b"attention");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When it cannot be written, or a link, a device or a pipe stands there. What was there before
/// stays.
// ANCHOR: write
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    write_with(path, |file| file.write_all(bytes).map_err(|error| unwritten(path, &error)))
}

/// The same for what is too long to be held: `fill` writes it.
pub fn write_with<T>(path: &Path, fill: impl FnOnce(&mut File) -> Result<T>) -> Result<T> {
    let (file, filled) = beside(path, fill)?; // on the disk before it has its name …
    let place = || -> io::Result<()> {
        file.persist(path)?;
        sync_folder(folder_of(path)) // … and its name on the disk before anything else is done
    };
    place().map_err(|error| unwritten(path, &error))?;
    Ok(filled)
}

/// A file with all that it will hold, on the disk, under a name of its own.
fn beside<T>(
    path: &Path,
    fill: impl FnOnce(&mut File) -> Result<T>,
) -> Result<(tempfile::NamedTempFile, T)> {
    must_be_replaceable(path)?;
    let failed = |error: io::Error| unwritten(path, &error);
    let mut file = temporary(path, folder_of(path)).map_err(failed)?;
    let filled = fill(file.as_file_mut())?;
    file.as_file().sync_all().map_err(failed)?;
    Ok((file, filled))
}
// ANCHOR_END: write

/// Writes files that belong together, such as the sizes, the pieces and the parameters of a model. The
/// last one is the seal: what lacks it is refused by whoever reads it.
///
/// All are written beside their places first, so a full disk changes nothing. Then the old seal goes, the
/// others are moved, and the new seal comes last. A program that is killed leaves all of the old, all of
/// the new, or files without a seal; never a new file beside an old one under a seal.
///
/// ```
/// let folder = tempfile::tempdir()?;
/// let files = [("words.txt", b"attention".to_vec()), ("sizes.json", b"{}".to_vec())];
/// workbench::files::write_together(folder.path(), &files)?;
/// assert_eq!(std::fs::read(folder.path().join("words.txt"))?, b"attention");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`write()`], for any of them.
pub fn write_together(folder: &Path, files: &[(&str, Vec<u8>)]) -> Result<()> {
    let mut ready = Vec::new();
    for (name, bytes) in files {
        let path = folder.join(name);
        let failed = |error: io::Error| unwritten(&path, &error);
        let (file, ()) = beside(&path, |file| file.write_all(bytes).map_err(failed))?;
        ready.push((file, path));
    }
    let Some((new_seal, seal)) = ready.pop() else { return Ok(()) };
    let failed = |error: io::Error| unwritten(&seal, &error);
    match fs::remove_file(&seal) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
        _ => sync_folder(folder).map_err(failed)?,
    }
    for (file, path) in ready {
        file.persist(&path).map_err(|error| unwritten(&path, &error.error))?;
    }
    sync_folder(folder).map_err(failed)?;
    new_seal.persist(&seal).map_err(|error| failed(error.error))?;
    sync_folder(folder).map_err(failed)
}

/// What to tell when a file cannot be written.
pub fn unwritten(path: &Path, error: &io::Error) -> Error {
    Error::file(path, format!("cannot be written: {}", plain(error)))
}

/// Refuses to put a file where something stands that is none: a folder, a device, a pipe, or a link,
/// whose target would not be written.
pub fn must_be_replaceable(path: &Path) -> Result<()> {
    let refuse = |what: &str| Err(Error::file(path, format!("{what} is not written over")));
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => refuse("a symbolic link"),
        Ok(found) if found.is_dir() => refuse("a folder"),
        Ok(found) if !found.is_file() => refuse("a device or a pipe"),
        _ => Ok(()), // a file, or nothing
    }
}

/// Refuses a place where [`write()`] could not put a file: better known before long work.
///
/// # Errors
/// When something stands there that is no file, or the folder cannot be written into.
pub fn must_be_writable(path: &Path) -> Result<()> {
    if path.as_os_str().to_string_lossy().ends_with(std::path::is_separator) {
        return Err(Error::file(path, "this names a folder, a file is needed"));
    }
    must_be_replaceable(path)?;
    try_writing(folder_of(path)).map_err(|error| unwritten(path, &error))
}

/// The folder in which a file lies.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."))
}

/// `.NAME-RANDOM.unfinished` is a file that is being written: so many letters and digits are RANDOM.
const RANDOM: usize = 6;
const UNFINISHED: &str = ".unfinished";

/// A file beside `path`, removed unless it is persisted. Should the process be killed,
/// [`remove_unfinished`] knows it by its name.
fn temporary(path: &Path, folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let prefix = format!(".{name}-");
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).rand_bytes(RANDOM).suffix(UNFINISHED);
    #[cfg(unix)] // temporary files are private by default; figures are meant to be looked at
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

/// Whether files can be written into a folder.
pub(crate) fn try_writing(folder: &Path) -> io::Result<()> {
    temporary(Path::new("probe"), folder).map(drop)
}

/// Removes what killed programs left half-written. Only for who knows that nobody is writing there.
pub(crate) fn remove_unfinished(folder: &Path) {
    remove_files(folder, |name| {
        let name = name.strip_prefix('.').and_then(|name| name.strip_suffix(UNFINISHED));
        let random = name.and_then(|name| name.rsplit_once('-')).map(|(_, random)| random);
        random.is_some_and(|random| {
            random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
        })
    });
}

/// Removes the ordinary files of a folder with such names; at worst they stay.
pub(crate) fn remove_files(folder: &Path, which: impl Fn(&str) -> bool) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file()); // no link
        if is_file && entry.file_name().to_str().is_some_and(&which) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// A new name is an entry in its folder, which is a file, too.
fn sync_folder(folder: &Path) -> io::Result<()> {
    match cfg!(unix) {
        true => File::open(folder)?.sync_all(),
        false => Ok(()), // elsewhere folders cannot be opened
    }
}

/// All bytes of a file.
///
/// # Errors
/// When it cannot be read, is no ordinary file, or is larger than the memory that is free.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    must_be_a_file(path)?;
    let length = fs::metadata(path).map_or(0, |found| found.len());
    if let Some(free) = free_memory().filter(|free| length > *free) {
        let (length, free) = (readable(length), readable(free));
        let reason = format!("has {length}, but only {free} of memory are free");
        return Err(Error::file(path, reason));
    }
    fs::read(path).map_err(|error| Error::file(path, cannot_read(path, &error)))
}

/// Refuses what is no ordinary file: a device or a pipe may never end.
pub fn must_be_a_file(path: &Path) -> Result<()> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() || found.is_dir() => Ok(()), // directories are refused as read
        Ok(_) => Err(Error::file(path, "this is a device or a pipe, a file is needed")),
        Err(error) => Err(Error::file(path, cannot_read(path, &error))),
    }
}

/// The place of a column in the header.
fn find(header: &csv::StringRecord, name: &str) -> std::result::Result<usize, String> {
    let mut places = (0..header.len()).filter(|i| &header[*i] == name);
    match (places.next(), places.next()) {
        (Some(place), None) => Ok(place),
        (Some(_), Some(_)) => Err(format!("the header names column `{name}` twice")),
        (None, _) => {
            const SHOWN: usize = 10;
            let name = shorten(name);
            let mut known: Vec<String> =
                header.iter().take(SHOWN).map(|name| format!("`{}`", shorten(name))).collect();
            if let Some(more @ 1..) = header.len().checked_sub(SHOWN) {
                known.push(format!("and {more} more"));
            }
            Err(format!("there is no column `{name}`; the columns are {}", known.join(", ")))
        }
    }
}

/// A finite number, or what the field is instead.
fn parse_number(field: &str) -> std::result::Result<f64, String> {
    if field.is_empty() {
        return Err("is empty, a number is needed".to_owned());
    }
    match field.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        Ok(_) => Err(format!("holds `{}`, a finite number is needed", shorten(field))),
        Err(_) => Err(format!("holds `{}`, which is not a number", shorten(field))),
    }
}

fn malformed(path: &Path, text: &str, error: &csv::Error) -> Error {
    match error.kind() {
        csv::ErrorKind::UnequalLengths { pos, expected_len, len } => {
            let reason =
                format!("the number of fields is {len}, but the header has {expected_len}");
            Error::line(path, line_of(text, pos.as_ref()), reason)
        }
        _ => Error::file(path, error),
    }
}

/// The line a row stands on. The reader's own count stops before empty lines that it skips.
fn line_of(text: &str, position: Option<&csv::Position>) -> u64 {
    let start = position.map_or(0, |position| position.byte() as usize).min(text.len());
    let skipped = text.len() - start - text[start..].trim_start_matches(['\r', '\n']).len();
    line_at(text.as_bytes(), start + skipped)
}

/// The line of a byte, counted from 1. Lines end in LF, CRLF or CR.
fn line_at(bytes: &[u8], place: usize) -> u64 {
    let ends =
        |i: &usize| bytes[*i] == b'\n' || (bytes[*i] == b'\r' && bytes.get(i + 1) != Some(&b'\n'));
    1 + (0..place).filter(ends).count() as u64
}

fn as_text<'a>(path: &Path, bytes: &'a [u8]) -> Result<&'a str> {
    let line_of = |place: usize| line_at(bytes, place);
    if let Some(place) = bytes.iter().position(|byte| *byte == 0) {
        return Err(Error::line(path, line_of(place), "a zero byte: this is not a text file"));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        Error::line(path, line_of(error.valid_up_to()), "this is not valid UTF-8 text")
    })?;
    Ok(text.trim_start_matches('\u{feff}')) // a byte-order mark is no part of the first name
}

/// What to tell when a file cannot be read.
pub fn cannot_read(path: &Path, error: &std::io::Error) -> String {
    match path.is_dir() {
        true => "this is a directory, a file is needed".to_owned(),
        false => format!("cannot be read: {}", plain(error)),
    }
}

/// The operating system's reason without its number: `No such file or directory`.
pub fn plain(error: &std::io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_lowercase()
}

/// Enough of a field to recognise it, in one line.
pub fn shorten(field: &str) -> String {
    let mut short: String =
        field.chars().take(40).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if field.chars().count() > 40 {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> std::result::Result<[Vec<f64>; 2], String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), bytes).unwrap();
        let path = file.path().display().to_string();
        read_columns(file.path(), ["x", "y"])
            .map_err(|error| error.to_string().replace(&path, "FILE"))
    }

    #[test]
    fn what_spreadsheets_write_is_read() {
        let text = "\u{feff}time,y,x\r\n\"a, b\",\"1.5\", 2\r\n\r\n,-1e-3,\"4\"\r\n";
        assert_eq!(read(text.as_bytes()).unwrap(), [vec![2.0, 4.0], vec![1.5, -1e-3]]);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let many: String = (0..100_000).map(|i| format!("a,{i}")).collect();
        let cases: [(&[u8], &str); 18] = [
            (b"", "FILE: the file is empty"),
            (b" \r\n\n", "FILE: the file is empty"),
            (b"x,y\n", "FILE: there is a header, but no row of data follows it"),
            (b"x,z, t\n1,2,3\n", "FILE:1: there is no column `y`; the columns are `x`, `z`, `t`"),
            (b"x,y,x\n1,2,3\n", "FILE:1: the header names column `x` twice"),
            (b"x,y\n1,2\n3\n", "FILE:3: the number of fields is 1, but the header has 2"),
            (b"x,y\n1,2,3\n", "FILE:2: the number of fields is 3, but the header has 2"),
            (b"x,y\n\n1,two\n", "FILE:3: column `y` holds `two`, which is not a number"),
            (b"x,y\n1,2\n1,\n", "FILE:3: column `y` is empty, a number is needed"),
            (b"x,y\nNaN,2\n", "FILE:2: column `x` holds `NaN`, a finite number is needed"),
            (b"x,y\n1,-inf\n", "FILE:2: column `y` holds `-inf`, a finite number is needed"),
            (b"x,y\n1,1e999\n", "FILE:2: column `y` holds `1e999`, a finite number is needed"),
            (b"x,y\n1,2\n1,\xff\n", "FILE:3: this is not valid UTF-8 text"),
            (b"x,y\n1,2\n\0\0", "FILE:3: a zero byte: this is not a text file"),
            (b"x,y\r1,2\r\r3,two\r", "FILE:4: column `y` holds `two`, which is not a number"),
            (b"\n\r\nx,z\n1,2\n", "FILE:3: there is no column `y`; the columns are `x`, `z`"),
            (b"x,y\r1,\xff", "FILE:2: this is not valid UTF-8 text"),
            (
                many.as_bytes(),
                "FILE:1: there is no column `x`; the columns are `a`, `0a`, `1a`, `2a`, `3a`, `4a`, \
                 `5a`, `6a`, `7a`, `8a`, and 99991 more",
            ),
        ];
        for (bytes, message) in cases {
            assert_eq!(read(bytes).unwrap_err(), message);
        }
    }

    #[test]
    fn a_path_that_cannot_be_read_is_told() {
        let error = |path: &str| read_columns(Path::new(path), ["x"]).unwrap_err().to_string();
        assert_eq!(error("/"), "/: this is a directory, a file is needed");
        assert_eq!(
            error("/nowhere.csv"),
            "/nowhere.csv: cannot be read: no such file or directory"
        );
    }

    /// `/dev/zero` never ends, and a pipe waits for somebody to write into it.
    #[cfg(unix)]
    #[test]
    fn what_may_never_end_is_not_begun() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for path in [Path::new("/dev/zero"), &pipe] {
            let told = format!("{}: this is a device or a pipe, a file is needed", path.display());
            assert_eq!(super::read(path).unwrap_err().to_string(), told);
            assert_eq!(read_columns(path, ["x"]).unwrap_err().to_string(), told);
        }
    }

    /// A file with holes says that it is large and takes no place.
    #[cfg(target_os = "linux")]
    #[test]
    fn what_is_larger_than_memory_is_refused() {
        let file = tempfile::NamedTempFile::new().unwrap();
        file.as_file().set_len(8 << 40).unwrap();
        let told = super::read(file.path()).unwrap_err().to_string();
        assert!(told.contains(": has 8.0 TiB, but only "), "{told}");
    }
}
