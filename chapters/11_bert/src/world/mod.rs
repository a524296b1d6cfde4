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
//! ([`Tag`]), and which cell of which table it is from.
//!
//! 4,000 stories have 1,348 word types, marks among them; 5 to 12 sentences of 4 to 16 words each. A
//! sentence has a name or noun in common with the one before it in 95.8 % of cases, with one of
//! another story in 2.5 %.

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
pub use told::{SENTENCES, Sentence, Story, Tense, Word};
pub use world::{Entity, Pronoun, Tag};
