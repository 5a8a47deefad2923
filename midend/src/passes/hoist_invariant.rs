//! Invariant statements move out of lambdas and loop bodies.
