//! Clauses at random.

use super::objects::{modal, negatable, relative};
use super::*;

impl<R: Rng> Sampler<'_, R> {
    pub(super) fn clause(&mut self, tense: Tense, around: &Around) -> Clause {
        match self.weighted(&[70, 22, 8]) {
            1 => self.being(tense, around),
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
                let to_it = |verb: &Verb| {
                    let direct = verb.preposition.is_empty() || phrase.noun.human();
                    able(verb) && direct && verb.takes_pronoun() && has(&verb.objects, phrase.noun)
                };
                let verb = self.one_of(&VERBS, to_it)?;
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

    /// Somebody or something is something.
    pub(super) fn being(&mut self, tense: Tense, around: &Around) -> Clause {
        if let Some(referent) = self.referred(around, 0.5) {
            return self.referred_being(referent, tense);
        }
        if around.alone() && self.chance(0.05) {
            let features = Features::third(Number::Singular, Gender::Masculine);
            let it = Pronoun { features, neuter: true };
            let things = |noun: &Noun| noun.class == "thing" && noun.gender == Gender::Masculine;
            let noun = self.one_of(&NOUNS, things).expect("things");
            return self.referred_being(Referent { pronoun: it, noun }, tense);
        }
        let people = self.chance(0.5);
        let nouns: Vec<&'static Noun> = NOUNS.iter().filter(|n| !people || n.human()).collect();
        let beside = if around.alone() { Around::Nothing } else { Around::More };
        let mut subject = self.subject(&nouns, &beside);
        let (noun, adjectives) = match &subject {
            Nominal::Noun(phrase) => (phrase.noun, [phrase.before, phrase.after]),
            _ => (anybody(), [None; 2]),
        };
        let predicate = self.being_of(noun, adjectives, tense, negatable(&subject));
        if let (Head::Be(Predicative::Place(_)), Nominal::Noun(phrase)) =
            (&predicate.head, &mut subject)
        {
            phrase.complement = None;
        }
        Clause { subject, predicates: vec![predicate] }
    }

    /// because she is tired: somebody or something of the first clause. What is planned has its
    /// reason in the present.
    pub(super) fn reason(&mut self, tense: Tense, around: &Around) -> Clause {
        match self.referred(around, 1.0) {
            Some(referent) => self.state_of(referent, tense),
            None => self.being(tense, around),
        }
    }

    fn state_of(&mut self, Referent { pronoun, noun }: Referent, tense: Tense) -> Clause {
        let human = noun.human();
        let fits = |adjective: &Adjective| {
            (adjective.kind == "mood" || !human) && has(&adjective.describes, noun)
        };
        let state = human && self.chance(0.4);
        let quality = if state { None } else { self.one_of(&ADJECTIVES, fits) };
        let predicative = match quality {
            Some(adjective) => Predicative::Quality(adjective, self.degree(adjective)),
            None => Predicative::State(&STATES[self.rng.random_range(0..STATES.len())]),
        };
        let polarity = if self.chance(0.15) { Polarity::Not } else { Polarity::Yes };
        let form = if tense == Tense::Past { Form::Past } else { Form::Present };
        let predicate = VerbPhrase { form, polarity, ..VerbPhrase::new(Head::Be(predicative)) };
        Clause { subject: Nominal::Pronoun(pronoun), predicates: vec![predicate] }
    }

    fn referred_being(&mut self, referent: Referent, tense: Tense) -> Clause {
        let predicate = self.being_of(referent.noun, [None; 2], tense, true);
        Clause { subject: Nominal::Pronoun(referent.pronoun), predicates: vec![predicate] }
    }

    /// Something of the clause before, if there is one.
    fn referred(&mut self, around: &Around, probability: f64) -> Option<Referent> {
        match around {
            Around::Before(referents) if !referents.is_empty() => {
                self.chance(probability).then(|| self.one(referents))
            }
            _ => None,
        }
    }

    /// is tired, is hungry, is older than the king, is in the garden; unlike what the `adjectives`
    /// before the noun say already.
    fn being_of(
        &mut self,
        noun: &'static Noun,
        adjectives: [Option<&'static Adjective>; 2],
        tense: Tense,
        negatable: bool,
    ) -> VerbPhrase {
        let new = |adjective: &Adjective| {
            let said = adjectives.iter().flatten().any(|other| other.kind == adjective.kind);
            !said
                && has(&adjective.describes, noun)
                && (tense != Tense::Future || adjective.passes())
        };
        let compared = |adjective: &Adjective| new(adjective) && !adjective.comparative.is_empty();
        let can = |test: &dyn Fn(&Adjective) -> bool| u32::from(ADJECTIVES.iter().any(test));
        let animate = noun.human() || matches!(noun.class, "animal" | "beast");
        let alike = tense != Tense::Future && noun.countable();
        let weights = [
            12 * can(&new),
            3 * can(&compared) * u32::from(alike),
            4 * u32::from(animate),
            places(noun, tense),
        ];
        if weights == [0; 4] && tense == Tense::Future {
            return self.being_of(noun, adjectives, Tense::Present, negatable);
        }
        let weights = if weights == [0; 4] { [0, 0, 0, 1] } else { weights };
        let predicative = match self.weighted(&weights) {
            0 => {
                let adjective = self.one_of(&ADJECTIVES, new).expect("one");
                Predicative::Quality(adjective, self.degree(adjective))
            }
            1 => {
                let adjective = self.one_of(&ADJECTIVES, compared).expect("one");
                self.comparison(adjective, noun)
            }
            2 => {
                let states = if noun.human() { STATES.len() } else { 2 };
                Predicative::State(&STATES[self.rng.random_range(0..states)])
            }
            _ => Predicative::Place(self.place_of(noun)),
        };
        self.is(predicative, tense, negatable)
    }

    fn comparison(&mut self, adjective: &'static Adjective, noun: &'static Noun) -> Predicative {
        let others: Vec<&'static Noun> = (adjective.describes.iter().copied())
            .filter(|other| other.class == noun.class && !std::ptr::eq(*other, noun))
            .collect();
        if others.is_empty() {
            return Predicative::Quality(adjective, None);
        }
        let mut than = self.noun_phrase(&others, true);
        than.before = than.before.filter(|other| other.kind != adjective.kind);
        than.after = than.after.filter(|other| other.kind != adjective.kind);
        Predicative::Comparison(adjective, than.into())
    }

    /// very, too
    fn degree(&mut self, adjective: &Adjective) -> Option<&'static Expression> {
        static DEGREES: [Expression; 2] = [
            Expression { english: "very", french: "très" },
            Expression { english: "too", french: "trop" },
        ];
        let gradual = !adjective.comparative.is_empty();
        let much = matches!(adjective.kind, "size" | "weight" | "warmth" | "taste")
            || matches!(adjective.english, "old" | "young" | "expensive");
        let kind = self.weighted(&[3, u32::from(much)]);
        (gradual && self.spend(1, 0.3)).then(|| &DEGREES[kind])
    }

    fn is(&mut self, predicative: Predicative, tense: Tense, negatable: bool) -> VerbPhrase {
        let passes = match &predicative {
            Predicative::Quality(adjective, _) => adjective.passes(),
            Predicative::Comparison(..) => false,
            Predicative::State(_) | Predicative::Place(_) => true,
        };
        let form = match tense {
            Tense::Present if passes && self.chance(0.08) => Form::Modal(modal("must")),
            Tense::Present => Form::Present,
            Tense::Past => Form::Past,
            Tense::Future => Form::Modal(modal("be")),
        };
        let polarity = self.polarity(negatable);
        let frequency = if passes { self.frequency(polarity, tense) } else { None };
        let head = Head::Be(predicative);
        VerbPhrase { form, polarity, frequency, ..VerbPhrase::new(head) }
    }

    /// What a relative clause says of a noun.
    pub(super) fn predicate_of(
        &mut self,
        noun: &'static Noun,
        features: Features,
        tense: Tense,
    ) -> VerbPhrase {
        if self.chance(0.25) {
            return self.being_of(noun, [None; 2], tense, true);
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
            self.being(tense, &around)
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

/// How readily one says where `noun` is.
fn places(noun: &Noun, tense: Tense) -> u32 {
    match noun.class {
        "dish" | "drink" | "opening" | "room" => 0,
        "building" | "land" | "way" => {
            if tense == Tense::Future {
                0
            } else {
                3
            }
        }
        _ => 5,
    }
}
