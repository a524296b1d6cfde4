//! A reader of French that knows the lexicon's tables and French grammar, but nothing of how the
//! corpus is made: it accepts a sentence if there is a way to read it in which everything agrees
//! that must agree. Every function returns all places where what it reads can end.

mod nouns;
mod verbs;

use std::collections::{BTreeSet, HashMap};

/// Gender, number, and which of *je, il, nous, vous, ils* the verb goes with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Features {
    feminine: bool,
    plural: bool,
    row: usize,
}

fn third(feminine: bool, plural: bool) -> Features {
    Features { feminine, plural, row: if plural { 4 } else { 1 } }
}

struct Verb {
    row: Vec<String>,
    reflexive: bool,
    etre: bool,
    indirect: bool,
    modal: bool,
    preposition: String,
}

impl Verb {
    fn infinitive(&self) -> &str {
        let verb = self.row[8].trim_start_matches("se ").trim_start_matches("s'");
        verb.split(' ').next().unwrap()
    }
}

/// What must stand where an object has gone to the left: nothing; its features decide the participle.
type Gap = Option<Option<Features>>;
type Ends = BTreeSet<usize>;

/// A dictionary and a grammar.
pub struct French {
    nouns: HashMap<String, Vec<Features>>,
    adjectives: HashMap<String, Vec<(Features, bool)>>,
    names: HashMap<String, bool>,
    verbs: Vec<Verb>,
    adverbs: Vec<Vec<String>>,
    prepositions: Vec<Vec<String>>,
    states: Vec<String>,
}

const ETRE: [&str; 10] =
    ["suis", "est", "sommes", "êtes", "sont", "étais", "était", "étions", "étiez", "étaient"];
const AVOIR: [&str; 10] =
    ["ai", "a", "avons", "avez", "ont", "avais", "avait", "avions", "aviez", "avaient"];
const NUMERALS: [&str; 5] = ["deux", "trois", "quatre", "cinq", "dix"];
const CLITICS: [&str; 12] =
    ["me", "m'", "se", "s'", "le", "la", "l'", "les", "lui", "leur", "nous", "vous"];

fn table(text: &str) -> Vec<Vec<String>> {
    let cells = |line: &str| {
        line.trim_matches('|').split('|').map(|cell| cell.replace('*', "").trim().into()).collect()
    };
    text.lines().skip(2).map(cells).collect()
}

impl Default for French {
    fn default() -> French {
        French::new()
    }
}

impl French {
    /// The lexicon's French.
    pub fn new() -> French {
        let mut french = French {
            nouns: HashMap::new(),
            adjectives: HashMap::new(),
            names: HashMap::new(),
            verbs: Vec::new(),
            adverbs: words(&table(include_str!("../../../lexicon/adverbs.md"))),
            prepositions: words(&table(include_str!("../../../lexicon/prepositions.md"))),
            states: words(&table(include_str!("../../../lexicon/predicates.md"))).concat(),
        };
        for row in table(include_str!("../../../lexicon/nouns.md")) {
            let feminine = row[4] == "f";
            french.nouns.entry(row[2].clone()).or_default().push(third(feminine, false));
            french.nouns.entry(row[3].clone()).or_default().push(third(feminine, true));
        }
        for row in table(include_str!("../../../lexicon/adjectives.md")) {
            for (form, feminine, plural) in [
                (2, false, false),
                (3, false, false),
                (4, true, false),
                (5, false, true),
                (6, true, true),
            ] {
                let readings = french.adjectives.entry(row[form].clone()).or_default();
                readings.push((third(feminine, plural), row[7] == "before"));
            }
        }
        for row in table(include_str!("../../../lexicon/names.md")) {
            french.names.insert(row[0].clone(), row[1] == "f");
        }
        for (text, modal) in [
            (include_str!("../../../lexicon/verbs.md"), false),
            (include_str!("../../../lexicon/modals.md"), true),
        ] {
            french.verbs.extend(table(text).into_iter().map(|row| {
                Verb {
                    reflexive: row[8].starts_with("se ") || row[8].starts_with("s'"),
                    etre: row[10] == "être",
                    indirect: row[8].ends_with(" à") || row.get(14).is_some_and(|to| to != "–"),
                    preposition: row[8]
                        .rsplit(' ')
                        .next()
                        .filter(|p| ["à", "de"].contains(p))
                        .unwrap_or("")
                        .into(),
                    modal,
                    row,
                }
            }));
        }
        french
    }

    /// Whether there is a way to read it.
    pub fn accepts(&self, sentence: &[String]) -> bool {
        let words: Vec<&str> = sentence.iter().map(String::as_str).collect();
        let Some((end, body)) = words.split_last() else { return false };
        let reader = Reader { french: self, words: body };
        let ends = if *end == "?" { reader.question() } else { reader.statement() };
        ends.contains(&body.len())
    }
}

/// The French column of a table, word by word.
fn words(rows: &[Vec<String>]) -> Vec<Vec<String>> {
    rows.iter().map(|row| row[1].split(' ').map(String::from).collect()).collect()
}

struct Reader<'a> {
    french: &'a French,
    words: &'a [&'a str],
}

impl Reader<'_> {
    pub(super) fn word(&self, at: usize) -> &str {
        self.words.get(at).copied().unwrap_or("")
    }

    pub(super) fn is(&self, at: usize, any: &[&str]) -> bool {
        any.contains(&self.word(at))
    }

    pub(super) fn statement(&self) -> Ends {
        let mut ends = Ends::new();
        let mut starts = Ends::from([0]);
        starts.extend(self.adverb(0));
        for start in starts {
            for end in self.clause(start, None) {
                ends.insert(end);
                for next in self.conjunction(end) {
                    ends.extend(self.clause(next, None));
                }
            }
        }
        let fronted = if self.is(0, &["quand"]) { vec![1] } else { self.pair(0, "pendant") };
        for start in fronted {
            for end in self.clause(start, None) {
                if self.is(end, &[","]) {
                    ends.extend(self.clause(end + 1, None));
                }
            }
        }
        ends.extend(self.existence(0, false));
        ends
    }

    pub(super) fn question(&self) -> Ends {
        let mut ends = Ends::new();
        let asked = |at: usize| self.is(at, &["est-ce"]) && self.is(at + 1, &["que", "qu'"]);
        if asked(0) {
            ends.extend(self.clause(2, None));
            ends.extend(self.existence(2, true));
        }
        if self.is(0, &["où", "quand", "pourquoi"]) && asked(1) {
            ends.extend(self.clause(3, None));
        }
        if self.is(0, &["qui", "qu'"]) && asked(1) {
            ends.extend(self.clause(3, Some(None)));
        }
        if self.is(0, &["qui"]) {
            ends.extend(self.predicate(1, third(false, false), None));
        }
        ends
    }

    /// il y a, il n' y a pas
    pub(super) fn existence(&self, at: usize, asked: bool) -> Ends {
        let mut ends = Ends::new();
        let negated = self.is(at + 1, &["n'"]);
        let verb = at + 2 + usize::from(negated);
        let there =
            self.is(at, &["il"]) && self.is(verb - 1, &["y"]) && self.is(verb, &["a", "avait"]);
        let thing = verb + 1 + usize::from(negated);
        if there && !(negated && (asked || !self.is(thing - 1, &["pas"]))) {
            for (end, _) in self.noun_phrase(thing) {
                ends.extend(self.place(end));
            }
        }
        ends
    }

    pub(super) fn conjunction(&self, at: usize) -> Vec<usize> {
        if self.is(at, &["et", "mais"]) {
            return vec![at + 1];
        }
        [self.pair(at, "parce"), self.pair(at, "pendant")].concat()
    }

    /// A word and que.
    pub(super) fn pair(&self, at: usize, word: &str) -> Vec<usize> {
        let here = self.is(at, &[word]) && self.is(at + 1, &["que", "qu'"]);
        if here { vec![at + 2] } else { Vec::new() }
    }

    pub(super) fn clause(&self, at: usize, gap: Gap) -> Ends {
        let mut ends = Ends::new();
        for (start, subject) in self.subject(at) {
            for end in self.predicate(start, subject, gap) {
                ends.insert(end);
                if self.is(end, &["et"]) {
                    ends.extend(self.predicate(end + 1, subject, gap));
                }
            }
        }
        ends
    }
}
