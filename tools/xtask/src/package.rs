//! `cargo xtask package`: futc as a Debian package, as a tarball, and as a wheel for Python (`tools/python/wheel.py`).
//!
//! The first two hold what `futc install` lays below a prefix, documents and examples. The package depends on what the
//! compiler is linked with, which the system at hand says of the file, and on a C compiler for linking.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What to pack.
#[derive(Debug, clap::Args)]
#[group(id = "package")]
pub struct Args {
    /// The compiler to pack; without, it is built for release, of the commit at hand.
    #[arg(long, value_name = "FUTC")]
    compiler: Option<PathBuf>,
    /// Where packages go.
    #[arg(long, value_name = "DIR", default_value = "target/package")]
    output: PathBuf,
}

/// What was made.
#[derive(Debug)]
pub struct Made {
    /// The Debian package.
    pub package: PathBuf,
    /// The tarball.
    pub tarball: PathBuf,
    /// The wheel.
    wheel: String,
}

/// What linking needs, by names of packages.
const FOR_LINKING: &str = "gcc | clang, libc6-dev";
/// What kernels with mathematical functions need.
const RECOMMENDED: &str = "libclc-22";
/// What packages for Python and WebAssembly need to be used.
const SUGGESTED: &str = "python3-numpy, nodejs";

/// Packs.
pub fn run(root: &Path, args: &Args) -> Result<(), String> {
    let made = pack(root, args)?;
    println!("{}\n{}\n{}", made.package.display(), made.tarball.display(), made.wheel);
    Ok(())
}

/// Packs, and tells what came of it.
pub fn pack(root: &Path, args: &Args) -> Result<Made, String> {
    let compiler = match &args.compiler {
        Some(compiler) => compiler.clone(),
        None => build(root)?,
    };
    let output = root.join(&args.output);
    make_folder(&output)?;
    let staged = tempfile::tempdir().map_err(|e| format!("a temporary folder: {e}"))?;
    let (version, machine) = (env!("CARGO_PKG_VERSION"), std::env::consts::ARCH);
    let name = format!("futc-{version}-{machine}-linux");
    let plain = staged.path().join(&name);
    lay(root, &compiler, &plain)?;
    let tarball = output.join(format!("{name}.tar.gz"));
    succeed(
        Command::new("tar")
            .args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "-czf"])
            .arg(&tarball)
            .arg("-C")
            .arg(staged.path())
            .arg(&name),
    )?;
    let wheel = said(
        Command::new("python3")
            .arg(root.join("tools/python/wheel.py"))
            .arg(plain.join("bin/futc"))
            .arg(&output),
    )?;
    let architecture = said(Command::new("dpkg").arg("--print-architecture"))?;
    let debian = staged.path().join("debian");
    make_folder(&debian.join("DEBIAN"))?;
    rename(&plain, &debian.join("usr"))?;
    let control = control(&debian.join("usr/bin/futc"), version, &architecture)?;
    write(&debian.join("DEBIAN/control"), &control)?;
    let package = output.join(format!("futc_{version}_{architecture}.deb"));
    succeed(
        Command::new("dpkg-deb")
            .args(["--root-owner-group", "-Zxz", "--build"])
            .arg(&debian)
            .arg(&package),
    )?;
    Ok(Made { package, tarball, wheel })
}

fn build(root: &Path) -> Result<PathBuf, String> {
    let commit = crate::figures::commit(root)?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["build", "--quiet", "--release", "-p", "futc"]).current_dir(root);
    succeed(command.env("FUTC_COMMIT", commit))?;
    Ok(root.join("target/release/futc"))
}

/// Everything below a prefix. The compiler loses what only debuggers read.
fn lay(root: &Path, compiler: &Path, prefix: &Path) -> Result<(), String> {
    succeed(Command::new(compiler).args(["install", "--futhark", "--prefix"]).arg(prefix))?;
    succeed(Command::new("strip").arg("--strip-debug").arg(prefix.join("bin/futc")))?;
    let documents = prefix.join("share/doc/futc");
    let examples = documents.join("examples");
    make_folder(&examples)?;
    copy(&root.join("README.md"), &documents.join("README.md"))?;
    copy(&root.join("CHANGELOG.md"), &documents.join("CHANGELOG.md"))?;
    copy(&root.join("LICENSE"), &documents.join("copyright"))?;
    for (from, to, extension) in [("docs", &documents, "md"), ("examples", &examples, "fut")] {
        for file in files(&root.join(from), extension)? {
            copy(&file, &to.join(file.file_name().unwrap_or_default()))?;
        }
    }
    Ok(())
}

/// The file that says what the package is.
fn control(compiler: &Path, version: &str, architecture: &str) -> Result<String, String> {
    let needed = libraries(compiler)?;
    let mut depends: Vec<String> = needed.into_iter().collect();
    depends.push(FOR_LINKING.into());
    Ok(format!(
        "Package: futc\nVersion: {version}\nArchitecture: {architecture}\nSection: devel\nPriority: optional\n\
         Maintainer: The developers of futc <futc@localhost>\nDepends: {}\nRecommends: {RECOMMENDED}\n\
         Suggests: {SUGGESTED}\nConflicts: futhark\nDescription: optimising compiler for Futhark\n \
         Compiles programs in Futhark, a data-parallel functional array language, to\n \
         native code and to CUDA kernels, as programs, servers, libraries for C and\n \
         packages for Python. It is the command futhark, too.\n",
        depends.join(", ")
    ))
}

/// The packages of the libraries that a program is linked with, as relations to those at hand.
fn libraries(program: &Path) -> Result<BTreeSet<String>, String> {
    let direct = said(Command::new("readelf").arg("-d").arg(program))?;
    let found = said(Command::new("ldd").arg(program))?;
    let mut packages = BTreeSet::new();
    for line in direct.lines().filter(|line| line.contains("(NEEDED)")) {
        let name = line.split(['[', ']']).nth(1).unwrap_or_default();
        let path = found.lines().find_map(|line| {
            let (library, place) = line.trim().split_once(" => ")?;
            (library == name).then(|| place.split(" (").next().unwrap_or(place).to_owned())
        });
        // The loader comes with the C library.
        let Some(path) = path else { continue };
        packages.insert(package_of(Path::new(&path))?);
    }
    Ok(packages)
}

/// The package that a file is of, not older than the one at hand.
fn package_of(file: &Path) -> Result<String, String> {
    let file = file.canonicalize().map_err(|e| format!("{}: {e}", file.display()))?;
    // Where /lib is a link, packages call their files by either name.
    let names = [file.clone(), Path::new("/").join(file.strip_prefix("/usr").unwrap_or(&file))];
    let owner = names.iter().find_map(|name| said(Command::new("dpkg").arg("-S").arg(name)).ok());
    let owner = owner.ok_or_else(|| format!("{} is of no package", file.display()))?;
    let package = owner.split(':').next().unwrap_or_default().to_owned();
    let version = said(Command::new("dpkg-query").args(["-W", "-f=${Version}\n"]).arg(&package))?;
    let version = version.lines().next().unwrap_or_default();
    // Without the distribution's own number.
    let upstream = version.rsplit_once('-').map_or(version, |(upstream, _)| upstream);
    Ok(format!("{package} (>= {upstream})"))
}

fn files(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let paths = entries.filter_map(Result::ok).map(|entry| entry.path());
    let mut found: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|e| e == extension)).collect();
    found.sort();
    Ok(found)
}

// ---- Doing, with errors that say what. ----

fn make_folder(path: &Path) -> Result<(), String> {
    std::fs::create_dir_all(path).map_err(|e| format!("{}: {e}", path.display()))
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    std::fs::copy(from, to).map(drop).map_err(|e| format!("{}: {e}", from.display()))
}

fn rename(from: &Path, to: &Path) -> Result<(), String> {
    std::fs::rename(from, to).map_err(|e| format!("{}: {e}", from.display()))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}

fn succeed(command: &mut Command) -> Result<(), String> {
    said(command).map(drop)
}

/// What a command that succeeds says.
pub fn said(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|e| format!("{name}: {e}"))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    if output.status.success() {
        return Ok(text(&output.stdout));
    }
    Err(format!("{name}: {}\n{}\n{}", output.status, text(&output.stdout), text(&output.stderr)))
}
