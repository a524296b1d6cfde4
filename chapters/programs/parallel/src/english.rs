//! A reader of English. Every function returns all places where what it reads can end.

use super::lexicon::{
    ADJECTIVES, ADVERBS, Adverb, MODALS, Modal, NAMES, NOUNS, PREPOSITIONS, STATES, VERBS, Verb,
};
use super::reader::{Ends, Reader, accepts, perhaps, then};

/// What the verb agrees with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Agreement {
    /// am
    I,
    /// is
    One,
    /// are
    Several,
}

/// A dictionary and a grammar.
///
/// ```
/// use corpora::tokenize;
/// use parallel::English;
/// let english = English;
/// assert!(english.accepts(&tokenize("the boys that the girl sees are tired .")));
/// assert!(!english.accepts(&tokenize("the boys that the girl sees is tired .")));
/// assert!(!english.accepts(&tokenize("the boys that the girl sees .")));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct English;

impl English {
    /// Whether there is a way to read it.
    pub fn accepts(self, sentence: &[String]) -> bool {
        accepts(sentence, |reader, mark| match mark {
            "?" => reader.question(),
            "." => reader.statement(),
            _ => Ends::new(),
        })
    }
}

const PRONOUNS: [(&str, Agreement); 7] = [
    ("i", Agreement::I),
    ("he", Agreement::One),
    ("she", Agreement::One),
    ("it", Agreement::One),
    ("we", Agreement::Several),
    ("you", Agreement::Several),
    ("they", Agreement::Several),
];
const OBJECTS: [&str; 7] = ["me", "him", "her", "it", "us", "you", "them"];
const OWNERS: [&str; 6] = ["my", "his", "her", "our", "your", "their"];
const NUMERALS: [&str; 5] = ["two", "three", "four", "five", "ten"];

// Sentences.
impl Reader<'_> {
    fn statement(&self) -> Ends {
        let mut ends = perhaps(Ends::from([0]), |at| self.adverb(at));
        ends = then(ends, |at| self.clause(at, false));
        ends = perhaps(ends, |at| {
            let joined = self.is(at, &["because", "while", "and", "but"]);
            if joined { self.clause(at + 1, false) } else { Ends::new() }
        });
        if self.is(0, &["when", "while"]) {
            let first = self.clause(1, false);
            let comma = first.into_iter().filter(|end| self.is(*end, &[","]));
            ends.extend(comma.flat_map(|end| self.clause(end + 1, false)));
        }
        if self.is(0, &["there"]) {
            ends.extend(self.existing(1, 2));
        }
        ends
    }

    fn question(&self) -> Ends {
        let mut ends = self.asked(0, false);
        if self.is(0, &["where", "when", "why"]) {
            ends.extend(self.asked(1, false));
        }
        if self.is(0, &["what", "who"]) {
            ends.extend(self.asked(1, true));
        }
        if self.is(0, &["who"]) {
            ends.extend(self.predicate(1, Agreement::One, false));
        }
        if self.is(1, &["there"]) {
            ends.extend(self.existing(0, 2));
        }
        ends
    }

    /// there is a cat in the garden, is there a cat in the garden: what is there agrees with the verb.
    fn existing(&self, verb: usize, thing: usize) -> Ends {
        let things = self.noun_phrase(thing);
        let agreeing = things.into_iter().filter(|(_, what)| self.be(verb, *what));
        agreeing.flat_map(|(end, _)| self.place(end)).collect()
    }

    /// does she sing, is she tired: the helping verb before the subject, and its rest after it.
    fn asked(&self, at: usize, gap: bool) -> Ends {
        let subjects = self.subject(at + 1);
        let rests = subjects.into_iter().flat_map(|(end, subject)| {
            let start = self.frequency(end);
            self.rest(at, start, subject, gap)
        });
        rests.collect()
    }

    /// the girl sings and dances
    fn clause(&self, at: usize, gap: bool) -> Ends {
        let subjects = self.subject(at);
        let ends = subjects.into_iter().flat_map(|(end, subject)| {
            perhaps(self.predicate(end, subject, gap), |end| match self.word(end) {
                "and" => self.predicate(end + 1, subject, gap),
                _ => Ends::new(),
            })
        });
        ends.collect()
    }
}

// Verbs.
impl Reader<'_> {
    /// does not often see the dog in the garden
    fn predicate(&self, at: usize, subject: Agreement, gap: bool) -> Ends {
        let middle = usize::from(self.is(at + 1, &["not", "never"]));
        let mut ends = self.rest(at, self.frequency(at + 1 + middle), subject, gap);
        // Without a helping verb: never sees, often sees.
        let never = usize::from(self.is(at, &["never"]));
        for start in self.frequency(at + never) {
            ends.extend(self.finite(start, subject, gap));
        }
        ends
    }

    /// What follows a helping verb at `helper`, perhaps after a subject, from one of `starts` on.
    fn rest(&self, helper: usize, starts: Ends, subject: Agreement, gap: bool) -> Ends {
        let word = self.word(helper);
        let mut ends = Ends::new();
        for at in starts {
            if self.be(helper, subject) {
                ends.extend(self.predicative(at));
                let present = !matches!(word, "was" | "were");
                if present && self.is(at, &["going"]) && self.is(at + 1, &["to"]) {
                    ends.extend(self.base(at + 2, gap));
                }
            }
            let third = subject == Agreement::One;
            if word == "did" || word == ["do", "does"][usize::from(third)] {
                ends.extend(self.base_of_action(at, gap));
            }
            if matches!(word, "can" | "must") {
                ends.extend(self.base(at, gap));
            }
        }
        ends
    }

    /// am, was with *i*; is, was with one; are, were with several.
    fn be(&self, at: usize, subject: Agreement) -> bool {
        self.is(at, [&["am", "was"], &["is", "was"], &["are", "were"]][subject as usize])
    }

    /// sees the dog, wants to see the dog, saw the dog
    fn finite(&self, at: usize, subject: Agreement, gap: bool) -> Ends {
        let agrees = |forms: &[&str; 3]| {
            let present = forms[usize::from(subject == Agreement::One)];
            self.word(at) == present || !forms[2].is_empty() && self.word(at) == forms[2]
        };
        let mut ends = self.deeds(at + 1, gap, |verb| agrees(&verb.english));
        ends.extend(self.modal(at, gap, |modal| agrees(&modal.english)));
        ends
    }

    /// see the dog, be tired
    fn base(&self, at: usize, gap: bool) -> Ends {
        let mut ends = self.deeds(at + 1, gap, |verb| self.word(at) == verb.english[0]);
        if self.is(at, &["be"]) {
            ends.extend(self.predicative(at + 1));
        }
        ends
    }

    /// see the dog, want to see the dog: what *does* helps
    fn base_of_action(&self, at: usize, gap: bool) -> Ends {
        let mut ends = self.deeds(at + 1, gap, |verb| self.word(at) == verb.english[0]);
        ends.extend(self.modal(at, gap, |modal| self.word(at) == modal.english[0]));
        ends
    }

    /// wants to see the dog, tried to sing
    fn modal(&self, at: usize, gap: bool, meant: impl Fn(&Modal) -> bool) -> Ends {
        let mut modals = MODALS.iter().filter(|modal| modal.rest == "to");
        let found = self.is(at + 1, &["to"]) && modals.any(meant);
        if found { self.base(at + 2, gap) } else { Ends::new() }
    }

    /// What follows the verbs that are meant, from after their first word on.
    fn deeds(&self, at: usize, gap: bool, meant: impl Fn(&Verb) -> bool) -> Ends {
        let starts = perhaps(Ends::from([at]), |at| self.adverb(at)); // goes slowly to school
        let mut ends = Ends::new();
        for verb in VERBS.iter().filter(|verb| meant(verb)) {
            for at in starts.iter().filter_map(|at| self.said(*at, verb.particle)) {
                ends.extend(self.deed(verb, at, gap));
            }
        }
        ends
    }

    /// the book to the girl slowly in the garden
    fn deed(&self, verb: &Verb, at: usize, gap: bool) -> Ends {
        if verb.reports {
            return match self.word(at) {
                "that" => self.clause(at + 1, gap),
                _ => Ends::new(),
            };
        }
        let start = perhaps(Ends::from([at]), |at| self.adverb(at));
        let mut ends = match (verb.objects.is_empty(), gap) {
            (true, true) => return Ends::new(),
            (false, false) => then(start, |at| self.object(verb, at)),
            _ => start,
        };
        ends = perhaps(ends, |at| self.adverb(at));
        ends = perhaps(ends, |at| self.place(at));
        perhaps(ends, |at| self.adverb(at))
    }

    /// the book, it; the book to the girl, her the book
    fn object(&self, verb: &Verb, at: usize) -> Ends {
        let one = |at: usize| -> Ends {
            let mut ends: Ends = self.nominal(at).into_iter().map(|(end, _)| end).collect();
            if self.is(at, &OBJECTS) {
                ends.insert(at + 1);
            }
            ends
        };
        let ends = one(at);
        if verb.recipients.is_empty() {
            return ends;
        }
        let mut all = then(ends, |at| if self.is(at, &["to"]) { one(at + 1) } else { Ends::new() });
        if self.is(at, &OBJECTS) {
            all.extend(one(at + 1));
        }
        all
    }

    /// very tired, older than the king, hungry, in the garden
    fn predicative(&self, at: usize) -> Ends {
        let mut ends = self.place(at);
        let degree = at + usize::from(self.is(at, &["very", "too"]));
        for adjective in ADJECTIVES.iter() {
            if self.word(degree) == adjective.english {
                ends.insert(degree + 1);
            }
            let compared = match adjective.comparative {
                "" => None,
                "more" => (self.is(at, &["more"]) && self.word(at + 1) == adjective.english)
                    .then_some(at + 2),
                taller => (self.word(at) == taller).then_some(at + 1),
            };
            if let Some(than) = compared.filter(|than| self.is(*than, &["than"])) {
                ends.extend(self.nominal(than + 1).into_iter().map(|(end, _)| end));
            }
        }
        ends.extend(STATES.iter().filter_map(|state| self.said(at, state.english)));
        ends
    }

    fn frequency(&self, at: usize) -> Ends {
        let often = ADVERBS.iter().filter(|adverb: &&Adverb| adverb.kind == "frequency");
        often.filter_map(|adverb| self.said(at, adverb.words.english)).chain([at]).collect()
    }

    fn adverb(&self, at: usize) -> Ends {
        let others = ADVERBS.iter().filter(|adverb| adverb.kind != "frequency");
        others.filter_map(|adverb| self.said(at, adverb.words.english)).collect()
    }

    fn place(&self, at: usize) -> Ends {
        let behind = PREPOSITIONS.iter().filter_map(|p| self.said(at, p.words.english));
        behind.flat_map(|at| self.nominal(at)).map(|(end, _)| end).collect()
    }
}

// Nouns.
impl Reader<'_> {
    fn subject(&self, at: usize) -> Vec<(usize, Agreement)> {
        match PRONOUNS.iter().find(|(word, _)| self.word(at) == *word) {
            Some((_, agreement)) => vec![(at + 1, *agreement)],
            None => self.nominal(at),
        }
    }

    /// anna; the old house; anna and the boy
    fn nominal(&self, at: usize) -> Vec<(usize, Agreement)> {
        let one = self.noun_phrase(at);
        let mut all = one.clone();
        for (end, _) in one {
            if self.is(end, &["and"]) {
                let others = self.noun_phrase(end + 1);
                all.extend(others.into_iter().map(|(end, _)| (end, Agreement::Several)));
            }
        }
        all
    }

    fn noun_phrase(&self, at: usize) -> Vec<(usize, Agreement)> {
        let mut found = Vec::new();
        if self.name(at) {
            found.push((at + 1, Agreement::One));
        }
        for (start, fits) in self.determiners(at) {
            for (end, human, number) in self.described(start, fits) {
                found.push((end, number));
                found.extend(
                    self.complement(end, human, number).into_iter().map(|end| (end, number)),
                );
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn name(&self, at: usize) -> bool {
        NAMES.iter().any(|name| name.text == self.word(at))
    }

    /// Where what begins a noun phrase ends, and which nouns may follow: one, several, what is not
    /// counted.
    fn determiners(&self, at: usize) -> Vec<(usize, [bool; 3])> {
        let numeral = self.is(at + 1, &NUMERALS);
        let mut all = match self.word(at) {
            "the" if numeral => vec![(at + 2, [false, true, false])],
            "the" | "no" => vec![(at + 1, [true; 3])],
            "a" if !self.vowel(at + 1) => vec![(at + 1, [true, false, false])],
            "an" if self.vowel(at + 1) => vec![(at + 1, [true, false, false])],
            "every" => vec![(at + 1, [true, false, false])],
            "this" => vec![(at + 1, [true, false, true])],
            "these" | "many" => vec![(at + 1, [false, true, false])],
            "some" | "any" => vec![(at + 1, [false, true, true])],
            word if NUMERALS.contains(&word) => vec![(at + 1, [false, true, false])],
            word if OWNERS.contains(&word) => vec![(at + 1, [true; 3])],
            _ => Vec::new(),
        };
        // the girl 's
        let owner = if self.name(at) {
            vec![at + 1]
        } else if self.is(at, &["the"]) || self.is(at, &OWNERS) {
            self.described(at + 1, [true, true, false]).into_iter().map(|(end, ..)| end).collect()
        } else {
            Vec::new()
        };
        let owned = owner.into_iter().filter(|end| self.is(*end, &["'s"]));
        all.extend(owned.map(|end| (end + 1, [true; 3])));
        all
    }

    fn vowel(&self, at: usize) -> bool {
        self.word(at).starts_with(['a', 'e', 'i', 'o', 'u'])
    }

    /// small black cats: up to two adjectives and a noun of a number that fits; whether it is
    /// somebody.
    fn described(&self, at: usize, fits: [bool; 3]) -> Vec<(usize, bool, Agreement)> {
        let adjectives = (0..2)
            .take_while(|k| ADJECTIVES.iter().any(|a| a.english == self.word(at + k)))
            .count();
        let mut found = Vec::new();
        for at in at..=at + adjectives {
            for noun in NOUNS.iter() {
                let counted = if noun.countable() { 0 } else { 2 };
                if self.word(at) == noun.english[0] && fits[counted] {
                    found.push((at + 1, noun.human(), Agreement::One));
                }
                if noun.countable() && self.word(at) == noun.english[1] && fits[1] {
                    found.push((at + 1, noun.human(), Agreement::Several));
                }
            }
        }
        found
    }

    /// in the garden; who sings; that the girl sees
    fn complement(&self, at: usize, human: bool, number: Agreement) -> Ends {
        let mut ends = self.place(at);
        if self.is(at, &[if human { "who" } else { "that" }]) {
            ends.extend(self.predicate(at + 1, number, false));
        }
        if self.is(at, &["that"]) {
            ends.extend(self.clause(at + 1, true));
        }
        ends
    }
}
