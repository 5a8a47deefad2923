//! Ranks as linear expressions over rank variables, and the equations between them.
//!
//! All variables stand for natural numbers. An equation is used at once to eliminate a variable
//! where what that variable is equal to cannot be negative, `a = b + 2`; one that allows no such
//! step, `a + b = c + 1`, waits in [`Ranks::pending`] until more is known.

/// A rank not yet known: of a type, or a number of maps or reps.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct RankVar(pub(super) u32);

/// A constant plus multiples of variables, which are sorted and each there once.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Rank {
    pub(super) constant: i64,
    pub(super) terms: Vec<(RankVar, i64)>,
}

impl Rank {
    pub(super) fn constant(constant: i64) -> Rank {
        Rank { constant, terms: Vec::new() }
    }

    pub(super) fn var(v: RankVar) -> Rank {
        Rank { constant: 0, terms: vec![(v, 1)] }
    }

    /// The value, if no variable is left.
    pub(super) fn value(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    pub(super) fn is_zero(&self) -> bool {
        self.value() == Some(0)
    }

    /// `self + factor * other`
    pub(super) fn plus(&self, factor: i64, other: &Rank) -> Rank {
        let mut sum = self.clone();
        sum.add(factor, other);
        sum
    }

    fn add(&mut self, factor: i64, other: &Rank) {
        self.constant += factor * other.constant;
        for (v, c) in &other.terms {
            match self.terms.binary_search_by_key(v, |(w, _)| *w) {
                Ok(i) => {
                    if let Some((_, old)) = self.terms.get_mut(i) {
                        *old += factor * c;
                    }
                }
                Err(i) => self.terms.insert(i, (*v, factor * c)),
            }
        }
        self.terms.retain(|(_, c)| *c != 0);
    }
}

/// What is known of rank variables.
#[derive(Clone, Debug, Default)]
pub(super) struct Ranks {
    known: Vec<Option<Rank>>,
    /// The variables that are known, in the order in which they came to be.
    trail: Vec<RankVar>,
    /// Expressions that must be zero, of which nothing could be made yet.
    pub(super) pending: Vec<Rank>,
    /// Some equation has no solution.
    pub(super) contradiction: bool,
}

impl Ranks {
    pub(super) fn fresh(&mut self) -> RankVar {
        self.known.push(None);
        RankVar(self.known.len() as u32 - 1)
    }

    /// How many variables there are.
    pub(super) fn len(&self) -> usize {
        self.known.len()
    }

    /// The expression over variables of which nothing is known.
    pub(super) fn resolve(&self, rank: &Rank) -> Rank {
        let open = |v: &RankVar| self.known.get(v.0 as usize).is_some_and(Option::is_some);
        if !rank.terms.iter().any(|(v, _)| open(v)) {
            return rank.clone();
        }
        let mut out = Rank::constant(rank.constant);
        for (v, c) in &rank.terms {
            match self.known.get(v.0 as usize).and_then(Option::as_ref) {
                Some(known) => out.add(*c, &self.resolve(known)),
                None => out.add(*c, &Rank::var(*v)),
            }
        }
        out
    }

    /// Says that two ranks are equal.
    pub(super) fn equal(&mut self, a: &Rank, b: &Rank) {
        if a == b {
            return;
        }
        let difference = self.resolve(&a.plus(-1, b));
        self.zero(difference);
    }

    /// Says that `d`, which is resolved, is zero.
    fn zero(&mut self, d: Rank) {
        let Some((first, _)) = d.terms.first().copied() else {
            self.contradiction |= d.constant != 0;
            return;
        };
        let positive = d.terms.iter().filter(|(_, c)| *c > 0).count();
        let negative = d.terms.len() - positive;
        if positive == 0 || negative == 0 {
            // All of one sign: the constant must be of the other.
            let sign = if positive == 0 { -1 } else { 1 };
            let constant = d.constant * sign;
            if constant > 0 {
                self.contradiction = true;
            } else if constant == 0 {
                for (v, _) in &d.terms {
                    self.set(*v, Rank::constant(0));
                }
            } else if let [(_, c)] = d.terms[..] {
                if constant % c == 0 {
                    self.set(first, Rank::constant((constant / c).abs()));
                } else {
                    self.contradiction = true;
                }
            } else {
                self.pending.push(d);
            }
            return;
        }
        // `v = rest` where the rest cannot be negative.
        for sign in [1, -1] {
            let lone = d.terms.iter().filter(|(_, c)| c * sign > 0).count() == 1;
            let own = d.terms.iter().find(|(_, c)| c * sign > 0);
            if let Some((v, c)) = own
                && lone
                && c * sign == 1
                && d.constant * sign <= 0
            {
                let v = *v;
                let mut rest = Rank::default();
                rest.add(-sign, &d);
                rest.add(1, &Rank::var(v));
                self.set(v, rest);
                return;
            }
        }
        self.pending.push(d);
    }

    fn set(&mut self, v: RankVar, to: Rank) {
        if let Some(slot) = self.known.get_mut(v.0 as usize) {
            *slot = Some(to);
            self.trail.push(v);
        }
    }

    /// Looks at `equations` alone, of which some are pending, after `say` has said more. If that is
    /// contradictory or undecided, all is as it was before.
    pub(super) fn attempt(&mut self, equations: &[Rank], say: impl FnOnce(&mut Ranks)) -> bool {
        let others = std::mem::replace(&mut self.pending, equations.to_vec());
        let mark = self.trail.len();
        say(self);
        self.settle();
        let decided = !self.contradiction && self.pending.is_empty();
        if !decided {
            for v in self.trail.drain(mark..) {
                if let Some(slot) = self.known.get_mut(v.0 as usize) {
                    *slot = None;
                }
            }
            self.contradiction = false;
        }
        self.pending = others;
        decided
    }

    /// Looks at the pending equations again, until nothing more comes of them.
    pub(super) fn settle(&mut self) {
        loop {
            let before = self.pending.len();
            for d in std::mem::take(&mut self.pending) {
                let d = self.resolve(&d);
                if !self.pending.contains(&d) {
                    self.zero(d);
                }
            }
            if self.contradiction || self.pending.len() == before {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranks<const N: usize>() -> (Ranks, [Rank; N]) {
        let mut ranks = Ranks::default();
        let vars = std::array::from_fn(|_| Rank::var(ranks.fresh()));
        (ranks, vars)
    }

    #[test]
    fn equations_eliminate_variables() {
        let (mut r, [a, b]) = ranks();
        r.equal(&a, &b.plus(1, &Rank::constant(2)));
        r.equal(&a, &Rank::constant(3));
        assert_eq!(r.resolve(&b), Rank::constant(1));
        assert!(!r.contradiction);
    }

    #[test]
    fn a_rank_is_not_negative() {
        let (mut r, [a, b]) = ranks();
        r.equal(&a.plus(1, &b).plus(1, &Rank::constant(1)), &Rank::default());
        assert!(r.contradiction);
    }

    #[test]
    fn what_cannot_be_eliminated_waits() {
        let (mut r, [a, b, c]) = ranks();
        // a + b = c + 1: no side is a lone variable that cannot be negative.
        r.equal(&a.plus(1, &b), &c.plus(1, &Rank::constant(1)));
        assert_eq!(r.pending.len(), 1);
        r.equal(&a, &Rank::constant(1));
        r.settle();
        assert!(r.pending.is_empty());
        assert_eq!(r.resolve(&b), r.resolve(&c));
    }

    #[test]
    fn a_sum_of_nothing_is_nothing() {
        let (mut r, [a, b]) = ranks();
        r.equal(&a.plus(1, &b), &Rank::default());
        assert_eq!((r.resolve(&a), r.resolve(&b)), (Rank::default(), Rank::default()));
    }
}
