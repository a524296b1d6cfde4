//! 12.5: eleven tasks, four shapes.

use crate::attempts::Shape;
use crate::support::{check_answers, with};
use tests::exercises::{Exercise, Kind, Wrong};

type Shapes = fn() -> [Shape; 11];

pub fn exercise() -> Exercise<Shapes> {
    Exercise {
        number: 5,
        title: "eleven tasks, four shapes",
        kind: Kind::Judge,
        difficulty: 1,
        minutes: 10,
        check,
        wrong: &[
            Wrong {
                name: "a similarity is another shape",
                hint: "a number",
                answer: || with(crate::solutions::shapes(), 5, Shape::Text),
            },
            Wrong {
                name: "a question asks for a span",
                hint: "whether",
                answer: || with(crate::solutions::shapes(), 2, Shape::Span),
            },
            Wrong {
                name: "no answer, no span",
                hint: "points at [CLS]",
                answer: || with(crate::solutions::shapes(), 9, Shape::Pair),
            },
            Wrong {
                name: "four classes",
                hint: "each ending",
                answer: || with(crate::solutions::shapes(), 10, Shape::Pair),
            },
            Wrong {
                name: "English is told by pairs",
                hint: "one sentence",
                answer: || with(crate::solutions::shapes(), 4, Shape::Pair),
            },
        ],
    }
}

fn check(shapes: Shapes) {
    use Shape::{Choice, Pair, Span, Text};
    check_answers(
        shapes(),
        [Pair, Pair, Pair, Text, Text, Pair, Pair, Pair, Span, Span, Choice],
        [
            "a premise and a hypothesis",
            "two questions, one answer",
            "it is asked whether the answer is in the sentence, not where",
            "one sentence",
            "one sentence",
            "two sentences; the answer is a number instead of a class, and the sequence is the same",
            "two sentences",
            "two texts",
            "where it begins, and where it ends",
            "the same; an answer that is not there begins and ends at, that is points at [CLS]",
            "each ending is read with the beginning, and one number is told of it",
        ],
    );
}
