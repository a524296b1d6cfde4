//! Prints what the book's appendix *The parallel corpus* shows: the sizes of the splits, and for
//! each rule of the grammar the first short pairs of a sample that obey it, with their links.
//!
//! ```sh
//! cargo run -p parallel --example rules > chapters/programs/parallel/examples/rules.txt
//! ```
//!
//! A test compares that file with what is printed here.

use corpora::Pair;
use parallel::lexicon::{ADJECTIVES, Adjective, Noun, VERBS};
use parallel::{Sizes, Splits, examples, sample, splits};
use rand::RngExt;
use std::collections::HashSet;

fn main() {
    print!("{}", text());
}

/// The whole file. Lines with ANCHOR are for the book, which prints the parts one by one.
pub fn text() -> String {
    let mut rng = shared::rng(1);
    let pairs: Vec<Pair> =
        (0..20_000).map(|_| sample(rng.random_range(0..10), &mut rng).pair()).collect();
    let rules: String = RULES
        .iter()
        .map(|(name, shows)| {
            let longest = if LONG.contains(name) { 13 } else { 9 };
            let found = pairs.iter().filter(|pair| pair.source.len() <= longest && shows(pair));
            let shown: Vec<String> = first_different(found).iter().map(|pair| show(pair)).collect();
            section(name, &shown.join("\n"))
        })
        .collect();
    let returning: Vec<String> = examples().iter().map(show).collect();
    section("sizes", &(sizes() + &counts(&pairs)))
        + &section("examples", &returning.join("\n"))
        + &rules
}

const LONG: [&str; 2] = ["far", "referents"];

type Shows = fn(&Pair) -> bool;

const RULES: [(&str, Shows); 20] = [
    ("adjectives", |pair| has(pair, "black", "noirs") || has(pair, "white", "blanche")),
    ("before", |pair| has(pair, "old", "vieil") || has(pair, "beautiful", "bel")),
    ("some", |pair| has(pair, "some", "du") || has(pair, "some", "des")),
    ("some_de", |pair| has(pair, "some", "de") && !pair.target.iter().any(|word| word == "la")),
    ("negation", |pair| has(pair, "not", "pas") && has(pair, "a", "de")),
    ("never", |pair| has(pair, "never", "jamais") && has(pair, "never", "ne")),
    ("possession", |pair| has(pair, "'s", "du") || has(pair, "'s", "d'")),
    ("possessives", |pair| {
        has(pair, "her", "son") && pair.target.iter().any(|word| word == "oie" || word == "horloge")
    }),
    ("pronouns", |pair| has(pair, "her", "la") && has(pair, "not", "pas")),
    ("to_whom", |pair| has(pair, "her", "lui") && has(pair, "gave", "donné")),
    ("again", |pair| has(pair, "them", "les") && has(pair, "and", "et")),
    ("past", |pair| pair.target.windows(2).any(|two| two[0] == "est" && two[1].ends_with("ée"))),
    ("reflexive", |pair| pair.target.iter().any(|word| word == "reposées" || word == "endormis")),
    ("participle", |pair| {
        has(pair, "that", "que") && pair.target.iter().any(|word| word.ends_with("ées"))
    }),
    ("modals", |pair| has(pair, "tries", "essaie") || has(pair, "begin", "commencent")),
    ("states", |pair| has(pair, "hungry", "faim") && has(pair, "is", "a")),
    ("questions", |pair| pair.source[0] == "what" || pair.source[0] == "does"),
    ("there", |pair| has(pair, "there", "y") && has(pair, "no", "pas")),
    ("far", |pair| {
        let words: Vec<&str> = pair.target.iter().map(String::as_str).collect();
        let feminine = |word: &str| word.ends_with("ées") || word.ends_with("ses");
        let end = matches!(words[..], [.., "sont" | "étaient", word, "."] if feminine(word));
        end && (has(pair, "who", "qui") || has(pair, "that", "que"))
    }),
    ("referents", |pair| {
        has(pair, "because", "parce") && (has(pair, "it", "elle") || has(pair, "they", "elles"))
    }),
];

/// Whether the one word is surely linked with the other.
fn has(pair: &Pair, english: &str, french: &str) -> bool {
    let sure = &pair.alignment.as_ref().expect("generated pairs are aligned").sure;
    sure.iter().any(|(i, j)| pair.source[*i] == english && pair.target[*j] == french)
}

/// Two pairs without the same nouns and verbs.
fn first_different<'p>(pairs: impl Iterator<Item = &'p Pair>) -> Vec<&'p Pair> {
    let mut found: Vec<&Pair> = Vec::new();
    for pair in pairs {
        let long = |word: &&String| word.len() > 4;
        let new: HashSet<_> = pair.source.iter().filter(long).collect();
        if found
            .iter()
            .all(|other| other.source.iter().filter(long).all(|word| !new.contains(word)))
        {
            found.push(pair);
        }
        if found.len() == 2 {
            break;
        }
    }
    found
}

fn section(name: &str, text: &str) -> String {
    format!("ANCHOR: {name}\n{text}ANCHOR_END: {name}\n")
}

/// The sentences, then the links, those that are only possible in brackets.
fn show(pair: &Pair) -> String {
    let alignment = pair.alignment.as_ref().expect("generated pairs are aligned");
    let name = |(i, j): &(usize, usize)| format!("{}-{}", pair.source[*i], pair.target[*j]);
    let sure = alignment.sure.iter().map(name);
    let possible = alignment.possible.iter().map(|link| format!("({})", name(link)));
    let mut lines = vec![pair.source.join(" "), pair.target.join(" "), String::from("   ")];
    for link in sure.chain(possible) {
        let line = lines.last_mut().expect("three lines");
        if line.chars().count() + link.chars().count() < 84 {
            *line += &format!(" {link}");
        } else {
            lines.push(format!("    {link}"));
        }
    }
    lines.join("\n") + "\n"
}

/// How many sentences differ, of those drawn and of one kind.
fn counts(pairs: &[Pair]) -> String {
    let different: HashSet<&Vec<String>> = pairs.iter().map(|pair| &pair.source).collect();
    let (drawn, different, kind) = (pairs.len(), different.len(), present_transitive());
    format!(
        "\n{different} of {drawn} sentences drawn with room for 0 to 9 more words differ\n\
         {kind} different ones are like: this lazy cat sees the old houses .\n"
    )
}

/// A verb with an object, in the present; *the* or *this*, one or several, and at most one
/// adjective on either side.
pub fn present_transitive() -> u64 {
    let all = |nouns: &[&'static Noun]| -> u64 {
        let phrases = nouns.iter().map(|noun| {
            let fits = |a: &&Adjective| a.describes.iter().any(|other| std::ptr::eq(*other, *noun));
            let described = 1 + ADJECTIVES.iter().filter(fits).count() as u64;
            described * if noun.countable() { 4 } else { 2 }
        });
        phrases.sum()
    };
    VERBS.iter().map(|verb| all(&verb.subjects) * all(&verb.objects)).sum()
}

fn sizes() -> String {
    let Splits { train, validation, test, long, compositional } = splits(&Sizes::default(), 1);
    let line = |name: &str, pairs: &[Pair]| {
        let words = |side: fn(&Pair) -> &Vec<String>| {
            let lengths: Vec<usize> = pairs.iter().map(|pair| side(pair).len()).collect();
            let types: HashSet<&String> = pairs.iter().flat_map(side).collect();
            let mean = lengths.iter().sum::<usize>() as f64 / lengths.len() as f64;
            let (shortest, longest) = (lengths.iter().min(), lengths.iter().max());
            format!("{mean:5.1} {:3} {:3} {:5}", shortest.unwrap(), longest.unwrap(), types.len())
        };
        let (english, french) = (words(|pair| &pair.source), words(|pair| &pair.target));
        format!("{name:14} {:6} {english}   {french}\n", pairs.len())
    };
    let mut text = format!("{:21}  English               French\n", "");
    text += &format!("{:14} {:>6}  mean min max words    mean min max words\n", "", "pairs");
    text += &line("train", &train);
    text += &line("validation", &validation);
    text += &line("test", &test);
    text += &line("long", &long);
    text + &line("compositional", &compositional)
}
