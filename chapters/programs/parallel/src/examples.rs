//! The sentences that the book's pages translate again and again. No split contains them.

use super::lexicon::{adjective, noun, verb};
use super::tree::*;
use corpora::Pair;

/// What [`examples`] says, in English and in French.
pub const EXAMPLES: [(&str, &str); 5] = [
    (
        "the black cat does not see the old man 's white horse .",
        "le chat noir ne voit pas le cheval blanc du vieil homme .",
    ),
    (
        "the women who work in the old hospital are tired .",
        "les femmes qui travaillent dans le vieil hôpital sont fatiguées .",
    ),
    ("the girl took the red apple and ate it .", "la fille a pris la pomme rouge et l' a mangée ."),
    (
        "did the queen show him the beautiful garden ?",
        "est-ce que la reine lui a montré le beau jardin ?",
    ),
    (
        "the owls that the children heard are not big .",
        "les hiboux que les enfants ont entendus ne sont pas grands .",
    ),
];

/// The five sentences of [`EXAMPLES`], with their alignments.
///
/// ```
/// let pair = &parallel::examples()[0];
/// let alignment = pair.alignment.as_ref().unwrap();
/// // "not" (4) is both "ne" (3) and "pas" (5); "does" (3) is neither, and perhaps part of "voit".
/// assert!(alignment.sure.contains(&(4, 3)) && alignment.sure.contains(&(4, 5)));
/// assert!(alignment.possible.contains(&(3, 4)));
/// ```
pub fn examples() -> Vec<Pair> {
    sentences().iter().map(Sentence::pair).collect()
}

fn sentences() -> [Sentence; 5] {
    [black_cat(), tired_women(), red_apple(), beautiful_garden(), big_owls()]
}

fn black_cat() -> Sentence {
    let man = NounPhrase { before: Some(adjective("old")), ..the("man", Number::Singular) };
    let horse = NounPhrase {
        determiner: Determiner::Of(Box::new(man.into())),
        after: Some(adjective("white")),
        ..the("horse", Number::Singular)
    };
    let cat = NounPhrase { after: Some(adjective("black")), ..the("cat", Number::Singular) };
    let sees = does("see", Form::Present, Some(Object::Nominal(horse.into())));
    tell(cat, vec![VerbPhrase { polarity: Polarity::Not, ..sees }])
}

fn tired_women() -> Sentence {
    let hospital =
        NounPhrase { before: Some(adjective("old")), ..the("hospital", Number::Singular) };
    let work = does("work", Form::Present, Some(Object::Nominal(hospital.into())));
    let women = NounPhrase {
        complement: Some(Complement::Subject(Box::new(work))),
        ..the("woman", Number::Plural)
    };
    tell(women, vec![is("tired")])
}

fn red_apple() -> Sentence {
    let apple = NounPhrase { after: Some(adjective("red")), ..the("apple", Number::Singular) };
    let it = Pronoun { features: apple.features(), neuter: true };
    let took = does("take", Form::Past, Some(Object::Nominal(apple.into())));
    let ate = does("eat", Form::Past, Some(Object::Pronoun(it)));
    tell(the("girl", Number::Singular), vec![took, ate])
}

fn beautiful_garden() -> Sentence {
    let garden =
        NounPhrase { before: Some(adjective("beautiful")), ..the("garden", Number::Singular) };
    let features = Features::third(Number::Singular, Gender::Masculine);
    let him = Object::Pronoun(Pronoun { features, neuter: false });
    let head = Head::Verb {
        verb: verb("show", true),
        object: Some(Object::Nominal(garden.into())),
        recipient: Some(him),
    };
    let show = VerbPhrase { form: Form::Past, ..VerbPhrase::new(head) };
    let queen = the("queen", Number::Singular).into();
    Sentence::Question(Clause { subject: queen, predicates: vec![show] })
}

fn big_owls() -> Sentence {
    let mut owls = the("owl", Number::Plural);
    let heard = does("hear", Form::Past, Some(Object::Gap(Some(owls.features()))));
    let subject = the("child", Number::Plural).into();
    owls.complement =
        Some(Complement::Object(Box::new(Clause { subject, predicates: vec![heard] })));
    tell(owls, vec![VerbPhrase { polarity: Polarity::Not, ..is("big") }])
}

fn the(english: &str, number: Number) -> NounPhrase {
    NounPhrase::new(Determiner::The, noun(english), number)
}

fn tell(subject: NounPhrase, predicates: Vec<VerbPhrase>) -> Sentence {
    Sentence::Statement(None, Clause { subject: subject.into(), predicates })
}

fn does(english: &str, form: Form, object: Option<Object>) -> VerbPhrase {
    let head = Head::Verb { verb: verb(english, object.is_some()), object, recipient: None };
    VerbPhrase { form, ..VerbPhrase::new(head) }
}

fn is(english: &str) -> VerbPhrase {
    VerbPhrase::new(Head::Be(Predicative::Quality(adjective(english), None)))
}

#[cfg(test)]
mod tests {
    use super::super::Combination;
    use super::*;

    /// A model that has seen enough can translate them: no combination in them is kept from it.
    #[test]
    fn examples_hold_nothing_that_is_held_out() {
        assert!(!Combination("eat", "apple").held_out(), "she ate it");
        for sentence in sentences() {
            let combinations = sentence.combinations();
            assert!(combinations.len() >= 2, "{combinations:?}");
            assert!(
                !combinations.iter().any(|combination| combination.held_out()),
                "{combinations:?}"
            );
        }
    }
}
