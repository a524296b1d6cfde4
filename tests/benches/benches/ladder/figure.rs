//! The figures of what was measured, from the section `ladder` of `chapters/appendix/figures/results.json`,
//! which `python tests/peers/measure.py ladder` writes.

use serde_json::Value;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use workbench::figure::Chart;
use workbench::figure::colour::{GIVEN, PALETTE};

/// Key, name on the figure, and the roof above: what the kernel alone reaches with as many threads.
const RUNGS: [(&str, &str, [&str; 2]); 7] = [
    ("loops", "naive loops", ["peak_f32", "one"]),
    ("nalgebra", "nalgebra", ["peak_f32", "one"]),
    ("kernel", "blocked kernel", ["peak_f32", "one"]),
    ("no_padding", "no padding", ["peak_f32", "one"]),
    ("fused", "fused attention", ["peak_f32", "one"]),
    ("threads", "two threads", ["peak_f32", "two"]),
    ("bf16", "bf16", ["peak_bf16", "two"]),
];

/// Writes `ladder.svg` and `roofline.svg` beside the results.
pub fn draw() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../chapters/appendix/figures");
    let text = fs::read_to_string(folder.join("results.json")).expect("the results");
    let results: Value = serde_json::from_str(&text).expect("JSON");
    let ladder = Results(&results["ladder"]);
    let write =
        |name: &str, svg: String| fs::write(folder.join(name), svg).expect("a place to write");
    write("ladder.svg", climb(&ladder));
    write("roofline.svg", roofline(&ladder).to_string());
}

/// The section `ladder`.
struct Results<'a>(&'a Value);

impl Results<'_> {
    fn get(&self, [name, entry]: [&str; 2]) -> f64 {
        let number = self.0[name][entry].as_f64();
        number.unwrap_or_else(|| panic!("results.json has no number ladder.{name}.{entry}"))
    }

    fn has(&self, name: &str) -> bool {
        !self.0[name].is_null()
    }
}

// ---- the rungs: an axis of names, which `Chart` has not --------------------------------------------

const ROW: f64 = 34.0;
const TOP: f64 = 72.0;
/// Where the axis begins and ends.
const LEFT: f64 = 142.0;
const RIGHT: f64 = 404.0;
/// The axis in powers of ten: a little below the loops, a little above the highest roof.
const POWERS: [f64; 2] = [-0.3, 3.1];

/// The place of a speed on the logarithmic axis.
fn place(gflops: f64) -> f64 {
    LEFT + (RIGHT - LEFT) * (gflops.log10() - POWERS[0]) / (POWERS[1] - POWERS[0])
}

/// A row a rung: from the speed of the rung below to its own, so that equal lengths are equal factors.
/// Dashed: the roof of its row.
fn climb(ladder: &Results) -> String {
    let there: Vec<_> = RUNGS.iter().filter(|(key, ..)| ladder.has(key)).collect();
    let bottom = TOP + ROW * there.len() as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 540 {0}\" width=\"540\" height=\"{0}\">\n\
         <style>:root{{color:#222222}}@media(prefers-color-scheme:dark){{:root{{color:#dddddd}}}}</style>\n\
         <g font-family=\"sans-serif\" font-size=\"16\" fill=\"currentColor\">\n",
        bottom + 54.0
    );
    let mut text = |x: f64, y: f64, anchor: &str, text: &str| {
        writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>")
            .expect("a string");
    };
    text(270.0, 22.0, "middle", "One training step, rung by rung");
    text(place(ladder.get(["peak_f32", "one"])), TOP - 14.0, "middle", "kernel alone");
    text(470.0, TOP - 14.0, "end", "ms a step");
    text(532.0, TOP - 14.0, "end", "gain");
    text((LEFT + RIGHT) / 2.0, bottom + 44.0, "middle", "useful GFLOP/s");
    let decades = || (0..=3).map(|power| 10f64.powi(power));
    for decade in decades() {
        text(place(decade), bottom + 22.0, "middle", &format!("{decade}"));
    }
    let middle = |row: usize| TOP + ROW * (row as f64 + 0.5);
    for (row, (key, name, _)) in there.iter().enumerate() {
        let milliseconds = ladder.get([key, "milliseconds"]);
        text(132.0, middle(row) + 5.5, "end", name);
        text(470.0, middle(row) + 5.5, "end", &three_digits(milliseconds));
        if row > 0 {
            let gain = ladder.get([there[row - 1].0, "milliseconds"]) / milliseconds;
            text(532.0, middle(row) + 5.5, "end", &format!("× {}", three_digits(gain)));
        }
    }
    let mut line = |from: (f64, f64), to: (f64, f64), style: &str| {
        let ((x1, y1), (x2, y2)) = (from, to);
        writeln!(
            svg,
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" {style}/>"
        )
        .expect("a string");
    };
    for decade in decades() {
        line(
            (place(decade), TOP),
            (place(decade), bottom),
            "stroke=\"currentColor\" stroke-opacity=\"0.12\"",
        );
    }
    line((LEFT, bottom), (RIGHT, bottom), "stroke=\"currentColor\" stroke-opacity=\"0.6\"");
    let mut before = None;
    for (row, (key, _, roof)) in there.iter().enumerate() {
        let roof = place(ladder.get(*roof));
        let (above, below) = (middle(row) - ROW / 2.0, middle(row) + ROW / 2.0);
        line(
            (roof, above),
            (roof, below),
            "stroke=\"currentColor\" stroke-width=\"2\" stroke-dasharray=\"6 5\"",
        );
        let here = place(ladder.get([key, "gflops"]));
        if let Some(before) = before {
            line(
                (before, middle(row)),
                (here, middle(row)),
                "stroke=\"#0072B2\" stroke-width=\"5\"",
            );
            line((before, middle(row - 1)), (before, middle(row)), "stroke=\"#0072B2\"");
        }
        before = Some(here);
    }
    for (row, (key, ..)) in there.iter().enumerate() {
        let here = place(ladder.get([key, "gflops"]));
        writeln!(
            svg,
            "<circle cx=\"{here:.1}\" cy=\"{:.1}\" r=\"6\" fill=\"#0072B2\"/>",
            middle(row)
        )
        .expect("a string");
    }
    svg + "</g>\n</svg>\n"
}

/// Three significant digits, or all before the point.
fn three_digits(x: f64) -> String {
    let digits = (2 - x.abs().log10().floor() as i32).max(0) as usize;
    format!("{x:.digits$}")
}

// ---- the products under their roofs ----------------------------------------------------------------

/// One thread, f32: a roof that slopes as long as memory sets the pace, and lies flat where the kernel
/// does (Williams, Waterman and Patterson 2009).
fn roofline(ladder: &Results) -> workbench::figure::Svg {
    const INTENSITIES: [f64; 2] = [0.5, 200.0];
    let peak = ladder.get(["peak_f32", "one"]);
    let [memory, cache] = ["memory", "cache"].map(|from| {
        let bandwidth = ladder.get([from, "one"]);
        let [low, high] = INTENSITIES;
        [(low, low * bandwidth), (peak / bandwidth, peak), (high, peak)]
    });
    let above = |gflops: f64| 1.5 * gflops; // what lies on the roof is named above it
    let mut chart =
        Chart::new("One core: products under their roof", "operations a byte", "GFLOP/s")
            .line("", &memory)
            .coloured(GIVEN)
            .note((1.1 * memory[0].0, memory[0].1), "start", "from memory")
            .dashed("", &cache)
            .coloured(GIVEN)
            .note((cache[0].0, above(peak)), "start", "from the cache");
    for (name, words, anchor, colour) in [
        ("linear", "square layers", "middle", PALETTE[2]),
        ("attention", "attention, 4–20 words", "start", PALETTE[1]),
        ("attention_512", "attention, 512 words", "end", PALETTE[4]),
    ] {
        let at = (ladder.get([name, "intensity"]), ladder.get([name, "gflops"]));
        let beside = if name == "attention_512" { (at.0, above(at.1)) } else { at };
        chart = chart.points("", &[at]).coloured(colour).note(beside, anchor, words);
    }
    // The rungs of a whole step lie close above each other: names on both sides.
    for ((key, name, ..), anchor) in RUNGS[..5].iter().zip(["start", "end"].into_iter().cycle()) {
        let at = (ladder.get(["step", "intensity"]), ladder.get([key, "gflops"]));
        chart = chart.points("", &[at]).coloured(PALETTE[0]).note(at, anchor, name);
    }
    chart.log(true, true).y_range(0.8..300.0).height(420).draw()
}
