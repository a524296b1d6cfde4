//! Noun phrases: articles, agreement, the place of adjectives, possession, relative clauses.

use super::super::lexicon::Adjective;
use super::super::phrase::{Concept, Phrase, Word};
use super::super::tree::*;
use super::Renderer;
use super::verbs::Order;

/// Where a noun phrase stands, as far as its determiner has to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Anywhere but in the following places.
    Subject,
    /// The object of a verb with *not* or *never*: *a* and *any* are *de*.
    Negated,
    /// In a question: *some* becomes *any*.
    Asked,
    /// After *there is*: with *no*, the concept of the negation.
    Existing(Option<Concept>),
}

const POSSESSIVES: [&str; 5] = ["my", "his", "our", "your", "their"];

impl Renderer {
    pub(super) fn nominal(&mut self, nominal: &Nominal, role: Role) -> Phrase {
        match nominal {
            Nominal::Pronoun(pronoun) => {
                let (english, french) = subject_pronoun(*pronoun);
                let french = Word::new(french).or(if french == "je" { "j'" } else { french });
                Phrase::word(Word::new(english), french, &mut self.concepts)
            }
            Nominal::Name(name) => self.word(name.text, name.text),
            Nominal::Noun(phrase) => self.noun_phrase(phrase, role),
            Nominal::Both(one, other) => {
                let parts =
                    [self.nominal(one, role), self.word("and", "et"), self.nominal(other, role)];
                Phrase::concat(parts)
            }
        }
    }

    // ANCHOR: noun_phrase
    /// the two small black cats in the garden / les deux petits chats noirs dans le jardin
    pub(super) fn noun_phrase(&mut self, phrase: &NounPhrase, role: Role) -> Phrase {
        let features = phrase.features();
        let (determiner, owner) = self.determiner(phrase, role);
        let count = phrase.count.map(|count| self.expression(count)).unwrap_or_default();
        let before = self.attribute(phrase.before, features);
        let after = self.attribute(phrase.after, features);
        let noun = self.word(phrase.noun.english(phrase.number), phrase.noun.french(phrase.number));
        let complement = self.complement(phrase);

        let head = Phrase::concat([determiner, count, before]);
        let (english, french) = (
            [head.english, after.english, noun.english].concat(), // the small black cat
            [head.french, noun.french, after.french].concat(),    // le petit chat noir
        );
        Phrase::concat([Phrase { english, french }, owner, complement])
    }
    // ANCHOR_END: noun_phrase

    fn attribute(&mut self, adjective: Option<&Adjective>, features: Features) -> Phrase {
        let Some(adjective) = adjective else { return Phrase::default() };
        let french = Word::new(adjective.french(features)).or(adjective.before_vowel(features));
        let french = if adjective.before { french } else { Word::new(adjective.french(features)) };
        Phrase::word(Word::new(adjective.english), french, &mut self.concepts)
    }

    /// What stands before the noun, and the owner, who in French stands behind it.
    fn determiner(&mut self, phrase: &NounPhrase, role: Role) -> (Phrase, Phrase) {
        let features = phrase.features();
        let plural = features.number == Number::Plural;
        let masculine = features.gender == Gender::Masculine;
        let by = |m: &'static str, f: &'static str, p: &'static str| match (plural, masculine) {
            (true, _) => p,
            (false, true) => m,
            (false, false) => f,
        };
        let (english, french) = match &phrase.determiner {
            Determiner::Of(owner) => return self.possession(owner, features),
            Determiner::Some => return (self.some(phrase, role), Phrase::default()),
            Determiner::Count => return Default::default(),
            Determiner::No => {
                let Role::Existing(Some(no)) = role else { panic!("no without there is") };
                let de = Word::new("de").or("d'").means(no);
                let phrase = Phrase { english: vec![Word::new("no").means(no)], french: vec![de] };
                return (phrase, Phrase::default());
            }
            Determiner::Many => {
                let many = self.concept();
                let french =
                    vec![Word::new("beaucoup").means(many), Word::new("de").or("d'").hints(many)];
                let phrase = Phrase { english: vec![Word::new("many").means(many)], french };
                return (phrase, Phrase::default());
            }
            Determiner::The => ("the", article(features)),
            Determiner::A if role == Role::Negated => ("a", Word::new("de").or("d'")),
            Determiner::A => ("a", Word::new(by("un", "une", "des"))),
            Determiner::This => {
                let ce = by("ce", "cette", "ces");
                (
                    if plural { "these" } else { "this" },
                    Word::new(ce).or(if ce == "ce" { "cet" } else { ce }),
                )
            }
            Determiner::Every => ("every", Word::new("chaque")),
            Determiner::Possessive(owner) => {
                let english = match (owner.neuter, owner.features.gender, owner.features.row()) {
                    (true, _, 1) => "its",
                    (_, Gender::Feminine, 1) => "her",
                    (_, _, row) => POSSESSIVES[row],
                };
                (english, possessive(owner.features.row(), by))
            }
        };
        let english = Word::new(english).or(if english == "a" { "an" } else { english });
        (Phrase::word(english, french, &mut self.concepts), Phrase::default())
    }

    /// some cats / des chats, some bread / du pain, some water / de l' eau; not any cats / pas de chats
    fn some(&mut self, phrase: &NounPhrase, role: Role) -> Phrase {
        let features = phrase.features();
        let some = self.concept();
        let english = if matches!(role, Role::Negated | Role::Asked) { "any" } else { "some" };
        let english = vec![Word::new(english).means(some)];
        let de = Word::new("de").or("d'").means(some);
        // Formal French: des chats, but de beaux chats.
        let bare =
            role == Role::Negated || features.number == Number::Plural && phrase.before.is_some();
        let french = if bare { vec![de] } else { vec![de, article(features).means(some)] };
        Phrase { english, french }
    }

    // ANCHOR: possession
    /// the girl 's dog / le chien de la fille: *'s* is *de*; the article of *chien* is nobody's.
    fn possession(&mut self, owner: &Nominal, owned: Features) -> (Phrase, Phrase) {
        let of = self.concept();
        let owner = self.nominal(owner, Role::Subject);
        let before = Phrase {
            english: [owner.english, vec![Word::new("'s").means(of)]].concat(),
            french: vec![article(owned).hints(of)],
        };
        let behind = Phrase {
            english: Vec::new(),
            french: [vec![Word::new("de").or("d'").means(of)], owner.french].concat(),
        };
        (before, behind)
    }
    // ANCHOR_END: possession

    fn complement(&mut self, phrase: &NounPhrase) -> Phrase {
        match &phrase.complement {
            None => Phrase::default(),
            Some(Complement::Place(place)) => self.place(place),
            Some(Complement::Subject(predicate)) => {
                let who = if phrase.noun.human() { "who" } else { "that" };
                let who = self.word(who, "qui");
                let (helper, rest) =
                    self.verb_phrase(predicate, phrase.features(), Order::Statement);
                let helper = Phrase { english: helper.into_iter().collect(), french: Vec::new() };
                Phrase::concat([who, helper, rest])
            }
            Some(Complement::Object(clause)) => {
                let that = Word::new("that");
                let that = Phrase::word(that, Word::new("que").or("qu'"), &mut self.concepts);
                Phrase::concat([that, self.statement(clause)])
            }
        }
    }
}

/// le, la, les, and before a vowel l'.
pub(super) fn article(features: Features) -> Word {
    match (features.number, features.gender) {
        (Number::Plural, _) => Word::new("les").article(),
        (_, Gender::Masculine) => Word::new("le").or("l'").article(),
        (_, Gender::Feminine) => Word::new("la").or("l'").article(),
    }
}

/// mon, ma (before a vowel mon), mes, and so on.
fn possessive(
    owner: usize,
    by: impl Fn(&'static str, &'static str, &'static str) -> &'static str,
) -> Word {
    let text = match owner {
        0 => by("mon", "ma", "mes"),
        1 => by("son", "sa", "ses"),
        2 => by("notre", "notre", "nos"),
        3 => by("votre", "votre", "vos"),
        _ => by("leur", "leur", "leurs"),
    };
    Word::new(text).or(match text {
        "ma" => "mon",
        "sa" => "son",
        other => other,
    })
}

fn subject_pronoun(pronoun: Pronoun) -> (&'static str, &'static str) {
    let feminine = pronoun.features.gender == Gender::Feminine;
    match pronoun.features.row() {
        0 => ("i", "je"),
        1 if pronoun.neuter => ("it", if feminine { "elle" } else { "il" }),
        1 if feminine => ("she", "elle"),
        1 => ("he", "il"),
        2 => ("we", "nous"),
        3 => ("you", "vous"),
        _ => ("they", if feminine { "elles" } else { "ils" }),
    }
}
