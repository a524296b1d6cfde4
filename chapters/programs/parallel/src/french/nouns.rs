//! Noun phrases and what follows them.

use super::French;
use crate::features::{Features, Gender, Number, Person};
use crate::lexicon::{ADJECTIVES, ADVERBS, NAMES, NOUNS, PREPOSITIONS};
use crate::reader::{Ends, Reader};
use std::collections::HashMap;
use std::sync::LazyLock;

const NUMBERS: [Number; 2] = [Number::Singular, Number::Plural];
const GENDERS: [Gender; 2] = [Gender::Masculine, Gender::Feminine];
const NUMERALS: [&str; 5] = ["deux", "trois", "quatre", "cinq", "dix"];
const QUE: [&str; 2] = ["que", "qu'"];

/// What a word agrees in, in all its readings; of an adjective also whether it stands before its noun.
type Readings<T> = HashMap<&'static str, Vec<T>>;

static NOUN_FORMS: LazyLock<Readings<Features>> = LazyLock::new(|| {
    let mut forms = Readings::new();
    for (noun, number) in NOUNS.iter().flat_map(|noun| NUMBERS.map(|number| (noun, number))) {
        let readings: &mut Vec<_> = forms.entry(noun.french(number)).or_default();
        readings.push(Features::third(number, noun.gender));
    }
    forms.remove(""); // the plural of what is not counted
    forms
});

static ADJECTIVE_FORMS: LazyLock<Readings<(Features, bool)>> = LazyLock::new(|| {
    let mut forms = Readings::new();
    for adjective in ADJECTIVES.iter() {
        for (number, gender) in NUMBERS.into_iter().flat_map(|n| GENDERS.map(|g| (n, g))) {
            let features = Features::third(number, gender);
            for form in [adjective.french(features), adjective.before_vowel(features)] {
                let readings: &mut Vec<_> = forms.entry(form).or_default();
                readings.push((features, adjective.before));
            }
        }
    }
    forms
});

impl Reader<'_, French> {
    pub(super) fn subject(&self, at: usize) -> Vec<(usize, Features)> {
        use {Gender::*, Number::*, Person::*};
        let (person, number, gender) = match self.word(at) {
            "je" | "j'" => (First, Singular, Masculine),
            "il" => (Third, Singular, Masculine),
            "elle" => (Third, Singular, Feminine),
            "nous" => (First, Plural, Masculine),
            "vous" => (Second, Singular, Masculine),
            "ils" => (Third, Plural, Masculine),
            "elles" => (Third, Plural, Feminine),
            _ => return self.nominal(at),
        };
        vec![(at + 1, Features { person, number, gender })]
    }

    /// anna; la vieille maison; anna et le garçon
    fn nominal(&self, at: usize) -> Vec<(usize, Features)> {
        let one = self.noun_phrase(at);
        let mut all = one.clone();
        for (end, first) in one.into_iter().filter(|(end, _)| self.is(*end, &["et"])) {
            for (end, second) in self.noun_phrase(end + 1) {
                let feminine = [first, second].iter().all(|one| one.gender == Gender::Feminine);
                let gender = GENDERS[usize::from(feminine)];
                all.push((end, Features::third(Number::Plural, gender)));
            }
        }
        all
    }

    /// A name, or a determiner and what it agrees with.
    fn noun_phrase(&self, at: usize) -> Vec<(usize, Features)> {
        if let Some(name) = NAMES.iter().find(|name| name.text == self.word(at)) {
            return vec![(at + 1, Features::third(Number::Singular, name.gender))];
        }
        let (m, f) = (Some(Gender::Masculine), Some(Gender::Feminine));
        let (one, several) = (Some(Number::Singular), Some(Number::Plural));
        let vowel = self.word(at + 1).starts_with(|c| "aàâeéèêiîoôœuh".contains(c));
        match self.word(at) {
            "le" | "un" | "du" | "ce" | "cet" => self.noun(at + 1, m, one),
            "la" | "une" | "cette" | "ma" | "sa" => self.noun(at + 1, f, one),
            "mon" | "son" if !vowel => self.noun(at + 1, m, one),
            "mon" | "son" | "l'" | "chaque" | "notre" | "votre" | "leur" => {
                self.noun(at + 1, None, one)
            }
            "les" | "des" | "ces" | "mes" | "ses" | "nos" | "vos" | "leurs" => {
                self.noun(at + 1, None, several)
            }
            "beaucoup" if self.is(at + 1, &["de", "d'"]) => self.noun(at + 2, None, several),
            "de" | "d'" => {
                let bare = self.noun(at + 1, None, None); // after a negation, or before an adjective
                let of_some = match self.word(at + 1) {
                    "la" => self.noun(at + 2, f, one),
                    "l'" => self.noun(at + 2, None, one),
                    _ => Vec::new(),
                };
                [bare, of_some].concat()
            }
            numeral if NUMERALS.contains(&numeral) => self.noun(at, None, several),
            _ => Vec::new(),
        }
    }

    /// Where a noun phrase ends.
    pub(super) fn thing(&self, at: usize) -> Ends {
        ends_of(self.noun_phrase(at))
    }

    /// A noun with its adjectives, owner, place or relative clause.
    fn noun(
        &self,
        at: usize,
        gender: Option<Gender>,
        number: Option<Number>,
    ) -> Vec<(usize, Features)> {
        let mut found = Vec::new();
        let counted = self.is(at, &NUMERALS);
        for (start, before) in self.adjective(at + usize::from(counted), true) {
            for noun in NOUN_FORMS.get(self.word(start)).into_iter().flatten() {
                let fits = gender.is_none_or(|gender| gender == noun.gender)
                    && number.is_none_or(|number| number == noun.number)
                    && !(counted && noun.number == Number::Singular)
                    && before.as_ref().is_none_or(|all| all.contains(noun));
                let ends = self.adjective(start + 1, false).into_iter().filter(|_| fits);
                for (end, _) in
                    ends.filter(|(_, all)| all.as_ref().is_none_or(|all| all.contains(noun)))
                {
                    found.push((end, *noun));
                    found.extend(self.complements(end, *noun).into_iter().map(|end| (end, *noun)));
                }
            }
        }
        found
    }

    /// Without and with an adjective that stands before its noun, or after it, and what that agrees with.
    fn adjective(&self, at: usize, before: bool) -> Vec<(usize, Option<Vec<Features>>)> {
        let readings = ADJECTIVE_FORMS.get(self.word(at)).into_iter().flatten();
        let fitting: Vec<Features> =
            readings.filter(|(_, place)| *place == before).map(|(features, _)| *features).collect();
        let with = (!fitting.is_empty()).then_some((at + 1, Some(fitting)));
        [(at, None)].into_iter().chain(with).collect()
    }

    /// Whether an adjective stands here that agrees with these.
    pub(super) fn agrees(&self, at: usize, subject: Features) -> bool {
        let mut readings = ADJECTIVE_FORMS.get(self.word(at)).into_iter().flatten();
        readings.any(|(f, _)| (f.gender, f.number) == (subject.gender, subject.number))
    }

    fn complements(&self, at: usize, noun: Features) -> Ends {
        let mut ends = self.after("de", at); // the owner
        ends.extend(self.place(at));
        if self.is(at, &["qui"]) {
            ends.extend(self.predicate(at + 1, noun, None));
        }
        if self.is(at, &QUE) {
            ends.extend(self.clause(at + 1, Some(Some(noun))));
        }
        ends
    }

    /// de or à or another preposition with a noun phrase, contracted or not.
    pub(super) fn after(&self, preposition: &str, at: usize) -> Ends {
        let contracted = match preposition {
            "de" => ["du", "des"],
            "à" => ["au", "aux"],
            _ => ["", ""],
        };
        let word = self.word(at);
        if word == preposition || (preposition == "de" && word == "d'") {
            let must_contract = !contracted[0].is_empty() && self.is(at + 1, &["le", "les"]);
            return if must_contract { Ends::new() } else { self.thing(at + 1) };
        }
        match contracted.iter().position(|one| !one.is_empty() && *one == word) {
            Some(0) => ends_of(self.noun(at + 1, Some(Gender::Masculine), Some(Number::Singular))),
            Some(_) => ends_of(self.noun(at + 1, None, Some(Number::Plural))),
            None => Ends::new(),
        }
    }

    pub(super) fn place(&self, at: usize) -> Ends {
        let here = PREPOSITIONS.iter().filter_map(|preposition| {
            let words = preposition.words.french;
            let (fixed, last) = words.rsplit_once(' ').unwrap_or(("", words));
            Some((self.said(at, fixed)?, last.trim_matches('*')))
        });
        here.flat_map(|(at, last)| self.after(last, at)).collect()
    }

    pub(super) fn adverb(&self, at: usize) -> Ends {
        ADVERBS.iter().filter_map(|adverb| self.said(at, adverb.words.french)).collect()
    }
}

fn ends_of(found: Vec<(usize, Features)>) -> Ends {
    found.into_iter().map(|(end, _)| end).collect()
}
