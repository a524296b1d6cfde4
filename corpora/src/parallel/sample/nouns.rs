//! Noun phrases at random.

use super::*;

impl<R: Rng> Sampler<'_, R> {
    /// A phrase with one of `nouns`, of the kind that a subject or an object can be.
    pub(super) fn noun_phrase(&mut self, nouns: &[&'static Noun], plain: bool) -> NounPhrase {
        let noun = self.one(nouns);
        let number =
            if noun.countable() && self.chance(0.35) { Number::Plural } else { Number::Singular };
        let determiner = self.determiner(noun, number, plain);
        let mut phrase = NounPhrase::new(determiner, noun, number);
        let countable = noun.countable() && number == Number::Plural;
        if matches!(phrase.determiner, Determiner::Count)
            || countable && matches!(phrase.determiner, Determiner::The) && self.spend(1, 0.1)
        {
            phrase.count = Some(self.count());
        }
        self.describe(&mut phrase);
        phrase
    }

    fn determiner(&mut self, noun: &'static Noun, number: Number, plain: bool) -> Determiner {
        let kin = noun.class == "kin";
        let rich = !plain as u32;
        let weights = match (number, noun.countable()) {
            // the, a, some, this, every, many, count, my, the girl 's
            (Number::Singular, true) if kin => [4, 0, 0, 0, 0, 0, 0, 14, 3],
            (Number::Plural, _) if kin => [4, 0, 0, 0, 0, 0, 0, 10, 0],
            (Number::Singular, true) => [24, 6 * rich, 0, 4, rich, 0, 0, 6, 4],
            (Number::Singular, false) => [10, 0, 8 * rich, 2, 0, 0, 0, 4, 0],
            (Number::Plural, _) => [20, 0, 4 * rich, 3, 0, 2 * rich, 3 * rich, 5, 2],
        };
        match self.weighted(&weights) {
            0 => Determiner::The,
            1 => Determiner::A,
            2 => Determiner::Some,
            3 => Determiner::This,
            4 => Determiner::Every,
            5 => Determiner::Many,
            6 => Determiner::Count,
            7 => Determiner::Possessive(self.pronoun(false)),
            _ if self.spend(3, 0.9) => Determiner::Of(Box::new(self.owner())),
            _ => Determiner::The,
        }
    }

    /// Whose: a name or a person. Their English plural must not end in *s*, since its possessive
    /// would be an apostrophe alone.
    fn owner(&mut self) -> Nominal {
        if self.chance(0.25) {
            return Nominal::Name(&NAMES[self.rng.random_range(0..NAMES.len())]);
        }
        let humans = self.one_of(&NOUNS, |noun| noun.human()).expect("humans");
        let plural = !humans.english[1].ends_with('s') && self.chance(0.4);
        let number = if plural { Number::Plural } else { Number::Singular };
        let determiner = match self.weighted(&[6, 3]) {
            1 => Determiner::Possessive(self.pronoun(false)),
            _ if humans.class == "kin" => Determiner::Possessive(self.pronoun(false)),
            _ => Determiner::The,
        };
        let mut phrase = NounPhrase::new(determiner, humans, number);
        if self.spend(1, 0.3) {
            self.describe(&mut phrase);
        }
        Nominal::Noun(Box::new(phrase))
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

    /// Adds adjectives: one, or one that stands before the French noun and a colour or the like.
    pub(super) fn describe(&mut self, phrase: &mut NounPhrase) {
        let noun = phrase.noun;
        if !self.spend(1, 0.45) {
            return;
        }
        let fits = |adjective: &Adjective| describes(adjective, noun);
        let Some(first) = self.one_of(&ADJECTIVES, fits) else { return };
        if first.before {
            phrase.before = Some(first);
        } else {
            phrase.after = Some(first);
        }
        if first.before && self.spend(1, 0.3) {
            let colour = |adjective: &Adjective| is_colour(adjective) && describes(adjective, noun);
            phrase.after = self.one_of(&ADJECTIVES, colour);
        }
    }

    /// Adds a place or a relative clause to a noun with an article, if there is room.
    pub(super) fn complement(&mut self, phrase: &mut NounPhrase) {
        let open = matches!(
            phrase.determiner,
            Determiner::The
                | Determiner::A
                | Determiner::Some
                | Determiner::This
                | Determiner::Every
                | Determiner::Count
        );
        if !open || !phrase.noun.countable() {
            return;
        }
        let movable = matches!(
            phrase.noun.class,
            "person" | "animal" | "thing" | "clothing" | "vehicle" | "plant" | "building"
        );
        if movable && phrase.noun.class != "building" && self.spend(4, 0.12) {
            phrase.complement = Some(Complement::Place(self.place()));
        } else if movable && self.spend(5, 0.2) {
            phrase.complement = self.relative(phrase.noun, phrase.number);
        }
    }

    fn relative(&mut self, noun: &'static Noun, number: Number) -> Option<Complement> {
        let features = Features::third(number, noun.gender);
        let tense = [Tense::Present, Tense::Past][self.weighted(&[3, 2])];
        let object_verb = |verb: &Verb| {
            verb.preposition.is_empty()
                && has(&verb.objects, noun)
                && (tense == Tense::Present || verb.is_action())
        };
        let room = std::mem::replace(&mut self.room, 2);
        let result =
            if noun.human() && self.chance(0.7) || noun.class == "animal" && self.chance(0.5) {
                let predicate = self.predicate_of(noun, features, tense);
                Some(Complement::Subject(Box::new(predicate)))
            } else {
                self.one_of(&VERBS, object_verb).map(|verb| {
                    let subject = self.somebody(&verb.subjects);
                    let mut predicate =
                        self.verb_phrase_of(verb, tense, Some(Object::Gap(Some(features))), None);
                    predicate.adverb = None;
                    predicate.place = None;
                    Complement::Object(Box::new(Clause { subject, predicates: vec![predicate] }))
                })
            };
        self.room = room;
        result
    }

    /// in the garden, on the old table
    pub(super) fn place(&mut self) -> Place {
        let preposition = &PREPOSITIONS[self.weighted(&[12, 3, 2, 3, 3, 5, 3])];
        Place { preposition, place: self.noun_at(preposition) }
    }

    pub(super) fn noun_at(&mut self, preposition: &Preposition) -> Nominal {
        let noun = self.one(&preposition.places);
        let number = if self.chance(0.08) { Number::Plural } else { Number::Singular };
        let determiner = match self.weighted(&[10, 2, 2, 2]) {
            1 => Determiner::This,
            2 => Determiner::Possessive(self.pronoun(false)),
            3 if self.spend(3, 0.7) => Determiner::Of(Box::new(self.owner())),
            _ => Determiner::The,
        };
        let determiner = match determiner {
            Determiner::Possessive(_) | Determiner::Of(_) if !ownable(noun) => Determiner::The,
            other => other,
        };
        let mut phrase = NounPhrase::new(determiner, noun, number);
        self.describe(&mut phrase);
        Nominal::Noun(Box::new(phrase))
    }

    /// A personal pronoun; `it` only where it is wanted.
    pub(super) fn pronoun(&mut self, neuter: bool) -> Pronoun {
        use {Gender::*, Number::*, Person::*};
        let (person, number, gender) = match self.weighted(&[4, 3, 4, 4, 3, 3]) {
            0 => (First, Singular, Masculine),
            1 => (Second, Singular, Masculine),
            2 => (Third, Singular, Masculine),
            3 => (Third, Singular, Feminine),
            4 => (First, Plural, Masculine),
            _ => (Third, Plural, Masculine),
        };
        Pronoun { features: Features { person, number, gender }, neuter: neuter && person == Third }
    }
}

/// Whether `noun` is in the list.
pub(super) fn has(nouns: &[&'static Noun], noun: &Noun) -> bool {
    nouns.iter().any(|other| std::ptr::eq(*other, noun))
}

pub(super) fn describes(adjective: &Adjective, noun: &Noun) -> bool {
    has(&adjective.describes, noun)
}

fn is_colour(adjective: &Adjective) -> bool {
    ["black", "white", "red", "green", "blue", "grey", "yellow"].contains(&adjective.english)
}

/// What somebody can call their own.
fn ownable(noun: &Noun) -> bool {
    !matches!(noun.class, "way" | "land" | "opening")
        && !["church", "station", "museum"].contains(&noun.english[0])
        || noun.english[0] == "garden"
}
