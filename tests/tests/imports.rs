//! No two files of a crate import each other, nor do three or more in a round: from their `use` lines.
//!
//! A module that names and re-exports its parts is no part of a round: a name is followed to the file that
//! defines it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};

/// A module's path inside its crate; the root's is empty.
type Module = Vec<String>;

/// What one `use` line names, and whether others see it through this file.
struct Import {
    path: Module,
    handed_on: bool,
}

/// The files of a crate by their modules, each with what it imports.
type Crate = BTreeMap<Module, Vec<Import>>;

#[test]
fn no_files_import_each_other() {
    let sources = folders(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
    assert!(sources.len() > 15, "only {} crates found", sources.len());
    let rounds: Vec<String> = sources
        .iter()
        .filter_map(|source| Some(format!("{}: {}", source.display(), round(&read(source))?)))
        .collect();
    assert!(rounds.is_empty(), "{}", rounds.join("\n"));
}

#[test]
fn a_round_is_found() {
    let file = |text: &str, module: &[&str]| {
        (module.iter().map(|m| m.to_string()).collect(), imports(text))
    };
    let apart = [
        file("mod a;\npub use a::{Deep, f};", &[]),
        file("use super::b::{c::{self, g}, h}; // use super::nothing;\nuse std::fs;", &["a"]),
        file("mod c;\n#[cfg(test)]\nmod tests {\n    use crate::a::f;\n}", &["b"]),
        file("use shared::Tape;", &["b", "c"]),
    ];
    assert_eq!(round(&apart.into_iter().collect()), None);
    let tied = [
        file("mod a;\npub(crate) use a::f;", &[]),
        file("use crate::b::g;", &["a"]),
        file("use super::c;", &["b"]),
        file("use crate::{\n    f, // of a\n};", &["c"]),
    ];
    assert_eq!(round(&tied.into_iter().collect()).as_deref(), Some("a → b → c → a"));
}

/// Every folder `src` below this one, except for those of copies and of what was built.
fn folders(below: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(below).expect("a folder").map(|entry| entry.expect("an entry").path())
    {
        let name = entry.file_name().expect("a name").to_string_lossy().into_owned();
        match name.as_str() {
            "src" => found.push(entry),
            "target" | "f64" => {}
            name if entry.is_dir() && !name.starts_with('.') => found.extend(folders(&entry)),
            _ => {}
        }
    }
    found
}

fn read(source: &Path) -> Crate {
    fn walk(folder: &Path, at: &Module, found: &mut Crate) {
        for path in
            fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path())
        {
            let stem = path.file_stem().expect("a name").to_string_lossy().into_owned();
            let inside = [&at[..], std::slice::from_ref(&stem)].concat();
            if path.is_dir() {
                walk(&path, &inside, found);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let module =
                    if ["lib", "main", "mod"].contains(&&*stem) { at.clone() } else { inside };
                let text = fs::read_to_string(&path).expect("a text");
                found.entry(module).or_default().extend(imports(&text));
            }
        }
    }
    let mut found = Crate::new();
    walk(source, &Module::new(), &mut found);
    found
}

/// The imports of a file's `use` lines. Its tests, at its end, are not looked at.
fn imports(text: &str) -> Vec<Import> {
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or("").trim());
    let mut found = Vec::new();
    let mut open: Option<(bool, String)> = None; // a statement that has not ended
    for line in lines.take_while(|line| *line != "#[cfg(test)]") {
        let (handed_on, mut tree) = match (open.take(), line.split_once("use ")) {
            (Some((handed_on, tree)), _) => (handed_on, tree + line),
            (None, Some((before, tree))) if before.is_empty() || before.starts_with("pub") => {
                (!before.is_empty(), tree.to_owned())
            }
            _ => continue,
        };
        match tree.pop() {
            Some(';') => expand(&tree, &[], &mut |path| found.push(Import { path, handed_on })),
            last => open = Some((handed_on, tree + &String::from_iter(last))),
        }
    }
    found
}

/// The paths of a tree such as `a::{b, c::d as e}`.
fn expand(tree: &str, above: &[String], found: &mut impl FnMut(Module)) {
    let tree = tree.trim();
    let Some((head, inside)) = tree.strip_suffix('}').and_then(|tree| tree.split_once('{')) else {
        let path = tree.split(" as ").next().unwrap_or("").split("::");
        return found(
            above.iter().cloned().chain(path.map(|name| name.trim().to_owned())).collect(),
        );
    };
    let head = head.split("::").map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned);
    let above: Module = above.iter().cloned().chain(head).collect();
    let (mut depth, mut since) = (0, 0);
    for (at, letter) in inside.char_indices().chain([(inside.len(), ',')]) {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                let part = inside[since..at].trim();
                since = at + 1;
                if !part.is_empty() {
                    expand(part, &above, found);
                }
            }
            _ => {}
        }
    }
}

/// The path from the crate's root, when it leads into this crate.
fn from_root(files: &Crate, module: &Module, path: &Module) -> Option<Module> {
    let (mut at, mut rest) = (module.clone(), &path[..]);
    match rest[0].as_str() {
        "crate" => at.clear(),
        "super" | "self" => {
            while let Some(("super", after)) =
                rest.split_first().map(|(f, after)| (f.as_str(), after))
            {
                at.pop();
                rest = after;
            }
            return Some(
                [&at[..], rest.strip_prefix(&["self".to_owned()]).unwrap_or(rest)].concat(),
            );
        }
        name if !files.contains_key(&[&at[..], &[name.to_owned()]].concat()) => return None,
        _ => return Some([&at[..], rest].concat()),
    }
    Some(rest[1..].to_vec())
}

/// The file that defines what a path from the root names.
fn defines(files: &Crate, path: &[String], steps: usize) -> Module {
    let end = (0..=path.len()).rev().find(|end| files.contains_key(&path[..*end])).unwrap_or(0);
    let (module, Some(name)) = (path[..end].to_vec(), path.get(end)) else { return path.to_vec() };
    let mut handed_on = files[&module].iter().filter(|import| import.handed_on);
    let further = handed_on.find(|import| import.path.last() == Some(name)).filter(|_| steps > 0);
    match further.and_then(|import| from_root(files, &module, &import.path)) {
        Some(path) => defines(files, &path, steps - 1),
        None => module,
    }
}

/// A shortest round of files, named in the order of their imports; none when there is none.
fn round(files: &Crate) -> Option<String> {
    let graph = files.keys().map(|module| {
        let plain = files[module].iter().filter(|import| !import.handed_on);
        let paths = plain.filter_map(|import| from_root(files, module, &import.path));
        let others = paths.map(|path| defines(files, &path, 9)).filter(|other| other != module);
        (module, others.collect())
    });
    let graph: Graph = graph.collect();
    let shortest = files.keys().filter_map(|start| from(start, &graph)).min_by_key(Vec::len)?;
    let names = shortest.iter().map(|file| match &file[..] {
        [] => "lib".to_owned(),
        file => file.join("::"),
    });
    Some(names.collect::<Vec<_>>().join(" → "))
}

/// The modules that each module imports.
type Graph<'f> = BTreeMap<&'f Module, BTreeSet<Module>>;

/// The shortest way from a module back to itself.
fn from(start: &Module, graph: &Graph) -> Option<Vec<Module>> {
    let mut seen = BTreeSet::new();
    let mut ways = VecDeque::from([vec![start.clone()]]);
    while let Some(way) = ways.pop_front() {
        for next in &graph[way.last()?] {
            let further = [&way[..], std::slice::from_ref(next)].concat();
            if next == start {
                return Some(further);
            }
            if seen.insert(next.clone()) {
                ways.push_back(further);
            }
        }
    }
    None
}
