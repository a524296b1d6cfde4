//! What the program's choices make of a model, and which are refused.

use bahdanau::Reading;
use bahdanau::program::{CHAPTER, Choices};
use seq2seq::translating::recurrent::{Config, SizeArgs};

/// Models that were kept before the states' dropout could be chosen are read on.
#[test]
fn choices_that_say_nothing_of_states_leave_none_out() {
    let read: Choices = serde_json::from_str(r#"{"reading": "Forward"}"#).unwrap();
    assert_eq!(read, Reading::Forward.into());
}

#[test]
fn a_dropout_that_leaves_nothing_is_refused() {
    for state_dropout in [1.0, -0.1] {
        let sizes = SizeArgs { embedding: 3, hidden: 5, layers: 1, dropout: 0.0 };
        let choices = Choices { state_dropout, ..Reading::Forward.into() };
        let refused = (CHAPTER.check)(&Config { sizes, choices }, false).unwrap_err();
        assert_eq!(refused, format!("a state dropout of {state_dropout}: not in 0 ≤ p < 1"));
    }
}
