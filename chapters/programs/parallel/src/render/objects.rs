//! What belongs to a verb: objects, pronouns, what somebody is.

use super::super::lexicon::{Adjective, Verb};
use super::super::phrase::{Concept, Phrase, Word};
use super::super::tree::*;
use super::determiners::Role;
use super::renderer::{Marks, Order, Renderer};

/// What follows the verb, and what the French say before it.
#[derive(Default)]
pub(super) struct Objects {
    pub(super) after: Phrase, // objects that follow the verb in both languages
    pub(super) clitics: Vec<Word>, // French pronouns before the verb
    /// English words that follow the verb before the rest: *up*, *her*.
    pub(super) particles: Vec<Word>,
    /// The features of an object that stands before the French verb.
    pub(super) preceding: Option<Features>,
}

impl Renderer {
    pub(super) fn objects(
        &mut self,
        phrase: &VerbPhrase,
        subject: Features,
        order: Order,
        marks: &Marks,
    ) -> Objects {
        let role = match (phrase.polarity, order) {
            (Polarity::Yes, Order::Statement) => Role::Usual,
            (Polarity::Yes, Order::Question) => Role::Asked,
            _ => Role::Negated,
        };
        let mut objects = Objects::default();
        match &phrase.head {
            Head::Be(predicative) => objects.after = self.predicative(predicative, subject),
            Head::Report(_, clause) => {
                let that = self.word("that", "que");
                objects.after = Phrase::concat([that, self.statement(clause)]);
            }
            Head::Verb { verb, object, recipient } => {
                if verb.french.reflexive {
                    let clitic = ["me", "se", "nous", "vous", "se"][subject.row()];
                    objects.clitics.push(Word::french(clitic).hints(marks.main));
                }
                self.object(verb, object.as_ref(), role, marks.main, &mut objects);
                self.recipient(recipient.as_ref(), &mut objects);
            }
        }
        objects
    }

    fn object(
        &mut self,
        verb: &Verb,
        object: Option<&Object>,
        role: Role,
        main: Concept,
        objects: &mut Objects,
    ) {
        let particles = particles(verb, main);
        match object {
            None => objects.particles = particles,
            Some(Object::Gap(features)) => {
                objects.particles = particles;
                objects.preceding = *features;
            }
            Some(Object::Pronoun(pronoun)) => {
                let indirect = verb.preposition == "à";
                objects.particles = particles;
                objects.preceding = (!indirect).then_some(pronoun.features);
                self.object_pronoun(*pronoun, indirect, objects);
            }
            Some(Object::Nominal(nominal)) => {
                let prepositions = self.prepositions(verb, particles, main);
                objects.after = Phrase::concat([prepositions, self.nominal(nominal, role)]);
            }
        }
    }

    /// talks *to* the girl / parle *à* la fille; looks *at* the girl, obéit *à* la fille.
    fn prepositions(&mut self, verb: &Verb, mut english: Vec<Word>, main: Concept) -> Phrase {
        if verb.preposition.is_empty() {
            return Phrase::new(english, []);
        }
        let to = self.concept();
        let french = Word::french(verb.preposition).hints(main);
        match english.pop() {
            None => Phrase::new([], [french]),
            Some(last) => {
                english.push(last.means(to));
                Phrase::new(english, [french.means(to)])
            }
        }
    }

    /// sees her / la voit
    fn object_pronoun(&mut self, pronoun: Pronoun, indirect: bool, objects: &mut Objects) {
        let whom = self.concept();
        let (english, french) = object_pronoun(pronoun, indirect);
        objects.clitics.push(Word::french(french).means(whom));
        objects.particles.push(Word::english(english).means(whom));
    }

    /// gives the book to the girl / donne le livre à la fille, gives her the book / lui donne le livre
    fn recipient(&mut self, recipient: Option<&Object>, objects: &mut Objects) {
        match recipient {
            Some(Object::Nominal(nominal)) => {
                let to = self.word("to", "à");
                let whom = self.nominal(nominal, Role::Usual);
                objects.after = Phrase::concat([std::mem::take(&mut objects.after), to, whom]);
            }
            Some(Object::Pronoun(pronoun)) => self.object_pronoun(*pronoun, true, objects),
            Some(Object::Gap(_)) | None => {}
        }
    }

    fn predicative(&mut self, predicative: &Predicative, subject: Features) -> Phrase {
        match predicative {
            Predicative::Quality(adjective, degree) => Phrase::concat([
                self.optional(*degree),
                self.word(adjective.english, adjective.french(subject)),
            ]),
            Predicative::Comparison(adjective, than) => Phrase::concat([
                self.comparative(adjective, subject),
                self.word("than", "que"),
                self.nominal(than, Role::Usual),
            ]),
            Predicative::State(state) => self.expression(state),
            Predicative::Place(place) => self.place(place),
        }
    }

    /// older / plus vieux, more tired / plus fatigué
    fn comparative(&mut self, adjective: &Adjective, subject: Features) -> Phrase {
        let french = adjective.french(subject);
        if adjective.comparative == "more" {
            let more = self.word("more", "plus");
            return Phrase::concat([more, self.word(adjective.english, french)]);
        }
        let older = self.concept();
        Phrase::new(
            [Word::english(adjective.comparative).means(older)],
            ["plus", french].map(|word| Word::french(word).means(older)),
        )
    }
}

/// The *at* of *look at*; in *fall asleep*, the second word means as much as the first.
fn particles(verb: &Verb, main: Concept) -> Vec<Word> {
    let words = verb.particle.split_whitespace().map(|word| match word {
        "asleep" => Word::english(word).means(main),
        _ => Word::english(word).hints(main),
    });
    words.collect()
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
