//! The futc compiler driver.

fn main() {}
