//! CPUs as data: vectors, caches, speeds.

use serde::Deserialize;
use std::fmt;

/// Bytes of a cache line.
pub const CACHE_LINE: i64 = 64;

/// A CPU.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cpu {
    /// What it is called.
    pub name: String,
    /// Cores that compute at the same time.
    pub cores: i64,
    /// Bytes of a vector.
    pub vector: i64,
    /// Bytes of the first cache for data, of a core.
    pub l1: i64,
    /// Bytes of the second cache, of a core.
    pub l2: i64,
    /// Bytes of the last cache, of all cores.
    pub l3: i64,
    /// Cycles of a nanosecond.
    pub clock: f64,
    /// Bytes of memory that all cores together move in a nanosecond.
    pub bandwidth: f64,
}

const FILES: [(&str, &str); 2] =
    [("zen5", include_str!("targets/zen5.toml")), ("avx2", include_str!("targets/avx2.toml"))];

/// A CPU that nobody knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownCpu(String);

impl fmt::Display for UnknownCpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = Cpu::names().collect();
        write!(f, "CPU '{}' is not known, expected host, {}", self.0, names.join(" or "))
    }
}

impl std::error::Error for UnknownCpu {}

impl Cpu {
    /// The names of the built-in CPUs; `host` is one more.
    pub fn names() -> impl Iterator<Item = &'static str> {
        FILES.iter().map(|(name, _)| *name)
    }

    /// A built-in CPU, or `host`: this machine.
    ///
    /// # Errors
    ///
    /// A name that is neither.
    pub fn named(name: &str) -> Result<Self, UnknownCpu> {
        if name == "host" {
            return Ok(Self::host());
        }
        let (_, text) = FILES.iter().find(|(own, _)| *own == name).ok_or_else(|| UnknownCpu(name.to_owned()))?;
        Ok(toml::from_str(text).expect("the built-in files are tested"))
    }

    /// This machine, as far as it says what it is; clock and bandwidth it does not say.
    pub fn host() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as i64);
        let other = Self::named("zen5").expect("a built-in name");
        let cache = |level: &str, fallback: i64| {
            let read = |index: usize, what: &str| {
                std::fs::read_to_string(format!("/sys/devices/system/cpu/cpu0/cache/index{index}/{what}")).ok()
            };
            let of_level = |index: &usize| {
                read(*index, "level").is_some_and(|text| text.trim() == level)
                    && read(*index, "type").is_some_and(|text| text.trim() != "Instruction")
            };
            let size = (0..8).find(of_level).and_then(|index| read(index, "size"));
            let bytes = size.and_then(|size| size.trim().strip_suffix('K')?.parse::<i64>().ok());
            bytes.map_or(fallback, |kilobytes| kilobytes * 1024)
        };
        Self {
            name: "host".into(),
            cores,
            vector: vector_bytes(),
            l1: cache("1", other.l1),
            l2: cache("2", other.l2),
            l3: cache("3", other.l3),
            ..other
        }
    }

    /// Bytes that images have at least that are written with non-temporal stores: nothing of them would be left in a cache when they
    /// are read again.
    pub fn non_temporal_bytes(&self) -> i64 {
        self.l3 / 2
    }
}

#[cfg(target_arch = "x86_64")]
fn vector_bytes() -> i64 {
    match () {
        () if std::arch::is_x86_feature_detected!("avx512f") => 64,
        () if std::arch::is_x86_feature_detected!("avx2") => 32,
        () => 16,
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn vector_bytes() -> i64 {
    16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_cpus_are_whole() {
        for name in Cpu::names() {
            let cpu = Cpu::named(name).unwrap();
            assert_eq!(cpu.name, name);
            assert!(cpu.l1 < cpu.l2 && cpu.l2 < cpu.l3 && cpu.cores > 0 && cpu.vector >= 16);
        }
        let host = Cpu::named("host").unwrap();
        assert!(host.cores > 0 && host.l1 > 0 && host.l1 <= host.l2 && host.l2 <= host.l3);
        assert_eq!(Cpu::named("z80").unwrap_err().to_string(), "CPU 'z80' is not known, expected host, zen5 or avx2");
    }
}
