//! Gradient checks in double precision: see the files under `tests/`.
