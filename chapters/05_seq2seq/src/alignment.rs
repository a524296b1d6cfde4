//! Do a model's weights know which word translates which? They are compared with links that people
//! (or a grammar) set.
//!
//! Weights are a matrix of (source words, target words) *without* the end words: neither the row of
//! the source's end word nor the column in which the target's was chosen, since no link to them is
//! known. A word whose largest weight lies on the end word is linked to the word with the largest
//! of the others.

use shared::{Float, Matrix};
use std::collections::HashSet;
use std::ops::Range;

/// A source word and a target word that translate each other, by their positions, counted from 0.
pub type Link = (usize, usize);

/// The source word with the largest weight for every target word, the first of equal ones, unless
/// its weight is below `least` (0 for a link from every word): links (source word, target word).
///
/// ```
/// use seq2seq::alignment::links;
/// let weights = shared::Matrix::from_row_slice(2, 3, &[
///     0.9, 0.2, 0.5, // the first source word
///     0.1, 0.8, 0.5,
/// ]);
/// assert_eq!(links(&weights, 0.0), [(0, 0), (1, 1), (0, 2)]);
/// assert_eq!(links(&weights, 0.6), [(0, 0), (1, 1)]);
/// ```
pub fn links(weights: &Matrix, least: Float) -> Vec<Link> {
    let mut links = Vec::new();
    for (j, column) in weights.column_iter().enumerate() {
        let at_least = column.iter().enumerate().filter(|(_, weight)| **weight >= least);
        let largest = at_least.reduce(|best, next| if next.1 > best.1 { next } else { best });
        links.extend(largest.map(|(i, _)| (i, j)));
    }
    links
}

/// Weights on pieces of words as weights on words: a source word has the *sum* of what its pieces
/// have, a target word the *mean* of what its pieces look at. So what a word looks at still adds up
/// to what its pieces' columns add up to, and words that are one piece keep their weights.
///
/// `weights` (source pieces, target pieces) → (source words, target words); the pieces of each word
/// are a range.
///
/// ```
/// use seq2seq::alignment::on_words;
/// let weights = shared::Matrix::from_row_slice(3, 2, &[
///     0.5, 0.25, //  the first piece of a source word
///     0.25, 0.25, // the second
///     0.25, 0.5, //  a word of one piece
/// ]);
/// let words = on_words(&weights, &[0..2, 2..3], &[0..2]); // two pieces make the target word
/// assert_eq!(words.as_slice(), [0.625, 0.375]);
/// ```
///
/// # Panics
/// When a range has no piece, or one that has no weight.
pub fn on_words(weights: &Matrix, source: &[Range<usize>], target: &[Range<usize>]) -> Matrix {
    Matrix::from_fn(source.len(), target.len(), |i, j| {
        let pieces = weights.view_range(source[i].clone(), target[j].clone());
        pieces.sum() / target[j].len() as Float
    })
}

/// Counts over a corpus for the alignment error rate (Och & Ney 2003, section 5): the links A
/// that were found, the sure ones S and the possible ones P, which include the sure ones.
///
/// ```
/// use seq2seq::alignment::AlignmentErrors;
/// let (sure, possible) = ([(0, 0), (1, 2)], [(1, 1)]);
/// let errors = AlignmentErrors::new(&[(0, 0), (1, 1), (0, 2)], &sure, &possible);
/// assert_eq!(errors.precision(), 2.0 / 3.0); // (0, 0) and (1, 1) of three
/// assert_eq!(errors.recall(), 1.0 / 2.0); // (0, 0) of the two sure ones
/// assert_eq!(errors.rate(), 1.0 - (1.0 + 2.0) / (3.0 + 2.0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AlignmentErrors {
    /// |A|
    pub found: usize,
    /// |S|
    pub sure: usize,
    /// |A ∩ S|
    pub found_sure: usize,
    /// |A ∩ P|
    pub found_possible: usize,
}

impl AlignmentErrors {
    /// The counts of one pair of sentences, from the links found and those that are known; a link
    /// given twice is one link.
    pub fn new(found: &[Link], sure: &[Link], possible: &[Link]) -> AlignmentErrors {
        let set = |links: &[Link]| -> HashSet<Link> { links.iter().copied().collect() };
        let (found, sure) = (set(found), set(sure));
        let possible = &sure | &set(possible);
        AlignmentErrors {
            found: found.len(),
            sure: sure.len(),
            found_sure: found.intersection(&sure).count(),
            found_possible: found.intersection(&possible).count(),
        }
    }

    /// The counts of one pair of sentences, with a link from every target word to the source word
    /// of its largest weight.
    ///
    /// # Panics
    /// When a known link lies outside the weights.
    pub fn of(weights: &Matrix, sure: &[Link], possible: &[Link]) -> AlignmentErrors {
        let (m, n) = weights.shape();
        for (i, j) in sure.iter().chain(possible) {
            assert!(*i < m && *j < n, "a link ({i}, {j}), but weights ({m}, {n})");
        }
        AlignmentErrors::new(&links(weights, 0.0), sure, possible)
    }

    /// Adds the counts of further pairs.
    pub fn add(&mut self, other: &AlignmentErrors) {
        self.found += other.found;
        self.sure += other.sure;
        self.found_sure += other.found_sure;
        self.found_possible += other.found_possible;
    }

    /// `AER = 1 − (|A ∩ S| + |A ∩ P|) / (|A| + |S|)`: 0 is perfect; 0 when there is nothing to find
    /// and nothing was found.
    pub fn rate(&self) -> f64 {
        1.0 - share(self.found_sure + self.found_possible, self.found + self.sure)
    }

    /// `|A ∩ P| / |A|`: the share of the links found that are at least possible.
    pub fn precision(&self) -> f64 {
        share(self.found_possible, self.found)
    }

    /// `|A ∩ S| / |S|`: the share of the sure links that were found.
    pub fn recall(&self) -> f64 {
        share(self.found_sure, self.sure)
    }
}

/// A share of nothing is all of it.
fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_no_number_is_no_link() {
        let weights = Matrix::from_row_slice(
            2,
            3,
            &[Float::NAN, Float::NAN, 0.5, 0.0, Float::NAN, Float::NAN],
        );
        assert_eq!(links(&weights, 0.0), [(1, 0), (0, 2)]);
        assert_eq!(links(&Matrix::zeros(0, 3), 0.0), []);
    }

    #[test]
    fn the_error_rate_of_a_corpus_is_no_mean_over_sentences() {
        let mut errors =
            AlignmentErrors::of(&Matrix::identity(3, 3), &[(0, 0), (1, 1), (2, 2)], &[]);
        assert_eq!(errors.rate(), 0.0);
        let wrong = AlignmentErrors::of(&Matrix::identity(2, 1), &[(1, 0)], &[]);
        assert_eq!(wrong.rate(), 1.0);
        errors.add(&wrong);
        assert_eq!(errors.rate(), 0.25);
    }

    #[test]
    #[should_panic(expected = "a link (1, 0), but weights (1, 2)")]
    fn a_link_outside_the_weights_is_a_mistake() {
        AlignmentErrors::of(&Matrix::zeros(1, 2), &[], &[(1, 0)]);
    }

    fn some_links() -> impl Strategy<Value = Vec<Link>> {
        prop::collection::vec((0_usize..4, 0_usize..5), 0..9)
    }

    proptest! {
        #[test]
        fn rates_lie_between_0_and_1_and_order_does_not_matter(
            found in some_links(), sure in some_links(), possible in some_links(),
        ) {
            let errors = AlignmentErrors::new(&found, &sure, &possible);
            for rate in [errors.rate(), errors.precision(), errors.recall()] {
                prop_assert!((0.0..=1.0).contains(&rate));
            }

            // A numbering of words from the other end, another order, and links given twice.
            let turned = |links: &[Link]| -> Vec<Link> {
                links.iter().rev().chain(links).map(|(i, j)| (3 - i, 4 - j)).collect()
            };
            let other = AlignmentErrors::new(&turned(&found), &turned(&sure), &turned(&possible));
            prop_assert_eq!(other, errors);

            // Languages exchanged.
            let swapped = |links: &[Link]| links.iter().map(|(i, j)| (*j, *i)).collect::<Vec<_>>();
            let other = AlignmentErrors::new(&swapped(&found), &swapped(&sure), &swapped(&possible));
            prop_assert_eq!(other, errors);
        }

        #[test]
        fn all_sure_and_some_possible_links_are_without_error(sure in some_links(), possible in some_links(), count in 0_usize..9) {
            let some = &possible[..count.min(possible.len())];
            let found = [&sure[..], some].concat();
            let errors = AlignmentErrors::new(&found, &sure, &possible);
            prop_assert_eq!((errors.rate(), errors.precision(), errors.recall()), (0.0, 1.0, 1.0));
        }

        #[test]
        fn without_possible_links_it_is_one_minus_f1(found in some_links(), sure in some_links()) {
            let errors = AlignmentErrors::new(&found, &sure, &[]);
            let (p, r) = (errors.precision(), errors.recall());
            prop_assume!(errors.found_sure > 0);
            prop_assert!((errors.rate() - (1.0 - 2.0 * p * r / (p + r))).abs() < 1e-12);
        }

        #[test]
        fn a_wrong_link_more_raises_the_rate_and_a_right_one_lowers_it(
            found in some_links(), sure in some_links(), possible in some_links(),
        ) {
            let rate = |links: &[Link]| AlignmentErrors::new(links, &sure, &possible).rate();
            let before = rate(&found);
            let with = |link| rate(&[&found[..], &[link]].concat());
            if before < 1.0 {
                prop_assert!(with((9, 9)) > before);
            }
            for link in sure.iter().filter(|link| !found.contains(link)) {
                prop_assert!(with(*link) <= before);
            }
        }

        #[test]
        fn links_do_not_depend_on_the_scale_of_weights(weights in prop::collection::vec(0_u8..5, 12)) {
            let weights = Matrix::from_iterator(3, 4, weights.into_iter().map(Float::from));
            prop_assert_eq!(links(&weights, 0.0), links(&(&weights * 0.25), 0.0));
            for (i, j) in links(&weights, 2.0) {
                let first = weights.column(j).iter().position(|w| *w == weights.column(j).max());
                prop_assert_eq!(Some(i), first);
                prop_assert!(weights[(i, j)] >= 2.0);
            }
        }
    }
}
