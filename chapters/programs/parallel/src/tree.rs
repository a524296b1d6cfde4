//! What a sentence says, before it is said in any language.

pub use super::features::{Features, Gender, Number, Person};

use super::lexicon::{Adjective, Adverb, Expression, Modal, Name, Noun, Preposition, Verb};

/// A pronoun. Nothing but its features is said, and whether it stands for a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pronoun {
    pub features: Features, // of what it stands for
    pub neuter: bool,       // *it* rather than *he* or *she*
}

/// A subject or an object.
#[derive(Clone, Debug)]
pub enum Nominal {
    Pronoun(Pronoun),                 // she
    Name(&'static Name),              // anna
    Noun(Box<NounPhrase>),            // the old house
    Both(Box<Nominal>, Box<Nominal>), // anna and the boy
}

impl Nominal {
    /// The features that a verb or an adjective must agree with. Two are several; masculine unless both are feminine.
    pub fn features(&self) -> Features {
        match self {
            Nominal::Pronoun(pronoun) => pronoun.features,
            Nominal::Name(name) => Features::third(Number::Singular, name.gender),
            Nominal::Noun(phrase) => phrase.features(),
            Nominal::Both(one, other) => {
                let all = [one, other].iter().all(|n| n.features().gender == Gender::Feminine);
                let gender = if all { Gender::Feminine } else { Gender::Masculine };
                Features::third(Number::Plural, gender)
            }
        }
    }
}

/// the two small black cats in the garden
#[derive(Clone, Debug)]
pub struct NounPhrase {
    pub determiner: Determiner,             // the
    pub count: Option<&'static Expression>, // two (plural only)
    /// small: an adjective that stands before the French noun
    pub before: Option<&'static Adjective>,
    pub after: Option<&'static Adjective>, // black: an adjective that stands after the French noun
    pub noun: &'static Noun,               // cats
    pub number: Number,                    // one or several
    pub complement: Option<Complement>,    // in the garden
}

impl NounPhrase {
    /// the noun, and nothing else
    pub fn new(determiner: Determiner, noun: &'static Noun, number: Number) -> NounPhrase {
        let (count, before, after, complement) = (None, None, None, None);
        NounPhrase { determiner, count, before, after, noun, number, complement }
    }

    /// The noun's gender, and the number.
    pub fn features(&self) -> Features {
        Features::third(self.number, self.noun.gender)
    }
}

impl From<NounPhrase> for Nominal {
    fn from(phrase: NounPhrase) -> Nominal {
        Nominal::Noun(Box::new(phrase))
    }
}

/// The beginning of a noun phrase.
#[derive(Clone, Debug)]
pub enum Determiner {
    The,                 // the
    A,                   // a, an
    Some,                // some; *any* in a negated clause or a question
    No,                  // no: only after *there is*
    This,                // this, these
    Every,               // every
    Many,                // many
    Count,               // two, without an article
    Possessive(Pronoun), // my
    Of(Box<Nominal>),    // the girl 's
}

/// The complement that follows a noun.
#[derive(Clone, Debug)]
pub enum Complement {
    Place(Place),             // in the garden
    Subject(Box<VerbPhrase>), // who sings
    Object(Box<Clause>),      // that the girl sees
}

/// in the garden
#[derive(Clone, Debug)]
pub struct Place {
    pub preposition: &'static Preposition, // in
    pub place: Nominal,                    // the garden
}

/// Somebody does something.
#[derive(Clone, Debug)]
pub struct Clause {
    pub subject: Nominal,            // who or what
    pub predicates: Vec<VerbPhrase>, // what is said of it; several are joined by *and*
}

/// does not often see the dog in the garden
#[derive(Clone, Debug)]
pub struct VerbPhrase {
    pub form: Form,                         // when, or with which helping verb
    pub polarity: Polarity,                 // whether it is so
    pub frequency: Option<&'static Adverb>, // often
    pub head: Head,                         // see the dog
    pub place: Option<Place>,               // in the garden
    pub adverb: Option<&'static Adverb>,    // slowly; every day
}

impl VerbPhrase {
    /// The verb with what it needs, in the present.
    pub fn new(head: Head) -> VerbPhrase {
        let (form, polarity) = (Form::Present, Polarity::Yes);
        VerbPhrase { form, polarity, frequency: None, head, place: None, adverb: None }
    }
}

/// Tenses, and verbs that another one follows.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    Present,                   // sees
    Past,                      // saw
    Modal(&'static Modal),     // wants to see
    PastModal(&'static Modal), // tried to see
}

/// Whether it is so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Polarity {
    Yes,   // it is
    Not,   // not: *ne … pas*
    Never, // never: *ne … jamais*
}

/// The verb with what it needs.
#[derive(Clone, Debug)]
pub enum Head {
    Be(Predicative), // is tired
    /// gives her the book
    Verb {
        verb: &'static Verb,       // give
        object: Option<Object>,    // the book
        recipient: Option<Object>, // her
    },
    Report(&'static Verb, Box<Clause>), // says that the boy is tired
}

/// A state or a quality that somebody or something can have, or a place.
#[derive(Clone, Debug)]
pub enum Predicative {
    Quality(&'static Adjective, Option<&'static Expression>), // very tired
    Comparison(&'static Adjective, Nominal),                  // older than the teacher
    State(&'static Expression),                               // hungry: *avoir faim*
    Place(Place),                                             // in the garden
}

/// An object of a verb.
#[derive(Clone, Debug)]
pub enum Object {
    Nominal(Nominal), // the apple
    Pronoun(Pronoun), // it
    /// Nothing: it stands further left, in *the apple that he ate* or *what does he eat*. If it has
    /// features, the participle agrees with them.
    Gap(Option<Features>),
}

/// A whole sentence.
#[derive(Clone, Debug)]
pub enum Sentence {
    Statement(Option<&'static Adverb>, Clause), // yesterday she sang
    Question(Clause),                           // does she sing ?
    Asking(&'static Expression, Clause),        // why does she sing ?
    Who(VerbPhrase),                            // who sings ?
    What(Clause),                               // what does she see ? (the clause has a gap)
    Whom(Clause),                               // who does she see ? (the clause has a gap)
    /// there is a cat in the garden .
    There {
        question: bool,   // whether it is asked
        past: bool,       // *there was*
        what: NounPhrase, // a cat
        place: Place,     // in the garden
    },
    Compound(Clause, &'static Expression, Clause), // she sings because she is happy
    Fronted(&'static Expression, Clause, Clause),  // when she sings , the birds sleep
}

impl Sentence {
    /// Whether it ends in a question mark.
    pub fn asks(&self) -> bool {
        match self {
            Sentence::Statement(..) | Sentence::Compound(..) | Sentence::Fronted(..) => false,
            Sentence::There { question, .. } => *question,
            _ => true,
        }
    }
}
