//! Verb phrases: tenses, negation, pronouns before the French verb, agreement of participles.

use super::super::lexicon::{Conjugation, Modal};
use super::super::phrase::{Concept, Phrase, Word};
use super::super::tree::*;
use super::english::english_verb;
use super::objects::Objects;
use super::renderer::{Marks, Order, Renderer};

static ETRE: Conjugation = Conjugation {
    present: ["suis", "est", "sommes", "êtes", "sont"],
    imperfect: ["étais", "était", "étions", "étiez", "étaient"],
    infinitive: "être",
    participle: "",
    with_etre: false,
    reflexive: false,
};

static AVOIR: Conjugation = Conjugation {
    present: ["ai", "a", "avons", "avez", "ont"],
    imperfect: ["avais", "avait", "avions", "aviez", "avaient"],
    infinitive: "avoir",
    participle: "",
    with_etre: false,
    reflexive: false,
};

impl Renderer {
    /// The English helping verb (*does*), if there is one, and everything else.
    pub(super) fn verb_phrase(
        &mut self,
        phrase: &VerbPhrase,
        subject: Features,
        order: Order,
    ) -> (Option<Word>, Phrase) {
        let [main, modal, to, not] = [(); 4].map(|()| self.concept());
        let marks = Marks { main, modal, to, not };
        let (helper, verb) = english_verb(phrase, subject, order, &marks);
        let objects = self.objects(phrase, subject, order, &marks);
        let frequency = self.optional(phrase.frequency.map(|adverb| &adverb.words));
        let french = french_verb(phrase, subject, frequency.french, &objects, &marks);
        let not = match phrase.polarity {
            Polarity::Yes => None,
            Polarity::Not => Some(Word::english("not").means(not)),
            Polarity::Never => Some(Word::english("never").means(not)),
        };
        let english = [Vec::from_iter(not), frequency.english, verb, objects.particles].concat();
        let rest = self.adverbials(phrase, objects.after);
        (helper, Phrase::concat([Phrase::new(english, french), rest]))
    }

    /// The objects, how, where and when; but how one goes is said before where.
    fn adverbials(&mut self, phrase: &VerbPhrase, objects: Phrase) -> Phrase {
        let place = phrase.place.as_ref().map(|place| self.place(place)).unwrap_or_default();
        let adverb = self.optional(phrase.adverb.map(|adverb| &adverb.words));
        let manner = phrase.adverb.is_some_and(|adverb| adverb.kind == "manner");
        let goes = matches!(&phrase.head, Head::Verb { verb, .. } if verb.with_place());
        Phrase::concat(match (manner, goes) {
            (true, true) => [adverb, objects, place],
            (true, false) => [objects, adverb, place],
            (false, _) => [objects, place, adverb],
        })
    }
}

// ANCHOR: french_verb
/// ne + pronouns + verb + pas + adverb + participle. The pronouns of an infinitive stand before it.
fn french_verb(
    phrase: &VerbPhrase,
    subject: Features,
    frequency: Vec<Word>,
    objects: &Objects,
    marks: &Marks,
) -> Vec<Word> {
    let verb = conjugation(&phrase.head);
    let clitics = objects.clitics.clone();
    let agreement = if verb.takes_etre() { Some(subject) } else { objects.preceding };
    let (finite, participle) = match phrase.form {
        Form::Present => present(verb, subject, marks.main),
        Form::Past => past(verb, subject, agreement, marks.main),
        Form::Modal(modal) => present(&modal.french, subject, marks.modal),
        Form::PastModal(modal) => past(&modal.french, subject, None, marks.modal),
    };
    let (ne, pas) = negation(phrase.polarity, marks.not);
    match phrase.form {
        Form::Present | Form::Past => [ne, clitics, finite, pas, frequency, participle].concat(),
        Form::Modal(modal) | Form::PastModal(modal) => {
            let infinitive = vec![Word::french(verb.infinitive).means(marks.main)];
            let to = preposition(modal, marks.to);
            [ne, finite, pas, frequency, participle, to, clitics, infinitive].concat()
        }
    }
}
// ANCHOR_END: french_verb

fn conjugation(head: &Head) -> &'static Conjugation {
    match head {
        Head::Be(Predicative::State(_)) => &AVOIR, // avoir faim
        Head::Be(_) => &ETRE,
        Head::Verb { verb, .. } | Head::Report(verb, _) => &verb.french,
    }
}

/// ne … pas, ne … jamais: both words are *not*.
fn negation(polarity: Polarity, not: Concept) -> (Vec<Word>, Vec<Word>) {
    let word = |word| vec![Word::french(word).means(not)];
    match polarity {
        Polarity::Yes => (vec![], vec![]),
        Polarity::Not => (word("ne"), word("pas")),
        Polarity::Never => (word("ne"), word("jamais")),
    }
}

/// The finite verb; no participle.
fn present(verb: &Conjugation, subject: Features, concept: Concept) -> (Vec<Word>, Vec<Word>) {
    (vec![Word::french(verb.present[subject.row()]).means(concept)], vec![])
}

/// *a vu*, *est allée*, *s'est reposée*; *était* and *avait* for states, which have no participle here.
fn past(
    verb: &Conjugation,
    subject: Features,
    agreement: Option<Features>,
    concept: Concept,
) -> (Vec<Word>, Vec<Word>) {
    if verb.participle.is_empty() {
        return (vec![Word::french(verb.imperfect[subject.row()]).means(concept)], vec![]);
    }
    let helper = if verb.takes_etre() { &ETRE } else { &AVOIR };
    let participle = agreeing(verb.participle, agreement).means(concept);
    (vec![Word::french(helper.present[subject.row()]).hints(concept)], vec![participle])
}

/// vu, vue, vus, vues; pris, prise, pris, prises.
fn agreeing(participle: &'static str, agreement: Option<Features>) -> Word {
    let suffix = match agreement.map(|features| (features.gender, features.number)) {
        None | Some((Gender::Masculine, Number::Singular)) => "",
        Some((Gender::Masculine, Number::Plural)) if participle.ends_with('s') => "",
        Some((Gender::Masculine, Number::Plural)) => "s",
        Some((Gender::Feminine, Number::Singular)) => "e",
        Some((Gender::Feminine, Number::Plural)) => "es",
    };
    Word::french(participle).with_suffix(suffix)
}

/// The *à* or *de* before an infinitive.
fn preposition(modal: &Modal, to: Concept) -> Vec<Word> {
    modal.preposition.split_whitespace().map(|de| Word::french(de).means(to)).collect()
}
