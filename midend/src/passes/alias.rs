//! Which variables share memory with which, and which of them are consumed.
