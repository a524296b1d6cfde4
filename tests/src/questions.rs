//! The questions of a chapter, `questions.md`: their answers are computed by the chapter's code.

/// Asserts that `questions.md` in `folder` marks the answers that were computed, question by question.
///
/// # Panics
/// When an answer is another, a question has no computed answer, or an answer no question.
pub fn answers<S: AsRef<str>>(folder: &str, computed: &[(&str, S)]) {
    let path = format!("{folder}/questions.md");
    let file = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let computed: Vec<_> =
        computed.iter().map(|(number, right)| (*number, right.as_ref())).collect();
    assert_eq!(marked(&file), computed, "{path}: marked and computed");
}

/// Each question's number and what is marked as its answer.
fn marked(file: &str) -> Vec<(&str, &str)> {
    let answers = file.split("\n## ").skip(1).map(|question| {
        let (number, text) = question.split_once(' ').unwrap_or_default();
        let answer = text.split_once("\n**Answer: ").and_then(|(_, rest)| rest.split_once(".**"));
        (number, answer.map_or("", |(right, _)| right))
    });
    answers.collect()
}

/// The number of the only option that is true.
///
/// # Panics
/// When none is, or more than one.
pub fn option<const N: usize>(is_true: [bool; N]) -> String {
    let right: Vec<usize> = (1..=N).filter(|option| is_true[option - 1]).collect();
    let [right] = right[..] else { panic!("options that are true: {right:?}") };
    right.to_string()
}

/// The options' numbers in the order of their values, the smallest first.
///
/// # Panics
/// When two values are equal, or one is no number.
pub fn order(values: &[f64]) -> String {
    let mut numbers: Vec<usize> = (1..=values.len()).collect();
    numbers.sort_by(|a, b| values[a - 1].total_cmp(&values[b - 1]));
    let rising = numbers.windows(2).all(|pair| values[pair[0] - 1] < values[pair[1] - 1]);
    assert!(rising, "no order: {values:?}");
    numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str =
        "# Q\n\n## 1a One\n\n1. a\n\n**Answer: 2.** So.\n\n## 1b Two\n\n**Answer: 0.5.** So.\n";

    fn check(computed: &[(&str, &str)]) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("questions.md"), FILE).unwrap();
        answers(folder.path().to_str().unwrap(), computed);
    }

    #[test]
    fn marked_answers_are_those_computed() {
        check(&[("1a", "2"), ("1b", "0.5")]);
    }

    #[test]
    #[should_panic(expected = "marked and computed")]
    fn another_answer_is_found() {
        check(&[("1a", "2"), ("1b", "0.25")]);
    }

    #[test]
    #[should_panic(expected = "marked and computed")]
    fn a_question_that_nothing_computes_is_found() {
        check(&[("1a", "2")]);
    }

    #[test]
    fn options_and_orders() {
        assert_eq!(option([false, true, false]), "2");
        assert_eq!(order(&[0.5, -1.0, 0.0]), "2, 3, 1");
        for unclear in [|| option([true, true]), || option([false]), || order(&[1.0, 1.0])] {
            assert!(std::panic::catch_unwind(unclear).is_err());
        }
        assert!(std::panic::catch_unwind(|| order(&[1.0, f64::NAN])).is_err());
    }
}
