//! Being told to end from outside: what is temporary goes first.

use futc_testing::ending::clean_up;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

/// From now on, a signal that ends the process leaves no temporary file and no
/// process of ours behind.
pub fn clean_up_on_signals() {
    let ignored = ignored();
    let wanted = [SIGHUP, SIGINT, SIGTERM];
    let wanted = wanted.into_iter().filter(|s| ignored & (1 << (s - 1)) == 0);
    // Where signals cannot be waited for, they do what they always do.
    let Ok(mut signals) = Signals::new(wanted) else { return };
    let waiting = std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for signal in signals.forever() {
            clean_up();
            // Ends the process as the signal would have: callers look at how it ended.
            let _ = emulate_default_handler(signal);
        }
    });
    drop(waiting);
}

/// The signals that whoever started the process wants ignored, as `nohup` does, one bit each.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
