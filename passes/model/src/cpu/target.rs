//! CPUs as data: vectors, caches, speeds.
//!
//! ```text
//! zen4, zen5, emerald_rapids, ...   a file here
//! FILE.toml                   one of the user's; `pipeline-run --measure-cpu` writes such files
//! host                        what was measured here  ──▶  else the file of this kind of CPU  ──▶  else zen5's speeds
//!                             (~/.cache/weft/cpu.toml)     (family and model)                      and this machine's caches
//! ```

use serde::{Deserialize, Serialize};
use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};
use thiserror::Error;

/// Bytes of a cache line.
pub const CACHE_LINE: i64 = 64;

/// A CPU.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Cpu {
    /// What it is called.
    pub name: String,
    /// The machines that it describes, as [`Cpu::kind_of_host`] has it. Nothing where it is of no kind that a machine could say it is.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub kind: String,
    /// Cores that compute at the same time.
    pub cores: i64,
    /// Bytes of a vector.
    pub vector: i64,
    /// Whether bytes of registers are permuted by other bytes, as AVX-512 does with VBMI.
    #[serde(default)]
    pub permutes_bytes: bool,
    /// Bytes of the first cache for data, of a core.
    pub l1: i64,
    /// Bytes of the second cache, of a core.
    pub l2: i64,
    /// Bytes of the last cache, of all cores.
    pub l3: i64,
    /// Cycles of a nanosecond.
    pub clock: f64,
    /// Operations of vectors that a core does in the time of a division of one of floats.
    #[serde(default = "usual_division")]
    pub division: f64,
    /// Bytes of memory that all cores together move in a nanosecond.
    pub bandwidth: f64,
    /// Bytes of the last cache that all cores together move in a nanosecond.
    pub cache_bandwidth: f64,
    /// Bytes that an image has at least that is written with non-temporal stores: of smaller ones enough is left in the last cache when
    /// they are read again. The greatest number there is means never.
    pub non_temporal: i64,
    /// The same of images that are computed pointwise, where it differs: a load that itself waits for memory also waits for earlier stores whose addresses
    /// have the same last twelve bits, and non-temporal ones stay longest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub non_temporal_pointwise: Option<i64>,
}

/// What a file that is older than the question would say.
fn usual_division() -> f64 {
    16.0
}

const FILES: [(&str, &str); 8] = [
    ("zen3", include_str!("targets/zen3.toml")),
    ("zen4", include_str!("targets/zen4.toml")),
    ("zen5", include_str!("targets/zen5.toml")),
    ("emerald_rapids", include_str!("targets/emerald_rapids.toml")),
    ("cascade_lake", include_str!("targets/cascade_lake.toml")),
    ("avx2", include_str!("targets/avx2.toml")),
    ("sse", include_str!("targets/sse.toml")),
    ("cortex_a15", include_str!("targets/cortex_a15.toml")),
];

/// LLVM's names of CPUs, behind that of the file that is nearest to them.
const OF_LLVM: [(&str, &[&str]); 8] = [
    ("zen3", &["znver3"]),
    ("zen4", &["znver4"]),
    ("zen5", &["znver5"]),
    ("emerald_rapids", &["icelake-server", "sapphirerapids"]),
    ("cascade_lake", &["x86-64-v4", "skylake-avx512"]),
    ("avx2", &["x86-64-v3", "haswell", "skylake", "znver2"]),
    ("sse", &["x86-64", "x86-64-v2"]),
    ("cortex_a15", &["cortex-a53", "cortex-a72", "neoverse-n1", "neoverse-n2", "neoverse-v1", "neoverse-v2"]),
];

/// Bytes of the last cache that one core is taken to keep for itself. A virtual machine of a few cores is told of the whole cache, which it
/// shares with strangers.
const OF_ONE_CORE: i64 = 16 << 20;

/// Bytes of the longest file of a CPU that is read.
const LONGEST_FILE: u64 = 1 << 16;

/// Why there is no such CPU.
#[derive(Debug, Error)]
pub enum CpuError {
    /// A name that nobody knows.
    #[error("CPU '{0}' is not known, expected {names} or FILE.toml", names = Cpu::names().collect::<Vec<_>>().join(", "))]
    Unknown(String),
    /// A file that cannot be read.
    #[error("{}: cannot be read: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        #[source]
        error: io::Error,
    },
    /// A file that says something else.
    #[error("{}: {message}", path.display())]
    Wrong {
        /// The file.
        path: PathBuf,
        /// What was found, and what is expected.
        message: String,
    },
}

impl Cpu {
    /// Bytes of the smallest image that is written with non-temporal stores, pointwise from images or not.
    pub fn past_caches(&self, is_pointwise: bool) -> i64 {
        self.non_temporal_pointwise.filter(|_| is_pointwise).unwrap_or(self.non_temporal)
    }

    /// Bits of the shortest elements of registers that the CPU permutes by others: any AVX-512 those of 16 bits.
    pub fn permuted(&self) -> Option<i64> {
        match self.vector {
            _ if self.permutes_bytes => Some(8),
            64 => Some(16),
            _ => None,
        }
    }

    /// Whether vectors are shorter than those of AVX-512, which has 32 registers of them: x86 without it has 16.
    pub fn has_few_registers(&self) -> bool {
        self.vector <= 32
    }

    /// Whether lanes of vectors of elements of less than 32 bits are loaded and stored by masks, as AVX-512 does.
    pub fn masks_short_elements(&self) -> bool {
        self.vector == 64
    }

    /// The names of CPUs that are known.
    pub fn names() -> impl Iterator<Item = &'static str> {
        std::iter::once("host").chain(FILES.iter().map(|(name, _)| *name))
    }

    /// A built-in CPU, that of a file (`.toml`), or `host`: this machine.
    ///
    /// # Errors
    ///
    /// A name that is none of these; a file that cannot be read, or is of no CPU.
    pub fn named(name: &str) -> Result<Self, CpuError> {
        let path = Path::new(name);
        match FILES.iter().find(|(own, _)| *own == name) {
            Some((_, text)) => Ok(toml::from_str(text).expect("the built-in files are tested")),
            None if name == "host" => Ok(Self::host()),
            None if path.extension().is_some_and(|extension| extension == "toml") => Self::read(path),
            None => Err(CpuError::Unknown(name.to_owned())),
        }
    }

    /// The name of the built-in CPU that is nearest to what LLVM calls so: groups, tiles and vectors for it are those for the other. Nothing where
    /// none is near.
    pub fn near_llvm(name: &str) -> Option<&'static str> {
        OF_LLVM.iter().find(|(_, names)| names.contains(&name)).map(|(own, _)| *own)
    }

    /// The CPU of a file.
    fn read(path: &Path) -> Result<Self, CpuError> {
        let mut text = String::new();
        File::open(path)
            .and_then(|file| file.take(LONGEST_FILE).read_to_string(&mut text))
            .map_err(|error| CpuError::Unreadable { path: path.into(), error })?;
        let wrong = |message: &str| CpuError::Wrong {
            path: path.into(),
            message: message.lines().collect::<Vec<_>>().join(" "),
        };
        let cpu: Self = toml::from_str(&text).map_err(|error| wrong(error.message()))?;
        cpu.check().map_err(|message| wrong(&message))?;
        Ok(cpu)
    }

    /// Whether all numbers can be of a CPU.
    fn check(&self) -> Result<(), String> {
        // Sizes of tiles and images are products of these, which shall be no concern of those who multiply.
        const LARGEST: i64 = 1 << 40;
        let whole = [("cores", self.cores), ("vector", self.vector), ("l1", self.l1), ("l2", self.l2), ("l3", self.l3)];
        for (key, value) in whole {
            if !(1..=LARGEST).contains(&value) {
                return Err(format!("{key} is {value}, expected 1 to {LARGEST}"));
            }
        }
        if ![16, 32, 64].contains(&self.vector) {
            return Err(format!("vector is {}, expected 16, 32 or 64 bytes", self.vector));
        }
        let speeds = [
            ("clock", self.clock),
            ("division", self.division),
            ("bandwidth", self.bandwidth),
            ("cache_bandwidth", self.cache_bandwidth),
        ];
        match speeds.iter().find(|(_, value)| !(1e-3..=1e6).contains(value)) {
            Some((key, value)) => Err(format!("{key} is {value}, expected 0.001 to 1000000")),
            None => Ok(()),
        }?;
        let thresholds =
            [("non_temporal", Some(self.non_temporal)), ("non_temporal_pointwise", self.non_temporal_pointwise)];
        for (key, value) in thresholds.into_iter().filter_map(|(key, value)| Some((key, value?))) {
            if value < 0 {
                return Err(format!("{key} is {value}, expected 0 or more"));
            }
        }
        Ok(())
    }

    /// This machine: as it was measured, if it was; else as the CPU of its kind that is known, or one that is not far from most.
    pub fn host() -> Self {
        let kind = Self::kind_of_host();
        let is_this_one = |cpu: &Self| cpu.kind == kind && !kind.is_empty();
        Self::profile()
            .and_then(|path| Self::read(&path).ok())
            .filter(is_this_one)
            // A file can be older than the question.
            .map(|cpu| Self { permutes_bytes: permutes_bytes(), ..cpu })
            .unwrap_or_else(|| Self::unmeasured(kind))
    }

    /// Bytes of the last cache that a machine of so many cores is taken to keep for itself.
    pub fn kept_of_last_cache(cores: i64) -> i64 {
        cores.saturating_mul(OF_ONE_CORE)
    }

    /// This machine, as far as it says what it is: speeds it does not say.
    pub fn unmeasured(kind: String) -> Self {
        let built_in = |name: &str| Self::named(name).expect("a built-in name");
        let known = FILES.iter().map(|(name, _)| built_in(name)).find(|cpu| cpu.kind == kind && !kind.is_empty());
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as i64);
        let other = known.clone().unwrap_or_else(|| built_in("zen5"));
        // A virtual machine is told that it has all of a cache that many others share.
        let l3 = cache("3").unwrap_or(other.l3).min(Self::kept_of_last_cache(cores));
        let non_temporal = known.map_or(l3 / 2, |cpu| cpu.non_temporal);
        Self {
            name: "host".into(),
            kind,
            cores,
            vector: vector_bytes(),
            permutes_bytes: permutes_bytes(),
            l1: cache("1").unwrap_or(other.l1),
            l2: cache("2").unwrap_or(other.l2),
            l3,
            non_temporal,
            ..other
        }
    }

    /// What kind of CPU this machine has, by vendor, family and model, as `GenuineIntel 6 207`: names say less, and virtual machines
    /// hide them. Nothing where nobody says.
    pub fn kind_of_host() -> String {
        let mut first = [0; 4096];
        let read = File::open("/proc/cpuinfo").and_then(|mut file| file.read(&mut first)).unwrap_or(0);
        let info = String::from_utf8_lossy(&first[..read]);
        let of = |key: &str| {
            info.lines()
                .find_map(|line| line.split_once(':').filter(|(name, _)| name.trim() == key))
                .map(|(_, value)| value.trim())
        };
        match (of("vendor_id"), of("cpu family"), of("model")) {
            (Some(vendor), Some(family), Some(model)) => format!("{vendor} {family} {model}"),
            _ => String::new(),
        }
    }

    /// The file that keeps what was measured of this machine, in the user's cache, where there is one.
    pub fn profile() -> Option<PathBuf> {
        Some(user_cache()?.join("cpu.toml"))
    }

    /// The text of a file that has this CPU.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("names and numbers")
    }
}

/// The folder for what the user need not keep, where there is one.
pub fn user_cache() -> Option<PathBuf> {
    let of = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    Some(of("XDG_CACHE_HOME").or_else(|| Some(of("HOME")?.join(".cache")))?.join("weft"))
}

/// Bytes of a cache of this machine's first core, but for those of instructions.
fn cache(level: &str) -> Option<i64> {
    let read = |index: usize, what: &str| {
        std::fs::read_to_string(format!("/sys/devices/system/cpu/cpu0/cache/index{index}/{what}")).ok()
    };
    let of_level = |index: &usize| {
        read(*index, "level").is_some_and(|text| text.trim() == level)
            && read(*index, "type").is_some_and(|text| text.trim() != "Instruction")
    };
    let size = (0..8).find(of_level).and_then(|index| read(index, "size"))?;
    Some(size.trim().strip_suffix('K')?.parse::<i64>().ok()? * 1024)
}

#[cfg(target_arch = "x86_64")]
fn vector_bytes() -> i64 {
    match () {
        () if std::arch::is_x86_feature_detected!("avx512f") => 64,
        () if std::arch::is_x86_feature_detected!("avx2") => 32,
        () => 16,
    }
}

#[cfg(target_arch = "x86_64")]
fn permutes_bytes() -> bool {
    std::arch::is_x86_feature_detected!("avx512vbmi")
}

#[cfg(not(target_arch = "x86_64"))]
fn vector_bytes() -> i64 {
    16
}

#[cfg(not(target_arch = "x86_64"))]
fn permutes_bytes() -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_cpus_are_whole() {
        for (name, _) in FILES {
            let cpu = Cpu::named(name).unwrap();
            assert_eq!(cpu.name, name);
            assert_eq!(cpu.check(), Ok(()));
            assert!(cpu.l1 < cpu.l2 && cpu.l2 < cpu.l3 && cpu.cores > 0 && cpu.vector >= 16);
        }
        assert!(OF_LLVM.iter().all(|(name, _)| FILES.iter().any(|(own, _)| own == name)));
        let host = Cpu::unmeasured(Cpu::kind_of_host());
        assert!(host.cores > 0 && host.l1 > 0 && host.l1 <= host.l2 && host.l2 <= host.l3);
        assert_eq!(
            Cpu::named("z80").unwrap_err().to_string(),
            "CPU 'z80' is not known, expected host, zen3, zen4, zen5, emerald_rapids, cascade_lake, avx2, sse, cortex_a15 or FILE.toml"
        );
    }

    #[test]
    fn machines_of_a_known_kind_have_its_speeds() {
        let known = Cpu::named("emerald_rapids").unwrap();
        let host = Cpu::unmeasured(known.kind.clone());
        assert_eq!((host.bandwidth, host.non_temporal), (known.bandwidth, known.non_temporal));
        // Of a kind that nobody knows, images stay in the cache that the machine can have for itself.
        let host = Cpu::unmeasured("Nobody 1 1".into());
        assert!(host.non_temporal <= host.l3 / 2 && host.l3 <= Cpu::kept_of_last_cache(host.cores));
    }

    #[test]
    fn files_say_all_and_nothing_else() {
        let folder = std::env::temp_dir().join(format!("weft-cpu-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("own.toml");
        let named = |text: &str| {
            std::fs::write(&path, text).unwrap();
            Cpu::named(path.to_str().unwrap())
                .map_err(|error| error.to_string().split_once(".toml: ").unwrap().1.to_owned())
        };
        let own = Cpu { name: "own".into(), ..Cpu::named("avx2").unwrap() };
        assert_eq!(named(&own.to_toml()), Ok(own.clone()));
        let other = |from: &str, to: &str| named(&own.to_toml().replace(from, to)).unwrap_err();
        assert_eq!(other("cores = 8", "cores = 0"), "cores is 0, expected 1 to 1099511627776");
        assert_eq!(other("vector = 32", "vector = 24"), "vector is 24, expected 16, 32 or 64 bytes");
        assert_eq!(other("clock = 4.0", "clock = nan"), "clock is NaN, expected 0.001 to 1000000");
        assert_eq!(other("l3 = 16777216\n", ""), "missing field `l3`");
        assert!(other("l3", "l4").contains("l4"));
        std::fs::remove_dir_all(&folder).unwrap();
        let missing = Cpu::named(path.to_str().unwrap()).unwrap_err();
        assert!(matches!(missing, CpuError::Unreadable { .. }), "{missing}");
    }
}
