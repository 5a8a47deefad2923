//! What must not outlive the process when a signal ends it: temporary files, and processes that it has
//! started.

use rustix::process::{Pid, Signal, kill_process};
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often the removal of a folder that others write to is tried, 5 ms apart.
const ATTEMPTS: usize = 200;

#[derive(Default)]
struct Registered {
    temporary: BTreeSet<PathBuf>,
    running: Vec<Pid>,
}

static KNOWN: Mutex<Registered> =
    Mutex::new(Registered { temporary: BTreeSet::new(), running: Vec::new() });

fn known() -> MutexGuard<'static, Registered> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// As long as it is there, a temporary file or folder is known to [`clean_up`].
#[derive(Debug)]
pub struct Temporary(PathBuf);

/// Makes a temporary file or folder, whose path `path` tells, and makes it known: at no time it is there and not known.
pub fn temporary<T>(
    make: impl FnOnce() -> io::Result<T>,
    path: impl FnOnce(&T) -> &Path,
) -> io::Result<(T, Temporary)> {
    let mut known = known();
    let made = make()?;
    let path = path(&made).to_owned();
    known.temporary.insert(path.clone());
    Ok((made, Temporary(path)))
}

impl Drop for Temporary {
    fn drop(&mut self) {
        known().temporary.remove(&self.0);
    }
}

/// As long as it is there, a process that was started is known to [`clean_up`]. It must not be there
/// any longer than the process is waited for.
#[derive(Debug)]
pub struct Running(Option<Pid>);

/// Starts a process and makes it known.
pub fn start(command: &mut Command) -> io::Result<(Child, Running)> {
    let mut known = known();
    let child = command.spawn()?;
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    known.running.extend(pid);
    Ok((child, Running(pid)))
}

impl Drop for Running {
    fn drop(&mut self) {
        known().running.retain(|pid| Some(*pid) != self.0);
    }
}

/// Ends the processes and removes the files. This process is to end itself: nothing may use them any
/// more, and threads that would make others wait until then.
pub fn clean_up() {
    let mut known = known();
    for pid in std::mem::take(&mut known.running) {
        // One that has ended meanwhile needs no ending. Compilers among them clean up themselves.
        let _ = kill_process(pid, Signal::TERM);
    }
    for path in std::mem::take(&mut known.temporary) {
        remove(&path);
    }
    std::mem::forget(known);
}

/// Removes a file or folder. Processes that were told to end may still write to a folder. What cannot be removed stays; there
/// is nobody left to be told.
fn remove(path: &Path) {
    for _ in 0..ATTEMPTS {
        let removed = match path.is_dir() {
            true => std::fs::remove_dir_all(path),
            false => std::fs::remove_file(path),
        };
        match removed {
            Err(e) if e.kind() == io::ErrorKind::DirectoryNotEmpty => {
                std::thread::sleep(Duration::from_millis(5));
            }
            _ => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_no_more_is_not_known() {
        let path = Path::new("/nonexistent/futc-test");
        let made = temporary(|| Ok(path), |path| path);
        let (_, one) = made.expect("nothing is made");
        assert!(known().temporary.contains(path));
        drop(one);
        assert!(!known().temporary.contains(path));
        let started = start(&mut Command::new("true"));
        let (mut child, running) = started.expect("there is one");
        let pid = Pid::from_child(&child);
        assert!(known().running.contains(&pid));
        child.wait().expect("it ends");
        drop(running);
        assert!(!known().running.contains(&pid));
    }
}
