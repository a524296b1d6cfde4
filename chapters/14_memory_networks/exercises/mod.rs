//! The exercises of chapter 14. Replace a `todo!()`, then run
//! `cargo test -p memory_networks --test exercises`.
//!
//! A vector is a `Vec<f64>`; a story is a list of sentences, a vector each.
#![allow(unused_variables, unused_imports, unreachable_code, clippy::ptr_arg)] // until all are solved

/// **14.1 the vector of a sentence – difficulty ●○○, about 15 minutes**
///
/// The sum of the words' vectors under position encoding. `words` are numbers of rows of `table`, which has one row for
/// each word and is not empty. The page's formula counts words and entries from 1. A sentence without words has zeros.
///
/// Hint: of a single word every entry has a weight, too.
pub fn sentence(words: &[usize], table: &[Vec<f64>]) -> Vec<f64> {
    todo!()
}

/// **14.2 construct: where she went last – difficulty ●●●, about 30 minutes**
///
/// Entries: 0 *apple*, 1 *anna*, 2 *paul*, 3 *garden*, 4 *hall*, 5 *late*. The question is *apple*, (1, 0, 0, 0, 0, 0). Three
/// sentences:
///
/// 0. anna took the apple
/// 1. anna went to the hall
/// 2. anna went to the garden
///
/// Choose a key and a value for each, entries from −9 to 9, the same in both hops, such that hop 1 gives sentence 0 more
/// than 0.9 of the weight, hop 2 sentence 2 more than 0.9, and the garden is the largest entry of what follows (`u + o`
/// after hop 2). It must work for other stories, too. With *paul* for *anna* in any of the sentences, their keys and values
/// have their entries 1 and 2 exchanged, and hop 2 finds the last move of whoever took the apple.
///
/// Returns keys and values.
///
/// Hint: the value of sentence 0 writes the second question. What should that ask for?
pub fn second_look() -> ([[f64; 6]; 3], [[f64; 6]; 3]) {
    todo!()
}

/// **14.3 three hops – difficulty ●●○, about 20 minutes**
///
/// The scores of all answers after as many hops as there are tables, less one. `question` is the question's vector,
/// `tables[k]` has the story's sentences as table k makes them, and `answers` a vector for every answer. Adjacent tying:
/// hop 1 has its keys from table 0 and its values from table 1. Scores may be in the thousands.
///
/// Hint: what one hop reads, the next one searches.
pub fn hops(question: &[f64], tables: &[Vec<Vec<f64>>], answers: &[Vec<f64>]) -> Vec<f64> {
    todo!()
}

/// **14.4 what reaches a score – difficulty ●●○, about 15 minutes**
///
/// Ten sentences; the value of sentence 0 is the number 1, all others are 0, so what is read is `o = p₀`. Derive the
/// derivative of `o` with respect to the score of sentence 0
///
/// 0. with a softmax, when all scores are equal;
/// 1. with a softmax, when sentence 0 has the weight 0.99;
/// 2. in a linear start?
///
/// And with respect to the score of sentence 1
///
/// 3. with a softmax, when all scores are equal;
/// 4. in a linear start?
pub fn what_reaches_a_score() -> [f64; 5] {
    todo!()
}

/// **14.5 spot the bug: which sentences support it? – difficulty ●○○, about 15 minutes**
///
/// One story of a file, line by line: a number from 1 and a sentence, or a number and a question, with its answer and the
/// numbers of its supporting facts behind tabs. The memory holds the sentences alone, without questions. Should return, for
/// each question, the indices in memory of its facts, from 0. It passes every test that has one question, at the end.
///
/// Hint: write down a story with two questions, and its memory.
pub fn supports(lines: &[&str]) -> Vec<Vec<usize>> {
    todo!("find the bug, then remove this line");
    let mut supports = Vec::new();
    for line in lines {
        if let [_question, _answer, facts] = line.split('\t').collect::<Vec<_>>()[..] {
            let facts = facts.split(' ').map(|fact| fact.parse::<usize>().expect("a number") - 1);
            supports.push(facts.collect());
        }
    }
    supports
}

/// **14.6 is the fact found? – difficulty ●●○, about 15 minutes**
///
/// `weights[q][hop][sentence]` of some questions, and for each question the sentence that supports it. In which share of the
/// questions has that sentence the largest weight, in the hop that has it most often? (The first hop, if several do.) Returns
/// the share and the hop, counted from 0. There is a question at least, and no two weights of a hop are equal.
///
/// Hint: a hop is chosen once for the model, not once for a question.
pub fn found(weights: &[Vec<Vec<f64>>], supports: &[usize]) -> (f64, usize) {
    todo!()
}

/// **14.7 which run tells? – difficulty ●●○, about 15 minutes**
///
/// With a linear start, *counting* ends with more wrong answers. Two explanations:
///
/// - A: the linear start takes a tenth of the steps, and too few are left;
/// - B: it leads the tables to where the softmax cannot leave.
///
/// Which of these runs would tell A from B, that is, do the two predict another outcome for it?
///
/// 0. ten more seeds of both rows;
/// 1. a linear start as before, and after it as many steps with the softmax as the other row has in all;
/// 2. a softmax from the start, with nine tenths of the steps;
/// 3. a linear start in wider vectors;
/// 4. a linear start, then the tables drawn anew, and the remaining nine tenths with the softmax.
pub fn telling_runs() -> [bool; 5] {
    todo!()
}

/// **14.8 construct: two orders, one vector – difficulty ●●○, about 20 minutes**
///
/// Position encoding distinguishes *anna likes paul* from *paul likes anna*. It does not distinguish all orders. Returns two
/// different sentences of the same words, six at most, whose vectors (14.1) are equal for every table. Words are the numbers
/// 0 to 3, and may occur several times.
///
/// Hint: how does the weight of an entry grow with the word's place?
pub fn alike() -> [Vec<usize>; 2] {
    todo!()
}

// **14.9 capstone: your hops find the cup – difficulty ●○○, about 5 minutes**
//
// There is nothing to write here. When 14.1, 14.3 and 14.6 are solved, your functions run the trained network of
// `examples/smallest.rs`: `sentence` makes vectors of new stories, `hops` answers them, `found` says whether both hops look
// where they should.
//
// `cargo test -p memory_networks --test exercises 14.9` prints how many new questions are answered, and draws one.
