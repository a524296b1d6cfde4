//! What is written over, what is left alone, and who may write.

use std::collections::HashMap;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;
use workbench::figure::Chart;
use workbench::files::marks::{self, must_be_free, of_program, write_marked};
use workbench::files::{holds_own_model, write, write_together};
use workbench::parameters::save_parameters;
use workbench::program::{Common, Output};

fn said(path: &Path) -> String {
    let error = write(path, b"new").unwrap_err().to_string();
    error.replace(&path.display().to_string(), "PATH")
}

#[cfg(unix)]
#[test]
fn nothing_but_files_is_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("target"), "old").unwrap();
    std::os::unix::fs::symlink(path("target"), path("link")).unwrap();
    std::os::unix::fs::symlink(path("nowhere"), path("dangling")).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(path("pipe")).status().unwrap().success());
    for link in ["link", "dangling"] {
        assert_eq!(said(&path(link)), "PATH: a symbolic link is not written over");
        assert!(path(link).is_symlink());
    }
    assert_eq!(said(folder.path()), "PATH: a folder is not written over");
    assert_eq!(said(&path("pipe")), "PATH: a device or a pipe is not written over");
    assert_eq!(said(Path::new("/dev/null")), "PATH: a device or a pipe is not written over");
    assert_eq!(fs::read(path("target")).unwrap(), b"old");
    write(&path("target"), b"new").unwrap();
    assert_eq!(fs::read(path("target")).unwrap(), b"new");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 4); // nothing half-written
}

#[test]
fn a_place_where_no_file_can_be_is_told_before_the_work() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let must_be_free = |path: &Path| must_be_free(path, marks::NONE);
    must_be_free(&path("new")).unwrap();
    must_be_free(Path::new("new-beside-the-manifest")).unwrap();
    let said = |path: &Path| {
        let error = must_be_free(path).unwrap_err().to_string();
        error.replace(&path.display().to_string(), "PATH")
    };
    assert_eq!(
        said(&path("absent").join("new")),
        "PATH: cannot be written: no such file or directory"
    );
    assert_eq!(said(&path("new/")), "PATH: this names a folder, a file is needed");
    assert_eq!(said(folder.path()), "PATH: a folder is not written over");
    let told = said(&path(&"long".repeat(64)));
    assert!(told.starts_with("PATH: cannot be written: "), "{told}");
    must_be_free(&path(&"l".repeat(255))).unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0); // nothing is left of the trial
}

#[test]
fn the_models_of_others_are_not_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let refused = |kinds: &[&str]| holds_own_model(folder.path(), kinds).err();
    assert!(refused(&["one"]).is_none()); // there is none
    let mut model = shared::Linear::new(3, 2, &mut shared::rng(0));
    let description = serde_json::json!({"model": "one"});
    save_parameters(&path("model.safetensors"), &mut model, &description).unwrap();
    assert!(refused(&["another", "one"]).is_none());
    let told = refused(&["another"]).unwrap().to_string();
    assert!(told.ends_with(": holds a model of another program (one): choose another folder"));
    fs::write(path("config.json"), r#"{"architectures": ["BertModel"]}"#).unwrap();
    assert!(refused(&["one"]).is_some() && refused(&["BertModel"]).is_none());
}

/// What somebody may have where a program would write, and which marks let it write over that.
#[test]
fn only_what_a_program_wrote_is_written_over() {
    let [mine, theirs] = ["chapter", "another"].map(of_program);
    let drawing = Chart::new("", "", "").line("", &[(0.0, 1.0), (1.0, 0.0)]).draw().to_string();
    let marks = [marks::DRAWING, marks::PAGE, marks::PICTURE, &mine, marks::NONE];
    let far = format!("{:2000}{mine}", "{");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("here");
    for (there, own) in [
        (&b""[..], [true; 5]),
        (drawing.as_bytes(), [true, false, false, false, false]),
        (marks::PAGE.as_bytes(), [false, true, false, false, false]),
        (marks::PICTURE.as_bytes(), [false, false, true, false, false]),
        (mine.as_bytes(), [false, false, false, true, false]),
        (theirs.as_bytes(), [false; 5]),
        (far.as_bytes(), [false; 5]),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", [false; 5]),
        (b"a novel", [false; 5]),
        (b"\x08\0\0\0\0\0\0\0{}      ", [false; 5]), // tensors
    ] {
        for (mark, own) in marks.iter().zip(own) {
            fs::write(&path, there).unwrap();
            assert_eq!(must_be_free(&path, mark).is_ok(), own, "{mark} over {there:?}");
            assert_eq!(write_marked(&path, mark, b"new").is_ok(), own);
            assert_eq!(fs::read(&path).unwrap() == there, !own);
        }
    }
}

/// Its results are its program's; drawings of others are seen before the work.
#[test]
fn an_output_folder_is_one_programs() {
    let folder = tempfile::tempdir().unwrap();
    let [path, new] = ["results.json", "new"].map(|name| folder.path().join(name));
    let open = |folder: &Path, program: &str| {
        Output::open(&Common { out: Some(folder.to_owned()), seed: 0 }, program)
    };
    let refused = |folder: &Path, program: &str| {
        let told = open(folder, program).err()?.to_string();
        Some(told.split(": ").next()?[folder.as_os_str().len()..].to_owned())
    };
    assert!(refused(&new, "one").is_none() && !new.exists()); // nothing was put there
    let output = open(folder.path(), "one").unwrap();
    output.json("results.json", &HashMap::from([("x", 1)])).unwrap();
    drop(output);
    assert!(refused(folder.path(), "one").is_none());
    assert_eq!(refused(folder.path(), "two").unwrap(), "/results.json");
    fs::write(&path, "{}").unwrap(); // of nobody, without drawings beside it
    assert_eq!(refused(folder.path(), "one").unwrap(), "/results.json");
    fs::remove_file(&path).unwrap();
    fs::write(folder.path().join("logo.svg"), "<svg/>").unwrap();
    assert_eq!(refused(folder.path(), "one").unwrap(), "/logo.svg");
}

fn open(folder: &Path) -> Result<Output, String> {
    let common = Common { out: Some(folder.to_owned()), seed: 0 };
    Output::open(&common, "chapter").map_err(|error| error.to_string())
}

#[test]
fn one_program_at_a_time_writes_into_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let other = File::open(folder.path()).unwrap(); // as another process has it
    other.lock().unwrap();
    let said = open(folder.path()).map(drop).unwrap_err();
    assert!(said.ends_with("another program is writing into this folder: choose another one"));
    other.unlock().unwrap();
    let once = open(folder.path()).unwrap();
    let twice = open(folder.path()).unwrap(); // the same program may
    drop(once);
    let other = File::open(folder.path()).unwrap();
    assert!(other.try_lock().is_err());
    drop(twice);
    other.try_lock().unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0); // and it leaves nothing
}

/// The files of a model, all of one kind.
fn all(kind: u8) -> [(&'static str, Vec<u8>); 3] {
    ["pieces", "parameters", "seal"].map(|name| (name, vec![kind; 50_000]))
}

/// The kind of the files; none without a seal.
fn kind(folder: &Path) -> Option<u8> {
    let read = |name| fs::read(folder.join(name)).unwrap();
    let seal = folder.join("seal").exists().then(|| read("seal"))?;
    assert!(seal == read("pieces") && seal == read("parameters"), "a mixture under a seal");
    Some(seal[0])
}

#[test]
fn files_that_belong_together_are_all_written_or_none() {
    let folder = tempfile::tempdir().unwrap();
    for new in [1, 2] {
        write_together(folder.path(), &all(new)).unwrap();
        assert_eq!(kind(folder.path()), Some(new));
    }
    let mut more = all(3).to_vec();
    more.insert(1, ("in the way", vec![]));
    fs::create_dir(folder.path().join("in the way")).unwrap();
    let error = write_together(folder.path(), &more).unwrap_err().to_string();
    assert!(error.ends_with("in the way: a folder is not written over"), "{error}");
    assert_eq!(kind(folder.path()), Some(2));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 4, "nothing is left of the trial");
}

#[test]
#[ignore = "is started, and killed, by the next test"]
fn writes_until_it_is_killed() {
    let folder = std::env::var_os("FOLDER").expect("a folder");
    for new in (0..=255).cycle() {
        write_together(Path::new(&folder), &all(new)).unwrap();
    }
}

/// Whenever that is.
#[test]
fn a_killed_program_leaves_no_mixture() {
    let folder = tempfile::tempdir().unwrap();
    let seal = folder.path().join("seal");
    for milliseconds in 0..12 {
        write_together(folder.path(), &all(255)).unwrap();
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", "writing::writes_until_it_is_killed"])
            .env("FOLDER", folder.path())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        while fs::read(&seal).is_ok_and(|seal| seal.first() == Some(&255)) {
            assert_eq!(child.try_wait().unwrap(), None, "it ended before its first write");
            sleep(Duration::from_millis(1));
        }
        sleep(Duration::from_millis(3 * milliseconds));
        child.kill().unwrap();
        child.wait().unwrap();
        kind(folder.path());
    }
}
