//! Files with the names of others.

use super::named::{Named, assign, parameters};
use super::table::{Entry, Foreign, Theirs};
use super::tensors::{Block, FLOATS, Tensors, pack};
use crate::error::{self, Error};
use shared::{Matrix, Module};
use std::collections::HashMap;
use std::path::Path;

/// The bytes of a file with a model's parameters as another library expects them, in the model's own
/// precision.
///
/// PyTorch's mark is in the file: the library *transformers* opens none without it.
///
/// # Panics
/// When the table does not fit the model: a parameter without an entry, an entry without a
/// parameter, other shapes.
pub fn foreign_bytes(model: &mut impl Module, table: &Foreign) -> Vec<u8> {
    let parameters = parameters(model);
    let mut tensors = Vec::new();
    for (entry, Named { value, .. }) in table.of(&parameters).into_iter().zip(&parameters) {
        let mut end = 0;
        for theirs in &entry.theirs {
            let rows = end..end + theirs.matrix_shape().0;
            end = rows.end;
            let (shape, transposed) = (theirs.shape.clone(), theirs.transposed);
            tensors
                .push((theirs.name().to_owned(), Block { matrix: value, rows, shape, transposed }));
        }
    }
    pack(tensors, Some(("format", "pt".to_owned())))
}

/// A file of another library, looked into before a model is built from it.
///
/// The tensors may be of single, double or half precision (`F32`, `F64`, `F16`, `BF16`), also mixed.
/// Half precision is read exactly, double precision is rounded.
///
/// ```
/// use shared::Linear;
/// use workbench::parameters::{Entry, Foreign, ForeignFile, Theirs, foreign_bytes};
/// let table = |outputs: usize| Foreign {
///     prefixes: vec!["bert.".to_owned()],
///     entries: vec![
///         Entry::new("weight", Theirs::new("bert.pooler.dense.weight", [outputs, 3])),
///         Entry::new("bias", Theirs::new("bert.pooler.dense.bias", [outputs])), // (outputs, 1) here
///     ],
/// };
/// let mut trained = Linear::new(3, 2, &mut shared::rng(0));
/// let bytes = foreign_bytes(&mut trained, &table(2));
///
/// let file = ForeignFile::parse("model.safetensors".as_ref(), &bytes)?;
/// assert_eq!(file.names(), ["bert.pooler.dense.bias", "bert.pooler.dense.weight"]);
/// assert!(file.holds(&table(1_000_000_000)).is_err()); // and no model of that size was built
/// let mut model = Linear::new(3, 2, &mut shared::rng(1));
/// let extra = file.load(&mut model, &table(2))?;
/// assert!(extra.is_empty());
/// assert_eq!(model.weight.value(), trained.weight.value());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ForeignFile<'a> {
    path: &'a Path,
    tensors: Tensors<'a>,
}

impl<'a> ForeignFile<'a> {
    /// The bytes of the file at `path`, which errors name.
    ///
    /// # Errors
    /// When they are no safetensors file or a truncated one.
    pub fn parse(path: &'a Path, bytes: &'a [u8]) -> error::Result<ForeignFile<'a>> {
        Ok(ForeignFile { path, tensors: Tensors::parse(path, bytes)? })
    }

    /// Where the file lies.
    pub fn path(&self) -> &'a Path {
        self.path
    }

    /// The names of the tensors that nobody has taken yet, in alphabetical order.
    pub fn names(&self) -> Vec<String> {
        self.tensors.left()
    }

    /// Refuses a file that lacks a tensor of the table or has another shape or type for it: so that
    /// no model is built that the file does not justify.
    ///
    /// # Errors
    /// All that does not fit, in one line.
    pub fn holds(&self, table: &Foreign) -> error::Result<()> {
        let names = Names::of(&self.tensors, table);
        let wrong = table.entries.iter().flat_map(|entry| &entry.theirs).filter_map(|theirs| {
            let found = names.find(theirs);
            found.and_then(|name| self.tensors.find_as(name, &FLOATS, &theirs.shape)).err()
        });
        self.refuse(wrong.collect())
    }

    /// The matrix of a tensor that is called so, without regard to prefixes; `None` when there is none.
    /// What has been taken is left for no model.
    ///
    /// # Errors
    /// When it has another shape or type, or an entry that is not finite.
    pub fn take(&mut self, theirs: &Theirs) -> error::Result<Option<Matrix>> {
        let left = self.tensors.left();
        let Some(name) = theirs.names.iter().find(|name| left.contains(name)) else {
            return Ok(None);
        };
        let matrix = self.tensors.take_as(name, &FLOATS, &theirs.shape, theirs.transposed);
        matrix.map(Some).map_err(|reason| Error::file(self.path, reason))
    }

    /// Reads a model's parameters, which stay as they are unless all of them are there. Returns the names
    /// of the tensors that are none of the model's, in alphabetical order: whether they matter, the
    /// program knows.
    ///
    /// # Errors
    /// When tensors are missing, are there by two names, have another shape or type, or an entry that is
    /// not finite. All of them are named, in one line.
    ///
    /// # Panics
    /// When the table does not fit the model, as in [`foreign_bytes`].
    pub fn load(mut self, model: &mut impl Module, table: &Foreign) -> error::Result<Vec<String>> {
        let parameters = parameters(model);
        let entries = table.of(&parameters);
        let names = Names::of(&self.tensors, table);
        let (mut values, mut wrong) = (Vec::new(), Vec::new());
        for entry in entries {
            let mut blocks = Vec::new();
            for theirs in &entry.theirs {
                let block = names.find(theirs).and_then(|name| {
                    self.tensors.take_as(name, &FLOATS, &theirs.shape, theirs.transposed)
                });
                block.map_or_else(|reason| wrong.push(reason), |block| blocks.push(block));
            }
            if wrong.is_empty() {
                values.push(stack(blocks));
            }
        }
        self.refuse(wrong)?;
        drop(parameters); // nobody else holds the old values, so they need no copy
        assign(model, values);
        Ok(self.tensors.left())
    }

    /// All that is wrong, in one line.
    fn refuse(&self, wrong: Vec<String>) -> error::Result<()> {
        if wrong.is_empty() { Ok(()) } else { Err(Error::file(self.path, wrong.join("; "))) }
    }
}

/// Matrices of as many columns, one below the other.
fn stack(mut blocks: Vec<Matrix>) -> Matrix {
    if blocks.len() == 1 {
        return blocks.swap_remove(0);
    }
    let rows = blocks.iter().map(Matrix::nrows).sum();
    let mut stacked = Matrix::zeros(rows, blocks[0].ncols());
    let mut row = 0;
    for block in &blocks {
        stacked.rows_mut(row, block.nrows()).copy_from(block);
        row += block.nrows();
    }
    stacked
}

impl Foreign {
    /// The entry of each parameter.
    fn of(&self, parameters: &[Named]) -> Vec<&Entry> {
        let mut entries: HashMap<&str, &Entry> =
            self.entries.iter().map(|entry| (&*entry.ours, entry)).collect();
        let mut found = Vec::new();
        for Named { name, value, .. } in parameters {
            let entry = entries.remove(&**name);
            let entry = entry.unwrap_or_else(|| panic!("the table has no entry for `{name}`"));
            let (here, there) = (value.shape(), entry.matrix_shape());
            assert!(here == there, "`{name}` is {here:?} in the model, {there:?} in the table");
            found.push(entry);
        }
        if let Some(name) = entries.keys().min() {
            panic!("the table has an entry for `{name}`, the model has no such parameter");
        }
        found
    }
}

/// The names of a file, found with or without a prefix.
struct Names<'a> {
    table: &'a Foreign,
    by_bare_name: HashMap<String, Vec<String>>,
}

impl Names<'_> {
    fn of<'a>(tensors: &Tensors, table: &'a Foreign) -> Names<'a> {
        let mut by_bare_name: HashMap<String, Vec<String>> = HashMap::new();
        for name in tensors.left() {
            by_bare_name.entry(table.bare(&name).to_owned()).or_default().push(name);
        }
        Names { table, by_bare_name }
    }

    /// What the file calls a tensor.
    fn find(&self, theirs: &Theirs) -> Result<&str, String> {
        let spellings = theirs.names.iter().map(|name| self.table.bare(name));
        let mut found = spellings.filter_map(|name| self.by_bare_name.get(name)).flatten();
        match (found.next(), found.next()) {
            (Some(name), None) => Ok(name),
            (Some(one), Some(other)) => Err(format!("`{one}` and `{other}` name the same tensor")),
            (None, _) => Err(format!("there is no tensor `{}`", theirs.names.join("` or `"))),
        }
    }
}
