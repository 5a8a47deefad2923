//! Runs the front end over many programs and lives through its panics and endless loops.

use futc_frontend::db::CompilerDb;
use futc_frontend::world::Disk;
use indicatif::{ProgressBar, ProgressStyle};
use std::cell::RefCell;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// What became of one job.
pub enum Outcome<R> {
    /// It was done.
    Done(R),
    /// It panicked, with this message.
    Panicked(String),
    /// It took longer than it may.
    Hung,
}

thread_local! {
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Does the jobs one after the other with one database. After a panic the database is a new one;
/// what hangs is left behind, as a thread cannot be ended.
pub fn guarded<J, R>(
    jobs: Vec<J>,
    limit: Duration,
    work: impl Fn(&mut CompilerDb, &J) -> R + Clone + Send + 'static,
) -> Result<Vec<Outcome<R>>, String>
where
    J: Send + Sync + 'static,
    R: Send + 'static,
{
    let mut out = Vec::new();
    guarded_each(jobs, limit, work, |outcome| {
        out.push(outcome);
        true
    })?;
    Ok(out)
}

/// As [`guarded`], telling what became of each job, in order, as soon as it is known; goes on as
/// long as `each` wants.
pub fn guarded_each<J, R>(
    jobs: Vec<J>,
    limit: Duration,
    work: impl Fn(&mut CompilerDb, &J) -> R + Clone + Send + 'static,
    mut each: impl FnMut(Outcome<R>) -> bool,
) -> Result<(), String>
where
    J: Send + Sync + 'static,
    R: Send + 'static,
{
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(|info| {
        PANIC.with_borrow_mut(|last| *last = info.to_string());
    }));
    let jobs = Arc::new(jobs);
    let mut done = 0;
    let mut receive = start(jobs.clone(), 0, work.clone())?;
    while done < jobs.len() {
        let received = receive.recv_timeout(limit);
        done += 1;
        let go_on = match received {
            Ok(outcome) => each(outcome),
            Err(why) => {
                receive = start(jobs.clone(), done, work.clone())?;
                each(match why {
                    RecvTimeoutError::Timeout => Outcome::Hung,
                    RecvTimeoutError::Disconnected => Outcome::Panicked("the thread ended".into()),
                })
            }
        };
        if !go_on {
            break;
        }
    }
    std::panic::set_hook(before);
    Ok(())
}

/// A thread that does the jobs from `first` on and sends what becomes of them.
fn start<J, R>(
    jobs: Arc<Vec<J>>,
    first: usize,
    work: impl Fn(&mut CompilerDb, &J) -> R + Send + 'static,
) -> Result<Receiver<Outcome<R>>, String>
where
    J: Send + Sync + 'static,
    R: Send + 'static,
{
    let (send, receive) = channel();
    let run = move || {
        let mut db = CompilerDb::new(Arc::new(Disk));
        for job in jobs.iter().skip(first) {
            let done = std::panic::catch_unwind(AssertUnwindSafe(|| work(&mut db, job)));
            let outcome = match done {
                Ok(result) => Outcome::Done(result),
                Err(_) => {
                    db = CompilerDb::new(Arc::new(Disk));
                    Outcome::Panicked(PANIC.with_borrow(Clone::clone))
                }
            };
            if send.send(outcome).is_err() {
                return;
            }
        }
    };
    // As much stack as the driver has.
    let thread = std::thread::Builder::new().stack_size(1 << 30).spawn(run);
    thread.map(|_| receive).map_err(|e| e.to_string())
}

/// A bar for so many programs; none is drawn where there is no terminal.
pub fn progress(n: u64) -> ProgressBar {
    let style = "{bar:40} {pos}/{len} {elapsed} (left: {eta}) {msg}";
    let bar = ProgressBar::new(n);
    match ProgressStyle::with_template(style) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
