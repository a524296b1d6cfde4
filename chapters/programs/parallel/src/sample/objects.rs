//! What a verb needs besides its subject, at random.

use super::*;

impl<R: Rng> Sampler<'_, R> {
    /// What it is done to.
    pub(super) fn object(
        &mut self,
        verb: &'static Verb,
        subject: &Nominal,
        around: &Around,
    ) -> Option<Object> {
        if verb.objects.is_empty() {
            return None;
        }
        if verb.takes_pronoun()
            && self.chance(0.25)
            && let Some(pronoun) = self.object_pronoun(verb, subject, around)
        {
            return Some(Object::Pronoun(pronoun));
        }
        let people = verb.objects.iter().any(|noun| noun.human());
        if people && self.chance(0.08) && !matches!(subject, Nominal::Name(_)) {
            return Some(Object::Nominal(self.name()));
        }
        let others = self.all_but(&verb.objects, subject);
        let several = if verb.with_place() { 0.06 } else { 0.35 };
        let noun = self.one(&others);
        // One loves the bread, not some bread; and de does not go with des.
        let plain = !verb.preposition.is_empty() || !verb.is_action();
        let mut phrase = self.phrase_with(noun, plain, several);
        if verb.recipients.is_empty() {
            let perceived = matches!(verb.english[0], "see" | "look" | "know" | "hear" | "find");
            self.complement(&mut phrase, perceived);
        }
        Some(Object::Nominal(phrase.into()))
    }

    /// Kings do not see the king.
    fn all_but(&self, nouns: &[&'static Noun], subject: &Nominal) -> Vec<&'static Noun> {
        let own = match subject {
            Nominal::Noun(phrase) => phrase.noun.english[0],
            _ => "",
        };
        nouns.iter().copied().filter(|noun| noun.english[0] != own).collect()
    }

    /// me, him, them, it. Nobody does it to himself; *it* and *them* only where nothing else in the
    /// sentence could be meant.
    fn object_pronoun(
        &mut self,
        verb: &Verb,
        subject: &Nominal,
        around: &Around,
    ) -> Option<Pronoun> {
        let people = verb.objects.iter().any(|noun| noun.human());
        let things = verb.preposition.is_empty() && verb.objects.iter().any(|noun| !noun.human());
        if things && (!people || self.chance(0.2)) {
            let features = Features::third(Number::Singular, Gender::Masculine);
            return around.alone().then_some(Pronoun { features, neuter: true });
        }
        self.somebody_else(subject, around.alone())
    }

    /// A pronoun for a person who is not the subject.
    fn somebody_else(&mut self, subject: &Nominal, them: bool) -> Option<Pronoun> {
        let pronoun = self.pronoun();
        let (own, other) = (subject.features().person, pronoun.features.person);
        let same = own == other && own != Person::Third;
        (!same && (them || pronoun.features.row() != 4)).then_some(pronoun)
    }

    /// Somebody to whom it is given.
    pub(super) fn recipient(
        &mut self,
        verb: &'static Verb,
        subject: &Nominal,
        object: Option<&Object>,
    ) -> Option<Object> {
        let replaced = matches!(object, Some(Object::Pronoun(_)));
        if verb.recipients.is_empty() || matches!(object, None | Some(Object::Gap(_))) {
            return None;
        }
        if !replaced
            && self.chance(0.45)
            && let Some(pronoun) = self.somebody_else(subject, false)
        {
            return Some(Object::Pronoun(pronoun));
        }
        self.room -= 3;
        let others = self.all_but(&verb.recipients, subject);
        let name = self.chance(0.15);
        let receiver = if name { self.name() } else { self.noun_phrase(&others, true).into() };
        Some(Object::Nominal(receiver))
    }

    /// The verb with its objects, and whatever else is said.
    pub(super) fn verb_phrase(
        &mut self,
        verb: &'static Verb,
        tense: Tense,
        subject: &Nominal,
        object: Option<Object>,
        recipient: Option<Object>,
    ) -> VerbPhrase {
        let form = self.form(verb, tense);
        let modal = matches!(form, Form::Modal(_) | Form::PastModal(_));
        let polarity = self.polarity(negatable(subject) && object.as_ref().is_none_or(plain));
        let free = verb.is_action() && !modal;
        let frequency = if free { self.frequency(polarity, tense) } else { None };
        let (animal, stands) = match subject {
            Nominal::Noun(phrase) => {
                (!phrase.noun.human(), matches!(phrase.complement, Some(Complement::Place(_))))
            }
            _ => (false, false),
        };
        let placed = !stands
            && object.is_none()
            && PLACED.contains(&verb.english[0])
            && verb.particle.is_empty();
        let place = (placed && self.spend(3, 0.3)).then(|| self.place_of_action(verb));
        let timed = verb.is_action() && frequency.is_none() && polarity != Polarity::Never;
        let free = frequency.is_none();
        let fits = |adverb: &Adverb| {
            // bien would stand before an infinitive and a participle.
            let here = adverb.words.french != "bien" || matches!(form, Form::Present);
            free && here && adverb.says_how(verb) || timed && adverb.dates(tense.name(), animal)
        };
        let told = object.as_ref().is_some_and(relative); // already long
        let adverb = if !told && self.spend(1, 0.25) { self.one_of(&ADVERBS, fits) } else { None };
        let head = Head::Verb { verb, object, recipient };
        VerbPhrase { form, polarity, frequency, head, place, adverb }
    }

    fn place_of_action(&mut self, verb: &Verb) -> Place {
        let moving = matches!(verb.english[0], "run" | "walk" | "fall");
        self.place(|preposition, place| match preposition.words.english {
            "in" | "on" | "near" if moving => matches!(place.class, "land" | "way"),
            "on" | "under" => matches!(place.class, "land" | "plant"),
            _ => !moving && place.class != "opening",
        })
    }

    fn form(&mut self, verb: &'static Verb, tense: Tense) -> Form {
        match tense {
            Tense::Future => Form::Modal(modal("be")),
            Tense::Past if self.chance(0.06) => {
                let modal = self.one_of(&MODALS, |m| !m.english[2].is_empty() && m.admits(verb));
                modal.map_or(Form::Past, Form::PastModal)
            }
            Tense::Past => Form::Past,
            Tense::Present if self.chance(0.16) => {
                let modal = self.one_of(&MODALS, |m| m.english[0] != "be" && m.admits(verb));
                modal.map_or(Form::Present, Form::Modal)
            }
            Tense::Present => Form::Present,
        }
    }

    /// Not or never, if the sentence allows it.
    pub(super) fn polarity(&mut self, negatable: bool) -> Polarity {
        let weights = if negatable { [15, 5, 1] } else { [1, 0, 0] };
        [Polarity::Yes, Polarity::Not, Polarity::Never][self.weighted(&weights)]
    }

    pub(super) fn frequency(
        &mut self,
        polarity: Polarity,
        tense: Tense,
    ) -> Option<&'static Adverb> {
        if tense == Tense::Future || polarity == Polarity::Never || !self.spend(1, 0.15) {
            return None;
        }
        let affirmed = polarity == Polarity::Yes;
        self.one_of(&ADVERBS, |adverb| {
            adverb.kind == "frequency" && (affirmed || adverb.negatable())
        })
    }
}

/// Whether a relative clause ends the object.
pub(super) fn relative(object: &Object) -> bool {
    match object {
        Object::Nominal(Nominal::Noun(phrase)) => {
            matches!(phrase.complement, Some(Complement::Subject(_) | Complement::Object(_)))
        }
        _ => false,
    }
}

/// What one does somewhere.
const PLACED: [&str; 10] =
    ["sleep", "sing", "dance", "run", "walk", "work", "rest", "cry", "fall", "arrive"];

/// Whether an object goes with a negation; not every dog does, nor do many.
fn plain(object: &Object) -> bool {
    match object {
        Object::Nominal(nominal) => negatable(nominal),
        _ => true,
    }
}

/// Whether a nominal goes with a negation.
pub(super) fn negatable(nominal: &Nominal) -> bool {
    match nominal {
        Nominal::Noun(phrase) => {
            use Determiner::*;
            phrase.count.is_none() && !matches!(phrase.determiner, Every | Many)
        }
        _ => true,
    }
}

/// The modal verb `english`.
pub(super) fn modal(english: &str) -> &'static Modal {
    MODALS.iter().find(|modal| modal.english[0] == english).expect(english)
}
