//! Parameters in files, as other libraries write and read them; and what does not fit.

mod forged;
mod own;
