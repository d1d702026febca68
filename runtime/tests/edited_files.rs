//! Readers of files, given valid files with random edits: each is read or refused, nothing panics, and memory stays bounded.
//!
//! ```text
//! valid PNG, JPEG, NPY ──▶ bytes set, flipped, cut out, repeated, cut off; numbers of a header made huge; checksums of PNG put right
//!                      ──▶ load as any element type and shape ──▶ a tensor, or one line
//! ```
//!
//! `COUNT=1000000 cargo test --release -p weft-runtime --test edited_files -- --nocapture` tries a million, and says how many were read;
//! `SEED=N` begins elsewhere. A case depends on its number alone: that of one that panics is printed.

use image::{
    ExtendedColorType, ImageEncoder,
    codecs::{
        jpeg::JpegEncoder,
        png::{CompressionType, FilterType, PngEncoder},
    },
};
use std::{fs, panic, path::Path};
use weft_runtime::{Buffer, Element, Integers, load, write_npy};

/// More memory than valid edits of files this small need; a header can claim 2^60 bytes.
const MOST_KIB: usize = 1 << 20;

/// Random numbers: splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// One below `n`, which is not 0.
    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// Valid files, each with the extension of its format, and the rank of an array.
fn originals(folder: &Path) -> Vec<(&'static str, Vec<u8>, usize)> {
    let (width, height) = (13u32, 9u32);
    let samples = Buffer::random(Element::U8, &[8 * (width * height) as usize], 3);
    let samples = |bytes: usize| &samples.bytes()[..bytes * (width * height) as usize];
    let mut files = Vec::new();
    let kinds = [
        (ExtendedColorType::L8, 1),
        (ExtendedColorType::La8, 2),
        (ExtendedColorType::Rgb8, 3),
        (ExtendedColorType::Rgba8, 4),
        (ExtendedColorType::L16, 2),
        (ExtendedColorType::Rgba16, 8),
    ];
    for (kind, size) in kinds {
        let mut bytes = Vec::new();
        let encoder = PngEncoder::new_with_quality(&mut bytes, CompressionType::Fast, FilterType::Paeth);
        encoder.write_image(samples(size), width, height, kind).expect("a PNG");
        files.push(("png", bytes, 3));
    }
    for (kind, size) in [(ExtendedColorType::L8, 1), (ExtendedColorType::Rgb8, 3)] {
        let mut bytes = Vec::new();
        let encoder = JpegEncoder::new_with_quality(&mut bytes, 80);
        encoder.write_image(samples(size), width, height, kind).expect("a JPEG");
        files.push(("jpg", with_orientation(&bytes), 3));
        files.push(("jpg", bytes, 3));
    }
    let path = folder.join("valid.npy");
    for (element, shape) in
        [(Element::F32, &[9, 13][..]), (Element::U16, &[3, 9, 13]), (Element::I1, &[7]), (Element::F64, &[])]
    {
        write_npy(&path, &Buffer::random(element, shape, 5)).expect("the folder can be written");
        files.push(("npy", fs::read(&path).expect("it was written"), shape.len()));
    }
    // The other byte order, columns first, and a header of version 3.
    let header = b"{'descr': '>i4', 'fortran_order': True, 'shape': (2, 3), }\n";
    let mut bytes = b"\x93NUMPY\x03\x00".to_vec();
    bytes.extend((header.len() as u32).to_le_bytes());
    bytes.extend(header);
    bytes.extend([7; 24]);
    files.push(("npy", bytes, 2));
    files
}

/// A JPEG with an EXIF segment that turns it.
fn with_orientation(jpeg: &[u8]) -> Vec<u8> {
    let exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
    let length = (exif.len() as u16 + 2).to_be_bytes();
    [&jpeg[..2], &[0xff, 0xe1], &length, exif, &jpeg[2..]].concat()
}

/// A file with one to four edits.
fn edited(random: &mut Random, original: &[u8], extension: &str) -> Vec<u8> {
    let mut bytes = original.to_vec();
    for _ in 0..=random.below(4) {
        if bytes.is_empty() {
            break;
        }
        // What is in front says how large all is.
        let reach = if random.below(2) == 0 { bytes.len().min(160) } else { bytes.len() };
        let at = random.below(reach);
        let end = (at + 1 + random.below(16)).min(bytes.len());
        match random.below(8) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes[at] = random.one_of(&[0, 1, 0x7f, 0x80, 0xff]),
            2 => bytes[at] = random.next() as u8,
            3 => bytes[at..end].fill(random.one_of(&[0, 0xff])),
            4 => _ = bytes.drain(at..end),
            5 => {
                let again = bytes[at..end].to_vec();
                bytes.splice(at..at, again);
            }
            6 => bytes.truncate(at),
            _ if extension == "npy" => number(random, &mut bytes),
            _ => bytes[at] = bytes[at].wrapping_add(1),
        }
    }
    if extension == "png" && random.below(4) > 0 {
        right_checksums(&mut bytes);
    }
    bytes
}

/// Another number, or another letter of a type, in the text of an NPY header.
fn number(random: &mut Random, bytes: &mut Vec<u8>) {
    let digits: Vec<usize> = (8..bytes.len().min(128)).filter(|at| bytes[*at].is_ascii_digit()).collect();
    if digits.is_empty() {
        return;
    }
    let at = digits[random.below(digits.len())];
    let text =
        ["0", "1", "8", "65536", "4294967296", "18446744073709551615", "99999999999999999999", "-1", "u2", "f8", "c8"];
    bytes.splice(at..=at, random.one_of(&text).bytes());
}

/// The checksum of each chunk of a PNG, as it should be: edits get past it.
fn right_checksums(bytes: &mut [u8]) {
    let mut at = 8;
    while let Some(length) = bytes.get(at..at + 4) {
        let length = u32::from_be_bytes([length[0], length[1], length[2], length[3]]) as usize;
        let Some(end) = at.checked_add(8).and_then(|data| data.checked_add(length)) else { return };
        if end + 4 > bytes.len() {
            return;
        }
        let sum = bytes[at + 4..end].iter().fold(!0u32, |sum, byte| {
            (0..8).fold(sum ^ u32::from(*byte), |sum, _| (sum >> 1) ^ (0xedb8_8320 & (sum & 1).wrapping_neg()))
        });
        bytes[end..end + 4].copy_from_slice(&(!sum).to_be_bytes());
        at = end + 4;
    }
}

/// The most memory that this process had in use so far, in KiB, where the system says it.
fn peak() -> Option<usize> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next()?.parse().ok())
}

fn number_of(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn edited_files_are_read_or_refused() {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    let originals = originals(folder.path());
    let shapes: [&[Option<usize>]; 8] = [
        &[],
        &[None],
        &[None, None],
        &[Some(9), Some(13)],
        &[Some(1), None, None],
        &[Some(3), None, None],
        &[Some(4), None, None],
        &[None, None, None],
    ];
    let (seed, count) = (number_of("SEED", 0), number_of("COUNT", 20_000));
    let mut read = [("png", 0, 0), ("jpg", 0, 0), ("npy", 0, 0)];
    for case in seed..seed + count {
        let mut random = Random(case);
        let (extension, original, rank) = &originals[random.below(originals.len())];
        let bytes = edited(&mut random, original, extension);
        // A name of its own: some file systems wait for the disk where a file is written anew.
        let path = folder.path().join(format!("{case}.{extension}"));
        fs::write(&path, &bytes).expect("the folder can be written");
        // Most are asked for as what they may be.
        let (element, shape) = match (random.below(4), *extension) {
            (0, _) => (random.one_of(&Element::ALL), random.one_of(&shapes)),
            (_, "npy") => (random.one_of(&[Element::F32, Element::F64]), &[None; 3][..*rank]),
            _ => (random.one_of(&[Element::U8, Element::U16, Element::F32]), random.one_of(&shapes[2..])),
        };
        let integers = random.one_of(&[None, Some(Integers::Values), Some(Integers::Unit)]);
        let before = peak();
        let result = panic::catch_unwind(|| load(&path, element, shape, integers));
        let result = result.unwrap_or_else(|_| panic!("case {case}: a {extension} of {} bytes panics", bytes.len()));
        if let (Some(before), Some(after)) = (before, peak()) {
            let grown = after.saturating_sub(before);
            assert!(grown < MOST_KIB, "case {case}: a {extension} of {} bytes takes {grown} KiB", bytes.len());
        }
        fs::remove_file(&path).expect("it was written");
        let counts = read.iter_mut().find(|(name, ..)| name == extension).expect("one of the formats");
        counts.1 += 1;
        match result {
            Ok((buffer, _)) => {
                counts.2 += 1;
                assert_eq!(buffer.element(), element, "case {case}");
                let fits = shape.len() == buffer.shape().len()
                    && shape.iter().zip(buffer.shape()).all(|(want, have)| want.is_none_or(|want| want == *have));
                assert!(fits, "case {case}: {:?} for {shape:?}", buffer.shape());
            }
            Err(error) => assert_eq!(error.to_string().lines().count(), 1, "case {case}: {error}"),
        }
    }
    for (format, all, good) in read {
        println!("{format}: {good} of {all} are read");
        assert!(good > 0 && good < all || count < 1000, "{format}: edits are too weak or too strong");
    }
    println!("at most {} MiB in use", peak().unwrap_or(0) >> 10);
}
