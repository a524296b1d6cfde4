//! Clauses at random.

use super::objects::{negatable, relative};
use super::*;

impl<R: Rng> Sampler<'_, R> {
    pub(super) fn clause(&mut self, tense: Tense, around: &Around) -> Clause {
        match self.weighted(&[70, 22, 8]) {
            1 => self.copular_clause(tense, around),
            2 if tense == Tense::Present && self.room >= 4 => self.report(around),
            _ => self.doing(tense, around, false, |_| true),
        }
    }

    /// Somebody does something; perhaps two things, unless it must be a `single` one.
    pub(super) fn doing(
        &mut self,
        tense: Tense,
        around: &Around,
        single: bool,
        fits: impl Fn(&Verb) -> bool,
    ) -> Clause {
        let verb = self.verb(tense, fits);
        let subject = self.subject(&verb.subjects, around);
        let first = self.deed(verb, tense, &subject, around);
        // What *it* or *they* stand for may not be able to do everything that somebody can.
        let known = !matches!((&subject, around), (Nominal::Pronoun(_), Around::Before(_)));
        if single || !known || !continues(&first) || !self.spend(4, 0.25) {
            return Clause { subject, predicates: vec![first] };
        }
        match self.second_deed(&first.head, &subject, tense) {
            None => Clause { subject, predicates: vec![first] },
            Some(second) => {
                let first = VerbPhrase { adverb: None, place: None, ..first };
                Clause { subject, predicates: vec![first, second] }
            }
        }
    }

    /// eats the apple slowly
    fn deed(
        &mut self,
        verb: &'static Verb,
        tense: Tense,
        subject: &Nominal,
        around: &Around,
    ) -> VerbPhrase {
        let object = self.object(verb, subject, around);
        let recipient = self.recipient(verb, subject, object.as_ref());
        self.verb_phrase(verb, tense, subject, object, recipient)
    }

    /// … and eats it, *it* being the object of the first verb; or something else.
    fn second_deed(&mut self, first: &Head, subject: &Nominal, tense: Tense) -> Option<VerbPhrase> {
        let Head::Verb { verb: before, object, recipient } = first else { return None };
        let able = |verb: &Verb| {
            verb.english[0] != before.english[0]
                && verb.is_action()
                && !(verb.accident && tense == Tense::Future)
                && !verb.reports
                && match subject {
                    Nominal::Noun(phrase) => has(&verb.subjects, phrase.noun),
                    _ => verb.subjects.iter().any(|noun| noun.human()),
                }
        };
        let again = match object {
            Some(Object::Nominal(Nominal::Noun(phrase))) if recipient.is_none() => Some(phrase),
            _ => None,
        };
        let second = match again.filter(|_| self.chance(0.6)) {
            Some(phrase) => {
                let neuter = !phrase.noun.human() && phrase.number == Number::Singular;
                let it = Pronoun { features: phrase.features(), neuter };
                let verb = self.one_of(&VERBS, |verb| {
                    let direct = verb.preposition.is_empty() || phrase.noun.human();
                    able(verb) && direct && verb.takes_pronoun() && has(&verb.objects, phrase.noun)
                })?;
                let it = Some(Object::Pronoun(it));
                let recipient = self.recipient(verb, subject, it.as_ref());
                self.verb_phrase(verb, tense, subject, it, recipient)
            }
            None => {
                let verb = self.one_of(&VERBS, able)?;
                self.deed(verb, tense, subject, &Around::More)
            }
        };
        Some(VerbPhrase { polarity: Polarity::Yes, ..second })
    }

    /// What a relative clause says of a noun.
    pub(super) fn predicate_of(
        &mut self,
        noun: &'static Noun,
        features: Features,
        tense: Tense,
    ) -> VerbPhrase {
        if self.chance(0.25) {
            return self.copular_predicate(noun, [None; 2], tense, true);
        }
        let verb = self.verb(tense, |verb| has(&verb.subjects, noun));
        let subject = NounPhrase::new(Determiner::The, noun, features.number).into();
        self.deed(verb, tense, &subject, &Around::More)
    }

    /// says that …
    fn report(&mut self, around: &Around) -> Clause {
        let verb = self.one_of(&VERBS, |verb| verb.reports).expect("verbs that report");
        let subject = self.subject(&verb.subjects, around);
        self.room -= 3;
        let tense = self.tense();
        let around = Around::Before(referent(&subject).into_iter().collect());
        let inner = if tense == Tense::Present || self.chance(0.5) {
            self.copular_clause(tense, &around)
        } else {
            self.doing(tense, &around, true, |_| true)
        };
        let predicates = vec![VerbPhrase::new(Head::Report(verb, Box::new(inner)))];
        Clause { subject, predicates }
    }

    pub(super) fn verb(&mut self, tense: Tense, fits: impl Fn(&Verb) -> bool) -> &'static Verb {
        let told = |verb: &Verb| match tense {
            Tense::Present => true,
            Tense::Past => verb.is_action(),
            Tense::Future => verb.is_action() && !verb.accident,
        };
        self.one_of(&VERBS, |verb| !verb.reports && told(verb) && fits(verb)).expect("a verb")
    }

    /// Somebody or something that does it.
    pub(super) fn subject(&mut self, nouns: &[&'static Noun], around: &Around) -> Nominal {
        let people: Vec<&'static Noun> = nouns.iter().copied().filter(|n| n.human()).collect();
        let human = !people.is_empty();
        if let Some(Referent { pronoun, noun }) = self.referred(around, 0.5)
            && (has(nouns, noun) || human && !pronoun.neuter && noun.human())
        {
            return Nominal::Pronoun(pronoun);
        }
        match self.weighted(&[40, 7, 5, 60]) {
            0 if human => {
                let pronoun = self.pronoun();
                if pronoun.features.row() == 4 && !around.alone() {
                    return self.name();
                }
                Nominal::Pronoun(pronoun)
            }
            1 if human => self.name(),
            2 if human && self.spend(3, 0.8) => {
                let one = self.noun_phrase(&people, false);
                let others: Vec<_> =
                    people.into_iter().filter(|n| n.english[0] != one.noun.english[0]).collect();
                if others.is_empty() || !negatable(&one.clone().into()) {
                    return one.into();
                }
                let other = self.noun_phrase(&others, true).into();
                Nominal::Both(Box::new(one.into()), Box::new(other))
            }
            _ => {
                let mut phrase = self.noun_phrase(nouns, false);
                self.complement(&mut phrase, true);
                phrase.into()
            }
        }
    }

    /// A short subject.
    pub(super) fn somebody(&mut self, nouns: &[&'static Noun]) -> Nominal {
        let people: Vec<&'static Noun> = nouns.iter().copied().filter(|n| n.human()).collect();
        match self.weighted(&[3, 2, 5]) {
            _ if people.is_empty() => self.noun_phrase(nouns, true).into(),
            0 => {
                let pronoun = self.pronoun();
                if pronoun.features.row() == 4 { self.name() } else { Nominal::Pronoun(pronoun) }
            }
            1 => self.name(),
            _ => self.noun_phrase(&people, true).into(),
        }
    }
}

/// Whether *and* with another verb after it would be understood. *wants to eat it and leave* is
/// something else than *wants to eat it and leaves*; in *sees the boy who sings and leaves* it is
/// anybody who leaves.
fn continues(phrase: &VerbPhrase) -> bool {
    let plain = match phrase.form {
        Form::Present | Form::Past => true,
        Form::Modal(modal) => modal.english[0] == "be",
        Form::PastModal(_) => false,
    };
    let told = match &phrase.head {
        Head::Verb { object: Some(object), .. } => relative(object),
        _ => false,
    };
    plain && !told && phrase.polarity == Polarity::Yes
}
