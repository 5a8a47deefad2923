//! How long lists of scalars may be.

/// No longer list stands for an array …
pub(super) const MOST_ELEMENTS: usize = 32;
/// … but one of constants.
pub(super) const MOST_CONSTANTS: usize = 64;
/// No more scalars are carried by a loop or a branch in place of one array: they all want registers.
pub(super) const MOST_CARRIED: usize = 16;
