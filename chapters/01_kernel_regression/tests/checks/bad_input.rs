//! The program on files as people have them: what is wrong is said in one line, exit code 2, and
//! nothing is written.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.path().join(name), bytes).unwrap();
    }

    /// Runs the program in this folder.
    fn run(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_kernel_regression"))
            .args(arguments)
            .current_dir(self.path())
            .output()
            .unwrap()
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Asserts that the program refuses with this line and leaves nothing behind.
    #[track_caller]
    fn refuses(&self, arguments: &[&str], line: &str) {
        let before = self.names();
        let output = self.run(arguments);
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(told, format!("error: {line}\n"), "{arguments:?}");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(String::from_utf8(output.stdout).unwrap(), "", "{arguments:?}");
        assert_eq!(self.names(), before, "{arguments:?} left something behind");
    }
}

#[test]
fn a_file_that_is_no_table_of_numbers_is_refused() {
    let cases: [(&[u8], &str); 5] = [
        (b"x,y\n1,2\n", "points.csv: there is a single row of data, at least two are needed"),
        (b"x,z\n1,2\n2,3\n", "points.csv:1: there is no column `y`; the columns are `x`, `z`"),
        (b"x,y\n1,2\n2,warm\n", "points.csv:3: column `y` holds `warm`, which is not a number"),
        (b"x,y\n7,1\n7,2\n", "points.csv: column `x` holds 7 only: a curve needs different x"),
        (
            b"x,y\n-1e308,1\n1e308,2\n",
            "points.csv: column `x` reaches from -1e308 to 1e308: too far apart",
        ),
    ];
    let folder = Folder::new();
    for (bytes, line) in cases {
        folder.write("points.csv", bytes);
        folder.refuses(&["--data", "points.csv"], line);
    }
}

#[cfg(unix)]
#[test]
fn a_file_without_permission_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    folder.write("locked.csv", b"x,y\n1,2\n2,3\n");
    let locked = folder.path().join("locked.csv");
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(&locked).is_ok() {
        return; // the superuser may read everything
    }
    folder.refuses(&["--data", "locked.csv"], "locked.csv: cannot be read: permission denied");
}

#[test]
fn a_folder_that_cannot_be_written_to_is_refused() {
    let folder = Folder::new();
    folder.write("points.csv", b"x,y\n1,2\n2,3\n");
    folder.write("occupied", b"a file");
    let line = "occupied: cannot be written to: file exists";
    folder.refuses(&["--data", "points.csv", "--out", "occupied"], line);
    folder.refuses(&["--out", "occupied"], line);
    let line = "occupied/below: cannot be written to: not a directory";
    folder.refuses(&["--data", "points.csv", "--out", "occupied/below"], line);
}

#[test]
fn arguments_that_make_no_sense_are_refused() {
    let folder = Folder::new();
    folder.write("points.csv", b"x,y\n1,2\n2,3\n");
    let with = |more: &[&'static str]| [&["--data", "points.csv"], more].concat();
    for h in ["0", "-1", "-0.5", "NaN", "inf", "-inf"] {
        let line = format!("--bandwidth {h}: a positive number is needed");
        folder.refuses(&with(&["--bandwidth", h]), &line);
    }
    let line = "--x and --y both name column `y`";
    folder.refuses(&with(&["--x", "y"]), line);
    let line = "points.csv:1: there is no column `hour`; the columns are `x`, `y`";
    folder.refuses(&with(&["--x", "hour"]), line);
    for wrong in [&["--kernel", "sharp"][..], &["--bandwidth", "wide"], &["--warp"]] {
        assert_eq!(folder.run(&with(wrong)).status.code(), Some(2));
    }
    assert_eq!(folder.names(), ["points.csv"]);
}

#[test]
fn what_spreadsheets_write_is_smoothed() {
    let folder = Folder::new();
    // A byte-order mark, CRLF, quoted numbers, an empty line, unsorted and duplicate x.
    folder.write(
        "points.csv",
        "\u{feff}note,degrees,hour\r\n\"a, b\",\"20.0\",13\r\n,14,9\r\n\r\nc,17,10\r\nd,18,10\r\n"
            .as_bytes(),
    );
    let arguments = ["--data", "points.csv", "--x", "hour", "--y", "degrees", "--bandwidth", "1"];
    let output = folder.run(&arguments);
    assert!(output.status.success(), "{output:?}");
    let out = folder.path().join("out/kernel_regression");
    let table = fs::read_to_string(out.join("smoothed.csv")).unwrap();
    let rows: Vec<&str> = table.lines().collect();
    assert_eq!(rows[0], "hour,degrees,smoothed");
    for (row, beginning) in rows[1..].iter().zip(["13,20,", "9,14,", "10,17,", "10,18,"]) {
        assert!(row.starts_with(beginning), "{table}");
    }
    // At 10: weights e^−½ for 9, 1 for each of the two at 10, e^−4½ for 13.
    let (near, far) = ((-0.5_f64).exp(), (-4.5_f64).exp());
    let expected = (14.0 * near + 17.0 + 18.0 + 20.0 * far) / (near + 2.0 + far);
    let smoothed: f64 = rows[3].rsplit(',').next().unwrap().parse().unwrap();
    assert!((smoothed - expected).abs() < 1e-4, "{smoothed}, not {expected}");
    assert!(fs::read_to_string(out.join("smoothed.svg")).unwrap().starts_with("<svg"));
    assert!(!out.join("bandwidth.svg").exists(), "nothing was chosen");
}

/// A day in seconds since 1970 has more digits than single precision; an outlier in x, one in y and
/// a gap do no harm.
#[test]
fn large_numbers_gaps_and_outliers_are_smoothed() {
    let folder = Folder::new();
    let mut text = "x,y\n".to_owned();
    for second in (0..4000).filter(|second| !(1000..1500).contains(second)) {
        let value = (f64::from(second) / 500.0).sin();
        text += &format!("{},{value}\n", 1_790_000_000 + second);
    }
    text += "1790000100,1e6\n1795000000,0\n";
    folder.write("points.csv", text.as_bytes());
    for kernel in ["gaussian", "boxcar", "triangular", "epanechnikov"] {
        let arguments = ["--data", "points.csv", "--kernel", kernel, "--bandwidth", "5"];
        let output = folder.run(&arguments);
        assert!(output.status.success(), "{output:?}");
        let path = folder.path().join("out/kernel_regression/smoothed.csv");
        let table = fs::read_to_string(path).unwrap();
        assert_eq!(table.lines().count(), 1 + 3502);
        for row in table.lines().skip(1) {
            let [x, y, smoothed]: [f64; 3] = {
                let numbers: Vec<f64> = row.split(',').map(|n| n.parse().unwrap()).collect();
                numbers.try_into().unwrap()
            };
            assert!(smoothed.is_finite(), "{kernel}: {row}");
            if x > 1_790_000_500.0 {
                // Far from the outlier of 10⁶ the curve follows the wave, at the ends within 1 %.
                assert!((smoothed - y).abs() < 0.02, "{kernel}: {row}");
            }
        }
    }
}

#[test]
fn a_bandwidth_is_chosen_and_shown() {
    let folder = Folder::new();
    let (x, y) = kernel_regression::data::noisy_points(300, &mut shared::rng(0));
    let rows: String = x.iter().zip(y).map(|(x, y)| format!("{x},{y}\n")).collect();
    folder.write("points.csv", format!("x,y\n{rows}").as_bytes());
    let output = folder.run(&["--data", "points.csv", "--out", "here"]);
    assert!(output.status.success(), "{output:?}");
    let results = fs::read_to_string(folder.path().join("here/results.json")).unwrap();
    let results: serde_json::Value = serde_json::from_str(&results).unwrap();
    let bandwidth = results["bandwidth"].as_f64().unwrap();
    assert!((0.1..0.4).contains(&bandwidth), "{bandwidth}");
    assert_eq!(results["held_out"], 300);
    assert!(folder.path().join("here/bandwidth.svg").exists());
}

#[test]
fn a_bandwidth_far_from_the_data_is_taken_at_its_word() {
    let folder = Folder::new();
    folder.write("points.csv", b"x,y\n1,1\n2,5\n4,9\n");
    for (h, expected) in
        [("1e-300", ["1,1,1", "2,5,5", "4,9,9"]), ("1e300", ["1,1,5", "2,5,5", "4,9,5"])]
    {
        assert!(folder.run(&["--data", "points.csv", "--bandwidth", h]).status.success());
        let path = folder.path().join("out/kernel_regression/smoothed.csv");
        let table = fs::read_to_string(path).unwrap();
        assert_eq!(table.lines().skip(1).collect::<Vec<_>>(), expected);
    }
}
