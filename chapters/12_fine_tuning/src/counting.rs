//! Baselines that predict without a network: by how often which word stands with which class, and by the words
//! that two texts have in common.

use std::collections::{BTreeSet, HashMap, HashSet};

/// Naive Bayes over bags of words (the multinomial model of McCallum & Nigam 1998): the class `k` with
/// the largest `ln p(k) + Σ ln p(word | k)`, words counted as often as they occur and independent of one
/// another once the class is known. Every count begins at 1 (Laplace), and a word that was never seen
/// says nothing.
#[derive(Clone, Debug)]
pub struct NaiveBayes {
    /// Examples of every class.
    examples: Vec<f64>,
    /// Words of every class, all examples together.
    words: Vec<f64>,
    /// How often a word stands in examples of which class.
    counts: HashMap<String, HashMap<usize, f64>>,
}

impl NaiveBayes {
    /// Counts examples: their words, and their class.
    ///
    /// ```
    /// use fine_tuning::NaiveBayes;
    /// let examples = [(vec!["a", "red", "cup"], 0), (vec!["a", "grey", "book"], 1)];
    /// let counted = NaiveBayes::new(2, &examples);
    /// assert_eq!(counted.class(&["the", "grey", "cup", "grey"]), 1);
    /// ```
    ///
    /// # Panics
    /// When a class is not below `classes`.
    pub fn new<W: AsRef<str>>(classes: usize, examples: &[(Vec<W>, usize)]) -> NaiveBayes {
        let [none, of_none] = [(); 2].map(|()| vec![0.0; classes]);
        let mut bayes = NaiveBayes { examples: none, words: of_none, counts: HashMap::new() };
        for (words, class) in examples {
            bayes.examples[*class] += 1.0;
            bayes.words[*class] += words.len() as f64;
            for word in words {
                let counts = bayes.counts.entry(word.as_ref().to_owned()).or_default();
                *counts.entry(*class).or_default() += 1.0;
            }
        }
        bayes
    }

    // ANCHOR: class
    /// The most probable class; of equal ones the first.
    pub fn class<W: AsRef<str>>(&self, words: &[W]) -> usize {
        let known: Vec<&HashMap<usize, f64>> =
            words.iter().filter_map(|word| self.counts.get(word.as_ref())).collect();
        let scores = (0..self.examples.len()).map(|class| {
            let all = self.words[class] + self.counts.len() as f64;
            let counts = known.iter().map(|counts| counts.get(&class).copied().unwrap_or(0.0));
            let words = counts.map(|count: f64| ((count + 1.0) / all).ln());
            self.examples[class].ln() + words.sum::<f64>()
        });
        first_largest(&scores.collect::<Vec<_>>())
    }
    // ANCHOR_END: class
}

/// Words in common: what two texts share, and nothing else of them. Each word that stands in both counts
/// `ln(1/share)`, its share being that of all words of the training texts, so that a name counts more
/// than *the*; a word never seen counts as one that was seen once. One threshold cuts the sums in two,
/// and each side has the class that is most frequent there: threshold and classes are those that make
/// the most training examples right.
#[derive(Clone, Debug)]
pub struct WordsInCommon {
    /// How often a word stands in the texts.
    counts: HashMap<String, f64>,
    /// All words of the texts.
    words: f64,
    /// The sum from which on the second class is predicted.
    threshold: f64,
    classes: [usize; 2],
}

impl WordsInCommon {
    /// Counts examples: the words of two texts, and their class.
    ///
    /// ```
    /// use fine_tuning::WordsInCommon;
    /// let [ann, too, bob] = [["ann", "ran"], ["ann", "fell"], ["bob", "fell"]].map(Vec::from);
    /// let examples = [([ann.clone(), too.clone()], 1), ([ann.clone(), bob.clone()], 0)];
    /// let counted = WordsInCommon::new(2, &examples);
    /// assert_eq!(counted.class(&[bob.clone(), vec!["so", "bob", "sat"]]), 1);
    /// assert_eq!(counted.class(&[bob, ann]), 0);
    /// ```
    ///
    /// # Panics
    /// When a class is not below `classes`.
    pub fn new<W: AsRef<str>>(classes: usize, examples: &[([Vec<W>; 2], usize)]) -> WordsInCommon {
        let mut counts: HashMap<String, f64> = HashMap::new();
        for word in examples.iter().flat_map(|(texts, _)| texts.iter().flatten()) {
            *counts.entry(word.as_ref().to_owned()).or_default() += 1.0;
        }
        let words = counts.values().sum();
        let none = WordsInCommon { counts, words, threshold: 0.0, classes: [0; 2] };
        let sums = examples.iter().map(|(texts, class)| (none.sum(texts), *class));
        let (threshold, classes_of_sides) = cut(classes, sums.collect());
        WordsInCommon { threshold, classes: classes_of_sides, ..none }
    }

    /// The sum over the words in common.
    fn sum<W: AsRef<str>>(&self, [first, second]: &[Vec<W>; 2]) -> f64 {
        let first: HashSet<&str> = first.iter().map(W::as_ref).collect();
        let second: BTreeSet<&str> = second.iter().map(W::as_ref).collect();
        second
            .into_iter()
            .filter(|word| first.contains(word))
            .map(|word| (self.words / self.counts.get(word).unwrap_or(&1.0)).ln())
            .sum()
    }

    /// The class of the side on which the sum lies.
    pub fn class<W: AsRef<str>>(&self, texts: &[Vec<W>; 2]) -> usize {
        self.classes[usize::from(self.sum(texts) >= self.threshold)]
    }
}

/// The best cut of numbers with classes, and what is then predicted on either side: the most frequent class
/// there. The first of equally good cuts counts.
fn cut(classes: usize, mut numbers: Vec<(f64, usize)>) -> (f64, [usize; 2]) {
    numbers.sort_by(|a, b| a.0.total_cmp(&b.0));
    let [mut below, mut above] = [(); 2].map(|()| vec![0.0; classes]);
    numbers.iter().for_each(|(_, class)| above[*class] += 1.0);
    let (mut most, mut best) = (-1.0, (f64::INFINITY, [0; 2]));
    for (i, (number, class)) in numbers.iter().enumerate() {
        if i == 0 || number > &numbers[i - 1].0 {
            let sides = [&below, &above].map(|counts| first_largest(counts));
            let right = below[sides[0]] + above[sides[1]];
            if right > most {
                let before = if i == 0 { f64::NEG_INFINITY } else { numbers[i - 1].0 };
                (most, best) = (right, (f64::midpoint(before, *number), sides));
            }
        }
        below[*class] += 1.0;
        above[*class] -= 1.0;
    }
    best
}
/// The class that most answers have; of equally frequent ones the first.
///
/// ```
/// assert_eq!(fine_tuning::most_frequent(3, [2, 1, 0, 1, 2]), 1);
/// ```
///
/// # Panics
/// When an answer is not below `classes`, or there are no classes.
pub fn most_frequent(classes: usize, answers: impl IntoIterator<Item = usize>) -> usize {
    let mut counts = vec![0.0; classes];
    answers.into_iter().for_each(|answer| counts[answer] += 1.0);
    first_largest(&counts)
}

fn first_largest(numbers: &[f64]) -> usize {
    (0..numbers.len())
        .reduce(|best, i| if numbers[i] > numbers[best] { i } else { best })
        .expect("at least one class")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_is_made_where_most_are_right() {
        let of = |numbers: &[(f64, usize)]| cut(3, numbers.to_vec());
        assert_eq!(of(&[(4.0, 0), (1.0, 2), (2.0, 2), (3.0, 0)]), (2.5, [2, 0]));
        assert_eq!(of(&[(1.0, 0), (1.0, 1), (1.0, 1), (5.0, 0)]), (3.0, [1, 0])); // never between equals
        assert_eq!(of(&[(1.0, 1), (2.0, 1)]), (f64::NEG_INFINITY, [0, 1])); // nothing to be distinguished
    }

    /// Twelve words, of which *the* are four and *ann* three; *zoe* was never seen.
    #[test]
    fn rare_words_count_more_and_each_counts_once() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let texts = [words("the cup the ann a ann"), words("the ann the tree of it")];
        let counted = WordsInCommon::new(2, &[(texts.clone(), 0)]);
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b}");
        close(counted.sum(&texts), f64::ln(12.0 / 4.0) + f64::ln(12.0 / 3.0));
        close(counted.sum(&[words("zoe sat"), words("so zoe ran")]), f64::ln(12.0));
        close(counted.sum(&[words("ann"), words("bob")]), 0.0);
    }
}
