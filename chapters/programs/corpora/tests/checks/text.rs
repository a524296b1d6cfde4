//! Sentences: what holds for every line, every file and every set of lengths.

use corpora::{Reading, Tokenizer, bucketed_batches, detokenize, read_pairs, tokenize};
use proptest::prelude::*;
use shared::rng;
use std::cmp::Reverse;

/// Lines made of what the rules are about, so that the rules meet each other.
fn line() -> impl Strategy<Value = String> {
    const PIECES: &str = "' ’ l' qu' n't don't 's 've s t d n a mr m . ... … - -- , : 3 14 é e\u{301} ! \" ( ) « » \
                          quelqu'un presqu'île p.m. Σ İ \u{ad} € _";
    let blanks = [" ", "\u{202f}", "\t"];
    let pieces = PIECES.split(' ').chain(blanks).collect::<Vec<_>>();
    let pieces = prop::sample::select(pieces);
    prop::collection::vec(pieces, 0..12).prop_map(|pieces| pieces.concat())
}

/// Words as a sentence has them: elisions before words, clitics after them, marks at the end.
fn sentence() -> impl Strategy<Value = Vec<String>> {
    let word = "[a-zé]{2,7}";
    let phrase = prop_oneof![
        4 => word.prop_map(|word| vec![word]),
        2 => ("(l'|d'|qu'|j'|jusqu')", word).prop_map(|(elided, word)| vec![elided, word]),
        2 => (word, "('s|n't|'ll|'ve|'re|'m|'d)").prop_map(|(word, clitic)| vec![word, clitic]),
        1 => ("[a-z]{2,5}-[a-z]{2,5}", "[,;:]").prop_map(|(word, mark)| vec![word, mark]),
        1 => word.prop_map(|word| vec!["(".to_owned(), word, ")".to_owned()]),
        1 => word.prop_map(|word| vec!["\"".to_owned(), word, "\"".to_owned()]),
        1 => word.prop_map(|word| vec!["«".to_owned(), word, "»".to_owned()]),
        1 => "(mr\\.|3\\.14|10:30|1,000|aujourd'hui|p\\.m\\.|quelqu'un)".prop_map(|word| vec![word]),
    ];
    const ABBREVIATIONS: [&str; 9] = ["mm", "mr", "mrs", "ms", "dr", "st", "vs", "etc", "jr"];
    (prop::collection::vec(phrase, 0..8), "[.!?]")
        .prop_map(|(phrases, mark)| phrases.into_iter().flatten().chain([mark]).collect())
        .prop_filter("words that rules take for others", |words: &Vec<String>| {
            let mut pairs = words.windows(2);
            !words.iter().any(|word| ABBREVIATIONS.contains(&&word[..]) || word.ends_with("qu"))
                && !pairs.any(|pair| pair[0] == "qu'" && ["un", "une"].contains(&&pair[1][..]))
        })
}

/// Lines of all scripts, with what is special to the tokens themselves.
fn any_line() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        4 => "[ \u{a0}\u{202f}\u{3000}\t]{1,2}",
        3 => "\\PC{1,4}",
        2 => any::<String>(),
        2 => "[a-zÀ-ÿ'’.,!?0-9-]{1,8}",
        1 => "[\u{900}-\u{97f}\u{200c}\u{200d}]{1,8}",
        1 => "[\u{e00}-\u{e5b}\u{4e00}-\u{4e20}\u{3040}-\u{3060}，。]{1,8}",
        1 => "[\u{5d0}-\u{5ea}\u{627}-\u{652}\u{400}-\u{450}\u{1f600}-\u{1f64f}\u{1f3fb}]{1,6}",
        1 => "[￭␠␛]{1,3}",
        1 => "[a-z]{40,120}",
    ];
    prop::collection::vec(part, 0..12).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn words_joined_by_blanks_stay_as_they_are(line in line()) {
        let words = tokenize(&line);
        prop_assert_eq!(tokenize(&words.join(" ")), words.clone());
        for word in &words {
            prop_assert_eq!(&tokenize(word), &vec![word.clone()]);
        }
    }

    #[test]
    fn no_letter_is_lost_or_made(line in "\\PC{0,40}") {
        // One apostrophe counts as a letter; the last sigma of a word has a form of its own.
        let letters = |text: &str| -> String {
            text.replace('ς', "σ").chars().filter(|c| c.is_alphanumeric() && *c != 'ʼ').collect()
        };
        let words = tokenize(&line);
        prop_assert_eq!(letters(&words.concat()), letters(&line.to_lowercase()));
        prop_assert!(words.iter().all(|word| !word.is_empty() && !word.contains(char::is_whitespace)));
        prop_assert_eq!(tokenize(&words.join(" ")), words);
    }

    #[test]
    fn exact_tokens_give_the_line_back(line in any_line()) {
        for tokenizer in [Tokenizer::Exact, Tokenizer::ExactLower] {
            let tokens = tokenizer.tokenize(&line);
            prop_assert_eq!(tokenizer.detokenize(&tokens), tokenizer.tidy(&line));
            prop_assert!(tokens.iter().all(|token| !token.is_empty() && !token.contains([' ', '\t'])));
        }
    }

    #[test]
    fn a_sentence_shown_and_read_again_is_the_same(words in sentence()) {
        let shown = detokenize(&words);
        prop_assert_eq!(tokenize(&shown), words, "{}", shown);
    }

    #[test]
    fn every_index_is_in_one_batch_and_lengths_are_alike(
        lengths in prop::collection::vec((1_usize..9, 1_usize..12), 0..60),
        batch in 1_usize..9,
        seed in any::<u64>(),
    ) {
        let batches = bucketed_batches(&lengths, batch, &mut rng(seed));
        let mut indices = batches.concat();
        indices.sort_unstable();
        prop_assert!(indices.into_iter().eq(0..lengths.len()));
        prop_assert_eq!(batches.len(), lengths.len().div_ceil(batch));
        prop_assert!(batches.iter().filter(|indices| indices.len() < batch).count() <= 1);

        let target = |index: &usize| lengths[*index].1;
        let mut spread = 0;
        for indices in &batches {
            let longest_first = |index: &usize| (Reverse(lengths[*index].1), Reverse(lengths[*index].0), *index);
            prop_assert!(indices.is_sorted_by_key(longest_first));
            spread += target(&indices[0]) - target(&indices[indices.len() - 1]);
        }
        let targets = || lengths.iter().map(|(_, target)| *target);
        prop_assert!(spread <= targets().max().unwrap_or(0) - targets().min().unwrap_or(0));
        prop_assert_eq!(batches, bucketed_batches(&lengths, batch, &mut rng(seed)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn no_bytes_make_a_reader_panic(
        a in prop::collection::vec(any::<u8>(), 0..60),
        b in "([a-c.\t\u{feff}\u{a0}]|\r\n|\n){0,20}",
        skip_bad: bool,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let [first, second] = ["a", "b"].map(|name| folder.path().join(name));
        std::fs::write(&first, &a).unwrap();
        std::fs::write(&second, &b).unwrap();
        let reading = Reading { skip_bad, ..Reading::new(3) };
        for paths in [vec![first.clone()], vec![second.clone()], vec![first, second]] {
            match read_pairs(&paths, reading) {
                Ok(read) => prop_assert!(!read.pairs.is_empty()
                    && read.pairs.iter().all(|pair| !pair.source.is_empty() && !pair.target.is_empty())),
                Err(error) => prop_assert!(error.to_string().starts_with(&folder.path().display().to_string())),
            }
        }
    }
}
