//! Data from files: checked as it is read, so that nothing unexpected reaches the mathematics.

mod columns;
mod dates;
mod fields;
mod json;
mod lines;
pub mod marks;
mod rows;

pub use columns::{Columns, read_columns};
pub use dates::unambiguous_moment;
pub use fields::Fields;
pub use json::json_text;
pub use lines::{Fault, Lines, lines_of_input, read_lines};
pub use marks::holds_own_model;
pub use rows::{Row, Rows};

use crate::error::{Error, Result};
use crate::memory::{free_memory, readable};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

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
    file.persist(path).map_err(|error| unwritten(path, &error.error))?;
    // … and its name on the disk before anything else is done
    sync_folder(folder_of(path)).map_err(|error| unwritten(path, &error))?;
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
pub fn write_together(folder: &Path, files: &[(&str, Vec<u8>)]) -> Result<()> {
    let mut ready = Vec::new();
    for (name, bytes) in files {
        let path = folder.join(name);
        let (file, ()) =
            beside(&path, |file| file.write_all(bytes).map_err(|error| unwritten(&path, &error)))?;
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

/// What to say when a file cannot be written.
pub fn unwritten(path: &Path, error: &io::Error) -> Error {
    Error::file(path, format!("cannot be written: {}", plain(error)))
}

/// Refuses to put a file where something stands that is none: a folder, a device, a pipe, or a link,
/// whose target would not be written. To be asked before long work.
///
/// # Errors
/// When it does, and when no file can have such a name.
pub fn must_be_replaceable(path: &Path) -> Result<()> {
    let refuse = |what: &str| Err(Error::file(path, format!("{what} is not written over")));
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => refuse("a symbolic link"),
        Ok(found) if found.is_dir() => refuse("a folder"),
        Ok(found) if !found.is_file() => refuse("a device or a pipe"),
        Err(error) if error.kind() == io::ErrorKind::InvalidFilename => {
            Err(unwritten(path, &error)) // too long
        }
        _ => Ok(()), // a file, or nothing
    }
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
    let name = &name[..name.floor_char_boundary(200)]; // 255 bytes are the longest name, of all of it
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
    for path in names(folder).filter(|name| which(name)).map(|name| folder.join(name)) {
        let _ = fs::remove_file(path);
    }
}

/// The names of the ordinary files of a folder.
pub(crate) fn names(folder: &Path) -> impl Iterator<Item = String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let files = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file())); // no link
    files.filter_map(|entry| entry.file_name().into_string().ok())
}

/// A new name is an entry in its folder, which is a file, too.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(folder)?.sync_all()?; // elsewhere folders cannot be opened
    }
    Ok(())
}

/// All bytes of a file.
///
/// # Errors
/// When it cannot be read, is no ordinary file, or is larger than the memory that is free.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    must_be_a_file(path)?;
    must_fit_memory(path)?;
    fs::read(path).map_err(|error| Error::file(path, cannot_read(path, &error)))
}

/// Refuses a file that is larger than the memory that is free.
fn must_fit_memory(path: &Path) -> Result<()> {
    let length = fs::metadata(path).map_or(0, |found| found.len());
    let Some(free) = free_memory().filter(|free| length > *free) else { return Ok(()) };
    let (length, free) = (readable(length), readable(free));
    Err(Error::file(path, format!("has {length}, but only {free} of memory are free")))
}

/// Refuses what is no ordinary file.
///
/// # Errors
/// When it is a device or a pipe, which may never end.
pub fn must_be_a_file(path: &Path) -> Result<()> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() || found.is_dir() => Ok(()), // directories are refused as read
        Ok(_) => Err(Error::file(path, "this is a device or a pipe, a file is needed")),
        Err(error) => Err(Error::file(path, cannot_read(path, &error))),
    }
}

/// What to say when a file cannot be read.
pub fn cannot_read(path: &Path, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::PermissionDenied if cfg!(unix) => {
            "cannot be read: permission denied".to_owned()
        }
        _ if path.is_dir() => "this is a directory, a file is needed".to_owned(),
        _ => format!("cannot be read: {}", plain(error)),
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
