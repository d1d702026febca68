//! Photographs in and out: PNG and JPEG, between interleaved pixels and tensors.
//!
//! A pipeline's image is a tensor of H×W (grey) or C×H×W (planar; C is 1, 3 or 4 for grey, RGB, RGBA). Reading fits the
//! file to the argument's type, so that one photograph serves programs of `u8`, `u16` and floats, in grey or colour. The
//! arithmetic is exact up to one rounding: a sample is the fraction `numerator / denominator` of integers (the
//! denominator is the file's white, times 10000 where luma weights enter), and only the last step rounds.
//!
//! No colour management takes place: samples are taken as stored, without gamma or profile. Rescaling is never done either: the file,
//! the way up that its EXIF orientation says, has the extents of the argument, or that is an error.

use std::io::{self, Cursor};
use std::path::Path;

use half::f16;
use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::metadata::Orientation;
use image::{ExtendedColorType, ImageDecoder, ImageEncoder, ImageError, ImageFormat, ImageReader, Limits};
use weft_files::Whole;
use zune_jpeg::zune_core::{bytestream::ZCursor, colorspace::ColorSpace};

use super::changes::{Alpha, Changes};
use super::names::{extension, extension_error};
use crate::buffer::{
    Buffer, Element, Kind, Sample, TensorType, pattern_text, shape_fits, shape_text, with_sample_type,
};
use crate::error::{Error, Result, one_line};

/// Which values are black and white in a written image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Floats: 0 is black and 1 is white. `u8`, `u16` and `i1`: zero is black and the greatest value is white. Other
    /// integers have no such scale.
    Unit,
    /// The least finite value of the tensor is black and the greatest is white, in all channels together. A constant
    /// tensor is black.
    Range,
}

/// The weights of Rec. 709 for red, green and blue, in ten-thousandths.
const LUMA: [u64; 3] = [2126, 7152, 722];
const LUMA_SUM: u64 = 10_000;

/// The most points of a picture. A hundred bytes of a file can claim 2^62.
const POINTS: u64 = 1 << 32;

/// The most points of a JPEG for each of its bytes: 8x8 of them have one bit at least, which begins their mean, whatever the rest costs.
/// The decoder makes up what is not there, and so a header alone would be 2^32 points.
const JPEG_POINTS_PER_BYTE: u64 = 8 * 64;

/// The same of a PNG: of two bits DEFLATE makes 258 bytes at most (RFC 1951), and a point has one bit at least.
const PNG_POINTS_PER_BYTE: u64 = 8 * 4 * 258;

/// The most bytes that a decoder takes for itself, beside the samples.
const WORKSPACE: u64 = 1 << 30;

/// A JPEG is for looking at, so artefacts should not be what one sees; the encoder's default is 75.
const JPEG_QUALITY: u8 = 95;

/// Reads a PNG or JPEG file as a tensor of the given element type and shape, where `None` is a dynamic extent; and what was changed.
///
/// - An EXIF orientation is applied: rows and columns are those that a viewer shows.
/// - Shape: rank 2 is grey H×W. Rank 3 is planar, C×H×W, with C 1 (grey), 3 (RGB; also if C is dynamic) or 4 (RGBA).
///   Grey files fill all colour channels alike; a missing alpha is opaque; alpha that is not asked for is dropped, not blended. CMYK is
///   RGB before anything else.
/// - Colour to grey: luma by the weights 0.2126, 0.7152, 0.0722 of Rec. 709, on the samples as stored.
/// - Values: `u8` has black 0 and white 255; `u16` has white 65535 (samples of 8-bit files times 257); `f16`, `f32`, `f64`
///   have white 1.0, divided in `f64` and rounded to the element. Integers round to the nearest, halves up.
///
/// # Errors
/// [`Error::Read`], [`Error::Content`] (not a PNG or JPEG file), [`Error::Shape`], [`Error::Element`] (signed, wide or
/// truth-value elements).
pub fn read_image(path: impl AsRef<Path>, element: Element, shape: &[Option<usize>]) -> Result<(Buffer, Changes)> {
    let path = path.as_ref();
    check_readable(path, element)?;
    let Decoded { samples, is_cmyk, orientation } = decode(path)?;
    let [height, width, channels] = *samples.shape() else { unreachable!("`decode` gives points of channels") };
    let mismatch = |expected: &str| size_error(path, height, width, expected);
    let planes = planes_of(shape).ok_or_else(|| {
        let expected = pattern_text(shape);
        mismatch(&format!("{expected}, which no image fits: it is HxW, or CxHxW with C 1, 3 or 4"))
    })?;
    let extents = if shape.len() == 2 { vec![height, width] } else { vec![planes, height, width] };
    if !shape_fits(&extents, shape) {
        return Err(mismatch(&pattern_text(shape)));
    }

    let mut buffer = Buffer::try_zeros(element, &extents).ok_or_else(|| mismatch(FITTING))?;
    if let Some(samples) = samples.view::<u8>() {
        fill_planes(&mut buffer, planes, samples, channels, u8::MAX.into());
    } else if let Some(samples) = samples.view::<u16>() {
        fill_planes(&mut buffer, planes, samples, channels, u16::MAX.into());
    }

    let before = if is_cmyk { "CMYK" } else { colour_of(channels) };
    let after = colour_of(planes);
    let changes = Changes {
        orientation: (orientation != Orientation::NoTransforms).then(|| orientation.to_exif()),
        colour: (before != after).then_some((before, after)),
        alpha: match (has_alpha(channels), has_alpha(planes)) {
            (true, false) => Some(Alpha::Dropped),
            (false, true) => Some(Alpha::Added),
            _ => None,
        },
        bits: match (samples.element(), element) {
            (Element::U8, Element::U16) => Some((8, 16)),
            (Element::U16, Element::U8) => Some((16, 8)),
            (Element::U16, Element::F16) => Some((16, f16::MANTISSA_DIGITS)),
            _ => None,
        },
        ..Changes::default()
    };
    Ok((buffer, changes))
}

/// The planes that a picture is read as; `None` where no picture has this shape.
fn planes_of(shape: &[Option<usize>]) -> Option<usize> {
    match shape {
        [_, _] | [Some(1), _, _] => Some(1),
        [None | Some(3), _, _] => Some(3),
        [Some(4), _, _] => Some(4),
        _ => None,
    }
}

/// Whether [`read_image`] reads pictures as this type.
pub(super) fn is_readable(ty: &TensorType) -> bool {
    readable_hint(ty.element).is_none() && planes_of(&ty.shape).is_some()
}

/// Whether [`write_image`] writes this type, by the scale of its elements; and whether as a JPEG, too.
pub(super) fn is_writable(ty: &TensorType) -> (bool, bool) {
    // Planes that are not known now may be too many.
    let has_planes = planes_of(&ty.shape).is_some() && !matches!(ty.shape[..], [None, _, _]);
    let is_writable = unit_levels(ty.element).is_some() && has_planes;
    (is_writable, is_writable && planes_of(&ty.shape) != Some(4))
}

/// The colours of a picture of so many channels, be there alpha or not.
fn colour_of(channels: usize) -> &'static str {
    if channels < 3 { "grey" } else { "RGB" }
}

fn has_alpha(channels: usize) -> bool {
    channels.is_multiple_of(2)
}

/// What an image is expected to be that memory has no room for.
const FITTING: &str = "one that fits into memory";

fn size_error(path: &Path, height: usize, width: usize, expected: &str) -> Error {
    let found = format!("an image of {height}x{width} (height x width)");
    Error::Shape { path: path.to_owned(), found, expected: expected.to_owned() }
}

/// What is in a file.
struct Decoded {
    /// `u8` or `u16`, as height x width x channels, the right way up.
    samples: Buffer,
    /// It had four inks, which the decoder made RGB of.
    is_cmyk: bool,
    /// What was applied.
    orientation: Orientation,
}

/// Decodes a file. Nothing is allocated for what it claims before it is known that there is room.
fn decode(path: &Path) -> Result<Decoded> {
    let unreadable = |source: io::Error| Error::Read { path: path.to_owned(), source };
    let content =
        |found: String, expected: &str| Error::Content { path: path.to_owned(), found, expected: expected.to_owned() };
    let undecodable = |error: ImageError| {
        if let ImageError::Limits(_) = &error {
            let found = format!("an image whose decoder wants more than {} MiB for itself", WORKSPACE >> 20);
            return content(found, &format!("one of at most {POINTS} points"));
        }
        let found = format!("a file that cannot be decoded ({})", one_line(&error.to_string()));
        content(found, "a PNG or JPEG image")
    };
    let bytes = weft_files::bytes(path, weft_files::DATA).map_err(unreadable)?;
    let mut reader = ImageReader::new(Cursor::new(&bytes[..]));
    if let Ok(format) = ImageFormat::from_path(path) {
        reader.set_format(format);
    }
    // By content, not by name: cameras and browsers mislabel files.
    reader = reader.with_guessed_format().map_err(unreadable)?;
    let is_jpeg = reader.format() == Some(ImageFormat::Jpeg);
    let points_per_byte = if is_jpeg { JPEG_POINTS_PER_BYTE } else { PNG_POINTS_PER_BYTE };
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(WORKSPACE);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(undecodable)?;
    let orientation = decoder.orientation().map_err(undecodable)?;

    let (width, height) = decoder.dimensions();
    let too_large = |expected: &str| size_error(path, height as usize, width as usize, expected);
    if u64::from(width) * u64::from(height) > POINTS {
        return Err(too_large(&format!("at most {POINTS} points")));
    }
    let most = points_per_byte.saturating_mul(bytes.len() as u64);
    if u64::from(width) * u64::from(height) > most {
        return Err(too_large(&format!("at most {most} points, for which {} bytes suffice", bytes.len())));
    }
    let color = decoder.color_type();
    let channels = usize::from(color.channel_count());
    let element = match usize::from(color.bytes_per_pixel()) / channels {
        1 => Element::U8,
        2 => Element::U16,
        _ => return Err(content(format!("samples of {color:?}"), "8 or 16 bits a sample")),
    };
    let extents = [height as usize, width as usize, channels];
    // On its way are coefficients, of two bytes each, in vectors that must not fail.
    let has_room = !is_jpeg || Buffer::fits(Element::U32, &extents);
    let samples = Buffer::try_zeros(element, &extents).filter(|_| has_room);
    let mut samples = samples.ok_or_else(|| too_large(FITTING))?;
    decoder.read_image(samples.bytes_mut()).map_err(undecodable)?;
    let samples = upright(samples, orientation).ok_or_else(|| too_large(FITTING))?;
    Ok(Decoded { samples, is_cmyk: is_jpeg && is_cmyk(&bytes), orientation })
}

/// Whether a JPEG has four inks, which `image` does not say.
fn is_cmyk(bytes: &[u8]) -> bool {
    let mut decoder = zune_jpeg::JpegDecoder::new(ZCursor::new(bytes));
    let is_decoded = decoder.decode_headers().is_ok();
    is_decoded && matches!(decoder.input_colorspace(), Some(ColorSpace::CMYK | ColorSpace::YCCK))
}

/// Points of channels, the way up that an orientation says; `None` if there is no room for a second picture. (`image` has the same for
/// pictures of its own, in memory that must not fail.)
fn upright(samples: Buffer, orientation: Orientation) -> Option<Buffer> {
    // Whether columns become rows, and whether rows and columns of the file are walked from their end.
    let (transposed, up, left) = match orientation {
        Orientation::NoTransforms => return Some(samples),
        Orientation::FlipHorizontal => (false, false, true),
        Orientation::Rotate180 => (false, true, true),
        Orientation::FlipVertical => (false, true, false),
        Orientation::Rotate90FlipH => (true, false, false),
        Orientation::Rotate90 => (true, true, false),
        Orientation::Rotate270FlipH => (true, true, true),
        Orientation::Rotate270 => (true, false, true),
    };
    let [rows, columns, channels] = *samples.shape() else { unreachable!("`decode` gives points of channels") };
    let (height, width) = if transposed { (columns, rows) } else { (rows, columns) };
    let mut turned = Buffer::try_zeros(samples.element(), &[height, width, channels])?;
    let size = channels * samples.element().size();
    let from = samples.bytes();
    for (number, point) in turned.bytes_mut().chunks_exact_mut(size).enumerate() {
        let (y, x) = (number / width, number % width);
        let (row, column) = if transposed { (x, y) } else { (y, x) };
        let row = if up { rows - 1 - row } else { row };
        let column = if left { columns - 1 - column } else { column };
        point.copy_from_slice(&from[(row * columns + column) * size..][..size]);
    }
    Some(turned)
}

/// What is expected in place of an element type that no picture is read as.
fn readable_hint(element: Element) -> Option<&'static str> {
    match element {
        Element::U8 | Element::U16 | Element::F16 | Element::F32 | Element::F64 => None,
        Element::I8 | Element::I16 => Some("u8, u16, f16, f32 or f64 (mark the argument weft.unsigned)"),
        _ => Some("u8, u16, f16, f32 or f64"),
    }
}

fn check_readable(path: &Path, element: Element) -> Result<()> {
    let Some(hint) = readable_hint(element) else { return Ok(()) };
    let found = format!("an image for elements of type {element}");
    Err(Error::Element { path: path.to_owned(), found, expected: hint.to_owned() })
}

/// Spreads interleaved samples of `channels` channels over the planes of the buffer.
fn fill_planes<P: Copy + Into<u64>>(buffer: &mut Buffer, planes: usize, samples: &[P], channels: usize, white: u64) {
    let luma = planes == 1 && channels >= 3;
    let denominator = if luma { white * LUMA_SUM } else { white };
    let alpha = has_alpha(channels).then(|| channels - 1);
    let element = buffer.element();
    let size = buffer.len() / planes;
    let numerator = |pixel: &[P], plane: usize| -> u64 {
        match (plane, alpha) {
            (3, Some(alpha)) => pixel[alpha].into(),
            (3, None) => white,
            _ if luma => pixel.iter().zip(LUMA).map(|(sample, weight)| (*sample).into() * weight).sum(),
            // Grey, with or without alpha, fills every colour alike.
            _ if channels < 3 => pixel[0].into(),
            _ => pixel[plane].into(),
        }
    };
    with_sample_type!(element, T => {
        let greatest = if element.kind() == Kind::I8 { 255 } else { 65_535 };
        let convert = |numerator: u64| -> T {
            if element.kind().is_float() {
                T::nearest(numerator as f64 / denominator as f64)
            } else {
                // Nearest, halves up, in integers: at most 2 * 65535 * 10000 * 65535, far from overflow.
                T::nearest(((2 * numerator * greatest + denominator) / (2 * denominator)) as f64)
            }
        };
        let values = bytemuck::cast_slice_mut::<u8, T>(buffer.bytes_mut());
        // `chunks_exact_mut` panics on zero, but no decoder gives an image without pixels; one would have no planes to fill.
        for (plane, values) in values.chunks_exact_mut(size.max(1)).enumerate() {
            for (value, pixel) in values.iter_mut().zip(samples.chunks_exact(channels)) {
                *value = convert(numerator(pixel, plane));
            }
        }
    });
}

/// Writes a tensor as `.png`, `.jpg` or `.jpeg`: H×W or 1×H×W as grey, 3×H×W as RGB, 4×H×W as RGBA (PNG only).
///
/// `u16` gives a PNG of 16 bits a sample, everything else 8 bits. Values between the black and the white of `scale` are
/// computed in `f64` and rounded to the nearest (halves up); values beyond are clamped; NaN is black: how many, it says. The file
/// appears complete or not at all.
///
/// # Errors
/// [`Error::Extension`], [`Error::Shape`], [`Error::Element`], [`Error::Write`].
pub fn write_image(path: impl AsRef<Path>, buffer: &Buffer, scale: Scale) -> Result<Changes> {
    let path = path.as_ref();
    let (file, changes) = begin_image(path, buffer, scale)?;
    file.finish().map_err(|source| Error::Write { path: path.to_owned(), source })?;
    Ok(changes)
}

/// [`write_image`], to be finished.
pub(super) fn begin_image(path: &Path, buffer: &Buffer, scale: Scale) -> Result<(Whole, Changes)> {
    let jpeg = match extension(path).as_str() {
        "png" => false,
        "jpg" | "jpeg" => true,
        _ => return Err(extension_error(path, ".png, .jpg or .jpeg")),
    };
    let mismatch = |expected: &str| Error::Shape {
        path: path.to_owned(),
        found: format!("a tensor of {}", shape_text(buffer.shape())),
        expected: expected.to_owned(),
    };
    let (planes, height, width) = match *buffer.shape() {
        [height, width] => (1, height, width),
        [planes @ (1 | 3), height, width] => (planes, height, width),
        [4, height, width] if !jpeg => (4, height, width),
        [4, _, _] => return Err(mismatch("HxW, 1xHxW or 3xHxW (JPEG has no alpha)")),
        _ => return Err(mismatch("an image: HxW, or CxHxW with C 1, 3 or 4")),
    };
    if height == 0 || width == 0 {
        return Err(mismatch("at least one row and one column"));
    }
    let (Ok(pixel_height), Ok(pixel_width)) = (u32::try_from(height), u32::try_from(width)) else {
        return Err(mismatch("an image of less than 2^32 rows and columns"));
    };

    let (black, white) = levels(path, buffer, scale)?;
    let deep = buffer.element() == Element::U16 && !jpeg;
    let mut changes = Changes::default();
    if buffer.element() == Element::U16 && jpeg {
        changes.bits = Some((16, 8));
    }
    let bytes = if deep {
        let quantise = |level: f64| (level * 65_535.0).round() as u16;
        bytemuck::cast_slice(&interleave(buffer, planes, (black, white), quantise, &mut changes)).to_vec()
    } else {
        interleave(buffer, planes, (black, white), |level| (level * 255.0).round() as u8, &mut changes)
    };
    let color = match (planes, deep) {
        (1, false) => ExtendedColorType::L8,
        (3, false) => ExtendedColorType::Rgb8,
        (_, false) => ExtendedColorType::Rgba8,
        (1, true) => ExtendedColorType::L16,
        (3, true) => ExtendedColorType::Rgb16,
        (_, true) => ExtendedColorType::Rgba16,
    };
    let failed = |source| Error::Write { path: path.to_owned(), source };
    let plain = |error| match error {
        ImageError::IoError(error) => failed(error),
        other => failed(io::Error::other(one_line(&other.to_string()))),
    };
    let mut file = Whole::create(path).map_err(failed)?;
    let encoded = if jpeg {
        JpegEncoder::new_with_quality(&mut file, JPEG_QUALITY).write_image(&bytes, pixel_width, pixel_height, color)
    } else {
        PngEncoder::new(&mut file).write_image(&bytes, pixel_width, pixel_height, color)
    };
    encoded.map_err(plain)?;
    Ok((file, changes))
}

/// The values that become black and white.
fn levels(path: &Path, buffer: &Buffer, scale: Scale) -> Result<(f64, f64)> {
    match scale {
        // Without a finite value there is nothing to span; then the unit will do.
        Scale::Range => Ok(buffer.min_max().unwrap_or((0.0, 1.0))),
        Scale::Unit => unit_levels(buffer.element()).ok_or_else(|| Error::Element {
            path: path.to_owned(),
            found: format!("elements of type {}", buffer.element()),
            expected: "u8, u16, f16, f32, f64 or i1 (other integers need the range scale)".to_owned(),
        }),
    }
}

/// The same by the element type alone, where it has a scale.
fn unit_levels(element: Element) -> Option<(f64, f64)> {
    match element {
        Element::F16 | Element::F32 | Element::F64 | Element::I1 => Some((0.0, 1.0)),
        Element::U8 => Some((0.0, 255.0)),
        Element::U16 => Some((0.0, 65_535.0)),
        _ => None,
    }
}

/// Planes to pixels; `quantise` gets levels from 0 to 1. What is beyond, or no number, is counted.
fn interleave<P: Clone + Default>(
    buffer: &Buffer,
    planes: usize,
    (black, white): (f64, f64),
    quantise: impl Fn(f64) -> P,
    changes: &mut Changes,
) -> Vec<P> {
    let mut pixels = vec![P::default(); buffer.len()];
    let size = buffer.len() / planes;
    // Halves, because the distance between two finite f64 may not be finite.
    let span = white / 2.0 - black / 2.0;
    with_sample_type!(buffer.element(), T => {
        let values = bytemuck::cast_slice::<u8, T>(buffer.bytes());
        for (plane, values) in values.chunks_exact(size).enumerate() {
            for (pixel, value) in pixels.chunks_exact_mut(planes).zip(values) {
                let value = value.to_f64();
                changes.nan += usize::from(value.is_nan());
                changes.infinite += usize::from(value.is_infinite());
                changes.clipped += usize::from(value.is_finite() && !(black..=white).contains(&value));
                let level = (value / 2.0 - black / 2.0) / span;
                // A constant tensor has span 0 and gives 0/0, NaN, as a NaN element does: black.
                let level = if level.is_nan() { 0.0 } else { level.clamp(0.0, 1.0) };
                pixel[plane] = quantise(level);
            }
        }
    });
    pixels
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::names::tests::{Folder, message};
    use image::{DynamicImage, GrayAlphaImage, GrayImage, ImageBuffer, Rgb, RgbImage, RgbaImage};
    use std::fs;

    const GREY: [Option<usize>; 2] = [None, None];

    fn save(folder: &Folder, name: &str, image: impl Into<DynamicImage>) -> std::path::PathBuf {
        let path = folder.file(name);
        image.into().save(&path).expect("the temporary folder can be written");
        path
    }

    fn grey(width: u32, samples: &[u8]) -> GrayImage {
        let height = samples.len() as u32 / width;
        GrayImage::from_raw(width, height, samples.to_vec()).expect("the length fits")
    }

    fn rgb(width: u32, samples: &[u8]) -> RgbImage {
        let height = samples.len() as u32 / width / 3;
        RgbImage::from_raw(width, height, samples.to_vec()).expect("the length fits")
    }

    fn values<T: Sample>(result: Result<(Buffer, Changes)>) -> Vec<T> {
        let (buffer, _) = result.expect("it can be read");
        buffer.view::<T>().expect("it has the type that was asked for").to_vec()
    }

    #[test]
    fn grey_files_fill_every_element_type() {
        let folder = Folder::new();
        let all: Vec<u8> = (0..=255).collect();
        let path = save(&folder, "ramp.png", grey(16, &all));
        assert_eq!(values::<u8>(read_image(&path, Element::U8, &GREY)), all);
        let words: Vec<u16> = (0..=255).map(|v| v * 257).collect();
        assert_eq!(values::<u16>(read_image(&path, Element::U16, &GREY)), words);
        let doubles: Vec<f64> = all.iter().map(|v| f64::from(*v) / 255.0).collect();
        assert_eq!(values::<f64>(read_image(&path, Element::F64, &GREY)), doubles);
        let singles: Vec<f32> = doubles.iter().map(|v| *v as f32).collect();
        assert_eq!(values::<f32>(read_image(&path, Element::F32, &GREY)), singles);
        let halves: Vec<f16> = doubles.iter().map(|v| f16::from_f64(*v)).collect();
        assert_eq!(values::<f16>(read_image(&path, Element::F16, &GREY)), halves);
        let whole = read_image(&path, Element::U8, &[Some(16), Some(16)]).expect("the extents fit");
        assert_eq!(whole.0.shape(), [16, 16]);
        assert_eq!(read_image(&path, Element::U8, &[Some(1), None, None]).expect("it fits").0.shape(), [1, 16, 16]);
    }

    #[test]
    fn deep_files_round_to_u8_and_keep_u16() {
        let folder = Folder::new();
        let samples: Vec<u16> = vec![0, 128, 129, 257, 385, 386, 65_406, 65_407, 65_535, 32_896, 1, 40_000];
        let image = ImageBuffer::<image::Luma<u16>, _>::from_raw(4, 3, samples.clone()).expect("the length fits");
        let path = save(&folder, "deep.png", image);
        assert_eq!(values::<u16>(read_image(&path, Element::U16, &GREY)), samples);
        let bytes: Vec<u8> = samples.iter().map(|v| (f64::from(*v) / 257.0).round() as u8).collect();
        assert_eq!(values::<u8>(read_image(&path, Element::U8, &GREY)), bytes);
        let singles: Vec<f32> = samples.iter().map(|v| (f64::from(*v) / 65_535.0) as f32).collect();
        assert_eq!(values::<f32>(read_image(&path, Element::F32, &GREY)), singles);
    }

    #[test]
    fn colour_becomes_planes_or_luma() {
        let folder = Folder::new();
        let path = save(&folder, "colour.png", rgb(2, &[255, 0, 0, 0, 255, 0, 0, 0, 255, 10, 20, 30]));
        let planes = [255u8, 0, 0, 10, 0, 255, 0, 20, 0, 0, 255, 30];
        for first in [Some(3), None] {
            let shape = [first, Some(2), Some(2)];
            assert_eq!(values::<u8>(read_image(&path, Element::U8, &shape)), planes);
        }
        let with_alpha = values::<u8>(read_image(&path, Element::U8, &[Some(4), None, None]));
        assert_eq!(with_alpha, [&planes[..], &[255; 4]].concat());
        // 0.2126 * 255 = 54.213, 0.7152 * 255 = 182.376, 0.0722 * 255 = 18.411; 2.126 + 14.304 + 2.166 = 18.596
        assert_eq!(values::<u8>(read_image(&path, Element::U8, &GREY)), [54, 182, 18, 19]);
        let luma = [0.2126, 0.7152, 0.0722, 18.596 / 255.0].map(|v: f64| v as f32);
        assert_eq!(values::<f32>(read_image(&path, Element::F32, &GREY)), luma);
        assert_eq!(values::<u16>(read_image(&path, Element::U16, &GREY)), [13_933, 46_871, 4_732, 4_779]);
    }

    #[test]
    fn luma_of_grey_is_exact() {
        let folder = Folder::new();
        let samples: Vec<u8> = (0..=255).flat_map(|v| [v; 3]).collect();
        let path = save(&folder, "grey-rgb.png", rgb(16, &samples));
        assert_eq!(values::<u8>(read_image(&path, Element::U8, &GREY)), (0..=255).collect::<Vec<u8>>());
        let expected: Vec<f64> = (0..=255).map(|v| f64::from(v) / 255.0).collect();
        assert_eq!(values::<f64>(read_image(&path, Element::F64, &GREY)), expected);
    }

    #[test]
    fn alpha_is_kept_when_asked_for_and_dropped_when_not() {
        let folder = Folder::new();
        let rgba = RgbaImage::from_raw(1, 2, vec![1, 2, 3, 4, 5, 6, 7, 8]).expect("the length fits");
        let path = save(&folder, "rgba.png", rgba);
        assert_eq!(values::<u8>(read_image(&path, Element::U8, &[Some(4), None, None])), [1, 5, 2, 6, 3, 7, 4, 8]);
        assert_eq!(values::<u8>(read_image(&path, Element::U8, &[Some(3), None, None])), [1, 5, 2, 6, 3, 7]);
        assert_eq!(values::<u8>(read_image(&path, Element::U8, &GREY)), [2, 6]);
        let la = GrayAlphaImage::from_raw(1, 2, vec![9, 100, 8, 200]).expect("the length fits");
        let path = save(&folder, "la.png", la);
        assert_eq!(values::<u8>(read_image(&path, Element::U8, &[Some(4), None, None])), [9, 8, 9, 8, 9, 8, 100, 200]);
        assert_eq!(values::<u8>(read_image(&path, Element::U8, &GREY)), [9, 8]);
    }

    #[test]
    fn files_are_known_by_content() {
        let folder = Folder::new();
        let path = save(&folder, "a.png", grey(2, &[1, 2, 3, 4]));
        let mislabelled = folder.file("b.jpg");
        fs::rename(path, &mislabelled).expect("the folder can be written");
        assert_eq!(values::<u8>(read_image(&mislabelled, Element::U8, &GREY)), [1, 2, 3, 4]);
    }

    /// The decoder would make up what is not there.
    #[test]
    fn a_jpeg_has_bytes_for_its_points() {
        let folder = Folder::new();
        let path = save(&folder, "a.jpg", grey(3, &[0, 50, 100, 150, 200, 250]));
        let mut bytes = fs::read(&path).expect("it was written");
        let frame = bytes.windows(2).position(|marker| marker == [0xff, 0xc0]).expect("the header of a frame");
        bytes[frame + 5..frame + 9].copy_from_slice(&[0xff; 4]);
        fs::write(&path, &bytes).expect("the folder can be written");
        assert_eq!(
            message(read_image(&path, Element::U8, &GREY), &folder),
            format!(
                "a.jpg: found an image of 65535x65535 (height x width), expected at most {} points, for which {} bytes suffice",
                512 * bytes.len(),
                bytes.len()
            )
        );
        // White of 2000x2000 takes hardly more bytes than it must.
        let path = save(&folder, "b.jpg", GrayImage::from_pixel(2000, 2000, image::Luma([255])));
        assert!(read_image(&path, Element::U8, &GREY).is_ok());
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let folder = Folder::new();
        let path = save(&folder, "a.png", rgb(3, &[0; 18]));
        let read = |element, shape: &[Option<usize>]| message(read_image(&path, element, shape), &folder);
        assert_eq!(
            read(Element::F32, &[None, Some(512)]),
            "a.png: found an image of 2x3 (height x width), expected ?x512"
        );
        assert_eq!(
            read(Element::F32, &[Some(3), Some(3), Some(2)]),
            "a.png: found an image of 2x3 (height x width), expected 3x3x2"
        );
        assert_eq!(
            read(Element::F32, &[None, None, Some(3), Some(2)]),
            "a.png: found an image of 2x3 (height x width), expected ?x?x3x2, which no image fits: it is HxW, or CxHxW with \
             C 1, 3 or 4"
        );
        assert_eq!(
            read(Element::F32, &[Some(2), Some(2), Some(3)]),
            "a.png: found an image of 2x3 (height x width), expected 2x2x3, which no image fits: it is HxW, or CxHxW with \
             C 1, 3 or 4"
        );
        for (element, name) in [(Element::I8, "i8"), (Element::I16, "i16")] {
            assert_eq!(
                read(element, &GREY),
                format!(
                    "a.png: found an image for elements of type {name}, expected u8, u16, f16, f32 or f64 (mark the argument \
                     weft.unsigned)"
                )
            );
        }
        for (element, name) in
            [(Element::I1, "i1"), (Element::I32, "i32"), (Element::U32, "u32"), (Element::U64, "u64")]
        {
            assert_eq!(
                read(element, &GREY),
                format!("a.png: found an image for elements of type {name}, expected u8, u16, f16, f32 or f64")
            );
        }
        let text = folder.file("text.png");
        fs::write(&text, "hello").expect("the folder can be written");
        assert_eq!(
            message(read_image(&text, Element::F32, &GREY), &folder),
            "text.png: found a file that cannot be decoded (Format error decoding Png: Invalid PNG signature.), expected a \
             PNG or JPEG image"
        );
        let whole = fs::read(&path).expect("it is there");
        let cut = folder.file("cut.png");
        fs::write(&cut, &whole[..whole.len() / 2]).expect("the folder can be written");
        let text = message(read_image(&cut, Element::F32, &GREY), &folder);
        assert!(text.starts_with("cut.png: found a file that cannot be decoded ("), "{text}");
        assert!(text.ends_with("), expected a PNG or JPEG image"), "{text}");
    }

    #[test]
    fn floats_are_clamped_and_rounded() {
        let folder = Folder::new();
        let path = folder.file("a.png");
        let nan = f32::NAN;
        let inf = f32::INFINITY;
        let samples = [0.0f32, 1.0, 0.5, 0.25, -0.5, 2.0, nan, inf, -inf, 0.499 / 255.0, 0.501 / 255.0, 254.6 / 255.0];
        write_image(&path, &Buffer::from_slice(&[3, 4], &samples), Scale::Unit).expect("it can be written");
        let expected = [0, 255, 128, 64, 0, 255, 0, 255, 0, 0, 1, 255];
        assert_eq!(values::<u8>(read_image(&path, Element::U8, &GREY)), expected);
    }

    #[test]
    fn ranges_span_black_to_white() {
        let folder = Folder::new();
        let path = folder.file("a.png");
        let written = |buffer: &Buffer| {
            write_image(&path, buffer, Scale::Range).expect("it can be written");
            values::<u8>(read_image(&path, Element::U8, &GREY))
        };
        let inf = f32::INFINITY;
        let floats = Buffer::from_slice(&[1, 6], &[-3.0f32, 1.0, -1.0, f32::NAN, inf, -inf]);
        assert_eq!(written(&floats), [0, 255, 128, 0, 255, 0]);
        assert_eq!(written(&Buffer::from_slice(&[1, 3], &[-100i32, 0, 155])), [0, 100, 255]);
        assert_eq!(written(&Buffer::from_slice(&[1, 2], &[7.5f64, 7.5])), [0, 0]);
        assert_eq!(written(&Buffer::from_slice(&[1, 3], &[f64::MIN, 0.0, f64::MAX])), [0, 128, 255]);
        assert_eq!(written(&Buffer::from_slice(&[1, 2], &[f32::NAN, inf])), [0, 255]);
        assert_eq!(written(&Buffer::from_slice(&[1, 3], &[50u8, 51, 52])), [0, 128, 255]);
    }

    #[test]
    fn integers_and_floats_survive_the_round_trip() {
        let folder = Folder::new();
        let shapes: [&[usize]; 4] = [&[9, 13], &[1, 9, 13], &[3, 9, 13], &[4, 9, 13]];
        for (seed, shape) in shapes.into_iter().enumerate() {
            let dynamic: Vec<Option<usize>> = shape.iter().copied().map(Some).collect();
            let path = folder.file("a.png");
            for element in [Element::U8, Element::U16] {
                let buffer = Buffer::random(element, shape, seed as u64);
                write_image(&path, &buffer, Scale::Unit).expect("it can be written");
                let (back, _) = read_image(&path, element, &dynamic).expect("it can be read");
                assert_eq!(buffer.first_difference(&back), None);
            }
            // 8-bit samples come back through every float type.
            let bytes = Buffer::random(Element::U8, shape, seed as u64);
            write_image(&path, &bytes, Scale::Unit).expect("it can be written");
            for element in [Element::F16, Element::F32, Element::F64, Element::U16] {
                let other = folder.file("b.png");
                let (floats, _) = read_image(&path, element, &dynamic).expect("it can be read");
                write_image(&other, &floats, Scale::Unit).expect("it can be written");
                let (back, _) = read_image(&other, Element::U8, &dynamic).expect("it can be read");
                assert_eq!(bytes.first_difference(&back), None, "{element}");
            }
        }
        let truth = Buffer::random(Element::I1, &[9, 13], 3);
        let path = folder.file("c.png");
        write_image(&path, &truth, Scale::Unit).expect("it can be written");
        let expected: Vec<u8> = truth.bytes().iter().map(|v| v * 255).collect();
        assert_eq!(values::<u8>(read_image(&path, Element::U8, &GREY)), expected);
        assert_eq!(folder.names(), ["a.png", "b.png", "c.png"]);
    }

    #[test]
    fn u16_is_written_with_16_bits() {
        let folder = Folder::new();
        let path = folder.file("a.png");
        write_image(&path, &Buffer::random(Element::U16, &[3, 4, 5], 1), Scale::Unit).expect("it can be written");
        let image = image::open(&path).expect("it can be read");
        assert_eq!(image.color(), image::ColorType::Rgb16);
        let _: &ImageBuffer<Rgb<u16>, Vec<u16>> = image.as_rgb16().expect("it is RGB of 16 bits");
    }

    #[test]
    fn jpeg_is_close() {
        let folder = Folder::new();
        let path = folder.file("a.jpg");
        let ramp: Vec<f32> = (0..3 * 32 * 32).map(|i| (i % 32) as f32 / 31.0).collect();
        write_image(&path, &Buffer::from_slice(&[3, 32, 32], &ramp), Scale::Unit).expect("it can be written");
        let back = values::<f32>(read_image(&path, Element::F32, &[None, Some(32), Some(32)]));
        assert!(ramp.iter().zip(&back).all(|(a, b)| (a - b).abs() < 0.03));
        let deep: Vec<u16> = ramp[..1024].iter().map(|v| (v * 65_535.0) as u16).collect();
        write_image(&path, &Buffer::from_slice(&[32, 32], &deep), Scale::Unit).expect("it can be written");
        let back = values::<f32>(read_image(&path, Element::F32, &GREY));
        assert!(ramp.iter().zip(&back).all(|(a, b)| (a - b).abs() < 0.03));
    }

    #[test]
    fn what_cannot_be_written_is_named() {
        let folder = Folder::new();
        let write = |name: &str, element, shape: &[usize]| {
            let buffer = Buffer::zeros(element, shape);
            message(write_image(folder.file(name), &buffer, Scale::Unit), &folder)
        };
        let f32 = Element::F32;
        assert_eq!(write("a.npy", f32, &[2, 2]), "a.npy: found the extension .npy, expected .png, .jpg or .jpeg");
        assert_eq!(
            write("a.png", f32, &[2, 2, 2]),
            "a.png: found a tensor of 2x2x2, expected an image: HxW, or CxHxW with C 1, 3 or 4"
        );
        assert_eq!(
            write("a.png", f32, &[]),
            "a.png: found a tensor of a single value, expected an image: HxW, or CxHxW with C 1, 3 or 4"
        );
        assert_eq!(
            write("a.jpg", f32, &[4, 2, 2]),
            "a.jpg: found a tensor of 4x2x2, expected HxW, 1xHxW or 3xHxW (JPEG has no alpha)"
        );
        assert_eq!(
            write("a.png", f32, &[0, 2]),
            "a.png: found a tensor of 0x2, expected at least one row and one column"
        );
        assert_eq!(
            write("a.png", Element::I32, &[2, 2]),
            "a.png: found elements of type i32, expected u8, u16, f16, f32, f64 or i1 (other integers need the range scale)"
        );
        assert_eq!(folder.names(), [""; 0]);
        // An encoder that fails leaves nothing either: JPEG ends at 65535 columns.
        let text = write("wide.jpg", Element::U8, &[1, 70_000]);
        assert!(text.starts_with("wide.jpg: cannot be written: "), "{text}");
        assert_eq!(folder.names(), [""; 0]);
    }
}
