//! The C runtime, embedded.
