//! A small book to be spoilt: on it each check is shown to find what it looks for.

use super::Page;

/// A book of one chapter, to be spoilt.
pub struct Small(pub tempfile::TempDir);

impl Small {
    pub fn book() -> Small {
        let small = Small(tempfile::tempdir().unwrap());
        small.write(
            "SUMMARY.md",
            "# Summary\n\n[Introduction](README.md)\n- [One](01_one/README.md)\n",
        );
        small.write("README.md", "# Introduction\n\n## How to read\n\n## How to read\n");
        small.write("01_one/README.md", "# One\n");
        small.write("01_one/src/lib.rs", "// ANCHOR: f\nfn f() {}\n// ANCHOR_END: f\n// ANCHOR: g\n// ANCHOR_END: g\n// ANCHOR: open\nfn h() {}\n");
        small.write("01_one/figures/x.svg", "<svg viewBox=\"0 0 2 1\"/>");
        small.write(
            "01_one/figures/results.json",
            r#"{"h": 0.3146, "n": 1234567, "share": 0.125, "loss": 0.00123, "drop": -2.04,
                "fits": [{"mse": 0.5}, {"mse": 1.26}], "best": "Gaussian", "none": null}"#,
        );
        small.write("01_one/figures/more.json", r#"{"n": 7}"#);
        small
    }

    pub fn write(&self, file: &str, text: &str) {
        let file = self.0.path().join(file);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }

    /// The chapter's page with this text.
    pub fn page(&self, text: &str) -> Page {
        let file = self.0.path().join("01_one/README.md");
        Page { file, root: self.0.path().into(), text: text.into() }
    }
}

/// `check` accepts the good pages, and names a reason for each of the bad ones.
pub fn proven(check: fn(&Page) -> Vec<String>, good: &[&str], bad: &[(&str, &str)]) {
    let small = Small::book();
    for text in good {
        let faults = check(&small.page(text));
        assert!(faults.is_empty(), "`{text}` is good, but: {faults:?}");
    }
    for (text, reason) in bad {
        let faults = check(&small.page(text));
        assert_eq!(faults.len(), 1, "`{text}` has one fault: {faults:?}");
        assert!(faults[0].contains(reason), "`{text}`: expected “{reason}”, got “{}”", faults[0]);
    }
}
