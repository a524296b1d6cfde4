//! Words in pieces, from training to alignments, and files to judge by.

use crate::place::{Place, refusal, text};
use corpora::{END, UNKNOWN};
use seq2seq::translating::corpus::{Corpus, CorpusArgs, Tokens};
use seq2seq::translating::judge::{alignment_error_rate, forced_alignments, part_alignments};
use seq2seq::written::BleuTokens;
use seq2seq::{Batch, Next, Translator};
use shared::{Float, Matrix, Module, Tape, Var, Visitor};
use std::path::PathBuf;
use tests::assert_close;

const SMALL: &str = "train --data pairs.tsv --embedding 8 --hidden 8 --batch 8 --epochs 2";

/// The arguments as the command line has them.
pub fn arguments(place: &Place, data: &[&str], subwords: Option<u32>) -> CorpusArgs {
    CorpusArgs {
        data: data.iter().map(|name| place.path(name)).collect(),
        validation: vec![],
        test: vec![],
        tokens: Tokens::Exact,
        lower: false,
        columns: None,
        skip_bad: false,
        allow_unknown: false,
        bleu: BleuTokens::default(),
        subwords,
        pairs: 200,
        min_frequency: None,
        max_words: 50,
        max_vocabulary: 50_000,
    }
}

#[test]
fn a_model_of_pieces_reads_and_writes_words() {
    let place = Place::new();
    place.pairs();
    let told = text(&place.run(&format!("{SMALL} --subwords 60")));
    assert!(told.contains("60 pieces of words to read and to write"), "{told}");
    let found = text(&place.run("translate foxes")); // a word that was in no text
    assert!(!found.contains("<unk>"), "{found}");
    let line = place.refused("translate zebra");
    assert!(line.contains("60 pieces of words, but not all letters of `zebra`"), "{line}");
    text(&place.run("translate zebra --unknown"));
}

#[test]
fn sizes_that_make_no_sense_are_refused() {
    let place = Place::new();
    place.pairs();
    for (more, expected) in [
        ("--subwords 20", "--subwords 20: too few for 3 special words and the "),
        ("--subwords 5000", "--subwords 5000: too many: the texts give "),
    ] {
        let line = place.refused(&format!("{SMALL} {more}"));
        assert!(line.contains(expected), "{line}");
    }
    for more in
        ["--subwords 0", "--subwords 60 --min-frequency 2", "--subwords 60 --max-vocabulary 70"]
    {
        assert_eq!(place.run(&format!("{SMALL} {more}")).status.code(), Some(2), "{more}");
    }
    assert!(!place.path("out/seq2seq/model/model.safetensors").exists());
}

/// Looks at every source number as it is given: weights of a column a target number.
struct Scripted;

impl Module for Scripted {
    fn visit(&mut self, _: &mut Visitor) {}
}

impl Translator for Scripted {
    type State = (Vec<usize>, usize);

    fn loss<'t>(&self, tape: &'t Tape, _: &Batch) -> Var<'t> {
        tape.constant(Matrix::zeros(1, 1))
    }

    fn longest(&self) -> usize {
        5
    }

    fn encode(&self, sources: &[&[usize]]) -> Self::State {
        (sources.iter().map(|source| source.len()).collect(), 0)
    }

    /// Weight 1 on source number `t`, the last one of the source if there is none.
    fn next(&self, state: &mut Self::State, last: &[usize]) -> Next {
        let one_hot = state.0.iter().map(|m| {
            let read = state.1.min(m - 1);
            (0..*m).map(|i| Float::from(u8::from(i == read))).collect()
        });
        let alignments = one_hot.collect();
        state.1 += 1;
        let log_probabilities =
            Matrix::from_fn(9, last.len(), |word, _| if word == 3 { 0.0 } else { -9.0 });
        Next { log_probabilities, alignments }
    }

    fn select(&self, state: &mut Self::State, chosen: &[usize]) {
        state.0 = chosen.iter().map(|&j| state.0[j]).collect();
    }
}

#[test]
fn alignments_of_pieces_are_told_on_words() {
    let place = Place::new();
    let corpus = Corpus::open(&arguments(&place, &[], Some(150)), 0).unwrap();
    let part = &corpus.tests[0];
    let whole = part_alignments(&Scripted, part).unwrap();
    for i in 0..20 {
        let (pair, (source, target)) = (&part.pairs[i], part.numbers(i));
        assert!(source.len() > pair.source.len() + 1 && !source.contains(&UNKNOWN));
        assert_eq!(whole[i].shape(), (pair.source.len(), pair.target.len()));
        // The naive twin, piece by piece.
        let raw = forced_alignments(&Scripted, &[(source, target)]).unwrap().remove(0);
        let (of_source, of_target) = (word_of(&corpus, source), word_of(&corpus, target));
        let mut expected = Matrix::zeros(pair.source.len(), pair.target.len());
        for (j, word) in of_target.iter().enumerate() {
            let share = of_target.iter().filter(|other| *other == word).count() as Float;
            for (i, from) in of_source.iter().enumerate() {
                expected[(*from, *word)] += raw[(i, j)] / share;
            }
        }
        assert_close!(whole[i], expected, 1e-6);
    }
    let rate = alignment_error_rate(&Scripted, part).unwrap();
    assert!(rate > 0.1 && rate < 0.9, "{rate}"); // the diagonal is often right, and often not
}

/// The word to which each piece of a closed sentence belongs.
fn word_of(corpus: &Corpus, numbers: &[usize]) -> Vec<usize> {
    let (mut words, mut word) = (Vec::new(), 0);
    for number in numbers.iter().take_while(|number| **number != END) {
        words.push(word);
        word += usize::from(corpus.source.word(*number).ends_with(' '));
    }
    words
}

#[test]
fn a_search_ends_where_the_model_has_no_more_places() {
    let source = [3, 3, 3, END];
    let found = seq2seq::decoding::greedy(&Scripted, &source);
    assert_eq!((found.words.len(), found.ended), (5, false));
}

#[test]
fn texts_that_are_too_long_for_a_model_are_told() {
    let place = Place::new();
    place.pairs();
    let corpus = Corpus::open(&arguments(&place, &["pairs.tsv"], Some(50)), 0).unwrap();
    let longest = corpus.parts().flat_map(|part| part.sentences.lengths());
    let longest = longest.map(|(source, target)| source.max(target)).max().unwrap();
    corpus.must_fit(longest).unwrap();
    let error = corpus.must_fit(longest - 1).unwrap_err().to_string();
    assert!(
        error.contains(" part has ") && error.ends_with(&format!("{}", longest - 1)),
        "{error}"
    );
}

/// What is given is read whole; what is not given is held out.
#[test]
fn files_to_judge_by_take_the_place_of_held_out_lines() {
    let place = Place::new();
    place.pairs();
    let long = "cat ".repeat(60);
    let test = format!("the cat\tle chat\nthe cat\tle chat\n\n{long}\tchat\n");
    place.write("test.tsv", &test);
    place.write("val.en", "the dog\na dog\n");
    place.write("val.fr", "le chien\nun chien\n");
    let open = |validation: &[&str], test: &[&str]| {
        let paths =
            |names: &[&str]| names.iter().map(|name| place.path(name)).collect::<Vec<PathBuf>>();
        let (validation, test) = (paths(validation), paths(test));
        let arguments = CorpusArgs { validation, test, ..arguments(&place, &["pairs.tsv"], None) };
        Corpus::open(&arguments, 0).unwrap()
    };
    let sizes =
        |corpus: &Corpus| [corpus.training.len(), corpus.validation.len(), corpus.tests[0].len()];
    let both = open(&["val.en", "val.fr"], &["test.tsv"]);
    assert_eq!(sizes(&both), [60, 2, 3]);
    assert_eq!(both.notice.as_deref(), Some("--test: left out: 1 empty line"));
    assert_eq!(both.tests[0].pairs[2].source.len(), 60); // longer than what is learnt from
    assert_eq!(sizes(&open(&[], &["test.tsv"])), [57, 3, 3]);
    assert_eq!(sizes(&open(&["val.en", "val.fr"], &[])), [57, 2, 3]);
    assert_eq!(sizes(&open(&[], &[])), [54, 3, 3]);
    let same = open(&[], &["pairs.tsv"]);
    let learnt = same.training.len();
    let notice = format!("{learnt} of the 60 test sentences are also learnt from");
    assert_eq!(same.notice.as_deref(), Some(&*notice));

    let own = both.fingerprint();
    assert_eq!(open(&["val.en", "val.fr"], &["test.tsv"]).fingerprint(), own);
    place.write("test.tsv", test.replace("the cat\tle chat\n\n", "the cat\tle chien\n\n"));
    assert_ne!(open(&["val.en", "val.fr"], &["test.tsv"]).fingerprint(), own);
}

#[test]
fn wrong_files_to_judge_by_are_told() {
    let place = Place::new();
    place.pairs();
    place.write("left", "yes\nno\nyes\nno\n");
    place.write("right", "oui\n");
    place.write("huge.tsv", format!("yes\toui\n{}\tnon\n", "no ".repeat(1001)));
    for (more, expected) in [
        (
            "--test left right",
            "left:2: no line of right belongs to this one: that file has 1 lines, this one 4",
        ),
        ("--test huge.tsv", "huge.tsv:2: a sentence of 1001 words; 1000 are the most here"),
    ] {
        let line = place.refused(&format!("{SMALL} {more}"));
        assert!(line.contains(expected), "{more}: {line}");
    }
    let alone = place.run("train --test pairs.tsv");
    assert_eq!(alone.status.code(), Some(2)); // the generated pairs have a test of their own
    refusal(&place.run(&format!("{SMALL} --test left right --test left")), "three files");
}
