//! The course's exercises, as the files of its chapters pose them.

use std::collections::BTreeSet;
use std::fs::{read_dir, read_to_string};
use std::path::{Path, PathBuf};

use ::tests::exercises::{self, slug};

/// One exercise: a heading in `exercises/mod.rs`, and what follows up to the next.
pub struct Task {
    /// Within the chapter.
    pub number: u32,
    /// `3.2 masked softmax`
    pub title: String,
    /// `●●○, about 15 minutes`
    pub effort: String,
    /// Of the heading, from 1.
    line: usize,
    source: String,
}

impl Task {
    /// `3.2_masked_softmax`: what the chapter's test program calls it.
    pub fn name(&self) -> String {
        let (number, words) = self.title.split_once(' ').unwrap_or((&self.title, ""));
        format!("{number}_{}", slug(words))
    }

    /// Whether a `todo!()` is where the answer should be.
    pub fn has_gap(&self) -> bool {
        self.code().any(|(_, line)| is_gap(line))
    }

    /// Whether nothing is left to write: it is made of the answers to others.
    pub fn is_capstone(&self) -> bool {
        self.code().next().is_none()
    }

    /// Where one writes: the gap, or else the function.
    pub fn place(&self) -> usize {
        let first = self.code().find(|(_, line)| line.starts_with("pub "));
        let gap = self.code().find(|(_, line)| is_gap(line));
        gap.or(first).map_or(self.line, |(line, _)| line)
    }

    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = (self.line..).zip(self.source.lines());
        lines.filter(|(_, line)| !line.trim_start().starts_with("//") && !line.trim().is_empty())
    }

    /// The sentences of the hint in the exercise's comment.
    pub fn hints(&self) -> Vec<String> {
        let mut lines = self.source.lines().map_while(|line| line.strip_prefix("///"));
        let from_hint =
            lines.by_ref().map(str::trim).skip_while(|line| !line.starts_with("Hint: "));
        let words: Vec<&str> =
            from_hint.take_while(|line| !line.is_empty()).flat_map(str::split_whitespace).collect();
        let mut hints = vec![String::new()];
        for pair in words.windows(2) {
            let (before, word) = (pair[0], pair[1]);
            if before.ends_with(['.', '?']) && word.starts_with(char::is_uppercase) {
                hints.push(word.into());
            } else if let Some(hint) = hints.last_mut() {
                *hint = format!("{hint} {word}").trim_start().into();
            }
        }
        hints.retain(|hint| !hint.is_empty());
        hints
    }
}

fn is_gap(line: &str) -> bool {
    line.contains("todo!(") || line.contains("unimplemented!(")
}

/// A chapter's exercises, in the order in which its page poses them, a capstone last.
pub struct Chapter {
    pub folder: PathBuf,
    pub tasks: Vec<Task>,
    /// What is written above the first.
    above: String,
}

impl Chapter {
    /// `None` when the folder has no exercises.
    pub fn read(folder: PathBuf) -> Option<Chapter> {
        let text = exercises::source(&folder)?;
        let page = read_to_string(folder.join("README.md")).unwrap_or_default();
        let (above, mut tasks) = tasks(&text);
        let place = |task: &Task| page.find(&posed(task)).unwrap_or(page.len());
        tasks.sort_by_key(|task| (task.is_capstone(), place(task)));
        (!tasks.is_empty()).then_some(Chapter { folder, tasks, above })
    }

    /// `03_scoring_functions`
    pub fn name(&self) -> String {
        self.folder.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// `scoring_functions`
    pub fn package(&self) -> String {
        let name = self.name();
        name.split_once('_').map_or(name.clone(), |(_, package)| package.into())
    }

    /// The numbers of the exercises that are solved: one whose gap has come back is not.
    pub fn solved(&self) -> BTreeSet<u32> {
        let solved = exercises::solved(&self.folder);
        let done = self.tasks.iter().filter(|task| solved.contains(&task.number));
        done.filter(|task| !task.has_gap()).map(|task| task.number).collect()
    }

    /// The tasks that read otherwise than before; all, when what is above them does.
    pub fn changed_since(&self, before: &Chapter) -> Vec<usize> {
        let is_old = |task: &Task| before.tasks.iter().any(|old| old.source == task.source);
        let all = self.above != before.above;
        (0..self.tasks.len()).filter(|&at| all || !is_old(&self.tasks[at])).collect()
    }

    /// The line of the page that poses the task, and the section that it is in.
    pub fn posed(&self, task: &Task) -> Option<(usize, String)> {
        let page = read_to_string(self.folder.join("README.md")).ok()?;
        let mut section = String::new();
        for (line, text) in (1..).zip(page.lines()) {
            if let Some(heading) = text.strip_prefix("## ").or(text.strip_prefix("### ")) {
                section = heading.into();
            } else if text.contains(&posed(task)) {
                return Some((line, section));
            }
        }
        None
    }
}

fn posed(task: &Task) -> String {
    format!("**{}**", task.title)
}

/// What is above the first task, and the tasks as the file orders them.
fn tasks(text: &str) -> (String, Vec<Task>) {
    let (mut above, mut tasks) = (String::new(), Vec::<Task>::new());
    for (line, text) in (1..).zip(text.lines()) {
        if let Some((number, title, effort)) = heading(text) {
            tasks.push(Task { number, title, effort, line, source: String::new() });
        }
        let source = tasks.last_mut().map_or(&mut above, |task| &mut task.source);
        source.push_str(text);
        source.push('\n');
    }
    (above, tasks)
}

/// Number, title and effort of `/// **3.2 masked softmax – difficulty ●●○, about 15 minutes**`.
fn heading(line: &str) -> Option<(u32, String, String)> {
    let line = line.strip_prefix("//")?.trim_start_matches('/').trim();
    let (title, effort) =
        line.strip_prefix("**")?.strip_suffix("**")?.split_once(" – difficulty ")?;
    let (_, number) = title.split_once(' ')?.0.split_once('.')?;
    Some((number.parse().ok()?, title.into(), effort.into()))
}

/// All chapters below `root/chapters`, in their order.
pub fn chapters(root: &Path) -> Vec<Chapter> {
    let entries = read_dir(root.join("chapters")).into_iter().flatten();
    let mut folders: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    folders.sort();
    folders.into_iter().filter_map(Chapter::read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "//! Above.

/// **7.1 the mean – difficulty ●○○, about 1 minute**
///
/// Hint: `x.sum()`, see Luong et al. and
/// divide. By what? By n.
pub fn mean() {
    todo!()
}

// **7.2 all – difficulty ●○○, about 5 minutes**
//
// Nothing to write, no todo!().
";

    fn chapter(text: &str) -> Chapter {
        let (above, tasks) = tasks(text);
        Chapter { folder: "chapters/07_toy".into(), tasks, above }
    }

    #[test]
    fn an_exercise_is_read() {
        let chapter = chapter(TEXT);
        let [mean, all] = &chapter.tasks[..] else { panic!("two exercises") };
        assert_eq!((mean.name().as_str(), mean.line, mean.place()), ("7.1_the_mean", 3, 8));
        assert_eq!(mean.effort, "●○○, about 1 minute");
        assert_eq!(mean.hints(), ["`x.sum()`, see Luong et al. and divide.", "By what?", "By n."]);
        assert!(mean.has_gap() && !mean.is_capstone());
        assert!(!all.has_gap() && all.is_capstone() && all.hints().is_empty());
        assert_eq!(chapter.package(), "toy");
    }

    #[test]
    fn what_has_changed_is_found() {
        let before = chapter(TEXT);
        let changed = |text: &str| chapter(text).changed_since(&before);
        assert!(changed(TEXT).is_empty());
        assert_eq!(changed(&TEXT.replace("todo!()\n", "1.0\n\n")), [0]);
        assert_eq!(changed(&TEXT.replace("5 minutes", "6 minutes")), [1]);
        assert_eq!(changed(&TEXT.replace("Above", "Over")), [0, 1]);
    }
}
