//! What several comparisons of the chapter share.

/// Words of a text.
pub const LENGTH: usize = 128;
/// Texts of the test.
pub const TEST: usize = 200;

/// A number with a name of its own.
pub fn owned<T>((name, number): (&str, T)) -> (String, T) {
    (name.to_owned(), number)
}
