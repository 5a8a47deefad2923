//! What must not outlive the process when a signal ends it: temporary files, and processes that it has
//! started.

use rustix::process::{Pid, Signal, kill_process};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::{Mutex, MutexGuard, PoisonError};

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

/// Makes a temporary file or folder known.
pub fn temporary(path: &Path) -> Temporary {
    known().temporary.insert(path.to_owned());
    Temporary(path.to_owned())
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

/// Makes a process known.
pub fn running(child: &Child) -> Running {
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    known().running.extend(pid);
    Running(pid)
}

impl Drop for Running {
    fn drop(&mut self) {
        known().running.retain(|pid| Some(*pid) != self.0);
    }
}

/// Ends the processes and removes the files. This process is to end itself: nothing may use them any
/// more.
pub fn clean_up() {
    let mut known = known();
    for pid in std::mem::take(&mut known.running) {
        // One that has ended meanwhile needs no ending. Compilers among them clean up themselves.
        let _ = kill_process(pid, Signal::TERM);
    }
    for path in std::mem::take(&mut known.temporary) {
        // What cannot be removed stays; there is nobody left to be told.
        let _ = match path.is_dir() {
            true => std::fs::remove_dir_all(&path),
            false => std::fs::remove_file(&path),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_no_more_is_not_known() {
        let path = Path::new("/nonexistent/futc-test");
        let one = temporary(path);
        assert!(known().temporary.contains(path));
        drop(one);
        assert!(!known().temporary.contains(path));
        let mut child = std::process::Command::new("true").spawn().expect("there is one");
        let pid = Pid::from_child(&child);
        let running = running(&child);
        assert!(known().running.contains(&pid));
        child.wait().expect("it ends");
        drop(running);
        assert!(!known().running.contains(&pid));
    }
}
