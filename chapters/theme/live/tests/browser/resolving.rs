//! Chapter 9's figure: the trained model names what *it* stands for in what is typed.

use super::{Browser, click_in, page_with, same, shades, texts};
use crate::parameters::Resolver;

const PAGE: &str = "09_self_attention/index.html";
const FIGURE: &str = "figure-09_self_attention-pronoun";
const BOX: &str = "#figure-09_self_attention-pronoun";
const TIRED: &str = "the animal did not cross the street because it was too tired";

/// The page shows the model's answers, the weights of all heads, and the largest of the head that is drawn.
#[track_caller]
fn shows(browser: &mut Browser, text: &str, asks: usize, head: usize) {
    let resolver = Resolver::new();
    let sentence: Vec<&str> = text.split(' ').collect();
    let (best, heads) = resolver.resolve(&sentence, asks);
    shades(browser, &format!("{BOX} .weight"), &heads.concat(), 0.000_6);
    let says = texts(browser, &format!("{BOX} .readout")).remove(0);
    let (answers, looks) = says.split_once(". In head ").expect(&says);
    assert!(answers.contains(&format!("it is {} ", best[0].0)), "{says}");
    same([&answers.to_owned()], &best.iter().map(|(_, p)| 100.0 * p).collect::<Vec<_>>());
    let (_, looks) = looks.split_once(&format!("{} looks at ", sentence[asks])).expect(&says);
    let mut column = heads[head].clone();
    column.sort_by(|a, b| b.total_cmp(a));
    same([&looks.to_owned()], &column[..3].iter().map(|w| 100.0 * w).collect::<Vec<_>>());
}

fn types(browser: &mut Browser, text: &str) -> String {
    browser.types(&format!("{BOX} input"), text);
    texts(browser, &format!("{BOX} [role=alert]")).remove(0)
}

#[test]
#[ignore = "needs Chromium and the built book"]
fn it_is_followed_by_pointer_finger_keys_and_typing() {
    let looking = Resolver::new().head;
    let mut browser = page_with(PAGE, FIGURE);
    shows(&mut browser, TIRED, 8, looking);
    click_in(&mut browser, BOX, "wide");
    let wide = TIRED.replace("tired", "wide");
    shows(&mut browser, &wide, 8, looking);
    let column = format!("{BOX} [data-column=asks]");
    browser.drag(&column, [0.5, 0.5 / 12.0], [0.5, 1.5 / 12.0]);
    shows(&mut browser, &wide, 1, looking);
    browser.press("ArrowDown", 40);
    shows(&mut browser, &wide, 2, looking);
    click_in(&mut browser, BOX, "1.3");
    shows(&mut browser, &wide, 2, 2);
    browser.resize(390, 844);
    browser.swipe(&column, [0.5, 0.5 / 12.0], [0.5, 8.5 / 12.0]);
    shows(&mut browser, &wide, 8, 2);
    browser.fits();
    let small = "the suitcase did not fit into the trophy because it was too small";
    assert_eq!(
        types(&mut browser, "The suitcase did not fit into the trophy, because it was too small."),
        ""
    );
    shows(&mut browser, small, 9, 2);
    assert!(
        types(&mut browser, "it was a kat").contains("and “a” is none of them. With a begin: ")
    );
    assert_eq!(types(&mut browser, "the dog was tired"), "The sentence needs an “it”.");
    shows(&mut browser, small, 9, 2);
    click_in(&mut browser, BOX, "Reset");
    shows(&mut browser, TIRED, 8, looking);
    browser.is_quiet();
}
