//! The exercises of a chapter as its `exercises/mod.rs` poses them. A heading
//! `/// **3.2 masked softmax – difficulty ●●○, about 15 minutes**` is the one place of an exercise's number, title,
//! difficulty and minutes; the page's boxes and its table are written from it.

use std::fs;
use std::path::{Path, PathBuf};

/// The heading of the table that [`written`] fills.
const TABLE: &str = "| exercise | | minutes |\n";

/// One exercise: its heading, and what follows up to the next.
#[derive(Clone, Debug)]
pub struct Task {
    /// Its chapter's.
    pub folder: PathBuf,
    /// Within the chapter.
    pub number: u32,
    /// `3.2 masked softmax`
    pub title: String,
    /// `●●○`
    pub difficulty: String,
    /// How long it takes a reader of the chapter.
    pub minutes: u32,
    /// The heading's line, from 1.
    pub line: usize,
    /// The text from the heading to the next.
    pub source: String,
}

impl Task {
    /// `3.2_masked_softmax`: the test's name, for filters.
    pub fn name(&self) -> String {
        let (number, words) = self.title.split_once(' ').unwrap_or((&self.title, ""));
        format!("{number}_{}", slug(words))
    }

    /// `●●○ 15 minutes`
    pub fn effort(&self) -> String {
        let plural = if self.minutes == 1 { "" } else { "s" };
        format!("{} {} minute{plural}", self.difficulty, self.minutes)
    }

    /// The line of the page that poses it.
    pub fn posed(&self) -> Option<usize> {
        let page = fs::read_to_string(self.folder.join("README.md")).ok()?;
        let box_of_it = format!("**{}**", self.title);
        Some(page.lines().position(|line| line.contains(&box_of_it))? + 1)
    }

    /// The line where one writes, when something is left to write.
    pub fn gap(&self) -> Option<usize> {
        let is_gap = |line: &str| line.contains("todo!(") || line.contains("unimplemented!(");
        self.code().find(|(_, line)| is_gap(line)).map(|(line, _)| line)
    }

    /// The paragraph that begins with “Hint:”.
    pub fn hint(&self) -> Option<String> {
        let lines = self.source.lines().map_while(|line| line.strip_prefix("///")).map(str::trim);
        let hint = lines.skip_while(|line| !line.starts_with("Hint: "));
        let hint = hint.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
        hint.strip_prefix("Hint: ").map(String::from)
    }

    /// The lines of code, with their numbers.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = (self.line..).zip(self.source.lines());
        lines.filter(|(_, line)| !line.trim_start().starts_with("//") && !line.trim().is_empty())
    }

    /// Whether nothing is left to write: it is made of the answers to others.
    pub fn is_capstone(&self) -> bool {
        self.code().next().is_none()
    }

    fn read(line: &str, at: usize) -> Option<Task> {
        let line = line.strip_prefix("//")?.trim_start_matches('/').trim();
        let (title, effort) =
            line.strip_prefix("**")?.strip_suffix("**")?.split_once(" – difficulty ")?;
        let (difficulty, minutes) = effort.split_once(", about ")?;
        let number = title.split_once(' ')?.0.split_once('.')?.1.parse().ok()?;
        let minutes = minutes.split_once(' ')?.0.parse().ok()?;
        let (title, difficulty) = (title.to_string(), difficulty.to_string());
        let (folder, source) = (PathBuf::new(), String::new());
        Some(Task { folder, number, title, difficulty, minutes, line: at, source })
    }
}

/// `masked_softmax`: what a filter on the command line can name without quotes.
pub fn slug(title: &str) -> String {
    let words = title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join("_")
}

/// The exercises of the chapter in this folder, in the order in which its page poses them, a capstone last.
pub fn tasks(chapter: &Path) -> Vec<Task> {
    // Whatever its encoding: the compiler says that it is not UTF-8.
    let bytes = fs::read(chapter.join("exercises/mod.rs")).unwrap_or_default();
    let mut tasks = in_source(&String::from_utf8_lossy(&bytes));
    let page = fs::read_to_string(chapter.join("README.md")).unwrap_or_default();
    tasks.iter_mut().for_each(|task| task.folder = chapter.to_path_buf());
    tasks.sort_by_key(|task| {
        let place = page.find(&format!("**{}**", task.title));
        (task.is_capstone(), place.unwrap_or(page.len()))
    });
    tasks
}

/// The exercises of all chapters in this folder, in order.
pub fn tasks_of_all(chapters: &Path) -> Vec<Task> {
    let entries = fs::read_dir(chapters).into_iter().flatten();
    let mut folders: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    folders.sort();
    folders.iter().flat_map(|folder| tasks(folder)).collect()
}

fn in_source(text: &str) -> Vec<Task> {
    let mut tasks = Vec::<Task>::new();
    for (at, line) in (1..).zip(text.lines()) {
        tasks.extend(Task::read(line, at));
        if let Some(task) = tasks.last_mut() {
            task.source += line;
            task.source.push('\n');
        }
    }
    tasks
}

/// The page of the chapter with these exercises: a box `> **3.2 …** … minutes` and the table as the headings have it.
pub fn written(page: &str, tasks: &[Task]) -> String {
    let mut text = String::new();
    let mut lines = page.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        text += &boxed(line, tasks).unwrap_or_else(|| line.to_string());
        if line == TABLE {
            while lines.next_if(|line| line.starts_with('|')).is_some() {}
            text += &table(tasks);
        }
    }
    text
}

fn boxed(line: &str, tasks: &[Task]) -> Option<String> {
    let (number, rest) = line.strip_prefix("> **")?.split_once(' ')?;
    let (_, rest) = rest.split_once(" minute")?;
    let task = tasks.iter().find(|task| task.title.split(' ').next() == Some(number))?;
    let (title, effort, rest) =
        (&task.title, task.effort(), rest.strip_prefix('s').unwrap_or(rest));
    Some(format!("> **{title}** {effort}{rest}"))
}

fn table(tasks: &[Task]) -> String {
    let mut tasks: Vec<&Task> = tasks.iter().collect();
    tasks.sort_by_key(|task| task.number);
    let mut table = String::from("|---|---|---:|\n");
    for Task { title, difficulty, minutes, .. } in tasks {
        table += &format!("| {title} | {difficulty} | {minutes} |\n");
    }
    table
}

#[cfg(test)]
mod tests {
    use super::{in_source, written};

    #[test]
    fn headings_are_read_and_the_page_is_written_from_them() {
        let source = "//! Above.\n
/// **3.1 two words: a dash – difficulty ●●○, about 15 minutes**
///
/// Hint: add, and
/// divide.
pub fn f() {
    todo!()
}
// **3.2 capstone: all – difficulty ●○○, about 1 minute**
// Nothing to write.\n";
        let tasks = in_source(source);
        let [f, all] = &tasks[..] else { panic!("two exercises") };
        assert_eq!((f.name().as_str(), f.line, f.minutes), ("3.1_two_words_a_dash", 3, 15));
        assert_eq!((f.gap(), f.hint().as_deref()), (Some(8), Some("add, and divide.")));
        assert_eq!((all.number, all.effort().as_str()), (2, "●○○ 1 minute"));
        assert!(!f.is_capstone() && all.is_capstone());
        let page =
            "> **3.1 one** ●○○ 5 minutes. In 5 minutes?\n\n| exercise | | minutes |\n|-|\n| 4 |\n.";
        let right = "> **3.1 two words: a dash** ●●○ 15 minutes. In 5 minutes?\n\n| exercise | | minutes |\n|---|---|---:|\n| 3.1 two words: a dash | ●●○ | 15 |\n| 3.2 capstone: all | ●○○ | 1 |\n.";
        assert_eq!(written(page, &tasks), right);
        assert_eq!(written(right, &tasks), right);
    }
}
