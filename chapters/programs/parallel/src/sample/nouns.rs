//! Noun phrases at random.

use super::*;

impl<R: Rng> Sampler<'_, R> {
    /// A phrase with one of `nouns`; `plain`: begun by *the*, *this*, *my* or *the girl 's*, so that
    /// it can follow any preposition.
    pub(super) fn noun_phrase(&mut self, nouns: &[&'static Noun], plain: bool) -> NounPhrase {
        let noun = self.one(nouns);
        self.phrase_with(noun, plain, 0.35)
    }

    /// A phrase with this noun, in the plural with a probability of `several`.
    pub(super) fn phrase_with(
        &mut self,
        noun: &'static Noun,
        plain: bool,
        several: f64,
    ) -> NounPhrase {
        let several = noun.countable() && self.chance(several);
        let number = if several { Number::Plural } else { Number::Singular };
        let determiner = self.determiner(noun, number, plain);
        let mut phrase = NounPhrase::new(determiner, noun, number);
        let counted = match phrase.determiner {
            Determiner::Count => true,
            Determiner::The => several && self.spend(1, 0.1),
            _ => false,
        };
        if counted {
            phrase.count = Some(self.count());
        }
        self.describe(&mut phrase);
        phrase
    }

    fn determiner(&mut self, noun: &'static Noun, number: Number, plain: bool) -> Determiner {
        let rich = u32::from(!plain);
        let place = matches!(noun.class, "land" | "building" | "room");
        let owned = u32::from(noun.owned && !(place && number == Number::Plural));
        let parent = matches!(noun.english[0], "mother" | "father");
        let weights = match (number, noun.countable()) {
            // the, a, some, this, every, many, two, my, the girl 's
            (Number::Singular, true) if noun.class == "kin" => [2, 0, 0, 0, 0, 0, 0, 14, 3],
            (Number::Plural, _) if parent => [4, 0, 0, 2, 0, rich, 0, 0, 0],
            (Number::Plural, _) if noun.class == "kin" => [2, 0, 0, 0, 0, 0, 0, 10, 0],
            (Number::Singular, true) => [24, 7 * rich, 0, 4, rich, 0, 0, 7 * owned, 5 * owned],
            (Number::Singular, false) => [10, 0, 8 * rich, 2, 0, 0, 0, 4, 0],
            (Number::Plural, _) => {
                [20, 0, 4 * rich, 3, 0, 2 * rich, 3 * rich, 5 * owned, 2 * owned]
            }
        };
        match self.weighted(&weights) {
            0 => Determiner::The,
            1 => Determiner::A,
            2 => Determiner::Some,
            3 => Determiner::This,
            4 => Determiner::Every,
            5 => Determiner::Many,
            6 => Determiner::Count,
            7 => Determiner::Possessive(self.pronoun()),
            _ if self.spend(3, 0.9) => Determiner::Of(Box::new(self.owner())),
            _ => Determiner::The,
        }
    }

    /// Whose: a name or a person. Their English plural must not end in *s*, since its possessive
    /// would be an apostrophe alone.
    fn owner(&mut self) -> Nominal {
        if self.chance(0.25) {
            return self.name();
        }
        let noun = self.one_of(&NOUNS, |noun| noun.human()).expect("nouns");
        let several = !noun.english[1].ends_with('s') && self.chance(0.4);
        let number = if several { Number::Plural } else { Number::Singular };
        let possessive = noun.class == "kin" || noun.owned && self.chance(0.3);
        let determiner =
            if possessive { Determiner::Possessive(self.pronoun()) } else { Determiner::The };
        let mut phrase = NounPhrase::new(determiner, noun, number);
        self.describe(&mut phrase);
        phrase.into()
    }

    pub(super) fn name(&mut self) -> Nominal {
        Nominal::Name(&NAMES[self.rng.random_range(0..NAMES.len())])
    }

    pub(super) fn count(&mut self) -> &'static Expression {
        static COUNTS: [Expression; 5] = [
            Expression { english: "two", french: "deux" },
            Expression { english: "three", french: "trois" },
            Expression { english: "four", french: "quatre" },
            Expression { english: "five", french: "cinq" },
            Expression { english: "ten", french: "dix" },
        ];
        &COUNTS[self.weighted(&[5, 4, 2, 1, 1])]
    }

    /// Adds an adjective, or two: one that stands before the French noun, and a colour.
    pub(super) fn describe(&mut self, phrase: &mut NounPhrase) {
        let noun = phrase.noun;
        let fits = |adjective: &Adjective| has(&adjective.describes, noun);
        if !self.spend(1, 0.45) {
            return;
        }
        match self.one_of(&ADJECTIVES, fits) {
            Some(adjective) if adjective.before => {
                phrase.before = Some(adjective);
                if self.spend(1, 0.3) {
                    phrase.after = self.one_of(&ADJECTIVES, |a| a.kind == "colour" && fits(a));
                }
            }
            other => phrase.after = other,
        }
    }

    /// Adds a relative clause or, if that makes sense here, a place, when there is room.
    pub(super) fn complement(&mut self, phrase: &mut NounPhrase, placed: bool) {
        use Determiner::*;
        let open = matches!(phrase.determiner, The | A | Some | This | Every | Count);
        let noun = phrase.noun;
        let moves = matches!(
            noun.class,
            "person" | "animal" | "beast" | "thing" | "clothing" | "vehicle" | "plant"
        );
        if !open || !noun.countable() {
            return;
        }
        if placed && moves && self.spend(4, 0.12) {
            phrase.complement = Option::Some(Complement::Place(self.place_of(noun)));
        } else if (moves || noun.class == "food") && self.spend(5, 0.25) {
            phrase.complement = self.relative(noun, phrase.number);
        }
    }

    /// who sings; that the girl sees
    fn relative(&mut self, noun: &'static Noun, number: Number) -> Option<Complement> {
        let features = Features::third(number, noun.gender);
        let tense = [Tense::Present, Tense::Past][self.weighted(&[3, 2])];
        let inside = self.room.clamp(0, 3);
        self.room -= inside;
        let rest = std::mem::replace(&mut self.room, inside);
        let acts = VERBS.iter().filter(|verb| has(&verb.subjects, noun)).count() > 6;
        let complement = if acts && self.chance(0.6) {
            let predicate = self.predicate_of(noun, features, tense);
            Some(Complement::Subject(Box::new(predicate)))
        } else {
            let verb = self.one_of(&VERBS, |verb| {
                verb.preposition.is_empty()
                    && has(&verb.objects, noun)
                    && (tense == Tense::Present || verb.is_action())
            });
            verb.map(|verb| self.gapped(verb, noun, features, tense))
        };
        self.room += rest;
        complement
    }

    fn gapped(
        &mut self,
        verb: &'static Verb,
        noun: &'static Noun,
        features: Features,
        tense: Tense,
    ) -> Complement {
        let others: Vec<_> =
            verb.subjects.iter().copied().filter(|other| !std::ptr::eq(*other, noun)).collect();
        let subject = self.somebody(&others);
        let gap = Object::Gap(Some(features));
        let predicate = self.verb_phrase(verb, tense, &subject, Some(gap), None);
        let polarity = match predicate.polarity {
            Polarity::Never => Polarity::Yes,
            other => other,
        };
        let predicate = VerbPhrase { polarity, place: None, adverb: None, ..predicate };
        Complement::Object(Box::new(Clause { subject, predicates: vec![predicate] }))
    }

    /// Where `noun` can be: in the garden, on the old table.
    pub(super) fn place_of(&mut self, noun: &'static Noun) -> Place {
        self.place(|preposition, place| suits(noun, preposition, place))
    }

    /// A place that fits.
    pub(super) fn place(&mut self, fits: impl Fn(&Preposition, &Noun) -> bool) -> Place {
        loop {
            // in, on, under, behind, in front of, near, next to
            let preposition = &PREPOSITIONS[self.weighted(&[12, 4, 3, 3, 3, 5, 3])];
            let places: Vec<&'static Noun> = preposition
                .places
                .iter()
                .copied()
                .filter(|place| fits(preposition, place))
                .collect();
            if !places.is_empty() {
                return Place { preposition, place: self.landmark(&places).into() };
            }
        }
    }

    fn landmark(&mut self, places: &[&'static Noun]) -> NounPhrase {
        let noun = self.one(places);
        let number = if self.chance(0.08) { Number::Plural } else { Number::Singular };
        let owned = u32::from(noun.owned && number == Number::Singular);
        let determiner = match self.weighted(&[10, 2, 2 * owned, 2 * owned]) {
            1 => Determiner::This,
            2 => Determiner::Possessive(self.pronoun()),
            3 if self.spend(3, 0.7) => Determiner::Of(Box::new(self.owner())),
            _ => Determiner::The,
        };
        let mut phrase = NounPhrase::new(determiner, noun, number);
        self.describe(&mut phrase);
        phrase
    }

    /// A personal pronoun, but *it*.
    pub(super) fn pronoun(&mut self) -> Pronoun {
        use {Gender::*, Number::*, Person::*};
        let (person, number, gender) = match self.weighted(&[4, 4, 4, 4, 4, 3]) {
            0 => (First, Singular, Masculine),
            1 => (Second, Singular, Masculine),
            2 => (Third, Singular, Masculine),
            3 => (Third, Singular, Feminine),
            4 => (First, Plural, Masculine),
            _ => (Third, Plural, Masculine),
        };
        Pronoun { features: Features { person, number, gender }, neuter: false }
    }
}

/// Whether one expects to find `noun` there.
fn suits(noun: &Noun, preposition: &Preposition, place: &Noun) -> bool {
    let upon = matches!(preposition.words.english, "on" | "under");
    let within = preposition.words.english == "in";
    let outdoors = matches!(place.class, "land" | "way" | "plant");
    match noun.class {
        "person" | "kin" => !upon || outdoors,
        "beast" | "vehicle" => outdoors || place.class == "building" && !within,
        "plant" => !upon && outdoors || place.class == "building" && !within,
        "furniture" => {
            within && matches!(place.class, "room" | "building") || place.class == "opening"
        }
        "food" => within && place.english[0] == "kitchen" || upon && place.english[0] == "table",
        "thing" | "clothing" => !within || !outdoors,
        "building" | "land" | "way" => {
            !upon && !within && matches!(place.class, "building" | "land" | "way")
        }
        "room" | "opening" => !upon && !within,
        _ => true,
    }
}
