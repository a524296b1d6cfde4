//! A reader of French that knows the lexicon's tables and French grammar, but nothing of how the
//! corpus is made: it accepts a sentence if there is a way to read it in which everything agrees
//! that must agree. Every function returns all places where what it reads can end.

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

/// The dictionary.
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

impl French {
    pub fn new() -> French {
        let mut french = French {
            nouns: HashMap::new(),
            adjectives: HashMap::new(),
            names: HashMap::new(),
            verbs: Vec::new(),
            adverbs: words(&table(include_str!("../../lexicon/adverbs.md"))),
            prepositions: words(&table(include_str!("../../lexicon/prepositions.md"))),
            states: words(&table(include_str!("../../lexicon/predicates.md"))).concat(),
        };
        for row in table(include_str!("../../lexicon/nouns.md")) {
            let feminine = row[4] == "f";
            french.nouns.entry(row[2].clone()).or_default().push(third(feminine, false));
            french.nouns.entry(row[3].clone()).or_default().push(third(feminine, true));
        }
        for row in table(include_str!("../../lexicon/adjectives.md")) {
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
        for row in table(include_str!("../../lexicon/names.md")) {
            french.names.insert(row[0].clone(), row[1] == "f");
        }
        for (text, modal) in [
            (include_str!("../../lexicon/verbs.md"), false),
            (include_str!("../../lexicon/modals.md"), true),
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
    fn word(&self, at: usize) -> &str {
        self.words.get(at).copied().unwrap_or("")
    }

    fn is(&self, at: usize, any: &[&str]) -> bool {
        any.contains(&self.word(at))
    }

    fn statement(&self) -> Ends {
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

    fn question(&self) -> Ends {
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
    fn existence(&self, at: usize, asked: bool) -> Ends {
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

    fn conjunction(&self, at: usize) -> Vec<usize> {
        if self.is(at, &["et", "mais"]) {
            return vec![at + 1];
        }
        [self.pair(at, "parce"), self.pair(at, "pendant")].concat()
    }

    /// A word and que.
    fn pair(&self, at: usize, word: &str) -> Vec<usize> {
        let here = self.is(at, &[word]) && self.is(at + 1, &["que", "qu'"]);
        if here { vec![at + 2] } else { Vec::new() }
    }

    fn clause(&self, at: usize, gap: Gap) -> Ends {
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

    fn subject(&self, at: usize) -> Vec<(usize, Features)> {
        let pronoun = |feminine, plural, row| vec![(at + 1, Features { feminine, plural, row })];
        match self.word(at) {
            "je" | "j'" => pronoun(false, false, 0),
            "il" => pronoun(false, false, 1),
            "elle" => pronoun(true, false, 1),
            "nous" => pronoun(false, true, 2),
            "vous" => pronoun(false, false, 3),
            "ils" => pronoun(false, true, 4),
            "elles" => pronoun(true, true, 4),
            _ => {
                let one = self.noun_phrase(at);
                let mut all = one.clone();
                for (end, first) in one {
                    if self.is(end, &["et"]) {
                        for (end, second) in self.noun_phrase(end + 1) {
                            all.push((end, third(first.feminine && second.feminine, true)));
                        }
                    }
                }
                all
            }
        }
    }

    /// A name, or a determiner and what it agrees with.
    fn noun_phrase(&self, at: usize) -> Vec<(usize, Features)> {
        if let Some(feminine) = self.french.names.get(self.word(at)) {
            return vec![(at + 1, third(*feminine, false))];
        }
        let (m, f, both) = (Some(false), Some(true), None);
        let (one, several) = (Some(false), Some(true));
        let vowel = |at: usize| self.word(at).starts_with(|c| "aàâeéèêiîoôœuh".contains(c));
        let mut found = Vec::new();
        let mut add = |at, gender, plural| found.extend(self.noun(at, gender, plural));
        match self.word(at) {
            "le" | "un" | "du" | "ce" | "cet" => add(at + 1, m, one),
            "la" | "une" | "cette" | "ma" | "sa" => add(at + 1, f, one),
            "mon" | "son" if vowel(at + 1) => add(at + 1, both, one),
            "mon" | "son" => add(at + 1, m, one),
            "l'" | "chaque" | "notre" | "votre" | "leur" => add(at + 1, both, one),
            "les" | "des" | "ces" | "mes" | "ses" | "nos" | "vos" | "leurs" => {
                add(at + 1, both, several)
            }
            "beaucoup" if self.is(at + 1, &["de", "d'"]) => add(at + 2, both, several),
            "de" | "d'" => {
                add(at + 1, both, both); // after a negation, or before an adjective
                match self.word(at + 1) {
                    "la" => add(at + 2, f, one),
                    "l'" => add(at + 2, both, one),
                    _ => {}
                }
            }
            numeral if NUMERALS.contains(&numeral) => add(at, both, several),
            _ => {}
        }
        found
    }

    /// A noun with its adjectives, owner, place or relative clause.
    fn noun(
        &self,
        at: usize,
        feminine: Option<bool>,
        plural: Option<bool>,
    ) -> Vec<(usize, Features)> {
        let mut found = Vec::new();
        let counted = NUMERALS.contains(&self.word(at));
        let at = at + usize::from(counted);
        for (start, before) in self.adjective(at, Some(true)) {
            for noun in self.french.nouns.get(self.word(start)).into_iter().flatten() {
                let fits = feminine.is_none_or(|f| f == noun.feminine)
                    && plural.is_none_or(|p| p == noun.plural)
                    && (!counted || noun.plural)
                    && before.as_ref().is_none_or(|all| all.contains(noun));
                if !fits {
                    continue;
                }
                for (end, after) in self.adjective(start + 1, Some(false)) {
                    if after.is_none_or(|all| all.contains(noun)) {
                        found.push((end, *noun));
                        found.extend(self.complements(end, *noun).into_iter().map(|e| (e, *noun)));
                    }
                }
            }
        }
        found
    }

    /// With and without an adjective, and what it agrees with.
    fn adjective(&self, at: usize, before: Option<bool>) -> Vec<(usize, Option<Vec<Features>>)> {
        let mut found = vec![(at, None)];
        if let Some(readings) = self.french.adjectives.get(self.word(at)) {
            let fits = |(_, place): &&(Features, bool)| before.is_none_or(|b| b == *place);
            let all: Vec<Features> = readings.iter().filter(fits).map(|(f, _)| *f).collect();
            if !all.is_empty() {
                found.push((at + 1, Some(all)));
            }
        }
        found
    }

    fn complements(&self, at: usize, noun: Features) -> Ends {
        let mut ends = self.after("de", at); // the owner
        ends.extend(self.place(at));
        if self.is(at, &["qui"]) {
            ends.extend(self.predicate(at + 1, noun, None));
        }
        if self.is(at, &["que", "qu'"]) {
            ends.extend(self.clause(at + 1, Some(Some(noun))));
        }
        ends
    }

    /// de or à or another preposition with a noun phrase, contracted or not.
    fn after(&self, preposition: &str, at: usize) -> Ends {
        let mut ends = Ends::new();
        let (le, les) = match preposition {
            "de" => ("du", "des"),
            "à" => ("au", "aux"),
            _ => ("", ""),
        };
        let mut add = |found: Vec<(usize, Features)>| ends.extend(found.iter().map(|(e, _)| *e));
        if self.word(at) == preposition || (preposition == "de" && self.is(at, &["d'"])) {
            if !self.is(at + 1, &["le", "les"]) || le.is_empty() {
                add(self.noun_phrase(at + 1));
            }
        } else if self.word(at) == le {
            add(self.noun(at + 1, Some(false), Some(false)));
        } else if self.word(at) == les {
            add(self.noun(at + 1, None, Some(true)));
        }
        ends
    }

    fn place(&self, at: usize) -> Ends {
        let mut ends = Ends::new();
        for words in &self.french.prepositions {
            let last = words.last().unwrap();
            let fixed = &words[..words.len() - 1];
            if fixed.iter().enumerate().all(|(k, word)| self.is(at + k, &[word])) {
                ends.extend(self.after(last, at + fixed.len()));
            }
        }
        ends
    }

    fn adverb(&self, at: usize) -> Ends {
        let here = |words: &&Vec<String>| {
            words.iter().enumerate().all(|(k, word)| self.is(at + k, &[word]))
        };
        self.french.adverbs.iter().filter(here).map(|words| at + words.len()).collect()
    }

    fn predicate(&self, at: usize, subject: Features, gap: Gap) -> Ends {
        let negated = self.is(at, &["ne", "n'"]);
        let (verb, clitics) = self.clitics(at + usize::from(negated));
        let mut after = verb + 1;
        if negated {
            if !self.is(after, &["pas", "jamais"]) {
                return Ends::new();
            }
            after += 1;
        }
        let mut ends = Ends::new();
        for start in self.adverb(after).into_iter().chain([after]) {
            ends.extend(self.finite(verb, start, subject, &clitics, gap));
        }
        ends
    }

    fn clitics(&self, at: usize) -> (usize, Vec<&str>) {
        let count = (at..at + 2).take_while(|k| self.is(*k, &CLITICS)).count();
        (at + count, (at..at + count).map(|k| self.word(k)).collect())
    }

    /// The finite verb at `verb`; what follows begins at `at`.
    fn finite(
        &self,
        verb: usize,
        at: usize,
        subject: Features,
        clitics: &[&str],
        gap: Gap,
    ) -> Ends {
        let mut ends = Ends::new();
        let word = self.word(verb);
        let imperfect = |forms: [&str; 10]| forms[5 + subject.row] == word;
        let bare = clitics.is_empty();
        if (ETRE[subject.row] == word || imperfect(ETRE)) && bare {
            ends.extend(self.predicative(at, subject));
        }
        if (AVOIR[subject.row] == word || imperfect(AVOIR)) && bare && self.state(at) {
            ends.insert(at + 1);
        }
        for entry in &self.french.verbs {
            let helper = if entry.etre || entry.reflexive { ETRE } else { AVOIR };
            if entry.row[3 + subject.row] == word {
                if entry.modal {
                    if bare {
                        ends.extend(self.infinitive(at, entry, subject, gap));
                    }
                } else if reflexive_fits(entry, subject, clitics) {
                    ends.extend(self.tail(at));
                }
            }
            if helper[subject.row] == word && entry.row[9] != "–" {
                let forms = self.agreeing(entry, subject, clitics, gap);
                if forms.iter().any(|form| form == self.word(at)) {
                    if entry.modal {
                        if bare {
                            ends.extend(self.infinitive(at + 1, entry, subject, gap));
                        }
                    } else if reflexive_fits(entry, subject, clitics) {
                        ends.extend(self.tail(at + 1));
                    }
                }
            }
        }
        ends
    }

    /// The forms that the participle may have.
    fn agreeing(&self, verb: &Verb, subject: Features, clitics: &[&str], gap: Gap) -> Vec<String> {
        let object = |clitic: &&str| match *clitic {
            "le" => Some(vec![third(false, false)]),
            "la" => Some(vec![third(true, false)]),
            "l'" => Some(vec![third(false, false), third(true, false)]),
            "les" => Some(vec![third(false, true), third(true, true)]),
            "me" | "m'" | "vous" if !verb.indirect => Some(vec![third(false, false)]),
            "nous" if !verb.indirect => Some(vec![third(false, true)]),
            _ => None,
        };
        let agreements = if verb.modal {
            vec![third(false, false)]
        } else if verb.etre || verb.reflexive {
            vec![subject]
        } else if let Some(objects) = clitics.iter().find_map(object) {
            objects
        } else {
            vec![gap.flatten().unwrap_or(third(false, false))]
        };
        let form = |f: &Features| {
            let base = format!("{}{}", verb.row[9], if f.feminine { "e" } else { "" });
            if f.plural && !base.ends_with('s') { base + "s" } else { base }
        };
        agreements.iter().map(form).collect()
    }

    fn infinitive(&self, at: usize, modal: &Verb, subject: Features, _gap: Gap) -> Ends {
        let mut ends = Ends::new();
        let prepared = modal.preposition.is_empty()
            || self.is(at, &[&modal.preposition])
            || (modal.preposition == "de" && self.is(at, &["d'"]));
        if !prepared {
            return ends;
        }
        let (verb, clitics) = self.clitics(at + usize::from(!modal.preposition.is_empty()));
        match self.word(verb) {
            "être" if clitics.is_empty() => ends.extend(self.predicative(verb + 1, subject)),
            "avoir" if clitics.is_empty() && self.state(verb + 1) => {
                ends.insert(verb + 2);
            }
            word => {
                for entry in &self.french.verbs {
                    let here = !entry.modal && entry.infinitive() == word;
                    if here && reflexive_fits(entry, subject, &clitics) {
                        ends.extend(self.tail(verb + 1));
                    }
                }
            }
        }
        ends
    }

    fn state(&self, at: usize) -> bool {
        self.french.states.iter().any(|state| state == self.word(at))
    }

    /// What follows être: an adjective that agrees with the subject, a comparison, a place.
    fn predicative(&self, at: usize, subject: Features) -> Ends {
        let mut ends = self.place(at);
        let degree = usize::from(self.is(at, &["très", "trop", "plus"]));
        for (end, agreement) in self.adjective(at + degree, None) {
            let agrees =
                |f: &Features| f.feminine == subject.feminine && f.plural == subject.plural;
            if !agreement.is_some_and(|all| all.iter().any(agrees)) {
                continue;
            }
            if !self.is(at, &["plus"]) {
                ends.insert(end);
            } else if self.is(end, &["que", "qu'"]) {
                ends.extend(self.noun_phrase(end + 1).iter().map(|(end, _)| *end));
            }
        }
        ends
    }

    /// Objects, places and adverbs, in any order; a clause after que.
    fn tail(&self, at: usize) -> Ends {
        let mut ends = Ends::from([at]);
        let mut fresh = vec![at];
        while let Some(at) = fresh.pop() {
            let mut next = self.adverb(at);
            next.extend(self.noun_phrase(at).iter().map(|(end, _)| *end));
            for preposition in ["à", "de", "dans"] {
                next.extend(self.after(preposition, at));
            }
            next.extend(self.place(at));
            if self.is(at, &["que", "qu'"]) {
                next.extend(self.clause(at + 1, None));
            }
            fresh.extend(next.into_iter().filter(|end| ends.insert(*end)));
        }
        ends
    }
}

/// Whether the reflexive pronoun is there exactly if it must be, and is the subject's.
fn reflexive_fits(verb: &Verb, subject: Features, clitics: &[&str]) -> bool {
    let own = [["me", "m'"], ["se", "s'"], ["nous", "nous"], ["vous", "vous"], ["se", "s'"]];
    if verb.reflexive {
        clitics.first().is_some_and(|clitic| own[subject.row].contains(clitic))
    } else {
        !clitics.iter().any(|clitic| ["se", "s'"].contains(clitic))
    }
}
