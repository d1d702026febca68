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
type Window = Vec<(usize, usize)>;

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
                ArgumentType::Scalar(_) => numbers.push(value.clone()),
                ArgumentType::Tensor(ty) => {
                    let unknown = ty.shape.iter().zip(value.shape()).filter(|(known, _)| known.is_none());
                    extents.extend(unknown.map(|(_, extent)| number(*extent)));
                    images.insert(name, value.clone());
                }
            }
        }
        numbers.extend(extents);
        let mut results = Vec::new();
        for piece in &self.pieces {
            results = piece.run(&images, &numbers, size, start, call)?;
            for (name, image) in piece.window.results.iter().zip(&results) {
                images.insert(name, image.clone());
            }
        }
        Ok(results)
    }
}

/// What a piece says of a window: for each image a row for each dimension.
struct Needs {
    /// Of each image that is read: extent, first point and points of the part.
    reads: Vec<Vec<Vec<usize>>>,
    /// Of each image that is given the same, and first point and points of the window in the part.
    gives: Vec<Vec<Vec<usize>>>,
    /// Of each dimension of the window: extent, step.
    axes: Vec<Vec<usize>>,
    /// First point and end of each, as arguments.
    window: Vec<Buffer>,
}

/// A column of such a table.
fn column(table: &[Vec<usize>], number: usize) -> Vec<usize> {
    table.iter().map(|row| row[number]).collect()
}

fn is_image(ty: &ArgumentType) -> bool {
    matches!(ty, ArgumentType::Tensor(_))
}

impl Piece {
    /// The dimensions of its windows: those of the last table, where there is one more than images have.
    fn rank(&self) -> usize {
        let types = self.window.entry.arguments.iter().filter_map(|ty| match ty {
            ArgumentType::Tensor(ty) => Some(ty),
            ArgumentType::Scalar(_) => None,
        });
        let images = types.chain(&self.window.entry.results).filter(|ty| !ty.shape.is_empty()).count();
        let last = self.needs.entry.results.get(images);
        last.and_then(|table| table.shape.first().copied().flatten()).unwrap_or(0)
    }

    /// What a window takes; of an empty one the extents and steps alone mean something.
    fn needs<E>(
        &self,
        numbers: &[Buffer],
        window: &[(usize, usize)],
        images: &[&Buffer],
        call: &mut Call<E>,
    ) -> Result<Needs, E> {
        let ends: Vec<Buffer> =
            window.iter().flat_map(|(first, count)| [number(*first), number(first + count)]).collect();
        let given: Vec<&Buffer> = numbers.iter().chain(&ends).collect();
        let shape = |shape: &[Option<usize>]| shape.iter().map(|extent| extent.unwrap_or(1)).collect();
        let shapes: Vec<_> =
            self.needs.entry.results.iter().map(|table| (table.element, shape(&table.shape))).collect();
        let tables = call(&self.needs.entry, &given, &shapes)?;
        let mut tables = tables.iter().map(rows);
        // Images without dimensions have no table.
        let mut next = |has_one: bool| if has_one { tables.next().unwrap_or_default() } else { Vec::new() };
        let reads = images.iter().map(|image| next(!image.shape().is_empty())).collect();
        let gives = self.window.entry.results.iter().map(|result| next(!result.shape.is_empty())).collect();
        let axes = next(!window.is_empty());
        Ok(Needs { reads, gives, axes, window: ends })
    }

    fn run<E>(
        &self,
        images: &HashMap<&str, Buffer>,
        numbers: &[Buffer],
        size: &[usize],
        start: usize,
        call: &mut Call<E>,
    ) -> Result<Vec<Buffer>, E> {
        let parameters = self.window.arguments.iter().zip(&self.window.entry.arguments);
        let reads: Vec<&Buffer> =
            parameters.filter(|(_, ty)| is_image(ty)).map(|(name, _)| &images[name.as_str()]).collect();
        let about = self.needs(numbers, &vec![(0, 0); self.rank()], &reads, call)?;
        let shapes = |needs: &Needs, number: usize| -> Vec<(Element, Vec<usize>)> {
            let results = self.window.entry.results.iter().zip(&needs.gives);
            results.map(|(result, table)| (result.element, column(table, number))).collect()
        };
        let whole = shapes(&about, 0);
        let mut results: Vec<Buffer> = match &self.join {
            Some((begin, _)) => call(&begin.entry, &numbers.iter().collect::<Vec<_>>(), &whole)?,
            None => whole.iter().map(|(element, shape)| Buffer::zeros(*element, shape)).collect(),
        };
        let axes: Vec<(usize, usize)> = about.axes.iter().map(|row| (row[0], row[1])).collect();
        let mut windows = windows(&axes, size);
        let begin = start % windows.len().max(1);
        windows.rotate_left(begin);
        for window in windows {
            let needs = self.needs(numbers, &window, &reads, call)?;
            let parts: Vec<Buffer> = reads
                .iter()
                .zip(&needs.reads)
                .map(|(image, table)| part(image, &column(table, 1), &column(table, 2)))
                .collect();
            let (mut parts, mut others) = (parts.iter(), numbers.iter().chain(&needs.window));
            let next = |ty| if is_image(ty) { parts.next() } else { others.next() };
            let given: Vec<&Buffer> = self.window.entry.arguments.iter().filter_map(next).collect();
            let made = call(&self.window.entry, &given, &shapes(&needs, 2))?;
            if let Some((_, join)) = &self.join {
                let sides: Vec<&Buffer> = results.iter().zip(&made).flat_map(|(all, more)| [all, more]).collect();
                results = call(&join.entry, &sides, &whole)?;
                continue;
            }
            for ((result, made), table) in results.iter_mut().zip(&made).zip(&needs.gives) {
                let place: Vec<usize> = table.iter().map(|row| row[1] + row[3]).collect();
                copy_box(made, &column(table, 3), result, &place, &column(table, 4));
            }
        }
        Ok(results)
    }
}

/// The windows of such axes (extent, step), of `size` points along the last ones.
fn windows(axes: &[(usize, usize)], size: &[usize]) -> Vec<Window> {
    let skipped = axes.len().saturating_sub(size.len());
    let mut windows: Vec<Window> = vec![Vec::new()];
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

fn part(image: &Buffer, first: &[usize], counts: &[usize]) -> Buffer {
    let mut part = Buffer::zeros(image.element(), counts);
    copy_box(image, first, &mut part, &vec![0; first.len()], counts);
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
