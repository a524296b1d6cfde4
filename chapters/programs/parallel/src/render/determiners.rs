//! What stands before a noun: the, a, some, this, my.

use super::super::phrase::{Concept, Phrase, Word};
use super::super::tree::*;
use super::renderer::Renderer;

/// Where a noun phrase stands, as far as its determiner has to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Anywhere but in the following places.
    Usual,
    /// The object of a verb with *not* or *never*: *a* and *any* are *de*.
    Negated,
    /// In a question: *some* becomes *any*.
    Asked,
    /// After *there is*: with *no*, the concept of the negation.
    Existing(Option<Concept>),
}

impl Renderer {
    pub(super) fn determiner(&mut self, phrase: &NounPhrase, role: Role) -> Phrase {
        let features = phrase.features();
        let several = features.number == Number::Plural;
        let (english, french) = match &phrase.determiner {
            Determiner::The => ("the", article(features)),
            Determiner::A if role == Role::Negated => ("a", Word::french("de")),
            Determiner::A => ("a", Word::french(by(features, ["un", "une", "des"]))),
            Determiner::This if several => ("these", Word::french("ces")),
            Determiner::This => ("this", Word::french(by(features, ["ce", "cette", "ces"]))),
            Determiner::Every => ("every", Word::french("chaque")),
            Determiner::Possessive(owner) => possessive(*owner, features),
            Determiner::Some => return self.some(phrase, role),
            Determiner::Many => return self.many(),
            Determiner::No => return no(role),
            Determiner::Count | Determiner::Of(_) => return Phrase::default(),
        };
        self.translation(Word::english(english), french)
    }

    /// some cats / des chats, some bread / du pain, some water / de l' eau; not any cats / pas de chats
    fn some(&mut self, phrase: &NounPhrase, role: Role) -> Phrase {
        let some = self.concept();
        let english = if matches!(role, Role::Negated | Role::Asked) { "any" } else { "some" };
        let de = Word::french("de").means(some);
        let several = phrase.number == Number::Plural;
        let bare = role == Role::Negated || several && phrase.before.is_some(); // de beaux chats
        let article = (!bare).then(|| article(phrase.features()).means(some));
        let french = [de].into_iter().chain(article);
        Phrase::new([Word::english(english).means(some)], french)
    }

    /// many cats / beaucoup de chats
    fn many(&mut self) -> Phrase {
        let many = self.concept();
        let french = [Word::french("beaucoup").means(many), Word::french("de").hints(many)];
        Phrase::new([Word::english("many").means(many)], french)
    }
}

/// there is no cat / il n' y a pas *de* chat: one concept for n', pas and de.
fn no(role: Role) -> Phrase {
    let Role::Existing(Some(no)) = role else { panic!("no stands after there is") };
    let (english, french) = (Word::english("no").means(no), Word::french("de").means(no));
    Phrase::new([english], [french])
}

/// le, la, les.
pub(super) fn article(features: Features) -> Word {
    Word::french(by(features, ["le", "la", "les"])).article()
}

/// The form for masculine, feminine, plural.
fn by(features: Features, forms: [&'static str; 3]) -> &'static str {
    match (features.number, features.gender) {
        (Number::Plural, _) => forms[2],
        (_, Gender::Masculine) => forms[0],
        (_, Gender::Feminine) => forms[1],
    }
}

/// mon, ma, mes: the French word agrees with what is owned, the English word with who owns it.
fn possessive(owner: Pronoun, owned: Features) -> (&'static str, Word) {
    let row = owner.features.row();
    let english = match owner.features.gender {
        Gender::Feminine if row == 1 => "her",
        _ => ["my", "his", "our", "your", "their"][row],
    };
    let forms = [
        ["mon", "ma", "mes"],
        ["son", "sa", "ses"],
        ["notre", "notre", "nos"],
        ["votre", "votre", "vos"],
        ["leur", "leur", "leurs"],
    ];
    (english, Word::french(by(owned, forms[row])))
}
