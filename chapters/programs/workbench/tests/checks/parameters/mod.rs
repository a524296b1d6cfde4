//! Parameters in files, as other libraries write and read them; and what does not fit.

mod damaged;
mod foreign;
mod own;
mod precisions;
