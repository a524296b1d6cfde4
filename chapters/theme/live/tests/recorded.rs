//! The live figures' functions give what the chapters' programs have recorded.

use serde_json::Value;

fn results(chapter: &str) -> Value {
    let file = format!("{}/../../{chapter}/figures/results.json", env!("CARGO_MANIFEST_DIR"));
    let mut all: Value =
        serde_json::from_str(&std::fs::read_to_string(file).expect("results")).expect("JSON");
    all["once"].take()
}

fn number(value: &Value) -> f32 {
    value.as_f64().expect("a number") as f32
}

#[track_caller]
fn close(a: f32, b: f32) {
    assert!((a - b).abs() <= 1e-5 * b.abs(), "{a} and {b}");
}

#[test]
fn leave_one_out_errors_of_chapter_1() {
    let fifty = live::points(&[]);
    for (kernel, name) in ["gaussian", "boxcar", "triangular", "epanechnikov"].iter().enumerate() {
        let recorded = &results("01_kernel_regression")["kernels"][name];
        let choice = [kernel as f32, 1.0, number(&recorded["bandwidth"])];
        close(live::errors(&[&choice, &fifty[..]].concat())[0], number(&recorded["leave_one_out"]));
    }
}

#[test]
fn the_textbook_s_descent_of_chapter_2() {
    let fifty = live::points(&[]);
    for pair in results("02_parametric_attention")["textbook"].as_array().expect("steps").windows(2)
    {
        let step = [0.0, number(&pair[0]["w"]), 0.5];
        let [loss, slope, w] = live::descent(&[&step, &fifty[..]].concat())[..] else { panic!() };
        close(loss, number(&pair[0]["loss"]));
        close(slope, number(&pair[0]["slope"]));
        close(w, number(&pair[1]["w"]));
    }
}
