//! The questions in a browser. Needs Chromium, so it is asked for by name:
//! `cargo test -p formulas --test questions -- --ignored`.

use std::path::Path;
use std::process::Command;

const QUESTIONS: &str = "# Questions

## 1a A choice

Which $x$?

1. one
2. two

<details><summary>Answer</summary>

**Answer: 2.** Since $x = 2$.

- **1:** One is *less*.

</details>

## 1b A number

How many?

<details><summary>Answer</summary>

**Answer: 0.25.** A quarter.

- **4:** Four is its inverse.

</details>

## 1c An order

Sort them:

1. three
2. one
3. two

<details><summary>Answer</summary>

**Answer: 2, 3, 1.** By size.

- **1, 3, 2:** The largest first.

</details>
";
const PAGE: &str = "# Page

[Question 1a: A choice](questions.md#1a-a-choice)

[Question 1b: A number](questions.md#1b-a-number)

[Question 1c: An order](questions.md#1c-an-order)

The [questions](questions.md).
";

/// In the frame: each question is answered wrongly, then rightly, the page loaded again; `told` is what it showed.
const READER: &str = r##"
const [told, frame] = [[], document.querySelector("iframe")];
let loads = 0;
frame.onload = () => {
    const page = frame.contentDocument;
    const ask = (id) => page.getElementById(`question-${id}`);
    const state = (id) => told.push(ask(id).querySelector(".reply").textContent, ask(id).className);
    const progress = () => told.push(page.querySelector(".progress").textContent);
    progress();
    if (loads++) {
        told.push(...["1a", "1b", "1c"].map((id) => ask(id).className));
        document.querySelector("pre").textContent = told.join("\n");
        return;
    }
    const [one, two] = ask("1a").querySelectorAll("button");
    for (const option of [one, two]) {
        option.click();
        state("1a");
    }
    told.push(one.ariaPressed + two.ariaPressed);
    for (const number of ["4", "7", "", "0,254"]) {
        ask("1b").querySelector("input").value = number;
        ask("1b").querySelector("form button").click();
        state("1b");
    }
    progress();
    for (const [item, way] of [["one", "down"], ["two", "up"], ["three", "down"], ["three", "down"], ["one", "up"]]) {
        const line = [...ask("1c").querySelectorAll("li")].find((line) => line.textContent.startsWith(item));
        line.querySelector(`[aria-label="Move ${way}"]`).click();
        ask("1c").querySelector("form button").click();
        state("1c");
    }
    frame.contentWindow.location.reload();
};
"##;

const TOLD: &str = "You have answered 0 of 3.
No. One is less.
question
Right. Since x=2.
question answered
falsetrue
No. Four is its inverse.
question
No. Try another.
question
No. Try another.
question
Right. A quarter.
question answered
You have answered 2 of 3.
No. The largest first.
question
No. Try another.
question
No. Try another.
question
No. Try another.
question
Right. By size.
question answered
You have answered 3 of 3.
question answered
question answered
question answered";

/// A page after its scripts have run, and what was said to the console.
fn in_a_browser(folder: &Path, page: &str) -> (String, String) {
    let output = Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"])
        .args(["--enable-logging=stderr", "--allow-file-access-from-files", "--dump-dom"])
        .arg("--virtual-time-budget=20000")
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .arg(format!("file://{}", folder.join(page).display()))
        .output()
        .expect("chromium starts");
    let log = String::from_utf8_lossy(&output.stderr).into_owned();
    let console: Vec<&str> = log.lines().filter(|line| line.contains("CONSOLE")).collect();
    (String::from_utf8_lossy(&output.stdout).into_owned(), console.join("\n"))
}

#[test]
#[ignore = "needs Chromium"]
fn a_reader_answers_and_finds_the_answers_kept() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("questions.md", QUESTIONS);
    let page = formulas::page(PAGE, folder.path(), "1").unwrap();
    let mut html = String::new();
    let events = pulldown_cmark::Parser::new_ext(&page, formulas::markdown_options());
    pulldown_cmark::html::push_html(&mut html, events);
    let script = include_str!("../../questions.js");
    write(
        "page.html",
        &format!("<!doctype html><div class=\"content\">{html}</div><script>{script}</script>"),
    );
    write(
        "reader.html",
        &format!(
            "<!doctype html><iframe src=\"page.html\"></iframe><pre></pre><script>{READER}</script>"
        ),
    );
    let (page, console) = in_a_browser(folder.path(), "reader.html");
    assert_eq!(console, "");
    let told = page.split_once("<pre>").unwrap().1.split_once("</pre>").unwrap().0;
    assert_eq!(told, TOLD);
}
