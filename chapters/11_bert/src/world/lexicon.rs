//! The world's tables, read from the Markdown files in `chapters/11_bert/src/world/tables`.
//!
//! A row is one thing of the world and what goes with it: a baker works in the bakery and bakes
//! bread. `present/past` gives a verb in both tenses, and what stands after a colon says what a word
//! is: `:h` somebody, `:a` an animal, `:p` a place, `:t` a thing.

use std::collections::HashMap;
use std::sync::LazyLock;

/// One table: its rows are what the world has, its columns what is known of each.
#[derive(Debug, PartialEq, Eq)]
pub struct Table {
    /// The file's name.
    pub name: &'static str,
    /// The names of the columns.
    pub columns: Vec<&'static str>,
    /// The cells, row by row, as written in the file.
    pub rows: Vec<Vec<&'static str>>,
}

/// A place in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cell {
    /// The table's name.
    pub table: &'static str,
    /// Its row, counted from 0.
    pub row: usize,
    /// Its column, by name.
    pub column: &'static str,
}

impl Table {
    /// The place of a column.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| *column == name)
    }

    /// The kind of its words that have no letter after a colon.
    pub(super) fn kind(&self) -> &'static str {
        match self.name {
            "people" => "h",
            "pets" => "a", // by the same names
            _ => "",
        }
    }

    fn new(name: &'static str, text: &'static str) -> Table {
        let mut lines = text.lines().map(|line| {
            line.trim_matches('|').split('|').map(str::trim).collect::<Vec<&'static str>>()
        });
        let columns = lines.next().expect("a table has a heading");
        let rows: Vec<_> = lines.skip(1).collect();
        assert!(rows.iter().all(|row| row.len() == columns.len()), "cells missing in {name}");
        Table { name, columns, rows }
    }
}

impl Cell {
    /// The text that the table has there.
    pub fn text(&self) -> &'static str {
        let table = table(self.table);
        let column = table.column(self.column);
        table.rows[self.row][column.unwrap_or_else(|| panic!("no column {}", self.column))]
    }
}

macro_rules! tables {
    ($($name:ident)*) => {
        vec![$(Table::new(
            stringify!($name),
            include_str!(concat!("tables/", stringify!($name), ".md")),
        )),*]
    };
}

/// All tables of the world.
pub static TABLES: LazyLock<Vec<Table>> = LazyLock::new(|| {
    tables! {
        people characters ties jobs pets animals coats sizes things colours materials homes nears places
        spots foods needs paths weather wild games days
    }
});

/// The table of that name.
pub fn table(name: &str) -> &'static Table {
    TABLES.iter().find(|table| table.name == name).unwrap_or_else(|| panic!("no table {name}"))
}

/// Words that may stand for each other and say nothing about the world, by the name of the list.
pub(super) static LISTS: LazyLock<HashMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let lists = Table::new("lists", include_str!("tables/lists.md"));
    lists.rows.iter().map(|row| (row[0], row[1].split("; ").collect())).collect()
});
