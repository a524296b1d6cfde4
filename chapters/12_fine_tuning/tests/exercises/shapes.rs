//! 12.5: eleven tasks, four shapes.

use crate::attempts::Shape;
use crate::solutions;
use tests::exercises::{Exercise, Kind, check_answers, with, wrong};

type Shapes = fn() -> [Shape; 11];

pub const EXERCISE: Exercise<Shapes> = Exercise {
    number: 5,
    title: "eleven tasks, four shapes",
    kind: Kind::Judge,
    difficulty: 1,
    minutes: 10,
    check,
    wrong: &[
        wrong("a similarity is another shape", "", || with(solutions::shapes(), 5, Shape::Text)),
        wrong("a question asks for a span", "", || with(solutions::shapes(), 2, Shape::Span)),
        wrong("no answer, no span", "", || with(solutions::shapes(), 9, Shape::Pair)),
        wrong("four classes", "", || with(solutions::shapes(), 10, Shape::Pair)),
        wrong("English is judged by pairs", "", || with(solutions::shapes(), 4, Shape::Pair)),
    ],
};

const WHY: [&str; 11] = [
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
    "each ending is read with the beginning, and gets one number",
];

fn check(shapes: Shapes) {
    check_answers(shapes(), solutions::shapes(), WHY);
}
