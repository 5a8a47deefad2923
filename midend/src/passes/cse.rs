//! Common subexpressions: a pure expression computed twice in scope is computed once.
