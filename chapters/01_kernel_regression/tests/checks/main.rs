//! Chapter 1's tests: the page's numbers measured again, and the program on files as people have
//! them.

mod bad_input;
mod experiment;
