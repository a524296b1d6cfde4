//! Sentences that break off before a verb: which of its forms comes next?

use parallel::lexicon::{NOUNS, VERBS};
use parallel::{Relation, sample};
use rand::RngExt;
use std::collections::HashSet;

/// An English sentence up to a verb, and the verb's two forms (Linzen et al. 2016).
pub struct Case {
    pub before: Vec<String>,
    pub right: &'static str,
    pub wrong: &'static str,
    /// Whether a noun of the other number stands between the subject and the verb.
    pub attracted: bool,
}

/// So many cases with no such noun and so many with one, from sentences that are not among `known`.
pub fn cases(count: usize, known: &HashSet<Vec<String>>, seed: u64) -> Vec<Case> {
    let rng = &mut shared::rng(seed);
    let (mut found, mut left) = (Vec::new(), [count; 2]);
    while left != [0, 0] {
        let sentence = sample(rng.random_range(0..14), rng);
        let words = sentence.pair().source;
        if words.len() > 16 || known.contains(&words) {
            continue;
        }
        for link in sentence.links() {
            let (subject, verb) = (link.dependent, link.head);
            if link.relation != Relation::Subject || subject > verb {
                continue;
            }
            let Some(number) = number(&words[subject]) else { continue };
            let Some([right, wrong]) = forms(&words[verb], number) else { continue };
            let between = words[subject + 1..verb].iter().filter_map(|word| self::number(word));
            let nouns: Vec<usize> = between.collect();
            let attracted = nouns.iter().any(|other| *other != number);
            let kind = usize::from(attracted);
            if left[kind] > 0 && (attracted || nouns.is_empty()) {
                left[kind] -= 1;
                found.push(Case { before: words[..verb].to_vec(), right, wrong, attracted });
            }
        }
    }
    found
}

/// 0 for *cat*, 1 for *cats*.
fn number(word: &str) -> Option<usize> {
    let noun = NOUNS.iter().find(|noun| noun.english.contains(&word))?;
    noun.english.iter().position(|form| *form == word)
}

/// The verb's form as it stands, which agrees with a noun of this number, and its other form.
fn forms(verb: &str, number: usize) -> Option<[&'static str; 2]> {
    let helpers = [["is", "are"], ["was", "were"], ["does", "do"]];
    let verbs = VERBS.iter().map(|verb| [verb.english[1], verb.english[0]]);
    let pair = helpers.into_iter().chain(verbs).find(|pair| pair[number] == verb)?;
    Some([pair[number], pair[1 - number]])
}
