//! Chapter 7: scores, windows and input feeding on equal parameters; and how often local-p gets stuck.

use crate::Numbers;
use crate::claims::{Verdict, all_hold};
use crate::comparison::{Comparison, Expected, Row};
use crate::translators::{EPOCHS, Found, corpus, options, row};
use corpora::Pair;
use luong::Scoring;
use luong::program::{CHAPTER, Choices, build};
use luong::windows::Reach;
use seq2seq::alignment::{AlignmentErrors, links};
use seq2seq::bleu::corpus_bleu;
use seq2seq::chrf::corpus_chrf;
use seq2seq::decoding::greedy_all;
use seq2seq::translating::corpus::{Corpus, Part};
use seq2seq::translating::judge::{mean_loss, part_alignments, translations};
use seq2seq::translating::recurrent::Config;
use seq2seq::{Sizes, Translator};
use serde::Serialize;
use serde_json::Value;
use shared::{Module, rng};
use std::collections::BTreeMap;
use workbench::error::Result;
use workbench::figure::{Chart, Svg, colour};
use workbench::training::Options;

pub const EVIDENCE: &[Comparison] = &[
    Comparison {
        name: "compare",
        about: "Every way to attend, without and with input feeding, and chapter 6's",
        record: "07_luong/figures/results.json",
        claims: CLAIMS,
        figures: &[("displacement", words_found)],
        run: |this, arguments| {
            let corpus = corpus(arguments, 20_000);
            let judge = |setup: &Setup, seed| judged(setup, &corpus, seed);
            this.compare_and(arguments, corpus.fingerprint(), rows(&corpus), judge, || {
                Ok(displaced_words(&corpus.tests[0]))
            })
        },
    },
    Comparison {
        name: "stuck",
        about: "How often local-p does not find its positions: with --seeds 10",
        record: "07_luong/figures/stuck.json",
        claims: STUCK,
        figures: &[],
        run: |this, arguments| {
            let corpus = corpus(arguments, 6_000);
            let judge = |setup: &Setup, seed| judged(setup, &corpus, seed);
            this.compare(arguments, corpus.fingerprint(), stuck_rows(&corpus), judge)
        },
    },
];

/// A model with everything but its seed; without choices it is chapter 6's.
#[derive(Clone, Debug, Serialize)]
struct Setup {
    choices: Option<Choices>,
    sizes: Sizes,
    epochs: usize,
    batch: usize,
}

fn setup(
    name: &str,
    choices: Option<Choices>,
    sizes: Sizes,
    [epochs, batch]: [usize; 2],
) -> Row<Setup> {
    row(name, Setup { choices, sizes, epochs, batch }, epochs)
}

/// Most of them as in the paper's Table 4. (Everywhere, the width of a window is not looked at.)
const MECHANISMS: [(&str, Reach, Scoring, u32); 9] = [
    ("global_location", Reach::Global, Scoring::Location, 1),
    ("global_dot", Reach::Global, Scoring::Dot, 1),
    ("global_general", Reach::Global, Scoring::General, 1),
    ("global_concat", Reach::Global, Scoring::Concat, 1),
    ("local_m_dot", Reach::LocalM, Scoring::Dot, 1),
    ("local_m_general", Reach::LocalM, Scoring::General, 1),
    ("local_m_wide", Reach::LocalM, Scoring::General, 3),
    ("local_p_dot", Reach::LocalP, Scoring::Dot, 3),
    ("local_p_general", Reach::LocalP, Scoring::General, 3),
];

/// Those that are trained without input feeding, too.
const ALSO_PLAIN: [&str; 3] = ["global_location", "global_concat", "local_m_general"];

/// Chapter 6's model, and every mechanism with as many parameters, or nearly: the vectors of words are as wide as that
/// takes.
fn rows(corpus: &Corpus) -> Vec<Row<Setup>> {
    let base = sizes(corpus, 64, 128);
    let mut rows = vec![setup("bahdanau", None, base.clone(), [EPOCHS, 64])];
    for (name, reach, score, window) in MECHANISMS {
        let mut add = |name: &str, feeding: bool| {
            let choices = Choices { score, reach, feeding, window, ..Choices::default() };
            let sizes = equalised(&base, &choices);
            rows.push(setup(name, Some(choices), sizes, [EPOCHS, 64]));
        };
        add(name, true);
        if ALSO_PLAIN.contains(&name) {
            add(&format!("{name}_plain"), false);
        }
    }
    rows
}

/// Local-p with no learnt matrix before the score, in a smaller comparison.
fn stuck_rows(corpus: &Corpus) -> Vec<Row<Setup>> {
    let base = sizes(corpus, 32, 64);
    let local_p = MECHANISMS.into_iter().filter(|(name, ..)| name.starts_with("local_p"));
    let rows = local_p.map(|(name, reach, score, window)| {
        let usual = Choices::default();
        let choices = Choices { score, reach, window, projected: false, ..usual };
        let sizes = equalised(&base, &choices);
        setup(name, Some(choices), sizes, [12, 32])
    });
    rows.collect()
}

fn sizes(corpus: &Corpus, embedding: usize, hidden: usize) -> Sizes {
    let words = corpus.words();
    let (source_words, target_words) = (words.source, words.target);
    Sizes { source_words, target_words, embedding, hidden, layers: 1, dropout: 0.1 }
}

fn equalised(base: &Sizes, choices: &Choices) -> Sizes {
    let both = bahdanau::Reading::BothDirections.into();
    let parameters = bahdanau::program::build(base, &both, &mut rng(0)).parameter_count();
    let with = |embedding: usize| Sizes { embedding, ..base.clone() };
    let count = |embedding: usize| build(&with(embedding), choices, &mut rng(0)).parameter_count();
    let (one, two) = (count(1), count(2));
    let room = parameters.saturating_sub(one) as f64 / (two - one) as f64;
    with(1 + room.round() as usize)
}

fn judged(setup: &Setup, corpus: &Corpus, seed: u64) -> Result<Found> {
    let Setup { sizes, epochs, batch, .. } = setup;
    let options = Options { epochs: *epochs, ..options(seed) };
    let mut found = match &setup.choices {
        Some(choices) => {
            let config = Config::new(sizes, choices.clone());
            numbers(&mut CHAPTER.train(corpus, &config, *batch, &options)?.model, corpus)
        }
        None => {
            let config = Config::new(sizes, bahdanau::Reading::BothDirections.into());
            let six = &bahdanau::program::CHAPTER;
            numbers(&mut six.train(corpus, &config, *batch, &options)?.model, corpus)
        }
    };
    found.push(("embedding".to_owned(), sizes.embedding as f64));
    Ok(found)
}

/// A pair is displaced when a word stands farther from the same position than the narrowest window reaches.
const NARROW: usize = 1;

/// How far a word's nearest sure translation stands from the same position: for every target word
/// that has one, `min |i − j|` over its sure links (i, j).
fn displacement(pair: &Pair) -> Vec<(usize, usize)> {
    let sure = pair.alignment.iter().flat_map(|alignment| &alignment.sure);
    let mut nearest = vec![usize::MAX; pair.target.len()];
    sure.for_each(|(i, j)| nearest[*j] = nearest[*j].min(i.abs_diff(*j)));
    nearest.into_iter().enumerate().filter(|(_, distance)| *distance < usize::MAX).collect()
}

fn is_displaced(pair: &Pair) -> bool {
    displacement(pair).iter().any(|(_, distance)| *distance > NARROW)
}

/// Pairs with a displaced word, words with a sure link, those of them outside the narrow window.
fn displaced_words(part: &Part) -> BTreeMap<String, Value> {
    let words = || part.pairs.iter().flat_map(displacement);
    let counts = [
        ("displaced", part.pairs.iter().filter(|pair| is_displaced(pair)).count()),
        ("links", words().count()),
        ("outside", words().filter(|(_, distance)| *distance > NARROW).count()),
    ];
    counts.map(|(name, count)| (name.to_owned(), count.into())).into()
}

/// Distances from the same position that are distinguished; the last counts all above, too.
const DISTANCES: usize = 5;

/// The numbers of greedy translations: BLEU and chrF of the test part, BLEU of the long one, of the test's pairs without
/// a displaced word and with one, and how much lower the latter is; the perplexity; the alignment error rate; by distance
/// from the same position the share of words whose largest weight lies on a sure translation.
fn numbers(model: &mut impl Translator, corpus: &Corpus) -> Found {
    let parameters = model.parameter_count() as f64;
    let (test, long) = (&corpus.tests[0], &corpus.tests[1]);
    let translated = |part: &Part| {
        translations(corpus, &part.sentences.source, |some| greedy_all(&*model, some))
    };
    let (said, longer) = (translated(test), translated(long));
    let bleu_of = |wanted: bool| {
        let some = || test.pairs.iter().zip(&said).filter(|(pair, _)| is_displaced(pair) == wanted);
        let words: Vec<_> = some().map(|(_, words)| words.clone()).collect();
        corpus_bleu(&words, &some().map(|(pair, _)| pair.target.clone()).collect::<Vec<_>>())
    };
    let (near, displaced) = (bleu_of(false), bleu_of(true));
    let mut errors = AlignmentErrors::default();
    let mut counts = [(0, 0); DISTANCES];
    for (weights, pair) in part_alignments(&*model, test).iter().flatten().zip(&test.pairs) {
        let known = pair.alignment.as_ref().expect("links");
        let largest = links(weights, 0.0);
        errors.add(&AlignmentErrors::new(&largest, &known.sure, &known.possible));
        for (j, distance) in displacement(pair) {
            let (right, all) = &mut counts[distance.min(DISTANCES - 1)];
            *right += u32::from(known.sure.contains(&largest[j]));
            *all += 1;
        }
    }
    let mut found: Found = [
        ("parameters", parameters),
        ("perplexity", mean_loss(&*model, test).exp()),
        ("bleu", corpus_bleu(&said, &references(test))),
        ("chrf", corpus_chrf(&said, &references(test))),
        ("aer", errors.rate()),
        ("long", corpus_bleu(&longer, &references(long))),
        ("near", near),
        ("displaced", displaced),
        ("fall", near - displaced),
    ]
    .map(|(name, x)| (name.to_owned(), x))
    .into();
    for (d, (right, all)) in counts.into_iter().enumerate() {
        found.push((format!("found_{d}"), f64::from(right) / f64::from(all.max(1))));
    }
    found
}

fn references(part: &Part) -> Vec<Vec<String>> {
    part.pairs.iter().map(|pair| pair.target.clone()).collect()
}

fn words_found(found: &Numbers) -> Svg {
    let mut chart = Chart::new("Words found", "distance from the same position", "share found")
        .y_range(0.0..1.0)
        .x_range(0.0..(DISTANCES - 1) as f64);
    let lines = [
        ("global_general", "global, general", colour::GENERAL),
        ("global_dot", "global, dot", colour::DOT),
        ("global_location", "global, location", colour::LOCATION),
        ("local_m_general", "local-m, general, D = 1", colour::WINDOW),
        ("local_p_general", "local-p, general, D = 3", colour::PREDICTED_WINDOW),
    ];
    for (row, name, colour) in lines {
        let points = found.series(row, "found", 0..DISTANCES).map(|(d, mean, ..)| (d, mean));
        chart = chart.line(name, &points.collect::<Vec<_>>()).coloured(colour);
    }
    chart.draw()
}

/// Whether the number of the first row is smaller than that of the second; both with input feeding.
fn less(found: &Numbers, number: &str, [these, those]: [&str; 2]) -> Verdict {
    found.less((these, number), (those, number))
}

/// By how much more than global attention a mechanism may fall on displaced pairs without losing there.
const MARGIN: f64 = 2.0;

/// Whether local attention falls by so much more than global attention with the same score, whatever the seeds.
fn loses(found: &Numbers, row: &str) -> Verdict {
    let of = |row| Some(&found.of(row, "fall")?.of_seeds);
    let limit: Vec<f64> = of("global_general")?.iter().map(|fall| fall + MARGIN).collect();
    Some(workbench::statistics::smaller(&limit, of(row)?))
}

/// Luong et al. 2015, Table 4 (before unknown words are replaced), Table 6, Table 1 and footnote 15; and this chapter's
/// two about displaced pairs.
const CLAIMS: &[Expected] = &[
    ("a1", "perplexity: dot is below location", |found| {
        less(found, "perplexity", ["global_dot", "global_location"])
    }),
    ("a2", "perplexity: general is below location", |found| {
        less(found, "perplexity", ["global_general", "global_location"])
    }),
    ("a3", "perplexity: general is below concat", |found| {
        less(found, "perplexity", ["global_general", "global_concat"])
    }),
    ("a4", "perplexity: local-p with general is below general", |found| {
        less(found, "perplexity", ["local_p_general", "global_general"])
    }),
    ("a5", "perplexity: general is below local-m with general", |found| {
        less(found, "perplexity", ["global_general", "local_m_general"])
    }),
    ("a6", "perplexity: local-p with general is below local-m with general", |found| {
        less(found, "perplexity", ["local_p_general", "local_m_general"])
    }),
    ("a7", "perplexity: local-p with general is below local-p with dot", |found| {
        less(found, "perplexity", ["local_p_general", "local_p_dot"])
    }),
    ("b1", "BLEU: location is below dot", |found| {
        less(found, "bleu", ["global_location", "global_dot"])
    }),
    ("b2", "BLEU: general is below location", |found| {
        less(found, "bleu", ["global_general", "global_location"])
    }),
    ("b3", "BLEU: general is below local-m with general", |found| {
        less(found, "bleu", ["global_general", "local_m_general"])
    }),
    ("b4", "BLEU: local-m with general is below local-p with general", |found| {
        less(found, "bleu", ["local_m_general", "local_p_general"])
    }),
    ("b5", "BLEU: dot is below local-p with general", |found| {
        less(found, "bleu", ["global_dot", "local_p_general"])
    }),
    ("b6", "BLEU: local-p with dot is below local-p with general", |found| {
        less(found, "bleu", ["local_p_dot", "local_p_general"])
    }),
    ("b7", "BLEU: location without input feeding is below location with it", |found| {
        less(found, "bleu", ["global_location_plain", "global_location"])
    }),
    ("c1", "alignment error rate: local-m with general is below local-p with general", |found| {
        less(found, "aer", ["local_m_general", "local_p_general"])
    }),
    ("c2", "alignment error rate: local-p with general is below location", |found| {
        less(found, "aer", ["local_p_general", "global_location"])
    }),
    (
        "d1",
        "on displaced pairs local-m with general loses by at least 2 more BLEU than general does",
        |found| loses(found, "local_m_general"),
    ),
    ("d2", "on displaced pairs local-p with general does not", |found| {
        Some(loses(found, "local_p_general")?.map(|loses| !loses))
    }),
];

/// A training is stuck when its BLEU is by more than this below that of the best of its mechanism's.
const FAR_BELOW: f64 = 10.0;

const STUCK: &[Expected] = &[(
    "stuck",
    "with either score at least one training in ten ends more than 10 BLEU below the best",
    |found| {
        let is_stuck = |row| {
            let bleu = found.of(row, "bleu")?;
            Some(Some(bleu.lowest < bleu.highest - FAR_BELOW))
        };
        Some(all_hold([is_stuck("local_p_dot")?, is_stuck("local_p_general")?]))
    },
)];
