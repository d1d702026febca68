//! Whether this machine's CPU has the instructions of a program.

macro_rules! features {
    ($($name:tt),*) => {
        /// Names of features, LLVM's, and whether this CPU has them.
        #[cfg(target_arch = "x86_64")]
        fn features() -> Vec<(&'static str, bool)> {
            vec![$(($name, std::arch::is_x86_feature_detected!($name))),*]
        }
    };
}
features!(
    "sse3",
    "ssse3",
    "sse4.1",
    "sse4.2",
    "popcnt",
    "avx",
    "avx2",
    "bmi1",
    "bmi2",
    "f16c",
    "fma",
    "lzcnt",
    "movbe",
    "avx512f",
    "avx512bw",
    "avx512cd",
    "avx512dq",
    "avx512vl",
    "avx512vbmi",
    "avx512vbmi2",
    "avx512ifma",
    "avx512vnni",
    "avx512bitalg",
    "avx512vpopcntdq",
    "avx512bf16",
    "gfni",
    "vaes",
    "vpclmulqdq"
);

/// None are known of other machines: there code is for what all of them have, or was compiled where it runs.
#[cfg(not(target_arch = "x86_64"))]
fn features() -> Vec<(&'static str, bool)> {
    Vec::new()
}

/// The first of these features that this CPU lacks.
pub fn lacks(wanted: &[String]) -> Option<&str> {
    let known = features();
    let is_absent = |name: &&String| {
        let called = if *name == "bmi" { "bmi1" } else { name.as_str() };
        known.iter().any(|(feature, is_there)| *feature == called && !is_there)
    };
    wanted.iter().find(is_absent).map(String::as_str)
}

/// Name and features.
pub fn describe() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let of = |key: &str| {
        let value = info.lines().find_map(|line| line.strip_prefix(key)?.trim_start().strip_prefix(':'));
        value.map_or("", str::trim).to_owned()
    };
    let keys = [
        "vendor_id",
        "cpu family",
        "model",
        "model name",
        "stepping",
        "flags",
        "CPU implementer",
        "CPU part",
        "Features",
    ];
    let values: Vec<String> = keys.into_iter().map(of).filter(|value| !value.is_empty()).collect();
    format!("{} {}", std::env::consts::ARCH, values.join(" "))
}
