//! Building IR: an insertion point, and the handful of ops that lowerings are made of.
//!
//! ```text
//! let b = Builder::before(op);
//! let (body, y) = b.for_loop(zero, h);      // scf.for %y = %zero to %h step %c1 { | }   the builder stands at |
//! let v = body.load(image, &[y, x]);
//! ```

use super::{
    element::{element_of_vector, width_of_integer},
    location,
    query::{constant_bool, constant_index},
};
use melior::{
    Context,
    dialect::llvm,
    ir::{
        Attribute, Block, BlockLike, BlockRef, Identifier, Location, Operation, OperationRef, Region, RegionLike, Type,
        TypeLike, Value, ValueLike,
        attribute::{
            BoolAttribute, DenseElementsAttribute, DenseI32ArrayAttribute, DenseI64ArrayAttribute,
            FlatSymbolRefAttribute, FloatAttribute, IntegerAttribute, StringAttribute, TypeAttribute,
        },
        operation::{OperationBuilder, OperationLike, OperationMutLike},
        r#type::IntegerType,
    },
};
use mlir_glue::ir;
use std::{collections::HashMap, fmt};

/// Uses of a value among which one looks for an op that is there already.
const MOST_USES: usize = 64;

/// Where ops go.
#[derive(Clone, Copy)]
enum InsertionPoint<'c, 'a> {
    Before(OperationRef<'c, 'a>),
    End(BlockRef<'c, 'a>),
}

/// An insertion point and a location.
#[derive(Clone, Copy)]
pub struct Builder<'c, 'a> {
    context: &'c Context,
    location: Location<'c>,
    point: InsertionPoint<'c, 'a>,
}

/// Whether an op has no effect and depends on its operands alone, so that one of a kind does.
pub fn is_made_once(name: &str) -> bool {
    const OTHERS: [&str; 5] = [
        "memref.dim",
        "memref.reinterpret_cast",
        "memref.memory_space_cast",
        "memref.extract_strided_metadata",
        "vector.broadcast",
    ];
    name.starts_with("arith.") || OTHERS.contains(&name)
}

fn is_constant(op: OperationRef) -> bool {
    ir::name_of(op) == "arith.constant"
}

fn first_result<'c, 'a>(op: OperationRef<'c, 'a>) -> Value<'c, 'a> {
    op.result(0).expect("an op of one result").into()
}

/// What two index values are compared for (`arith.cmpi` predicates, signed but for one).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Compare {
    Equal = 0,
    NotEqual = 1,
    /// Both without a sign.
    Below = 6,
    Less = 2,
    LessEqual = 3,
    Greater = 4,
    GreaterEqual = 5,
}

impl Compare {
    /// The comparison of this number in `arith.cmpi`, if it is one of these.
    fn of(predicate: i64) -> Option<Self> {
        use Compare::{Below, Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
        let all = [Equal, NotEqual, Below, Less, LessEqual, Greater, GreaterEqual];
        all.into_iter().find(|one| *one as i64 == predicate)
    }

    /// That of an `arith.cmpi`, if it is one of these.
    pub fn of_op(op: OperationRef) -> Option<Self> {
        let predicate = op.attribute("predicate").ok().filter(|_| ir::name_of(op) == "arith.cmpi")?;
        Self::of(IntegerAttribute::try_from(predicate).ok()?.value())
    }

    /// The comparison, done now.
    pub fn holds(self, a: i64, b: i64) -> bool {
        match self {
            Self::Equal => a == b,
            Self::NotEqual => a != b,
            Self::Below => (a as u64) < b as u64,
            Self::Less => a < b,
            Self::LessEqual => a <= b,
            Self::Greater => a > b,
            Self::GreaterEqual => a >= b,
        }
    }
}

impl fmt::Display for Compare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Equal => "=",
            Self::NotEqual => "!=",
            Self::Below | Self::Less => "<",
            Self::LessEqual => "<=",
            Self::Greater => ">",
            Self::GreaterEqual => ">=",
        })
    }
}

impl<'c: 'a, 'a> Builder<'c, 'a> {
    /// Inserts before `op`, at its location.
    pub fn before(context: &'c Context, op: OperationRef<'c, 'a>) -> Self {
        Self { context, location: location::unnamed(op.location()), point: InsertionPoint::Before(op) }
    }

    /// Inserts at the end of `block`.
    pub fn at_end(context: &'c Context, block: BlockRef<'c, 'a>, location: Location<'c>) -> Self {
        Self { context, location: location::unnamed(location), point: InsertionPoint::End(block) }
    }

    /// The same point with another location. What is built has no name.
    pub fn located(self, location: Location<'c>) -> Self {
        Self { location: location::unnamed(location), ..self }
    }

    /// The same point, with a name for what is built: its values print under it, and the index of a loop does. What is there already
    /// keeps the name that it has.
    pub fn named(self, name: &str) -> Self {
        Self { location: location::named(self.context, name, self.location), ..self }
    }

    /// The same point, for what is a part of what has this name: `clamp_y.last`. Without a name here, it has none there.
    pub fn part(self, what: &str) -> Self {
        match location::name_at(self.location) {
            Some(name) => self.named(&format!("{name}.{what}")),
            None => self,
        }
    }

    /// The same point; what is built belongs to a stage.
    pub fn of_stage(self, stage: &str) -> Self {
        Self { location: location::of_stage(self.context, stage, self.location), ..self }
    }

    /// The same point; what is built lies where `op` lies and is of its stage, or else of that of what is built here.
    pub fn located_as(self, op: OperationRef<'c, 'a>) -> Self {
        Self { location: self.within_stage(location::unnamed(op.location())), ..self }
    }

    /// A location, of the stage of what is built here where it is of none.
    fn within_stage(&self, own: Location<'c>) -> Location<'c> {
        match location::stage_at(self.location) {
            Some(stage) if location::stage_at(own).is_none() => location::of_stage(self.context, stage, own),
            _ => own,
        }
    }

    /// The MLIR context.
    pub fn context(&self) -> &'c Context {
        self.context
    }

    /// The location of the ops that it makes.
    pub fn location(&self) -> Location<'c> {
        self.location
    }

    /// The type `index`.
    pub fn index_type(&self) -> Type<'c> {
        Type::index(self.context)
    }

    /// The type of integers of so many bits.
    pub fn integer_type(&self, bits: u32) -> Type<'c> {
        IntegerType::new(self.context, bits).into()
    }

    /// The type `i1`.
    pub fn bool_type(&self) -> Type<'c> {
        self.integer_type(1)
    }

    /// `vector<lanes x element>`.
    pub fn vector_type(&self, lanes: i64, element: Type<'c>) -> Type<'c> {
        Type::vector(&[lanes.cast_unsigned()], element)
    }

    /// A type from its text: one with an attribute in it that is [no other way](Self::parse_attribute) to be had.
    ///
    /// # Panics
    ///
    /// If the text is no type: texts are literals of ours.
    pub fn parse_type(&self, text: &str) -> Type<'c> {
        Type::parse(self.context, text).expect("the text of a type")
    }

    /// An attribute from its text: an enumeration of an upstream dialect, or its like. These are classes of C++ that ODS makes, and
    /// MLIR's C interface has nothing that makes one but its parser.
    ///
    /// # Panics
    ///
    /// If the text is no attribute: texts are literals of ours.
    pub fn parse_attribute(&self, text: &str) -> Attribute<'c> {
        Attribute::parse(self.context, text).expect("the text of an attribute")
    }

    /// An `index` attribute.
    pub fn index_attribute(&self, value: i64) -> Attribute<'c> {
        IntegerAttribute::new(self.index_type(), value).into()
    }

    /// An attribute `value : i32`.
    pub fn i32_attribute(&self, value: i64) -> Attribute<'c> {
        IntegerAttribute::new(self.integer_type(32), value).into()
    }

    /// An attribute `value : i64`.
    pub fn i64_attribute(&self, value: i64) -> Attribute<'c> {
        IntegerAttribute::new(self.integer_type(64), value).into()
    }

    /// `true` or `false`.
    pub fn bool_attribute(&self, value: bool) -> Attribute<'c> {
        BoolAttribute::new(self.context, value).into()
    }

    /// The attribute `unit`, which says all there is to say by being there.
    pub fn unit_attribute(&self) -> Attribute<'c> {
        Attribute::unit(self.context)
    }

    /// A reference to a symbol, `@name`.
    pub fn symbol_attribute(&self, name: &str) -> Attribute<'c> {
        FlatSymbolRefAttribute::new(self.context, name).into()
    }

    /// An `array<i64: ...>` attribute.
    pub fn integers(&self, values: &[i64]) -> Attribute<'c> {
        DenseI64ArrayAttribute::new(self.context, values).into()
    }

    /// A layout of memory, `strided<[...]>`; `i64::MIN` for strides that are known at run time.
    pub fn strides(&self, strides: &[i64]) -> Attribute<'c> {
        let text = |stride: &i64| if *stride == i64::MIN { "?".to_owned() } else { stride.to_string() };
        self.parse_attribute(&format!("strided<[{}]>", strides.iter().map(text).collect::<Vec<_>>().join(", ")))
    }

    /// A string attribute.
    pub fn string_attribute(&self, value: &str) -> Attribute<'c> {
        StringAttribute::new(self.context, value).into()
    }

    /// Puts a detached op at the insertion point; behind constants that follow it, so that those of a function stay together.
    pub fn insert(&self, op: Operation<'c>) -> OperationRef<'c, 'a> {
        let mut next = match self.point {
            InsertionPoint::Before(next) => Some(next),
            InsertionPoint::End(_) => None,
        };
        while let Some(constant) = next.filter(|next| is_constant(*next)) {
            next = constant.next_in_block();
        }
        match next {
            Some(next) => self.block().insert_operation_before(next, op),
            None => self.block().append_operation(op),
        }
    }

    /// An op to stand before, as long as nothing else is there: no code, and gone when the pass is.
    pub fn mark(&self) -> OperationRef<'c, 'a> {
        let op = OperationBuilder::new("builtin.unrealized_conversion_cast", self.location);
        self.insert(op.add_results(&[self.index_type()]).build().expect("a result type is given"))
    }

    /// The block at the head of the function around the insertion point.
    fn head(&self) -> Option<BlockRef<'c, 'a>> {
        let mut block = self.block();
        while let Some(around) = block.parent_operation() {
            if matches!(ir::name_of(around), "func.func" | "gpu.func") {
                return around.region(0).ok()?.first_block();
            }
            block = around.block()?;
        }
        None
    }

    /// The block of the insertion point.
    pub fn block(&self) -> BlockRef<'c, 'a> {
        match self.point {
            // An insertion point is an op in a block.
            InsertionPoint::Before(next) => next.block().expect("an op in a block"),
            InsertionPoint::End(block) => block,
        }
    }

    /// Whether what an op gives is to be had at the insertion point.
    fn is_behind(&self, op: OperationRef<'c, 'a>) -> bool {
        let Some(of) = op.block() else { return false };
        let mut next = match self.point {
            InsertionPoint::Before(next) => Some(next),
            InsertionPoint::End(_) => None,
        };
        let mut block = self.block();
        while block != of {
            next = block.parent_operation();
            match next.and_then(|around| around.block()) {
                Some(around) => block = around,
                None => return false,
            }
        }
        next.is_none_or(|next| op != next && op.is_before_in_block(next))
    }

    /// A constant: one for all of a function, at its head, where a reader finds it.
    pub fn constant(&self, ty: Type<'c>, value: Attribute<'c>) -> Value<'c, 'a> {
        let attributes = [(Identifier::new(self.context, "value"), value)];
        let op = OperationBuilder::new("arith.constant", Location::unknown(self.context));
        let made = || op.add_results(&[ty]).add_attributes(&attributes).build().expect("a result type is given");
        let Some(head) = self.head() else { return first_result(self.insert(made())) };
        let mut next = head.first_operation();
        while let Some(op) = next.filter(|op| is_constant(*op)) {
            if op.attribute("value").is_ok_and(|other| other == value) {
                return first_result(op);
            }
            next = op.next_in_block();
        }
        first_result(match next {
            Some(next) => head.insert_operation_before(next, made()),
            None => head.append_operation(made()),
        })
    }

    /// An op that is there, and gives what one without effects would give that takes `operands`.
    fn found(&self, like: &Operation<'c>, operands: &[Value<'c, 'a>]) -> Option<OperationRef<'c, 'a>> {
        // Constants have many uses.
        let is_constant =
            |value: &&Value<'c, 'a>| ir::defining_op(**value).is_some_and(|op| ir::name_of(op) == "arith.constant");
        let rarest = operands.iter().find(|value| !is_constant(value)).or(operands.first())?;
        let users = ir::uses(*rarest).into_iter().take(MOST_USES).map(|(user, _)| user);
        users.into_iter().find(|user| ir::are_equal(like, *user) && self.is_behind(*user))
    }

    /// Moves an op to the insertion point.
    pub fn move_here(&self, op: OperationRef<'c, 'a>) {
        let next = match self.point {
            InsertionPoint::Before(next) => next,
            InsertionPoint::End(_) => self.mark(),
        };
        ir::mutable(op).move_before(next);
        if let InsertionPoint::End(_) = self.point {
            ir::erase(next);
        }
    }

    /// Builds and inserts an op.
    pub fn op(
        &self,
        name: &str,
        operands: &[Value<'c, 'a>],
        results: &[Type<'c>],
        attributes: &[(&str, Attribute<'c>)],
    ) -> OperationRef<'c, 'a> {
        self.op_with_regions(name, operands, results, attributes, Vec::new())
    }

    /// Builds and inserts an op with regions.
    pub fn op_with_regions(
        &self,
        name: &str,
        operands: &[Value<'c, 'a>],
        results: &[Type<'c>],
        attributes: &[(&str, Attribute<'c>)],
        regions: Vec<Region<'c>>,
    ) -> OperationRef<'c, 'a> {
        let attributes: Vec<_> =
            attributes.iter().map(|(name, value)| (Identifier::new(self.context, name), *value)).collect();
        let op = OperationBuilder::new(name, self.location)
            .add_operands(operands)
            .add_results(results)
            .add_attributes(&attributes)
            .add_regions_vec(regions)
            .build()
            .expect("result types are given, so none is inferred");
        // Arithmetic is not done twice: what is there already is taken.
        match is_made_once(name).then(|| self.found(&op, operands)).flatten() {
            Some(there) => there,
            None => self.insert(op),
        }
    }

    /// Builds and inserts an op whose operands come in groups, and that keeps their sizes.
    pub fn op_in_groups(
        &self,
        name: &str,
        groups: &[&[Value<'c, 'a>]],
        results: &[Type<'c>],
        attributes: &[(&str, Attribute<'c>)],
        regions: Vec<Region<'c>>,
    ) -> OperationRef<'c, 'a> {
        // An op has few operands.
        let sizes: Vec<i32> = groups.iter().map(|group| group.len() as i32).collect();
        let sizes = ("operandSegmentSizes", DenseI32ArrayAttribute::new(self.context, &sizes).into());
        self.op_with_regions(name, &groups.concat(), results, &[attributes, &[sizes]].concat(), regions)
    }

    /// Builds an op with one result.
    pub fn value(
        &self,
        name: &str,
        operands: &[Value<'c, 'a>],
        result: Type<'c>,
        attributes: &[(&str, Attribute<'c>)],
    ) -> Value<'c, 'a> {
        match attributes {
            [("value", value)] if name == "arith.constant" => self.constant(result, *value),
            _ => first_result(self.op(name, operands, &[result], attributes)),
        }
    }

    /// A vector of these lanes of two vectors of one length; those of the right one are counted on.
    pub fn shuffle(&self, [left, right]: [Value<'c, 'a>; 2], lanes: impl IntoIterator<Item = i64>) -> Value<'c, 'a> {
        let lanes: Vec<i64> = lanes.into_iter().collect();
        let ty = self.vector_type(lanes.len() as i64, element_of_vector(left));
        self.value("vector.shuffle", &[left, right], ty, &[("mask", self.integers(&lanes))])
    }

    /// An `index` constant.
    pub fn index(&self, value: i64) -> Value<'c, 'a> {
        self.constant(self.index_type(), self.index_attribute(value))
    }

    /// A constant of an integer type, or of vectors of integers: one number for all lanes, or a list.
    pub fn integer(&self, ty: Type<'c>, numbers: &[i64]) -> Value<'c, 'a> {
        self.number(ty, numbers, |element, number| IntegerAttribute::new(element, number).into())
    }

    /// The low bits of an index, of which those above are lost. By two ops: see `--define-integers`.
    pub fn index_in_bits(&self, index: Value<'c, 'a>, ty: Type<'c>) -> Value<'c, 'a> {
        let wide = self.integer_type(if width_of_integer(ty) < 32 { 32 } else { 64 });
        self.value("arith.trunci", &[self.value("arith.index_cast", &[index], wide, &[])], ty, &[])
    }

    /// A constant of a type of floats, or of vectors of them: the same in all lanes.
    pub fn float(&self, ty: Type<'c>, number: f64) -> Value<'c, 'a> {
        self.number(ty, &[number], |element, number| FloatAttribute::new(self.context, element, number).into())
    }

    fn number<N: Copy>(
        &self,
        ty: Type<'c>,
        numbers: &[N],
        attribute: impl Fn(Type<'c>, N) -> Attribute<'c>,
    ) -> Value<'c, 'a> {
        let of = |element: Type<'c>| numbers.iter().map(|number| attribute(element, *number)).collect::<Vec<_>>();
        let value = match ir::vector_element(ty) {
            Some(element) => DenseElementsAttribute::new(ty, &of(element)).expect("a vector has a shape").into(),
            None => of(ty)[0],
        };
        self.constant(ty, value)
    }

    /// Declares a function of another library.
    pub fn declare(&self, name: &str, arguments: &[Type<'c>], result: Type<'c>) {
        let ty = llvm::r#type::function(result, arguments, false);
        let attributes = [
            ("sym_name", self.string_attribute(name)),
            ("function_type", TypeAttribute::new(ty).into()),
            ("linkage", llvm::attributes::linkage(self.context, llvm::attributes::Linkage::External)),
            ("CConv", self.parse_attribute("#llvm.cconv<ccc>")),
            ("visibility_", self.i64_attribute(0)),
        ];
        self.op_with_regions("llvm.func", &[], &[], &attributes, vec![Region::new()]);
    }

    /// What a [declared](Self::declare) function gives.
    pub fn call(&self, name: &str, arguments: &[Value<'c, 'a>], result: Type<'c>) -> Value<'c, 'a> {
        first_result(self.called(("callee", self.symbol_attribute(name)), "llvm.call", arguments, &[result]))
    }

    /// Calls a [declared](Self::declare) function that gives nothing.
    pub fn call_void(&self, name: &str, arguments: &[Value<'c, 'a>]) {
        self.called(("callee", self.symbol_attribute(name)), "llvm.call", arguments, &[]);
    }

    /// A constant of the module that C reads as this text.
    pub fn text(&self, name: &str, text: &str) {
        let value = format!("{text}\0");
        let attributes = [
            ("sym_name", self.string_attribute(name)),
            ("global_type", TypeAttribute::new(llvm::r#type::array(self.integer_type(8), value.len() as u32)).into()),
            ("linkage", llvm::attributes::linkage(self.context, llvm::attributes::Linkage::Internal)),
            ("value", self.string_attribute(&value)),
            ("constant", self.unit_attribute()),
            ("addr_space", self.i32_attribute(0)),
        ];
        self.op_with_regions("llvm.mlir.global", &[], &[], &attributes, vec![Region::new()]);
    }

    /// What an intrinsic of LLVM's gives; its name ends with the types that it is for.
    pub fn intrinsic(&self, name: &str, arguments: &[Value<'c, 'a>], result: Type<'c>) -> Value<'c, 'a> {
        first_result(self.called(("intrin", self.string_attribute(name)), "llvm.call_intrinsic", arguments, &[result]))
    }

    /// A call of the llvm dialect; the attribute says of what.
    fn called(
        &self,
        callee: (&str, Attribute<'c>),
        op: &str,
        arguments: &[Value<'c, 'a>],
        results: &[Type<'c>],
    ) -> OperationRef<'c, 'a> {
        let bundles = DenseI32ArrayAttribute::new(self.context, &[]).into();
        let attributes = [callee, ("op_bundle_sizes", bundles)];
        self.op_in_groups(op, &[arguments, &[]], results, &attributes, Vec::new())
    }

    /// `arith.<op>` of two index values, for example `addi` or `minsi`.
    pub fn arith(&self, op: &str, a: Value<'c, 'a>, b: Value<'c, 'a>) -> Value<'c, 'a> {
        match (op, constant_index(a), constant_index(b)) {
            ("addi" | "subi", _, Some(0)) | ("muli" | "divui" | "divsi" | "floordivsi" | "ceildivsi", _, Some(1)) => {
                return a;
            }
            ("addi", Some(0), _) | ("muli", Some(1), _) => return b,
            ("addi" | "subi" | "muli" | "minsi" | "maxsi", Some(a), Some(b)) => {
                let folded = match op {
                    "addi" => a.checked_add(b),
                    "subi" => a.checked_sub(b),
                    "muli" => a.checked_mul(b),
                    "minsi" => Some(a.min(b)),
                    _ => Some(a.max(b)),
                };
                if let Some(number) = folded {
                    return self.index(number);
                }
            }
            ("addi", None, Some(more)) => {
                // A sum of a sum is one.
                let sum = ir::defining_op(a).filter(|op| ir::name_of(*op) == "arith.addi");
                let inner = sum.and_then(|op| Some((ir::operand(op, 0)?, constant_index(ir::operand(op, 1)?)?)));
                if let Some((start, before)) = inner
                    && let Some(all) = before.checked_add(more)
                {
                    return self.arith("addi", start, self.index(all));
                }
            }
            _ => {}
        }
        self.value(&format!("arith.{op}"), &[a, b], self.index_type(), &[])
    }

    /// A comparison of two index values.
    pub fn compare(&self, predicate: Compare, a: Value<'c, 'a>, b: Value<'c, 'a>) -> Value<'c, 'a> {
        let known = match (constant_index(a), constant_index(b)) {
            // What is true of 0 and 0 is true of a value and itself.
            _ if a == b => Some(predicate.holds(0, 0)),
            (Some(a), Some(b)) => Some(predicate.holds(a, b)),
            _ => None,
        };
        if let Some(known) = known {
            return self.truth(known);
        }
        let predicate = self.i64_attribute(predicate as i64);
        self.value("arith.cmpi", &[a, b], self.bool_type(), &[("predicate", predicate)])
    }

    /// `arith.<op>` of two booleans: `andi`, `ori` or `xori`.
    pub fn logic(&self, op: &str, a: Value<'c, 'a>, b: Value<'c, 'a>) -> Value<'c, 'a> {
        let (known, other) = match (constant_bool(a), constant_bool(b)) {
            (Some(known), _) => (known, b),
            (_, Some(known)) => (known, a),
            _ if a == b && op != "xori" => return a,
            _ => return self.value(&format!("arith.{op}"), &[a, b], self.bool_type(), &[]),
        };
        match (op, known) {
            ("andi", true) | ("ori" | "xori", false) => other,
            ("andi", false) | ("ori", true) => self.truth(known),
            _ => self.value(&format!("arith.{op}"), &[a, b], self.bool_type(), &[]),
        }
    }

    /// What holds where the condition does not.
    pub fn not(&self, condition: Value<'c, 'a>) -> Value<'c, 'a> {
        self.logic("xori", condition, self.truth(true))
    }

    /// A condition that always holds, or never.
    pub fn truth(&self, known: bool) -> Value<'c, 'a> {
        self.constant(self.bool_type(), self.bool_attribute(known))
    }

    /// Both of two conditions; `None` is one that always holds.
    pub fn both(&self, a: Option<Value<'c, 'a>>, b: Option<Value<'c, 'a>>) -> Option<Value<'c, 'a>> {
        match (a, b) {
            (Some(a), Some(b)) => Some(self.logic("andi", a, b)),
            (a, b) => a.or(b),
        }
    }

    /// `arith.select`.
    pub fn select(
        &self,
        condition: Value<'c, 'a>,
        yes: Value<'c, 'a>,
        no: Value<'c, 'a>,
        ty: Type<'c>,
    ) -> Value<'c, 'a> {
        match constant_bool(condition) {
            _ if yes == no => return yes,
            Some(true) => return yes,
            Some(false) => return no,
            None => {}
        }
        self.value("arith.select", &[condition, yes, no], ty, &[])
    }

    /// `memref.load`.
    pub fn load(&self, memory: Value<'c, 'a>, indices: &[Value<'c, 'a>], element: Type<'c>) -> Value<'c, 'a> {
        let operands: Vec<_> = [memory].into_iter().chain(indices.iter().copied()).collect();
        self.value("memref.load", &operands, element, &[])
    }

    /// `memref.store`.
    pub fn store(&self, value: Value<'c, 'a>, memory: Value<'c, 'a>, indices: &[Value<'c, 'a>]) {
        let operands: Vec<_> = [value, memory].into_iter().chain(indices.iter().copied()).collect();
        self.op("memref.store", &operands, &[], &[]);
    }

    /// `memref.prefetch` to the second cache.
    pub fn prefetch(&self, memory: Value<'c, 'a>, indices: &[Value<'c, 'a>], is_write: bool) {
        let operands: Vec<_> = [memory].into_iter().chain(indices.iter().copied()).collect();
        let attributes = [
            ("isWrite", self.bool_attribute(is_write)),
            ("localityHint", self.i32_attribute(2)),
            ("isDataCache", self.bool_attribute(true)),
        ];
        self.op("memref.prefetch", &operands, &[], &attributes);
    }

    /// An `scf.for` from `lo` to `hi`, step 1: a builder that stands before its `scf.yield`, and the loop's index.
    pub fn for_loop(&self, lo: Value<'c, 'a>, hi: Value<'c, 'a>) -> (Self, Value<'c, 'a>) {
        self.for_every(lo, hi, 1)
    }

    /// An `scf.for` over every `step`th number of `[lo, hi)`, as [`for_loop`](Self::for_loop).
    pub fn for_every(&self, lo: Value<'c, 'a>, hi: Value<'c, 'a>, step: i64) -> (Self, Value<'c, 'a>) {
        let step = self.index(step);
        let region = one_block(&[(self.index_type(), self.location)]);
        let op = self.op_with_regions("scf.for", &[lo, hi, step], &[], &[], vec![region]);
        let body = only_block(op);
        let index = body.argument(0).expect("made with one argument").into();
        let end = Self::at_end(self.context, body, self.location).op("scf.yield", &[], &[], &[]);
        (Self::before(self.context, end).located(self.location), index)
    }

    /// An `scf.parallel` over `[0, counts)`, one loop for each that is not known to be 1: a builder that stands before its end, and
    /// the indices.
    pub fn parallel(&self, counts: &[Value<'c, 'a>]) -> (Self, Vec<Value<'c, 'a>>) {
        let is_once: Vec<bool> = counts.iter().map(|count| constant_index(*count) == Some(1)).collect();
        let counts: Vec<Value> =
            counts.iter().zip(&is_once).filter(|(_, is_once)| !**is_once).map(|(count, _)| *count).collect();
        let (inner, loops) = if counts.is_empty() { (*self, Vec::new()) } else { self.parallel_loops(&counts) };
        let mut loops = loops.into_iter();
        let index = |is_once: bool| if is_once { None } else { loops.next() };
        let indices = is_once.into_iter().map(index).map(|index| index.unwrap_or_else(|| self.index(0)));
        let indices = indices.collect();
        (inner, indices)
    }

    fn parallel_loops(&self, counts: &[Value<'c, 'a>]) -> (Self, Vec<Value<'c, 'a>>) {
        let rank = counts.len();
        let (zero, one) = (self.index(0), self.index(1));
        let (starts, steps) = (vec![zero; rank], vec![one; rank]);
        let region = one_block(&vec![(self.index_type(), self.location); rank]);
        let op = self.op_in_groups("scf.parallel", &[&starts, counts, &steps, &[]], &[], &[], vec![region]);
        let body = only_block(op);
        let indices = (0..rank).map(|i| body.argument(i).expect("made with these arguments").into()).collect();
        let end = Self::at_end(self.context, body, self.location).op("scf.reduce", &[], &[], &[]);
        (Self::before(self.context, end).located(self.location), indices)
    }

    /// An `scf.for` that carries values: `body` gets the loop's index and what is carried, and gives what is carried on. Returns
    /// what is carried behind the last iteration.
    ///
    /// # Errors
    ///
    /// Those of `body`.
    pub fn for_carrying<E>(
        &self,
        [lo, hi, step]: [Value<'c, 'a>; 3],
        initial: &[Value<'c, 'a>],
        body: impl FnOnce(&Self, Value<'c, 'a>, &[Value<'c, 'a>]) -> Result<Vec<Value<'c, 'a>>, E>,
    ) -> Result<Vec<Value<'c, 'a>>, E> {
        let types: Vec<Type> = initial.iter().map(|value| value.r#type()).collect();
        let plain = self.located(self.location);
        let carried = types.iter().map(|ty| (*ty, plain.location));
        let arguments: Vec<_> = [(self.index_type(), self.location)].into_iter().chain(carried).collect();
        let region = one_block(&arguments);
        let operands: Vec<Value> = [lo, hi, step].into_iter().chain(initial.iter().copied()).collect();
        let op = plain.op_with_regions("scf.for", &operands, &types, &[], vec![region]);
        let block = only_block(op);
        let arguments: Vec<Value> =
            (0..arguments.len()).map(|i| block.argument(i).expect("made with these arguments").into()).collect();
        let inner = Self::at_end(self.context, block, self.location);
        let next = body(&inner, arguments[0], &arguments[1..])?;
        inner.op("scf.yield", &next, &[], &[]);
        Ok(op.results().map(Value::from).collect())
    }

    /// An `scf.if` that gives what `then` gives, or `otherwise`.
    pub fn if_value(
        &self,
        condition: Value<'c, 'a>,
        then: impl FnOnce(&Self) -> Value<'c, 'a>,
        otherwise: Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        self.if_either(condition, otherwise.r#type(), then, |_| otherwise)
    }

    /// An `scf.if` that gives what `then` gives, or `otherwise`, of one type.
    pub fn if_either(
        &self,
        condition: Value<'c, 'a>,
        ty: Type<'c>,
        then: impl FnOnce(&Self) -> Value<'c, 'a>,
        otherwise: impl FnOnce(&Self) -> Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        let (values, [yes, no]) = self.branches(condition, &[ty]);
        yes.op("scf.yield", &[then(&yes)], &[], &[]);
        no.op("scf.yield", &[otherwise(&no)], &[], &[]);
        values[0]
    }

    /// An `scf.if` that gives values of these types, and its two branches, which have no `scf.yield` yet.
    pub fn branches(&self, condition: Value<'c, 'a>, types: &[Type<'c>]) -> (Vec<Value<'c, 'a>>, [Self; 2]) {
        let regions = [one_block(&[]), one_block(&[])];
        let op = self.op_with_regions("scf.if", &[condition], types, &[], regions.into());
        let branch = |index| {
            let block = op.region(index).ok().and_then(|region| region.first_block()).expect("built with two regions");
            Self::at_end(self.context, block, self.location)
        };
        (op.results().map(Value::from).collect(), [branch(0), branch(1)])
    }

    /// An `scf.if` without results or `else`: a builder that stands before its `scf.yield`.
    pub fn if_then(&self, condition: Value<'c, 'a>) -> Self {
        let op = self.op_with_regions("scf.if", &[condition], &[], &[], vec![one_block(&[]), Region::new()]);
        let end = Self::at_end(self.context, only_block(op), self.location).op("scf.yield", &[], &[], &[]);
        Self::before(self.context, end).located(self.location)
    }

    /// As [`if_then`](Self::if_then), in the `scf.if` right before the insertion point where that asks the same.
    pub fn if_then_too(&self, condition: Value<'c, 'a>) -> Self {
        match self.if_before(condition).and_then(|op| block_of(op, 0).terminator()) {
            Some(end) => Self::before(self.context, end).located(self.location),
            None => self.if_then(condition),
        }
    }

    /// The `scf.if` without results right before the insertion point, where that asks for this.
    fn if_before(&self, condition: Value<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
        let InsertionPoint::Before(next) = self.point else { return None };
        let before = ir::operations(self.block()).take_while(|op| *op != next).last()?;
        let is_same = ir::name_of(before) == "scf.if" && ir::operand(before, 0) == Some(condition);
        (is_same && before.result_count() == 0).then_some(before)
    }

    /// An `scf.if` without results: builders that stand before the `scf.yield` of either branch.
    pub fn if_else(&self, condition: Value<'c, 'a>) -> (Self, Self) {
        let op = self.op_with_regions("scf.if", &[condition], &[], &[], vec![one_block(&[]), one_block(&[])]);
        let branch = |region| {
            let end = Self::at_end(self.context, block_of(op, region), self.location).op("scf.yield", &[], &[], &[]);
            Self::before(self.context, end).located(self.location)
        };
        (branch(0), branch(1))
    }

    /// As [`if_else`](Self::if_else), in the `scf.if` right before the insertion point where that asks the same.
    pub fn if_else_too(&self, condition: Value<'c, 'a>) -> (Self, Self) {
        let ends = self.if_before(condition).and_then(|op| {
            let otherwise = op.region(1).ok()?.first_block()?;
            Some((block_of(op, 0).terminator()?, otherwise.terminator()?))
        });
        let at = |end| Self::before(self.context, end).located(self.location);
        ends.map_or_else(|| self.if_else(condition), |(yes, no)| (at(yes), at(no)))
    }

    /// Clones `op` to the insertion point with its operands, at any depth, replaced by what `values` maps them to, and
    /// adds its results to the map.
    pub fn clone_mapped(
        &self,
        op: OperationRef<'c, 'a>,
        values: &mut HashMap<Key, Value<'c, 'a>>,
    ) -> OperationRef<'c, 'a> {
        if is_constant(op)
            && let (Some(result), Ok(value)) = (ir::result(op, 0), op.attribute("value"))
        {
            let constant = self.constant(result.r#type(), value);
            values.insert(key(result), constant);
            return ir::defining_op(constant).expect("a constant is an op");
        }
        if let Some(constant) = self.folded(op, values) {
            values.insert(key(op.result(0).expect("arithmetic has a result").into()), constant);
            return ir::defining_op(constant).expect("a constant is an op");
        }
        // What saturates is put in the place of a conversion, which must then be of this body alone.
        let name = ir::name_of(op);
        let is_shared =
            (is_made_once(name) || name.starts_with("math.")) && !matches!(name, "arith.fptosi" | "arith.fptoui");
        if is_shared && let Some(there) = self.shared(op, values) {
            return there;
        }
        let clone = self.insert((*op).clone());
        self.relocate(clone);
        remap(clone, values);
        for (old, new) in op.results().zip(clone.results()) {
            values.insert(key(old.into()), new.into());
        }
        clone
    }

    /// Gives a clone the name of what is built here, and the stage, if it has none; its position it keeps.
    fn relocate(&self, clone: OperationRef<'c, 'a>) {
        let name = location::name_at(self.location);
        if name.is_none() && location::stage_at(self.location).is_none() {
            return;
        }
        for op in ir::walk(clone) {
            let of_stage = self.within_stage(op.location());
            let location = name.map_or(of_stage, |name| location::named(self.context, name, of_stage));
            ir::mutable(op).set_location(location);
        }
    }

    /// What a copy of `op` would give, where it brings an index inside, compares or converts one, and that is a constant.
    fn folded(&self, op: OperationRef<'c, 'a>, values: &HashMap<Key, Value<'c, 'a>>) -> Option<Value<'c, 'a>> {
        let known = |operand| {
            let operand = ir::operand(op, operand)?;
            constant_index(values.get(&key(operand)).copied().unwrap_or(operand))
        };
        let is_index = ir::operand(op, 0)?.r#type().is_index();
        match ir::name_of(op) {
            "arith.minsi" if is_index => return Some(self.index(known(0)?.min(known(1)?))),
            "arith.maxsi" if is_index => return Some(self.index(known(0)?.max(known(1)?))),
            "arith.cmpi" if is_index => return Some(self.truth(Compare::of_op(op)?.holds(known(0)?, known(1)?))),
            "arith.index_cast" | "arith.index_castui" => {}
            _ => return None,
        }
        let number = known(0)?;
        let ty = ir::result(op, 0)?.r#type();
        // No conversion changes a number that is small, and not negative.
        let is_kept = (0..i64::from(i8::MAX)).contains(&number) && (ty.is_index() || ty.is_integer());
        is_kept.then(|| self.constant(ty, IntegerAttribute::new(ty, number).into()))
    }

    /// An op that is there, and gives what a copy of `op` would give with these values for its operands; adds its results to the map.
    fn shared(
        &self,
        op: OperationRef<'c, 'a>,
        values: &mut HashMap<Key, Value<'c, 'a>>,
    ) -> Option<OperationRef<'c, 'a>> {
        let operands: Vec<Value> =
            op.operands().map(|operand| values.get(&key(operand)).copied().unwrap_or(operand)).collect();
        let mut like = (*op).clone();
        for (index, operand) in operands.iter().enumerate() {
            like.set_operand(index, *operand);
        }
        let there = self.found(&like, &operands)?;
        values.extend(op.results().zip(there.results()).map(|(old, new)| (key(old.into()), new.into())));
        Some(there)
    }

    /// [`clone_mapped`](Self::clone_mapped) of an op without effects and regions, unless what it would give is there already.
    pub fn clone_once(&self, op: OperationRef<'c, 'a>, values: &mut HashMap<Key, Value<'c, 'a>>) {
        if self.shared(op, values).is_none() {
            self.clone_mapped(op, values);
        }
    }
}

/// Identifies a value, for use as the key of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key(*const std::ffi::c_void);

/// The key of a value.
pub fn key(value: Value) -> Key {
    Key(value.to_raw().ptr)
}

/// A region of one block with these arguments.
pub fn one_block<'c>(arguments: &[(Type<'c>, Location<'c>)]) -> Region<'c> {
    let region = Region::new();
    region.append_block(Block::new(arguments));
    region
}

/// The block of a region of an op, as our lowerings make them.
pub fn block_of<'c, 'a>(op: OperationRef<'c, 'a>, region: usize) -> BlockRef<'c, 'a> {
    op.region(region).ok().and_then(|region| region.first_block()).expect("an op with a body")
}

/// The only block of an op with one region.
pub fn only_block<'c, 'a>(op: OperationRef<'c, 'a>) -> BlockRef<'c, 'a> {
    block_of(op, 0)
}

/// Replaces operands of `op` and of all ops inside it.
pub fn remap<'c: 'a, 'a>(op: OperationRef<'c, 'a>, values: &HashMap<Key, Value<'c, 'a>>) {
    for inner in ir::walk(op) {
        for (index, old) in inner.operands().enumerate() {
            if let Some(new) = values.get(&key(old)) {
                ir::mutable(inner).set_operand(index, *new);
            }
        }
    }
}
