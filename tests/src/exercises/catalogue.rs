//! What an exercise says of itself, and what is missing in a chapter's catalogue.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::{Exercise, Kind, ORIGINAL_BUG};

/// An exercise without its functions: so exercises of different types stand in one catalogue.
#[derive(Clone)]
pub(super) struct Entry {
    /// `3.2_masked_softmax`: the test's name, for filters.
    pub name: String,
    /// `3.2 masked softmax – difficulty ●●○, about 15 minutes`
    pub heading: String,
    /// `3.2 masked softmax`
    pub title: String,
    /// `●●○ 15 min`
    pub effort: String,
    /// Name and hint of each wrong answer.
    pub wrong: Vec<(&'static str, &'static str)>,
    /// The numbers of the exercises whose answers a capstone is made of; none of the others.
    pub needs: &'static [u32],
    /// Within the chapter.
    pub number: u32,
    kind: Kind,
    difficulty: usize,
    minutes: u32,
}

impl Entry {
    pub fn new<F>(chapter: u32, exercise: &Exercise<F>, needs: &'static [u32]) -> Entry {
        let &Exercise { number, title, kind, difficulty, minutes, .. } = exercise;
        let dots: String =
            (1..=3).map(|level| if level <= difficulty { '●' } else { '○' }).collect();
        let plural = if minutes == 1 { "" } else { "s" };
        Entry {
            name: format!("{chapter}.{number}_{}", slug(title)),
            heading: format!(
                "{chapter}.{number} {title} – difficulty {dots}, about {minutes} minute{plural}"
            ),
            title: format!("{chapter}.{number} {title}"),
            effort: format!("{dots} {minutes} min"),
            wrong: exercise.wrong.iter().map(|wrong| (wrong.name, wrong.hint)).collect(),
            needs,
            number,
            kind,
            difficulty,
            minutes,
        }
    }
}

/// `masked_softmax`: what a filter on the command line can name without quotes.
pub fn slug(title: &str) -> String {
    let words = title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join("_")
}

/// What is missing in the catalogue of the chapter in this folder.
pub(super) fn complaints<'e>(
    folder: &Path,
    entries: impl Iterator<Item = &'e Entry> + Clone,
) -> Vec<String> {
    let mut complaints = Vec::new();
    let path = folder.join("exercises/mod.rs");
    let source = fs::read_to_string(&path).unwrap_or_else(|error| {
        complaints.push(format!("{}: {error}", path.display()));
        String::new()
    });
    let number = entries.clone().count();
    if number < 5 {
        complaints.push(format!("{number} exercises: a chapter has five or more"));
    }
    for kind in [Kind::Implement, Kind::Derive, Kind::SpotTheBug] {
        if entries.clone().all(|entry| entry.kind != kind) {
            complaints.push(format!("no exercise of the kind {kind:?}"));
        }
    }
    for (entry, place) in entries.zip(1..) {
        let faults = faults(entry, place, &source);
        complaints.extend(faults.iter().map(|fault| format!("{}: {fault}", entry.heading)));
    }
    complaints
}

/// What is wrong with the exercise in this place; `source` is the learner's file.
fn faults(entry: &Entry, place: u32, source: &str) -> Vec<String> {
    let mut faults = Vec::new();
    if entry.number != place {
        faults.push(format!("it stands in place {place}"));
    }
    if !source.contains(&entry.heading) {
        faults.push("exercises/mod.rs has no comment with this very heading".into());
    }
    if !(1..=3).contains(&entry.difficulty) || entry.minutes == 0 {
        faults.push("difficulty is 1 to 3, minutes at least 1".into());
    }
    if entry.wrong.is_empty() {
        faults.push("no wrong answer shows that its check can fail".into());
    }
    if entry.kind == Kind::SpotTheBug && entry.wrong.iter().all(|(name, _)| *name != ORIGINAL_BUG) {
        faults.push(format!("no wrong answer is named “{ORIGINAL_BUG}”"));
    }
    let mut names = BTreeSet::new();
    for (name, _) in &entry.wrong {
        if !names.insert(slug(name)) {
            faults.push(format!("two wrong answers are named “{name}”"));
        }
    }
    faults
}
