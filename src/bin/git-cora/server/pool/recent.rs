//! A bounded list of the values that were used last.
//!
//! Looking a value up makes it the most recently used one. When a further value is put in, those
//! used longest ago are dropped.

/// At most `MOST` values, most recently used first.
pub(super) struct Recent<T, const MOST: usize>(Vec<T>);

impl<T, const MOST: usize> Default for Recent<T, MOST> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T, const MOST: usize> Recent<T, MOST> {
    /// Returns the value that fits, which counts as used now.
    pub(super) fn get(&mut self, fits: impl Fn(&T) -> bool) -> Option<&T> {
        let at = self.0.iter().position(fits)?;
        let found = self.0.remove(at);
        self.0.insert(0, found);
        self.0.first()
    }

    /// Puts a value in, in place of those that it replaces.
    pub(super) fn put(&mut self, value: T, replaces: impl Fn(&T) -> bool) {
        self.0.retain(|one| !replaces(one));
        self.0.insert(0, value);
        self.0.truncate(MOST);
    }

    /// Removes the values that fit.
    pub(super) fn remove(&mut self, fits: impl Fn(&T) -> bool) {
        self.0.retain(|one| !fits(one));
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.0.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_value_used_longest_ago_goes() {
        let mut recent = Recent::<u32, 3>::default();
        let put = |recent: &mut Recent<u32, 3>, value: u32| recent.put(value, |one| *one == value);
        let all = |recent: &Recent<u32, 3>| recent.iter().copied().collect::<Vec<_>>();
        for value in 1..=3 {
            put(&mut recent, value);
        }
        assert_eq!(all(&recent), [3, 2, 1]);
        assert_eq!(recent.get(|one| *one == 1), Some(&1));
        assert_eq!(recent.get(|one| *one == 9), None);
        assert_eq!(all(&recent), [1, 3, 2], "a look is a use");
        put(&mut recent, 4);
        assert_eq!(all(&recent), [4, 1, 3]);
        put(&mut recent, 3);
        assert_eq!(all(&recent), [3, 4, 1], "a value is there once");
        recent.remove(|one| *one == 4);
        assert_eq!(all(&recent), [3, 1]);
        recent.clear();
        assert!(all(&recent).is_empty());
    }
}
