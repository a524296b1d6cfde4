//! *For teachers* tells how many exercises a chapter has, how long they take and which to set: as the exercises say, and
//! the minutes of a page as its card says. The first page tells how many there are in all.

use std::fs::read_to_string;
use std::path::Path;

use tests::exercises::{Task, tasks, tasks_of_all};

/// What is wrong with what pages tell of exercises.
pub fn untaught(book: &Path) -> Vec<String> {
    let read = |page: &str| read_to_string(book.join(page)).unwrap_or_default();
    let front = read("README.md");
    let mut faults = Vec::new();
    let all = format!("**{} exercises**", tasks_of_all(book).len());
    if !front.contains(&all) {
        faults.push(format!("README.md: {all} is missing"));
    }
    let page = read("appendix/for_teachers.md");
    let rows = page
        .lines()
        .filter_map(|line| Some((line, line.strip_prefix("| [")?.split_once("](../")?.1)));
    let rows: Vec<(&str, &str)> =
        rows.filter(|(_, rest)| rest.contains("/README.md) | ")).collect();
    let chapters = front.matches(" minutes <br>").count();
    if rows.len() != chapters {
        faults.push(format!("for_teachers.md: {} rows for {chapters} chapters", rows.len()));
    }
    for (line, rest) in rows {
        let folder = rest.split('/').next().unwrap_or_default();
        faults.extend(of_row(line, &tasks(&book.join(folder)), &front, folder));
    }
    faults
}

fn of_row(line: &str, tasks: &[Task], front: &str, folder: &str) -> Option<String> {
    let card = front.split_once(&format!("]({folder}/README.md)** · "))?.1;
    let all: u32 = tasks.iter().map(|task| task.minutes).sum();
    let told = format!("| {} | {} | {all} | ", card.split(' ').next()?, tasks.len());
    let Some((_, set)) = line.split_once(&told) else {
        return Some(format!("for_teachers.md: {folder}: not `{told}`"));
    };
    let (set, sum) = set.trim_end_matches(" |").split_once(" | ")?;
    let minutes_of = |number: &str| {
        let mut tasks = tasks.iter();
        tasks.find(|task| task.title.split(' ').next() == Some(number)).map(|task| task.minutes)
    };
    let minutes: Option<u32> = set.split(", ").map(minutes_of).sum();
    let right = minutes.is_some_and(|minutes| minutes.to_string() == sum);
    (!right).then(|| format!("for_teachers.md: {set} take {minutes:?} minutes, not {sum}"))
}
