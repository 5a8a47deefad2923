//! Fusion of array combinators with the ones that consume their results.
