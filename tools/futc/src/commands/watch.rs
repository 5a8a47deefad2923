//! `futc check --watch`: checks a program whenever one of its files is saved, until the process is
//! ended.
//!
//! The folders of the files are watched, not the files: editors that save by putting a new file
//! in the place of the old one, files that are removed and come back, and imports of files that
//! do not exist yet are all changes of a folder. Events only say that it is time to look; what has
//! changed is what reads differently. One save is often several events, so we wait until there
//! has been none for [`QUIET`], but not for ever: something else may be writing all the time.

use crate::args::CheckArgs;
use crate::exit::{Exit, Failure};
use crate::json;
use crate::output::{exit_of, report};
use crate::session::Session;
use crate::warnings::Warnings;
use futc_frontend::db::{self, Db as _};
use futc_frontend::world::is_prelude;
use notify::event::{AccessKind, AccessMode, ModifyKind};
use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use std::collections::BTreeSet;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// So long nothing must happen before a change counts as complete.
const QUIET: Duration = Duration::from_millis(20);
/// So long a change may take to be complete.
const PATIENCE: Duration = Duration::from_millis(500);
/// So long a file may be missing or empty while it is replaced.
const REPLACED: Duration = Duration::from_millis(100);

/// Checks the program, and again after each change, until nobody reads what is said.
pub fn watch(args: &CheckArgs) -> Result<Exit, Failure> {
    let warnings = Warnings::new(&args.warnings)?;
    let mut session = Session::open(&args.program);
    let (sender, events) = channel();
    let mut folders = Folders::new(sender)?;
    loop {
        if !check(&session, &warnings, args.json)? {
            return Ok(Exit::Success);
        }
        loop {
            // Before the files are looked at again, so that no change falls in between; and each
            // time, because a folder may have come or gone.
            folders.follow(&files(&session))?;
            if refresh(&mut session) {
                break;
            }
            match wait(&events) {
                Some(gone) => folders.forget(&gone),
                None => return Ok(Exit::Success),
            }
        }
    }
}

/// Checks the program and says what there is to say; false if that is not read any more.
fn check(session: &Session, warnings: &Warnings, json: bool) -> Result<bool, Failure> {
    let start = Instant::now();
    let said = session.diagnostics(warnings);
    let sources = session.db.sources();
    let exit = if json {
        let mut out = std::io::stdout().lock();
        let text = json::line(&said, &sources);
        match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            Ok(()) => exit_of(&said),
            Err(e) if e.kind() == ErrorKind::BrokenPipe => return Ok(false),
            Err(e) => return Err(Failure::new(format!("standard output: {e}"))),
        }
    } else {
        report(&said, &sources)?
    };
    let verdict = if exit == Exit::Success { "accepted" } else { "rejected" };
    let took = start.elapsed().as_secs_f64() * 1e3;
    eprintln!("{verdict} in {took:.1} ms; watching for changes, Ctrl-C to stop");
    Ok(true)
}

/// The program's files but the prelude's; also those that it imports and that are not there.
fn files(session: &Session) -> Vec<String> {
    let files = db::files_in_order(&session.db, session.root);
    let paths = files.iter().map(|file| file.path(&session.db).to_string());
    paths.filter(|path| !is_prelude(path)).collect()
}

/// The folders that are watched.
struct Folders {
    watcher: RecommendedWatcher,
    watched: BTreeSet<PathBuf>,
}

impl Folders {
    /// None yet. Of each event that matters `sender` is told, with the paths that went with it.
    fn new(sender: Sender<Vec<PathBuf>>) -> Result<Folders, Failure> {
        let on_event = move |event: notify::Result<notify::Event>| {
            let gone = match event {
                Ok(event) => match event.kind {
                    // Reading a file is an event too, and we read them.
                    EventKind::Access(AccessKind::Close(AccessMode::Write)) => Vec::new(),
                    EventKind::Access(_) => return,
                    EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_)) => event.paths,
                    _ => Vec::new(),
                },
                // Events may have been lost.
                Err(e) => e.paths,
            };
            // Without a receiver we are about to end.
            let _ = sender.send(gone);
        };
        let watcher = notify::recommended_watcher(on_event).map_err(refused)?;
        Ok(Folders { watcher, watched: BTreeSet::new() })
    }

    /// Watches the folders of `files`, and of those that are not there the nearest above.
    fn follow(&mut self, files: &[String]) -> Result<(), Failure> {
        // A folder may come before the one above it is watched, and then no event tells of it: so
        // they are looked at again until all that are there are watched.
        loop {
            let wanted: BTreeSet<PathBuf> =
                files.iter().flat_map(|file| folders_of(file)).collect();
            if wanted == self.watched {
                return Ok(());
            }
            let old: Vec<PathBuf> = self.watched.difference(&wanted).cloned().collect();
            self.forget(&old);
            for new in wanted.difference(&self.watched.clone()) {
                match self.watcher.watch(new, RecursiveMode::NonRecursive) {
                    Ok(()) => {
                        self.watched.insert(new.clone());
                    }
                    // It went meanwhile, and may be there again by now: it is looked at again.
                    Err(e) if is_missing(&e) || !new.is_dir() => {}
                    Err(e) => return Err(refused(e)),
                }
            }
        }
    }

    /// Watches these no more, if they were watched: what is now in their places is not they.
    fn forget(&mut self, gone: &[PathBuf]) {
        for path in gone {
            if self.watched.remove(path) {
                // It may have been removed.
                let _ = self.watcher.unwatch(path);
            }
        }
    }
}

/// Whether a folder could not be watched because it was not there.
fn is_missing(e: &notify::Error) -> bool {
    match &e.kind {
        notify::ErrorKind::PathNotFound => true,
        notify::ErrorKind::Io(e) => e.kind() == ErrorKind::NotFound,
        _ => false,
    }
}

fn refused(e: notify::Error) -> Failure {
    Failure::new(format!("cannot watch files: {e}"))
}

/// The folder in which a file is or would be, and if it is a link, that of what it leads to.
fn folders_of(file: &str) -> impl Iterator<Item = PathBuf> {
    let nearest =
        |path: PathBuf| path.ancestors().skip(1).find(|folder| folder.is_dir()).map(Path::to_owned);
    let here = std::path::absolute(file).ok().and_then(nearest);
    let there = std::fs::canonicalize(file).ok().and_then(nearest);
    here.into_iter().chain(there)
}

/// Waits for an event and the end of what happens with it: the paths that are gone; `None` if
/// nothing can happen any more.
fn wait(events: &Receiver<Vec<PathBuf>>) -> Option<Vec<PathBuf>> {
    let mut gone = events.recv().ok()?;
    let begin = Instant::now();
    while begin.elapsed() < PATIENCE {
        match events.recv_timeout(QUIET) {
            Ok(more) => gone.extend(more),
            Err(RecvTimeoutError::Timeout) => break,
            Err(RecvTimeoutError::Disconnected) => return None,
        }
    }
    Some(gone)
}

/// Reads the program's files again; whether one has changed.
fn refresh(session: &mut Session) -> bool {
    let mut changed = false;
    for path in files(session) {
        let file = session.db.source(&path);
        let was = file.text(&session.db).clone();
        session.db.refresh(&path);
        // It may be about to be written or replaced.
        let gone = |text: &Result<Arc<str>, String>| !text.as_ref().is_ok_and(|t| !t.is_empty());
        if gone(file.text(&session.db)) && !gone(&was) {
            std::thread::sleep(REPLACED);
            session.db.refresh(&path);
        }
        changed |= *file.text(&session.db) != was;
    }
    changed
}
