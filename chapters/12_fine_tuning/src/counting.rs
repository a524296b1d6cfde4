//! What can be told without reading: by how often which word stands with which class.

use std::collections::HashMap;

// ANCHOR: bayes
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

    /// The most probable class; of equal ones the first.
    pub fn class<W: AsRef<str>>(&self, words: &[W]) -> usize {
        let known: Vec<&HashMap<usize, f64>> =
            words.iter().filter_map(|word| self.counts.get(word.as_ref())).collect();
        let score = |class: usize| {
            let all = self.words[class] + self.counts.len() as f64;
            let count = |counts: &HashMap<_, _>| counts.get(&class).copied().unwrap_or(0.0);
            let word = |counts: &&HashMap<_, _>| ((count(counts) + 1.0) / all).ln();
            self.examples[class].ln() + known.iter().map(word).sum::<f64>()
        };
        let scores: Vec<f64> = (0..self.examples.len()).map(score).collect();
        first_largest(&scores)
    }
}
// ANCHOR_END: bayes

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
    let larger = |best: usize, i: usize| if numbers[i] > numbers[best] { i } else { best };
    (0..numbers.len()).reduce(larger).expect("at least one class")
}
