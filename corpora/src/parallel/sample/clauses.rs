//! Clauses at random.

use super::nouns::{describes, has};
use super::*;

impl<R: Rng> Sampler<'_, R> {
    pub(super) fn clause(&mut self, tense: Tense, around: Around) -> Clause {
        match self.weighted(&[70, 24, 6]) {
            1 => self.being(tense, around),
            2 if tense == Tense::Present
                && self.room >= 4
                && !matches!(around, Around::After(_)) =>
            {
                self.report(around)
            }
            _ => self.doing(tense, around, false),
        }
    }

    /// Somebody does something; perhaps two things.
    fn doing(&mut self, tense: Tense, around: Around, single: bool) -> Clause {
        let verb = self.verb(tense, |_| true);
        let subject = self.subject(&verb.subjects, around);
        let object = self.object(verb, &subject, around);
        let mut first = self.verb_phrase_of(verb, tense, object, Some(&subject));
        if single || !self.spend(4, 0.25) {
            return Clause { subject, predicates: vec![first] };
        }
        let Some(second) = self.second_predicate(&first.head, &subject, tense) else {
            return Clause { subject, predicates: vec![first] };
        };
        first.adverb = None;
        first.polarity = Polarity::Yes;
        Clause { subject, predicates: vec![first, second] }
    }

    /// … and eats it: *it* is the object of the first verb.
    fn second_predicate(
        &mut self,
        first: &Head,
        subject: &Nominal,
        tense: Tense,
    ) -> Option<VerbPhrase> {
        let Head::Verb { verb: first, object: first_object, recipient } = first else {
            return None;
        };
        let able = |verb: &Verb| {
            verb.english[0] != first.english[0]
                && !verb.reports
                && (tense == Tense::Present || verb.is_action())
                && match subject {
                    Nominal::Noun(phrase) => has(&verb.subjects, phrase.noun),
                    _ => verb.subjects.iter().any(|noun| noun.human()),
                }
        };
        let again = match first_object {
            Some(Object::Nominal(Nominal::Noun(phrase))) if recipient.is_none() => {
                let human = phrase.noun.human();
                let neuter = !human && phrase.number == Number::Singular;
                Some((phrase.noun, Pronoun { features: phrase.features(), neuter }))
            }
            _ => None,
        };
        if let Some((noun, pronoun)) = again.filter(|_| self.chance(0.6)) {
            let able_to_it = |verb: &Verb| {
                able(verb)
                    && verb.takes_pronoun()
                    && has(&verb.objects, noun)
                    && verb.recipients.is_empty()
            };
            if let Some(verb) = self.one_of(&VERBS, able_to_it) {
                let mut phrase =
                    self.verb_phrase_of(verb, tense, Some(Object::Pronoun(pronoun)), Some(subject));
                phrase.polarity = Polarity::Yes;
                return Some(phrase);
            }
        }
        let verb = self.one_of(&VERBS, able)?;
        let object = self.object(verb, subject, Around::Beside);
        let mut phrase = self.verb_phrase_of(verb, tense, object, Some(subject));
        phrase.polarity = Polarity::Yes;
        Some(phrase)
    }

    /// Somebody or something is something.
    fn being(&mut self, tense: Tense, around: Around) -> Clause {
        let nouns: Vec<&'static Noun> = NOUNS.iter().collect();
        if self.chance(0.5) {
            let people: Vec<&'static Noun> =
                nouns.into_iter().filter(|noun| noun.human()).collect();
            let subject = self.subject(&people, around);
            let noun = match &subject {
                Nominal::Noun(phrase) => phrase.noun,
                _ => noun("brother"),
            };
            let predicate = self.being_of(noun, tense);
            Clause { subject, predicates: vec![predicate] }
        } else {
            let noun = self.one(&nouns);
            let mut phrase = self.noun_phrase(&[noun], true);
            self.complement(&mut phrase);
            let predicate = self.being_of(noun, tense);
            Clause { subject: Nominal::Noun(Box::new(phrase)), predicates: vec![predicate] }
        }
    }

    /// is tired, is in the garden
    fn being_of(&mut self, noun: &'static Noun, tense: Tense) -> VerbPhrase {
        let mobile = !matches!(
            noun.class,
            "room" | "building" | "land" | "way" | "opening" | "dish" | "drink"
        );
        let animate = noun.human() || noun.class == "animal";
        let qualities = ADJECTIVES.iter().any(|adjective| describes(adjective, noun));
        let weights = [
            12 * qualities as u32,
            3 * qualities as u32,
            3 * animate as u32,
            5 * mobile as u32,
            u32::from(!qualities),
        ];
        let predicative = match self.weighted(&weights) {
            0 => Predicative::Quality(self.quality(noun, false), self.degree()),
            1 if noun.countable() => {
                let adjective = self.quality(noun, true);
                if adjective.comparative.is_empty() {
                    Predicative::Quality(adjective, self.degree())
                } else {
                    let others: Vec<&'static Noun> = adjective
                        .describes
                        .iter()
                        .copied()
                        .filter(|other| other.class == noun.class && !std::ptr::eq(*other, noun))
                        .collect();
                    if others.is_empty() {
                        Predicative::Quality(adjective, None)
                    } else {
                        let than = self.noun_phrase(&others, true);
                        Predicative::Comparison(adjective, Nominal::Noun(Box::new(than)))
                    }
                }
            }
            2 => {
                let count = if noun.human() { STATES.len() } else { 2 };
                Predicative::State(&STATES[self.rng.random_range(0..count)])
            }
            _ => Predicative::Place(self.place()),
        };
        let form = match tense {
            Tense::Present if self.chance(0.08) => Form::Modal(modal("must")),
            Tense::Present => Form::Present,
            Tense::Past => Form::Past,
            Tense::Future => Form::Modal(modal("be")),
        };
        let polarity = self.polarity(matches!(predicative, Predicative::Comparison(..)));
        let frequency = self.frequency(polarity, tense);
        VerbPhrase {
            form,
            polarity,
            frequency,
            head: Head::Be(predicative),
            place: None,
            adverb: None,
        }
    }

    fn quality(&mut self, noun: &'static Noun, compared: bool) -> &'static Adjective {
        let fits = |adjective: &Adjective| {
            describes(adjective, noun) && !(compared && adjective.comparative.is_empty())
        };
        self.one_of(&ADJECTIVES, fits)
            .or_else(|| self.one_of(&ADJECTIVES, |adjective| describes(adjective, noun)))
            .expect("a noun with qualities")
    }

    fn degree(&mut self) -> Option<&'static Expression> {
        static DEGREES: [Expression; 2] = [
            Expression { english: "very", french: "très" },
            Expression { english: "too", french: "trop" },
        ];
        self.spend(1, 0.3).then(|| &DEGREES[self.weighted(&[3, 1])])
    }

    /// What a relative clause says of a noun.
    pub(super) fn predicate_of(
        &mut self,
        noun: &'static Noun,
        features: Features,
        tense: Tense,
    ) -> VerbPhrase {
        if self.chance(0.25) {
            return self.being_of(noun, tense);
        }
        let verb = self.verb(tense, |verb| has(&verb.subjects, noun));
        let subject =
            Nominal::Noun(Box::new(NounPhrase::new(Determiner::The, noun, features.number)));
        let object = self.object(verb, &subject, Around::Beside);
        self.verb_phrase_of(verb, tense, object, Some(&subject))
    }

    /// says that …
    fn report(&mut self, around: Around) -> Clause {
        let verb = self.one_of(&VERBS, |verb| verb.reports).expect("verbs that report");
        let subject = self.subject(&verb.subjects, around);
        self.room -= 3;
        let tense = self.tense();
        let speaker = Clause {
            subject: subject.clone(),
            predicates: vec![self.verb_phrase_of(verb, Tense::Present, None, None)],
        };
        let around = Around::After(antecedent(&speaker));
        let inner = if self.chance(0.5) {
            self.being(tense, around)
        } else {
            self.doing(tense, around, true)
        };
        let head = Head::Report(verb, Box::new(inner));
        let predicate = VerbPhrase {
            form: Form::Present,
            polarity: Polarity::Yes,
            frequency: None,
            head,
            place: None,
            adverb: None,
        };
        Clause { subject, predicates: vec![predicate] }
    }

    fn verb(&mut self, tense: Tense, fits: impl Fn(&Verb) -> bool) -> &'static Verb {
        self.one_of(&VERBS, |verb| {
            !verb.reports && (tense == Tense::Present || verb.is_action()) && fits(verb)
        })
        .expect("a verb that fits")
    }

    /// Somebody or something that does it.
    pub(super) fn subject(&mut self, nouns: &[&'static Noun], around: Around) -> Nominal {
        let human = nouns.iter().any(|noun| noun.human());
        if let Around::After(Some(pronoun)) = around {
            let fits = !pronoun.neuter || nouns.iter().any(|noun| !noun.human());
            if fits && self.chance(0.45) {
                return Nominal::Pronoun(pronoun);
            }
        }
        match self.weighted(&[30, 7, 5, 60]) {
            0 if human => loop {
                let pronoun = self.pronoun(false);
                let they = pronoun.features.row() == 4;
                if !they || matches!(around, Around::Alone) {
                    return Nominal::Pronoun(pronoun);
                }
            },
            1 if human => Nominal::Name(&NAMES[self.rng.random_range(0..NAMES.len())]),
            2 if human && self.spend(3, 0.8) => {
                let (one, other) = (self.somebody(nouns), self.somebody(nouns));
                match (&one, &other) {
                    (Nominal::Noun(_), Nominal::Noun(_) | Nominal::Name(_))
                    | (Nominal::Name(_), Nominal::Noun(_)) => {
                        Nominal::Both(Box::new(one), Box::new(other))
                    }
                    _ => one,
                }
            }
            _ => {
                let mut phrase = self.noun_phrase(nouns, false);
                self.complement(&mut phrase);
                Nominal::Noun(Box::new(phrase))
            }
        }
    }

    /// A short subject.
    pub(super) fn somebody(&mut self, nouns: &[&'static Noun]) -> Nominal {
        let people: Vec<&'static Noun> =
            nouns.iter().copied().filter(|noun| noun.human()).collect();
        match self.weighted(&[3, 2, 5]) {
            _ if people.is_empty() => Nominal::Noun(Box::new(self.noun_phrase(nouns, true))),
            0 => loop {
                let pronoun = self.pronoun(false);
                if pronoun.features.row() != 4 {
                    break Nominal::Pronoun(pronoun);
                }
            },
            1 => Nominal::Name(&NAMES[self.rng.random_range(0..NAMES.len())]),
            _ => Nominal::Noun(Box::new(self.noun_phrase(&people, true))),
        }
    }

    /// What it is done to.
    fn object(&mut self, verb: &'static Verb, subject: &Nominal, around: Around) -> Option<Object> {
        if verb.objects.is_empty() {
            return None;
        }
        let human = verb.objects.iter().any(|noun| noun.human());
        if verb.takes_pronoun() && self.chance(0.25) {
            let thing = verb.objects.iter().any(|noun| !noun.human());
            if let Some(pronoun) = self.object_pronoun(human, thing, subject, around) {
                return Some(Object::Pronoun(pronoun));
            }
        }
        if human && self.chance(0.08) {
            return Some(Object::Nominal(Nominal::Name(
                &NAMES[self.rng.random_range(0..NAMES.len())],
            )));
        }
        let prepositional = !verb.preposition.is_empty();
        let mut phrase = self.noun_phrase(&verb.objects, prepositional);
        if verb.recipients.is_empty() {
            self.complement(&mut phrase);
        }
        Some(Object::Nominal(phrase.into()))
    }

    /// me, you, him, … but nobody does it to himself, and *it* and *them* only where nothing else
    /// in the sentence could be meant.
    fn object_pronoun(
        &mut self,
        human: bool,
        thing: bool,
        subject: &Nominal,
        around: Around,
    ) -> Option<Pronoun> {
        let pronoun = self.pronoun(!human);
        let neuter = thing && (!human || self.chance(0.2));
        let row = pronoun.features.row();
        let own = subject.features();
        let same = own.person == pronoun.features.person && own.person != Person::Third;
        if same || (row == 4 && !matches!(around, Around::Alone)) {
            return None;
        }
        if !human || neuter {
            if !matches!(around, Around::Alone) {
                return None;
            }
            let features = Features::third(Number::Singular, Gender::Masculine);
            return Some(Pronoun { features, neuter: true });
        }
        Some(pronoun)
    }

    /// The rest of what is said, once the verb and its object are chosen.
    pub(super) fn verb_phrase_of(
        &mut self,
        verb: &'static Verb,
        tense: Tense,
        object: Option<Object>,
        subject: Option<&Nominal>,
    ) -> VerbPhrase {
        let form = self.form(verb, tense);
        let polarity = self.polarity(!plain(object.as_ref()));
        let modal = matches!(form, Form::Modal(_) | Form::PastModal(_));
        let frequency = if modal { None } else { self.frequency(polarity, tense) };
        let recipient = self.recipient(verb, object.as_ref(), subject);
        let still = [
            "sleep", "sing", "dance", "run", "walk", "work", "rest", "stay", "swim", "cry",
            "laugh", "fall",
        ];
        let placed =
            object.is_none() && still.contains(&verb.english[0]) && verb.particle.is_empty();
        let place = (placed && self.spend(3, 0.3)).then(|| self.place());
        let kind = ["present", "past", "future"][tense as usize];
        let adverb = if self.spend(1, 0.25) {
            let free = frequency.is_none();
            self.one_of(&ADVERBS, |adverb| adverb.says_how(verb) || free && adverb.kind == kind)
        } else {
            None
        };
        let head = Head::Verb { verb, object, recipient };
        VerbPhrase { form, polarity, frequency, head, place, adverb }
    }

    fn recipient(
        &mut self,
        verb: &'static Verb,
        object: Option<&Object>,
        subject: Option<&Nominal>,
    ) -> Option<Object> {
        if verb.recipients.is_empty()
            || !matches!(object, Some(Object::Nominal(_) | Object::Pronoun(_)))
        {
            return None;
        }
        if matches!(object, Some(Object::Nominal(_))) && self.chance(0.45) {
            let pronoun = self.object_pronoun(true, false, subject?, Around::Beside);
            return pronoun.map(Object::Pronoun);
        }
        self.spend(3, 0.9).then(|| {
            if self.chance(0.15) {
                Object::Nominal(Nominal::Name(&NAMES[self.rng.random_range(0..NAMES.len())]))
            } else {
                Object::Nominal(self.noun_phrase(&verb.recipients, true).into())
            }
        })
    }

    fn form(&mut self, verb: &'static Verb, tense: Tense) -> Form {
        let going = modal("be");
        match tense {
            Tense::Future => Form::Modal(going),
            Tense::Past if self.chance(0.06) => {
                let tried = |modal: &Modal| !modal.english[2].is_empty() && modal.admits(verb);
                self.one_of(&MODALS, tried).map_or(Form::Past, Form::PastModal)
            }
            Tense::Past => Form::Past,
            Tense::Present if self.chance(0.2) => {
                let fits = |modal: &Modal| modal.english[0] != "be" && modal.admits(verb);
                self.one_of(&MODALS, fits).map_or(Form::Present, Form::Modal)
            }
            Tense::Present => Form::Present,
        }
    }

    fn polarity(&mut self, affirmed: bool) -> Polarity {
        if affirmed {
            return Polarity::Yes;
        }
        [Polarity::Yes, Polarity::Not, Polarity::Never][self.weighted(&[15, 5, 1])]
    }

    fn frequency(&mut self, polarity: Polarity, tense: Tense) -> Option<&'static Adverb> {
        if tense == Tense::Future || polarity == Polarity::Never || !self.spend(1, 0.15) {
            return None;
        }
        self.one_of(&ADVERBS, |adverb| {
            adverb.kind == "frequency" && (polarity == Polarity::Yes || adverb.negatable())
        })
    }

    pub(super) fn question(&mut self) -> Sentence {
        let tense = self.tense();
        Sentence::Question(self.asked(tense))
    }

    fn asked(&mut self, tense: Tense) -> Clause {
        let mut clause = if self.chance(0.3) {
            self.being(tense, Around::Alone)
        } else {
            self.doing(tense, Around::Alone, true)
        };
        clause.predicates[0].polarity = Polarity::Yes;
        clause
    }

    /// where, why, when
    pub(super) fn asking(&mut self) -> Sentence {
        let tense = self.tense();
        let word = self.weighted(&[3, 3, 2]);
        let mut clause = self.asked(tense);
        let predicate = &mut clause.predicates[0];
        predicate.adverb = predicate.adverb.filter(|adverb| adverb.kind == "manner");
        Sentence::Asking(CONSTANTS[1 + (word > 1) as usize], clause)
    }

    pub(super) fn who(&mut self) -> Sentence {
        let tense = self.tense();
        let noun = noun("brother");
        let mut predicate =
            self.predicate_of(noun, Features::third(Number::Singular, Gender::Masculine), tense);
        predicate.polarity = Polarity::Yes;
        Sentence::Who(predicate)
    }

    /// what does she see, who does she see
    pub(super) fn object_question(&mut self, thing: bool) -> Sentence {
        let tense = self.tense();
        let verb = self.verb(tense, |verb| {
            verb.preposition.is_empty()
                && verb.recipients.is_empty()
                && verb.objects.iter().any(|noun| noun.human() != thing)
                && !verb.objects.is_empty()
        });
        let subject = self.subject(&verb.subjects, Around::Alone);
        let mut predicate = self.verb_phrase_of(verb, tense, Some(Object::Gap(None)), None);
        predicate.polarity = Polarity::Yes;
        let clause = Clause { subject, predicates: vec![predicate] };
        if thing { Sentence::What(clause) } else { Sentence::Whom(clause) }
    }
}

/// Whether an object goes well with a negation.
fn plain(object: Option<&Object>) -> bool {
    match object {
        Some(Object::Nominal(Nominal::Noun(phrase))) => {
            phrase.count.is_none()
                && !matches!(phrase.determiner, Determiner::Every | Determiner::Many)
        }
        _ => true,
    }
}

/// The modal verb `english`.
fn modal(english: &str) -> &'static Modal {
    MODALS.iter().find(|modal| modal.english[0] == english).expect(english)
}
