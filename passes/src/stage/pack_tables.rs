//! `--pack-tables`: what is looked up beside each other in a small table becomes one number, which is looked up at once.
//!
//! ```text
//!                                           %w = stage "t_words" (%i, %k) {
//!                                             %a = load %t[%i - 1, %k] clamp      what %t has at [%j, %k] and at [%j + 1, %k]
//! %o = stage "o" (%y, %x) {                   %b = load %t[%i, %k] clamp          is in one number, at [%j + 1, %k]
//!   %j = f(%x)                                yield %a | %b << 8 } : tensor<9x256xi32>
//!   %k = index of a byte                    %o = stage "o" (%y, %x) {
//!   %a = gather %t[%j, %k] clamp      ──▶     %n = gather %w[%j + 1, %k] clamp
//!   %b = gather %t[%j + 1, %k] clamp          %a = trunci %n
//!   ... %a, %b }                              %b = trunci (shrui %n, 8) ... }
//! ```
//!
//! A curve for each tile of an image, a lens that is known at some places, a colour between the corners of a cube: what lies between entries of a
//! table reads some that are neighbours, each lane at a place of its own. CPUs gather words of 32 and 64 bits, and no bytes: these are loaded one
//! by one. The entries beside each other fit one word, which is gathered in an instruction, and a table has far fewer entries than the image
//! that reads it has points.
//!
//! What lies beyond an edge is the entry at the edge, so the table of words has entries before the first one and behind the last.
//! One that all lanes read in the same row, and that has as many entries as a byte has values, is left to `--look-ups`, which keep it in registers.

use super::{
    copy::{image_type, pointwise},
    gathers::{Gathers, elements, for_all_gathers},
};
use crate::{
    analysis::access::build_load,
    ir::{Builder, TakenNames, bits_of_element, depends_on},
};
use melior::{
    dialect::DialectHandle,
    ir::{OperationRef, TypeLike, Value, operation::OperationLike},
};
use mlir_glue::{Failure, Pass, PassContext, RegistryRef, Statistic, ir, options};
use weft_dialects::pipeline::Boundary;
use weft_model::Expr;

options! {
    /// Options of `--pack-tables`.
    pub struct PackTablesOptions {
        size: String = "", "size", "extents of images that are not known, for costs";
    }
}

/// The pass.
pub struct PackTables;

const TABLES: Statistic = Statistic::new(c"tables", c"Tables of words");
const LOADS: Statistic = Statistic::new(c"loads", c"Loads that became parts of a word");

/// Bits of the words that CPUs gather.
const WORDS: [u32; 2] = [32, 64];

/// Bytes of a row that CPUs look up in registers.
const ROW_BYTES: i64 = 256;

impl Pass for PackTables {
    const ARGUMENT: &'static str = "pack-tables";
    const SUMMARY: &'static str = "Look up neighbours in a small table as one word";
    const DESCRIPTION: &'static str = "\
Where a stage gathers several elements of 8 or 16 bits from a table of known extents, at places that differ by constants, with `clamp`, a stage of words that hold \
all of them is made, and one of these gathered, where the image has many more points than the table. No value changes. It goes behind `--byte-tables`. Stages in groups and in \
iterates stay as they are.";
    const STATISTICS: &'static [Statistic] = &[TABLES, LOADS];
    type Options = PackTablesOptions;

    fn dialects(registry: RegistryRef) {
        registry.insert(&[DialectHandle::arith(), DialectHandle::tensor()]);
        weft_dialects::register_dialects(registry);
    }

    fn run<'c>(
        module: OperationRef<'c, '_>,
        options: &PackTablesOptions,
        cx: &PassContext<'c>,
    ) -> Result<(), Failure<'c>> {
        for_all_gathers(module, &options.size, |gathers, most, names| {
            let neighbours = Neighbours::of(gathers).filter(|neighbours| elements(&neighbours.word_extents()) <= most);
            if let Some(neighbours) = neighbours {
                cx.count(TABLES, 1);
                cx.count(LOADS, neighbours.gathers.loads.len());
                neighbours.pack(cx, names);
            }
        })
    }
}

/// Gathers of short integers, several of which fit a word.
struct Neighbours<'c, 'a> {
    gathers: Gathers<'c, 'a>,
    /// Bits of an element.
    bits: u32,
}

impl<'c: 'a, 'a> Neighbours<'c, 'a> {
    fn of(gathers: Gathers<'c, 'a>) -> Option<Self> {
        let element = gathers.element;
        let bits = bits_of_element(element).filter(|bits| element.is_integer() && matches!(bits, 8 | 16))?;
        let neighbours = Self { gathers, bits };
        let is_several = neighbours.offsets().len() > 1 && neighbours.word().is_some();
        (is_several && !neighbours.is_in_registers()).then_some(neighbours)
    }

    /// What the loads add to the values: a part of the word each.
    fn offsets(&self) -> Vec<&[i64]> {
        self.gathers.offsets().into_iter().collect()
    }

    /// Bits of the word.
    fn word(&self) -> Option<u32> {
        let bits = self.offsets().len() as u32 * self.bits;
        WORDS.into_iter().find(|word| bits <= *word)
    }

    /// Least and greatest along a dimension of what is added.
    fn ends(&self, d: usize) -> (i64, i64) {
        let along = || self.gathers.loads.iter().map(|(_, place)| place.offsets[d]);
        (along().min().unwrap_or(0), along().max().unwrap_or(0))
    }

    /// Extents of the table of words: along a dimension one for each element, and for each constant but the first one.
    fn word_extents(&self) -> Vec<i64> {
        let along = |(d, extent): (usize, &i64)| {
            let (least, most) = self.ends(d);
            extent.saturating_add(most - least)
        };
        self.gathers.extents.iter().enumerate().map(along).collect()
    }

    /// Whether all lanes look up a row of as many entries as a byte has values.
    fn is_in_registers(&self) -> bool {
        let (last, outer) = self.gathers.loads[0].1.bases.split_last().expect("verified: images have a dimension");
        let columns = self.gathers.extents.last().copied().unwrap_or(1);
        let along = ir::arguments(self.gathers.stage.body()).last();
        let differs = |base| along.is_some_and(|along| depends_on(base, along, self.gathers.stage.op()));
        let varies = |base: &Option<Value<'c, 'a>>| base.is_some_and(differs);
        last.is_some() && columns * i64::from(self.bits / 8) <= ROW_BYTES && !outer.iter().any(varies)
    }

    /// Makes the table of words, and gathers one.
    fn pack(&self, cx: &PassContext<'c>, names: &mut TakenNames) {
        let Some(bits) = self.word() else { return };
        let (first, place) = &self.gathers.loads[0];
        let b = Builder::before(cx.context(), self.gathers.stage.op()).located(first.location());
        let word = b.integer_type(bits);
        let ty = image_type(self.word_extents().into_iter().map(Some).collect(), word);
        let offsets = self.offsets();
        let most: Vec<i64> = (0..self.gathers.extents.len()).map(|d| self.ends(d).1).collect();
        let words = pointwise(&b, &names.like(&format!("{}_words", self.gathers.stage.name())), ty, &[], |b, at| {
            let parts = (0..).zip(&offsets).map(|(part, offsets)| {
                let place = offsets.iter().zip(&most).map(|(offset, most)| offset - most);
                let indices: Vec<Expr> = (0..).map(Expr::Dim).zip(place).map(|(at, by)| at + by).collect();
                let element = build_load(b, false, self.gathers.table, &indices, at, Boundary::Clamp, None);
                let element = b.value("arith.extui", &[element], word, &[]);
                if part == 0 {
                    element
                } else {
                    b.value("arith.shli", &[element, b.integer(word, &[part * i64::from(self.bits)])], word, &[])
                }
            });
            let parts: Vec<Value> = parts.collect();
            parts
                .into_iter()
                .reduce(|all, part| b.value("arith.ori", &[all, part], word, &[]))
                .expect("there are two parts")
        });

        let b = Builder::before(cx.context(), *first).located(first.location());
        // What is computed is an index as it is.
        let at = |(base, more): (&Option<Value<'c, 'a>>, &i64)| match (base, more) {
            (Some(base), 0) => *base,
            (Some(base), more) => b.arith("addi", *base, b.index(*more)),
            (None, more) => b.index(*more),
        };
        let values: Vec<Value> = place.bases.iter().zip(&most).map(at).collect();
        let indices: Vec<Expr> = (0..values.len()).map(Expr::Dim).collect();
        let found = build_load(&b, true, words, &indices, &values, Boundary::Clamp, None);
        for (load, place) in &self.gathers.loads {
            let part = offsets.iter().position(|offsets| *offsets == place.offsets).unwrap_or_default() as i64;
            let above = b.integer(word, &[part * i64::from(self.bits)]);
            let above = if part == 0 { found } else { b.value("arith.shrui", &[found, above], word, &[]) };
            let element = b.value("arith.trunci", &[above], self.gathers.element, &[]);
            ir::replace_all_uses(load.result(0).expect("a load has a result").into(), element);
        }
        self.gathers.loads.iter().for_each(|(load, _)| ir::erase(*load));
    }
}
