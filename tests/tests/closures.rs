//! A closure that is bound to a name and used once is an expression with a detour: written where it is used, it needs
//! no name. Where the name says what an expression does not, it may stay; the number of these is bounded.

use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Block, Expr, Ident, Local, Pat, Stmt};

/// The most named closures that are used once.
const MOST: usize = 150;

#[test]
fn few_closures_are_named_and_used_once() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    for file in sources(&root) {
        let text = fs::read_to_string(&file).expect("a source");
        let parsed = syn::parse_file(&text).expect("Rust");
        let name = file.strip_prefix(&root).expect("below the root").display();
        found.extend(used_once(&parsed).into_iter().map(|at| format!("{name}:{at}")));
    }
    assert!(
        found.len() <= MOST,
        "{} closures are used once, {MOST} at most:\n{}",
        found.len(),
        found.join("\n")
    );
}

/// Line and name of every closure that a `let` names and its block uses once.
fn used_once(file: &syn::File) -> Vec<String> {
    let mut once = Once(Vec::new());
    once.visit_file(file);
    once.0
}

struct Once(Vec<String>);

impl Visit<'_> for Once {
    fn visit_block(&mut self, block: &Block) {
        for (i, statement) in block.stmts.iter().enumerate() {
            let Some(name) = closure(statement) else { continue };
            let after = block.stmts[i + 1..].iter().map(|stmt| uses(stmt.to_token_stream(), name));
            if after.sum::<usize>() == 1 {
                self.0.push(format!("{}: {name}", name.span().start().line));
            }
        }
        visit::visit_block(self, block);
    }
}

/// The name of a closure that a statement binds.
fn closure(statement: &Stmt) -> Option<&Ident> {
    let Stmt::Local(Local { pat: Pat::Ident(pattern), init: Some(init), .. }) = statement else {
        return None;
    };
    matches!(*init.expr, Expr::Closure(_)).then_some(&pattern.ident)
}

/// How often a name stands in code, inside of macros and their format strings too.
fn uses(code: TokenStream, name: &Ident) -> usize {
    let counts = code.into_iter().map(|token| match token {
        TokenTree::Ident(ident) => usize::from(ident == *name),
        TokenTree::Group(group) => uses(group.stream(), name),
        TokenTree::Literal(literal) => {
            usize::from(literal.to_string().contains(&format!("{{{name}")))
        }
        TokenTree::Punct(_) => 0,
    });
    counts.sum()
}

/// Every file of Rust, those that were built aside.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry")) {
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        let kind = entry.file_type().expect("a kind");
        if kind.is_dir() && name != "target" && !name.starts_with('.') {
            found.extend(sources(&path));
        } else if kind.is_file() && name.ends_with(".rs") {
            found.push(path);
        }
    }
    found
}

#[test]
fn a_closure_used_once_is_found_and_one_used_twice_is_not() {
    let once = |body: &str| used_once(&syn::parse_file(&format!("fn f() {{ {body} }}")).unwrap());
    assert_eq!(once("let f = |x| x + 1; g(f(2));"), ["1: f"]);
    assert_eq!(once("if a { let f = |x| x; xs.iter().map(f); }"), ["1: f"]);
    assert!(once("let f = |x| x + 1; g(f(2), f(3));").is_empty());
    assert!(once("let f = 3; g(f);").is_empty());
}
