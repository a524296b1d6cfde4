//! The English verb: its -s, its helping verbs.

use super::super::lexicon::Modal;
use super::super::phrase::{Concept, Word};
use super::super::tree::*;
use super::renderer::{Marks, Order};

/// The helping verb, which questions put before the subject, if there is one; and the rest.
pub(super) fn english_verb(
    phrase: &VerbPhrase,
    subject: Features,
    order: Order,
    marks: &Marks,
) -> (Option<Word>, Vec<Word>) {
    let past = matches!(phrase.form, Form::Past | Form::PastModal(_));
    let helped = order == Order::Question || phrase.polarity == Polarity::Not;
    match (phrase.form, &phrase.head) {
        (Form::Modal(modal) | Form::PastModal(modal), head) => {
            let (helper, mut words) = match modal.english {
                ["be", ..] => (Some(Word::english(be(subject, past)).hints(marks.modal)), vec![]),
                [can, cans, _] if can == cans => {
                    (Some(Word::english(can).means(marks.modal)), vec![])
                }
                forms => supported(forms, past, helped, subject, marks.modal),
            };
            words.extend(modal_rest(modal, marks));
            words.push(Word::english(base(head)).means(marks.main));
            (helper, words)
        }
        (_, Head::Be(_)) => (Some(Word::english(be(subject, past)).means(marks.main)), vec![]),
        (_, Head::Verb { verb, .. } | Head::Report(verb, _)) => {
            supported(verb.english, past, helped, subject, marks.main)
        }
    }
}

fn base(head: &Head) -> &'static str {
    match head {
        Head::Be(_) => "be",
        Head::Verb { verb, .. } | Head::Report(verb, _) => verb.english[0],
    }
}

/// *does see* or *sees*: negations and questions need the helping verb.
fn supported(
    forms: [&'static str; 3],
    past: bool,
    helped: bool,
    subject: Features,
    concept: Concept,
) -> (Option<Word>, Vec<Word>) {
    let form = if past { 2 } else { subject.third_singular() as usize };
    if helped {
        let does = Word::english(["do", "does", "did"][form]).hints(concept);
        (Some(does), vec![Word::english(forms[0]).means(concept)])
    } else {
        (None, vec![Word::english(forms[form]).means(concept)])
    }
}

/// *going to* of *is going to see*: *to* is *à* or *de* where the French verb has one.
fn modal_rest(modal: &Modal, marks: &Marks) -> Vec<Word> {
    let words = modal.rest.split_whitespace().map(|word| match word {
        "going" => Word::english(word).means(marks.modal),
        _ if !modal.preposition.is_empty() => Word::english(word).means(marks.to),
        _ => Word::english(word).hints(marks.main),
    });
    words.collect()
}

/// am, is, are; was, were.
pub(super) fn be(subject: Features, past: bool) -> &'static str {
    match (past, subject.row()) {
        (false, 0) => "am",
        (false, 1) => "is",
        (false, _) => "are",
        (true, 0 | 1) => "was",
        (true, _) => "were",
    }
}
