//! Arrays in and out: NumPy's `.npy` files.
//!
//! An NPY file is exact where an image is not: its values are taken as they are, and a conversion that could change a value other than
//! by rounding is an error. `u8` and `u16` for floats are asked about: they may be pixels, of which 255 is white, 1.0, or numbers, of
//! which 255 is 255.0. `npyz` reads and writes the header, which is the intricate part; the elements are plain memory, read and written
//! here in one piece.
//!
//! | from \ to | float | integer | `i1` |
//! | --- | --- | --- | --- |
//! | float | rounded to nearest, once | error | error |
//! | integer | [`Integers`]; rounded to nearest, once | same width: the bits; wider: if every value fits | error |
//! | bool | 0.0 and 1.0 | 0 and 1 | itself |

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, Write};
use std::path::Path;

use npyz::{DType, Endianness, NpyHeader, Order, TypeChar, TypeStr, WriterBuilder};
use weft_files::Whole;

use super::changes::Changes;
use crate::buffer::{
    Buffer, Element, Kind, Sample, byte_count, pattern_text, shape_fits, shape_text, with_sample_type,
};
use crate::error::{Error, Result, one_line};

/// The most bytes of a header; NumPy reads no more than 10000.
const HEADER: u32 = 1 << 20;

/// What `u8` and `u16` are to floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Integers {
    /// Numbers: 255 is 255.0.
    Values,
    /// Pixels, as those of a picture are: the greatest number is white, 1.0.
    Unit,
}

/// Reads an NPY file as a tensor of the given element type and shape, where `None` is a dynamic extent.
///
/// The file may hold truth values, integers of 8 to 64 bits or floats of 16 to 64 bits, in either byte order, in C or
/// Fortran order. Its values are converted to `element` by the table above; how many are others then, it says.
///
/// # Errors
/// [`Error::Read`], [`Error::Content`] (not NPY, or cut short), [`Error::Shape`], [`Error::Element`] (another dtype, or no
/// conversion), [`Error::Integers`] (`integers` should say what `u8` or `u16` mean).
pub fn read_npy(
    path: impl AsRef<Path>,
    element: Element,
    shape: &[Option<usize>],
    integers: Option<Integers>,
) -> Result<(Buffer, Changes)> {
    let path = path.as_ref();
    let unreadable = |source: io::Error| Error::Read { path: path.to_owned(), source };
    let Begun { mut file, header, found, swap, extents } = begin(path)?;
    let unconvertible = |why: &str| Error::Element {
        path: path.to_owned(),
        found: format!("elements of type {found}"),
        expected: format!("{element} ({why})"),
    };
    let mut conversion = conversion(found, element).map_err(unconvertible)?;
    if element.kind().is_float() && matches!(found, Element::U8 | Element::U16) {
        let unknown = || Error::Integers { path: path.to_owned(), found, expected: element };
        if integers.ok_or_else(unknown)? == Integers::Unit {
            conversion = Conversion::Unit;
        }
    }
    if !shape_fits(&extents, shape) {
        let (found, expected) = (shape_text(&extents), pattern_text(shape));
        return Err(Error::Shape { path: path.to_owned(), found, expected });
    }

    // Before memory is taken for what the header promises, see that the file keeps the promise.
    let position = file.stream_position().map_err(unreadable)?;
    let present = file.get_ref().metadata().map_err(unreadable)?.len().saturating_sub(position);
    let needed = byte_count(found, &extents);
    if needed.is_none_or(|needed| present < needed as u64) {
        return Err(Error::Content {
            path: path.to_owned(),
            found: format!("{present} bytes of data"),
            expected: match needed {
                Some(needed) => format!("{needed} bytes for {}x{found}", shape_text(&extents)),
                None => format!("less than {}x{found}", shape_text(&extents)),
            },
        });
    }
    // A file may have holes, which are no promise of memory; and what it is converted to must fit beside it.
    let stored = Buffer::try_zeros(found, &extents).filter(|_| Buffer::fits(element, &extents));
    let mut stored = stored.ok_or_else(|| Error::Shape {
        path: path.to_owned(),
        found: format!("{}x{found}", shape_text(&extents)),
        expected: "an array that fits into memory".to_owned(),
    })?;
    file.read_exact(stored.bytes_mut()).map_err(unreadable)?;
    if swap {
        stored.bytes_mut().chunks_exact_mut(found.size()).for_each(<[u8]>::reverse);
    }
    if found == Element::I1 {
        // NumPy writes 0 and 1, but the format does not force it, and compiled code relies on it.
        stored.bytes_mut().iter_mut().for_each(|byte| *byte = u8::from(*byte != 0));
    }
    if header.order() == Order::Fortran {
        stored = to_row_major(&stored);
    }
    Ok(convert(stored, element, conversion))
}

/// The element type and the extents of an NPY file, for who takes what is there.
///
/// # Errors
/// [`Error::Read`], [`Error::Content`], [`Error::Element`].
pub fn npy_type(path: impl AsRef<Path>) -> Result<(Element, Vec<usize>)> {
    let begun = begin(path.as_ref())?;
    Ok((begun.found, begun.extents))
}

/// A file whose header is read.
struct Begun {
    file: BufReader<File>,
    header: NpyHeader,
    found: Element,
    /// Its elements are in the other byte order.
    swap: bool,
    extents: Vec<usize>,
}

fn begin(path: &Path) -> Result<Begun> {
    let unreadable = |source: io::Error| Error::Read { path: path.to_owned(), source };
    let mut file = BufReader::new(File::open(path).map_err(unreadable)?);
    let headless = |why: String| Error::Content {
        path: path.to_owned(),
        found: format!("a file without an NPY header ({why})"),
        expected: "an NPY array".to_owned(),
    };
    // From version 2 on a header says its length in four bytes; it is allocated before it is read.
    if let [_, _, _, _, _, _, version, _, a, b, c, d, ..] = *file.fill_buf().map_err(unreadable)? {
        let length = u32::from_le_bytes([a, b, c, d]);
        if version > 1 && length > HEADER {
            return Err(headless(format!("its length is {length}, the most is {HEADER}")));
        }
    }
    let header = NpyHeader::from_reader(&mut file).map_err(|error| headless(one_line(&error.to_string())))?;
    let dtype = header.dtype();
    let Some((found, swap)) = stored_element(&dtype) else {
        let name = if let DType::Plain(name) = &dtype { name.to_string() } else { dtype.descr() };
        return Err(Error::Element {
            path: path.to_owned(),
            found: format!("elements of dtype {name}"),
            expected: "b1, i1 to i8, u1 to u8 or f2 to f8".to_owned(),
        });
    };
    // An extent that usize cannot hold is certainly not the one expected; it fits nothing.
    let extents = header.shape().iter().map(|n| usize::try_from(*n).unwrap_or(usize::MAX)).collect();
    Ok(Begun { file, header, found, swap, extents })
}

/// Writes a tensor as an NPY file of its own dtype (`i1` as bool), in C order and in the byte order of this machine. The file
/// appears complete or not at all.
///
/// # Errors
/// [`Error::Write`].
pub fn write_npy(path: impl AsRef<Path>, buffer: &Buffer) -> Result<()> {
    let path = path.as_ref();
    begin_npy(path, buffer)?.finish().map_err(|source| Error::Write { path: path.to_owned(), source })
}

/// [`write_npy`], to be finished.
pub(super) fn begin_npy(path: &Path, buffer: &Buffer) -> Result<Whole> {
    let shape: Vec<u64> = buffer.shape().iter().map(|extent| *extent as u64).collect();
    let dtype = DType::Plain(stored_type(buffer.element()));
    let write = || {
        let mut file = Whole::create(path)?;
        npyz::WriteOptions::new_header_only().dtype(dtype).shape(&shape).writer(&mut file).write_header_only()?;
        file.write_all(buffer.bytes())?;
        Ok(file)
    };
    write().map_err(|source| Error::Write { path: path.to_owned(), source })
}

/// The element type of a dtype, and whether its bytes are in the other order; `None` if we have no such element.
fn stored_element(dtype: &DType) -> Option<(Element, bool)> {
    let DType::Plain(name) = dtype else { return None };
    let element = match (name.type_char(), name.size_field()) {
        (TypeChar::Bool, 1) => Element::I1,
        (TypeChar::Int, 1) => Element::I8,
        (TypeChar::Int, 2) => Element::I16,
        (TypeChar::Int, 4) => Element::I32,
        (TypeChar::Int, 8) => Element::I64,
        (TypeChar::Uint, 1) => Element::U8,
        (TypeChar::Uint, 2) => Element::U16,
        (TypeChar::Uint, 4) => Element::U32,
        (TypeChar::Uint, 8) => Element::U64,
        (TypeChar::Float, 2) => Element::F16,
        (TypeChar::Float, 4) => Element::F32,
        (TypeChar::Float, 8) => Element::F64,
        _ => return None,
    };
    let swap = name.endianness() != Endianness::Irrelevant && name.endianness() != Endianness::of_machine();
    Some((element, swap && element.size() > 1))
}

fn stored_type(element: Element) -> TypeStr {
    let order = if element.size() == 1 { Endianness::Irrelevant } else { Endianness::of_machine() };
    let letter = match (element.kind(), element.is_unsigned()) {
        (Kind::I1, _) => 'b',
        (Kind::F16 | Kind::F32 | Kind::F64, _) => 'f',
        (_, true) => 'u',
        (_, false) => 'i',
    };
    let text = format!("{}{letter}{}", order.to_str(), element.size());
    // The text is one of the twelve names of plain dtypes, which all parse.
    text.parse().expect("a plain dtype")
}

#[derive(Clone, Copy)]
enum Conversion {
    Same,
    Bits,
    Value,
    /// `u8` or `u16` to floats of which the greatest is 1.
    Unit,
}

/// How elements of one type become those of another, or why they do not.
fn conversion(from: Element, to: Element) -> std::result::Result<Conversion, &'static str> {
    if from == to {
        return Ok(Conversion::Same);
    }
    match (from.kind(), to.kind()) {
        (from, to) if from.is_float() && !to.is_float() => Err("a float is not converted to an integer"),
        (_, Kind::I1) => Err("an integer is not converted to a truth value"),
        (_, to) if to.is_float() => Ok(Conversion::Value),
        (Kind::I1, _) => Ok(Conversion::Value),
        (narrow, wide) if narrow.size() == wide.size() => Ok(Conversion::Bits),
        (wide, narrow) if wide.size() > narrow.size() => Err("an integer is not narrowed"),
        _ if !from.is_unsigned() && to.is_unsigned() => Err("a negative value would not survive"),
        _ => Ok(Conversion::Value),
    }
}

/// The tensor in another element type, and how many values are others.
fn convert(stored: Buffer, element: Element, conversion: Conversion) -> (Buffer, Changes) {
    let from = stored.element();
    let mut changed = 0;
    let converted = match conversion {
        Conversion::Same => stored,
        // The conversion is chosen for equal sizes, neither a truth value, so the bits can be reinterpreted.
        Conversion::Bits => {
            // They mean another number where the highest bit is set.
            let last = |value: &[u8]| value[if cfg!(target_endian = "little") { value.len() - 1 } else { 0 }];
            changed = stored.bytes().chunks_exact(from.size()).filter(|value| last(value) > 127).count();
            stored.reinterpret(element).expect("integers of one size")
        }
        Conversion::Value | Conversion::Unit => {
            let mut converted = Buffer::zeros(element, stored.shape());
            // By way of f64 every float is exact, and so is every integer that is widened (it has 32 bits at most). An
            // integer of 64 bits is not: to f32 it would round twice. (To f16 it may: where f64 rounds, f16 is infinite.)
            if let (Some(from), Some(to)) = (stored.view::<i64>(), converted.view_mut::<f32>()) {
                to.iter_mut().zip(from).for_each(|(to, from)| *to = *from as f32);
            } else if let (Some(from), Some(to)) = (stored.view::<u64>(), converted.view_mut::<f32>()) {
                to.iter_mut().zip(from).for_each(|(to, from)| *to = *from as f32);
            } else {
                let white = match (conversion, from) {
                    (Conversion::Unit, Element::U8) => 255.0,
                    (Conversion::Unit, _) => 65_535.0,
                    _ => 1.0,
                };
                with_sample_type!(from, S => with_sample_type!(element, T => {
                    let from = bytemuck::cast_slice::<u8, S>(stored.bytes());
                    let to = bytemuck::cast_slice_mut::<u8, T>(converted.bytes_mut());
                    to.iter_mut().zip(from).for_each(|(to, from)| *to = T::nearest(from.to_f64() / white));
                }));
            }
            if let Conversion::Value = conversion {
                changed = differences(&stored, &converted);
            }
            converted
        }
    };
    let values = (changed > 0).then_some((from, element, changed));
    (converted, Changes { values, ..Changes::default() })
}

/// How many elements have another value in one tensor than in the other. A NaN has that of any NaN.
fn differences(before: &Buffer, after: &Buffer) -> usize {
    fn count<A: Copy, B: Copy>(before: &[A], after: &[B], same: impl Fn(A, B) -> bool) -> usize {
        before.iter().zip(after).filter(|(a, b)| !same(**a, **b)).count()
    }
    with_sample_type!(after.element(), T => {
        let after = bytemuck::cast_slice::<u8, T>(after.bytes());
        if let Some(before) = before.view::<i64>() {
            // What is not exact in f64 is rounded to an integer there, which 128 bits hold.
            count(before, after, |a, b: T| b.to_f64() as i128 == i128::from(a))
        } else if let Some(before) = before.view::<u64>() {
            count(before, after, |a, b: T| b.to_f64() as i128 == i128::from(a))
        } else {
            with_sample_type!(before.element(), S => {
                let before = bytemuck::cast_slice::<u8, S>(before.bytes());
                count(before, after, |a: S, b: T| {
                    let (a, b) = (a.to_f64(), b.to_f64());
                    a == b || (a.is_nan() && b.is_nan())
                })
            })
        }
    })
}

/// The same tensor from storage in which the first index runs fastest.
fn to_row_major(stored: &Buffer) -> Buffer {
    let shape = stored.shape();
    let size = stored.element().size();
    let mut rows = Buffer::zeros(stored.element(), shape);
    let mut index = vec![0; shape.len()];
    for value in rows.bytes_mut().chunks_exact_mut(size) {
        let place = index.iter().zip(shape).rev().fold(0, |place, (i, extent)| place * extent + i);
        value.copy_from_slice(&stored.bytes()[place * size..][..size]);
        // The next index in row-major order: the last one runs fastest and carries to the left.
        for (i, extent) in index.iter_mut().zip(shape).rev() {
            *i += 1;
            if *i < *extent {
                break;
            }
            *i = 0;
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::names::tests::{Folder, message};
    use half::f16;
    use std::fs;

    /// An NPY file (version 1.0) from its header's words and its bytes, made without the crate that reads it.
    fn npy(descr: &str, fortran: bool, shape: &str, data: &[u8]) -> Vec<u8> {
        let order = if fortran { "True" } else { "False" };
        let header = format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}\n");
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.as_bytes());
        bytes.extend(data);
        bytes
    }

    fn read_bytes(
        folder: &Folder,
        bytes: &[u8],
        element: Element,
        shape: &[Option<usize>],
    ) -> Result<(Buffer, Changes)> {
        let path = folder.file("a.npy");
        fs::write(&path, bytes).expect("the folder can be written");
        read_npy(path, element, shape, Some(Integers::Values))
    }

    fn values<T: Sample>(read: Result<(Buffer, Changes)>) -> Vec<T> {
        read.expect("it can be read").0.view::<T>().expect("it has the type that was asked for").to_vec()
    }

    #[test]
    fn every_element_survives_the_round_trip() {
        let folder = Folder::new();
        let path = folder.file("a.npy");
        for element in Element::ALL {
            for shape in [&[] as &[usize], &[5], &[3, 4], &[2, 0, 3], &[2, 3, 4, 5]] {
                let buffer = Buffer::random(element, shape, 11);
                write_npy(&path, &buffer).expect("it can be written");
                let expected: Vec<Option<usize>> = shape.iter().copied().map(Some).collect();
                let (back, _) = read_npy(&path, element, &expected, None).expect("it can be read");
                assert_eq!(buffer.first_difference(&back), None);
            }
        }
        assert_eq!(folder.names(), ["a.npy"]);
    }

    #[test]
    fn byte_and_index_orders_are_understood() {
        let folder = Folder::new();
        let any = [None, None];
        let big: Vec<u8> = [1i16, -2, 3, -4, 5, -6].iter().flat_map(|v| v.to_be_bytes()).collect();
        let rows = npy(">i2", false, "(2, 3)", &big);
        assert_eq!(values::<i16>(read_bytes(&folder, &rows, Element::I16, &any)), [1, -2, 3, -4, 5, -6]);
        let columns = npy(">i2", true, "(2, 3)", &big);
        assert_eq!(values::<i16>(read_bytes(&folder, &columns, Element::I16, &any)), [1, 3, 5, -2, -4, -6]);
        let little: Vec<u8> = (0..24).flat_map(|v: i32| v.to_le_bytes()).collect();
        let cube = npy("<i4", true, "(2, 3, 4)", &little);
        let (cube, _) = read_bytes(&folder, &cube, Element::I32, &[None; 3]).expect("it can be read");
        let cube = cube.view::<i32>().expect("it has the type that was asked for");
        for (i, j, k) in (0..24).map(|n| (n / 12, n / 4 % 3, n % 4)) {
            assert_eq!(cube[(i * 3 + j) * 4 + k], (i + 2 * j + 6 * k) as i32);
        }
    }

    #[test]
    fn values_are_taken_as_they_are() {
        let folder = Folder::new();
        let any = [None];
        let bytes = npy("|u1", false, "(3,)", &[0, 1, 255]);
        assert_eq!(values::<f32>(read_bytes(&folder, &bytes, Element::F32, &any)), [0.0, 1.0, 255.0]);
        assert_eq!(values::<i8>(read_bytes(&folder, &bytes, Element::I8, &any)), [0, 1, -1]);
        assert_eq!(values::<i16>(read_bytes(&folder, &bytes, Element::I16, &any)), [0, 1, 255]);
        assert_eq!(values::<u64>(read_bytes(&folder, &bytes, Element::U64, &any)), [0, 1, 255]);
        let truth = npy("|b1", false, "(3,)", &[0, 1, 7]);
        assert_eq!(values::<u8>(read_bytes(&folder, &truth, Element::I1, &any)), [0, 1, 1]);
        assert_eq!(values::<f64>(read_bytes(&folder, &truth, Element::F64, &any)), [0.0, 1.0, 1.0]);
        assert_eq!(values::<i32>(read_bytes(&folder, &truth, Element::I32, &any)), [0, 1, 1]);
    }

    #[test]
    fn floats_and_wide_integers_round_once() {
        let folder = Folder::new();
        let any = [None];
        let tie = 1.0 + 2.0f64.powi(-11);
        let doubles: Vec<u8> = [tie, tie.next_up(), -0.0, 1e9].iter().flat_map(|v| v.to_le_bytes()).collect();
        let doubles = npy("<f8", false, "(4,)", &doubles);
        let halves = values::<f16>(read_bytes(&folder, &doubles, Element::F16, &any));
        assert_eq!(halves.iter().map(|v| v.to_bits()).collect::<Vec<_>>(), [0x3c00, 0x3c01, 0x8000, 0x7c00]);
        // A tie in f32 that only the last bit of 64 decides.
        let wide = [(1i64 << 60) + (1 << 36), (1 << 60) + (1 << 36) + 1, i64::MIN];
        let bytes: Vec<u8> = wide.iter().flat_map(|v| v.to_le_bytes()).collect();
        let bytes = npy("<i8", false, "(3,)", &bytes);
        let singles = values::<f32>(read_bytes(&folder, &bytes, Element::F32, &any));
        assert_eq!(singles, wide.map(|v| v as f32));
        assert!(singles[1] > singles[0]);
    }

    /// Each value of a sample of each type converts to what Rust's own exact conversions say, or the pair is refused.
    #[test]
    fn conversions_keep_values_or_are_refused() {
        let folder = Folder::new();
        let path = folder.file("a.npy");
        for from in Element::ALL {
            let buffer = Buffer::random(from, &[64], 5);
            write_npy(&path, &buffer).expect("it can be written");
            for to in Element::ALL {
                let Ok((converted, _)) = read_npy(&path, to, &[None], Some(Integers::Values)) else {
                    let wider =
                        from.kind().is_float() || to.size() <= from.size() || (!from.is_unsigned() && to.is_unsigned());
                    assert!(!to.kind().is_float() && wider, "{from} to {to} is refused");
                    continue;
                };
                let as_f64 = |buffer: &Buffer| -> Vec<f64> {
                    with_sample_type!(buffer.element(), T => {
                        bytemuck::cast_slice::<u8, T>(buffer.bytes()).iter().map(|v| v.to_f64()).collect()
                    })
                };
                if to.kind().is_float() {
                    for (before, after) in as_f64(&buffer).into_iter().zip(as_f64(&converted)) {
                        let relative = if to == Element::F16 { 1e-3 } else { 1e-7 };
                        let overflow = to == Element::F16 && before.abs() >= 65_520.0;
                        assert!(overflow == after.is_infinite());
                        assert!(overflow || (before - after).abs() <= relative * before.abs().max(1e-4));
                    }
                } else if from.size() == to.size() && from != Element::I1 {
                    assert_eq!(buffer.bytes(), converted.bytes());
                } else {
                    assert_eq!(as_f64(&buffer), as_f64(&converted), "{from} to {to}");
                }
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let folder = Folder::new();
        let read = |bytes: &[u8], element, shape: &[Option<usize>]| {
            message(read_bytes(&folder, bytes, element, shape), &folder)
        };
        let any = [None];
        let floats = npy("<f8", false, "(2,)", &[0; 16]);
        assert_eq!(
            read(&floats, Element::I32, &any),
            "a.npy: found elements of type f64, expected i32 (a float is not converted to an integer)"
        );
        assert_eq!(read(&floats, Element::F32, &[Some(3)]), "a.npy: found 2, expected 3");
        assert_eq!(read(&floats, Element::F32, &[None, Some(3)]), "a.npy: found 2, expected ?x3");
        assert_eq!(read(&floats, Element::F32, &[]), "a.npy: found 2, expected a single value");
        let words = npy("<i2", false, "(2,)", &[0; 4]);
        assert_eq!(
            read(&words, Element::U8, &any),
            "a.npy: found elements of type i16, expected u8 (an integer is not narrowed)"
        );
        assert_eq!(
            read(&words, Element::U32, &any),
            "a.npy: found elements of type i16, expected u32 (a negative value would not survive)"
        );
        assert_eq!(
            read(&words, Element::I1, &any),
            "a.npy: found elements of type i16, expected i1 (an integer is not converted to a truth value)"
        );
        for dtype in ["<c16", "<U3", "<f16"] {
            assert_eq!(
                read(&npy(dtype, false, "(1,)", &[0; 16]), Element::F32, &any),
                format!("a.npy: found elements of dtype {dtype}, expected b1, i1 to i8, u1 to u8 or f2 to f8")
            );
        }
        assert_eq!(
            read(&npy("<f4", false, "(2, 3)", &[0; 20]), Element::F32, &[None, None]),
            "a.npy: found 20 bytes of data, expected 24 bytes for 2x3xf32"
        );
        let huge = npy("<f4", false, "(4294967296, 1073741824)", &[0; 20]);
        assert_eq!(
            read(&huge, Element::F32, &[None, None]),
            "a.npy: found 20 bytes of data, expected less than 4294967296x1073741824xf32"
        );
        let text = read(b"hello, this is no array at all", Element::F32, &any);
        assert!(text.starts_with("a.npy: found a file without an NPY header ("), "{text}");
        assert!(text.ends_with("), expected an NPY array"), "{text}");
    }
}
