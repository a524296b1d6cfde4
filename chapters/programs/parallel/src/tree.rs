//! What a sentence says, before it is said in any language.

pub use super::features::{Features, Gender, Number, Person};

use super::lexicon::{Adjective, Adverb, Expression, Modal, Name, Noun, Preposition, Verb};

/// A pronoun. Nothing but its features is said, and whether it stands for a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pronoun {
    /// Of what it stands for.
    pub features: Features,
    /// *it* rather than *he* or *she*.
    pub neuter: bool,
}

/// What can be a subject or an object.
#[derive(Clone, Debug)]
pub enum Nominal {
    /// she
    Pronoun(Pronoun),
    /// anna
    Name(&'static Name),
    /// the old house
    Noun(Box<NounPhrase>),
    /// anna and the boy
    Both(Box<Nominal>, Box<Nominal>),
}

impl Nominal {
    /// What a verb or an adjective must agree with. Two are several; masculine unless both are feminine.
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
    /// the
    pub determiner: Determiner,
    /// two (plural only)
    pub count: Option<&'static Expression>,
    /// small: an adjective that stands before the French noun
    pub before: Option<&'static Adjective>,
    /// black: an adjective that stands after the French noun
    pub after: Option<&'static Adjective>,
    /// cats
    pub noun: &'static Noun,
    /// One or several.
    pub number: Number,
    /// in the garden
    pub complement: Option<Complement>,
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

/// What begins a noun phrase.
#[derive(Clone, Debug)]
pub enum Determiner {
    /// the
    The,
    /// a, an
    A,
    /// some; *any* in a negated clause or a question
    Some,
    /// no: only after *there is*
    No,
    /// this, these
    This,
    /// every
    Every,
    /// many
    Many,
    /// two, without an article
    Count,
    /// my
    Possessive(Pronoun),
    /// the girl 's
    Of(Box<Nominal>),
}

/// What follows a noun.
#[derive(Clone, Debug)]
pub enum Complement {
    /// in the garden
    Place(Place),
    /// who sings
    Subject(Box<VerbPhrase>),
    /// that the girl sees
    Object(Box<Clause>),
}

/// in the garden
#[derive(Clone, Debug)]
pub struct Place {
    /// in
    pub preposition: &'static Preposition,
    /// the garden
    pub place: Nominal,
}

/// Somebody does something.
#[derive(Clone, Debug)]
pub struct Clause {
    /// Who or what.
    pub subject: Nominal,
    /// What is said of it; several are joined by *and*.
    pub predicates: Vec<VerbPhrase>,
}

/// does not often see the dog in the garden
#[derive(Clone, Debug)]
pub struct VerbPhrase {
    /// When, or with which helping verb.
    pub form: Form,
    /// Whether it is so.
    pub polarity: Polarity,
    /// often
    pub frequency: Option<&'static Adverb>,
    /// see the dog
    pub head: Head,
    /// in the garden
    pub place: Option<Place>,
    /// slowly; every day
    pub adverb: Option<&'static Adverb>,
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
    /// sees
    Present,
    /// saw
    Past,
    /// wants to see
    Modal(&'static Modal),
    /// tried to see
    PastModal(&'static Modal),
}

/// Whether it is so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Polarity {
    /// It is.
    Yes,
    /// not: *ne … pas*
    Not,
    /// never: *ne … jamais*
    Never,
}

/// The verb with what it needs.
#[derive(Clone, Debug)]
pub enum Head {
    /// is tired
    Be(Predicative),
    /// gives her the book
    Verb {
        /// give
        verb: &'static Verb,
        /// the book
        object: Option<Object>,
        /// her
        recipient: Option<Object>,
    },
    /// says that the boy is tired
    Report(&'static Verb, Box<Clause>),
}

/// What somebody or something can be.
#[derive(Clone, Debug)]
pub enum Predicative {
    /// very tired
    Quality(&'static Adjective, Option<&'static Expression>),
    /// older than the teacher
    Comparison(&'static Adjective, Nominal),
    /// hungry: *avoir faim*
    State(&'static Expression),
    /// in the garden
    Place(Place),
}

/// An object of a verb.
#[derive(Clone, Debug)]
pub enum Object {
    /// the apple
    Nominal(Nominal),
    /// it
    Pronoun(Pronoun),
    /// Nothing: it stands further left, in *the apple that he ate* or *what does he eat*. If it has
    /// features, the participle agrees with them.
    Gap(Option<Features>),
}

/// A whole sentence.
#[derive(Clone, Debug)]
pub enum Sentence {
    /// yesterday she sang .
    Statement(Option<&'static Adverb>, Clause),
    /// does she sing ?
    Question(Clause),
    /// why does she sing ?
    Asking(&'static Expression, Clause),
    /// who sings ?
    Who(VerbPhrase),
    /// what does she see ? (the clause has a gap)
    What(Clause),
    /// who does she see ? (the clause has a gap)
    Whom(Clause),
    /// there is a cat in the garden .
    There {
        /// Whether it is asked.
        question: bool,
        /// *there was*
        past: bool,
        /// a cat
        what: NounPhrase,
        /// in the garden
        place: Place,
    },
    /// she sings because she is happy .
    Compound(Clause, &'static Expression, Clause),
    /// when she sings , the birds sleep .
    Fronted(&'static Expression, Clause, Clause),
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
