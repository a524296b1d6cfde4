//! Who and what a story is about.

use super::dice::Dice;
use super::lexicon::{Cell, table};

/// What a word names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tag {
    /// Somebody: a name, a job, *she*.
    Person,
    /// An animal, by its kind or name.
    Animal,
    /// A place one can be at.
    Place,
    /// A thing, food among them.
    Thing,
    /// All else.
    Other,
}

impl Tag {
    /// All of them, in the order of their numbers.
    pub const ALL: [Tag; 5] = [Tag::Person, Tag::Animal, Tag::Place, Tag::Thing, Tag::Other];

    /// Reads the letter after the colon in a table.
    pub(super) fn read(letter: &str) -> Tag {
        match letter {
            "h" => Tag::Person,
            "a" => Tag::Animal,
            "p" => Tag::Place,
            "t" => Tag::Thing,
            _ => panic!("no kind of word: {letter}"),
        }
    }
}

/// The pronoun of an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pronoun {
    /// she, her, her
    She,
    /// he, him, his
    He,
    /// it, it, its
    It,
    /// they, them, their
    They,
}

impl Pronoun {
    /// Its forms as subject, as object, as possessive.
    pub fn forms(self) -> [&'static str; 3] {
        match self {
            Pronoun::She => ["she", "her", "her"],
            Pronoun::He => ["he", "him", "his"],
            Pronoun::It => ["it", "it", "its"],
            Pronoun::They => ["they", "them", "their"],
        }
    }
}

/// Somebody or something in a story, as rows of the world's tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entity {
    /// Its part in the story, as the scripts call it: `a` is the hero, `b` the other person.
    pub role: &'static str,
    /// Its kind.
    pub tag: Tag,
    /// The pronoun that stands for it.
    pub pronoun: Pronoun,
    /// Its rows: table and row.
    pub rows: Vec<(&'static str, usize)>,
}

/// The roles that stay through a story; the others change from plot to plot.
pub(super) const LASTING: [&str; 8] = ["a", "b", "pet", "thing", "home", "home2", "weather", "day"];

/// The roles that are new in every plot.
pub(super) const PASSING: [&str; 6] = ["spot", "food", "need", "path", "wild", "game"];

impl Entity {
    /// Somebody or something for the role, unlike all `others` in every table that both are of.
    pub(super) fn draw(role: &'static str, others: &[Entity], dice: &mut Dice) -> Entity {
        let (tag, tables): (Tag, &[&'static str]) = match role {
            "a" | "b" => (Tag::Person, &["people", "characters", "ties", "jobs"]),
            "pet" => (Tag::Animal, &["animals", "coats", "sizes", "pets"]),
            "thing" => (Tag::Thing, &["things", "colours", "materials"]),
            "home" | "home2" => (Tag::Place, &["homes", "colours", "nears"]),
            "p" => (Tag::Place, &["places"]),
            "spot" => (Tag::Place, &["spots"]),
            "food" => (Tag::Thing, &["foods"]),
            "need" => (Tag::Other, &["needs"]),
            "path" => (Tag::Place, &["paths"]),
            "weather" => (Tag::Other, &["weather"]),
            "wild" => (Tag::Animal, &["wild"]),
            "game" => (Tag::Thing, &["games"]),
            "day" => (Tag::Other, &["days"]),
            _ => panic!("no role {role}"),
        };
        let pronoun = match tag {
            Tag::Person if dice.chance(0.5) => Pronoun::She,
            Tag::Person => Pronoun::He,
            _ => Pronoun::It,
        };
        let mut entity = Entity { role, tag, pronoun, rows: Vec::new() };
        let names = others.iter().filter_map(|one| one.cell("name").or(one.cell("called")));
        let names: Vec<&str> = names.map(|cell| cell.text()).collect();
        for &name in tables {
            let rows = &table(name).rows;
            let taken = |row: usize| match name {
                "people" | "pets" => {
                    let column = usize::from(name == "people" && pronoun == Pronoun::He);
                    names.contains(&rows[row][column])
                }
                _ => others.iter().any(|other| other.rows.contains(&(name, row))),
            };
            let free: Vec<usize> = (0..rows.len()).filter(|row| !taken(*row)).collect();
            entity.rows.push((name, dice.pick(&free)));
        }
        if let Some((_, letter)) = entity.noun().text().rsplit_once(':') {
            entity.tag = Tag::read(letter); // a fence stands among the paths, but is a thing
        }
        entity
    }

    /// The cell of one of its tables that says this: its `colour`, say. A person's `name` and `tie`
    /// stand in the columns of its gender.
    pub fn cell(&self, column: &str) -> Option<Cell> {
        let column = match (column, self.pronoun) {
            ("name", Pronoun::She) => "she",
            ("name", Pronoun::He) => "he",
            ("tie", Pronoun::She) => "sister",
            ("tie", Pronoun::He) => "brother",
            _ => column,
        };
        self.rows.iter().find_map(|(name, row)| {
            let table = table(name);
            let place = table.column(column)?;
            Some(Cell { table: table.name, row: *row, column: table.columns[place] })
        })
    }

    /// The cell of what it is called when it is called by a noun or a name.
    pub(super) fn noun(&self) -> Cell {
        let column = match self.role {
            "a" | "b" => "name",
            "pet" => "animal",
            "home" | "home2" => "home",
            "p" => "place",
            "wild" => "beast",
            "weather" => "sky",
            "need" => "state",
            role => role,
        };
        self.cell(column).unwrap_or_else(|| panic!("{} has no noun", self.role))
    }
}
