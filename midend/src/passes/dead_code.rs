//! Dead code: statements, functions, globals and results that nobody needs.
