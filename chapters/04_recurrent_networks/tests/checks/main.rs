//! Chapter 4's tests: the committed results made again, the layers against PyTorch, and the fused
//! layers against their cells, unrolled.

mod experiment;
mod golden;
mod layers;
