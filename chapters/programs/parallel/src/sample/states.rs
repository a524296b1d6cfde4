//! What somebody or something is, at random.

use super::objects::{modal, negatable};
use super::*;

// The weights of what *is* may say: an adjective, a comparison, a state, and where something is.
const QUALITY: u32 = 12;
const COMPARISON: u32 = 3;
const STATE: u32 = 4;
const PLACE: u32 = 5;
const PLACE_OF_PLACE: u32 = 3; // of a building, a land or a way
/// How many states, the first ones, animals have too.
const ANIMAL_STATES: usize = 2;

impl<R: Rng> Sampler<'_, R> {
    /// Somebody or something is something.
    pub(super) fn copular_clause(&mut self, tense: Tense, around: &Around) -> Clause {
        if let Some(referent) = self.referred(around, 0.5) {
            return self.clause_about(referent, tense);
        }
        if around.alone() && self.chance(0.05) {
            let features = Features::third(Number::Singular, Gender::Masculine);
            let it = Pronoun { features, neuter: true };
            let noun = self.one_of(&NOUNS, |n| n.class == "thing" && n.gender == Gender::Masculine);
            let noun = noun.expect("things");
            return self.clause_about(Referent { pronoun: it, noun }, tense);
        }
        let people = self.chance(0.5);
        let nouns: Vec<&'static Noun> = NOUNS.iter().filter(|n| !people || n.human()).collect();
        let beside = if around.alone() { Around::Nothing } else { Around::More };
        let mut subject = self.subject(&nouns, &beside);
        let (noun, adjectives) = match &subject {
            Nominal::Noun(phrase) => (phrase.noun, [phrase.before, phrase.after]),
            _ => (anybody(), [None; 2]),
        };
        let predicate = self.copular_predicate(noun, adjectives, tense, negatable(&subject));
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
            Some(referent) => self.clause_of_state(referent, tense),
            None => self.copular_clause(tense, around),
        }
    }

    fn clause_of_state(&mut self, Referent { pronoun, noun }: Referent, tense: Tense) -> Clause {
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

    fn clause_about(&mut self, referent: Referent, tense: Tense) -> Clause {
        let predicate = self.copular_predicate(referent.noun, [None; 2], tense, true);
        Clause { subject: Nominal::Pronoun(referent.pronoun), predicates: vec![predicate] }
    }

    /// Something of the clause before, if there is one.
    pub(super) fn referred(&mut self, around: &Around, probability: f64) -> Option<Referent> {
        match around {
            Around::Before(referents) if !referents.is_empty() => {
                self.chance(probability).then(|| self.one(referents))
            }
            _ => None,
        }
    }

    /// is tired, is hungry, is older than the king, is in the garden; unlike what the `adjectives`
    /// before the noun say already.
    pub(super) fn copular_predicate(
        &mut self,
        noun: &'static Noun,
        adjectives: [Option<&'static Adjective>; 2],
        tense: Tense,
        negatable: bool,
    ) -> VerbPhrase {
        let new = |adjective: &Adjective| {
            has(&adjective.describes, noun)
                && adjectives.iter().flatten().all(|other| other.kind != adjective.kind)
                && (tense != Tense::Future || adjective.passes())
        };
        let compared = |adjective: &Adjective| new(adjective) && !adjective.comparative.is_empty();
        let alike = tense != Tense::Future && noun.countable();
        let animate = noun.human() || matches!(noun.class, "animal" | "beast");
        let mut weights = [
            QUALITY * u32::from(ADJECTIVES.iter().any(new)),
            COMPARISON * u32::from(alike && ADJECTIVES.iter().any(compared)),
            STATE * u32::from(animate),
            weight_of_place(noun, tense),
        ];
        if weights == [0; 4] && tense == Tense::Future {
            return self.copular_predicate(noun, adjectives, Tense::Present, negatable);
        }
        if weights == [0; 4] {
            weights[3] = 1;
        }
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
                let states = if noun.human() { STATES.len() } else { ANIMAL_STATES };
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
}

/// The weight of saying where `noun` is.
fn weight_of_place(noun: &Noun, tense: Tense) -> u32 {
    match noun.class {
        "dish" | "drink" | "opening" | "room" => 0,
        "building" | "land" | "way" if tense == Tense::Future => 0,
        "building" | "land" | "way" => PLACE_OF_PLACE,
        _ => PLACE,
    }
}
