//! A small encoder with its pieces, files, and examples.

use bert::interchange::write_pretraining;
use bert::world::tasks::Sizes;
use bert::{Config, Pretraining};
use corpora::WordPiece;
use fine_tuning::program::{Data, Encoder, Form, Task, read_pretrained};
use shared::rng;
use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;
use tempfile::TempDir;

/// Pieces of generated texts.
static PIECES: LazyLock<WordPiece> = LazyLock::new(|| {
    let data = few(Task::Continuation, 40);
    let texts = data.training.iter().flat_map(|example| example.texts.clone());
    WordPiece::learn(texts, 150).unwrap()
});

/// A folder with an encoder whose parameters are random.
pub fn encoder_folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let pieces = &*PIECES;
    let config = Config {
        vocabulary: pieces.len(),
        width: 16,
        feed_forward: 32,
        heads: 2,
        blocks: 2,
        longest: 64,
        ..Config::BASE
    };
    let mut model = Pretraining::new(&config, &mut rng(5));
    write_pretraining(folder.path(), Some(pieces), &mut model, &config).unwrap();
    folder
}

pub fn encoder(form: Form) -> Encoder {
    read_pretrained(Some(encoder_folder().path()), form).unwrap()
}

/// A generated task with so many examples in every part, and without noise.
pub fn few(task: Task, count: usize) -> Data {
    task.data(&Sizes { train: count, validation: count, test: count, noise: 0.0 }, 0).unwrap()
}

/// A file with this content, `FILE`, in a folder of its own.
pub fn file(content: impl AsRef<[u8]>) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("FILE");
    fs::write(&path, content).unwrap();
    (folder, path)
}
