//! 17.6: beyond the training range.

use super::solutions;
use tests::exercises::{Exercise, unhinted};

type Beyond = fn() -> (char, char);

pub const EXERCISE: Exercise<Beyond> = Exercise {
    check,
    wrong: &[
        unhinted("a layer knows only distances, like the estimators", || {
            ('a', solutions::beyond().1)
        }),
        unhinted("twice or three times as much", || ('b', solutions::beyond().1)),
        unhinted("an edge is a matter for lines", || (solutions::beyond().0, 'l')),
        unhinted("no line is trusted beyond the points", || (solutions::beyond().0, 'k')),
    ],
};

fn check(beyond: Beyond) {
    let ((said, best), right) = (beyond(), solutions::beyond());
    assert!(
        said == right.0,
        "the layer's error is not in range '{said}'\nhint: its keys enter as 1, x and x²"
    );
    assert!(
        best == right.1,
        "the best beyond 5 is not '{best}'\nhint: the estimators know distances alone: which is best inside?"
    );
}
