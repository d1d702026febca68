//! `--dot-products`: sums of products of small integers become dot products, several products an instruction.
//!
//! ```text
//! %a = arith.extui (vector.load %m[%x]) : i8         %p = vector.shuffle (vector.load %m[%x]), (vector.load %m[%x + 2])
//! %b = arith.extui (vector.load %m[%x + 1])                  lane x: m[x], m[x + 1], m[x + 2], and one that does not count
//! %c = arith.extui (vector.load %m[%x + 2])          %w = broadcast (%u, %v, %w, 0)           four bytes in 32 bits
//! %u, %v, %w = broadcast (arith.extsi ... : i8) ──▶  %s = call @weft.dot4.x16(%acc, %p, %w)
//! %s = %acc + %a * %u + %b * %v + %c * %w
//! ```
//!
//! A product of two bytes, or of two numbers of 16 bits, fits 32 bits with room to spare; multiplying in 32 bits wastes most of a
//! multiplier. CPUs have instructions that multiply bytes (one factor without a sign, the other with one) or halves lane by lane, and add the four or two
//! products that share 32 bits to a sum. Sums of integers wrap, so their order cannot show, and what comes out is the same to the bit.
//!
//! **Packing.** Factors that share a lane lie beside each other in it. What is loaded from neighbouring columns is there already: one shuffle of
//! the first and the last of these vectors. Other vectors are interleaved, scalars shifted and joined. In a block of rows and planes both are
//! shared, pixels by planes and weights by rows.
//!
//! **Weights of more than a byte's sign.** `%g * 150`, of a byte, is `%g * 127 + %g * 23`: of the weights 77, 150 and 29, by which a colour becomes
//! grey, all four places of one instruction are used.
//!
//! **Functions.** `@weft.dot4.x16` is written out here, so that the IR says all; who makes machine code puts the instruction in its place
//! where the CPU has one, which LLVM does not find by itself.

use super::{
    dots::{self, Dot, arith, number_of},
    instructions::{Functions, is_instruction},
    interleave::interleave,
};
use crate::ir::{Builder, Key, bits_of_element, constant_index, element_of_vector, is, key};
use melior::{
    dialect::DialectHandle,
    ir::{OperationRef, Type, Value, ValueLike, operation::OperationLike},
};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir};
use std::collections::{HashMap, HashSet};

/// The pass.
pub struct DotProducts;

const DOTS: Statistic = Statistic::new(c"dots", c"Dot products of two or four pairs");

impl Pass for DotProducts {
    const ARGUMENT: &'static str = "dot-products";
    const SUMMARY: &'static str = "Make dot products of sums of products of small integers";
    const DESCRIPTION: &'static str = "\
In sums of vectors of i32, products of factors that were extended from 8 or 16 bits, or are constants of so many, become dot products of \
two or, of bytes with bytes that have a sign, four pairs: calls of functions that this pass writes out, and for which x86 has instructions. What is loaded from \
neighbouring columns is packed by one shuffle, and other vectors are interleaved; a constant from 128 to 254 counts as two products.";
    const STATISTICS: &'static [Statistic] = &[DOTS];
    type Options = ();

    fn dialects(registry: RegistryRef) {
        registry.insert(&[DialectHandle::arith(), DialectHandle::func(), mlir_glue::tool::vector()]);
    }

    fn run<'c>(module: OperationRef<'c, '_>, _: &(), cx: &PassContext<'c>) -> Result<(), Failure<'c>> {
        let mut inner: HashSet<Key> = HashSet::new();
        let mut done: Vec<OperationRef> = Vec::new();
        let mut functions = Functions::of(module);
        let sums: Vec<OperationRef> = ir::walk(module).into_iter().filter(|op| is_sum(*op)).collect();
        // Roots stand behind what they are made of.
        for root in sums.into_iter().rev() {
            let Some(result) = ir::result(root, 0).filter(|result| !inner.contains(&key(*result))) else { continue };
            let sum = Sum::of(root);
            inner.extend(sum.ops.iter().filter_map(|op| ir::result(*op, 0)).map(key));
            let (groups, rest) = sum.groups();
            if groups.is_empty() {
                continue;
            }
            let (b, count) = (Builder::before(cx.context(), root), groups.len());
            let rest = sum.terms.into_iter().chain(rest.into_iter().map(|product| product.value));
            let mut rest = rest.collect::<Vec<_>>().into_iter();
            let mut total = rest.next().unwrap_or_else(|| b.integer(result.r#type(), &[0]));
            for group in &groups {
                total = group.add(&b, &mut functions, total);
            }
            total = rest.fold(total, |total, term| arith(&b, "addi", total, term));
            ir::replace_all_uses(result, total);
            done.extend(sum.ops);
            let products = groups.into_iter().flat_map(|group| group.products);
            // Once those that became two.
            let mut products: Vec<_> = products.filter_map(|product| ir::defining_op(product.value)).collect();
            products.dedup();
            done.extend(products);
            cx.count(DOTS, count);
        }
        // Sums before what they were made of.
        done.into_iter().for_each(ir::erase);
        Ok(())
    }
}

/// Whether an op adds vectors of so many lanes of 32 bits that there is a dot product of these.
fn is_sum(op: OperationRef) -> bool {
    is(op, "arith.addi") && ir::result(op, 0).is_some_and(|result| dots::lanes_of(result.r#type()).is_some())
}

/// How deep the sums of an index are nested that is looked through: what loops over vectors add up has a few levels.
const MOST_NESTED: u32 = 8;

/// What a factor is known to fit.
#[derive(Clone, Copy, PartialEq)]
enum Fits {
    /// 0 to 255.
    Byte,
    /// -128 to 127.
    SignedByte,
    /// Both of these.
    AnyByte,
    /// -32768 to 32767.
    Half,
}

impl Fits {
    fn of(number: i64) -> Option<Self> {
        match number {
            0..=127 => Some(Self::AnyByte),
            128..=255 => Some(Self::Byte),
            -128..=-1 => Some(Self::SignedByte),
            -32768..=32767 => Some(Self::Half),
            _ => None,
        }
    }

    fn is_byte(self) -> bool {
        matches!(self, Self::Byte | Self::AnyByte)
    }

    fn is_signed_byte(self) -> bool {
        matches!(self, Self::SignedByte | Self::AnyByte)
    }
}

/// A factor of a product.
#[derive(Clone, Copy)]
struct Factor<'c, 'a> {
    /// In 32 bits: a vector, or what all lanes have.
    value: Value<'c, 'a>,
    /// The same before it was extended; of a constant nothing.
    narrow: Option<Value<'c, 'a>>,
    /// The number, of a constant.
    known: Option<i64>,
    fits: Fits,
}

impl<'c: 'a, 'a> Factor<'c, 'a> {
    /// An operand of a product, if it is small.
    fn of(operand: Value<'c, 'a>) -> Option<Self> {
        let op = ir::defining_op(operand)?;
        if let Some(number) = number_of(operand) {
            return Some(Self { value: operand, narrow: None, known: Some(number), fits: Fits::of(number)? });
        }
        if is(op, "vector.broadcast") {
            let scalar = ir::operand(op, 0).filter(|scalar| ir::vector_element(scalar.r#type()).is_none())?;
            return Self::of(scalar);
        }
        let narrow = ir::operand(op, 0)?;
        let bits = bits_of(narrow)?;
        let fits = match (ir::name_of(op), bits) {
            ("arith.extui", 1..=7) => Fits::AnyByte,
            ("arith.extui", 8) => Fits::Byte,
            ("arith.extsi", 1..=8) => Fits::SignedByte,
            ("arith.extui", 9..=15) | ("arith.extsi", 9..=16) => Fits::Half,
            _ => return None,
        };
        Some(Self { value: operand, narrow: Some(narrow), known: None, fits })
    }

    /// Two bytes with a sign of which a constant of more is the sum.
    fn in_two(self) -> Option<[Self; 2]> {
        let (known, fits) = (self.known?, Fits::SignedByte);
        let most = if known < 0 { -128 } else { 127 };
        let is_byte = (-128..=127).contains(&(known - most));
        is_byte.then(|| [most, known - most].map(|part| Self { known: Some(part), fits, ..self }))
    }

    /// So many of its low bits, the others zero, moved up to a place in 32 bits.
    fn at(&self, b: &Builder<'c, 'a>, bits: u32, place: u32) -> Value<'c, 'a> {
        let ty = self.value.r#type();
        let is_highest = place + bits == 32;
        let narrow = self.narrow.filter(|narrow| bits_of(*narrow) == Some(bits));
        let low = match narrow {
            Some(narrow) => b.value("arith.extui", &[narrow], ty, &[]),
            None if is_highest || self.fits == Fits::AnyByte || (self.fits == Fits::Byte) => self.value,
            None => arith(b, "andi", self.value, b.integer(ty, &[(1 << bits) - 1])),
        };
        if place == 0 { low } else { arith(b, "shli", low, b.integer(ty, &[place.into()])) }
    }

    /// Where in memory its bytes were loaded from, a vector of neighbours.
    fn place(&self) -> Option<(Row, i64)> {
        let bytes = self.narrow.filter(|narrow| bits_of(*narrow) == Some(8))?;
        let load = ir::defining_op(bytes).filter(|op| is(*op, "vector.load"))?;
        let operands: Vec<Value> = load.operands().collect();
        let (last, row) = operands.split_last()?;
        let mut column = Linear::default();
        column.add(*last, 1, MOST_NESTED);
        let terms = column.terms.into_iter().filter(|(_, times)| *times != 0).collect();
        let block = load.block()?.to_raw().ptr.cast_const();
        Some((Row { block, at: row.iter().copied().map(key).collect(), column: terms }, column.constant))
    }
}

/// A row of memory from a column on, without the constant that is added to this, as a block reads it.
#[derive(PartialEq)]
struct Row {
    block: *const std::ffi::c_void,
    at: Vec<Key>,
    column: HashMap<Key, i64>,
}

/// An index as a sum.
#[derive(Default)]
struct Linear {
    terms: HashMap<Key, i64>,
    constant: i64,
}

impl Linear {
    /// Adds some times a value, whose sums are taken apart so many levels deep.
    fn add(&mut self, value: Value, times: i64, levels: u32) {
        if let Some(constant) = constant_index(value) {
            self.constant = self.constant.wrapping_add(times.wrapping_mul(constant));
            return;
        }
        let is_taken_apart = |op: &OperationRef| levels > 0 && (is(*op, "arith.addi") || is(*op, "arith.subi"));
        let op = ir::defining_op(value).filter(is_taken_apart);
        let parts = op.and_then(|op| Some((op, ir::operand(op, 0)?, ir::operand(op, 1)?)));
        match parts {
            Some((op, left, right)) => {
                self.add(left, times, levels - 1);
                self.add(right, if is(op, "arith.addi") { times } else { -times }, levels - 1);
            }
            None => *self.terms.entry(key(value)).or_insert(0) += times,
        }
    }
}

/// A product of two factors.
#[derive(Clone, Copy)]
struct Product<'c, 'a> {
    value: Value<'c, 'a>,
    left: Factor<'c, 'a>,
    right: Factor<'c, 'a>,
}

impl<'c: 'a, 'a> Product<'c, 'a> {
    /// A term of a sum that nobody else uses, if it is a product of small factors.
    fn of(term: Value<'c, 'a>) -> Option<Self> {
        let op = ir::defining_op(term).filter(|op| is(*op, "arith.muli") && ir::has_one_use(term))?;
        let [left, right] = [0, 1].map(|operand| ir::operand(op, operand).and_then(Factor::of));
        let (left, right) = (left?, right?);
        // What is the same for all lanes stands right.
        let is_vector = |factor: &Factor| factor.known.is_none() && ir::vector_element(factor.value.r#type()).is_some();
        let (left, right) = if is_vector(&left) { (left, right) } else { (right, left) };
        Some(Self { value: term, left, right })
    }

    /// The factors in the order in which bytes are multiplied: without a sign, with one.
    fn of_bytes(&self) -> Option<[Factor<'c, 'a>; 2]> {
        match (self.left.fits, self.right.fits) {
            (left, right) if left.is_byte() && right.is_signed_byte() => Some([self.left, self.right]),
            (left, right) if left.is_signed_byte() && right.is_byte() => Some([self.right, self.left]),
            _ => None,
        }
    }

    /// The same as a sum of two products of bytes, where the other factor is a byte and a constant is more than one with a sign.
    fn in_two(&self) -> Option<[Self; 2]> {
        let is_byte = self.of_bytes().is_none() && self.left.known.is_none() && self.left.fits.is_byte();
        is_byte.then(|| self.right.in_two())?.map(|parts| parts.map(|right| Self { right, ..*self }))
    }
}

/// Products that become one instruction.
struct Group<'c, 'a> {
    products: Vec<Product<'c, 'a>>,
    /// Of bytes from neighbouring columns, in how many columns of these each product's byte lies behind the first; these are the left
    /// factors.
    columns: Option<Vec<i64>>,
}

impl<'c: 'a, 'a> Group<'c, 'a> {
    /// A sum and the products.
    fn add(&self, b: &Builder<'c, 'a>, functions: &mut Functions<'c, 'a>, sum: Value<'c, 'a>) -> Value<'c, 'a> {
        let b = &b.located_as(ir::defining_op(self.products[0].value).expect("a product"));
        let vector = sum.r#type();
        let lanes = dots::lanes_of(vector).expect("of a sum that is one of vectors");
        let bytes: Option<Vec<_>> = self.products.iter().map(Product::of_bytes).collect();
        let dot = Dot { pairs: if bytes.is_some() { 4 } else { 2 }, lanes };
        let in_order: Vec<i64> = (0..self.products.len() as i64).collect();
        let all = |factors: Vec<Factor<'c, 'a>>, places: &[i64]| {
            let bits = 32 / dot.pairs as u32;
            let placed = || factors.iter().zip(places.iter().map(|place| *place as u32 * bits));
            // What is known, what all lanes have, and vectors, each joined by itself.
            let known = placed().filter_map(|(factor, place)| Some((factor.known? & ((1 << bits) - 1)) << place));
            let known = known.reduce(|all, part| all | part).map(|all| b.integer(vector, &[i64::from(all as i32)]));
            let parts = placed().filter(|(factor, _)| factor.known.is_none());
            let parts = parts.map(|(factor, place)| factor.at(b, bits, place));
            let (vectors, scalars): (Vec<Value>, Vec<Value>) =
                parts.partition(|part| ir::vector_element(part.r#type()).is_some());
            let join = |parts: Vec<Value<'c, 'a>>| parts.into_iter().reduce(|all, part| arith(b, "ori", all, part));
            let scalar = join(scalars).map(|scalar| b.value("vector.broadcast", &[scalar], vector, &[]));
            join(vectors.into_iter().chain(scalar).chain(known).collect()).expect("a group has products")
        };
        let packed = |factors: [Vec<Factor<'c, 'a>>; 2]| {
            // Of a place that no product has one factor is 0, and the other may be anything.
            let [left, right] = factors.map(|factors| (beside(b, &factors, dot, vector), factors));
            let is_full = self.products.len() as i64 == dot.pairs;
            match (left, right) {
                ((Some(left), _), (Some(right), _)) if is_full => [left, right],
                ((Some(left), _), (_, right)) => [left, all(right, &in_order)],
                ((None, left), (Some(right), _)) => [all(left, &in_order), right],
                ((None, left), (None, right)) => [all(left, &in_order), all(right, &in_order)],
            }
        };
        let [left, right] = match (bytes, &self.columns) {
            (Some(bytes), Some(columns)) => {
                let weights = self.products.iter().zip(&bytes).map(|(product, bytes)| match bytes[0].narrow {
                    narrow if narrow == product.left.narrow => bytes[1],
                    _ => bytes[0],
                });
                let weights = all(weights.collect(), columns);
                let pixels = self.neighbours(b, columns, lanes, vector);
                let is_first = bytes[0][0].narrow == self.products[0].left.narrow;
                if is_first { [pixels, weights] } else { [weights, pixels] }
            }
            (Some(bytes), None) => packed([0, 1].map(|side| bytes.iter().map(|pair| pair[side]).collect())),
            (None, _) => {
                let factors = |side: fn(&Product<'c, 'a>) -> Factor<'c, 'a>| self.products.iter().map(side).collect();
                packed([factors(|product| product.left), factors(|product| product.right)])
            }
        };
        dots::call(b, functions, dot, [sum, left, right])
    }

    /// In each lane four bytes from its column on: of the vectors that begin at the first column and at the last.
    fn neighbours(&self, b: &Builder<'c, 'a>, columns: &[i64], lanes: i64, vector: Type<'c>) -> Value<'c, 'a> {
        let at = |column: i64| {
            let number = columns.iter().position(|other| *other == column).expect("a column of a product");
            self.products[number].left.narrow.expect("what was loaded")
        };
        let far = columns.iter().copied().max().expect("a group has products");
        let place = |column: i64| match column {
            _ if column < lanes => column,
            _ if column < lanes + far => column - far + lanes,
            // Of no product: its weight is 0.
            _ => 0,
        };
        let mask: Vec<i64> = (0..lanes).flat_map(|lane| (0..4).map(move |byte| place(lane + byte))).collect();
        let (first, last) = (at(0), at(far));
        let bytes = b.shuffle([first, last], mask);
        b.value("vector.bitcast", &[bytes], vector, &[])
    }
}

/// Factors beside each other in the lanes of a vector of 32 bits, if all are vectors of one type: those of no product are any.
fn beside<'c: 'a, 'a>(
    b: &Builder<'c, 'a>,
    factors: &[Factor<'c, 'a>],
    dot: Dot,
    vector: Type<'c>,
) -> Option<Value<'c, 'a>> {
    let is_vector = |value: &Value| ir::vector_element(value.r#type()).is_some();
    let narrow: Option<Vec<Value>> = factors.iter().map(|factor| factor.narrow.filter(is_vector)).collect();
    let mut narrow = narrow.filter(|all| all.iter().all(|value| value.r#type() == all[0].r#type()))?;
    narrow.resize(dot.pairs as usize, *narrow.last()?);
    let extension = ir::defining_op(factors[0].value).map(ir::name_of)?;
    let is_alike = |factor: &Factor| ir::defining_op(factor.value).is_some_and(|op| is(op, extension));
    match (bits_of(narrow[0])?, dot.pairs) {
        (8, 4) | (16, 2) => Some(b.value("vector.bitcast", &[interleave(b, &narrow)], vector, &[])),
        (8, 2) if factors.iter().all(is_alike) => {
            let halves = b.vector_type(2 * dot.lanes, b.integer_type(16));
            let halves = b.value(extension, &[interleave(b, &narrow)], halves, &[]);
            Some(b.value("vector.bitcast", &[halves], vector, &[]))
        }
        _ => None,
    }
}

/// A sum: its ops, each before those that it adds, its products of small factors, and its other terms.
#[derive(Default)]
struct Sum<'c, 'a> {
    ops: Vec<OperationRef<'c, 'a>>,
    products: Vec<Product<'c, 'a>>,
    terms: Vec<Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Sum<'c, 'a> {
    /// That of its last op.
    fn of(root: OperationRef<'c, 'a>) -> Self {
        let (ops, all) = dots::sum_of(root, is_sum);
        let mut sum = Self { ops, ..Self::default() };
        for term in all {
            match Product::of(term) {
                Some(product) => sum.products.push(product),
                None => sum.terms.push(term),
            }
        }
        sum
    }

    /// Products that become one instruction, and those that stay.
    fn groups(&self) -> (Vec<Group<'c, 'a>>, Vec<Product<'c, 'a>>) {
        let mut groups = Vec::new();
        let mut left = self.products.clone();
        // Rows in the order of their first products.
        let place = |product: &Product<'c, 'a>| product.of_bytes().and_then(|_| product.left.place());
        let mut rows: Vec<(Row, Vec<(i64, Product)>)> = Vec::new();
        for (product, (row, column)) in left.iter().filter_map(|product| Some((*product, place(product)?))) {
            match rows.iter_mut().find(|(other, _)| *other == row) {
                Some((_, products)) => products.push((column, product)),
                None => rows.push((row, vec![(column, product)])),
            }
        }
        for (_, mut products) in rows {
            products.sort_by_key(|(column, _)| *column);
            products.dedup_by_key(|(column, _)| *column);
            let mut next = 0;
            while let Some((first, _)) = products.get(next) {
                // A lane's bytes are all multiplied by factors of one kind.
                let sides =
                    |product: &Product<'c, 'a>| product.of_bytes().map(|pair| pair[0].narrow == product.left.narrow);
                let is_near = |(column, product): &&(i64, Product<'c, 'a>)| {
                    (0..4).contains(&column.wrapping_sub(*first)) && sides(product) == sides(&products[next].1)
                };
                let run: Vec<_> = products[next..].iter().take_while(is_near).copied().collect();
                next += run.len();
                if run.len() > 1 && are_loaded_together(&run) {
                    left.retain(|product| run.iter().all(|(_, other)| other.value != product.value));
                    let columns = run.iter().map(|(column, _)| column - run[0].0).collect();
                    groups.push(Group { products: run.into_iter().map(|(_, p)| p).collect(), columns: Some(columns) });
                }
            }
        }
        let (mut bytes, mut halves): (Vec<_>, Vec<_>) =
            left.into_iter().partition(|product| product.of_bytes().is_some());
        let (parts, others): (Vec<_>, Vec<_>) = halves.iter().partition(|product| product.in_two().is_some());
        let count = |bytes: usize, halves: usize| bytes.div_ceil(4) + halves.div_ceil(2);
        if count(bytes.len() + 2 * parts.len(), others.len()) < count(bytes.len(), halves.len()) {
            // In front, so that both halves are in one group.
            bytes = parts.iter().filter_map(Product::in_two).flatten().chain(bytes).collect();
            halves = others;
        }
        let mut rest = Vec::new();
        // Two products of bytes are as well two of halves, but all four places cost nothing.
        for (products, pairs) in [(bytes, 4), (halves, 2)] {
            for some in products.chunks(pairs) {
                match some {
                    [one] => rest.push(*one),
                    _ => groups.push(Group { products: some.to_vec(), columns: None }),
                }
            }
        }
        if let [one, other] = rest[..] {
            groups.push(Group { products: vec![one, other], columns: None });
            rest.clear();
        }
        (groups, rest)
    }
}

/// Whether nothing is written between the loads of some products' left factors, so that one has what another reads.
fn are_loaded_together(run: &[(i64, Product)]) -> bool {
    let is_harmless = |op: OperationRef| {
        let name = ir::name_of(op);
        let is_read = ["vector.load", "vector.maskedload", "memref.load", "memref.prefetch"].contains(&name);
        let is_made = ["arith.", "vector.broadcast", "vector.shuffle", "vector.interleave", "vector.bitcast"];
        is_read || is_made.iter().any(|prefix| name.starts_with(prefix)) || is_instruction(op)
    };
    let loads: Vec<OperationRef> =
        run.iter().filter_map(|(_, product)| ir::defining_op(product.left.narrow?)).collect();
    let first = loads.iter().find(|load| loads.iter().all(|other| other == *load || load.is_before_in_block(*other)));
    let mut next = first.copied();
    let mut left = loads.len();
    while let Some(op) = next.filter(|op| is_harmless(*op)) {
        left -= loads.iter().filter(|load| **load == op).count();
        if left == 0 {
            return true;
        }
        next = op.next_in_block();
    }
    false
}

/// Bits of a number, or of those of a vector.
fn bits_of(value: Value) -> Option<u32> {
    bits_of_element(element_of_vector(value))
}
