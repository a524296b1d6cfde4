//! Noun phrases and what follows them.

use super::*;

impl Reader<'_> {
    pub(super) fn subject(&self, at: usize) -> Vec<(usize, Features)> {
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
    pub(super) fn noun_phrase(&self, at: usize) -> Vec<(usize, Features)> {
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
    pub(super) fn noun(
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
    pub(super) fn adjective(
        &self,
        at: usize,
        before: Option<bool>,
    ) -> Vec<(usize, Option<Vec<Features>>)> {
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

    pub(super) fn complements(&self, at: usize, noun: Features) -> Ends {
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
    pub(super) fn after(&self, preposition: &str, at: usize) -> Ends {
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

    pub(super) fn place(&self, at: usize) -> Ends {
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

    pub(super) fn adverb(&self, at: usize) -> Ends {
        let here = |words: &&Vec<String>| {
            words.iter().enumerate().all(|(k, word)| self.is(at + k, &[word]))
        };
        self.french.adverbs.iter().filter(here).map(|words| at + words.len()).collect()
    }
}
