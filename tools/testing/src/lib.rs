//! Values, test blocks, data sets and their comparison.
