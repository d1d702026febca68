//! A cache of lines of 128 bytes in four sectors, which forgets what was used least lately.

/// Ways of a set.
const WAYS: usize = 16;

#[derive(Clone, Copy, Default)]
struct Line {
    /// The line's number, plus one; 0 for none.
    tag: u64,
    /// When it was used last.
    used: u64,
    /// When the latest of its sectors arrives.
    ready: u64,
    /// Sectors that are here, and those of them that were written.
    valid: u8,
    dirty: u8,
}

/// What a lookup found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// Sectors that are here.
    pub hits: u8,
    /// When they are.
    pub ready: u64,
    /// Written sectors that had to go.
    pub evicted: u32,
    /// Where the line is.
    pub place: usize,
}

/// A cache.
pub(super) struct Cache {
    lines: Vec<Line>,
    sets: u64,
    uses: u64,
}

impl Cache {
    /// One of so many bytes.
    pub fn new(bytes: u64) -> Self {
        let sets = (bytes / (128 * WAYS as u64)).max(1);
        Cache { lines: vec![Line::default(); sets as usize * WAYS], sets, uses: 0 }
    }

    /// Looks for sectors of a line and makes room for those that are not there.
    pub fn look(&mut self, line: u64, sectors: u8) -> Found {
        self.uses += 1;
        let first = (hash(line) % self.sets) as usize * WAYS;
        let set = &mut self.lines[first..first + WAYS];
        let known = set.iter().position(|other| other.tag == line + 1);
        let way = known.unwrap_or_else(|| (0..WAYS).min_by_key(|way| set[*way].used).unwrap_or(0));
        let (place, entry) = (first + way, &mut set[way]);
        let mut evicted = 0;
        if known.is_none() {
            evicted = entry.dirty.count_ones();
            *entry = Line { tag: line + 1, ..Line::default() };
        }
        entry.used = self.uses;
        let found = Found { hits: entry.valid & sectors, ready: entry.ready, evicted, place };
        entry.valid |= sectors;
        found
    }

    /// Fills it as so many lines would have left it, of which a part was written.
    pub fn age(&mut self, lines: u64, written: f64) {
        let mut due = 0.0;
        for line in 0..lines.min(self.lines.len() as u64) {
            due += written;
            // Numbers that no address has.
            let found = self.look(1 << 60 | line, 15);
            if due >= 1.0 {
                due -= 1.0;
                self.write(found.place, 15);
            }
        }
    }

    /// Says when what was missing arrives.
    pub fn arrives(&mut self, place: usize, when: u64) {
        let ready = &mut self.lines[place].ready;
        *ready = (*ready).max(when);
    }

    /// Says that sectors were written.
    pub fn write(&mut self, place: usize, sectors: u8) {
        self.lines[place].dirty |= sectors;
    }
}

/// Spreads lines that are a power of two apart.
pub(super) fn hash(line: u64) -> u64 {
    let mixed = (line ^ line >> 7 ^ line >> 15).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed >> 24
}
