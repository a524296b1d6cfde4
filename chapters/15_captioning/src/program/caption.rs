//! `caption`: what a trained model says of a reader's own picture.

use super::data::{read_picture, spoken};
use super::draw;
use super::saved::load;
use clap::Args;
use seq2seq::decoding;
use std::path::PathBuf;
use workbench::error::Result;
use workbench::files::marks;
use workbench::program::say;

#[derive(Args, Clone, Debug)]
pub struct CaptionArgs {
    /// PNG files of 32 × 32 pixels
    #[arg(required = true, value_name = "PICTURE")]
    pub pictures: Vec<PathBuf>,
    /// Folder of the model
    #[arg(long, value_name = "DIR", default_value = "out/captioning/model")]
    pub model: PathBuf,
    /// Draw the last picture under its weights, word by word, into this SVG file
    #[arg(long, value_name = "FILE")]
    pub view: Option<PathBuf>,
}

pub fn caption(arguments: &CaptionArgs) -> Result<()> {
    if let Some(view) = &arguments.view {
        marks::must_be_free(view, marks::DRAWING)?;
    }
    let model = load(&arguments.model)?;
    let mut last = None;
    for path in &arguments.pictures {
        let picture = read_picture(path)?;
        let said = decoding::greedy(&model, &picture);
        let words = spoken(&said.words);
        let chance = 100.0 * said.log_probability.exp();
        say(format!("{}: {} ({chance:.0} %)", path.display(), words.join(" ")));
        say(draw::in_terminal(&words, &said.alignment));
        last = Some(draw::figure(&picture, &words, &said.alignment));
    }
    match (&arguments.view, last) {
        (Some(view), Some(figure)) => {
            marks::write_marked(view, marks::DRAWING, figure.to_string().as_bytes())
        }
        _ => Ok(()),
    }
}
