//! Files from outside: tables as spreadsheets write them, and what is refused.

use std::path::Path;
use workbench::files::{Columns, read, read_columns};

fn columns(bytes: &[u8]) -> Result<Columns<2>, String> {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), bytes).unwrap();
    let path = file.path().display().to_string();
    read_columns(file.path(), ["x", "y"]).map_err(|error| error.to_string().replace(&path, "FILE"))
}

#[test]
fn what_spreadsheets_write_is_read() {
    let cases: [(&str, [Vec<f64>; 2]); 10] = [
        (
            "\u{feff}time,y,x\r\n\"a, b\",\"1.5\", 2\r\n\r\n,-1e-3,\"4\"\r\n",
            [vec![2.0, 4.0], vec![1.5, -1e-3]],
        ),
        ("x,y\r1,2\r3,4\r", [vec![1.0, 3.0], vec![2.0, 4.0]]),
        ("who;x;y\n;1;0,5\n;-2,25;1,5E+03\n", [vec![1.0, -2.25], vec![0.5, 1500.0]]),
        ("x\ty\n1\t0,5\n2\t1.234,5\n", [vec![1.0, 2.0], vec![0.5, 1234.5]]),
        ("x;y\n1;1,234\n2;2,5\n", [vec![1.0, 2.0], vec![1.234, 2.5]]),
        ("x, y\n1, \"1,234\"\n2, \"2,345,678.5\"\n", [vec![1.0, 2.0], vec![1234.0, 2345678.5]]),
        ("x;y\n1;1\u{202f}234,5\n2;12'000\n", [vec![1.0, 2.0], vec![1234.5, 12_000.0]]),
        ("x;y\n1;0.123\n2;1.234\n", [vec![1.0, 2.0], vec![0.123, 1.234]]),
        ("x,y\n1,NA\n2,-\n,3\nnan,4\n5,6\n", [vec![5.0], vec![6.0]]),
        ("a,x,y\n\"say \"\"1, 2\"\"\", \"1\",2\n", [vec![1.0], vec![2.0]]),
    ];
    for (text, numbers) in cases {
        assert_eq!(columns(text.as_bytes()).unwrap().numbers, numbers, "{text}");
    }
}

#[test]
fn dates_are_days_or_seconds_since_the_first() {
    let read = |text: &str| columns(text.as_bytes()).map(|read| read.numbers[0].clone());
    assert_eq!(read("x,y\n2024-03-01,1\n2024-02-28,2\n").unwrap(), [2.0, 0.0]);
    assert_eq!(read("x;y\n28.2.2023;1\n1.3.2023;2\n").unwrap(), [0.0, 1.0]);
    assert_eq!(read("x,y\n3/4/2024,1\n3/31/2024,2\n").unwrap(), [0.0, 27.0]);
    assert_eq!(read("x,y\n3/4/2024,1\n31/3/2024,2\n").unwrap(), [3.0, 0.0]);
    assert_eq!(read("x,y\n23:59,1\n00:01:30,2\n").unwrap(), [86_250.0, 0.0]);
    assert_eq!(read("x,y\n2024-02-28T12:00Z,1\n2024-02-29 12:00,2\n").unwrap(), [0.0, 86_400.0]);
}

#[test]
fn how_it_was_read_is_told() {
    let told = |text: &str| columns(text.as_bytes()).unwrap().notices;
    assert!(told("x,y\n1,2\n2,1.234\n").is_empty());
    let points = "numbers have decimal points: 1.234 is little more than 1";
    assert_eq!(told("x;y\n1;900\n2;1.050\n"), [points]);
    assert_eq!(told("x\ty\n1\t1,234\n")[0], "numbers have commas between thousands: 1,234 is 1234");
    assert_eq!(
        told("x;y\n\n2024-01-02;\n2024-01-01;1,5\n"),
        [
            "rows left out for a missing `x` or `y`: 1 of 2 (the first in line 3)",
            "numbers have decimal commas: 1,5 is one and a half",
            "`x` holds dates or times: days since the first of them",
        ]
    );
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    let many: String = (0..100_000).map(|i| format!("a,{i}")).collect();
    let cases: [(&[u8], &str); 22] = [
        (b"", "FILE: the file is empty"),
        (b" \r\n\n", "FILE: the file is empty"),
        (b"x,y\n", "FILE: there is a header, but no row of data follows it"),
        (b"x,y\n1,\n,2\n", "FILE: `x` or `y` are missing in every row"),
        (b"x,z, t\n1,2,3\n", "FILE:1: there is no column `y`; the columns are `x`, `z`, `t`"),
        (b"x,y,x\n1,2,3\n", "FILE:1: the header names column `x` twice"),
        (
            b"x y\n1 2\n",
            "FILE:1: there is no column `x`; the only column is `x y` (between columns stand \
             commas, semicolons or tabs)",
        ),
        (b"x,y\n1,2\n3\n", "FILE:3: the number of fields is 1, but the header has 2"),
        (b"x,y\n1,2,3\n", "FILE:2: the number of fields is 3, but the header has 2"),
        (
            b"x,y,z\n1,2,\n2,3,\"5 inch\n3,4,ok\n",
            "FILE:3: a quotation mark that opens here is never closed",
        ),
        (b"x,y\n\n1,two\n", "FILE:3: column `y` holds `two`, which is not a number"),
        (b"x;y\n1;1,5\n2;1.5\n", "FILE:3: column `y` holds `1.5`, which is not a number"),
        (b"x,y\n1,-inf\n", "FILE:2: column `y` holds `-inf`, a finite number is needed"),
        (b"x,y\n1,1e999\n", "FILE:2: column `y` holds `1e999`, a finite number is needed"),
        (
            b"x,y\n3/4/2024,1\n",
            "FILE:2: column `x` holds `3/4/2024`: is the day or the month first? (write the year \
             first, as in 2024-03-31)",
        ),
        (b"x,y\n1,2\n1,\xff\n", "FILE:3: this is not valid UTF-8 text"),
        (b"x,y\n1,2\n\0\0", "FILE:3: a zero byte: this is not a text file"),
        (b"x,y\r1,2\r\r3,two\r", "FILE:4: column `y` holds `two`, which is not a number"),
        (b"\n\r\nx,z\n1,2\n", "FILE:3: there is no column `y`; the columns are `x`, `z`"),
        (b"x,y\r1,\xff", "FILE:2: this is not valid UTF-8 text"),
        (
            b"x,y\n12:30,1\nnoon,2\n",
            "FILE:3: column `x` holds `noon`, which is not a date or time as the first one in \
             this column",
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

/// Also behind a link.
#[cfg(target_os = "linux")]
#[test]
fn files_of_the_system_are_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("link");
    std::os::unix::fs::symlink("/proc/self/pagemap", &link).unwrap();
    let told = read(&link).unwrap_err().to_string();
    assert!(told.ends_with("link: this is a file of the system, a file is needed"), "{told}");
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
