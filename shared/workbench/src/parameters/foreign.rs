//! Files with the names of others.

use super::named::{Named, assign, parameters};
use super::table::{Entry, Foreign, Theirs};
use super::tensors::{Block, FLOATS, Tensors, pack};
use crate::error::{self, Error};
use crate::files;
use shared::{Matrix, Module};
use std::collections::HashMap;
use std::path::Path;

/// Writes a model's parameters as another library expects them, in the model's own precision.
///
/// PyTorch's mark is in the file: the library *transformers* opens none without it.
///
/// # Errors
/// When the file cannot be written.
///
/// # Panics
/// When the table does not fit the model: a parameter without an entry, an entry without a
/// parameter, other shapes; or when it names a tensor twice.
pub fn save_foreign(path: &Path, model: &mut impl Module, table: &Foreign) -> error::Result<()> {
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
    files::write(path, &pack(tensors, Some(("format", "pt".to_owned()))))
}

/// Reads a model's parameters from a file of another library; the model stays as it is unless all
/// of them are there. Returns the names of the tensors that are none of the model's, in
/// alphabetical order: whether they matter, the program knows.
///
/// The tensors may be of single, double or half precision (`F32`, `F64`, `F16`, `BF16`), also mixed.
/// Half precision is read exactly, double precision is rounded.
///
/// ```
/// use shared::{Linear, Matrix};
/// use workbench::parameters::{Entry, Foreign, Theirs, load_foreign, save_foreign};
/// let table = Foreign {
///     prefixes: vec!["bert.".to_owned()],
///     entries: vec![
///         Entry::new("weight", Theirs::new("bert.pooler.dense.weight", [2, 3])),
///         Entry::new("bias", Theirs::new("bert.pooler.dense.bias", [2])), // (2, 1) here
///     ],
/// };
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("model.safetensors");
/// let mut trained = Linear::new(3, 2, &mut shared::rng(0));
/// save_foreign(&path, &mut trained, &table)?;
///
/// let mut model = Linear::new(3, 2, &mut shared::rng(1));
/// let extra = load_foreign(&path, &mut model, &table)?;
/// assert!(extra.is_empty());
/// assert_eq!(model.weight.value(), trained.weight.value());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the file cannot be read, is no safetensors file or a truncated one; when tensors are
/// missing, are there by two names, have another shape or type, or an entry that is not finite. All
/// of them are named, in one line.
///
/// # Panics
/// When the table does not fit the model, as in [`save_foreign`].
pub fn load_foreign(
    path: &Path,
    model: &mut impl Module,
    table: &Foreign,
) -> error::Result<Vec<String>> {
    let parameters = parameters(model);
    let entries = table.of(&parameters);
    let bytes = files::read(path)?;
    let mut tensors = Tensors::parse(path, &bytes)?;
    let names = Names::of(&tensors, table);
    let (mut values, mut wrong) = (Vec::new(), Vec::new());
    for entry in entries {
        let mut blocks = Vec::new();
        for theirs in &entry.theirs {
            let block = names
                .find(theirs)
                .and_then(|name| tensors.take_as(name, &FLOATS, &theirs.shape, theirs.transposed));
            block.map_or_else(|reason| wrong.push(reason), |block| blocks.push(block));
        }
        if wrong.is_empty() {
            values.push(stack(blocks));
        }
    }
    if !wrong.is_empty() {
        return Err(Error::file(path, wrong.join("; ")));
    }
    drop(parameters); // nobody else holds the old values, so they need no copy
    assign(model, values);
    Ok(tensors.left())
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
        self.check();
        let mut entries: HashMap<&str, &Entry> =
            self.entries.iter().map(|entry| (&*entry.ours, entry)).collect();
        let mut take = |Named { name, value, .. }: &Named| {
            let entry = entries.remove(&**name);
            let entry = entry.unwrap_or_else(|| panic!("the table has no entry for `{name}`"));
            let (here, there) = (value.shape(), entry.matrix_shape());
            assert!(here == there, "`{name}` is {here:?} in the model, {there:?} in the table");
            entry
        };
        let found = parameters.iter().map(&mut take).collect();
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
