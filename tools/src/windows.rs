//! Runs a program window by window, on images in memory: what `--window` made of it, called in turn.
//!
//! ```text
//! f_window_histogram over 4 windows ─ join ─▶ "histogram"
//! f_window_table ───────────────────────────▶ "table"            each with the parts that its _needs says
//! f_window over 6 windows ──────────────────▶ the results
//! ```
//!
//! Who calls says how a function is run, so that the same windows go through the reference, the CPU and kernels. Images that do not fit into
//! memory are the business of `weft.stream`, in Python.

use crate::{Stop, signature::Signature};
use melior::ir::OperationRef;
use mlir_glue::ir;
use std::collections::HashMap;
use weft_passes::ir::{is, symbol};
use weft_runtime::{ArgumentType, Buffer, Element, Entry};

/// A function that `--window` made.
#[derive(Debug, Clone)]
pub struct Function {
    /// Its name and types.
    pub entry: Entry,
    /// What its arguments are called.
    pub arguments: Vec<String>,
    /// What its results are called.
    pub results: Vec<String>,
}

/// A piece of a program.
#[derive(Debug, Clone)]
pub struct Piece {
    /// Computes a window of it.
    pub window: Function,
    /// Says what that takes.
    pub needs: Function,
    /// Where windows give parts of sums: what sums begin with, and what joins two of them.
    pub join: Option<(Function, Function)>,
}

/// A program in pieces, in the order in which they are computed.
#[derive(Debug, Clone)]
pub struct Windows {
    program: Function,
    pieces: Vec<Piece>,
}

/// How a function is run: its entry, its arguments (numbers without dimensions), and types and extents of its results.
pub type Call<'a, E> = dyn FnMut(&Entry, &[&Buffer], &[(Element, Vec<usize>)]) -> Result<Vec<Buffer>, E> + 'a;

/// An interval of each dimension: first point and count.
type Box = Vec<(usize, usize)>;

impl Windows {
    /// The functions that `--window` made of a program.
    ///
    /// # Errors
    ///
    /// There are none; a type that no executor knows.
    pub fn of(module: OperationRef, program: &str) -> Result<Self, Stop> {
        let mut functions: HashMap<String, Function> = HashMap::new();
        let mut order = Vec::new();
        for func in ir::walk(module).into_iter().filter(|op| is(*op, "func.func")) {
            let signature = Signature::of(func)?;
            let function = Function {
                entry: signature.entry(func),
                arguments: signature.arguments.into_iter().map(|argument| argument.name).collect(),
                results: signature.results.into_iter().map(|result| result.name).collect(),
            };
            order.push(symbol(func).to_owned());
            functions.insert(symbol(func).to_owned(), function);
        }
        let prefix = format!("{program}_window");
        let mut pieces = Vec::new();
        for name in order.iter().filter(|name| name.starts_with(&prefix)) {
            let Some(needs) = functions.get(&format!("{name}_needs")) else { continue };
            let [begin, join] = ["begin", "join"].map(|what| functions.get(&format!("{name}_{what}")).cloned());
            pieces.push(Piece { window: functions[name].clone(), needs: needs.clone(), join: begin.zip(join) });
        }
        let program = functions.remove(program).filter(|_| !pieces.is_empty());
        let program = program.ok_or_else(|| Stop::Because("no windows of it, expected what --window makes".into()))?;
        Ok(Self { program, pieces })
    }

    /// Every function that is called.
    pub fn entries(&self) -> Vec<Entry> {
        let of_piece = |piece: &Piece| {
            let join = piece.join.iter().flat_map(|(begin, join)| [begin.entry.clone(), join.entry.clone()]);
            [piece.needs.entry.clone(), piece.window.entry.clone()].into_iter().chain(join).collect::<Vec<_>>()
        };
        self.pieces.iter().flat_map(of_piece).collect()
    }

    /// The results of the program for these arguments (a number is a buffer without dimensions), computed in windows of `size` points along
    /// the last dimensions, the first window being number `start` of them. `call` runs a function, given the shapes of its results.
    ///
    /// # Errors
    ///
    /// Those of `call`.
    pub fn run<E>(
        &self,
        arguments: &[Buffer],
        size: &[usize],
        start: usize,
        call: &mut Call<E>,
    ) -> Result<Vec<Buffer>, E> {
        let mut images: HashMap<&str, Buffer> = HashMap::new();
        let mut numbers: Vec<Buffer> = Vec::new();
        let mut extents: Vec<Buffer> = Vec::new();
        let named = self.program.arguments.iter().zip(&self.program.entry.arguments);
        for ((name, ty), value) in named.zip(arguments) {
            match ty {
                ArgumentType::Scalar(_) => numbers.push(copy_of(value)),
                ArgumentType::Tensor(ty) => {
                    let unknown = ty.shape.iter().zip(value.shape()).filter(|(known, _)| known.is_none());
                    extents.extend(unknown.map(|(_, extent)| number(*extent)));
                    images.insert(name, copy_of(value));
                }
            }
        }
        numbers.extend(extents);
        let mut results = Vec::new();
        for piece in &self.pieces {
            results = piece.run(&images, &numbers, size, start, call)?;
            for (name, image) in piece.window.results.iter().zip(&results) {
                images.insert(name, copy_of(image));
            }
        }
        Ok(results)
    }
}

impl Piece {
    fn run<E>(
        &self,
        images: &HashMap<&str, Buffer>,
        numbers: &[Buffer],
        size: &[usize],
        start: usize,
        call: &mut Call<E>,
    ) -> Result<Vec<Buffer>, E> {
        let is_image = |ty: &ArgumentType| matches!(ty, ArgumentType::Tensor(_));
        let parameters = self.window.arguments.iter().zip(&self.window.entry.arguments);
        let reads: Vec<&Buffer> =
            parameters.filter(|(_, ty)| is_image(ty)).map(|(name, _)| &images[name.as_str()]).collect();
        let needs_of = |window: &[(usize, usize)], call: &mut Call<E>| {
            let ends: Vec<Buffer> =
                window.iter().flat_map(|(first, count)| [number(*first), number(first + count)]).collect();
            let given: Vec<&Buffer> = numbers.iter().chain(&ends).collect();
            let shapes = self.needs.entry.results.iter().map(|result| {
                (result.element, result.shape.iter().map(|extent| extent.unwrap_or(1)).collect::<Vec<_>>())
            });
            let tables = call(&self.needs.entry, &given, &shapes.collect::<Vec<_>>())?;
            Ok((tables.iter().map(rows).collect::<Vec<_>>(), ends))
        };
        let rank = self.needs.results.last().map_or(0, |_| {
            let window = self
                .needs
                .entry
                .results
                .last()
                .filter(|_| self.needs.results.last().is_some_and(|name| name.starts_with("window")));
            window.and_then(|window| window.shape[0]).unwrap_or(0)
        });
        // Nothing of it: asked for the extents.
        let (about, _) = needs_of(&vec![(0, 0); rank], call)?;
        let read_count = reads.iter().filter(|image| !image.shape().is_empty()).count();
        let whole: Vec<Vec<usize>> = {
            let mut tables = about[read_count..].iter();
            let shape = |result: &weft_runtime::TensorType| match result.shape.len() {
                0 => Vec::new(),
                _ => tables.next().map(|rows| rows.iter().map(|row| row[0]).collect()).unwrap_or_default(),
            };
            self.window.entry.results.iter().map(shape).collect()
        };
        let shapes: Vec<(Element, Vec<usize>)> = self
            .window
            .entry
            .results
            .iter()
            .zip(&whole)
            .map(|(result, shape)| (result.element, shape.clone()))
            .collect();
        let mut results: Vec<Buffer> = match &self.join {
            Some((begin, _)) => call(&begin.entry, &numbers.iter().collect::<Vec<_>>(), &shapes)?,
            None => shapes.iter().map(|(element, shape)| Buffer::zeros(*element, shape)).collect(),
        };
        let axes: Vec<(usize, usize)> = if rank == 0 {
            Vec::new()
        } else {
            about.last().map_or(Vec::new(), |rows| rows.iter().map(|row| (row[0], row[1])).collect())
        };
        let mut windows = windows(&axes, size);
        if !windows.is_empty() {
            let begin = start % windows.len();
            windows.rotate_left(begin);
        }
        for window in windows {
            let (tables, ends) = needs_of(&window, call)?;
            let mut of_reads = tables.iter();
            let parts: Vec<Buffer> = reads
                .iter()
                .map(|image| match image.shape().len() {
                    0 => copy_of(image),
                    _ => part(
                        image,
                        &of_reads
                            .next()
                            .expect("a table for each image")
                            .iter()
                            .map(|row| (row[1], row[2]))
                            .collect::<Vec<_>>(),
                    ),
                })
                .collect();
            let mut given: Vec<&Buffer> = Vec::new();
            let (mut parts, mut others) = (parts.iter(), numbers.iter().chain(&ends));
            for ty in &self.window.entry.arguments {
                let next = if is_image(ty) { parts.next() } else { others.next() };
                given.push(next.expect("an argument for each parameter"));
            }
            let mut of_results = tables[read_count..].iter();
            let boxes: Vec<Option<&Vec<Vec<usize>>>> =
                whole.iter().map(|shape| if shape.is_empty() { None } else { of_results.next() }).collect();
            let part_shapes = self.window.entry.results.iter().zip(&boxes).map(|(result, rows)| {
                (result.element, rows.map_or_else(Vec::new, |rows| rows.iter().map(|row| row[2]).collect()))
            });
            let made = call(&self.window.entry, &given, &part_shapes.collect::<Vec<_>>())?;
            match &self.join {
                Some((_, join)) => {
                    let sides: Vec<&Buffer> = results.iter().zip(&made).flat_map(|(all, more)| [all, more]).collect();
                    results = call(&join.entry, &sides, &shapes)?;
                }
                None => {
                    for ((result, made), rows) in results.iter_mut().zip(&made).zip(&boxes) {
                        let rows = rows.map_or(&[][..], |rows| &rows[..]);
                        let from: Vec<usize> = rows.iter().map(|row| row[3]).collect();
                        let to: Vec<usize> = rows.iter().map(|row| row[1] + row[3]).collect();
                        let counts: Vec<usize> = rows.iter().map(|row| row[4]).collect();
                        copy_box(made, &from, result, &to, &counts);
                    }
                }
            }
        }
        Ok(results)
    }
}

/// The windows of such axes (extent, step), of `size` points along the last ones.
fn windows(axes: &[(usize, usize)], size: &[usize]) -> Vec<Box> {
    let skipped = axes.len().saturating_sub(size.len());
    let mut windows: Vec<Box> = vec![Vec::new()];
    for (d, (extent, step)) in axes.iter().enumerate() {
        let size = d.checked_sub(skipped).map_or(*extent, |d| size[size.len() - (axes.len() - skipped) + d]);
        let size = if *step == 0 { *extent } else { size.clamp(1, (*extent).max(1)) };
        let cuts: Vec<(usize, usize)> = match *extent {
            0 => vec![(0, 0)],
            extent => (0..extent).step_by(size).map(|first| (first, size.min(extent - first))).collect(),
        };
        windows = windows
            .into_iter()
            .flat_map(|window| cuts.iter().map(move |cut| [window.clone(), vec![*cut]].concat()))
            .collect();
    }
    windows
}

fn rows(table: &Buffer) -> Vec<Vec<usize>> {
    let columns = table.shape().last().copied().unwrap_or(1).max(1);
    let numbers: Vec<usize> = table.view::<i64>().unwrap_or_default().iter().map(|number| *number as usize).collect();
    numbers.chunks_exact(columns).map(<[usize]>::to_vec).collect()
}

fn number(value: usize) -> Buffer {
    Buffer::from_slice(&[], &[value as i64])
}

fn copy_of(buffer: &Buffer) -> Buffer {
    let mut copy = Buffer::zeros(buffer.element(), buffer.shape());
    copy.bytes_mut().copy_from_slice(buffer.bytes());
    copy
}

fn part(image: &Buffer, of: &[(usize, usize)]) -> Buffer {
    let (first, counts): (Vec<usize>, Vec<usize>) = of.iter().copied().unzip();
    let mut part = Buffer::zeros(image.element(), &counts);
    copy_box(image, &first, &mut part, &vec![0; first.len()], &counts);
    part
}

/// Copies a box of points, row by row.
fn copy_box(from: &Buffer, first: &[usize], to: &mut Buffer, at: &[usize], counts: &[usize]) {
    if counts.contains(&0) {
        return;
    }
    let bytes = from.element().size();
    let row = counts.last().copied().unwrap_or(1) * bytes;
    let place = |shape: &[usize], point: &[usize]| {
        shape.iter().zip(point).fold(0, |place, (extent, at)| place * extent + at) * bytes
    };
    let outer = counts.split_last().map_or(&[][..], |(_, outer)| outer);
    let (source, target) = (from.shape().to_vec(), to.shape().to_vec());
    let mut point = vec![0; outer.len()];
    loop {
        let of = |first: &[usize]| -> Vec<usize> {
            first.iter().enumerate().map(|(d, first)| first + point.get(d).copied().unwrap_or(0)).collect()
        };
        let (read, write) = (place(&source, &of(first)), place(&target, &of(at)));
        to.bytes_mut()[write..write + row].copy_from_slice(&from.bytes()[read..read + row]);
        let Some(d) = (0..outer.len()).rev().find(|d| point[*d] + 1 < outer[*d]) else { return };
        point[d] += 1;
        point[d + 1..].fill(0);
    }
}
