//! What is called what: a table from our parameters to the tensors of another library.

/// A table of all parameters of a model and the tensors that others keep them in.
///
/// A `BertModel` of the library *transformers* writes `embeddings.LayerNorm.weight`; with a head
/// on top the same tensor is `bert.embeddings.LayerNorm.weight`; and older files say `gamma` instead
/// of `weight`:
///
/// ```
/// use workbench::parameters::{Entry, Foreign, Theirs};
/// let (d, vocabulary) = (768, 30522);
/// let layer = "bert.encoder.layer.0.attention";
/// let table = Foreign {
///     prefixes: vec!["bert.".to_owned()],
///     entries: vec![
///         // (d, vocabulary) here, a row for each word there
///         Entry::new(
///             "words.weight",
///             Theirs::new("bert.embeddings.word_embeddings.weight", [vocabulary, d]).transposed(),
///         ),
///         // two spellings; (d, 1) here
///         Entry::new(
///             "norm.gain",
///             Theirs::new(format!("{layer}.output.LayerNorm.weight"), [d])
///                 .or(format!("{layer}.output.LayerNorm.gamma")),
///         ),
///         // (3d, d) here, three matrices there
///         Entry::stacked(
///             "qkv.weight",
///             ["query", "key", "value"]
///                 .map(|part| Theirs::new(format!("{layer}.self.{part}.weight"), [d, d])),
///         ),
///     ],
/// };
/// assert_eq!(table.entries[2].matrix_shape(), (3 * d, d));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Foreign {
    /// Beginnings that a name may have or lack, in the file as in the table: of a name that begins
    /// with one of them, only the rest counts. Files are written with the names of the table.
    pub prefixes: Vec<String>,
    /// What each parameter is called there.
    pub entries: Vec<Entry>,
}

/// A parameter of ours, and the tensors of theirs that hold it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The dotted name of the parameter.
    pub ours: String,
    /// The tensors whose matrices, one below the other, are the parameter. Mostly one.
    pub theirs: Vec<Theirs>,
}

/// A tensor in a file of others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Theirs {
    /// What it may be called. The first is written.
    pub names: Vec<String>,
    /// Its shape there: `[rows, columns]`, or `[n]` for a column (n, 1).
    pub shape: Vec<usize>,
    /// Whether its matrix here is the transpose; of `[n]`, a row (1, n).
    pub transposed: bool,
}

impl Entry {
    /// A parameter that is one tensor there.
    pub fn new(ours: impl Into<String>, theirs: Theirs) -> Entry {
        Entry::stacked(ours, [theirs])
    }

    /// A parameter whose rows are several tensors there: first those of the first, and so on.
    pub fn stacked(ours: impl Into<String>, theirs: impl IntoIterator<Item = Theirs>) -> Entry {
        Entry { ours: ours.into(), theirs: theirs.into_iter().collect() }
    }

    /// The shape (rows, columns) of the parameter.
    ///
    /// # Panics
    /// When there is no tensor, when one has no rank of 1 or 2, or when their columns differ.
    pub fn matrix_shape(&self) -> (usize, usize) {
        let Some(first) = self.theirs.first() else { panic!("`{}` has no tensor", self.ours) };
        let (_, columns) = first.matrix_shape();
        let rows = self.theirs.iter().map(|theirs| {
            let shape = theirs.matrix_shape();
            assert!(
                shape.1 == columns,
                "`{}` stacks {:?} below {:?}: as many columns are needed",
                self.ours,
                shape,
                first.matrix_shape(),
            );
            shape.0
        });
        (rows.sum(), columns)
    }
}

impl Theirs {
    /// A tensor that stands for the matrix of the same shape, or for a column.
    pub fn new(name: impl Into<String>, shape: impl Into<Vec<usize>>) -> Theirs {
        Theirs { names: vec![name.into()], shape: shape.into(), transposed: false }
    }

    /// The same tensor, which some files call by another name.
    pub fn or(mut self, name: impl Into<String>) -> Theirs {
        self.names.push(name.into());
        self
    }

    /// The same tensor, as the transpose of our matrix.
    pub fn transposed(self) -> Theirs {
        Theirs { transposed: !self.transposed, ..self }
    }

    /// The shape (rows, columns) of its matrix here.
    ///
    /// # Panics
    /// When its rank is neither 1 nor 2.
    pub(super) fn matrix_shape(&self) -> (usize, usize) {
        let (rows, columns) = match self.shape[..] {
            [n] => (n, 1),
            [rows, columns] => (rows, columns),
            _ => panic!("`{}` is {:?}, [n] or [rows, columns] is needed", self.name(), self.shape),
        };
        if self.transposed { (columns, rows) } else { (rows, columns) }
    }

    /// The name that is written.
    pub(super) fn name(&self) -> &str {
        self.names.first().expect("a tensor has a name")
    }
}

impl Foreign {
    /// A name without the first of the prefixes that it begins with.
    pub(super) fn bare<'a>(&self, name: &'a str) -> &'a str {
        self.prefixes.iter().find_map(|prefix| name.strip_prefix(&**prefix)).unwrap_or(name)
    }
}
