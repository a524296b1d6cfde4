//! A reader of French. Every function returns all places where what it reads can end.

mod nouns;

use super::features::{Features, Gender, Number, Person};
use super::lexicon::{Conjugation, MODALS, Modal, STATES, VERBS, Verb};
use super::reader::{Ends, Reader, accepts, perhaps, then};

/// A dictionary and a grammar.
///
/// ```
/// use corpora::tokenize;
/// use parallel::French;
/// assert!(French.accepts(&tokenize("les garçons que la fille voit sont fatigués .")));
/// assert!(!French.accepts(&tokenize("les garçons que la fille voit sont fatiguée .")));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct French;

impl French {
    /// Whether there is a way to read it.
    pub fn accepts(self, sentence: &[String]) -> bool {
        accepts(sentence, |reader: &Reader<French>, mark| match mark {
            "?" => reader.question(),
            _ => reader.statement(),
        })
    }
}

/// What must stand where an object has gone to the left: nothing; its features decide the participle.
type Gap = Option<Option<Features>>;

/// Of *il*, and of what agrees with nothing.
const MASCULINE: Features =
    Features { person: Person::Third, number: Number::Singular, gender: Gender::Masculine };

const ETRE: [[&str; 5]; 2] =
    [["suis", "est", "sommes", "êtes", "sont"], ["étais", "était", "étions", "étiez", "étaient"]];
const AVOIR: [[&str; 5]; 2] =
    [["ai", "a", "avons", "avez", "ont"], ["avais", "avait", "avions", "aviez", "avaient"]];
const CLITICS: [&str; 12] =
    ["me", "m'", "se", "s'", "le", "la", "l'", "les", "lui", "leur", "nous", "vous"];
const QUE: [&str; 2] = ["que", "qu'"];

// Sentences.
impl Reader<'_, French> {
    fn statement(&self) -> Ends {
        let starts = perhaps(Ends::from([0]), |at| self.adverb(at));
        let clauses = then(starts, |at| self.clause(at, None));
        let mut ends = perhaps(clauses, |end| {
            self.conjunction(end).map_or(Ends::new(), |next| self.clause(next, None))
        });
        let fronted = match self.word(0) {
            "quand" => self.clause(1, None),
            "pendant" if self.is(1, &QUE) => self.clause(2, None),
            _ => Ends::new(),
        };
        let comma = fronted.into_iter().filter(|end| self.is(*end, &[","]));
        ends.extend(comma.flat_map(|end| self.clause(end + 1, None)));
        ends.extend(self.existence(0, false));
        ends
    }

    fn question(&self) -> Ends {
        let mut ends = Ends::new();
        let asked = |at: usize| self.is(at, &["est-ce"]) && self.is(at + 1, &QUE);
        if asked(0) {
            ends.extend(self.clause(2, None));
            ends.extend(self.existence(2, true));
        }
        if self.is(0, &["où", "quand", "pourquoi"]) && asked(1) {
            ends.extend(self.clause(3, None));
        }
        if self.is(0, &["qui", "qu'"]) && asked(1) {
            ends.extend(self.clause(3, Some(None)));
        }
        if self.is(0, &["qui"]) {
            ends.extend(self.predicate(1, MASCULINE, None));
        }
        ends
    }

    /// il y a, il n' y a pas
    fn existence(&self, at: usize, asked: bool) -> Ends {
        let negated = self.is(at + 1, &["n'"]);
        let verb = at + 2 + usize::from(negated);
        let there =
            self.is(at, &["il"]) && self.is(verb - 1, &["y"]) && self.is(verb, &["a", "avait"]);
        let thing = verb + 1 + usize::from(negated);
        if !there || negated && (asked || !self.is(thing - 1, &["pas"])) {
            return Ends::new();
        }
        then(self.thing(thing), |end| self.place(end))
    }

    /// The place after et, mais, parce que, pendant que.
    fn conjunction(&self, at: usize) -> Option<usize> {
        match self.word(at) {
            "et" | "mais" => Some(at + 1),
            "parce" | "pendant" if self.is(at + 1, &QUE) => Some(at + 2),
            _ => None,
        }
    }

    fn clause(&self, at: usize, gap: Gap) -> Ends {
        let ends = self.subject(at).into_iter().flat_map(|(start, subject)| {
            perhaps(self.predicate(start, subject, gap), |end| match self.word(end) {
                "et" => self.predicate(end + 1, subject, gap),
                _ => Ends::new(),
            })
        });
        ends.collect()
    }
}

// Verbs, their pronouns, participles and objects.
impl Reader<'_, French> {
    fn predicate(&self, at: usize, subject: Features, gap: Gap) -> Ends {
        let negated = self.is(at, &["ne", "n'"]);
        let (verb, clitics) = self.clitics(at + usize::from(negated));
        if negated && !self.is(verb + 1, &["pas", "jamais"]) {
            return Ends::new();
        }
        let after = verb + 1 + usize::from(negated);
        let starts = perhaps(Ends::from([after]), |at| self.adverb(at));
        then(starts, |start| self.finite(verb, start, subject, &clitics, gap))
    }

    fn clitics(&self, at: usize) -> (usize, Vec<&str>) {
        let count = (at..at + 2).take_while(|k| self.is(*k, &CLITICS)).count();
        (at + count, (at..at + count).map(|k| self.word(k)).collect())
    }

    /// The finite verb at `verb`; what follows begins at `at`.
    fn finite(
        &self,
        verb: usize,
        at: usize,
        subject: Features,
        clitics: &[&str],
        gap: Gap,
    ) -> Ends {
        let (word, row) = (self.word(verb), subject.row());
        let (bare, mut ends) = (clitics.is_empty(), Ends::new());
        if bare && ETRE.iter().any(|forms| forms[row] == word) {
            ends.extend(self.predicative(at, subject));
        }
        if bare && AVOIR.iter().any(|forms| forms[row] == word) && self.state(at) {
            ends.insert(at + 1);
        }
        // The present, or a helping verb and the participle in one of these forms: where it ends.
        let told = |verb: &Conjugation, participles: &[Features]| -> Vec<usize> {
            let helper = if verb.takes_etre() { ETRE[0][row] } else { AVOIR[0][row] };
            let here = |features: &Features| agreeing(verb.participle, *features) == self.word(at);
            let past = helper == word && !verb.participle.is_empty();
            let present = (verb.present[row] == word).then_some(at);
            present
                .into_iter()
                .chain((past && participles.iter().any(here)).then_some(at + 1))
                .collect()
        };
        for modal in MODALS.iter().filter(|_| bare) {
            let starts = told(&modal.french, &[MASCULINE]);
            ends.extend(starts.into_iter().flat_map(|at| self.infinitive(at, modal, subject)));
        }
        for verb in VERBS.iter().filter(|verb| reflexive_fits(verb, subject, clitics)) {
            let starts = told(&verb.french, &agreements(verb, subject, clitics, gap));
            ends.extend(starts.into_iter().flat_map(|at| self.tail(at)));
        }
        ends
    }

    fn infinitive(&self, at: usize, modal: &Modal, subject: Features) -> Ends {
        let start = match modal.preposition {
            "" => at,
            "de" if self.is(at, &["de", "d'"]) => at + 1,
            preposition if self.word(at) == preposition => at + 1,
            _ => return Ends::new(),
        };
        let (verb, clitics) = self.clitics(start);
        match self.word(verb) {
            "être" if clitics.is_empty() => self.predicative(verb + 1, subject),
            "avoir" if clitics.is_empty() && self.state(verb + 1) => Ends::from([verb + 2]),
            word => {
                let is_one = |one: &Verb| {
                    one.french.infinitive == word && reflexive_fits(one, subject, &clitics)
                };
                if VERBS.iter().any(is_one) { self.tail(verb + 1) } else { Ends::new() }
            }
        }
    }

    fn state(&self, at: usize) -> bool {
        STATES.iter().any(|state| state.french == self.word(at))
    }

    /// What follows être: an adjective that agrees with the subject, a comparison, a place.
    fn predicative(&self, at: usize, subject: Features) -> Ends {
        let mut ends = self.place(at);
        let end = at + usize::from(self.is(at, &["très", "trop", "plus"])) + 1;
        if !self.agrees(end - 1, subject) {
            return ends;
        }
        if !self.is(at, &["plus"]) {
            ends.insert(end);
        } else if self.is(end, &QUE) {
            ends.extend(self.thing(end + 1));
        }
        ends
    }

    /// Objects, places and adverbs, in any order; a clause after que.
    fn tail(&self, at: usize) -> Ends {
        let mut ends = Ends::from([at]);
        let mut fresh = vec![at];
        while let Some(at) = fresh.pop() {
            let mut next = self.adverb(at);
            next.extend(self.thing(at));
            for preposition in ["à", "de", "dans"] {
                next.extend(self.after(preposition, at));
            }
            next.extend(self.place(at));
            if self.is(at, &QUE) {
                next.extend(self.clause(at + 1, None));
            }
            fresh.extend(next.into_iter().filter(|end| ends.insert(*end)));
        }
        ends
    }
}

/// What the participle may agree with.
fn agreements(verb: &Verb, subject: Features, clitics: &[&str], gap: Gap) -> Vec<Features> {
    let several = |gender| Features::third(Number::Plural, gender);
    let feminine = Features::third(Number::Singular, Gender::Feminine);
    let indirect = verb.preposition == "à" || !verb.recipients.is_empty();
    let object = |clitic: &&str| match *clitic {
        "le" => Some(vec![MASCULINE]),
        "la" => Some(vec![feminine]),
        "l'" => Some(vec![MASCULINE, feminine]),
        "les" => Some([Gender::Masculine, Gender::Feminine].map(several).to_vec()),
        "me" | "m'" | "vous" if !indirect => Some(vec![MASCULINE]),
        "nous" if !indirect => Some(vec![several(Gender::Masculine)]),
        _ => None,
    };
    if verb.french.takes_etre() {
        return vec![subject];
    }
    let objects = clitics.iter().find_map(object);
    objects.unwrap_or_else(|| vec![gap.flatten().unwrap_or(MASCULINE)])
}

/// vu, vue, vus, vues; pris, prise, pris, prises.
fn agreeing(participle: &str, features: Features) -> String {
    let ending = if features.gender == Gender::Feminine { "e" } else { "" };
    let one = format!("{participle}{ending}");
    if features.number == Number::Plural && !one.ends_with('s') { one + "s" } else { one }
}

/// Whether the reflexive pronoun is there exactly if it must be, and is the subject's.
fn reflexive_fits(verb: &Verb, subject: Features, clitics: &[&str]) -> bool {
    let own = [["me", "m'"], ["se", "s'"], ["nous", "nous"], ["vous", "vous"], ["se", "s'"]];
    if verb.french.reflexive {
        clitics.first().is_some_and(|clitic| own[subject.row()].contains(clitic))
    } else {
        !clitics.iter().any(|clitic| own[1].contains(clitic))
    }
}
