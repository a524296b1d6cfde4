//! A picture under its weights, word by word: in the terminal, and as a figure.

use crate::{L, SIDE};
use shared::{Float, Matrix};
use std::collections::BTreeMap;
use std::fmt::Write;
use workbench::figure::Svg;

const PLACES: usize = 8;

/// Blocks that fit beside one another in 80 columns: eight places and a gap.
const BESIDE: usize = 8;

/// A block of 8 × 8 places for every word: the darker, the larger the weight.
pub fn in_terminal(words: &[&str], weights: &Matrix) -> String {
    let mut text = String::new();
    let blocks: Vec<usize> = (0..words.len()).collect();
    for row in blocks.chunks(BESIDE) {
        let names = row.iter().map(|j| format!("{:<9}", words[*j])).collect::<String>();
        writeln!(text, "{}", names.trim_end()).expect("text");
        for y in 0..PLACES {
            let line: String = row
                .iter()
                .map(|j| shades(&weights.column(*j).as_slice()[y * PLACES..][..PLACES]) + " ")
                .collect();
            writeln!(text, "{}", line.trim_end()).expect("text");
        }
    }
    text
}

fn shades(weights: &[Float]) -> String {
    let shades = weights.iter().map(|w| match *w {
        w if w >= 0.4 => '█',
        w if w >= 0.2 => '▓',
        w if w >= 0.1 => '▒',
        w if w >= 0.04 => '░',
        _ => '·',
    });
    shades.collect()
}

/// Sides of a pixel and of a panel with its word, panels in a row.
const PIXEL: usize = 3;
const PANEL: [usize; 2] = [108, 128];
const COLUMNS: usize = 5;

/// The picture, and once more for every word, lit where the weights are large.
pub fn figure(picture: &[usize], words: &[&str], weights: &Matrix) -> Svg {
    let painted = painted(picture);
    let mut body = String::new();
    for i in 0..=words.len() {
        let (x, y) = (PANEL[0] * (i % COLUMNS), PANEL[1] * (i / COLUMNS));
        write!(body, "<g transform=\"translate({x} {y})\">{painted}").expect("text");
        if i > 0 {
            body += &shadow(weights.column(i - 1).as_slice());
        }
        let word = if i == 0 { "the picture" } else { words[i - 1] };
        let (middle, below) = (PIXEL * SIDE / 2, PIXEL * SIDE + 18);
        let style = if i == 0 { " font-style=\"italic\"" } else { "" };
        writeln!(body, "<text x=\"{middle}\" y=\"{below}\" text-anchor=\"middle\" font-family=\"sans-serif\" font-size=\"15\" fill=\"currentColor\"{style}>{word}</text></g>").expect("text");
    }
    let rows = (words.len() + 1).div_ceil(COLUMNS);
    Svg::drawing((PANEL[0] * COLUMNS) as u32, (PANEL[1] * rows) as u32, &body)
}

/// The picture in few colours: pixels of about the same colour are one path.
fn painted(picture: &[usize]) -> String {
    let rough = |word: &usize| (word >> 6) & 0x03_03_03; // two bits a channel
    let mut paths: BTreeMap<usize, (usize, String)> = BTreeMap::new();
    for (y, row) in picture.chunks_exact(SIDE).enumerate() {
        let mut x = 0;
        for run in row.chunk_by(|a, b| rough(a) == rough(b)) {
            let (colour, path) = paths.entry(rough(&run[0])).or_default();
            *colour = run[run.len() - 1];
            let (left, top, width) = (PIXEL * x, PIXEL * y, PIXEL * run.len());
            write!(path, "M{left} {top}h{width}v{PIXEL}h-{width}").expect("text");
            x += run.len();
        }
    }
    let paths = paths.into_values();
    paths.map(|(colour, d)| format!("<path fill=\"#{colour:06x}\" d=\"{d}\"/>")).collect()
}

/// Dark where the weights are small: eight shades, a path for each.
fn shadow(weights: &[Float]) -> String {
    let largest = weights.iter().copied().fold(0.0, Float::max);
    let side = PIXEL * SIDE / PLACES;
    let mut paths = vec![String::new(); 9];
    for (i, weight) in weights.iter().enumerate().take(L) {
        let (x, y) = (side * (i % PLACES), side * (i / PLACES));
        let dark = 8 - (8.0 * weight / largest).round() as usize;
        write!(paths[dark], "M{x} {y}h{side}v{side}h-{side}").expect("text");
    }
    let dark = paths.iter().enumerate().skip(1).filter(|(_, d)| !d.is_empty());
    let paths = dark.map(|(dark, d)| {
        let opacity = 0.1 * dark as Float;
        format!("<path fill=\"#808080\" fill-opacity=\"{opacity:.2}\" d=\"{d}\"/>")
    });
    paths.collect()
}
