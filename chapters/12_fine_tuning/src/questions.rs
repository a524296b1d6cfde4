//! What is read, and which of its tokens are asked.

use bert::Tokens;

/// Sequences, and questions about them: each to one token, whose answer is a class.
///
/// Questions about a text or a pair ask the token of `[CLS]`; questions about words, each one's first piece
/// (Devlin et al. 2019, figure 4 and section 5.3). All other tokens are read, and have no loss.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Questions {
    /// What is read.
    pub tokens: Tokens,
    /// The columns that are asked, increasing …
    pub asked: Vec<usize>,
    /// … and the class that is the answer of each; empty where nobody knows.
    pub answers: Vec<usize>,
}

impl Questions {
    /// One question a sequence, to its `[CLS]`.
    ///
    /// ```
    /// use bert::{Special, Tokens};
    /// use fine_tuning::Questions;
    /// let special = Special { pad: 0, unknown: 1, cls: 2, sep: 3, mask: 4 };
    /// let texts = [Tokens::of(&[7, 8], None, &special), Tokens::of(&[9], Some(&[6]), &special)];
    /// let questions = Questions::of_sequences(Tokens::side_by_side(&texts), vec![1, 0]);
    /// assert_eq!(questions.asked, [0, 4]);
    /// ```
    pub fn of_sequences(tokens: Tokens, answers: Vec<usize>) -> Questions {
        let asked = tokens.pieces.offsets[..tokens.sequences()].to_vec();
        Questions { tokens, asked, answers }
    }

    /// Several, side by side: their columns are counted on.
    pub fn side_by_side<'a>(parts: impl IntoIterator<Item = &'a Questions>) -> Questions {
        let (mut tokens, mut asked, mut answers) = (Vec::new(), Vec::new(), Vec::new());
        let mut before = 0;
        for part in parts {
            asked.extend(part.asked.iter().map(|column| before + column));
            answers.extend_from_slice(&part.answers);
            before += part.tokens.len();
            tokens.push(part.tokens.clone());
        }
        Questions { tokens: Tokens::side_by_side(&tokens), asked, answers }
    }
}
