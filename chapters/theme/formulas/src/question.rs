//! Questions: asked in the page where their idea is fresh, written with their answers in
//! `questions.md` beside it, where a code host shows them too.
//!
//! ````text
//! ## 1a A narrow kernel
//!
//! What is it that … ?
//!
//! 1. An option.
//! 2. Another.
//!
//! <details><summary>Answer</summary>
//!
//! **Answer: 2.** Why it is so.
//!
//! - **1:** What somebody thinks who says this, and why it is not so.
//!
//! </details>
//! ````
//!
//! With `2, 1` for the answer the options are to be put in order; without options the answer is a number.
//! [`placed`] puts each question where a line of the page links to it, `[Question 1a: A narrow
//! kernel](questions.md#1a-a-narrow-kernel)`. `questions.js` makes a choice, a field or a list to be
//! sorted of it; without a script the text and the folded answer stay.

use std::borrow::Cow;
use std::path::Path;

/// One section of `questions.md`.
pub struct Question<'t> {
    /// `1a`: its chapter and a letter, as exercises and figures have `1.1`.
    pub number: &'t str,
    /// What it is called.
    pub title: &'t str,
    /// What is asked, and the answers.
    pub text: &'t str,
}

/// The questions of a file, or what is wrong with them, a line a fault.
pub fn questions(file: &str) -> Result<Vec<Question<'_>>, Vec<String>> {
    let (mut found, mut faults) = (Vec::new(), Vec::new());
    for section in file.split("\n## ").skip(1) {
        let (heading, text) = section.split_once('\n').unwrap_or((section, ""));
        let (number, title) = heading.split_once(' ').unwrap_or((heading, ""));
        faults.extend(fault(text).map(|what| format!("question {number}: {what}")));
        found.push(Question { number, title, text: text.trim() });
    }
    if faults.is_empty() { Ok(found) } else { Err(faults) }
}

/// What is wrong with the text of a question, if anything: every answer that can be chosen has its sentence.
fn fault(text: &str) -> Option<String> {
    let Some((asked, answered)) = text.split_once("<details><summary>Answer</summary>\n") else {
        return Some("no `<details><summary>Answer</summary>`".into());
    };
    let Some(right) = between(answered, "\n**Answer: ", ".**") else {
        return Some("no `**Answer: …**`".into());
    };
    if !answered.trim_end().ends_with("\n\n</details>") {
        return Some("no `</details>` at its end".into());
    }
    let options = asked.lines().filter(|line| {
        let (number, rest) = line.split_once(". ").unwrap_or_default();
        !rest.is_empty() && number.parse::<usize>().is_ok()
    });
    let options: Vec<String> = (1..=options.count()).map(|n| n.to_string()).collect();
    let mut answers: Vec<&str> = answered
        .split("\n- **")
        .skip(1)
        .filter_map(|reply| Some(reply.split_once(":** ")?.0))
        .collect();
    answers.push(right);
    answers.sort_unstable();
    let ordered = right.contains(", ");
    let can_be_given = |answer: &&str| match (options.is_empty(), ordered) {
        (true, _) => answer.parse::<f64>().is_ok(),
        (_, true) => sorted(answer) == options,
        _ => options.iter().any(|option| option == answer),
    };
    if let Some(answer) = answers.iter().find(|answer| !can_be_given(answer)) {
        return Some(format!("`{answer}` is no answer that can be given"));
    }
    if let Some(twice) = answers.windows(2).find(|pair| pair[0] == pair[1]) {
        return Some(format!("two sentences for `{}`", twice[0]));
    }
    let wanted = if options.is_empty() || ordered { 2 } else { options.len().max(2) };
    if answers.len() < wanted {
        return Some("a wrong answer without a sentence, `- **1:** …`".into());
    }
    (ordered && right == options.join(", ")).then(|| "it is in order already".into())
}

fn sorted(order: &str) -> Vec<&str> {
    let mut numbers: Vec<&str> = order.split(", ").collect();
    numbers.sort_unstable();
    numbers
}

fn between<'t>(text: &'t str, before: &str, after: &str) -> Option<&'t str> {
    Some(text.split_once(before)?.1.split_once(after)?.0)
}

/// The page with the questions of `questions.md` in `folder` where it links to them, each exactly once.
///
/// In the book there is no `questions.md`: a link to all of it leads to the first question.
pub fn placed<'m>(markdown: &'m str, folder: &Path) -> Result<Cow<'m, str>, Vec<String>> {
    if !markdown.contains(MARK) {
        return Ok(markdown.into());
    }
    let file = std::fs::read_to_string(folder.join(FILE))
        .map_err(|error| vec![format!("{FILE}: {error}")])?;
    let questions = questions(&file)?;
    let (mut placed, mut faults) = (markdown.to_owned(), Vec::new());
    for Question { number, title, text } in &questions {
        let heading = format!("{number} {title}");
        let mark = format!("\n{MARK}{number}: {title}]({FILE}#{})\n", anchor(&heading));
        if markdown.matches(&mark).count() != 1 {
            faults.push(format!(
                "question {number} is asked {} times",
                markdown.matches(&mark).count()
            ));
        }
        let section = format!(
            "\n<section class=\"question\" id=\"question-{number}\">\n\n**Question: {title}**\n\n{text}\n\n</section>\n"
        );
        placed = placed.replace(&mark, &section);
    }
    if let Some((_, rest)) = placed.split_once(MARK) {
        let number = rest.split(':').next().unwrap_or_default();
        faults.push(format!(
            "{FILE} has no question {number} of this title, or its link is no line of its own"
        ));
    }
    if let Some(first) = questions.first() {
        placed = placed.replace("](questions.md)", &format!("](#question-{})", first.number));
    }
    if faults.is_empty() { Ok(placed.into()) } else { Err(faults) }
}

const FILE: &str = "questions.md";
const MARK: &str = "[Question ";

/// The id that mdBook and code hosts give a heading.
pub fn anchor(heading: &str) -> String {
    let words = heading.trim().to_lowercase().replace(char::is_whitespace, "-");
    words.replace(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-'), "")
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHOICE: &str = "## 1a Which\n\nWhich of\n\n1. one\n2. two\n\n<details><summary>Answer</summary>\n\n**Answer: 2.** So.\n\n- **1:** No.\n\n</details>\n";
    const NUMBER: &str = "## 1b How many\n\nHow many?\n\n<details><summary>Answer</summary>\n\n**Answer: 0.5.** So.\n\n- **2:** No.\n\n</details>\n";
    const ORDER: &str = "## 1c Order\n\nSort:\n\n1. one\n2. two\n\n<details><summary>Answer</summary>\n\n**Answer: 2, 1.** So.\n\n- **1, 2:** No.\n\n</details>\n";

    fn page(questions: &str, markdown: &str) -> Result<String, Vec<String>> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(FILE), questions).unwrap();
        placed(markdown, folder.path()).map(Cow::into_owned)
    }

    #[test]
    fn questions_are_asked_where_the_page_marks_them() {
        let file = format!("# Questions\n\n{CHOICE}\n{NUMBER}\n{ORDER}");
        let text = "a\n\n[Question 1c: Order](questions.md#1c-order)\n\nb\n\n[Question 1a: Which](questions.md#1a-which)\n\n[q](questions.md)\n\n[Question 1b: How many](questions.md#1b-how-many)\n";
        let page = page(&file, text).unwrap();
        let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text} in {page}"));
        assert!(at("id=\"question-1c\">\n\n**Question: Order**\n\nSort:\n\n1. one") < at("\nb\n"));
        assert!(at("\nb\n") < at("id=\"question-1a\">\n\n**Question: Which**\n\nWhich of\n"));
        assert!(page.ends_with("- **2:** No.\n\n</details>\n\n</section>\n"), "{page}");
        assert!(page.contains("[q](#question-1a)") && !page.contains("questions.md"));
    }

    #[test]
    fn a_page_without_questions_needs_no_file() {
        assert_eq!(placed("a [b](c.md)\n", Path::new("nowhere")).unwrap(), "a [b](c.md)\n");
        assert!(placed("\n[Question 1a: x](questions.md#1a-x)\n", Path::new("nowhere")).is_err());
    }

    #[test]
    fn a_question_is_asked_exactly_once() {
        let file = format!("# Questions\n\n{CHOICE}\n{NUMBER}");
        let mark = "\n[Question 1a: Which](questions.md#1a-which)\n";
        let other = "\n[Question 1b: How many](questions.md#1b-how-many)\n";
        assert_eq!(page(&file, mark).unwrap_err(), ["question 1b is asked 0 times"]);
        let twice = format!("{mark}{other}{mark}");
        assert_eq!(page(&file, &twice).unwrap_err(), ["question 1a is asked 2 times"]);
        let more = format!("{mark}{other}\n[Question 9z: Z](questions.md#9z-z)\n");
        assert!(page(&file, &more).unwrap_err()[0].contains("no question 9z"));
    }

    #[test]
    fn what_is_wrong_with_a_question_is_named() {
        for (question, old, new, reason) in [
            (CHOICE, "**Answer: 2.**", "**Answer: 3.**", "`3` is no answer that can be given"),
            (CHOICE, "**Answer: 2.**", "Two.", "no `**Answer"),
            (CHOICE, "- **1:** No.", "", "a wrong answer without a sentence"),
            (CHOICE, "- **1:** No.", "- **2:** No.", "two sentences for `2`"),
            (CHOICE, "- **1:** No.", "- **1:** No.\n- **4:** No.", "`4` is no answer"),
            (CHOICE, "Answer</summary>", "</summary>", "no `<details>"),
            (CHOICE, "\n</details>\n", "\n", "no `</details>`"),
            (NUMBER, "**Answer: 0.5.**", "**Answer: half.**", "`half` is no answer"),
            (NUMBER, "- **2:** No.", "", "a wrong answer without"),
            (ORDER, "**Answer: 2, 1.**", "**Answer: 2, 2.**", "`2, 2` is no answer"),
            (ORDER, "**Answer: 2, 1.**", "**Answer: 1, 2.**", "two sentences"),
            (
                ORDER,
                "**Answer: 2, 1.** So.\n\n- **1, 2",
                "**Answer: 1, 2.** So.\n\n- **2, 1",
                "in order already",
            ),
        ] {
            let file = format!("# Q\n\n{}", question.replace(old, new));
            let faults = questions(&file).map(|_| ()).unwrap_err();
            assert!(faults.len() == 1 && faults[0].contains(reason), "{reason}: {faults:?}");
        }
    }
}
