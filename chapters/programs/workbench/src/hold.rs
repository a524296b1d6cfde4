//! One program at a time in a folder.

use crate::error::{Error, Result};
use crate::files::{self, plain};
use std::fs::{File, TryLockError, create_dir_all};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// A folder that no other program writes into as long as this lives; the same program may hold it
/// more than once.
///
/// The lock is on the folder itself, so there is no file that could be left behind, or be a link to
/// somewhere else. It ends with the process, however that ends. Where folders cannot be locked (on
/// some network drives, and on Windows) nobody is kept out.
pub struct Hold {
    _lock: Option<Arc<Lock>>,
}

/// Unlocked when dropped, not only closed: a program that is just being started from here has the file
/// open, too, until it runs.
struct Lock(File);

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = self.0.unlock();
    }
}

/// The folders that this process holds.
static HELD: Mutex<Vec<(PathBuf, Weak<Lock>)>> = Mutex::new(Vec::new());

impl Hold {
    /// Takes hold of a folder, which is made if it is not there, and must be writable.
    pub fn make(folder: &Path) -> Result<Hold> {
        let refuse = |error: io::Error| {
            Error::file(folder, format!("cannot be written to: {}", plain(&error)))
        };
        create_dir_all(folder).map_err(refuse)?;
        let hold = Hold::on(folder)?;
        files::try_writing(folder).map_err(refuse)?;
        Ok(hold)
    }

    /// Takes hold of a folder, and removes what a killed program left unfinished there.
    fn on(folder: &Path) -> Result<Hold> {
        let mut held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
        held.retain(|(_, lock)| lock.strong_count() > 0);
        let place = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let ours =
            held.iter().find(|(path, _)| *path == place).and_then(|(_, lock)| lock.upgrade());
        if ours.is_some() {
            return Ok(Hold { _lock: ours });
        }
        let lock = match File::open(folder).map(|file| (file.try_lock(), file)) {
            Ok((Ok(()), file)) => Arc::new(Lock(file)),
            Ok((Err(TryLockError::WouldBlock), _)) => {
                let reason = "another program is writing into this folder: choose another one";
                return Err(Error::file(folder, reason));
            }
            Ok((Err(TryLockError::Error(_)), _)) | Err(_) => return Ok(Hold { _lock: None }),
        };
        held.push((place, Arc::downgrade(&lock)));
        files::remove_unfinished(folder);
        Ok(Hold { _lock: Some(lock) })
    }
}
