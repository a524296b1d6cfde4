//! Verbs, their pronouns, participles and objects.

use super::*;

impl Reader<'_> {
    pub(super) fn predicate(&self, at: usize, subject: Features, gap: Gap) -> Ends {
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

    pub(super) fn clitics(&self, at: usize) -> (usize, Vec<&str>) {
        let count = (at..at + 2).take_while(|k| self.is(*k, &CLITICS)).count();
        (at + count, (at..at + count).map(|k| self.word(k)).collect())
    }

    /// The finite verb at `verb`; what follows begins at `at`.
    pub(super) fn finite(
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
                        ends.extend(self.infinitive(at, entry, subject));
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
                            ends.extend(self.infinitive(at + 1, entry, subject));
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
    pub(super) fn agreeing(
        &self,
        verb: &Verb,
        subject: Features,
        clitics: &[&str],
        gap: Gap,
    ) -> Vec<String> {
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

    pub(super) fn infinitive(&self, at: usize, modal: &Verb, subject: Features) -> Ends {
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

    pub(super) fn state(&self, at: usize) -> bool {
        self.french.states.iter().any(|state| state == self.word(at))
    }

    /// What follows être: an adjective that agrees with the subject, a comparison, a place.
    pub(super) fn predicative(&self, at: usize, subject: Features) -> Ends {
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
    pub(super) fn tail(&self, at: usize) -> Ends {
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
