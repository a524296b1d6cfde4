//! From a sentence with gaps to words that know where they come from.

use super::dice::Dice;
use super::lexicon::{Cell, LISTS, table};
use super::script::{Step, Wording};
use super::told::{Sentence, Story, Tense, Word};
use super::world::{Entity, Pronoun, Tag};

/// The words of a cell, in a tense.
pub(super) fn words_of(cell: Cell, entity: Option<usize>, tense: Tense) -> Vec<Word> {
    let mut words: Vec<Word> =
        cell.text().split_whitespace().flat_map(|token| literal(token, tense)).collect();
    let kind = table(cell.table).kind();
    for word in &mut words {
        (word.entity, word.cell) = (entity, Some(cell));
        if !kind.is_empty() {
            word.tag = Tag::read(kind);
        }
    }
    words
}

/// Words as a script or a table has them: `present/past`, `word:tag`, `two_words`.
fn literal(token: &str, tense: Tense) -> impl Iterator<Item = Word> {
    let (token, tag) = match token.split_once(':') {
        Some((token, letter)) => (token, Tag::read(letter)),
        None => (token, Tag::Other),
    };
    let form = match token.split_once('/') {
        Some((present, _)) if tense == Tense::Present => present,
        Some((_, past)) => past,
        None => token,
    };
    form.split('_').map(move |text| plain(text, tag))
}

pub(super) fn plain(text: &str, tag: Tag) -> Word {
    Word { text: text.into(), tag, entity: None, cell: None, pronoun: false }
}

/// Spoken with a vowel first.
const SILENT_H: [&str; 2] = ["hour", "honest"];

/// `a` before a vowel is *an*. No table has a *university*, spoken with a consonant first.
pub(super) fn settle_articles(words: &mut [Word]) {
    for place in 1..words.len() {
        let next = words[place].text.as_str();
        let vowel = next.starts_with(['a', 'e', 'i', 'o', 'u']) || SILENT_H.contains(&next);
        let article = &mut words[place - 1];
        if (article.text == "a" || article.text == "an") && article.tag == Tag::Other {
            article.text = if vowel { "an" } else { "a" }.into();
        }
    }
}

/// Tells steps, one sentence each.
pub(super) struct Teller<'a> {
    pub story: &'a mut Story,
    pub dice: &'a mut Dice,
    /// Whether people come by their names first in every sentence.
    pub by_name: bool,
    /// The part of the day.
    pub slot: &'static str,
    /// Who holds the hero's thing.
    pub holder: usize,
}

/// Words (without marks) of a sentence: no fewer, no more.
pub const LENGTHS: std::ops::RangeInclusive<usize> = 4..=16;

impl Teller<'_> {
    /// Puts the step to the story.
    ///
    /// A sentence that shares no name with the one before it, or is too short or too long, is told
    /// anew, now with names instead of pronouns: a reader shall see that one follows the other.
    pub fn tell(&mut self, step: &Step) {
        for attempt in 0.. {
            assert!(attempt < 1000, "nothing fits: {:?}", step.wordings[0].tokens);
            let wording = &step.wordings[self.dice.below(step.wordings.len())];
            let sentence = self.sentence(wording, attempt > 2 || self.by_name);
            let follows = match self.story.sentences.last() {
                Some(last) => sentence.shares_a_name(last) || attempt > 20,
                None => true,
            };
            if follows && LENGTHS.contains(&sentence.len()) {
                self.story.sentences.push(sentence);
                return self.change(wording);
            }
        }
    }

    fn sentence(&mut self, wording: &Wording, by_name: bool) -> Sentence {
        let mut words = Vec::new();
        for token in &wording.tokens {
            self.token(token, by_name, &mut words);
        }
        settle_articles(&mut words);
        Sentence { words }
    }

    fn token(&mut self, token: &'static str, by_name: bool, words: &mut Vec<Word>) {
        if let Some(inner) = token.strip_prefix('{') {
            let inner = inner.trim_end_matches('}');
            let (role, form) = inner.split_once('.').unwrap_or((inner, ""));
            match role {
                "ab" => self.both(by_name, words),
                _ => self.mention(role, form, by_name, words),
            }
        } else if let Some(list) = token.strip_prefix('[') {
            let list = list.trim_end_matches(']');
            let choices = &LISTS[if list == "time" { self.slot } else { list }];
            for token in self.dice.pick(choices).split_whitespace() {
                self.token(token, by_name, words);
            }
        } else {
            words.extend(literal(token, self.story.tense));
        }
    }

    /// Names, describes or resumes somebody or something.
    fn mention(&mut self, role: &str, form: &str, by_name: bool, words: &mut Vec<Word>) {
        let entity = if role == "holder" { self.holder } else { self.story.role(role) };
        let case = match form {
            "" | "it" => 0,
            "obj" | "him" => 1,
            "poss" | "its" => 2,
            "name" => return words.extend(self.cell(entity, self.story.entities[entity].noun())),
            "full" => return self.noun(entity, words),
            attribute => {
                let cell = self.story.entities[entity].cell(attribute);
                let cell = cell.unwrap_or_else(|| panic!("{role} has no {attribute}"));
                return words.extend(self.cell(entity, cell));
            }
        };
        let forced = matches!(form, "it" | "him" | "its");
        let again = words.iter().any(|word| self.names(word, entity));
        let free = (again || !by_name) && self.understood(entity, words);
        if forced || free && self.dice.chance(if again { 0.9 } else { 0.7 }) {
            words.push(self.pronoun(entity, case));
            return;
        }
        self.noun(entity, words);
        if case == 2 {
            words.push(plain("'s", Tag::Other));
        }
    }

    fn pronoun(&self, entity: usize, case: usize) -> Word {
        let Entity { tag, pronoun, .. } = self.story.entities[entity];
        let text = pronoun.forms()[case];
        Word { entity: Some(entity), pronoun: true, ..plain(text, tag) }
    }

    /// A name, or a noun with what goes before it.
    fn noun(&mut self, entity: usize, words: &mut Vec<Word>) {
        let known = |column| self.story.entities[entity].cell(column);
        let (name, colour) = (known("called"), known("colour"));
        let noun = self.story.entities[entity].noun();
        match self.story.entities[entity].role {
            "a" | "b" | "day" => return words.extend(self.cell(entity, noun)),
            "food" if !self.is_told(noun) => return words.extend(self.cell(entity, noun)),
            _ => {}
        }
        if let Some(name) = name.filter(|name| self.is_told(*name))
            && self.dice.chance(0.5)
        {
            return words.extend(self.cell(entity, name));
        }
        words.push(plain("the", Tag::Other));
        if let Some(colour) = colour
            && self.dice.chance(0.4)
        {
            words.extend(self.cell(entity, colour));
        }
        words.extend(self.cell(entity, noun));
    }

    /// Hero and friend together: *they* when the sentence before names or resumes both.
    fn both(&mut self, by_name: bool, words: &mut Vec<Word>) {
        let [a, b] = [self.story.role("a"), self.story.role("b")];
        let last = self.story.sentences.last();
        let named = |entity| {
            last.is_some_and(|last| last.words.iter().any(|word| self.names(word, entity)))
        };
        if named(a) && named(b) && !by_name && self.dice.chance(0.7) {
            let they = Pronoun::They.forms()[0];
            return words.push(Word { pronoun: true, ..plain(they, Tag::Person) });
        }
        self.noun(a, words);
        words.push(plain("and", Tag::Other));
        self.noun(b, words);
    }

    fn cell(&self, entity: usize, cell: Cell) -> Vec<Word> {
        words_of(cell, Some(entity), self.story.tense)
    }

    fn is_told(&self, cell: Cell) -> bool {
        let mut words = self.story.sentences.iter().flat_map(|sentence| &sentence.words);
        words.any(|word| word.cell == Some(cell))
    }

    /// Whether a pronoun here can only mean this one: it is named in this sentence or the one
    /// before, and nothing else is that has the same pronoun.
    fn understood(&self, entity: usize, words: &[Word]) -> bool {
        let Entity { role, tag, pronoun, .. } = self.story.entities[entity];
        if tag == Tag::Place || role == "path" {
            return false; // one goes to it, but does not say so
        }
        let last = self.story.sentences.last().map_or(&[][..], |last| &last.words);
        let mut named = false;
        for word in last.iter().chain(words).filter(|word| word.tag != Tag::Other) {
            match word.entity {
                Some(one) if one == entity && self.names(word, entity) => named = true,
                Some(one) if one == entity && tag == Tag::Person => {} // a job is no rival
                Some(one) if self.story.entities[one].pronoun != pronoun => {}
                None if pronoun != Pronoun::It && word.tag != Tag::Person => {}
                None if pronoun == Pronoun::It && word.tag == Tag::Person => {}
                _ => return false,
            }
        }
        named
    }

    /// Whether the word is the entity's name, noun or pronoun, not what it is or has besides.
    fn names(&self, word: &Word, entity: usize) -> bool {
        let noun = self.story.entities[entity].noun();
        let called = self.story.entities[entity].cell("called");
        let is_name = word.cell.is_some_and(|cell| cell == noun || Some(cell) == called);
        word.entity == Some(entity) && (word.pronoun || is_name)
    }

    /// What is different after the sentence.
    fn change(&mut self, wording: &Wording) {
        for [_, _, whom] in wording.effects.iter().filter(|effect| effect[1] == "with") {
            self.holder = self.story.role(whom);
        }
    }
}
