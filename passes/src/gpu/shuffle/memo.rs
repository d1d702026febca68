//! Values that are made once: a table that makes what it lacks, and that all who build the same code may hold.

use std::{cell::RefCell, collections::HashMap, hash::Hash};

/// What has been made, by what it is.
pub struct Memo<K, V>(RefCell<HashMap<K, V>>);

impl<K, V> Default for Memo<K, V> {
    fn default() -> Self {
        Self(RefCell::new(HashMap::new()))
    }
}

impl<K: Eq + Hash, V: Clone> Memo<K, V> {
    /// What has been made for `key`; `make` may ask this table for others.
    pub fn or_make(&self, key: K, make: impl FnOnce() -> V) -> V {
        let known = self.0.borrow().get(&key).cloned();
        known.unwrap_or_else(|| {
            let made = make();
            self.0.borrow_mut().insert(key, made.clone());
            made
        })
    }

    /// Forgets everything: what was made is not known where code goes now.
    pub fn clear(&self) {
        self.0.borrow_mut().clear();
    }
}
