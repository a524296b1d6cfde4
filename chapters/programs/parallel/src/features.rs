//! What words agree in: person, number, gender.

#![allow(missing_docs)] // what stands beside a variant says it

/// One or several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    Singular, // one
    Plural,   // several
}

/// The gender of a French noun or of a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gender {
    Masculine, // le
    Feminine,  // la
}

impl Gender {
    /// `m` or `f`.
    pub fn read(letter: &str) -> Gender {
        if letter == "f" { Gender::Feminine } else { Gender::Masculine }
    }
}

/// Who speaks, who is spoken to, who is spoken of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Person {
    First,  // i, we
    Second, // you
    Third,  // everybody else
}

/// What words agree in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Features {
    pub person: Person, // decides the form of the verb
    pub number: Number, // decides the form of the verb, the article and the adjective
    pub gender: Gender, // decides the form of the article and the adjective
}

impl Features {
    /// The features of a noun, a name or the like.
    pub fn third(number: Number, gender: Gender) -> Features {
        Features { person: Person::Third, number, gender }
    }

    /// The place in a table *je, il, nous, vous, ils*. English *you* is *vous*, to one person.
    pub fn row(self) -> usize {
        match (self.person, self.number) {
            (Person::First, Number::Singular) => 0,
            (Person::Third, Number::Singular) => 1,
            (Person::First, Number::Plural) => 2,
            (Person::Second, _) => 3,
            (Person::Third, Number::Plural) => 4,
        }
    }

    /// Whether the English verb takes its *-s*.
    pub fn third_singular(self) -> bool {
        self.row() == 1
    }
}
