//! Chapter 4's figures: a spectral radius is turned, and a cell learns to add what is marked.

use super::{Browser, click, page_with, same, shades, texts};
use live::Adding;

const PAGE: &str = "04_recurrent_networks/index.html";
const RADIUS: &str = "figure-04_recurrent_networks-radius";
const GATES: &str = "figure-04_recurrent_networks-gates";
const VALUES: [f32; 20] = [
    0.62, 0.18, 0.85, 0.33, 0.71, 0.08, 0.54, 0.97, 0.26, 0.45, 0.9, 0.12, 0.67, 0.39, 0.78, 0.21,
    0.58, 0.03, 0.83, 0.49,
];

/// What a figure says of itself.
fn told(browser: &mut Browser, figure: &str) -> String {
    texts(browser, &format!("#{figure} .live p")).remove(1)
}

/// A digit or a minus that stood above the line.
fn plain(c: char) -> char {
    "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"
        .chars()
        .position(|above| above == c)
        .map_or(c, |at| "-0123456789".as_bytes()[at].into())
}

#[test]
#[ignore = "needs Chromium and the built book"]
fn a_radius_is_turned() {
    let mut browser = page_with(PAGE, RADIUS);
    browser.evaluate(&format!("document.querySelector('#{RADIUS} input').focus()"));
    browser.press("ArrowRight", 39);
    let norms = live::radius(&[1.005]);
    let text = told(&mut browser, RADIUS);
    assert!(text.contains("Radius 1.005: 10 steps back "), "{text}");
    let written =
        text.trim_end_matches('.').replace("·10", "e").chars().map(plain).collect::<String>();
    let shown: Vec<f32> = written
        .split(", ")
        .map(|part| part.rsplit(' ').next().unwrap().parse().expect(&written))
        .collect();
    assert_eq!(shown.len(), 3);
    for (shown, back) in shown.iter().zip([10, 50, 100]) {
        assert!((shown / norms[back - 1] - 1.0).abs() < 0.06, "{text} for {norms:?}");
    }
    browser.resize(390, 844);
    browser.swipe(&format!("#{RADIUS} input"), [0.5, 0.5], [0.02, 0.5]);
    browser.until(&format!(
        "document.querySelectorAll('#{RADIUS} .live p')[1].textContent.includes('·10⁻')"
    ));
    browser.fits_and_is_quiet();
}

/// The page shows these gates, and what the function says of them. The browser sums in another order than this
/// processor; ten steps change the gates by more than 0.01.
#[track_caller]
fn shows(browser: &mut Browser, adding: &Adding, marks: [usize; 2]) {
    let tokens = VALUES.iter().enumerate();
    let tokens: Vec<f32> =
        tokens.flat_map(|(t, value)| [*value, f32::from(marks.contains(&t))]).collect();
    let answer = adding.read(&tokens);
    shades(browser, &format!("#{GATES} .gate"), &answer[20..answer.len() - 2], 0.002);
}

#[test]
#[ignore = "needs Chromium and the built book"]
fn a_cell_learns_to_write_at_marks() {
    let mut browser = page_with(PAGE, GATES);
    let mut adding = Adding::new(0);
    shows(&mut browser, &adding, [4, 13]);
    let first = adding.read(&[&[0.5, 1.0][..], &[0.0; 38]].concat());
    assert_eq!(first.len(), 20 + 16 * 20 + 2);
    click(&mut browser, "10 steps");
    for _ in 0..10 {
        adding.train();
    }
    shows(&mut browser, &adding, [4, 13]);
    let grip = format!("#{GATES} rect.area");
    browser.drag(&grip, [0.45, 0.5], [0.15, 0.5]); // of ten tokens
    shows(&mut browser, &adding, [1, 13]);
    browser.press("ArrowRight", 39);
    shows(&mut browser, &adding, [2, 13]);
    browser.resize(390, 844);
    browser.swipe(&grip, [0.25, 0.5], [0.95, 0.5]);
    shows(&mut browser, &adding, [9, 13]);
    click(&mut browser, "Train on");
    browser.until(&format!(
        "document.querySelector('#{GATES} .live button').textContent === 'Trained'"
    ));
    let text = told(&mut browser, GATES);
    let numbers: Vec<f32> = text
        .split([' ', ';', ','])
        .filter_map(|word| word.trim_end_matches('.').parse().ok())
        .collect();
    let [seed, step, error, answer, sum, marked, elsewhere] = numbers[..] else { panic!("{text}") };
    assert!(seed == 0.0 && step == 1000.0 && error < 0.01, "{text}");
    assert!((answer - sum).abs() < 0.1 && marked < elsewhere, "{text}");
    same(&[sum.to_string()], &[0.45 + 0.39]);
    browser.until(&format!("document.querySelector('#{GATES} .heard').textContent === '{text}'"));
    browser.fits_and_is_quiet();
}
