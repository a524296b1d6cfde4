//! The page of attentions in a browser. Needs Chromium, so it is asked for by name:
//! `cargo test -p workbench --test checks viewer -- --ignored`.

use shared::Matrix;
use std::process::Command;
use workbench::viewer::{Group, State, Viewer, silenced_weights};

/// Two groups of two blocks of three heads, all weights different, more by `more`.
fn groups(more: usize) -> Vec<Group> {
    let words = |all: &str| all.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let group = |name: &str, keys: &str, shift: usize| {
        let (queries, keys) = (words("le chat </script> noir"), words(keys));
        let weights = |block: usize, head: usize| {
            let first = 1 + more + shift * 400 + block * 200 + head * 50;
            Matrix::from_fn(keys.len(), 4, |key, query| (first + query * 7 + key) as f32 / 1000.0)
        };
        let blocks = [0, 1].map(|block| (0..3).map(|head| weights(block, head)).collect());
        Group::new([name, "It writes", "To write"], queries, keys.clone(), &blocks)
    };
    vec![group("self", "the black cat", 0), group("cross", "one two three four five", 1)]
}

fn state(answer: &str, groups: Vec<Group>) -> State {
    State { silenced: None, answer: answer.to_owned(), candidates: Vec::new(), groups }
}

/// Without a head of the first group's first block another sentence, without any other the same.
fn viewer() -> Viewer {
    Viewer::new("le chat & <noir>".to_owned(), state("the black cat", groups(0)), |head| {
        let answer = if head[..2] == [0, 0] { "the cat sleeps" } else { "the black cat" };
        let mut silenced = state(answer, groups(100));
        if head == [1, 1, 1] {
            silenced.groups[0] = groups(0).remove(0); // it is not heard there
        }
        Some(silenced)
    })
}

/// The page after its script has run, with `more` at the end of it; and what it said to the console.
fn in_a_browser(page: &str, address: &str, more: &str) -> (String, String) {
    let folder = tempfile::tempdir().unwrap();
    let (path, profile) = (folder.path().join("page.html"), folder.path().join("profile"));
    std::fs::write(&path, page.replace("</body>", &format!("<script>{more}</script></body>")))
        .unwrap();
    let output = Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"])
        .args(["--enable-logging=stderr", "--dump-dom", "--window-size=560,900"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("file://{}{address}", path.display()))
        .output()
        .expect("chromium starts");
    let log = String::from_utf8_lossy(&output.stderr).into_owned();
    let console =
        log.lines().filter(|line| line.contains("CONSOLE")).collect::<Vec<_>>().join("\n");
    (String::from_utf8_lossy(&output.stdout).into_owned(), console)
}

/// The weights that the page shows for the chosen word, in thousandths.
fn shown(page: &str) -> Vec<u16> {
    let weights = page.split(r#"class="weight label""#).skip(1).map(|part| {
        let text = part.split_once('>').unwrap().1.split_once('<').unwrap().0;
        (text.parse::<f32>().unwrap() * 1000.0).round() as u16
    });
    weights.collect()
}

/// What stands in the element of this id, without marks.
fn text(page: &str, id: &str) -> String {
    let inside = page.split_once(&format!(r#"id="{id}""#)).unwrap().1.split_once('>').unwrap().1;
    let inside = inside.split_once("</p>").unwrap().0;
    inside.replace("<mark>", "[").replace("</mark>", "]").trim().to_owned()
}

/// Puts what the button saves where [`saved`] finds it.
const SAVE: &str = "document.body.append(make('pre', saved(), { id: 'saved' }))";

fn saved(page: &str) -> String {
    let saved = page.split_once(r#"<pre id="saved">"#).unwrap().1.split_once("</pre>").unwrap().0;
    saved.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

#[test]
fn every_head_is_silenced_once_unless_the_page_would_be_too_large() {
    let silenced: Vec<_> = viewer().states.iter().map(|state| state.silenced).collect();
    assert_eq!(silenced.len(), 1 + 2 * 2 * 3);
    assert_eq!(silenced[..3], [None, Some([0, 0, 0]), Some([0, 0, 1])]);
    assert_eq!(silenced[12], Some([1, 1, 2]));
    let left_out = |state: &State, group: usize| state.groups[group].blocks[1][2].is_empty();
    assert!(left_out(&viewer().states[11], 0) && !left_out(&viewer().states[11], 1));
    assert_eq!(Viewer::new(String::new(), state("", groups(0)), |_| None).states.len(), 1);
    assert_eq!(silenced_weights(100_000, 40), 4_000_000);
    assert_eq!(silenced_weights(100_001, 40), 0);
    assert_eq!(silenced_weights(u64::MAX, 2), 0);
}

#[test]
#[ignore = "needs Chromium"]
fn a_browser_shows_the_weights_of_the_word_that_is_pointed_at() {
    let viewer = viewer();
    let page = viewer.html();
    let expect =
        |address: &str, more: &str, state: usize, [group, block, head, query]: [usize; 4]| {
            let (page, console) = in_a_browser(&page, address, more);
            assert_eq!(console, "", "{address} {more}");
            let expected = &viewer.states[state].groups[group].blocks[block][head][query];
            assert_eq!(&shown(&page), expected, "{address} {more}");
            text(&page, "answer")
        };
    expect("#group=1", "", 0, [0, 0, 0, 0]);
    // The last attention's last block; the head with the largest weights; "le" looks farthest: at "five".
    expect("", "", 0, [1, 1, 2, 0]);
    let whole = expect("#group=2&block=2&head=3&token=4", "", 0, [1, 1, 2, 3]);
    assert_eq!(whole, "It writes: the black cat");
    expect("#group=9&block=0&head=x&token=-3", "", 0, [1, 0, 0, 0]); // the nearest that there is
    let hover = "document.querySelectorAll('.ask')[2].dispatchEvent(new MouseEvent('mouseenter'))";
    expect("#block=2", hover, 0, [0, 1, 0, 2]);
    let cell = "document.querySelectorAll('tbody tr')[1].children[4].dispatchEvent(new MouseEvent('mouseenter'))";
    expect("#head=1", cell, 0, [0, 0, 0, 3]);
    let keys = "for (const key of ['ArrowRight', 'ArrowRight', 'ArrowLeft', 'ArrowDown', 'PageDown']) \
                dispatchEvent(new KeyboardEvent('keydown', { key }))";
    expect("#group=2", keys, 0, [1, 0, 0, 1]); // up and down are the page's
    let taps = "document.querySelectorAll('#groups button')[1].click(); \
                document.querySelectorAll('#overview button')[5].click()";
    expect("#head=1", taps, 0, [1, 1, 2, 0]);
    let word = "document.querySelectorAll('#words button')[1].click()";
    expect("#group=2", word, 0, [1, 0, 0, 2]); // after "le", not its neighbour

    let silence = "at('silence').click()";
    let without = expect("#head=2", silence, 2, [0, 0, 1, 0]);
    assert_eq!(without, "Without head 2 of block 1 (self) it writes: the cat [sleeps]");
    let more = format!("{silence}; document.querySelectorAll('#overview button')[0].click()");
    expect("#group=2&block=2&head=2", &more, 11, [1, 0, 0, 0]); // still silenced elsewhere
    let (as_before, _) = in_a_browser(&page, "#block=2&head=3&without=12", "");
    assert_eq!(shown(&as_before), viewer.states[0].groups[0].blocks[1][2][0]);
    let again = format!("{silence}; at('restore').click()");
    assert_eq!(expect("#head=2", &again, 0, [0, 0, 1, 0]), whole);
    // All but the last of a block's heads over one another: the mean is that between the first two.
    let mean = "at('together').click(); document.querySelectorAll('#overview button')[1].click()";
    expect("#head=1", mean, 0, [0, 0, 1, 0]); // 0 and 2
}

/// The five likeliest pieces stand beside a hole, and change with a silenced head.
#[test]
#[ignore = "needs Chromium"]
fn a_hole_is_what_the_page_opens_with() {
    let of = |pieces: [(&str, u16); 2], more| State {
        candidates: pieces.map(|(piece, p)| (piece.to_owned(), p)).to_vec(),
        ..state(pieces[0].0, groups(more)[..1].to_vec())
    };
    let whole = of([("cat", 700), ("dog", 200)], 0);
    let mut viewer =
        Viewer::new("[MASK]".into(), whole, |_| Some(of([("dog", 500), ("cat", 400)], 9)));
    viewer.hole = Some(1);
    let (page, console) = in_a_browser(&viewer.html(), "", "at('silence').click()");
    assert_eq!(console, "");
    assert_eq!(shown(&page), viewer.states[6].groups[0].blocks[1][2][1]);
    assert_eq!(text(&page, "answer"), "Without head 3 of block 2 it fills in: [dog]");
    assert!(page.contains(r#"<dt>dog</dt><dd><i style="width: 50%"></i></dd><dd>50.0 %<span class="faint"> (20.0 % with it)"#));
}

/// What is chosen stays in focus, though the page is drawn again; what is saved is the drawing.
#[test]
#[ignore = "needs Chromium"]
fn a_chosen_head_keeps_the_focus_and_the_drawing_is_saved() {
    let choose = "const head = document.querySelectorAll('#overview button')[4]; head.focus(); head.click(); \
                  document.title = head === document.activeElement && head.ariaPressed; \
                  "
        .to_owned()
        + SAVE;
    let (page, console) = in_a_browser(&viewer().html(), "#group=2", &choose);
    assert_eq!(console, "");
    assert!(page.contains("<title>true</title>"));
    let saved = saved(&page);
    assert!(
        saved.starts_with("<svg xmlns=")
            && saved.contains("<title>le chat &amp; &lt;noir&gt;</title>")
    );
    assert!(
        saved.contains("<desc>It writes: the black cat To write “le”, head 2 of block 2 looks at")
    );
    assert_eq!(saved.matches("<path").count(), page.matches("<path").count());
    assert!(!saved.contains("class=") && saved.contains("0.655</text>"));
}

/// On paper, and without scripts, a chapter shows the drawing that its page of attentions opens with.
/// `REDRAW=1` writes it.
#[test]
#[ignore = "needs Chromium"]
fn the_committed_drawings_are_what_the_pages_open_with() {
    for chapter in ["10_transformer", "11_bert"] {
        let figures = format!("{}/../../{chapter}/figures", env!("CARGO_MANIFEST_DIR"));
        let page = std::fs::read_to_string(format!("{figures}/attention.html")).unwrap();
        let (page, console) = in_a_browser(&page, "", SAVE);
        assert_eq!(console, "", "{chapter}");
        let (path, drawing) = (format!("{figures}/attention.svg"), saved(&page) + "\n");
        if std::env::var_os("REDRAW").is_some() {
            std::fs::write(&path, &drawing).unwrap();
        }
        assert!(std::fs::read_to_string(&path).unwrap() == drawing, "{path}: REDRAW=1 writes it");
    }
}

/// Words that look only back are hidden from each other: hatched, and named so.
#[test]
#[ignore = "needs Chromium"]
fn what_a_causal_mask_hides_is_hatched() {
    let words = ["un", "chat"].map(str::to_owned).to_vec();
    let weights = Matrix::from_row_slice(2, 2, &[1.0, 0.25, 0.0, 0.75]); // (keys, queries)
    let group =
        Group::new(["decoder", "It writes", "To write"], words.clone(), words, &[vec![weights]]);
    let page = Viewer::new("un chat".to_owned(), state("", vec![group]), |_| None).html();
    let (page, console) = in_a_browser(&page, "#token=1", "");
    assert_eq!(console, "");
    assert_eq!(page.matches(r#"<td class="hidden"#).count(), 1);
    assert!(page.contains(">hidden</text>"));
}

#[test]
#[ignore = "needs Chromium"]
fn the_browser_would_tell_of_an_error() {
    let (_, console) = in_a_browser(&viewer().html(), "", "nowhere.to()");
    assert!(console.contains("nowhere is not defined"), "{console}");
}
