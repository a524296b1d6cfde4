//! The tables of words: right in themselves, and what the links say is what they say.

use parallel::lexicon::{NOUNS, VERBS};
use parallel::{examples, sample};
use std::collections::{HashMap, HashSet};

const NAMES: &str = include_str!("../../lexicon/names.md");
const NOUN_TABLE: &str = include_str!("../../lexicon/nouns.md");
const ADJECTIVE_TABLE: &str = include_str!("../../lexicon/adjectives.md");
const VERB_TABLE: &str = include_str!("../../lexicon/verbs.md");
const MODALS: &str = include_str!("../../lexicon/modals.md");
const STATES: &str = include_str!("../../lexicon/predicates.md");

fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    table.lines().skip(2).map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
}

/// Which rows of the tables a form belongs to.
#[derive(Default)]
struct Dictionary {
    english: HashMap<String, HashSet<usize>>,
    french: HashMap<String, HashSet<usize>>,
    rows: usize,
}

impl Dictionary {
    fn new() -> Dictionary {
        let mut dictionary = Dictionary::default();
        for row in rows(NOUN_TABLE) {
            dictionary.add(&row[0..2], &row[2..4]);
        }
        for row in rows(NAMES) {
            dictionary.add(&row[0..1], &row[0..1]);
        }
        for row in rows(STATES) {
            dictionary.add(&row[0..1], &row[1..2]);
        }
        for row in rows(ADJECTIVE_TABLE) {
            let comparative = if row[1] == "more" { "–" } else { row[1] };
            dictionary.add(&[row[0], comparative], &row[2..7]);
        }
        for row in rows(VERB_TABLE).chain(rows(MODALS)) {
            let first = |form: &str| form.split(' ').next().unwrap().to_string();
            let mut english: Vec<String> = row[0..3].iter().map(|form| first(form)).collect();
            if row[0] == "be going to" {
                english = vec!["going".into()];
            }
            let infinitive = row[8].trim_start_matches("se ").trim_start_matches("s'");
            let mut french: Vec<String> = row[3..8].iter().map(|form| form.to_string()).collect();
            french.push(first(infinitive));
            french.extend(["", "e", "s", "es"].map(|ending| format!("{}{ending}", row[9])));
            dictionary.add(&english, &french);
        }
        dictionary
    }

    fn add(&mut self, english: &[impl AsRef<str>], french: &[impl AsRef<str>]) {
        self.rows += 1;
        for word in english.iter().map(AsRef::as_ref).filter(|word| *word != "–") {
            self.english.entry(word.into()).or_default().insert(self.rows);
        }
        for word in french.iter().map(AsRef::as_ref).filter(|word| !word.starts_with('–')) {
            self.french.entry(word.into()).or_default().insert(self.rows);
        }
    }
}

/// Nouns, names, adjectives and verbs are linked with words from their own row of the tables, and
/// none is without a sure link.
#[test]
fn sure_links_are_entries_of_the_lexicon() {
    let dictionary = Dictionary::new();
    let mut rng = shared::rng(5);
    let sampled = (0..50_000).map(|k| sample(k % 24, &mut rng).pair());
    for pair in sampled.chain(examples()) {
        let sure = &pair.alignment.as_ref().unwrap().sure;
        for (i, word) in pair.source.iter().enumerate() {
            let Some(rows) = dictionary.english.get(word) else { continue };
            let linked = sure.iter().filter(|link| link.0 == i).map(|link| &pair.target[link.1]);
            let known: Vec<_> = linked.filter_map(|french| dictionary.french.get(french)).collect();
            assert!(!known.is_empty(), "{word} in {pair:?}");
            assert!(known.iter().all(|other| !rows.is_disjoint(other)), "{word} in {pair:?}");
        }
        for (j, word) in pair.target.iter().enumerate() {
            if dictionary.french.contains_key(word) {
                assert!(sure.iter().any(|link| link.1 == j), "{word} in {pair:?}");
            }
        }
    }
}

#[test]
fn no_english_form_says_two_things() {
    let mut seen = HashSet::new();
    for noun in NOUNS.iter() {
        for form in noun.english.iter().filter(|form| !form.is_empty()) {
            assert!(seen.insert(*form), "{form} twice");
        }
    }
    for verb in VERBS.iter().filter(|verb| verb.is_action()) {
        let [base, third, past] = verb.english;
        assert!(base != past && third != past && base != third, "{base}: which tense?");
    }
}

/// Spelling that French is regular in: plurals in -s except for -s, -x and the irregular ones below,
/// feminine forms in -e, plurals of adjectives in -s or -x, infinitives, je = il for verbs in -er.
#[test]
fn french_forms_look_right() {
    for noun in NOUNS.iter().filter(|noun| noun.countable()) {
        let [one, several] = noun.french;
        let regular = match one {
            _ if one.starts_with("grand-") => several == one.replacen("grand-", "grands-", 1) + "s",
            "cheval" => several == "chevaux",
            "journal" => several == "journaux",
            "hôpital" => several == "hôpitaux",
            "hibou" => several == "hiboux",
            _ if one.ends_with(['s', 'x']) => several == one,
            _ if one.ends_with("eau") => several == format!("{one}x"),
            _ => several == format!("{one}s"),
        };
        assert!(regular, "{one}, {several}");
    }
    for row in rows(ADJECTIVE_TABLE) {
        let [il, vowel, elle, ils, elles] = row[2..7] else { panic!("{row:?}") };
        assert!(elle.ends_with('e') && elles == format!("{elle}s"), "{row:?}");
        assert!(if il.ends_with(['s', 'x']) {
            ils == il
        } else {
            ils == format!("{il}s") || il == "beau" || il == "nouveau"
        });
        assert!(il == vowel || ["beau", "nouveau", "vieux"].contains(&il), "{row:?}");
    }
    for row in rows(VERB_TABLE).chain(rows(MODALS)) {
        let [je, il, nous, vous, ils, infinitive, participle] = row[3..10] else {
            panic!("{row:?}")
        };
        let verb = infinitive.trim_start_matches("se ").trim_start_matches("s'");
        let verb = verb.split(' ').next().unwrap();
        assert!(nous.ends_with("ons") && (vous.ends_with("ez") || vous == "dites"), "{row:?}");
        assert!(ils.ends_with("nt"), "{row:?}");
        if verb.ends_with("er") && verb != "aller" {
            let stem = verb.trim_end_matches("er");
            assert!(je == il && ils == format!("{je}nt"), "{row:?}");
            assert!(vous == format!("{stem}ez"), "{row:?}");
            assert!(participle == "–" || participle == format!("{stem}é"), "{row:?}");
        }
    }
}
