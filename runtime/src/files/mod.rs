//! Files: an image or an array is read and written in the format that the extension of its name says.
//!
//! Photographs are in `image_io`, arrays in `npy`; both give a file that is written and not yet ended, so that several can appear
//! together; and what either of them changed of a tensor, in words of `changes`. The wing imports tensors (`buffer`) and errors
//! (`error`) only; in it, the formats do not know of each other, nor of this choice between them.

mod changes;
mod image_io;
mod names;
mod npy;

use std::path::Path;

use weft_files::{Whole, finish_all};

use crate::buffer::{Buffer, Element, TensorType};
use crate::error::{Error, Result};
use names::{extension, extension_error};

pub use changes::{Alpha, Changes};
pub use image_io::{Scale, read_image, write_image};
pub use npy::{Integers, npy_type, read_npy, write_npy};

/// Writes several tensors: all of the files or none; and says what was changed of each. No target is replaced before the last one is
/// complete.
///
/// # Errors
/// Those of [`store`]; then no target has changed.
pub fn store_all(files: &[(impl AsRef<Path>, &Buffer)], scale: Scale) -> Result<Vec<Changes>> {
    let begun = files.iter().map(|(path, buffer)| begin(path.as_ref(), buffer, scale)).collect::<Result<Vec<_>>>()?;
    let (begun, changes) = begun.into_iter().unzip();
    finish_all(begun).map_err(|(number, source)| Error::Write { path: files[number].0.as_ref().to_owned(), source })?;
    Ok(changes)
}

/// What an extension can be.
const FORMATS: &str = ".png, .jpg, .jpeg or .npy";

/// Reads a file as an argument of this element type and shape (`None` = dynamic extent): `.png`, `.jpg` and `.jpeg` by
/// [`read_image`], `.npy` by [`read_npy`].
pub fn load(
    path: impl AsRef<Path>,
    element: Element,
    shape: &[Option<usize>],
    integers: Option<Integers>,
) -> Result<(Buffer, Changes)> {
    let path = path.as_ref();
    match extension(path).as_str() {
        "png" | "jpg" | "jpeg" => read_image(path, element, shape),
        "npy" => read_npy(path, element, shape, integers),
        _ => Err(extension_error(path, FORMATS)),
    }
}

/// Writes a tensor to a file: `.png`, `.jpg` and `.jpeg` by [`write_image`], `.npy` by [`write_npy`], which
/// writes the values as they are and does not use `scale`.
pub fn store(path: impl AsRef<Path>, buffer: &Buffer, scale: Scale) -> Result<Changes> {
    Ok(store_all(&[(path, buffer)], scale)?.into_iter().next().unwrap_or_default())
}

/// A file with a tensor in it, to be finished.
fn begin(path: &Path, buffer: &Buffer, scale: Scale) -> Result<(Whole, Changes)> {
    match extension(path).as_str() {
        "png" | "jpg" | "jpeg" => image_io::begin_image(path, buffer, scale),
        "npy" => Ok((npy::begin_npy(path, buffer)?, Changes::default())),
        _ => Err(extension_error(path, FORMATS)),
    }
}

/// The formats that an argument of this type is [read](load) from, by their extensions.
pub fn formats_read(ty: &TensorType) -> &'static [&'static str] {
    if image_io::is_readable(ty) { &["png", "jpg", "npy"] } else { &["npy"] }
}

/// The formats that a result of this type is [written](store) in by the scale of its elements.
pub fn formats_written(ty: &TensorType) -> &'static [&'static str] {
    match image_io::is_writable(ty) {
        (true, true) => &["png", "jpg", "npy"],
        (true, false) => &["png", "npy"],
        (false, _) => &["npy"],
    }
}

/// Whether [`store`] will know the format of a file: asked before the work is done that ends in the file.
///
/// # Errors
/// [`Error::Extension`]
pub fn check_extension(path: &Path) -> Result<()> {
    match extension(path).as_str() {
        "png" | "jpg" | "jpeg" | "npy" => Ok(()),
        _ => Err(extension_error(path, FORMATS)),
    }
}

#[cfg(test)]
mod tests {
    use super::names::tests::{Folder, message};
    use super::*;

    #[test]
    fn extensions_choose_the_format() {
        let folder = Folder::new();
        let buffer = Buffer::random(Element::U8, &[5, 7], 1);
        for name in ["a.png", "b.PNG", "c.npy"] {
            store(folder.file(name), &buffer, Scale::Unit).expect("it can be written");
            let (back, _) = load(folder.file(name), Element::U8, &[None, None], None).expect("it can be read");
            assert_eq!(buffer.first_difference(&back), None);
        }
        store(folder.file("d.jpg"), &buffer, Scale::Unit).expect("it can be written");
        let (back, _) = load(folder.file("d.jpg"), Element::U8, &[Some(5), None], None).expect("it can be read");
        assert_eq!(back.shape(), [5, 7]);
        assert_eq!(
            message(load(folder.file("e.tiff"), Element::U8, &[None], None), &folder),
            "e.tiff: found the extension .tiff, expected .png, .jpg, .jpeg or .npy"
        );
        assert_eq!(
            message(store(folder.file("e"), &buffer, Scale::Unit), &folder),
            "e: found no extension, expected .png, .jpg, .jpeg or .npy"
        );
        assert_eq!(folder.names(), ["a.png", "b.PNG", "c.npy", "d.jpg"]);
    }

    /// What is written of values that a picture has no room for, and what is said of it.
    #[test]
    fn what_is_beyond_black_and_white_is_counted() {
        let folder = Folder::new();
        let (nan, inf) = (f32::NAN, f32::INFINITY);
        let values = Buffer::from_slice(&[2, 4], &[0.0f32, 1.0, 0.3, -0.5, 2.0, nan, inf, -inf]);
        let written = |name: &str, buffer: &Buffer, scale| store(folder.file(name), buffer, scale).expect("written");
        for name in ["a.png", "a.jpg"] {
            let changes = written(name, &values, Scale::Unit);
            assert_eq!(changes, Changes { clipped: 2, nan: 1, infinite: 2, ..Changes::default() });
            assert_eq!(changes.to_string(), "2 values clipped; 1 NaN to black; 2 infinities clipped");
        }
        // The least and the greatest are black and white: none is beyond.
        let changes = written("a.png", &values, Scale::Range);
        assert_eq!(changes, Changes { nan: 1, infinite: 2, ..Changes::default() });
        assert!(written("a.npy", &values, Scale::Unit).is_empty());

        let deep = Buffer::random(Element::U16, &[3, 8, 8], 1);
        assert_eq!(written("b.jpg", &deep, Scale::Unit), Changes { bits: Some((16, 8)), ..Changes::default() });
        assert!(written("b.png", &deep, Scale::Unit).is_empty());
    }

    /// What a tensor is that was asked for in another form than the file has.
    #[test]
    fn what_a_file_does_not_have_is_said() {
        let folder = Folder::new();
        let read = |name: &str, element, shape: &[Option<usize>]| {
            load(folder.file(name), element, shape, None).expect("it can be read").1
        };
        let (colour, with_alpha) = ([Some(3), None, None], [Some(4), None, None]);
        store(folder.file("rgb.png"), &Buffer::random(Element::U16, &[3, 5, 7], 1), Scale::Unit).expect("written");
        store(folder.file("rgba.png"), &Buffer::random(Element::U8, &[4, 5, 7], 1), Scale::Unit).expect("written");
        let alpha = |alpha| Changes { alpha: Some(alpha), ..Changes::default() };
        assert_eq!(read("rgb.png", Element::F32, &with_alpha), alpha(Alpha::Added));
        assert_eq!(read("rgba.png", Element::F32, &colour), alpha(Alpha::Dropped));
        assert!(read("rgba.png", Element::F32, &with_alpha).is_empty());
        let narrow = Changes { bits: Some((16, 8)), colour: Some(("RGB", "grey")), ..Changes::default() };
        assert_eq!(read("rgb.png", Element::U8, &[None, None]), narrow);
        assert_eq!(narrow.to_string(), "RGB to grey; 16 bits to 8");
        assert_eq!(read("rgb.png", Element::F16, &colour).bits, Some((16, 11)));

        let doubles = [0.5, 0.1, f64::NAN, f64::INFINITY, 1e300];
        store(folder.file("a.npy"), &Buffer::from_slice(&[5], &doubles), Scale::Unit).expect("written");
        let changes = read("a.npy", Element::F32, &[None]);
        assert_eq!(changes, Changes { values: Some((Element::F64, Element::F32, 2)), ..Changes::default() });
        assert_eq!(changes.to_string(), "f64 to f32 changes 2 values");
    }

    #[test]
    fn missing_files_and_folders_are_named() {
        let folder = Folder::new();
        let missing = "cannot be read: No such file or directory (os error 2)";
        for name in ["a.png", "a.npy"] {
            let result = load(folder.file(name), Element::F32, &[None, None], None);
            assert_eq!(message(result, &folder), format!("{name}: {missing}"));
            let result = store(folder.file("no/folder").join(name), &Buffer::zeros(Element::F32, &[2, 2]), Scale::Unit);
            assert_eq!(
                message(result, &folder),
                format!("no/folder/{name}: cannot be written: No such file or directory (os error 2)")
            );
        }
    }
}
