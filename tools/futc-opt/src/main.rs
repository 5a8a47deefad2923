//! Runs single passes over Core IR text.

fn main() {}
