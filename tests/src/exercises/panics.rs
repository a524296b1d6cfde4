//! What is shown of an answer that panics: the message, and the line of the chapter that is behind it.

use std::backtrace::Backtrace;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A panic, as the panic hook saw it.
#[derive(Clone)]
pub(super) struct Panic {
    pub message: String,
    /// Where it was raised, `file:line:column`.
    location: String,
    /// When that is not in the chapter's exercises, solutions or checks: the innermost caller that
    /// is.
    caller: Option<String>,
}

/// Panics of the running check, on any thread: one that waits for another gets the payload, not the place.
static SEEN: Mutex<Vec<Panic>> = Mutex::new(Vec::new());

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The panic that ended this check, recorded instead of printed as “thread panicked at …” on standard error.
pub(super) fn caught(chapter: &Path, check: impl FnOnce()) -> Result<(), Panic> {
    let (chapter, usual) = (chapter.to_path_buf(), panic::take_hook());
    panic::set_hook(Box::new(move |info| {
        let panic = Panic::seen(info, &chapter);
        lock(&SEEN).push(panic);
    }));
    let result = panic::catch_unwind(AssertUnwindSafe(check));
    panic::set_hook(usual);
    let seen = std::mem::take(&mut *lock(&SEEN));
    result.map_err(|_| {
        let own = seen.iter().rev().find(|panic| !is_echo(&panic.message));
        own.or(seen.last()).cloned().unwrap_or_else(|| Panic {
            message: NO_MESSAGE.into(),
            location: "an unknown place".into(),
            caller: None,
        })
    })
}

impl Panic {
    fn seen(info: &PanicHookInfo, chapter: &Path) -> Panic {
        let message = info.payload_as_str().unwrap_or(NO_MESSAGE).to_string();
        let location = info.location().map(ToString::to_string).unwrap_or_default();
        let place = in_chapter(&location, chapter);
        let caller = if place.is_some() || is_open(&message) {
            None
        } else {
            innermost_caller(&Backtrace::force_capture(), chapter)
        };
        Panic { message, location: place.unwrap_or_else(|| without_registry(&location)), caller }
    }

    /// The message for the learner: an assertion of the check speaks for itself, any other panic is
    /// shown with its line.
    pub fn explained(&self, hint: Option<&str>) -> String {
        let Panic { message, location, caller, .. } = self;
        let whose = match caller {
            None if is_check(location) => {
                return format!("{}\n(checked at {location})", hint_second(message, hint));
            }
            None => format!("your code panicked at {location}"),
            Some(caller) if is_check(caller) => {
                format!("the check panicked at {caller}, inside {location}")
            }
            Some(caller) => format!("your code panicked at {caller}, inside {location}"),
        };
        let text = format!("{whose}:\n    {}", message.replace('\n', "\n    "));
        hint.map_or(text.clone(), |hint| format!("{text}\nhint: {hint}"))
    }
}

/// A check's message with a hint after its first line, before long inputs: this one, that of the mistake, or else its
/// own. Several hints of its own stay where they are.
fn hint_second(message: &str, hint: Option<&str>) -> String {
    let (own, mut lines): (Vec<&str>, Vec<&str>) =
        message.lines().partition(|line| line.starts_with("hint: "));
    let hint = match (&own[..], hint) {
        ([] | [_], Some(hint)) if !message.contains(hint) => format!("hint: {hint}"),
        (&[own], _) => own.to_string(),
        _ => return message.to_string(),
    };
    lines.insert(1.min(lines.len()), &hint);
    lines.join("\n")
}

const NO_MESSAGE: &str = "a panic without a message";

pub(super) fn is_open(message: &str) -> bool {
    message.starts_with("not yet implemented") || message.starts_with("not implemented")
}

/// Whether a thread says no more than that another one has panicked, which it waited for.
fn is_echo(message: &str) -> bool {
    message == "a scoped thread panicked" || message.ends_with("Any { .. }")
}

fn is_check(place: &str) -> bool {
    place.contains("/tests/exercises/")
}

/// The place as `chapters/03_scoring_functions/exercises/mod.rs:12:5` when it lies in the chapter's
/// exercises, solutions or checks; the compiler writes
/// `chapters/03_scoring_functions/tests/exercises/../../exercises/…`, a backtrace the whole path or
/// `./tests/exercises/../../exercises/…`.
fn in_chapter(place: &str, chapter: &Path) -> Option<String> {
    let mut ends = chapter.iter().rev().map(|part| part.to_string_lossy());
    let (name, parent) = (ends.next()?, ends.next()?);
    let place = place.replace('\\', "/").replace("tests/exercises/../../", "");
    let place = place.replace("src/../", ""); // of a notebook, which has the checks in the library
    let inside = match place.split_once(&format!("{name}/")) {
        Some((_, inside)) => inside,
        None => place.strip_prefix("./")?,
    };
    let folders = ["exercises/", "solutions/", "tests/exercises/"];
    folders
        .iter()
        .any(|folder| inside.starts_with(folder))
        .then(|| format!("{parent}/{name}/{inside}"))
}

/// `nalgebra-0.35.0/src/…` for a file in Cargo's registry.
fn without_registry(place: &str) -> String {
    let in_registry = place.split_once("registry/src/").and_then(|(_, rest)| rest.split_once('/'));
    in_registry.map_or(place, |(_, in_package)| in_package).to_string()
}

/// The first frame that lies in the chapter; frames print as `             at
/// ./tests/exercises/softmax.rs:30:5`.
fn innermost_caller(backtrace: &Backtrace, chapter: &Path) -> Option<String> {
    let text = backtrace.to_string();
    text.lines()
        .filter_map(|line| line.trim_start().strip_prefix("at "))
        .find_map(|place| in_chapter(place, chapter))
}

#[cfg(test)]
mod tests {
    use super::hint_second;

    #[test]
    fn one_hint_stands_second() {
        let own = "off\ngiven x\n    1\nhint: add";
        assert_eq!(hint_second(own, None), "off\nhint: add\ngiven x\n    1");
        assert_eq!(hint_second(own, Some("divide")), "off\nhint: divide\ngiven x\n    1");
        assert_eq!(hint_second("off\ngiven x", Some("divide")), "off\nhint: divide\ngiven x");
        assert_eq!(hint_second("off: divide\ngiven x", Some("divide")), "off: divide\ngiven x");
        let two = "0: off\nhint: add\n1: off\nhint: divide";
        assert_eq!(hint_second(two, None), two);
    }
}
