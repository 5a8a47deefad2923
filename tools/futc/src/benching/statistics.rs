//! What a series of run times says.

/// The two-sided 95 % quantile of the normal distribution.
const NORMAL_95: f64 = 1.96;

/// Half-width of the confidence interval, relative to the mean, at which a series is good enough.
const GOOD_ENOUGH: f64 = 0.01;

/// The same in microseconds. A server tells whole ones, so that for runs as short as that the other
/// would be as good as never reached.
const FINE_ENOUGH: f64 = 0.1;

/// A mean with its 95 % confidence interval, and the median; in microseconds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Summary {
    /// The arithmetic mean.
    pub mean: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// The median, which a few slow runs do not move.
    pub median: f64,
    /// The mean is known well enough.
    pub robust: bool,
}

/// Summarises a series; `None` if it is empty.
///
/// Run times that follow each other are alike (clock rates, caches, neighbours), so the standard
/// error is that of a first-order autoregressive series: `n` runs count as
/// `n (1 - r) / (1 + r)`, where `r` is the autocorrelation of neighbours.
pub fn summarise(times: &[f64]) -> Option<Summary> {
    let n = times.len() as f64;
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (low_mid, high_mid) =
        (sorted.get(times.len().saturating_sub(1) / 2)?, sorted.get(times.len() / 2)?);
    let mean = times.iter().sum::<f64>() / n;
    let squares: f64 = times.iter().map(|t| (t - mean) * (t - mean)).sum();
    let products: f64 = times.windows(2).map(|w| w.iter().map(|t| t - mean).product::<f64>()).sum();
    let correlation = if squares > 0.0 { (products / squares).clamp(0.0, 0.95) } else { 0.0 };
    let counted = n * (1.0 - correlation) / (1.0 + correlation);
    let variance = if n > 1.0 { squares / (n - 1.0) } else { 0.0 };
    let half = NORMAL_95 * (variance / counted).sqrt();
    Some(Summary {
        mean,
        low: mean - half,
        high: mean + half,
        median: (low_mid + high_mid) / 2.0,
        robust: n > 1.0 && half <= (GOOD_ENOUGH * mean).max(FINE_ENOUGH),
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test")]
mod tests {
    use super::*;

    #[test]
    fn a_steady_series_is_robust() {
        let s = summarise(&[100.0, 101.0, 99.0, 100.0, 101.0, 99.0, 100.0, 100.0]).unwrap();
        assert_eq!(s.mean, 100.0);
        assert_eq!(s.median, 100.0);
        assert!(s.robust && s.low < 100.0 && s.high > 100.0);
    }

    #[test]
    fn a_drifting_series_is_not() {
        let drifting: Vec<f64> = (0..50).map(|i| 100.0 + f64::from(i)).collect();
        assert!(!summarise(&drifting).unwrap().robust);
        // The same values without order are known better.
        let mixed: Vec<f64> = (0..50).map(|i| 100.0 + f64::from(i * 7 % 50)).collect();
        let width = |t: &[f64]| summarise(t).map(|s| s.high - s.low).unwrap();
        assert!(width(&mixed) < width(&drifting));
    }

    #[test]
    fn runs_shorter_than_the_clock_tells_end_some_time() {
        let times: Vec<f64> = (0..500).map(|i| f64::from(u8::from(i * 7 % 5 == 0))).collect();
        assert!(!summarise(times.get(..50).unwrap()).unwrap().robust);
        assert!(summarise(&times).unwrap().robust);
    }

    #[test]
    fn one_run_says_nothing_of_the_spread() {
        assert!(summarise(&[]).is_none());
        assert!(!summarise(&[5.0]).unwrap().robust);
    }
}
