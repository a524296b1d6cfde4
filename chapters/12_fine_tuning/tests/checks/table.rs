//! Files of examples, of any content.

use crate::line::told;
use crate::support::file;
use fine_tuning::program::{Form, read_table};
use proptest::prelude::*;

fn refused(content: impl AsRef<[u8]>) -> String {
    let (folder, path) = file(content);
    told(&folder, read_table(&path).unwrap_err())
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    let needed = "needed are `text`, or `first` and `second`, or `words`";
    let cases: [(&str, String); 10] = [
        ("", "FILE: the file is empty".into()),
        ("\r\n \n", "FILE: the file is empty".into()),
        ("text\tlabel\n\n", "FILE: there is a header, but no example follows it".into()),
        ("text\tlabel\ttext\na\tb\tc\n", "FILE:1: the header names column `text` twice".into()),
        ("a\tb\n", format!("FILE:1: the first line names the columns `a`, `b`; {needed}")),
        (
            "\nfirst\tlabel\n",
            "FILE:2: there is no column `second`; the columns are `first`, `label`".into(),
        ),
        ("text\twords\n", "FILE:1: `text`, `words`: which of these is to be read?".into()),
        ("text\tlabel\na\tb\na\n", "FILE:3: the number of columns is 1, but line 1 has 2".into()),
        ("text\tlabel\na\tb\tc\n", "FILE:2: the number of columns is 3, but line 1 has 2".into()),
        ("text\tlabel\na\t\0\n", "FILE:2: a zero byte: this is not a text file in UTF-8".into()),
    ];
    for (content, message) in cases {
        assert_eq!(refused(content), message, "{content:?}");
    }
}

#[test]
fn other_columns_blanks_and_byte_order_marks_are_passed_over() {
    let (_folder, path) =
        file("\u{feff}id\tlabel\tsecond \tfirst\r\n7\tyes\tb c\ta\r\n\r\n8\tno\td\te");
    let table = read_table(&path).unwrap();
    assert_eq!(table.form, Form::Pair);
    let rows: Vec<_> =
        table.rows.iter().map(|row| (row.line, &row.texts[..], &row.labels[..])).collect();
    let texts = |a: &str, b: &str| vec![a.to_owned(), b.to_owned()];
    assert_eq!(rows[0], (2, &texts("a", "b c")[..], &["yes".to_owned()][..]));
    assert_eq!(rows[1], (4, &texts("e", "d")[..], &["no".to_owned()][..]));
}

#[test]
fn labels_may_be_missing() {
    let (_folder, path) = file("words\na  b\nc\n");
    let table = read_table(&path).unwrap();
    assert!(!table.is_labelled);
    assert_eq!(table.rows[0].texts, ["a", "b"]);
    assert!(table.rows.iter().all(|row| row.labels.is_empty()));
}

proptest! {
    /// Any bytes are a table or are refused in one line that names the file.
    #[test]
    fn no_bytes_are_too_odd(bytes in prop::collection::vec(any::<u8>(), 0..80), known in any::<bool>()) {
        let header: &[u8] = if known { b"words\ttags\n" } else { b"" };
        let (folder, path) = file([header, &bytes[..]].concat());
        match read_table(&path) {
            Ok(table) => prop_assert!(table.rows.iter().all(|row| !row.texts.is_empty())),
            Err(error) => {
                let line = told(&folder, error);
                prop_assert!(line.starts_with("FILE") && !line.contains('\n'), "{}", line);
            }
        }
    }
}
