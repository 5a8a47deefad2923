//! Simplification: small named rules applied until none applies, or a bound is met.
