//! Files from outside: tables as spreadsheets write them, and what is refused.

use std::path::Path;
use workbench::files::{Columns, Rows, read, read_columns};

/// The rows are as the library `csv` writes them, and in other encodings.
#[test]
fn rows_are_what_others_wrote() {
    let rows =
        [["id", "text"], ["1", "a, b; c"], ["2", "say \"no\"\nor \"\" yes"], ["3", "café \"5"]];
    for separator in [b',', b';'] {
        let mut writer = csv::WriterBuilder::new().delimiter(separator).from_writer(Vec::new());
        rows.iter().for_each(|row| writer.write_record(row).unwrap());
        let text = String::from_utf8(writer.into_inner().unwrap()).unwrap();
        let latin: Vec<u8> = text.chars().map(|c| c as u8).collect();
        let wide =
            |unit: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(unit).collect::<Vec<u8>>();
        let (little, big) = (wide(u16::to_le_bytes), wide(u16::to_be_bytes));
        let marked = [
            text.as_bytes().to_vec(),
            [&[0xff, 0xfe], &little[..]].concat(),
            [&[0xfe, 0xff], &big[..]].concat(),
        ];
        for bytes in marked.iter().chain([&latin]) {
            let file = tempfile::NamedTempFile::new().unwrap();
            std::fs::write(file.path(), bytes).unwrap();
            let opened = Rows::open(file.path(), |header| {
                (header == rows[0]).then_some(()).ok_or_else(String::new)
            });
            let (mut read, ()) = opened.unwrap();
            for row in &rows[1..] {
                assert_eq!(read.next_row().unwrap().unwrap().fields, *row);
            }
            assert_eq!(read.next_row().unwrap(), None);
            let told = "1 lines are not UTF-8 and were read as Latin-1 (Windows-1252)";
            assert_eq!(read.notices(), [told][..usize::from(*bytes == latin)]);
        }
    }
}

fn columns(bytes: &[u8]) -> Result<Columns<2>, String> {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), bytes).unwrap();
    let path = file.path().display().to_string();
    read_columns(file.path(), ["x", "y"]).map_err(|error| error.to_string().replace(&path, "FILE"))
}

#[test]
fn what_spreadsheets_write_is_read() {
    let cases: [(&str, [Vec<f64>; 2]); 11] = [
        (
            "\u{feff}time,y,x\r\n\"a, b\",\"1.5\", 2\r\n\r\n,-1e-3,\"4\"\r\n",
            [vec![2.0, 4.0], vec![1.5, -1e-3]],
        ),
        ("who;x;y\n;1;0,5\n;-2,25;1,5E+03\n", [vec![1.0, -2.25], vec![0.5, 1500.0]]),
        ("x\ty\n1\t0,5\n2\t1,25\n", [vec![1.0, 2.0], vec![0.5, 1.25]]),
        ("x;y\n1;0.123\n2;1.234\n", [vec![1.0, 2.0], vec![0.123, 1.234]]),
        ("x,y\n1,NA\n2,-\n,3\nnan,4\n5,6\n", [vec![5.0], vec![6.0]]),
        ("x;y;day\n1;0.5;31.3.2024\n2;1.234;1.4.2024\n", [vec![1.0, 2.0], vec![0.5, 1.234]]),
        ("x,y\n1,#DIV/0!\n4,5\n", [vec![4.0], vec![5.0]]),
        ("x;y;\n1;2;\n;;\n3;4\n", [vec![1.0, 3.0], vec![2.0, 4.0]]),
        ("x,y,note\n1,2,\"a\nb\"\n", [vec![1.0], vec![2.0]]),
        ("x\ty\tnote\n1\t2\t\"5\n3\t4\tcaf\u{e9}\n", [vec![1.0, 3.0], vec![2.0, 4.0]]),
        ("a,x,y\n\"say \"\"1, 2\"\"\", 1,2\n", [vec![1.0], vec![2.0]]),
    ];
    for (text, numbers) in cases {
        assert_eq!(columns(text.as_bytes()).unwrap().numbers, numbers, "{text}");
    }
}

#[test]
fn dates_are_days_or_seconds_since_the_first() {
    for (text, numbers) in [
        ("x,y\n2024-03-01,1\n2024-02-28,2\n", [2.0, 0.0]),
        ("x,y\n3/4/2024,1\n3/31/2024,2\n", [0.0, 27.0]),
        ("x,y\n3/4/2024,1\n31/3/2024,2\n", [3.0, 0.0]),
        ("x,y\n12:59,1\n13:01:30,2\n", [0.0, 150.0]),
        ("x,y\n3.4.2024 9:30,1\n3.4.2024 9:29,2\n", [60.0, 0.0]),
        ("x,y\n1949-01,1\n1949-03,2\n", [0.0, 59.0]),
        ("x,y\n20230131,1\n20230201,2\n", [0.0, 1.0]),
        ("x,y\n20230131,1\n20230299,2\n", [20230131.0, 20230299.0]),
        ("x,y\n2024-02-28T12:00Z,1\n2024-02-29 12:00,2\n", [0.0, 86_400.0]),
    ] {
        assert_eq!(columns(text.as_bytes()).unwrap().numbers[0], numbers, "{text}");
    }
}

#[test]
fn how_it_was_read_is_told() {
    let told = |text: &str| columns(text.as_bytes()).unwrap().notices;
    assert!(told("x,y\n1,2\n2,1.234\n").is_empty());
    assert_eq!(
        told("x;y\n\n2024-01-02;\n2024-01-01;1,5\n"),
        [
            "rows left out for a missing `x` or `y`: 1 of 2 (the first in line 3)",
            "numbers have decimal commas: 1,5 is one and a half",
            "`x` holds dates or times: days since 2024-01-01",
        ]
    );
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    let many: String = (0..100_000).map(|i| format!("a,{i}")).collect();
    let cases: [(&[u8], &str); 19] = [
        (b"", "FILE: the file is empty"),
        (b"x,y\n", "FILE: there is a header, but no row of data follows it"),
        (b"x,y\n1,\n,2\n", "FILE: `x` or `y` are missing in every row"),
        (b"x,z, t\n1,2,3\n", "FILE:1: there is no column `y`; the columns are `x`, `z`, `t`"),
        (b"x,y,x\n1,2,3\n", "FILE:1: the header names column `x` twice"),
        (
            b"x/y\n1 2\n",
            "FILE:1: there is no column `x`; the only column is `x/y` (between columns stand \
             tabs, semicolons or commas)",
        ),
        (b"x,y\n1,2\n3\n", "FILE:3: the number of columns is 1, but line 1 has 2"),
        (
            b"x,y,z\n1,2,\n2,3,\"5 inch\n3,4,ok\n",
            "FILE:3: a quotation mark that opens here is never closed",
        ),
        (b"x,y\n\n1,two\n", "FILE:3: column `y` holds `two`, which is not a number"),
        (
            b"x;y\n1;1,5\n2;1.5\n",
            "FILE:3: column `y` holds `1.5`, a point, where others have decimal commas",
        ),
        (b"x,y\n1,\"1,234\"\n", "FILE:2: column `y` holds `1,234`, which is not a number"),
        (b"x,\"in\nm\"\n1,2\n", "FILE:1: a name goes on in the next line"),
        (b"x,y\n1,-inf\n", "FILE:2: column `y` holds `-inf`, a finite number is needed"),
        (
            b"x,y\n3/4/2024,1\n",
            "FILE:2: column `x` holds `3/4/2024`: is the day or the month first? (write the year \
             first, as in 2024-03-31)",
        ),
        (b"x,y\n1,2\n\0\0", "FILE:3: a zero byte: this is not a text file in UTF-8"),
        (b"x,y\r1,2\r", "FILE:1: a carriage return inside the line: lines must end in LF or CRLF"),
        (b"x,y\n1,\xff", "FILE:2: column `y` holds `\u{ff}`, which is not a number"),
        (
            b"x,y\n12:30,1\nnoon,2\n12:40,3\n",
            "FILE:3: column `x` holds `noon`, which is not a date or time as the others in this \
             column",
        ),
        (
            many.as_bytes(),
            "FILE:1: there is no column `x`; the columns are `a`, `0a`, `1a`, `2a`, `3a`, `4a`, \
             `5a`, `6a`, `7a`, `8a`, and 99991 more",
        ),
    ];
    for (bytes, message) in cases {
        assert_eq!(columns(bytes).unwrap_err(), message);
    }
}

#[test]
fn a_path_that_cannot_be_read_is_told() {
    let error = |path: &str| read_columns(Path::new(path), ["x"]).unwrap_err().to_string();
    assert_eq!(error("/"), "/: this is a directory, a file is needed");
    assert_eq!(error("/nowhere.csv"), "/nowhere.csv: cannot be read: no such file or directory");
}

/// `/dev/zero` never ends, and a pipe waits for somebody to write into it.
#[cfg(unix)]
#[test]
fn what_may_never_end_is_not_begun() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for path in [Path::new("/dev/zero"), &pipe] {
        let told = format!("{}: this is a device or a pipe, a file is needed", path.display());
        assert_eq!(read(path).unwrap_err().to_string(), told);
        assert_eq!(read_columns(path, ["x"]).unwrap_err().to_string(), told);
    }
}

/// A file with holes says that it is large and takes no place.
#[cfg(target_os = "linux")]
#[test]
fn what_is_larger_than_memory_is_refused() {
    let file = tempfile::NamedTempFile::new().unwrap();
    file.as_file().set_len(8 << 40).unwrap();
    let told = read(file.path()).unwrap_err().to_string();
    assert!(told.contains(": has 8.0 TiB, but only "), "{told}");
}
