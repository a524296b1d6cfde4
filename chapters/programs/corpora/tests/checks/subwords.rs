//! Words in pieces, against the algorithm as the paper prints it.

use corpora::{Merge, UNKNOWN, Vocabulary, tokenize};
use parallel::{Sizes, splits};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Sennrich et al. 2016, algorithm 1, which counts everything again for every merge. Equally
/// frequent pairs: the one whose pieces are older.
fn naive(words: &[String], size: usize) -> (Vec<String>, Vec<Merge>) {
    let texts = words.iter().map(|word| word.chars().chain([' ']).map(String::from).collect());
    let mut texts: Vec<Vec<String>> = texts.collect();
    let letters: BTreeSet<String> = texts.iter().flatten().cloned().collect();
    let mut pieces: Vec<String> = letters.into_iter().collect();
    let mut merges = Vec::new();
    while pieces.len() < size {
        let mut counts: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        let number = |piece: &String| pieces.iter().position(|p| p == piece).unwrap();
        for pair in texts.iter().flat_map(|text| text.windows(2)) {
            *counts.entry((number(&pair[0]), number(&pair[1]))).or_default() += 1;
        }
        let best = counts.into_iter().min_by_key(|(pair, n)| (std::cmp::Reverse(*n), *pair));
        let Some(((a, b), 2..)) = best else { break };
        let merge = (pieces[a].clone(), pieces[b].clone());
        texts.iter_mut().for_each(|text| *text = merged(text, &merge));
        let piece = format!("{}{}", merge.0, merge.1);
        if !pieces.contains(&piece) {
            pieces.push(piece);
        }
        merges.push(merge);
    }
    (pieces, merges)
}

fn merged(text: &[String], (a, b): &Merge) -> Vec<String> {
    let (mut joined, mut place) = (Vec::new(), 0);
    while let Some(piece) = text.get(place) {
        let both = piece == a && text.get(place + 1) == Some(b);
        joined.push(if both { format!("{a}{b}") } else { piece.clone() });
        place += 1 + usize::from(both);
    }
    joined
}

fn list(vocabulary: &Vocabulary) -> Vec<String> {
    (3..vocabulary.len()).map(|number| vocabulary.word(number).to_owned()).collect()
}

#[test]
fn words_of_a_corpus_come_back_and_become_few_pieces() {
    let sizes = Sizes { train: 200, validation: 1, test: 50, long: 1, compositional: 1 };
    let pairs = splits(&sizes, 0);
    let words: Vec<&String> =
        pairs.train.iter().flat_map(|pair| pair.source.iter().chain(&pair.target)).collect();
    let vocabulary = Vocabulary::of_pieces(words.iter().copied(), 300).unwrap();
    assert_eq!(vocabulary.len(), 300);
    let reversed = Vocabulary::of_pieces(words.iter().copied().rev(), 300).unwrap();
    assert_eq!(list(&reversed), list(&vocabulary));
    let alone = rayon_of(1).install(|| Vocabulary::of_pieces(words.iter().copied(), 300).unwrap());
    assert!(alone == vocabulary && reversed == vocabulary);
    for pair in &pairs.test {
        let numbers = vocabulary.encode(&pair.source);
        assert_eq!(vocabulary.decode(&numbers), pair.source);
        assert_eq!(vocabulary.spans(&numbers).len(), pair.source.len());
        assert!(numbers.iter().all(|number| *number > 2));
    }
}

fn rayon_of(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
}

#[test]
fn sizes_that_do_not_fit_the_text_are_refused() {
    let words = tokenize("abc abc abd"); // five characters, and the pairs ab, "c " …
    let refused = |size| Vocabulary::of_pieces(words.iter(), size).unwrap_err();
    assert_eq!(refused(7), "too few for 3 special words and the 5 characters of the texts");
    let most = refused(100);
    let count = most.strip_prefix("too many: the texts give ").unwrap().split(' ').next();
    let count: usize = count.unwrap().parse().unwrap();
    assert_eq!(Vocabulary::of_pieces(words.iter(), count).unwrap().len(), count);
    assert!(refused(count + 1).contains("too many"));
    assert!(Vocabulary::of_pieces([].iter(), 10).is_err());
}

#[test]
fn merges_of_another_vocabulary_are_refused() {
    let of = |text: &str, size| Vocabulary::of_pieces(tokenize(text).iter(), size).unwrap();
    let (own, other) = (of("low low slow", 10), of("new new news", 10));
    let bare = Vocabulary::try_from(Vec::from(own.clone())).unwrap();
    let merges = |of: &Vocabulary| of.merges().unwrap().to_vec();
    assert!(bare.clone().with_merges(merges(&own)).unwrap() == own);
    let error = bare.clone().with_merges(merges(&other)).unwrap_err();
    assert!(error.starts_with("the merge of ") && error.ends_with("another vocabulary"), "{error}");
    let long = vec![("low".to_owned(), "low".to_owned())]; // each a piece, both together none
    assert!(bare.clone().with_merges(long).is_err());
    assert!(bare.with_merges(vec![("<unk>".to_owned(), "l".to_owned())]).is_err());
}

/// A model may write any pieces in any order.
#[test]
fn any_pieces_make_words() {
    let words = tokenize("low low slow");
    let vocabulary = Vocabulary::of_pieces(words.iter(), 8).unwrap();
    let [blank, l, o] = [" ", "l", "o"].map(|piece| vocabulary.id(piece).unwrap());
    for (numbers, text) in [
        (vec![], vec![]),
        (vec![blank], vec![]),
        (vec![blank, blank, l, blank, blank], vec!["l"]),
        (vec![l, o], vec!["lo"]),
        (vec![l, blank, o], vec!["l", "o"]),
        (vec![l, UNKNOWN, blank], vec!["l<unk>"]),
    ] {
        assert_eq!(vocabulary.decode(&numbers), text);
        let spans = vocabulary.spans(&numbers);
        assert!(spans.iter().all(|span| !span.is_empty()) && spans.len() == text.len());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// Few letters, so that pairs are often equally frequent and merges meet.
    #[test]
    fn merges_are_those_of_the_algorithm(
        words in prop::collection::vec("[abc]{1,6}", 1..12), size in 4_usize..20,
    ) {
        let (pieces, merges) = naive(&words, size);
        match Vocabulary::of_pieces(words.iter(), size + 3) {
            Ok(vocabulary) => {
                prop_assert_eq!(vocabulary.merges().unwrap(), merges);
                prop_assert_eq!(list(&vocabulary), pieces);
                for word in &words {
                    let word = std::slice::from_ref(word);
                    prop_assert_eq!(&vocabulary.decode(&vocabulary.encode(word)), word);
                }
            }
            Err(_) => prop_assert!(pieces.len() != size, "{pieces:?}"),
        }
    }
}
