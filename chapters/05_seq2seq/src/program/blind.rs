//! What BLEU does not see: the references themselves, with words exchanged.

use crate::bleu::corpus_bleu;
use crate::chrf::corpus_chrf;
use crate::translating::corpus::Part;
use crate::translating::recurrent::CompareArgs;
use serde::{Deserialize, Serialize};
use workbench::error::Result;
use workbench::program::{Output, say};
use workbench::study::rounded;

/// A word of the corpus, one that says the same, and one that says something else; all three of one
/// gender and number, and none begins with a vowel.
const WORDS: [[&str; 3]; 24] = [
    ["bateau", "navire", "vélo"],
    ["bateaux", "navires", "vélos"],
    ["château", "palais", "pont"],
    ["châteaux", "palais", "ponts"],
    ["clé", "clef", "lampe"],
    ["clés", "clefs", "lampes"],
    ["fille", "gamine", "reine"],
    ["filles", "gamines", "reines"],
    ["garçon", "gamin", "roi"],
    ["garçons", "gamins", "rois"],
    ["livre", "bouquin", "sac"],
    ["livres", "bouquins", "sacs"],
    ["maison", "demeure", "gare"],
    ["maisons", "demeures", "gares"],
    ["manteau", "pardessus", "chapeau"],
    ["manteaux", "pardessus", "chapeaux"],
    ["médecin", "docteur", "boulanger"],
    ["médecins", "docteurs", "boulangers"],
    ["parfois", "quelquefois", "rarement"],
    ["soldat", "militaire", "fermier"],
    ["soldats", "militaires", "fermiers"],
    ["village", "bourg", "jardin"],
    ["villages", "bourgs", "jardins"],
    ["vite", "rapidement", "lentement"],
];

/// References of a part, right except for some words, as translations of themselves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Exchanged {
    /// How many have a word of the list, which is exchanged for one that says the same, or something else.
    pub sentences: usize,
    pub same_bleu: f64,
    pub other_bleu: f64,
    pub same_chrf: f64,
    pub other_chrf: f64,
    /// How many deny something, and lose their *ne … pas*.
    pub negated: usize,
    pub affirmed_bleu: f64,
    pub affirmed_chrf: f64,
}

/// Exchanges words in the references of the test part, and writes what the page quotes.
pub(super) fn compare(arguments: &CompareArgs) -> Result<()> {
    let output = Output::open(&arguments.repeated.study.common, "seq2seq")?;
    let found = exchanged(&arguments.corpus()?.tests[0]);
    say(format!(
        "{} references with other words: BLEU {:.1} where they say the same, {:.1} where they do not",
        found.sentences, found.same_bleu, found.other_bleu
    ));
    say(format!("{} without their ne … pas: BLEU {:.1}", found.negated, found.affirmed_bleu));
    output.results(&found)
}

/// Exchanges words in the references.
pub fn exchanged(part: &Part) -> Exchanged {
    type Sentences = Vec<Vec<String>>;
    let listed = |word: &String| WORDS.iter().find(|row| row[0] == word);
    let chosen = |test: &dyn Fn(&String) -> bool| -> Sentences {
        let references = part.pairs.iter().map(|pair| &pair.target);
        references.filter(|words| words.iter().any(test)).cloned().collect()
    };
    let right = chosen(&|word| listed(word).is_some());
    let with = |column: usize| -> Sentences {
        let word = |word: &String| listed(word).map_or(word.clone(), |row| row[column].to_owned());
        right.iter().map(|sentence| sentence.iter().map(word).collect()).collect()
    };
    let denied = chosen(&|word| word == "pas");
    let affirms = |word: &&String| !["ne", "n'", "pas"].contains(&word.as_str());
    let affirmed: Sentences =
        denied.iter().map(|sentence| sentence.iter().filter(affirms).cloned().collect()).collect();
    let scores = |found: &Sentences, references: &Sentences| {
        [corpus_bleu(found, references), corpus_chrf(found, references)].map(rounded)
    };
    let [same_bleu, same_chrf] = scores(&with(1), &right);
    let [other_bleu, other_chrf] = scores(&with(2), &right);
    let [affirmed_bleu, affirmed_chrf] = scores(&affirmed, &denied);
    Exchanged {
        sentences: right.len(),
        same_bleu,
        other_bleu,
        same_chrf,
        other_chrf,
        negated: denied.len(),
        affirmed_bleu,
        affirmed_chrf,
    }
}
