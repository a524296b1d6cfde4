//! Chapter 5: how large must the vector between two networks be? And what a search, a decoder's own words, a pronoun
//! and BLEU do.

use crate::Numbers;
use crate::claims::Verdict;
use crate::comparison::{Comparison, Expected, Row};
use crate::translators::{
    EPOCHS, Found, by_length, by_length_in_depths, corpus, counted, numbers, options, row, trained,
};
use seq2seq::bleu::corpus_bleu;
use seq2seq::chrf::corpus_chrf;
use seq2seq::decoding::{beam_all, greedy_all, pruned_all};
use seq2seq::own_words::{with_own_words, word_entropies, word_losses};
use seq2seq::program::{CHAPTER, Choices};
use seq2seq::translating::corpus::{Corpus, Part};
use seq2seq::translating::judge::{BEAM, log_probability, together, translations};
use seq2seq::translating::recurrent::Config;
use seq2seq::{BEGIN, Batch, END, EncoderDecoder, Sizes};
use serde::Serialize;
use serde_json::Value;
use std::ops::Range;
use workbench::error::Result;
use workbench::figure::{Svg, colour};
use workbench::statistics::rounded;

pub const EVIDENCE: &[Comparison] = &[Comparison {
    name: "compare",
    about: "Contexts of 32 to 256 numbers; searches; a decoder's own words; he and she",
    record: "05_seq2seq/figures/results.json",
    claims: CLAIMS,
    figures: &[("by_length", directions), ("context", contexts)],
    run: |this, arguments| {
        let corpus = corpus(arguments, 20_000);
        let mut backwards = self::corpus(arguments, 20_000);
        reverse_sources(&mut backwards);
        let judge = |setup: &Setup, seed| {
            judged(setup, if setup.reversed { &backwards } else { &corpus }, seed)
        };
        this.compare_and(arguments, corpus.fingerprint(), rows(), judge, || {
            Ok(counted(&corpus).into_iter().chain(exchanged(&corpus.tests[0])).collect())
        })
    },
}];

#[derive(Clone, Debug, Serialize)]
struct Setup {
    hidden: usize,
    /// Whether it reads sentences from their end.
    reversed: bool,
}

/// The longest trainings first, so that none is waited for at the end.
fn rows() -> Vec<Row<Setup>> {
    [
        ("hidden_256", 256, false),
        ("default", 128, false),
        ("reversed", 128, true),
        ("hidden_64", 64, false),
        ("hidden_32", 32, false),
    ]
    .map(|(name, hidden, reversed)| row(name, Setup { hidden, reversed }, EPOCHS))
    .into()
}

/// Turns every source around, its end word excepted (Sutskever et al. 2014, section 3.3).
fn reverse_sources(corpus: &mut Corpus) {
    let parts = [&mut corpus.training, &mut corpus.validation].into_iter();
    for source in parts.chain(&mut corpus.tests).flat_map(|part| &mut part.sentences.source) {
        let words = source.len() - 1;
        source[..words].reverse();
    }
}

fn judged(setup: &Setup, corpus: &Corpus, seed: u64) -> Result<Found> {
    let words = corpus.words();
    let sizes = Sizes {
        source_words: words.source,
        target_words: words.target,
        embedding: 64,
        hidden: setup.hidden,
        layers: 1,
        dropout: 0.1,
    };
    let config = Config::new(&sizes, Choices {});
    let (mut model, _) = trained(&CHAPTER, corpus, &config, &options(seed))?;
    let mut found = numbers(&mut model, corpus);
    if setup.hidden == 128 && !setup.reversed {
        found.extend(searched(&model, corpus));
        found.extend(own_words(&model, &corpus.tests[0]));
        found.extend(pronouns(&model, corpus));
    }
    Ok(found)
}

/// Width and α of beams in which what has ended keeps its place, and of beams that prune: they rank by ln p (α = 0) or
/// by its mean (α = 1).
const BEAMS: [(usize, u8); 4] = [(4, 0), (8, 1), (64, 0), (64, 1)];
const PRUNED: [(usize, u8); 2] = [(64, 0), (16, 1)];

/// What searches find on the test part.
fn searched(model: &EncoderDecoder, corpus: &Corpus) -> Found {
    let part = &corpus.tests[0];
    let (sources, references) = (&part.sentences.source, references(part));
    let some = |range: Range<usize>| -> Vec<&[usize]> {
        sources[range].iter().map(Vec::as_slice).collect()
    };
    let words = |texts: &[Vec<String>]| texts.iter().map(Vec::len).sum::<usize>() as f64;
    let mut found = Found::new();
    for (width, alpha) in BEAMS {
        let best = translations(corpus, sources, |some| beam_all(model, some, width, alpha.into()));
        let name = format!("beam_{width}_alpha_{alpha}");
        found.push((format!("{name}_bleu"), corpus_bleu(&best, &references)));
        found.push((format!("{name}_length_ratio"), words(&best) / words(&references)));
    }
    let share = |count: usize| count as f64 / sources.len() as f64;
    let greedy = together(sources.len(), |range| greedy_all(model, &some(range)));
    let log_p = |words: &[usize], i: usize| log_probability(model, &sources[i], words);
    let truly: Vec<f64> = (0..part.len()).map(|i| log_p(part.numbers(i).1, i)).collect();
    let missed = greedy.iter().zip(&truly).filter(|(found, p)| found.log_probability < **p - 1e-3);
    found.push(("greedy_search_errors".to_owned(), share(missed.count())));
    let empty: Vec<f64> = (0..part.len()).map(|i| log_p(&[END], i)).collect();
    for (width, alpha) in PRUNED {
        let all =
            together(sources.len(), |range| pruned_all(model, &some(range), width, alpha.into()));
        let proven = || all.iter().filter(|found| found.proven);
        let proven_empty = proven().filter(|found| found.translation.words.is_empty());
        let gap =
            all.iter().zip(&empty).map(|(all, empty)| empty - all.translation.log_probability);
        let numbers = [
            ("proven", share(proven().count())),
            ("empty_proven", share(proven_empty.count())),
            ("empty_gap", gap.fold(f64::NEG_INFINITY, f64::max)),
        ];
        found.extend(numbers.map(|(name, x)| (format!("pruned_{width}_alpha_{alpha}_{name}"), x)));
    }
    found
}

fn references(part: &Part) -> Vec<Vec<String>> {
    part.pairs.iter().map(|pair| pair.target.clone()).collect()
}

/// In nats a word: the cross-entropy of the reference's words and the entropy of what the model would say, after the
/// true words and after its own, the most probable one at every position; 1 to 5 words behind its first mistake.
fn own_words(model: &EncoderDecoder, part: &Part) -> Found {
    type Sentence = (Option<usize>, [Vec<f64>; 4]);
    let sentences: Vec<Sentence> = together(part.len(), |some| {
        let pairs: Vec<_> = some.map(|i| part.numbers(i)).collect();
        let batch = Batch::new(&pairs, BEGIN);
        let own = with_own_words(model, &batch, 1.0, &mut shared::rng(0)); // nothing is left to chance
        let given = batch.previous.iter().zip(own.previous.iter());
        let first = given.map(|(truly, own)| truly.iter().zip(own).position(|(a, b)| a != b));
        let mut read = [
            word_losses(model, &batch).into_iter(),
            word_losses(model, &own).into_iter(),
            word_entropies(model, &batch).into_iter(),
            word_entropies(model, &own).into_iter(),
        ];
        first.map(|at| (at, read.each_mut().map(|all| all.next().expect("a pair")))).collect()
    });
    let mistaken = sentences.iter().filter(|(first, _)| first.is_some()).count();
    let mut found = vec![("with_mistake".to_owned(), mistaken as f64 / sentences.len() as f64)];
    for (k, name) in ["after_true", "after_own", "entropy_true", "entropy_own"].iter().enumerate() {
        for behind in 0..5 {
            let there =
                sentences.iter().filter_map(|(first, read)| read[k].get((*first)? + behind));
            let numbers: Vec<f64> = there.copied().collect();
            let mean = numbers.iter().sum::<f64>() / numbers.len().max(1) as f64;
            found.push((format!("{name}_{}", behind + 1), mean));
        }
    }
    found
}

/// *The doctor cried because she was tired.*: the share of translations with *il* and without *elle*, and the other way
/// round. In the corpus all these are masculine in French and *he* in English.
fn pronouns(model: &EncoderDecoder, corpus: &Corpus) -> Found {
    let mut sources = Vec::new();
    for noun in ["farmer", "baker", "doctor", "teacher", "soldier", "neighbour"] {
        for does in
            ["cried", "slept", "rested", "arrived", "worked", "walked", "sang", "fell asleep"]
        {
            for is in ["tired", "sick", "sad", "happy", "hungry", "afraid"] {
                let sentence = format!("the {noun} {does} because she was {is} .");
                let words: Vec<String> = sentence.split(' ').map(str::to_owned).collect();
                sources.push([corpus.source.encode(&words), vec![END]].concat());
            }
        }
    }
    let found = translations(corpus, &sources, |some| beam_all(model, some, BEAM, 1.0));
    let share = |this: &str, not: &str| {
        let has = |words: &[String], pronoun: &str| words.iter().any(|word| word == pronoun);
        let some = found.iter().filter(|words| has(words, this) && !has(words, not));
        some.count() as f64 / found.len() as f64
    };
    vec![("she_il".to_owned(), share("il", "elle")), ("she_elle".to_owned(), share("elle", "il"))]
}

fn falls_by(found: &Numbers, row: &str, least: f64) -> Verdict {
    found.every((row, "length_5"), (row, "length_13"), |short, long| short - long >= least)
}

const CLAIMS: &[Expected] = &[
    (
        "falls",
        "BLEU of 5–8 words exceeds BLEU of 13–16 words by at least 20, with every seed",
        |found| falls_by(found, "default", 20.0),
    ),
    (
        "long",
        "on the long part BLEU is less than half of BLEU on the test part, with every seed",
        |found| found.every(("default", "long_bleu"), ("default", "test_bleu"), |a, b| a < b / 2.0),
    ),
    (
        "numbers",
        "every doubling of the context, from 32 to 256 numbers, raises the mean BLEU",
        |found| {
            let sizes = ["hidden_32", "hidden_64", "default", "hidden_256"];
            let means: Option<Vec<f64>> =
                sizes.iter().map(|row| Some(found.of(row, "test_bleu")?.mean)).collect();
            Some(Some(means?.is_sorted_by(|a, b| a < b)))
        },
    ),
    (
        "still_falls",
        "with 256 numbers too, BLEU of 5–8 words exceeds BLEU of 13–16 by at least 5, with every seed",
        |found| falls_by(found, "hidden_256", 5.0),
    ),
    (
        "beam",
        "a beam of four finds translations of a higher BLEU than greedy search, with every seed",
        |found| found.every(("default", "test_bleu"), ("default", "test_greedy"), |a, b| a > b),
    ),
    (
        "wider",
        "a beam of eight changes BLEU of a beam of four by less than 1, with every seed",
        |found| near(found, ["beam_8_alpha_1_bleu", "test_bleu"]),
    ),
    ("reversed", "reading the source backwards raises BLEU", |found| {
        found.less(("default", "test_bleu"), ("reversed", "test_bleu"))
    }),
    (
        "exposure",
        "the word behind the first mistake costs at least twice as much as behind the true word, with every seed",
        |found| {
            let [own, truly] = [("default", "after_own_1"), ("default", "after_true_1")];
            found.every(own, truly, |own, truly| own >= 2.0 * truly)
        },
    ),
    (
        "lost",
        "behind its first mistake the model hesitates more than behind the true word, with every seed",
        |found| {
            let [own, truly] = [("default", "entropy_own_1"), ("default", "entropy_true_1")];
            found.every(own, truly, |own, truly| own > truly)
        },
    ),
    (
        "wide",
        "a beam of 64 that ranks by probability (α = 0) has a lower BLEU than one of 4",
        |found| {
            let of = |name| ("default", name);
            found.less(of("beam_64_alpha_0_bleu"), of("beam_4_alpha_0_bleu"))
        },
    ),
    (
        "wide_mean",
        "a beam of 64 that ranks by the mean (α = 1) differs from one of 4 by less than 1 BLEU, with every seed",
        |found| near(found, ["beam_64_alpha_1_bleu", "test_bleu"]),
    ),
    (
        "empty",
        "for one sentence of the test part at least, the most probable translation is the empty one",
        |found| {
            let proven = found.of("default", "pruned_64_alpha_0_empty_proven")?.highest > 0.0;
            let gap = found.of("default", "pruned_64_alpha_0_empty_gap")?.highest;
            Some((proven || gap < 0.0).then_some(proven))
        },
    ),
    (
        "he",
        "in most translations a doctor, a farmer … who is “she” in English is “il” in French, with every seed",
        |found| found.at_least("default", "she_il", 0.5),
    ),
];

fn near(found: &Numbers, [a, b]: [&str; 2]) -> Verdict {
    found.every(("default", a), ("default", b), |a, b| (a - b).abs() < 1.0)
}

fn directions(found: &Numbers) -> Svg {
    let lines = [
        ("default", "read forwards", colour::WITHOUT_ATTENTION),
        ("reversed", "read backwards", colour::BACKWARDS),
    ];
    by_length("BLEU by length", found, &lines)
}

fn contexts(found: &Numbers) -> Svg {
    let lines = [
        ("hidden_256", "256 numbers"),
        ("default", "128 numbers"),
        ("hidden_64", "64 numbers"),
        ("hidden_32", "32 numbers"),
    ];
    let lines = lines.map(|(row, name)| (row, name, colour::WITHOUT_ATTENTION));
    by_length_in_depths("The larger the context, the better, at any length", found, &lines)
}

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

/// Exchanges words in the references of a part, which are then translations of themselves: how many have a word of the
/// list, or deny something, and what that does to BLEU and chrF.
fn exchanged(part: &Part) -> Vec<(String, Value)> {
    type Sentences = Vec<Vec<String>>;
    let listed = |word: &String| WORDS.iter().find(|row| row[0] == word);
    let chosen = |test: &dyn Fn(&String) -> bool| -> Sentences {
        references(part).into_iter().filter(|words| words.iter().any(test)).collect()
    };
    let right = chosen(&|word| listed(word).is_some());
    let with = |column: usize| -> Sentences {
        let word = |word: &String| listed(word).map_or(word.clone(), |row| row[column].to_owned());
        right.iter().map(|sentence| sentence.iter().map(word).collect()).collect()
    };
    let denied = chosen(&|word| word == "pas");
    let mut affirmed = denied.clone();
    for sentence in &mut affirmed {
        sentence.retain(|word| !["ne", "n'", "pas"].contains(&word.as_str()));
    }
    let texts =
        [("same", with(1), &right), ("other", with(2), &right), ("affirmed", affirmed, &denied)];
    let counts = [("sentences", &right), ("negated", &denied)];
    let mut found = Vec::from(counts.map(|(name, of)| (name.to_owned(), of.len().into())));
    for (name, candidates, references) in texts {
        let (bleu, chrf) =
            (corpus_bleu(&candidates, references), corpus_chrf(&candidates, references));
        found.push((format!("{name}_bleu"), rounded(bleu).into()));
        found.push((format!("{name}_chrf"), rounded(chrf).into()));
    }
    found
}
