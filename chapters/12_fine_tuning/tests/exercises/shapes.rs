//! 12.5: eleven tasks, four shapes.

use super::attempts::Shape;
use super::solutions;
use tests::exercises::{Exercise, check_answers, unhinted, with};

type Shapes = fn() -> [(Shape, usize); 11];

pub const EXERCISE: Exercise<Shapes> = Exercise {
    check,
    wrong: &[
        unhinted("a similarity is one of five", || with(solutions::shapes(), 5, (Shape::Pair, 5))),
        unhinted("a question asks for a span", || with(solutions::shapes(), 2, (Shape::Span, 2))),
        unhinted("no answer, a third row", || with(solutions::shapes(), 9, (Shape::Span, 3))),
        unhinted("four classes", || with(solutions::shapes(), 10, (Shape::Pair, 4))),
        unhinted("every ending a row", || with(solutions::shapes(), 10, (Shape::Choice, 4))),
    ],
};

const WHY: [&str; 11] = [
    "a premise and a hypothesis, three classes",
    "two questions, one answer: yes or no",
    "it is asked whether the answer is in the sentence, not where",
    "one sentence, two classes",
    "one sentence, two classes",
    "two sentences; the answer is one number instead of a class, and the sequence is the same",
    "two sentences, two classes",
    "two texts, two classes",
    "of every token: does the answer begin here, and does it end here?",
    "the same rows; an answer that is not there begins and ends at, that is points at [CLS]",
    "each ending is read with the beginning, and one row gives each its number",
];

fn check(shapes: Shapes) {
    check_answers(shapes(), solutions::shapes(), WHY);
}
