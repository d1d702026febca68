//! Reading all of a file that may have no end: a device, or a pipe that somebody fills for ever. So there is a limit to what is taken,
//! far above what is useful and below what a machine has.

use std::{
    fs::File,
    io::{self, ErrorKind, Read},
    path::Path,
};

/// The most bytes of a text: IR, Forma, PTX, JSON, TOML.
pub const TEXT: u64 = 256 << 20;

/// The most bytes of a file that is not read as text: a picture as it is compressed, IR as bytecode, a piece of a trace.
pub const DATA: u64 = 1 << 30;

/// All of a file, if it has no more bytes than that.
///
/// # Errors
///
/// A file that cannot be read, or is longer.
pub fn bytes(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    limited(File::open(path)?, most)
}

/// All of a stream, if it has no more bytes than that.
///
/// # Errors
///
/// A stream that cannot be read, or is longer; too little memory, too.
pub fn limited(stream: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // One byte more tells a stream of just that length from a longer one.
    stream.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::new(ErrorKind::FileTooLarge, format!("it has more than {} MiB", most >> 20)));
    }
    Ok(bytes)
}

/// A file as text; the error is a line that names it.
///
/// # Errors
///
/// A file that cannot be read, is longer than [`TEXT`], or is no text.
pub fn text(path: &Path, language: &str) -> Result<String, String> {
    let name = path.display();
    text_of(&name.to_string(), bytes(path, TEXT), language)
}

/// What was read under a name, as text; the error is a line with the name.
///
/// # Errors
///
/// What could not be read, or is no text.
pub fn text_of(name: &str, read: io::Result<Vec<u8>>, language: &str) -> Result<String, String> {
    let bytes = read.map_err(|error| format!("{name}: cannot be read: {error}"))?;
    String::from_utf8(bytes).map_err(|_| format!("{name}: is not text, expected {language}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_end_is_an_error() {
        assert_eq!(limited(io::repeat(1).take(8), 8).map(|bytes| bytes.len()).ok(), Some(8));
        let error = limited(io::repeat(1), 1 << 20).expect_err("there is no end");
        assert_eq!(error.to_string(), "it has more than 1 MiB");
        let error = text(Path::new("/dev/zero"), "MLIR").expect_err("there is no end");
        assert_eq!(error, "/dev/zero: cannot be read: it has more than 256 MiB");
    }
}
