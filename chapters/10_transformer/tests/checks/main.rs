//! What must hold of the chapter's code beyond its exercises.

mod experiment;
