//! Trainings: soft, enumerated and sampled attention on the [retrieval](crate::retrieval) task.

pub mod statistics;
pub mod training;
