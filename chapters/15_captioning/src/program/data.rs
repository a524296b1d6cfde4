//! Scenes as the model sees them, and pictures from files.

use crate::world::{Pairs, Scene, WORDS};
use crate::{SIDE, word_of};
use image::codecs::png::PngDecoder;
use image::{DynamicImage, ImageDecoder, ImageError, Limits};
use seq2seq::{BEGIN, Batch, END};
use shared::Rng;
use std::io::Cursor;
use std::ops::RangeInclusive;
use std::path::Path;
use workbench::error::{Error, Result};
use workbench::files;

/// Numbers of words begin behind those that are none.
const FIRST: usize = 3;

/// Words of the vocabulary.
pub const VOCABULARY: usize = FIRST + WORDS.len();

pub fn scenes(
    count: usize,
    things: RangeInclusive<usize>,
    pairs: Pairs,
    rng: &mut Rng,
) -> Vec<Scene> {
    (0..count).map(|_| Scene::new(things.clone(), pairs, rng)).collect()
}

/// A picture as 1,024 words.
pub fn picture(scene: &Scene) -> Vec<usize> {
    scene.picture.iter().map(|pixel| word_of(*pixel)).collect()
}

/// The numbers of the caption's words, without the end.
pub fn words(scene: &Scene) -> Vec<usize> {
    let words = scene.caption().words.into_iter();
    let indices = words.map(|word| WORDS.iter().position(|other| *other == word));
    indices.map(|i| FIRST + i.expect("a word of the world")).collect()
}

/// Words from their numbers.
pub fn spoken(numbers: &[usize]) -> Vec<&'static str> {
    numbers.iter().map(|number| WORDS[number - FIRST]).collect()
}

pub fn batch(scenes: &[Scene]) -> Batch {
    let pairs = scenes.iter().map(|scene| (picture(scene), [&words(scene)[..], &[END]].concat()));
    let pairs: Vec<(Vec<usize>, Vec<usize>)> = pairs.collect();
    let slices: Vec<(&[usize], &[usize])> = pairs.iter().map(|(x, y)| (&x[..], &y[..])).collect();
    Batch::new(&slices, BEGIN)
}

/// What may be unpacked from a file beside the picture, in bytes: a profile of colours may say that it is larger.
const MOST: u64 = 16 << 20;

/// A picture from a PNG file, as words; transparent pixels lie on white.
pub fn read_picture(path: &Path) -> Result<Vec<usize>> {
    let refuse = |reason: String| Error::file(path, reason);
    let bytes = files::read(path)?;
    let no_png = |error: ImageError| {
        let text = error.to_string();
        let text = text.strip_prefix("Format error decoding Png: ").unwrap_or(&text);
        refuse(format!("cannot be read as a PNG picture: {text}"))
    };
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(MOST);
    let decoder = PngDecoder::with_limits(Cursor::new(&bytes), limits).map_err(no_png)?;
    let (width, height) = decoder.dimensions();
    if (width, height) != (SIDE as u32, SIDE as u32) {
        return Err(refuse(format!(
            "a picture of {width} × {height} pixels; {SIDE} × {SIDE} are needed"
        )));
    }
    let image = DynamicImage::from_decoder(decoder).map_err(no_png)?.to_rgba8();
    let on_white = image.pixels().map(|pixel| {
        let [r, g, b, alpha] = pixel.0.map(u32::from);
        word_of([r, g, b].map(|x| ((x * alpha + 255 * (255 - alpha) + 127) / 255) as u8))
    });
    Ok(on_white.collect())
}

/// After a PNG file's signature and header, 33 bytes, stands what wrote it: `workbench::files::marks::PICTURE`.
const SOFTWARE: &[u8] = b"\0\0\0\x12tEXtSoftware\0attention\xc9\x0f\xc6\x25";

/// The file that [`read_picture`] reads.
pub fn png(scene: &Scene) -> Vec<u8> {
    let mut bytes = Vec::new();
    let side = SIDE as u32;
    image::RgbImage::from_raw(side, side, scene.picture.concat())
        .expect("32 × 32 pixels")
        .write_to(&mut Cursor::new(&mut bytes), image::ImageFormat::Png)
        .expect("written to memory");
    bytes.splice(33..33, SOFTWARE.iter().copied());
    bytes
}
