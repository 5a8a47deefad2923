//! Programs as packages for Python (docs/python.md).
//!
//! ```text
//! NAME/__init__.py    functions, and classes of types that are not numbers    module.rs
//! NAME/__init__.pyi   the same for type checkers                              module.rs
//! NAME/_support.py    what all packages have in common                        support.py
//! NAME/_NAME.so       the program, and the runtime's functions for Python     runtime-c/src/python_*.c
//! NAME/py.typed
//! ```
//!
//! The shared library is no extension module, so that it is made without Python's headers and works with every
//! version from 3.9 on: `ctypes` loads it and asks once for functions of the kind that extension modules have.
//! Calls through `ctypes` alone were measured first: looking at an array from Python and calling so takes longer
//! than a whole call does now (docs/python.md has the figures).

mod module;
mod names;

use crate::args::{CompileArgs, Sanitizer};
use crate::cache::{self, Cache, Hasher};
use crate::exit::Failure;
use crate::linked::linked;
use crate::output::write_file;
use futc_midend::ir::{EntryPoint, Program};
use futc_testing::files::Kind;
pub use module::Docs;
use std::path::Path;

/// What all packages have in common.
const SUPPORT: &str = include_str!("support.py");

/// The texts of a package.
#[derive(Debug)]
pub struct Package {
    name: String,
    module: String,
    stub: String,
}

impl Package {
    /// Of a program, before or after any pass, that goes to a folder.
    pub fn of(program: &Program, docs: &Docs, output: &Path) -> Result<Package, Failure> {
        let name = output.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !names::is_identifier(&name) || names::is_keyword(&name) {
            return Err(Failure::usage(format!(
                "--python: '{name}' cannot be imported by that name; name a folder with -o whose name is \
                 made of letters, digits and underscores"
            )));
        }
        let entries: Vec<&EntryPoint> =
            program.funs.iter().filter_map(|f| f.entry.as_ref()).collect();
        let module = module::Module::of(&entries, docs)?;
        Ok(Package { module: module.text(&name), stub: module.stub(), name })
    }

    fn library(&self) -> String {
        format!("_{}.so", self.name)
    }

    /// Writes the package of a program's objects.
    pub fn write(
        &self,
        args: &CompileArgs,
        cache: &Cache,
        objects: &[Vec<u8>],
        folder: &Path,
    ) -> Result<(), Failure> {
        let library = self.link(args, cache, objects)?;
        std::fs::create_dir_all(folder)
            .map_err(|e| Failure::usage(format!("cannot make {}: {e}", folder.display())))?;
        write_file(&folder.join(self.library()), &library, Kind::Program)?;
        for (name, text) in [
            ("_support.py", SUPPORT),
            ("__init__.pyi", self.stub.as_str()),
            ("py.typed", ""),
            ("__init__.py", self.module.as_str()),
        ] {
            write_file(&folder.join(name), text.as_bytes(), Kind::Data)?;
        }
        Ok(())
    }

    fn link(
        &self,
        args: &CompileArgs,
        cache: &Cache,
        objects: &[Vec<u8>],
    ) -> Result<Vec<u8>, Failure> {
        let mut hasher = Hasher::new("python");
        hasher.part(format!("{:?} {}", args.sanitize, self.name).as_bytes());
        hasher.part(cache::linker().as_bytes());
        let mut flags = futc_runtime::LINK_FLAGS.to_vec();
        flags.extend(args.sanitize.map(Sanitizer::flag));
        let archive = args.sanitize.map_or(futc_runtime::ARCHIVE, Sanitizer::runtime);
        let roots = futc_runtime::PYTHON_FLAG;
        let library = futc_mlir::Library { name: &self.library(), roots, prefix: "futhark_" };
        let made = futc_mlir::Output::SharedLibrary(library);
        linked(cache, hasher, objects, |files, dir, to| {
            futc_mlir::link(&files, archive, &flags, made, dir, to)
                .map_err(|e| Failure::new(e.to_string()))
        })
    }
}
