//! Spaces where no line may break.

use std::ops::Range;

/// The spaces between numbers and their units, where no line may break.
pub(crate) fn before_units<'m>(
    markdown: &'m str,
    text: &Range<usize>,
) -> impl Iterator<Item = Range<usize>> + 'm {
    const UNITS: [&str; 11] =
        ["×", "%", "ms", "µs", "ns", "s", "MiB", "GiB", "MB", "GFLOP/s", "°C"];
    let (from, text) = (text.start, &markdown[text.clone()]);
    text.match_indices(' ').filter_map(move |(at, _)| {
        let unit = text[at + 1..].split([' ', ',', '.', ';', ':', ')', '\n']).next()?;
        let number = number_before(markdown, from + at).ends_with(|c: char| c.is_ascii_digit());
        (number && UNITS.contains(&unit)).then_some(from + at..from + at + 1)
    })
}

/// The two spaces of `1.0 ± 0.2`, and of the interval `(0.8 to 1.2)`.
pub(crate) fn in_intervals<'m>(
    markdown: &'m str,
    text: &Range<usize>,
) -> impl Iterator<Item = Range<usize>> + 'm {
    let (from, text) = (text.start, &markdown[text.clone()]);
    [" ± ", " to "].into_iter().flat_map(move |between| {
        text.match_indices(between).flat_map(move |(at, _)| {
            let end = from + at + between.len();
            let before = number_before(markdown, from + at);
            let joins = before.ends_with(|c: char| c.is_ascii_digit() || c == '%')
                && markdown[end..].starts_with(|c: char| c.is_ascii_digit() || "+−".contains(c));
            [from + at, end - 1].into_iter().filter(move |_| joins).map(|space| space..space + 1)
        })
    })
}

/// The text before a place, without the mark of a measured number.
fn number_before(markdown: &str, at: usize) -> &str {
    let before = &markdown[..at];
    match before.strip_suffix("-->") {
        Some(marked) => &before[..marked.rfind("<!--").unwrap_or(0)],
        None => before,
    }
}
