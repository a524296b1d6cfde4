//! README's moving picture: the desk, its query on the way from “my coffee?” to “to read” and back, drawn from
//! the live figure's own function. `REDRAW=1 cargo test -p live --test moving` writes it.

use std::fmt::Write;

const KEYS: [f32; 10] = [1.0, 0.0, 0.0, 0.5, 0.0, 0.25, 0.0, 0.25, 0.0, 1.0];
const HOLDS: [&str; 5] = ["coffee", "news", "a letter", "notes", "a novel"];

/// When, in percent of a round, the query is how far on its way.
const ROUND: [(u32, f32); 6] = [(0, 0.0), (14, 0.0), (32, 0.5), (46, 0.5), (64, 1.0), (78, 1.0)];

fn way(when: u32) -> f32 {
    let after = ROUND.iter().position(|&(time, _)| time > when).unwrap_or(ROUND.len());
    let (from, start) = ROUND[after - 1];
    let (to, end) = if after < ROUND.len() { ROUND[after] } else { (100, 0.0) };
    start + (end - start) * (when - from) as f32 / (to - from) as f32
}

fn weights(way: f32) -> Vec<f32> {
    live::desk(&[&[4.0 * (1.0 - way), 4.0 * way], &KEYS[..]].concat()).split_off(5)
}

/// The steps of an animation; between those the browser goes straight.
fn frames(name: &str, style: impl Fn(f32) -> String) -> String {
    let mut css = format!("@keyframes {name}{{");
    let mut last = String::new();
    for when in (0..=100).step_by(2) {
        let now = style(way(when));
        if now != last || when == 100 || style(way(when + 2)) != now {
            write!(css, "{when}%{{{now}}}").unwrap();
        }
        last = now;
    }
    css + "}\n"
}

fn drawn(things: &str) -> String {
    let mut css = String::new();
    let mut body = String::new();
    let middle = weights(0.5); // what stands there where nothing moves
    for (i, holds) in HOLDS.iter().enumerate() {
        let (x, y) = (48 + 86 * i, 136 + 31 * i);
        css += &frames(&format!("l{i}"), |way| {
            format!("stroke-width:{:.1}px", 0.7 + 8.0 * weights(way)[i])
        });
        css += &frames(&format!("b{i}"), |way| format!("transform:scaleX({:.3})", weights(way)[i]));
        let width = 0.7 + 8.0 * middle[i];
        writeln!(body, "<line class=\"moves\" style=\"animation-name:l{i}\" x1=\"{x}\" y1=\"184\" x2=\"{}\" y2=\"240\" stroke=\"#D55E00\" stroke-width=\"{width:.1}\"/>", 196 + 12 * i).unwrap();
        writeln!(body, "<text x=\"532\" y=\"{}\" text-anchor=\"end\">{holds}</text>", y + 15)
            .unwrap();
        writeln!(body, "<g transform=\"translate(540 {y})\"><rect class=\"moves\" style=\"animation-name:b{i}\" width=\"150\" height=\"20\" fill=\"#009E73\" transform=\"scale({:.3} 1)\"/></g>", middle[i]).unwrap();
    }
    css += &frames("q", |way| format!("transform:translate({0:.1}px,{0:.1}px)", -68.0 * way));
    for (name, at, wish) in
        [("a", 0.0, "“my coffee?”"), ("m", 0.5, "both"), ("z", 1.0, "“to read”")]
    {
        css += &frames(name, |way| format!("opacity:{}", u8::from(way == at)));
        let still = u8::from(at == 0.5);
        write!(body, "<g class=\"moves\" style=\"animation-name:{name}\" opacity=\"{still}\" text-anchor=\"middle\">").unwrap();
        for (i, weight) in weights(at).iter().enumerate() {
            write!(
                body,
                "<text x=\"{}\" y=\"176\" font-weight=\"bold\">{:.0} %</text>",
                48 + 86 * i,
                100.0 * weight
            )
            .unwrap();
        }
        writeln!(body, "<text x=\"220\" y=\"261\">{}, {}</text><text x=\"220\" y=\"292\" font-style=\"italic\">{wish}</text></g>", 4.0 * (1.0 - at), 4.0 * at).unwrap();
    }
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 710 302" width="710" height="302" font-family="sans-serif" font-size="16" fill="currentColor">
<title>A query moves from “my coffee?” to “to read”. The weights of the five things on a desk follow, and with them the mean of what they hold.</title>
<style>:root{{color:#222222}}@media(prefers-color-scheme:dark){{:root{{color:#dddddd}}}}
@media(prefers-reduced-motion:no-preference){{.moves{{animation:12s linear infinite}}}}
{css}</style>
{things}
<rect x="176" y="240" width="88" height="32" rx="5" fill="#D55E00" fill-opacity="0.15" stroke="#D55E00" stroke-width="2"/>
<text x="168" y="261" text-anchor="end" font-weight="bold">query</text>
<path d="M532 16V100H628" fill="none" stroke="currentColor"/>
<text x="524" y="24" text-anchor="end">readable ↑</text><text x="634" y="105">red →</text>
<g transform="translate(600 100)"><circle class="moves" style="animation-name:q" r="9" fill="#D55E00" transform="translate(-34 -34)"/></g>
<text x="540" y="126" font-weight="bold">context: a mean of</text>
{body}</svg>
"##
    )
}

#[test]
fn readme_s_picture_moves_as_the_function_says() {
    let figures = concat!(env!("CARGO_MANIFEST_DIR"), "/../../figures");
    let desk = std::fs::read_to_string(format!("{figures}/desk.svg")).expect("the desk");
    let start = desk.find("<g class=\"things\">").expect("its things");
    let end = start + desk[start..].find("</g>").expect("their end") + 4;
    let drawing = drawn(&desk[start..end]);
    let file = format!("{figures}/desk_moving.svg");
    if std::env::var_os("REDRAW").is_some() {
        return std::fs::write(file, drawing).expect("written");
    }
    assert!(std::fs::read_to_string(file).expect("drawn") == drawing, "REDRAW=1 writes it");
}
