//! Which sentences make an example, and what a batch of them costs.

use crate::support::letters;
use bert::program::{Corpus, Held, NspFirst, Part, Plan, PretrainingTask, Windows};
use bert::program::{examples, special};
use bert::world::lexicon;
use bert::{Config, Masking, Pretraining};
use corpora::{Document, Store};
use rand::RngExt;
use shared::{Float, Tape, cross_entropy, rng};
use std::collections::BTreeSet;
use workbench::training::{Task, json};

/// Documents of sentences with so many pieces.
fn part(lengths: &[&[usize]]) -> Part {
    let sentence = |(i, n): (usize, &usize)| -> String {
        (0..*n)
            .map(|j| ["a", "b", "c", "d", "e", "f"][(i + j * j) % 6])
            .collect::<Vec<_>>()
            .join(" ")
    };
    let document = |lengths: &&[usize]| Document {
        sentences: lengths.iter().enumerate().map(sentence).collect(),
    };
    Part::all(Store::in_memory(lengths.iter().map(document), &letters()))
}

/// Long and short documents, and sentences longer than any sequence.
const LENGTHS: [&[usize]; 8] = [
    &[3, 4, 2, 5, 1, 6, 2, 2, 7],
    &[1],
    &[30],
    &[2, 30, 2],
    &[9, 9, 9, 9, 9],
    &[5, 5],
    &[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
    &[40, 41, 42],
];

const LONGEST: usize = 16;

fn corpus(lengths: &[&[usize]]) -> Corpus {
    let pieces = letters();
    let [training, validation, test] = [lengths; 3].map(part);
    Corpus { special: special(&pieces), pieces, training, validation, test }
}

/// The document of a sentence.
fn document(part: &Part, sentence: usize) -> usize {
    (0..part.documents.len()).find(|i| part.sentences(*i).contains(&sentence)).unwrap()
}

/// Many plans of every window.
fn plans(windows: &Windows, part: &Part) -> Vec<Vec<Plan>> {
    let rng = &mut rng(0);
    let mut plan = |window| windows.plan(window, part, &Masking::default(), rng);
    (0..windows.len()).map(|window| (0..64).map(|_| plan(window)).collect()).collect()
}

/// A window is seen in its plans: it begins with the first segment, and a second one that follows ends it;
/// where a document has two sentences, something follows, however long they are.
#[test]
fn every_sentence_is_in_one_window_of_its_document() {
    let part = part(&LENGTHS);
    let windows = Windows::new(&part, LONGEST);
    let mut next = 0;
    for plans in plans(&windows, &part) {
        let begin = plans[0].first.start;
        let end = plans.iter().filter(|plan| plan.follows).map(|plan| plan.second.end).max();
        let is_alone = part.sentences(document(&part, begin)).len() == 1;
        assert_eq!(end.is_none(), is_alone, "{begin}");
        let end = end.unwrap_or(plans[0].first.end);
        assert_eq!(begin, next, "windows lie one after another");
        assert_eq!(document(&part, begin), document(&part, end - 1), "{begin}..{end}");
        next = end;
    }
    assert_eq!(next, LENGTHS.concat().len());
}

#[test]
fn a_second_segment_follows_or_is_of_another_document() {
    let part = part(&LENGTHS);
    let windows = Windows::new(&part, LONGEST);
    let (mut follow, mut free) = (0, 0);
    for plan in plans(&windows, &part).into_iter().flatten() {
        let own = document(&part, plan.first.start);
        assert!(!plan.first.is_empty() && !plan.second.is_empty());
        assert_eq!(document(&part, plan.second.end - 1), document(&part, plan.second.start));
        if plan.follows {
            assert_eq!(plan.second.start, plan.first.end)
        } else {
            assert_ne!(document(&part, plan.second.start), own)
        }
        if part.sentences(own).len() > 1 {
            (follow, free) = (follow + u32::from(plan.follows), free + 1);
        }
    }
    // One time in two; Hoeffding's bound for one failure in 10⁹ seeds.
    let far = (f64::from(free) * (2.0 / 1e-9_f64).ln() / 2.0).sqrt();
    assert!((f64::from(follow) - f64::from(free) / 2.0).abs() < far, "{follow} of {free}");
}

/// Of three sentences or more each half has a third at least, or as near to it as whole sentences come.
#[test]
fn a_window_is_cut_in_its_middle_third() {
    let part = part(&[&[1; 10], &[1; 2], &[1; 3], &[1; 4], &[1; 5], &[1; 7]]);
    let windows = Windows::new(&part, LONGEST);
    let seen: Vec<BTreeSet<usize>> = plans(&windows, &part)
        .iter()
        .map(|plans| plans.iter().map(|plan| plan.first.len()).collect())
        .collect();
    let wanted: [&[usize]; 6] = [&[4, 5, 6], &[1], &[1, 2], &[2], &[2, 3], &[3, 4]];
    assert_eq!(seen, wanted.map(|cuts| BTreeSet::from_iter(cuts.iter().copied())));
}

/// There are no strangers: what can follow follows, and a single sentence gets itself.
#[test]
fn one_document_is_enough() {
    let several = part(&[&[3, 4, 2, 5, 1, 6]]);
    let windows = Windows::new(&several, LONGEST);
    assert!(plans(&windows, &several).iter().flatten().all(|plan| plan.follows));
    let one = part(&[&[4]]);
    let plan = Windows::new(&one, LONGEST).plan(0, &one, &Masking::default(), &mut rng(0));
    let masked = Masking::default().count(8);
    assert_eq!(plan, Plan { first: 0..1, second: 0..1, follows: false, masked, length: 11 });
}

/// What a plan promises is what is read: lengths, classes, and how many pieces are masked, also where a
/// pair is too long and is shortened, and where somebody wrote a mark.
#[test]
fn a_plan_knows_what_will_be_read() {
    let mut corpus = corpus(&LENGTHS);
    let marked = |text: &str| Document { sentences: vec![text.to_owned(), "a b c d e f a".into()] };
    let marks = ["a [SEP] b [SEP] c [CLS] d [MASK] e [SEP] f [SEP] a [SEP] b", "a b c"].map(marked);
    let marked = Part::all(Store::in_memory(marks, &corpus.pieces));
    for part in [&corpus.training, &marked] {
        for longest in [8, LONGEST, 128] {
            let windows = Windows::new(part, longest);
            for (window, plans) in plans(&windows, part).into_iter().enumerate() {
                for (seed, plan) in plans.into_iter().enumerate() {
                    let plan = [(plan, seed as u64)];
                    let read = examples(&corpus, part, &Masking::default(), longest, &plan);
                    let [(plan, _)] = plan;
                    assert_eq!(read.tokens.len(), plan.length, "{plan:?}");
                    assert_eq!(read.masked.len(), plan.masked, "{plan:?}");
                    assert_eq!(read.follows, [usize::from(!plan.follows)]);
                    assert!(plan.length <= longest);
                    assert!(!plan.follows || plan.length <= windows.length(window, part));
                }
            }
        }
    }
    corpus.training = marked;
    let read = |sentences| corpus.training.read(sentences);
    assert!(read(0..1).contains(&corpus.special.sep), "or nothing was tested");
}

fn model(corpus: &Corpus) -> Pretraining {
    let config = Config {
        vocabulary: corpus.pieces.len(),
        width: 8,
        feed_forward: 12,
        heads: 2,
        blocks: 2,
        longest: LONGEST,
        dropout: 0.0,
        ..Config::BASE
    };
    crate::support::stirred(&config, 3)
}

/// Every shard divides by the counts of the whole batch: however many there are, their losses sum to the
/// same, and that is the mean over the masked tokens plus the mean over the pairs.
#[test]
fn the_loss_of_a_batch_is_that_of_its_shards() {
    let corpus = corpus(&LENGTHS);
    let held = Held::new(&corpus, &corpus.validation, LONGEST, 4, 0).unwrap();
    let task = PretrainingTask::new(&corpus, Some(&held), LONGEST, 8, json!({}));
    let (model, batch) = (model(&corpus), Vec::from_iter(0..task.pairs()));
    let loss = |task: &PretrainingTask, before: u64, shards: usize| -> Float {
        let mut prepared = task.prepare(&batch, shards, &mut rng(7));
        assert_eq!((prepared.shards.len(), prepared.divisor), (shards, 1.0));
        task.begin_step(before, &mut prepared.shards);
        let tape = Tape::without_gradients();
        prepared.shards.iter().map(|shard| task.loss(&model, &tape, shard).scalar()).sum()
    };

    // The same plans, drawn in the same order, at once and with all logits.
    let (part, masking, rng) = (&corpus.training, Masking::default(), &mut rng(7));
    let windows = Windows::new(part, LONGEST);
    let plan = |&i: &usize| (windows.plan(i, part, &masking, rng), rng.random());
    let plans: Vec<(Plan, u64)> = batch.iter().map(plan).collect();
    let whole = examples(&corpus, part, &masking, LONGEST, &plans);
    let tape = Tape::without_gradients();
    let (h, _) = model.bert.forward(&tape, &whole.tokens);
    let masked = cross_entropy(model.masked_logits(h, &whole.masked), &whole.originals).scalar();
    let next = cross_entropy(model.next_logits(h, &whole.tokens), &whole.follows).scalar();
    let is_expected = |weight: Float, found: Float| {
        let masked = weight * masked / whole.masked.len() as Float;
        let expected = masked + next / whole.follows.len() as Float;
        assert!((found - expected).abs() < 2e-6 * expected, "{found}, not {expected}");
    };
    [1, 2, 4].into_iter().for_each(|shards| is_expected(1.0, loss(&task, 0, shards)));

    // NSP first: after three of four steps, the MLM loss counts 0.515.
    let task = task.with_nsp_first(NspFirst { steps: 4 });
    is_expected(0.515, loss(&task, 3, 2));
}

/// A shard may have pairs without a piece that can be asked for: they say whether a text follows.
#[test]
fn a_pair_of_unknown_words_costs_what_its_class_costs() {
    let mut corpus = corpus(&LENGTHS);
    let unknown = || Document { sentences: vec!["ω ω ω".to_owned(), "ω ω".to_owned()] };
    corpus.training = Part::all(Store::in_memory([unknown(), unknown()], &corpus.pieces));
    let held = Held::new(&corpus, &corpus.validation, LONGEST, 4, 0).unwrap();
    let task = PretrainingTask::new(&corpus, Some(&held), LONGEST, 2, json!({}));
    let prepared = task.prepare(&[0, 1], 2, &mut rng(0));
    let model = model(&corpus);
    for shard in &prepared.shards {
        let tape = Tape::training(rng(0));
        let loss = task.loss(&model, &tape, shard);
        assert!(loss.scalar() > 0.0 && loss.scalar().is_finite());
        let gradients = loss.backward();
        let table = gradients.of(&model.bert.embeddings.words.weight).unwrap();
        assert!(table.iter().all(|x| x.is_finite()) && table.amax() > 0.0);
    }
    assert!(
        Held::new(&corpus, &corpus.training, LONGEST, 4, 0).is_err(),
        "nothing to be predicted"
    );
}

#[test]
fn held_out_pairs_are_the_same_whenever_they_are_looked_at() {
    let corpus = corpus(&LENGTHS);
    let model = model(&corpus);
    let judge = || {
        let held = Held::new(&corpus, &corpus.test, LONGEST, 100, 1).unwrap();
        (held.judge(&model), held.rungs)
    };
    let (scores, rungs) = judge();
    assert_eq!((scores, rungs), judge());
    assert_eq!(scores.pairs, Windows::new(&corpus.test, LONGEST).len());
    assert_eq!(rungs.uniform, 6.0_f64.ln());
}

/// Over stories, whoever knows of a pair how long it is and nothing else is helped little: for each length,
/// say what is more frequent. (Pairs that are too long are cut off and have the greatest length.) That is
/// so for pairs as they are judged, and for pairs of two lengths as they are learnt from.
#[test]
fn the_length_of_a_pair_tells_little() {
    const LONGEST: usize = 64;
    let part = Corpus::generated(2000, 2000, 0).unwrap().training;
    for lengths in [&[LONGEST][..], &[48, LONGEST]] {
        let mut seen = [[0_u32; 2]; LONGEST + 1];
        for plan in plans(&Windows::of_lengths(&part, lengths), &part).into_iter().flatten() {
            seen[plan.length][usize::from(plan.follows)] += 1;
        }
        let right: u32 = seen.iter().map(|kinds| kinds.iter().max().unwrap()).sum();
        let share = f64::from(right) / f64::from(seen.concat().iter().sum::<u32>());
        println!("by the length alone, {lengths:?}: {share:.3} of pairs");
        assert!(share < 0.59, "{lengths:?}: {share}");
    }
}

/// The words of a half that are names, as far as they can be read.
fn names(corpus: &Corpus, pieces: &[usize]) -> BTreeSet<String> {
    let is_name = |word: &String| {
        let rows = ["people", "pets"].map(|table| &lexicon::table(table).rows);
        rows.into_iter().flatten().flatten().any(|name| name == word)
    };
    let mut words: Vec<String> = Vec::new();
    for &piece in pieces {
        match (corpus.pieces.piece(piece).strip_prefix("##"), words.last_mut()) {
            (Some(rest), Some(word)) => word.push_str(rest),
            _ => words.push(corpus.pieces.piece(piece).to_owned()),
        }
    }
    words.into_iter().filter(is_name).collect()
}

/// Who knows which words are names, and says *follows* where one stands in both halves, is right of nearly all
/// pairs, but clearly fewer when pieces are masked.
#[test]
fn names_tell_most_pairs() {
    let corpus = Corpus::generated(2000, 2000, 0).unwrap();
    let (part, masking) = (&corpus.training, Masking::default());
    let windows = Windows::new(part, 64);
    let rng = &mut rng(0);
    let [mut whole_right, mut hidden_right] = [0, 0];
    for window in 0..windows.len() {
        let plan = windows.plan(window, part, &masking, rng);
        let follows = plan.follows;
        let read = examples(&corpus, part, &masking, 64, &[(plan, rng.random())]);
        let mut words = read.tokens.pieces.words;
        let right = |words: &[usize]| {
            let half = |segment: usize| -> Vec<usize> {
                let all = words.iter().zip(&read.tokens.segments);
                all.filter(|(_, of)| **of == segment).map(|(&piece, _)| piece).collect()
            };
            let [first, second] = [0, 1].map(|segment| names(&corpus, &half(segment)));
            usize::from(first.is_disjoint(&second) != follows)
        };
        hidden_right += right(&words);
        read.masked.iter().zip(&read.originals).for_each(|(&at, &piece)| words[at] = piece);
        whole_right += right(&words);
    }
    let [whole, masked] = [whole_right, hidden_right].map(|n| n as f64 / windows.len() as f64);
    println!(
        "by names alone: {whole:.3} of {} pairs, {masked:.3} with pieces masked",
        windows.len()
    );
    assert!((0.95..0.98).contains(&whole) && (0.92..0.95).contains(&masked), "{whole} {masked}");
}
