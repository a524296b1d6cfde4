//! A reader's own pictures.

use captioning::program::{CaptionArgs, caption, read_picture, save};
use captioning::world::WORDS;
use captioning::{Captioner, Config};
use image::{DynamicImage, GrayImage, ImageFormat, Rgb, Rgb32FImage, RgbImage, RgbaImage};
use shared::rng;
use std::fs;
use std::io::Cursor;
use std::path::Path;

fn bytes(image: impl Into<DynamicImage>) -> Vec<u8> {
    let mut bytes = Vec::new();
    image.into().write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png).unwrap();
    bytes
}

/// What is read of a file with these bytes, or the message without the file's path.
fn read(bytes: &[u8]) -> Result<Vec<usize>, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.png");
    fs::write(&path, bytes).unwrap();
    read_picture(&path)
        .map_err(|error| error.to_string().replace(&path.display().to_string(), "FILE"))
}

#[test]
fn pixels_come_back_as_they_were() {
    let image = RgbImage::from_fn(32, 32, |x, y| Rgb([x as u8, y as u8, 7]));
    let picture = read(&bytes(image)).unwrap();
    assert_eq!((picture.len(), picture[3 * 32 + 5]), (1024, captioning::word_of([5, 3, 7])));
    let first = |image: DynamicImage| read(&bytes(image)).unwrap()[0];
    let clear = RgbaImage::from_pixel(32, 32, image::Rgba([200, 0, 0, 0]));
    assert_eq!(first(clear.into()), 0xff_ff_ff); // transparent pixels lie on white
    assert_eq!(first(GrayImage::from_pixel(32, 32, image::Luma([9])).into()), 0x09_09_09);
    let deep = Rgb32FImage::from_pixel(32, 32, Rgb([1.0, 0.0, 0.0]));
    assert_eq!(first(DynamicImage::ImageRgb32F(deep).to_rgb16().into()), 0xff_00_00);
}

#[test]
fn what_cannot_be_read_is_refused_in_one_line() {
    let whole = bytes(RgbImage::new(32, 32));
    for (bytes, expected) in [
        (bytes(RgbImage::new(31, 32)), "FILE: a picture of 31 × 32 pixels; 32 × 32 are needed"),
        (whole[..whole.len() / 2].to_vec(), "FILE: cannot be read as a PNG picture"),
        (b"no picture".to_vec(), "FILE: cannot be read as a PNG picture: Invalid PNG signature."),
        (Vec::new(), "FILE: cannot be read as a PNG picture"),
    ] {
        let error = read(&bytes).unwrap_err();
        assert!(error.starts_with(expected) && !error.contains('\n'), "{error}");
    }
    let error = read_picture(Path::new("missing.png")).unwrap_err().to_string();
    assert!(error.starts_with("missing.png: "), "{error}");
}

/// Of several pictures the last one is drawn, when all have been read; where nothing can be drawn is known before.
#[test]
fn a_view_is_written_at_the_end_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let config = Config::new(WORDS.len() + 3);
    let mut model = Captioner::new(&config, &mut rng(0));
    fs::create_dir(at("model")).unwrap();
    save(&at("model"), &mut model, &config).unwrap();
    fs::write(at("whole.png"), bytes(RgbImage::new(32, 32))).unwrap();
    fs::write(at("broken.png"), b"none").unwrap();
    let refused = |pictures: &[&str], view: &str| {
        let pictures = pictures.iter().map(|name| at(name)).collect();
        let arguments = CaptionArgs { pictures, model: at("model"), view: Some(at(view)) };
        let error = caption(&arguments).err()?.to_string();
        Some(error.replace(&format!("{}/", folder.path().display()), ""))
    };
    let told = refused(&["whole.png", "broken.png"], "view.svg").unwrap();
    assert!(told.starts_with("broken.png: cannot be read") && !at("view.svg").exists(), "{told}");
    let told = refused(&["broken.png"], "none/view.svg").unwrap();
    assert!(told.starts_with("none/view.svg: cannot be written"), "{told}");
    let told = refused(&["whole.png"], "whole.png").unwrap();
    assert!(told.starts_with("whole.png: ") && told.contains("written over"), "{told}");
    assert_eq!(refused(&["whole.png"], "view.svg"), None);
    assert!(at("view.svg").exists());
}
