//! What can happen, read from `plots.md` and `openings.md` in `chapters/11_bert/src/world/tables`.
//!
//! ```text
//! ## gift (home -> home; thing; mine)                       where it begins and ends, what it needs
//! - [time] {b} visits/visited {a.obj} in {home} . => b at home      a step, and what it changes
//!   or …                                                            another way to say it
//! - ? …                                                             a step that may be left out
//! ```
//!
//! `{b}` names or resumes somebody, `{thing.colour}` says what a table knows, `[time]` is one of a
//! list, and `present/past` a verb in both tenses.

use std::sync::LazyLock;

/// A few sentences that belong together.
pub(super) struct Plot {
    pub name: &'static str,
    /// Whether the hero is at home when it begins, and when it is over.
    pub home: [bool; 2],
    /// The conditions that the story must meet.
    pub needs: Vec<&'static str>,
    pub steps: Vec<Step>,
}

/// One sentence, in several ways.
pub(super) struct Step {
    pub optional: bool,
    pub wordings: Vec<Wording>,
}

/// A sentence with gaps, and what is different in the world after it.
pub(super) struct Wording {
    pub tokens: Vec<&'static str>,
    /// Who, `at`, `in` or `with`, where or whom.
    pub effects: Vec<[&'static str; 3]>,
}

impl Plot {
    /// Whether somebody or something has a part in it.
    pub fn has(&self, role: &str) -> bool {
        let mut wordings = self.steps.iter().flat_map(|step| &step.wordings);
        wordings.any(|wording| wording.tokens.iter().any(|token| names(token, role)))
    }

    /// Whether somebody else may hold the hero's thing when it is over.
    pub fn gives_away(&self) -> bool {
        let mut wordings = self.steps.iter().flat_map(|step| &step.wordings);
        wordings.any(|wording| wording.effects.contains(&["thing", "with", "b"]))
    }

    fn new(part: &'static str) -> Plot {
        let (heading, body) = part.split_once('\n').expect("a heading has its own line");
        let (name, notes) = heading.split_once(" (").unwrap_or((heading, ""));
        let mut needs: Vec<_> = notes.trim_end_matches(')').split("; ").collect();
        let way = if needs[0].contains("->") { needs.remove(0) } else { "home -> home" };
        let (from, to) = way.split_once(" -> ").expect("an arrow has two ends");
        let mut steps: Vec<Step> = Vec::new();
        for line in body.lines() {
            if let Some(first) = line.strip_prefix("- ") {
                let text = first.strip_prefix("? ");
                let wordings = vec![Wording::new(text.unwrap_or(first))];
                steps.push(Step { optional: text.is_some(), wordings });
            } else if let Some(other) = line.strip_prefix("  or ") {
                steps
                    .last_mut()
                    .expect("a step before its other way")
                    .wordings
                    .push(Wording::new(other));
            }
        }
        Plot { name, home: [from == "home", to == "home"], needs, steps }
    }

    /// Every line another way to say one thing.
    fn merged(mut self) -> Plot {
        let wordings = self.steps.drain(..).flat_map(|step| step.wordings).collect();
        self.steps.push(Step { optional: false, wordings });
        self
    }
}

/// Whether the token is of this role, or of hero and friend together and the role one of these.
fn names(token: &str, role: &str) -> bool {
    let rest = token.strip_prefix('{').and_then(|rest| rest.strip_prefix(role));
    rest.is_some_and(|rest| rest.starts_with(['}', '.'])) // {b} and {b.name}, not {bed}
        || (role == "a" || role == "b") && token.starts_with("{ab")
        || role == "b" && token.starts_with("{holder")
}

impl Wording {
    fn new(text: &'static str) -> Wording {
        let (text, effects) = text.split_once(" => ").unwrap_or((text, ""));
        let effects = effects.split("; ").filter(|text| !text.is_empty()).map(|text| {
            let words: Vec<_> = text.split_whitespace().collect();
            words.try_into().unwrap_or_else(|_| panic!("three words expected: {text}"))
        });
        Wording { tokens: text.split_whitespace().collect(), effects: effects.collect() }
    }
}

fn parts(text: &'static str) -> impl Iterator<Item = Plot> {
    text.split("## ").skip(1).map(|part| Plot::new(part.trim_end()))
}

const PLOT_FILE: &str = include_str!("tables/plots.md");

/// The plots of a story's middle.
pub(super) static PLOTS: LazyLock<Vec<Plot>> = LazyLock::new(|| {
    let (plots, _) = PLOT_FILE.split_once("# Endings").expect("plots come before endings");
    parts(plots).collect()
});

/// The endings that a story may have.
pub(super) static ENDINGS: LazyLock<Vec<Plot>> = LazyLock::new(|| {
    let (_, endings) = PLOT_FILE.split_once("# Endings").expect("endings come after plots");
    parts(endings).map(Plot::merged).collect()
});

/// The openings: they are told before anything happens.
pub(super) static OPENINGS: LazyLock<Vec<Plot>> =
    LazyLock::new(|| parts(include_str!("tables/openings.md")).map(Plot::merged).collect());

/// The opening of that name.
pub(super) fn opening(name: &str) -> &'static Plot {
    OPENINGS.iter().find(|plot| plot.name == name).expect("an opening of that name")
}
