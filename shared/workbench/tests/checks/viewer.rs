//! The page of attentions in a browser. Needs Chromium, so it is asked for by name:
//! `cargo test -p workbench --test checks viewer -- --ignored`.

use shared::Matrix;
use std::process::Command;
use workbench::viewer::{Group, Viewer};

/// Two groups of two blocks of three heads, all weights different.
fn viewer() -> Viewer {
    let words = |all: &str| all.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let group = |name: &str, keys: &str, shift: usize| {
        let (queries, keys) = (words("le chat </script> noir"), words(keys));
        let heads = |block: usize| {
            let weight = |head: usize| {
                Matrix::from_fn(keys.len(), 4, |key, query| {
                    (1 + shift * 500 + block * 200 + head * 50 + query * 7 + key) as f32 / 1000.0
                })
            };
            (0..3).map(weight).collect()
        };
        let blocks: Vec<Vec<Matrix>> = (0..2).map(heads).collect();
        Group::new([name, "asking", "seen by"], queries, keys.clone(), &blocks)
    };
    let groups =
        vec![group("self", "the black cat", 0), group("cross", "one two three four five", 1)];
    Viewer { title: "le chat & <noir>".to_owned(), groups }
}

/// The page after its script has run, with `more` at the end of it; and what it said to the console.
fn in_a_browser(page: &str, address: &str, more: &str) -> (String, String) {
    let folder = tempfile::tempdir().unwrap();
    let (path, profile) = (folder.path().join("page.html"), folder.path().join("profile"));
    std::fs::write(&path, page.replace("</body>", &format!("<script>{more}</script></body>")))
        .unwrap();
    let output = Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"])
        .args(["--enable-logging=stderr", "--dump-dom"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("file://{}{address}", path.display()))
        .output()
        .expect("chromium starts");
    let log = String::from_utf8_lossy(&output.stderr).into_owned();
    let console =
        log.lines().filter(|line| line.contains("CONSOLE")).collect::<Vec<_>>().join("\n");
    (String::from_utf8_lossy(&output.stdout).into_owned(), console)
}

/// The weights that the page shows for the chosen word.
fn shown(page: &str) -> Vec<f32> {
    let seen = page.split_once(r#"id="seen""#).unwrap().1.split_once("</ul>").unwrap().0;
    let weight = |part: &str| part.split_once("</small>").unwrap().0.parse().unwrap();
    seen.split("<small>").skip(1).map(weight).collect()
}

#[test]
#[ignore = "needs Chromium"]
fn a_browser_shows_the_weights_of_the_word_that_is_pointed_at() {
    let viewer = viewer();
    let page = viewer.html();
    let expect = |address: &str, more: &str, [group, block, head, query]: [usize; 4]| {
        let (page, console) = in_a_browser(&page, address, more);
        assert_eq!(console, "", "{address} {more}");
        assert_eq!(
            shown(&page),
            viewer.groups[group].blocks[block][head][query],
            "{address} {more}"
        );
    };
    expect("#group=1", "", [0, 0, 0, 0]);
    expect("", "", [1, 1, 0, 0]); // the last attention's last block; all of its heads are alike
    expect("#group=2&block=2&head=3&token=4", "", [1, 1, 2, 3]);
    expect("#group=9&block=0&head=x&token=-3", "", [1, 0, 0, 0]); // the nearest that there is
    let hover =
        "document.querySelectorAll('#asks button')[2].dispatchEvent(new MouseEvent('mouseenter'))";
    expect("#block=2", hover, [0, 1, 0, 2]);
    let cell = "document.querySelectorAll('tbody tr')[1].children[4].dispatchEvent(new MouseEvent('mouseenter'))";
    expect("#head=1", cell, [0, 0, 0, 3]);
    let keys = "for (const key of ['ArrowRight', 'ArrowRight', 'ArrowLeft', 'ArrowDown', 'PageDown']) \
                dispatchEvent(new KeyboardEvent('keydown', { key }))";
    expect("#group=2", keys, [1, 0, 0, 1]); // up and down are the page's
    let taps = "document.querySelectorAll('#groups button')[1].click(); \
                document.querySelectorAll('#overview button')[5].click()";
    expect("#head=1", taps, [1, 1, 2, 0]);
}

/// What is chosen stays in focus, though the page is drawn again.
#[test]
#[ignore = "needs Chromium"]
fn a_chosen_head_keeps_the_focus() {
    let choose = "const head = document.querySelectorAll('#overview button')[4]; head.focus(); head.click(); \
                  document.title = head === document.activeElement && head.ariaPressed";
    let (page, console) = in_a_browser(&viewer().html(), "", choose);
    assert_eq!(console, "");
    assert!(page.contains("<title>true</title>"));
}

/// Words that look only back are hidden from each other: hatched, and named so.
#[test]
#[ignore = "needs Chromium"]
fn what_a_causal_mask_hides_is_hatched() {
    let words = ["un", "chat"].map(str::to_owned).to_vec();
    let weights = Matrix::from_row_slice(2, 2, &[1.0, 0.25, 0.0, 0.75]); // (keys, queries)
    let group =
        Group::new(["decoder", "asking", "seen by"], words.clone(), words, &[vec![weights]]);
    let page = Viewer { title: "un chat".to_owned(), groups: vec![group] }.html();
    let (page, console) = in_a_browser(&page, "#token=1", "");
    assert_eq!(console, "");
    assert_eq!(page.matches(r#"<td class="hidden"#).count(), 1);
    assert!(page.contains("<small>hidden</small>"));
}

#[test]
#[ignore = "needs Chromium"]
fn the_browser_would_tell_of_an_error() {
    let (_, console) = in_a_browser(&viewer().html(), "", "nowhere.to()");
    assert!(console.contains("nowhere is not defined"), "{console}");
}
