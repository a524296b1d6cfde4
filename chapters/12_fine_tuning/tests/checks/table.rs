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
fn a_table_is_one_whatever_wrote_it() {
    let texts = ["say \"no\", now", "\"Hello", "caf\u{e9}"];
    for content in [
        "text\tlabel\nsay \"no\", now\t1\n\"Hello\t-1\ncaf\u{e9}\t1\n",
        "label,text\r\n1,\"say \"\"no\"\", now\"\r\n-1,\"\"\"Hello\"\r\n1,caf\u{e9},\r\n",
        "\"text\"\t\"label\"\n\"say \"\"no\"\", now\"\t\"1\"\n\"\"\"Hello\"\t-1\ncaf\u{e9}\t1\n",
    ] {
        for bytes in [content.as_bytes().to_vec(), content.chars().map(|c| c as u8).collect()] {
            let (_folder, path) = file(bytes);
            let table = read_table(&path).unwrap();
            assert!(table.rows.iter().map(|row| &row.texts[0]).eq(&texts), "{content}");
            assert!(table.rows.iter().map(|row| &row.labels[0]).eq(["1", "-1", "1"]));
        }
    }
}

#[test]
fn labels_may_be_missing() {
    let (_folder, path) = file("words\na  b\nc\n");
    let table = read_table(&path).unwrap();
    assert!(!table.is_labelled);
    assert_eq!(table.rows[0].texts, ["a", "b"]);
    assert!(table.rows.iter().all(|row| row.labels.is_empty()));
}

/// A field of a file: no tabs, no line ends, no blanks around it, not empty.
fn field() -> impl Strategy<Value = String> {
    "[^\\t\\r\\n\\x00]{1,12}".prop_map(|text| format!("x{text}").trim().to_owned())
}

proptest! {
    #[test]
    fn whatever_is_written_is_read(rows in prop::collection::vec((field(), field()), 1..8)) {
        let lines: String = rows.iter().map(|(text, label)| format!("{label}\t{text}\n")).collect();
        let (_folder, path) = file(format!("label\ttext\n{lines}"));
        let table = read_table(&path).unwrap();
        prop_assert_eq!(table.rows.len(), rows.len());
        for (i, (row, (text, label))) in table.rows.iter().zip(&rows).enumerate() {
            prop_assert_eq!(row.line, i as u64 + 2);
            prop_assert_eq!(&row.texts, std::slice::from_ref(text));
            prop_assert_eq!(&row.labels, std::slice::from_ref(label));
        }
    }

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
