//! `cargo xtask smoke-install`: walks docs/install.md in a system of its own.
//!
//! The system is a folder with packages of the distribution: the smallest that has a shell and a package manager,
//! and what futc's package depends on. They are fetched by `apt-get` and configured by `dpkg` in the folder, which
//! then has neither a network nor the repository. Needs root, as it changes into the folder.
//!
//! Blocks of the page that are marked `console` are run there: lines that begin with `$` are commands, and what
//! follows is what they print, in which a line `…` stands for any lines.

use crate::package::{self, said};
use futc_testing::pages::{self, Block, Step};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What to walk with.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// What to pack.
    #[command(flatten)]
    package: package::Args,
    /// Keep the system in this folder, which must not be there yet.
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
}

const PAGE: &str = "docs/install.md";

/// What a system has before anything is installed by hand: what Debian calls essential, and a package manager.
const SYSTEM: &[&str] = &[
    "apt",
    "base-files",
    "base-passwd",
    "bash",
    "coreutils",
    "dash",
    "debianutils",
    "diffutils",
    "dpkg",
    "findutils",
    "grep",
    "gzip",
    "init-system-helpers",
    "libc-bin",
    "mawk",
    "ncurses-base",
    "perl-base",
    "sed",
    "tar",
    "util-linux",
];

/// Walks.
pub fn run(root: &Path, args: &Args) -> Result<(), String> {
    let page = std::fs::read_to_string(root.join(PAGE)).map_err(|e| format!("{PAGE}: {e}"))?;
    let steps: Vec<Step> = pages::blocks(&page).iter().flat_map(Block::steps).collect();
    if steps.is_empty() {
        return Err(format!("{PAGE} has no block marked console"));
    }
    let made = package::pack(root, &args.package)?;
    let scratch = tempfile::tempdir().map_err(|e| format!("a temporary folder: {e}"))?;
    let system = args.keep.clone().unwrap_or_else(|| scratch.path().join("system"));
    println!("a system for {}", made.package.display());
    build(&system, scratch.path(), &made.package)?;
    for file in [&made.package, &made.tarball] {
        let name = file.file_name().unwrap_or_default();
        let to = system.join("root").join(name);
        std::fs::copy(file, &to).map_err(|e| format!("{}: {e}", to.display()))?;
    }
    for step in &steps {
        println!("{PAGE}:{}: {}", step.line, step.command);
        let printed = inside(&system, &step.command.replace("sudo ", ""))
            .map_err(|e| format!("{PAGE}:{}: {}\n{e}", step.line, step.command))?;
        if !pages::prints(&step.prints, &printed.lines().collect::<Vec<_>>()) {
            return Err(format!("{PAGE}:{} prints something else:\n{printed}", step.line));
        }
    }
    println!("{} commands did what {PAGE} says", steps.len());
    Ok(())
}

/// Fetches packages and configures them in a folder.
fn build(system: &Path, scratch: &Path, package: &Path) -> Result<(), String> {
    let failed = |path: &Path, e: std::io::Error| format!("{}: {e}", path.display());
    let archives = scratch.join("archives");
    for folder in [archives.join("partial"), system.join("root"), system.join("packages")] {
        std::fs::create_dir_all(&folder).map_err(|e| failed(&folder, e))?;
    }
    // As if nothing were installed, so that all that is needed is fetched.
    let nothing = scratch.join("status");
    std::fs::write(&nothing, "").map_err(|e| failed(&nothing, e))?;
    said(
        Command::new("apt-get")
            .args(["--quiet", "--yes", "--no-install-recommends", "--download-only"])
            .args(["-o", "APT::Sandbox::User=root", "-o"])
            .arg(format!("Dir::State::status={}", nothing.display()))
            .arg("-o")
            .arg(format!("Dir::Cache::archives={}", archives.display()))
            .arg("install")
            .args(SYSTEM)
            .arg(package),
    )?;
    for name in ["bin", "sbin", "lib", "lib64"] {
        let usr = system.join("usr").join(name);
        std::fs::create_dir_all(&usr).map_err(|e| failed(&usr, e))?;
        let link = system.join(name);
        std::os::unix::fs::symlink(format!("usr/{name}"), &link).map_err(|e| failed(&link, e))?;
    }
    let entries = std::fs::read_dir(&archives).map_err(|e| failed(&archives, e))?;
    for path in entries.filter_map(Result::ok).map(|entry| entry.path()) {
        if path.extension().is_none_or(|e| e != "deb") {
            continue;
        }
        said(Command::new("sh").args(["-c", UNPACK, "sh"]).arg(&path).arg(system))?;
        let to = system.join("packages").join(path.file_name().unwrap_or_default());
        std::fs::copy(&path, &to).map_err(|e| failed(&to, e))?;
    }
    for name in ["status", "available"] {
        let file = system.join("var/lib/dpkg").join(name);
        std::fs::write(&file, "").map_err(|e| failed(&file, e))?;
    }
    inside(system, CONFIGURE).map(drop)
}

/// A package's files, into a folder whose `/bin` is a link.
const UNPACK: &str = "dpkg-deb --fsys-tarfile \"$1\" | tar -x --keep-directory-symlink -C \"$2\"";

/// What a package manager's scripts do, now that their programs are there. The order is dpkg's own.
const CONFIGURE: &str = "dpkg --force-depends --install /packages/base-passwd_*.deb /packages/base-files_*.deb \
    && dpkg --force-depends --install /packages/*.deb && rm -r /packages";

/// Runs a shell's text in the system, without network; gives what it prints.
fn inside(system: &Path, text: &str) -> Result<String, String> {
    let script = "mount --rbind /dev \"$1/dev\" && mount -t proc proc \"$1/proc\" && \
        exec chroot \"$1\" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin \
        DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 bash -c \"cd /root && $2\"";
    let mut command = Command::new("unshare");
    command.args(["--mount", "--pid", "--fork", "--net", "sh", "-c", script, "sh"]);
    said(command.arg(system).arg(text))
}
