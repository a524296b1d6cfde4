//! Verb phrases: tenses, helping verbs, negation, pronouns before the verb, agreement of participles.

use super::super::lexicon::{Conjugation, Modal, Verb};
use super::super::phrase::{Concept, Phrase, Word};
use super::super::tree::*;
use super::Renderer;
use super::nouns::Role;

/// Where the English helping verb stands; in questions there must be one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// she is tired
    Statement,
    /// is she tired
    Question,
}

/// What follows the verb, and what the French say before it.
#[derive(Default)]
struct Objects {
    after: Phrase,
    clitics: Vec<Word>,
    /// English words whose French is a clitic: they stand first.
    pronouns: Vec<Word>,
    /// The features of an object that stands before the verb.
    preceding: Option<Features>,
}

/// The concepts of the words for the verb itself, for the one it depends on, and for *not*.
struct Marks {
    main: Concept,
    modal: Concept,
    to: Concept,
    not: Concept,
}

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
        let marks = Marks {
            main: self.concept(),
            modal: self.concept(),
            to: self.concept(),
            not: self.concept(),
        };
        let (helper, verb) = english_verb(phrase, subject, order, &marks);
        let objects = self.objects(phrase, subject, order, &marks);
        let frequency = phrase.frequency.map(|adverb| self.expression(&adverb.words));
        let frequency = frequency.unwrap_or_default();
        let (manner, time) = match phrase.adverb {
            Some(adverb) if adverb.kind == "manner" => (Some(self.expression(&adverb.words)), None),
            adverb => (None, adverb.map(|adverb| self.expression(&adverb.words))),
        };
        let goes = matches!(&phrase.head, Head::Verb { verb, .. } if verb.with_place());
        let (before, after) = if goes { (manner, None) } else { (None, manner) };
        let before = before.unwrap_or_default();
        let place = phrase.place.as_ref().map(|place| self.place(place));
        let negation = match phrase.polarity {
            Polarity::Yes => Vec::new(),
            Polarity::Not => vec![Word::new("not").means(marks.not)],
            Polarity::Never => vec![Word::new("never").means(marks.not)],
        };
        let french = french_verb(phrase, subject, frequency.french, &objects, &marks);
        let english = [
            negation,
            frequency.english,
            verb,
            objects.pronouns,
            before.english,
            objects.after.english,
        ]
        .concat();
        let body =
            Phrase { english, french: [french, before.french, objects.after.french].concat() };
        (helper, Phrase::concat([Some(body), after, place, time].into_iter().flatten()))
    }

    fn objects(
        &mut self,
        phrase: &VerbPhrase,
        subject: Features,
        order: Order,
        marks: &Marks,
    ) -> Objects {
        let role = match (phrase.polarity, order) {
            (Polarity::Yes, Order::Statement) => Role::Subject,
            (Polarity::Yes, Order::Question) => Role::Asked,
            _ => Role::Negated,
        };
        match &phrase.head {
            Head::Be(predicative) => {
                Objects { after: self.predicative(predicative, subject), ..Default::default() }
            }
            Head::Report(_, clause) => {
                let that = Word::new("that");
                let que = Word::new("que").or("qu'");
                let that = Phrase::word(that, que, &mut self.concepts);
                let after = Phrase::concat([that, self.statement(clause)]);
                Objects { after, ..Default::default() }
            }
            Head::Verb { verb, object, recipient } => {
                self.verb_objects(verb, object.as_ref(), recipient.as_ref(), role, subject, marks)
            }
        }
    }

    fn verb_objects(
        &mut self,
        verb: &Verb,
        object: Option<&Object>,
        recipient: Option<&Object>,
        role: Role,
        subject: Features,
        marks: &Marks,
    ) -> Objects {
        let mut objects = Objects::default();
        if verb.french.reflexive {
            let clitic = ["me", "se", "nous", "vous", "se"][subject.row()];
            objects.clitics.push(elided(clitic).hints(marks.main));
        }
        let mut particle: Vec<Word> = match verb.particle {
            "" => Vec::new(),
            words => {
                let word = |word: &'static str| match word {
                    "asleep" => Word::new(word).means(marks.main),
                    _ => Word::new(word).hints(marks.main),
                };
                words.split(' ').map(word).collect()
            }
        };
        match object {
            None => objects.pronouns = particle,
            Some(Object::Gap(features)) => {
                objects.pronouns = particle;
                objects.preceding = *features;
            }
            Some(Object::Pronoun(pronoun)) => {
                let indirect = verb.preposition == "à";
                let it = self.concept();
                let (english, french) = object_pronoun(*pronoun, indirect);
                objects.clitics.push(elided(french).means(it));
                objects.pronouns = particle;
                objects.pronouns.push(Word::new(english).means(it));
                objects.preceding = (!indirect).then_some(pronoun.features);
            }
            Some(Object::Nominal(nominal)) => {
                let mut before = Phrase::default();
                if !verb.preposition.is_empty() {
                    let (de, to) = (elided(verb.preposition), self.concept());
                    match particle.pop() {
                        Some(word) => {
                            particle.push(word.means(to));
                            before.french.push(de.means(to).hints(marks.main));
                        }
                        None => before.french.push(de.hints(marks.main)),
                    }
                }
                before.english = particle;
                objects.after = Phrase::concat([before, self.nominal(nominal, role)]);
            }
        }
        self.recipient(recipient, &mut objects);
        objects
    }

    // ANCHOR: recipient
    /// gives the book to the girl / donne le livre à la fille, gives her the book / lui donne le livre
    fn recipient(&mut self, recipient: Option<&Object>, objects: &mut Objects) {
        match recipient {
            Some(Object::Nominal(nominal)) => {
                let to = self.word("to", "à");
                let whom = self.nominal(nominal, Role::Subject);
                objects.after = Phrase::concat([std::mem::take(&mut objects.after), to, whom]);
            }
            Some(Object::Pronoun(pronoun)) => {
                let whom = self.concept();
                let (english, french) = object_pronoun(*pronoun, true);
                objects.clitics.push(elided(french).means(whom));
                objects.pronouns.push(Word::new(english).means(whom));
            }
            Some(Object::Gap(_)) | None => {}
        }
    }
    // ANCHOR_END: recipient

    fn predicative(&mut self, predicative: &Predicative, subject: Features) -> Phrase {
        match predicative {
            Predicative::Quality(adjective, degree) => {
                let degree = degree.map(|degree| self.expression(degree)).unwrap_or_default();
                let quality = self.word(adjective.english, adjective.french(subject));
                Phrase::concat([degree, quality])
            }
            Predicative::Comparison(adjective, than) => {
                let french = adjective.french(subject);
                let compared = if adjective.comparative == "more" {
                    Phrase::concat([
                        self.word("more", "plus"),
                        self.word(adjective.english, french),
                    ])
                } else {
                    let concept = self.concept();
                    Phrase {
                        english: vec![Word::new(adjective.comparative).means(concept)],
                        french: vec![
                            Word::new("plus").means(concept),
                            Word::new(french).means(concept),
                        ],
                    }
                };
                let que = Word::new("que").or("qu'");
                let than_word = Phrase::word(Word::new("than"), que, &mut self.concepts);
                Phrase::concat([compared, than_word, self.nominal(than, Role::Subject)])
            }
            Predicative::State(state) => self.expression(state),
            Predicative::Place(place) => self.place(place),
        }
    }
}

/// The English verb: the helping verb apart, if there is one.
fn english_verb(
    phrase: &VerbPhrase,
    subject: Features,
    order: Order,
    marks: &Marks,
) -> (Option<Word>, Vec<Word>) {
    let past = matches!(phrase.form, Form::Past | Form::PastModal(_));
    let helped = order == Order::Question || phrase.polarity == Polarity::Not;
    let base = match &phrase.head {
        Head::Be(_) => "be",
        Head::Verb { verb, .. } | Head::Report(verb, _) => verb.english[0],
    };
    match (phrase.form, &phrase.head) {
        (Form::Modal(modal) | Form::PastModal(modal), _) => {
            let (helper, mut words) = match modal.english[0] {
                "be" => (Some(Word::new(be(subject, past)).hints(marks.modal)), Vec::new()),
                can if can == modal.english[1] => {
                    (Some(Word::new(can).means(marks.modal)), Vec::new())
                }
                _ => supported(modal.english, past, helped, subject, marks.modal),
            };
            words.extend(modal_rest(modal, marks));
            words.push(Word::new(base).means(marks.main));
            (helper, words)
        }
        (_, Head::Be(_)) => (Some(Word::new(be(subject, past)).means(marks.main)), Vec::new()),
        (_, Head::Verb { verb, .. } | Head::Report(verb, _)) => {
            supported(verb.english, past, helped, subject, marks.main)
        }
    }
}

/// *does see* or *sees*.
fn supported(
    forms: [&'static str; 3],
    past: bool,
    helped: bool,
    subject: Features,
    concept: Concept,
) -> (Option<Word>, Vec<Word>) {
    let third = subject.third_singular();
    if helped {
        let does = ["do", "does", "did"][if past { 2 } else { third as usize }];
        (Some(Word::new(does).hints(concept)), vec![Word::new(forms[0]).means(concept)])
    } else {
        let sees = forms[if past { 2 } else { third as usize }];
        (None, vec![Word::new(sees).means(concept)])
    }
}

/// *going to* of *is going to see*: *to* is *à* or *de* where the French verb has one.
fn modal_rest(modal: &Modal, marks: &Marks) -> Vec<Word> {
    let word = |word: &'static str| match word {
        "going" => Word::new(word).means(marks.modal),
        _ if !modal.preposition.is_empty() => Word::new(word).means(marks.to),
        _ => Word::new(word).hints(marks.main),
    };
    modal.rest.split_whitespace().map(word).collect()
}

fn be(subject: Features, past: bool) -> &'static str {
    let row = subject.row();
    if past {
        ["was", "was", "were", "were", "were"][row]
    } else {
        ["am", "is", "are", "are", "are"][row]
    }
}

// ANCHOR: french_verb
/// ne + pronouns + verb + pas + adverb + participle; the pronouns of an infinitive stand before *it*.
fn french_verb(
    phrase: &VerbPhrase,
    subject: Features,
    frequency: Vec<Word>,
    objects: &Objects,
    marks: &Marks,
) -> Vec<Word> {
    let verb = match &phrase.head {
        Head::Be(Predicative::State(_)) => &AVOIR,
        Head::Be(_) => &ETRE,
        Head::Verb { verb, .. } | Head::Report(verb, _) => &verb.french,
    };
    let (finite, participle, infinitive) = match phrase.form {
        Form::Present | Form::Past => {
            let past = matches!(phrase.form, Form::Past);
            let agreement =
                if verb.with_etre || verb.reflexive { Some(subject) } else { objects.preceding };
            let (finite, participle) = conjugated(verb, past, subject, agreement, marks.main);
            ([objects.clitics.clone(), vec![finite]].concat(), participle, Vec::new())
        }
        Form::Modal(modal) | Form::PastModal(modal) => {
            let past = matches!(phrase.form, Form::PastModal(_));
            let (finite, participle) = conjugated(&modal.french, past, subject, None, marks.modal);
            let preposition: Vec<Word> = match modal.preposition {
                "" => Vec::new(),
                de => vec![elided(de).means(marks.to)],
            };
            let infinitive = vec![Word::new(verb.infinitive).means(marks.main)];
            (vec![finite], participle, [preposition, objects.clitics.clone(), infinitive].concat())
        }
    };
    let (ne, pas) = match phrase.polarity {
        Polarity::Yes => (Vec::new(), Vec::new()),
        polarity => {
            let pas = if polarity == Polarity::Not { "pas" } else { "jamais" };
            (vec![elided("ne").means(marks.not)], vec![Word::new(pas).means(marks.not)])
        }
    };
    [ne, finite, pas, frequency, participle, infinitive].concat()
}
// ANCHOR_END: french_verb

/// The finite verb, and the participle behind it in the compound past.
fn conjugated(
    verb: &Conjugation,
    past: bool,
    subject: Features,
    agreement: Option<Features>,
    concept: Concept,
) -> (Word, Vec<Word>) {
    let row = subject.row();
    if !past {
        return (Word::new(verb.present[row]).means(concept), Vec::new());
    }
    if verb.participle.is_empty() {
        return (Word::new(verb.imperfect[row]).means(concept), Vec::new());
    }
    let helper = if verb.with_etre || verb.reflexive { &ETRE } else { &AVOIR };
    let participle = agreeing(verb.participle, agreement).means(concept);
    (Word::new(helper.present[row]).hints(concept), vec![participle])
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
    Word::new(participle).with_suffix(suffix)
}

/// A word that loses its vowel before another one, if it is one of those.
fn elided(word: &'static str) -> Word {
    Word::new(word).or(match word {
        "me" => "m'",
        "se" => "s'",
        "le" | "la" => "l'",
        "ne" => "n'",
        "de" => "d'",
        other => other,
    })
}

/// her / la, to her / lui.
fn object_pronoun(pronoun: Pronoun, indirect: bool) -> (&'static str, &'static str) {
    let feminine = pronoun.features.gender == Gender::Feminine;
    match pronoun.features.row() {
        0 => ("me", "me"),
        1 => {
            let english = if pronoun.neuter { "it" } else { ["him", "her"][feminine as usize] };
            (english, if indirect { "lui" } else { ["le", "la"][feminine as usize] })
        }
        2 => ("us", "nous"),
        3 => ("you", "vous"),
        _ => ("them", if indirect { "leur" } else { "les" }),
    }
}
