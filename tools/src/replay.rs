//! What a program asked of a GPU's driver, done again on the SIMT executor.
//!
//! ```text
//! any compiler's host code ──▶ a driver that writes down ──▶ FOLDER ──▶ replay: kernels on the executor, results
//! ```
//!
//! `bench/halide-gpu/driver.c` is such a driver, and says what is in the folder: PTX, the bytes that were copied to the device, and
//! `trace.jsonl`, a line for each call. So kernels run with exactly the launches that their host code asks for, without a GPU, checked
//! and counted. What the program copied back is written to `out0.bin`, `out1.bin`, … in the order of the copies.
//!
//! Addresses of the trace are 2^36 apart, an allocation each. They become the executor's own: in copies, and in arguments of eight bytes
//! that are an address of one. Addresses within structures stay what they are.

use std::collections::HashMap;
use std::path::Path;
use std::time::Instant;

use serde_json::Value as Json;
use weft_runtime::simt::{GlobalMemory, KernelArg, Launch, Module, Options, launch};

use crate::Stop;

/// Bits of an address within its allocation.
const OFFSET_BITS: u32 = 36;

/// A launch of a trace, and what came of it.
pub struct Replayed {
    /// The kernel's name.
    pub kernel: String,
    /// Blocks.
    pub grid: [u32; 3],
    /// Threads of a block.
    pub block: [u32; 3],
    /// Counters and reports.
    pub launch: Launch,
    /// How long the executor took.
    pub seconds: f64,
}

/// What came of a trace.
#[derive(Default)]
pub struct Outcome {
    /// The launches, in order; after one with a report there is none.
    pub launches: Vec<Replayed>,
    /// A line for each result with bytes that nobody wrote.
    pub unwritten: Vec<String>,
    /// Everything was done, and all results are whole.
    pub complete: bool,
}

/// Does what the trace in a folder says.
///
/// # Errors
/// If a file cannot be read or written or is no such trace, the PTX is not understood, or a launch does not fit its kernel.
pub fn replay(folder: &Path, options: &Options) -> Result<Outcome, Stop> {
    let path = folder.join("trace.jsonl");
    let text = weft_files::text(&path, "JSON")?;
    let mut machine = Machine::new(folder, options);
    for (index, line) in text.lines().enumerate() {
        let wrong = |what: String| format!("{}:{}: {what}", path.display(), index + 1);
        let call: Json = serde_json::from_str(line).map_err(|error| wrong(error.to_string()))?;
        machine.call(&Call(&call)).map_err(wrong)?;
        if machine.outcome.launches.last().is_some_and(|last| !last.launch.reports.is_empty()) {
            return Ok(machine.outcome);
        }
    }
    machine.outcome.complete = machine.outcome.unwritten.is_empty();
    Ok(machine.outcome)
}

/// A line of a trace.
struct Call<'a>(&'a Json);

impl Call<'_> {
    fn number(&self, key: &str) -> Result<u64, String> {
        self.0[key].as_u64().ok_or_else(|| format!("found no number '{key}', expected one"))
    }

    fn text(&self, key: &str) -> Result<&str, String> {
        self.0[key].as_str().ok_or_else(|| format!("found no text '{key}', expected one"))
    }

    /// A number of bytes.
    fn bytes(&self) -> Result<usize, String> {
        let bytes = self.number("bytes")?;
        usize::try_from(bytes)
            .ok()
            .filter(|bytes| GlobalMemory::fits(*bytes))
            .ok_or_else(|| format!("found {bytes} bytes, expected as many as fit into memory"))
    }

    fn extents(&self, key: &str) -> Result<[u32; 3], String> {
        let wrong = || format!("found no three numbers '{key}', expected them");
        let mut extents = [0; 3];
        for (index, extent) in extents.iter_mut().enumerate() {
            *extent = self.0[key][index].as_u64().and_then(|value| value.try_into().ok()).ok_or_else(wrong)?;
        }
        Ok(extents)
    }
}

/// The executor as a device that a trace is played on.
struct Machine<'a> {
    folder: &'a Path,
    options: &'a Options,
    memory: GlobalMemory,
    /// The executor's address of each allocation, by the upper bits of the trace's.
    allocations: HashMap<u64, u64>,
    modules: Vec<Module>,
    results: usize,
    outcome: Outcome,
}

impl<'a> Machine<'a> {
    fn new(folder: &'a Path, options: &'a Options) -> Self {
        let (memory, allocations) = (GlobalMemory::new(), HashMap::new());
        Machine { folder, options, memory, allocations, modules: Vec::new(), results: 0, outcome: Outcome::default() }
    }

    fn call(&mut self, call: &Call<'_>) -> Result<(), String> {
        let place = |key: &str| self.place(call.number(key)?);
        match call.text("do")? {
            "module" => {
                let name = call.text("file")?;
                let text =
                    self.file(name).and_then(|bytes| String::from_utf8(bytes).map_err(|error| error.to_string()));
                let module = Module::parse(&text?).map_err(|error| format!("{name}: {error}"))?;
                self.modules.push(module);
            }
            "allocate" => {
                let address = self.memory.alloc(call.bytes()?);
                self.allocations.insert(call.number("address")? >> OFFSET_BITS, address);
            }
            "free" => {
                let address = place("address")?;
                self.memory.free(address).map_err(|error| error.to_string())?;
                self.allocations.remove(&(call.number("address")? >> OFFSET_BITS));
            }
            "write" => {
                let (to, bytes) = (place("address")?, self.file(call.text("file")?)?);
                self.memory.write(to, &bytes).map_err(|error| error.to_string())?;
            }
            "fill" => {
                let (to, value) = (place("address")?, call.number("value")?);
                let bytes = vec![value as u8; call.bytes()?];
                self.memory.write(to, &bytes).map_err(|error| error.to_string())?;
            }
            "copy" => {
                let (to, from) = (place("to")?, place("from")?);
                self.memory.copy(to, from, call.bytes()?).map_err(|error| error.to_string())?;
            }
            "read" => {
                let from = place("address")?;
                self.read(from, call.bytes()?)?;
            }
            "launch" => self.launch(call)?,
            other => return Err(format!("found '{other}', expected what a driver does")),
        }
        Ok(())
    }

    /// The executor's address for one of the trace.
    fn place(&self, address: u64) -> Result<u64, String> {
        self.known(address).ok_or_else(|| format!("found address {address:#x}, expected one that is allocated"))
    }

    fn known(&self, address: u64) -> Option<u64> {
        let begin = self.allocations.get(&(address >> OFFSET_BITS))?;
        Some(begin + (address & ((1 << OFFSET_BITS) - 1)))
    }

    fn file(&self, name: &str) -> Result<Vec<u8>, String> {
        let path = self.folder.join(name);
        weft_files::bytes(&path, weft_files::DATA)
            .map_err(|error| format!("{}: cannot be read: {error}", path.display()))
    }

    /// Copies a result out, to a file.
    fn read(&mut self, from: u64, bytes: usize) -> Result<(), String> {
        let name = format!("out{}.bin", self.results);
        self.results += 1;
        let mut contents = vec![0; bytes];
        self.memory.read(from, &mut contents).map_err(|error| error.to_string())?;
        let unwritten = self.memory.unwritten(from, bytes).map_err(|error| error.to_string())?;
        if unwritten > 0 {
            self.outcome.unwritten.push(format!("{name}: nobody wrote {unwritten} of its {bytes} bytes"));
        }
        let path = self.folder.join(name);
        weft_files::write(&path, &contents).map_err(|error| format!("{}: cannot be written: {error}", path.display()))
    }

    fn launch(&mut self, call: &Call<'_>) -> Result<(), String> {
        let number = call.number("module")?;
        let kernel = call.text("kernel")?.to_owned();
        let (grid, block) = (call.extents("grid")?, call.extents("block")?);
        let arguments = call.0["arguments"].as_array().ok_or("found no list 'arguments', expected one")?;
        let arguments = arguments.iter().map(|text| self.argument(text)).collect::<Result<Vec<_>, _>>()?;
        let dynamic_shared = u32::try_from(call.number("shared")?).map_err(|error| error.to_string())?;
        let module = usize::try_from(number).ok().and_then(|number| self.modules.get(number));
        let module = module.ok_or_else(|| format!("found module {number}, expected one that is loaded"))?;
        let options = Options { dynamic_shared, ..self.options.clone() };
        let start = Instant::now();
        let launch = launch(module, &kernel, grid, block, &arguments, &mut self.memory, &options)
            .map_err(|error| error.to_string())?;
        let seconds = start.elapsed().as_secs_f64();
        self.outcome.launches.push(Replayed { kernel, grid, block, launch, seconds });
        Ok(())
    }

    /// The bytes of an argument, in hexadecimal; those of an address become the executor's.
    fn argument(&self, text: &Json) -> Result<KernelArg, String> {
        let wrong = || format!("found argument {text}, expected bytes in hexadecimal");
        let digits = text.as_str().filter(|digits| digits.is_ascii()).ok_or_else(wrong)?;
        let bytes = (0..digits.len())
            .step_by(2)
            .map(|at| digits.get(at..at + 2).and_then(|byte| u8::from_str_radix(byte, 16).ok()))
            .collect::<Option<Vec<u8>>>()
            .ok_or_else(wrong)?;
        let address = <[u8; 8]>::try_from(bytes.as_slice()).ok().map(u64::from_le_bytes);
        Ok(match address.and_then(|address| self.known(address)) {
            Some(address) => KernelArg::Pointer(address),
            None => KernelArg::Bytes(bytes),
        })
    }
}
