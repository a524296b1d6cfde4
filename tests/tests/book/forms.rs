//! What returns on every page has one form.

use super::Page;
use super::small::proven;

/// A reference links to what it cites, a caption is a sentence with a full stop, chapters are counted
/// 1, 2, 3, and the command that looks at one exercise runs the exercises alone.
pub fn forms(page: &Page) -> Vec<String> {
    let (mut faults, mut code, mut references) = (Vec::new(), false, false);
    let mut end = 0;
    for line in page.text.split_inclusive('\n') {
        let begin = end;
        end += line.len();
        let fault = |what: &str| page.fault(begin, what);
        let line = line.trim_end();
        if line.starts_with("```") {
            code = !code;
        }
        if code {
            continue;
        }
        if line.starts_with('#') {
            references = line == "## Further reading";
        }
        if references && line.starts_with("- ") && !line.contains("](https://") {
            faults.push(fault("a reference without a link"));
        }
        // A live figure ends with a link, for those who do not see it live.
        let sentence = line.ends_with(".</sub>") || line.contains(".](");
        if line.starts_with("<sub>") && !sentence {
            faults.push(fault("a caption without a full stop"));
        }
        if ["hapter 0", "hapters 0"].iter().any(|counted| line.contains(counted)) {
            faults.push(fault("a chapter with a zero: “chapter 3”"));
        }
        let looks_at_one = line.split("cargo test -p ").skip(1).any(|command| {
            let mut words = command.split([' ', '`']).skip(1);
            words.next().is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()))
        });
        if looks_at_one {
            faults.push(fault(
                "one exercise is looked at by `cargo test -p NAME --test exercises 3.2`",
            ));
        }
    }
    faults
}

#[test]
fn what_has_another_form_is_found() {
    proven(
        forms,
        &[
            "## Further reading\n\n- One 2015, [*Two*](https://doi.org/10.1/x) – three.\n\n## End\n\n- no\n",
            "![](figures/x.svg)\\\n<sub>A caption.</sub>",
            "chapter 3, chapters 1 to 3, chapter 10",
            "`cargo test -p one` and `cargo test -p one --test exercises 1.2`",
            "```sh\ncargo run # chapter 06\n```",
        ],
        &[
            (
                "one\n\n## Further reading\n\n- One 2015, *Two*.\n",
                "README.md:5: a reference without",
            ),
            ("![](figures/x.svg)\\\n<sub>A caption</sub>", "a caption without a full stop"),
            ("as in chapter 03", "a chapter with a zero"),
            ("Chapters 01 to 03", "a chapter with a zero"),
            ("`cargo test -p one 1.2` looks at one", "--test exercises"),
        ],
    );
}
