//! One run of a peer.

use super::peers::Peer;
use super::process::succeed;
use std::fs::File;
use std::path::Path;
use std::process::Stdio;

/// Writes a peer's result to `output`.
pub fn result(peer: &Peer, input: &Path, output: &Path) -> Result<(), String> {
    let input = File::open(input).map_err(|e| format!("{}: {e}", input.display()))?;
    succeed(peer.start()?.arg("-b").stdin(input), Some(output))
}

/// One process: the times of its runs in microseconds, and the most memory it held, in bytes.
pub fn measure(
    peer: &Peer,
    input: &Path,
    scratch: &Path,
    runs: u32,
) -> Result<(Vec<f64>, u64), String> {
    let input = File::open(input).map_err(|e| format!("{}: {e}", input.display()))?;
    let (times, peak) = (scratch.join("times"), scratch.join("peak"));
    let ended = peer
        .start()?
        .env("LD_PRELOAD", scratch.join("peak.so"))
        .env("BENCH_PEAK", &peak)
        .arg("-n")
        .args(["-r", &runs.to_string(), "-t"])
        .arg(&times)
        .stdin(input)
        .stdout(Stdio::null())
        .status()
        .map_err(|e| format!("{peer}: {e}"))?;
    if !ended.success() {
        return Err(format!("{peer}: {ended}"));
    }
    let read = |path: &Path| std::fs::read_to_string(path).map_err(|e| format!("{peer}: {e}"));
    let times = read(&times)?.lines().filter_map(|l| l.trim().parse().ok()).collect();
    let peak: u64 = read(&peak)?.trim().parse().map_err(|e| format!("{peer}: peak: {e}"))?;
    Ok((times, peak * 1024))
}
