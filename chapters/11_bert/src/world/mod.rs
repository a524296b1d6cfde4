//! Short stories about a small world, for a model that learns from running text.
//!
//! ```text
//! daisy lives in the golden tower opposite the station. daisy keeps a quiet grey cow in the golden
//! tower. daisy calls the cow ruby. … on saturday morning daisy hears that ruby moos. daisy gives the
//! cow some fresh hay. after that daisy sees ruby asleep in the barn. …
//! ```
//!
//! A world of tables ([`lexicon`]) says what goes with what: a baker works in the bakery, bakes bread
//! and needs an oven. A story draws people, animals, places and things from it, tells some facts
//! about them, then a day of one to three plots from a script; sentences have gaps, which names,
//! nouns and pronouns fill. What has been told stays true: people have one job, houses one colour, who
//! is given a key has it until it passes on, and the evening comes after the morning. A pronoun stands
//! only where one antecedent agrees with it; in *the dog did not cross the street because it was too
//! wide* the last word decides. All verbs of a story are in its tense.
//!
//! Nothing is forgotten: a [`Story`] keeps which entity each word names or describes, what it names
//! ([`Tag`]), which cell of which table it is from, and whether that was told before.
//!
//! Measured on 4,000 stories (`cargo test -p bert --test checks documents -- --nocapture`):
//!
//! | | |
//! |---|---|
//! | word types, marks among them | 1,348 |
//! | a document | 5–12 sentences, 10.5 on the average |
//! | a sentence | 4–16 words; 10.5 words and marks on the average |
//! | loss on words of 400 stories held out | uniform 7.21, unigram 5.60, bigram 3.38 nats |
//! | the choices made for a word, at most its entropy | 1.15 nats |
//! | words that earlier sentences tell | 21.4 %, on which the bigram's loss is 5.52 nats |
//! | name or noun in common with the sentence before | 95.8 % of sentences, 2.5 % of another story's |
//!
//! So a model that reads earlier sentences can save more than 2.2 nats a word, and which of two
//! sentences is the next can be seen in 96.7 % of cases by names alone, before tense, gender, time of
//! day and what goes with what are used.

mod dice;
pub mod lexicon;
mod script;
mod sentences;
mod splits;
mod story;
pub mod tasks;
mod told;
mod world;

pub use corpora::texts::Document;
pub use sentences::LENGTHS;
pub use splits::{Splits, document, documents, story};
pub use told::{Event, SENTENCES, Sentence, Story, Tense, Word};
pub use world::{Entity, Pronoun, Tag};
