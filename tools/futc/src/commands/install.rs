//! `futc install`: futc puts itself below a prefix, with manual pages and completions for shells, which are made
//! from the description of the command line. Nothing else is needed: the runtime and the prelude are in the
//! compiler.

use crate::args::{self, InstallArgs};
use crate::exit::{Exit, Failure};
use crate::output::{put, write_file};
use clap_complete::Shell;
use futc_testing::files::{self, Kind};
use std::fs::create_dir_all;
use std::path::{Path, PathBuf};

const PROGRAMS: &str = "bin";
const MANUAL: &str = "share/man/man1";

/// Shells, and where they look for completions.
const SHELLS: &[(Shell, &str, &str)] = &[
    (Shell::Bash, "share/bash-completion/completions", "futc"),
    (Shell::Zsh, "share/zsh/site-functions", "_futc"),
    (Shell::Fish, "share/fish/vendor_completions.d", "futc.fish"),
];

/// The reference compiler's name, for a link.
const REFERENCE: &str = "futhark";

/// Installs.
pub fn run(args: &InstallArgs) -> Result<Exit, Failure> {
    let prefix = &args.prefix;
    let installed = compiler(&folder(prefix, PROGRAMS)?)?;
    let linked = match args.futhark {
        true => Some(link(&installed)?),
        false => None,
    };
    let manual = folder(prefix, MANUAL)?;
    // The version in a page is that of a release: which commit and which LLVM, `--version` says.
    let mut command = args::command().version(env!("CARGO_PKG_VERSION"));
    clap_mangen::generate_to(command.clone(), &manual)
        .map_err(|e| Failure::new(format!("cannot write to {}: {e}", manual.display())))?;
    for (shell, below, name) in SHELLS {
        let mut text = Vec::new();
        clap_complete::generate(*shell, &mut command, "futc", &mut text);
        write_file(&folder(prefix, below)?.join(name), &text, Kind::Data)?;
    }
    let also = linked.map(|link| format!(", {}", link.display())).unwrap_or_default();
    put(&format!(
        "installed {}{also}, manual pages and completions for bash, zsh and fish\n",
        installed.display()
    ))?;
    Ok(Exit::Success)
}

fn folder(prefix: &Path, below: &str) -> Result<PathBuf, Failure> {
    let folder = prefix.join(below);
    create_dir_all(&folder)
        .map_err(|e| Failure::new(format!("cannot make {}: {e}", folder.display())))?;
    Ok(folder)
}

/// Copies this futc, unless it is there already.
fn compiler(programs: &Path) -> Result<PathBuf, Failure> {
    let unreadable = |e: std::io::Error| Failure::new(format!("cannot read futc itself: {e}"));
    let this = std::env::current_exe().map_err(unreadable)?;
    let installed = programs.join("futc");
    if !files::same(&this, &installed) {
        let bytes = std::fs::read(&this).map_err(unreadable)?;
        write_file(&installed, &bytes, Kind::Program)?;
    }
    Ok(installed)
}

/// The command `futhark`. What is there and no link of ours stays.
fn link(compiler: &Path) -> Result<PathBuf, Failure> {
    let link = compiler.with_file_name(REFERENCE);
    let failed = |e| Failure::new(format!("cannot make the link {}: {e}", link.display()));
    match std::fs::symlink_metadata(&link) {
        Ok(_) if files::same(&link, compiler) => return Ok(link),
        Ok(_) => {
            return Err(Failure::usage(format!(
                "{} is there already and is not futc: remove it first, or leave out --futhark",
                link.display()
            )));
        }
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {}
        Err(e) => return Err(failed(e)),
    }
    std::os::unix::fs::symlink("futc", &link).map_err(failed)?;
    Ok(link)
}
