//! The solutions of chapter 14.

pub fn sentence(words: &[usize], table: &[Vec<f64>]) -> Vec<f64> {
    let mut m = vec![0.0; table[0].len()];
    for (j, word) in words.iter().enumerate() {
        let place = (j + 1) as f64 / words.len() as f64;
        for (k, x) in table[*word].iter().enumerate() {
            let entry = (k + 1) as f64 / table[*word].len() as f64;
            m[k] += ((1.0 - place) - entry * (1.0 - 2.0 * place)) * x;
        }
    }
    m
}

/// Sentence 0 answers with who took the apple, takes the apple back, and asks for what is late.
pub fn second_look() -> ([[f64; 6]; 3], [[f64; 6]; 3]) {
    let keys = [
        [9.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [0.0, 8.0, 0.0, 0.0, 0.0, 0.0],
        [0.0, 8.0, 0.0, 0.0, 0.0, 4.0],
    ];
    let values = [
        [-1.0, 1.0, 0.0, 0.0, 0.0, 1.0],
        [0.0, 0.0, 0.0, 0.0, 2.0, 0.0],
        [0.0, 0.0, 0.0, 2.0, 0.0, 0.0],
    ];
    (keys, values)
}

pub fn hops(question: &[f64], tables: &[Vec<Vec<f64>>], answers: &[Vec<f64>]) -> Vec<f64> {
    let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
    let mut u = question.to_vec();
    for pair in tables.windows(2) {
        let scores: Vec<f64> = pair[0].iter().map(|key| dot(&u, key)).collect();
        let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = scores.iter().map(|score| (score - most).exp()).sum();
        for (score, value) in scores.iter().zip(&pair[1]) {
            let p = (score - most).exp() / sum;
            u.iter_mut().zip(value).for_each(|(u, c)| *u += p * c);
        }
    }
    answers.iter().map(|answer| dot(&u, answer)).collect()
}

/// p(1 − p), 1, −p₀p₁, 0.
pub fn what_reaches_a_score() -> [f64; 5] {
    [0.1 * 0.9, 0.99 * 0.01, 1.0, -0.1 * 0.1, 0.0]
}

/// The lines before a fact that are questions are not in memory.
pub fn supports(lines: &[&str]) -> Vec<Vec<usize>> {
    let mut supports = Vec::new();
    for line in lines {
        if let [_question, _answer, facts] = line.split('\t').collect::<Vec<_>>()[..] {
            let numbers = facts.split(' ').map(|fact| fact.parse::<usize>().expect("a number") - 1);
            let indices = numbers.map(|n| lines[..n].iter().filter(|l| !l.contains('\t')).count());
            supports.push(indices.collect());
        }
    }
    supports
}

pub fn found(weights: &[Vec<Vec<f64>>], supports: &[usize]) -> (f64, usize) {
    let mut best = (-1.0, 0);
    for hop in 0..weights[0].len() {
        let lead = weights.iter().zip(supports).filter(|(question, fact)| {
            let of = &question[hop];
            of.iter().all(|weight| *weight <= of[**fact])
        });
        let share = lead.count() as f64 / weights.len() as f64;
        if share > best.0 {
            best = (share, hop);
        }
    }
    best
}

/// A predicts that 1 is as good as a softmax from the start, that 2 is as bad as a linear start, and that 4 is too; B the opposite.
pub fn telling_runs() -> [bool; 5] {
    [false, true, true, false, true]
}

/// The weight is a straight line over the places: of each word, only their number and their sum count, 1 + 4 = 2 + 3.
pub fn alike() -> [Vec<usize>; 2] {
    [vec![0, 1, 1, 0], vec![1, 0, 0, 1]]
}
