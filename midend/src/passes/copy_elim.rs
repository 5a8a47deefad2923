//! Copies that nobody could tell from an alias become aliases.
