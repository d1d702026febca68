//! How fast programs are read, in MB/s of one core: `speed [MEGABYTES]`, for sizes that double, so that one sees that time is linear.

use std::time::Instant;

const PROGRAMS: [&str; 4] = [
    include_str!("../../../examples/forma/unsharp.fm"),
    include_str!("../../../examples/forma/harris.fm"),
    include_str!("../../../examples/forma/canny.fm"),
    include_str!("../../../examples/forma/pyramid_blend.fm"),
];

/// Seconds that this thread has computed, where the system says so: others use the machine too. Else since the beginning.
fn seconds(begin: Instant) -> f64 {
    let computed = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let computed = computed.and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok());
    computed.map_or_else(|| begin.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

fn main() {
    let start = Instant::now();
    let most: usize = std::env::args().nth(1).and_then(|argument| argument.parse().ok()).unwrap_or(16);
    println!("{:>8}  {:>10}  {:>10}", "MB", "parse MB/s", "check MB/s");
    let mut size = 1;
    while size <= most {
        let (mut text, mut all) = (String::new(), "parameter N; vector#1 float img[N];\n".to_owned());
        let mut number = 0;
        while all.len() < size << 20 {
            all.push_str(&format!(
                "stencil f{number}(vector#1 float X) {{\n    let a = (X@[-1] + X + X@[1]) / 3.0;\n    \
                 return a > 0.5 ? a * 2.0 : -a;\n}}\nout{number} = f{number}(img:mirror);\n"
            ));
            number += 1;
        }
        all.push_str("return out0;\n");
        while text.len() < size << 20 {
            // A program has one return.
            PROGRAMS.iter().for_each(|program| text.push_str(&program.replace("\nreturn ", "\n// return ")));
        }
        // The best of five.
        let best = |text: &str, run: &dyn Fn()| {
            let times = (0..5).map(|_| {
                let begin = seconds(start);
                run();
                seconds(start) - begin
            });
            text.len() as f64 / 1e6 / times.fold(f64::INFINITY, f64::min)
        };
        let parse = best(&text, &|| assert!(weft_forma::parse(std::hint::black_box(&text)).1.is_empty()));
        let check = best(&all, &|| assert!(weft_forma::check(std::hint::black_box(&all)).is_empty()));
        println!("{size:>8}  {parse:>10.1}  {check:>10.1}");
        size *= 2;
    }
}
