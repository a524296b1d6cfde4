//! Which of the program's choices are refused.

use luong::program::{CHAPTER, Choices};
use seq2seq::translating::recurrent::{Config, SizeArgs};

#[test]
fn what_cannot_be_built_is_refused() {
    let halved = Choices { projected: false, ..Choices::default() };
    for (hidden, choices) in [
        (16, Choices { window: 0, ..Choices::default() }),
        (16, Choices { positions: 0, ..Choices::default() }),
        (15, halved),
    ] {
        let sizes = SizeArgs { embedding: 3, hidden, layers: 1, dropout: 0.0 };
        assert!((CHAPTER.check)(&Config { sizes, choices }, false).is_err());
    }
}
