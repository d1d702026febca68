//! Calls of compiled programs with Python's arrays and numbers.
//!
//! ```text
//! argument that fits: right type, rank, steps of whole elements, the last one of one     its own memory
//! any other                                                   fit(...) in Python         memory of an array that it gives, or an error
//! result                                                      out=, or numpy.empty       the caller's memory, or new
//! ```

#![allow(unsafe_code)] // The calls themselves; each block says why it is sound.

use crate::{
    gpu,
    library::{self, Buffer, Program, Refused, Values},
    signature::{Element, Extent, INTERFACE, Signature, Value},
};
use half::f16;
use pyo3::{
    buffer::PyUntypedBuffer,
    exceptions::{PyMemoryError, PyOSError, PyTypeError, PyValueError},
    prelude::*,
    sync::PyOnceLock,
    types::{PyDict, PyTuple},
};
use std::ffi::c_void;

/// The most dimensions of an image.
const RANK: usize = 4;

/// A compiled program: called with arrays and numbers in the order of its arguments, it gives arrays, one or a tuple.
///
/// `out=` is an array, or a tuple of as many as there are results, to write to; what is not given (None) is allocated.
#[pyclass(frozen, module = "weft")]
pub struct Function {
    program: Program,
    /// Of each argument and then of each result.
    elements: Vec<Element>,
}

/// The programs of a library that Weft compiled.
#[pyfunction]
pub fn programs(path: &str) -> PyResult<Vec<String>> {
    library::programs(path).map_err(PyOSError::new_err)
}

/// Opens a program of a library that Weft compiled.
#[pyfunction]
pub fn load(path: &str, name: &str) -> PyResult<Function> {
    let program = Program::open(path, name).map_err(PyOSError::new_err)?;
    let Signature { arguments, results, .. } = &program.signature;
    let element = |value: &Value| {
        let unknown = || PyOSError::new_err(format!("{path}: '{}' has elements of {}", value.name, value.r#type));
        Element::named(&value.r#type).ok_or_else(unknown)
    };
    let elements = arguments.iter().chain(results).map(element).collect::<PyResult<_>>()?;
    Ok(Function { program, elements })
}

/// The GPU whose memory an address is in: its number, and its compute capability, 90 for `sm_90`.
#[pyfunction]
pub fn gpu_of(py: Python<'_>, address: u64) -> PyResult<(i32, i32)> {
    let asked = gpu::number_of(address).and_then(|number| Ok((number, gpu::capability(number)?)));
    let (number, [major, minor]) = asked.map_err(|message| own_error(py, "GpuError", message))?;
    Ok((number, 10 * major + minor))
}

/// Something that a call passes a pointer to.
enum Slot {
    Image(Buffer),
    /// The number's bytes, at the low addresses.
    Number(u64),
}

impl Slot {
    fn pointer(&mut self) -> *mut c_void {
        match self {
            Self::Image(buffer) => std::ptr::from_mut(buffer).cast(),
            Self::Number(word) => std::ptr::from_mut(word).cast(),
        }
    }
}

#[pymethods]
impl Function {
    #[pyo3(signature = (*arguments, out = None))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        arguments: &Bound<'py, PyTuple>,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let wanted = &self.program.signature.arguments;
        if arguments.len() != wanted.len() {
            let names: Vec<&str> = wanted.iter().map(|value| value.name.as_str()).collect();
            let (name, found, expected) = (&self.program.signature.name, arguments.len(), wanted.len());
            let message = format!("{name}: {found} arguments, expected {expected}: {}", names.join(", "));
            return Err(PyTypeError::new_err(message));
        }
        // Views keep the memory that is passed.
        let mut views = Vec::with_capacity(wanted.len() + self.program.signature.results.len());
        let mut slots = Vec::with_capacity(views.capacity());
        for (index, given) in arguments.iter().enumerate() {
            match wanted[index].extents {
                Some(_) => slots.push(Slot::Image(self.image(index, given, false, &mut views)?)),
                None => slots.push(Slot::Number(number(&wanted[index], &given)?)),
            }
        }
        let results = self.results(py, out, &mut slots)?;
        for (index, result) in results.iter().enumerate() {
            slots.push(Slot::Image(self.image(wanted.len() + index, result.clone(), true, &mut views)?));
        }
        let values = Values(slots.iter_mut().map(Slot::pointer).collect());
        let program = &self.program;
        // SAFETY: a slot of the signature's kind for each argument and result, and memory that `views` keep. What else runs in Python
        // may change pixels while this reads them, which makes pixels of other values and nothing worse.
        let outcome = py.detach(|| unsafe { program.run(&values) });
        outcome.map_err(|refused| self.error(py, &refused))?;
        drop(views);
        let mut results = results;
        match results.len() {
            1 => Ok(results.remove(0)),
            _ => Ok(PyTuple::new(py, results)?.into_any()),
        }
    }

    /// The extents of each result for images and numbers as `on_gpu` takes them, arguments only.
    fn extents(&self, py: Python<'_>, arguments: Vec<Bound<'_, PyAny>>) -> PyResult<Vec<Vec<i64>>> {
        let mut slots = self.slots_on_gpu(&arguments, self.program.signature.arguments.len())?;
        let extents = self.result_extents(py, &mut slots)?;
        let results = self.program.signature.results.iter().zip(extents);
        Ok(results.map(|(result, extents)| extents[..result.extents.as_ref().map_or(0, Vec::len)].to_vec()).collect())
    }

    /// The bytes of memory that a call takes beside its arguments and results, for images and numbers as `extents` takes them.
    fn workspace(&self, py: Python<'_>, arguments: Vec<Bound<'_, PyAny>>) -> PyResult<i64> {
        let mut slots = self.slots_on_gpu(&arguments, self.program.signature.arguments.len())?;
        let mut bytes = 0i64;
        let values = slots.iter_mut().map(Slot::pointer).chain([std::ptr::from_mut(&mut bytes).cast()]);
        let values = Values(values.collect());
        // SAFETY: a slot of the signature's kind for each argument, and room for a number. Of images only extents are read.
        let outcome = unsafe { self.program.workspace(&values) };
        let Signature { name, .. } = &self.program.signature;
        let outcome =
            outcome.ok_or_else(|| PyTypeError::new_err(format!("{name} is for a GPU, expected one for a CPU")))?;
        outcome.map_err(|refused| self.error(py, &refused))?;
        Ok(bytes)
    }

    /// Runs it on a GPU: an image is (address, extents, strides in elements), in the memory of the GPU of this number.
    fn on_gpu(&self, py: Python<'_>, values: Vec<Bound<'_, PyAny>>, stream: usize, number: i32) -> PyResult<()> {
        let Signature { arguments, results, .. } = &self.program.signature;
        let mut slots = self.slots_on_gpu(&values, arguments.len() + results.len())?;
        let stream = stream as *mut c_void;
        let values = Values(slots.iter_mut().map(Slot::pointer).chain([stream]).collect());
        let program = &self.program;
        // SAFETY: a slot of the signature's kind for each argument and result, and the stream. Addresses are the GPU's: the host does not
        // read or write there.
        let outcome = py.detach(|| gpu::with_context(number, || unsafe { program.run_on_gpu(&values) }));
        let outcome = outcome.map_err(|message| own_error(py, "GpuError", message))?;
        let Some(outcome) = outcome else {
            let Signature { name, cpu, .. } = &self.program.signature;
            let message =
                format!("{name}: images on a GPU, and it was compiled for {cpu}, expected arrays of the host");
            return Err(PyTypeError::new_err(message));
        };
        outcome.map_err(|refused| self.error(py, &refused))
    }

    /// Name, arguments and results with their types and extents, as JSON is read.
    #[getter]
    fn signature<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let Signature { name, cpu, arguments, results, .. } = &self.program.signature;
        let described = PyDict::new(py);
        described.set_item("name", name)?;
        described.set_item("cpu", cpu)?;
        for (key, values) in [("arguments", arguments), ("results", results)] {
            let values = values.iter().map(|value| {
                let one = PyDict::new(py);
                one.set_item("name", &value.name)?;
                one.set_item("type", &value.r#type)?;
                if let Some(extents) = &value.extents {
                    let extents = extents.iter().map(|extent| match extent {
                        Extent::Known(extent) => Ok(extent.into_pyobject(py)?.into_any()),
                        Extent::Named(name) => Ok(name.into_pyobject(py)?.into_any()),
                        Extent::Free(()) => Ok(py.None().into_bound(py)),
                    });
                    one.set_item("extents", extents.collect::<PyResult<Vec<_>>>()?)?;
                }
                Ok(one)
            });
            described.set_item(key, values.collect::<PyResult<Vec<_>>>()?)?;
        }
        Ok(described)
    }
}

impl Function {
    /// The argument or result of this number, results behind arguments.
    fn value(&self, index: usize) -> &Value {
        let Signature { arguments, results, .. } = &self.program.signature;
        arguments.get(index).unwrap_or_else(|| &results[index - arguments.len()])
    }

    /// The memory of an array, or of the one that Python makes of it.
    fn image(
        &self,
        index: usize,
        given: Bound<'_, PyAny>,
        is_result: bool,
        views: &mut Vec<PyUntypedBuffer>,
    ) -> PyResult<Buffer> {
        let element = self.elements[index];
        let rank = self.value(index).extents.as_ref().map_or(0, Vec::len);
        if let Ok(view) = PyUntypedBuffer::get(&given)
            && let Some(buffer) = buffer(&view, element, rank, is_result)
        {
            views.push(view);
            return Ok(buffer);
        }
        let py = given.py();
        let value = self.value(index);
        let extents = self.signature(py)?.get_item(if is_result { "results" } else { "arguments" })?;
        let number = if is_result { index - self.program.signature.arguments.len() } else { index };
        let described = extents.map(|all| all.get_item(number)).transpose()?;
        let program = &self.program.signature.name;
        let fitted = fit(py)?.call1((program, described, element.numpy, given, is_result))?;
        let view = PyUntypedBuffer::get(&fitted)?;
        let Some(buffer) = buffer(&view, element, rank, is_result) else {
            return Err(PyTypeError::new_err(format!("{program}: '{}' is no array of {}", value.name, element.numpy)));
        };
        views.push(view);
        Ok(buffer)
    }

    /// Arrays for the results: those that the caller gives, and new ones.
    fn results<'py>(
        &self,
        py: Python<'py>,
        out: Option<Bound<'py, PyAny>>,
        slots: &mut [Slot],
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let Signature { name, arguments, results, .. } = &self.program.signature;
        let mut given: Vec<Option<Bound<'py, PyAny>>> = match out {
            None => vec![None; results.len()],
            Some(out) => match out.cast::<PyTuple>() {
                Ok(all) => all.iter().map(|one| Some(one).filter(|one| !one.is_none())).collect(),
                Err(_) => vec![Some(out)],
            },
        };
        if given.len() != results.len() {
            let message = format!("{name}: out has {} arrays, expected {}", given.len(), results.len());
            return Err(PyValueError::new_err(message));
        }
        if given.iter().all(Option::is_some) {
            return Ok(given.into_iter().flatten().collect());
        }
        let extents = self.result_extents(py, slots)?;
        for (index, place) in given.iter_mut().enumerate() {
            if place.is_none() {
                let rank = results[index].extents.as_ref().map_or(0, Vec::len);
                let shape = PyTuple::new(py, &extents[index][..rank])?;
                *place = Some(empty(py)?.call1((shape, self.elements[arguments.len() + index].numpy))?);
            }
        }
        Ok(given.into_iter().flatten().collect())
    }

    /// The extents that results must have.
    fn result_extents(&self, py: Python<'_>, slots: &mut [Slot]) -> PyResult<Vec<[i64; RANK]>> {
        let mut extents = vec![[0i64; RANK]; self.program.signature.results.len()];
        let asked = slots.iter_mut().map(Slot::pointer);
        let values = Values(asked.chain(extents.iter_mut().map(|extents| extents.as_mut_ptr().cast())).collect());
        // SAFETY: a slot of the signature's kind for each argument, and room for the extents of images of four dimensions at most.
        unsafe { self.program.extents(&values) }.map_err(|refused| self.error(py, &refused))?;
        Ok(extents)
    }

    /// Images on a GPU and numbers as a call takes them: the first `count` values of the signature.
    fn slots_on_gpu(&self, values: &[Bound<'_, PyAny>], count: usize) -> PyResult<Vec<Slot>> {
        if values.len() != count {
            let message = format!("{}: {} values, expected {count}", self.program.signature.name, values.len());
            return Err(PyTypeError::new_err(message));
        }
        let slot = |(index, given): (usize, &Bound<'_, PyAny>)| -> PyResult<Slot> {
            let value = self.value(index);
            let Some(wanted) = &value.extents else { return Ok(Slot::Number(number(value, given)?)) };
            let (data, extents, strides): (usize, Vec<i64>, Vec<i64>) = given.extract()?;
            let mut buffer = Buffer {
                data: data as *mut c_void,
                interface: INTERFACE,
                element: self.elements[index].number,
                rank: wanted.len() as i32,
                extents: [0; RANK],
                strides: [0; RANK],
            };
            if extents.len() != wanted.len() || strides.len() != wanted.len() {
                let (name, found) = (&value.name, extents.len());
                return Err(PyValueError::new_err(format!("'{name}' has rank {found}, expected {}", wanted.len())));
            }
            buffer.extents[..extents.len()].copy_from_slice(&extents);
            buffer.strides[..strides.len()].copy_from_slice(&strides);
            Ok(Slot::Image(buffer))
        };
        values.iter().enumerate().map(slot).collect()
    }

    /// What a call refused, as the exception for it.
    fn error(&self, py: Python<'_>, refused: &Refused) -> PyErr {
        let message = refused.message.clone();
        // The numbers are those of `weft_status`.
        match refused.status {
            1..=3 | 8..=11 => PyValueError::new_err(message),
            6 => PyMemoryError::new_err(message),
            status => own_error(py, if status == 4 { "CheckError" } else { "GpuError" }, message),
        }
    }
}

/// An exception of the package.
pub fn own_error(py: Python<'_>, name: &str, message: String) -> PyErr {
    match py.import("weft._errors").and_then(|errors| errors.getattr(name)?.call1((message,))) {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}

/// `weft._arrays.fit`: an array that fits, of an object that does not.
fn fit<'py>(py: Python<'py>) -> PyResult<&'py Bound<'py, PyAny>> {
    static FIT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    FIT.import(py, "weft._arrays", "fit")
}

/// `numpy.empty`.
fn empty<'py>(py: Python<'py>) -> PyResult<&'py Bound<'py, PyAny>> {
    static EMPTY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    EMPTY.import(py, "numpy", "empty")
}

/// A view as a program takes it, if it can be one.
fn buffer(view: &PyUntypedBuffer, element: Element, rank: usize, is_result: bool) -> Option<Buffer> {
    let fits = view.dimensions() == rank
        && element.is(view.format().to_bytes(), view.item_size())
        && view.suboffsets().is_none()
        && !(is_result && view.readonly());
    if !fits {
        return None;
    }
    let mut buffer = Buffer {
        data: view.buf_ptr(),
        interface: INTERFACE,
        element: element.number,
        rank: rank as i32,
        extents: [0; RANK],
        strides: [0; RANK],
    };
    let bytes = element.bytes as isize;
    let is_empty = view.shape().contains(&0);
    // Steps between points that there are not mean nothing: NumPy lets them be anything.
    let mut dense = 1i64;
    for dimension in (0..rank).rev() {
        let (extent, stride) = (view.shape()[dimension] as i64, view.strides()[dimension]);
        let is_step = extent > 1 && !is_empty;
        if is_step && stride % bytes != 0 {
            return None;
        }
        let step = if is_step { (stride / bytes) as i64 } else { dense };
        if dimension + 1 == rank && step != 1 {
            return None;
        }
        buffer.extents[dimension] = extent;
        buffer.strides[dimension] = step;
        dense = step.saturating_abs().saturating_mul(extent.max(1)).max(dense);
    }
    // Vectors want points where their type may lie.
    (buffer.data.addr().is_multiple_of(element.bytes) || is_empty).then_some(buffer)
}

/// A number's bytes, at the low addresses of a word.
fn number(value: &Value, given: &Bound<'_, PyAny>) -> PyResult<u64> {
    let wrong = |expected: &str| {
        let found = given.get_type().name().map_or_else(|_| "?".into(), |name| name.to_string());
        let text = given.repr().map_or_else(|_| String::new(), |text| text.to_string());
        let text: String = text.chars().take(40).collect();
        PyTypeError::new_err(format!("'{}' is {text} ({found}), expected {expected}", value.name))
    };
    let mut word = [0u8; 8];
    let mut put = |bytes: &[u8]| word[..bytes.len()].copy_from_slice(bytes);
    let float = || given.extract::<f64>().map_err(|_| wrong(&format!("a number of {}", value.r#type)));
    match value.r#type.as_str() {
        "f16" => put(&f16::from_f64(float()?).to_ne_bytes()),
        "f32" => put(&(float()? as f32).to_ne_bytes()),
        "f64" => put(&float()?.to_ne_bytes()),
        "i1" => put(&[u8::from(given.extract::<bool>().map_err(|_| wrong("a bool"))?)]),
        integer => {
            let bits = integer.trim_start_matches(['i', 'u']).parse::<u32>().unwrap_or(64);
            // Bits are bits: 200 is a fine 8-bit integer for a program that means it without a sign.
            let (lo, hi) = (-(1i128 << (bits - 1)), (1i128 << bits) - 1);
            let expected = || wrong(&format!("an integer from {lo} to {hi}"));
            let found = given.extract::<i64>().map(i128::from).or_else(|_| given.extract::<u64>().map(i128::from));
            let found = found.map_err(|_| expected())?;
            if !(lo..=hi).contains(&found) {
                return Err(expected());
            }
            put(&(found as i64).to_ne_bytes());
        }
    }
    Ok(u64::from_ne_bytes(word))
}
