//! The mid-end's passes as salsa queries.
