//! Which sentences make an example, and what a batch of them costs.

use crate::support::letters;
use bert::program::{Corpus, NspFirst, Part, Plan, PretrainingTask, Windows, examples, special};
use bert::world::lexicon;
use bert::{Config, Masking, Pretraining};
use corpora::{Document, Store};
use rand::RngExt;
use shared::{Float, Tape, cross_entropy, rng};
use std::collections::BTreeSet;
use workbench::training::{Task, json};

/// Documents of sentences with so many pieces.
fn part(lengths: &[&[usize]]) -> Part {
    let words = ["a", "b", "c", "d", "e", "f"];
    let documents = lengths.iter().map(|lengths| {
        let sentences = lengths
            .iter()
            .enumerate()
            .map(|(i, n)| (0..*n).map(|j| words[(i + j * j) % 6]).collect::<Vec<_>>().join(" "));
        Document { sentences: sentences.collect() }
    });
    Part::all(Store::in_memory(documents, &letters()))
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
    let plans = (0..windows.len()).map(|window| {
        (0..64).map(|_| windows.plan(window, part, &Masking::default(), rng)).collect()
    });
    plans.collect()
}

/// A window is seen in its plans: it begins with the first segment, and a second one that follows ends it;
/// where a document has two sentences, something follows one time in two, else another document.
#[test]
fn windows_lie_one_after_another_and_their_pairs_follow_one_time_in_two() {
    let part = part(&LENGTHS);
    let windows = Windows::new(&part, LONGEST);
    let (mut next, mut follow, mut free) = (0, 0, 0);
    for plans in plans(&windows, &part) {
        let begin = plans[0].first.start;
        let own = document(&part, begin);
        let is_alone = part.sentences(own).len() == 1;
        let end = plans.iter().filter(|plan| plan.follows).map(|plan| plan.second.end).max();
        assert_eq!((begin, end.is_none()), (next, is_alone));
        next = end.unwrap_or(plans[0].first.end);
        assert_eq!(document(&part, next - 1), own, "{begin}..{next}");
        for plan in &plans {
            let other = document(&part, plan.second.start);
            assert!(!plan.first.is_empty() && document(&part, plan.second.end - 1) == other);
            assert_eq!(plan.follows, other == own, "{plan:?}");
            assert!(!plan.follows || plan.second.start == plan.first.end, "{plan:?}");
        }
        if !is_alone {
            follow += plans.iter().filter(|plan| plan.follows).count();
            free += plans.len();
        }
    }
    assert_eq!(next, LENGTHS.concat().len());
    // Hoeffding's bound for one failure in 10⁹ seeds.
    let far = (free as f64 * (2.0 / 1e-9_f64).ln() / 2.0).sqrt();
    assert!((follow as f64 - free as f64 / 2.0).abs() < far, "{follow} of {free}");
}

/// Each half of three sentences or more has a third at least, or as near to it as whole sentences come.
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

/// What a plan promises is what is read, also where a pair is too long and is shortened, and where somebody
/// wrote a mark.
#[test]
fn a_plan_knows_what_will_be_read() {
    let corpus = corpus(&LENGTHS);
    let marked = |text: &str| Document { sentences: vec![text.to_owned(), "a b c d e f a".into()] };
    let marks = ["a [SEP] b [SEP] c [CLS] d [MASK] e [SEP] f [SEP] a [SEP] b", "a b c"].map(marked);
    let marked = Part::all(Store::in_memory(marks, &corpus.pieces));
    assert!(marked.read(0..1).contains(&corpus.special.sep), "or nothing was tested");
    for (part, longest) in [&corpus.training, &marked]
        .into_iter()
        .flat_map(|part| [8, LONGEST, 128].map(|n| (part, n)))
    {
        let windows = Windows::new(part, longest);
        for plan in plans(&windows, part).into_iter().flatten() {
            let plan = [(plan, 7)];
            let read = examples(&corpus, part, &Masking::default(), longest, &plan);
            let [(plan, _)] = plan;
            assert_eq!(
                (read.tokens.len(), read.masked.len()),
                (plan.length, plan.masked),
                "{plan:?}"
            );
            assert_eq!(read.follows, [usize::from(!plan.follows)]);
            assert!(plan.length <= longest);
        }
    }
}

fn model(corpus: &Corpus) -> Pretraining {
    let sizes = Config { longest: LONGEST, dropout: 0.0, ..crate::support::small() };
    let config = Config { vocabulary: corpus.pieces.len(), ..sizes };
    crate::support::stirred(&config, 3)
}

/// Every shard divides by the counts of the whole batch: however many there are, their losses sum to the
/// same, and that is the mean over the masked tokens plus the mean over the pairs.
#[test]
fn the_loss_of_a_batch_is_that_of_its_shards() {
    let corpus = corpus(&LENGTHS);
    let task = PretrainingTask::new(&corpus, None, LONGEST, 8, json!({}));
    let (model, batch) = (model(&corpus), Vec::from_iter(0..task.pairs()));
    let loss = |task: &PretrainingTask, before: u64, shards: usize| -> Float {
        let mut prepared = task.prepare(&batch, shards, &mut rng(7));
        assert_eq!((prepared.shards.len(), prepared.divisor), (shards, 1.0));
        task.begin_step(before, &mut prepared.shards);
        let tape = Tape::no_grad();
        prepared.shards.iter().map(|shard| task.loss(&model, &tape, shard).scalar()).sum()
    };

    // The same plans, drawn in the same order, at once and with all logits.
    let (part, masking, rng) = (&corpus.training, Masking::default(), &mut rng(7));
    let windows = Windows::new(part, LONGEST);
    let plans: Vec<(Plan, u64)> =
        batch.iter().map(|&i| (windows.plan(i, part, &masking, rng), rng.random())).collect();
    let whole = examples(&corpus, part, &masking, LONGEST, &plans);
    let tape = Tape::no_grad();
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
    let task = PretrainingTask::new(&corpus, None, LONGEST, 2, json!({}));
    let model = model(&corpus);
    for shard in &task.prepare(&[0, 1], 2, &mut rng(0)).shards {
        let tape = Tape::training(rng(0));
        let loss = task.loss(&model, &tape, shard);
        assert!(loss.scalar() > 0.0 && loss.scalar().is_finite());
        let gradients = loss.backward();
        let table = gradients.of(&model.bert.embeddings.words.weight).unwrap();
        assert!(table.iter().all(|x| x.is_finite()) && table.amax() > 0.0);
    }
}

/// For each length, say what is more frequent: for pairs as they are judged, and of two lengths as they are
/// learnt from.
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

/// Whether a piece begins a word that is a name, and which.
fn names(corpus: &Corpus, pieces: impl Iterator<Item = usize>) -> BTreeSet<String> {
    let text = pieces.map(|piece| corpus.pieces.piece(piece)).collect::<Vec<_>>().join(" ");
    let words = text.replace(" ##", "");
    let tables = ["people", "pets"].map(|table| &lexicon::table(table).rows);
    let names: Vec<&str> = tables.into_iter().flatten().flatten().copied().collect();
    words.split(' ').filter(|word| names.contains(word)).map(str::to_owned).collect()
}

/// Who knows which words are names, and says *follows* where one stands in both halves, is right of nearly all
/// pairs, but clearly fewer when pieces are masked.
#[test]
fn names_tell_most_pairs() {
    let corpus = Corpus::generated(2000, 2000, 0).unwrap();
    let (part, masking) = (&corpus.training, Masking::default());
    let windows = Windows::new(part, 64);
    let rng = &mut rng(0);
    let mut right = [0.0; 2];
    for window in 0..windows.len() {
        let plan = windows.plan(window, part, &masking, rng);
        let follows = plan.follows;
        let read = examples(&corpus, part, &masking, 64, &[(plan, rng.random())]);
        let hidden = read.tokens.pieces.words;
        let mut whole = hidden.clone();
        read.masked.iter().zip(&read.originals).for_each(|(&at, &piece)| whole[at] = piece);
        for (right, words) in right.iter_mut().zip([whole, hidden]) {
            let [first, second] = [0, 1].map(|segment| {
                let half =
                    words.iter().zip(&read.tokens.segments).filter(|(_, of)| **of == segment);
                names(&corpus, half.map(|(&piece, _)| piece))
            });
            *right += f64::from(u8::from(first.is_disjoint(&second) != follows));
        }
    }
    let [whole, masked] = right.map(|n| n / windows.len() as f64);
    println!(
        "by names alone: {whole:.3} of {} pairs, {masked:.3} with pieces masked",
        windows.len()
    );
    assert!((0.95..0.98).contains(&whole) && (0.92..0.95).contains(&masked), "{whole} {masked}");
}
