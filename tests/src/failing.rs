//! A helper for tests of what a failure says.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// The message with which the closure panics.
pub fn message<T>(failing: impl FnOnce() -> T) -> String {
    match catch_unwind(AssertUnwindSafe(failing)) {
        Ok(_) => panic!("this must fail"),
        Err(payload) => *payload.downcast::<String>().expect("a formatted message"),
    }
}
