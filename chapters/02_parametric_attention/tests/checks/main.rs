//! Chapter 2's tests: the page's numbers computed again, and training and gradients as PyTorch
//! computes them.

mod experiment;
mod golden;
