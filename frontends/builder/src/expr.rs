//! Expressions: values that are written as Rust writes arithmetic. All of them are small and `Copy`.

use crate::{
    error::Place,
    graph::{GraphCell, Id, Node, Op, Predicate},
    types::Type,
};
use std::{
    collections::HashMap,
    ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Range, Rem, Shl, Shr, Sub},
    panic::Location,
};

/// A value of a point, or a number of the program.
///
/// The operators want equal types on both sides, as Rust's do; a literal takes the type of the other side. `/` and `%` round
/// towards zero for integers, and downwards for indices, where they are `floordiv` and `mod`.
#[derive(Clone, Copy)]
pub struct Expr<'p> {
    pub(crate) graph: &'p GraphCell,
    pub(crate) id: Id,
}

/// A coordinate: a dimension of a stage, or a variable of a window.
#[derive(Clone, Copy)]
pub struct Var<'p> {
    pub(crate) graph: &'p GraphCell,
    pub(crate) variable: usize,
}

/// What can stand beside an expression: an expression, a coordinate, a literal.
#[derive(Clone, Copy)]
pub enum Operand<'p> {
    /// A value with a type.
    Expr(Expr<'p>),
    /// A literal for any type of float.
    Float(f64),
    /// A literal for any type but bool.
    Int(i64),
}

/// A coordinate and how far it goes: `x.to(w)` is 0 to w - 1.
#[derive(Clone, Copy)]
pub struct Dim<'p> {
    pub(crate) var: Var<'p>,
    pub(crate) extent: Id,
}

/// A variable and its interval of constants: `dx.over(-1..2)` is -1, 0, 1.
#[derive(Clone, Copy)]
pub struct Window<'p> {
    pub(crate) var: Var<'p>,
    pub(crate) lo: i64,
    pub(crate) hi: i64,
}

/// A variable of a scatter's domain and its half-open interval, which may end at a number of the program: what Halide calls a
/// dimension of an `RDom`. A [`Dim`] and a [`Window`] are such, and [`between`](Var::between) is the general case.
#[derive(Clone, Copy)]
pub struct Span<'p> {
    pub(crate) var: Var<'p>,
    pub(crate) lo: i64,
    pub(crate) hi: Id,
}

/// The coordinate along which a scan walks, and whether from its end: `y` or `y.backward()`.
#[derive(Clone, Copy)]
pub struct Along<'p> {
    pub(crate) var: Var<'p>,
    pub(crate) backward: bool,
}

impl<'p> From<Dim<'p>> for Span<'p> {
    fn from(dim: Dim<'p>) -> Self {
        Self { var: dim.var, lo: 0, hi: dim.extent }
    }
}

impl<'p> From<Window<'p>> for Span<'p> {
    #[track_caller]
    fn from(Window { var, lo, hi }: Window<'p>) -> Self {
        Self { var, lo, hi: var.graph.borrow_mut().index(hi, Location::caller()) }
    }
}

impl<'p> From<Var<'p>> for Along<'p> {
    fn from(var: Var<'p>) -> Self {
        Self { var, backward: false }
    }
}

impl<'p> From<Expr<'p>> for Operand<'p> {
    fn from(value: Expr<'p>) -> Self {
        Self::Expr(value)
    }
}

impl<'p> From<Var<'p>> for Operand<'p> {
    #[track_caller]
    fn from(value: Var<'p>) -> Self {
        Self::Expr(value.into())
    }
}

impl<'p> From<Var<'p>> for Expr<'p> {
    #[track_caller]
    fn from(value: Var<'p>) -> Self {
        value.graph.make(Node::Variable(value.variable), Type::Index, Location::caller())
    }
}

macro_rules! literals {
    ($($ty:ty => $case:ident as $wide:ty),*) => {
        $(impl From<$ty> for Operand<'_> {
            fn from(value: $ty) -> Self {
                Self::$case(<$wide>::from(value))
            }
        })*
    };
}
literals!(f64 => Float as f64, f32 => Float as f64, i32 => Int as i64, i64 => Int as i64, u8 => Int as i64);

macro_rules! operators {
    ($($trait:ident $method:ident),*) => {
        $(
            impl<'p, R: Into<Operand<'p>>> $trait<R> for Expr<'p> {
                type Output = Expr<'p>;
                #[track_caller]
                fn $method(self, other: R) -> Expr<'p> {
                    self.graph.binary(Op::$trait, self.into(), other.into(), Location::caller())
                }
            }
            impl<'p, R: Into<Operand<'p>>> $trait<R> for Var<'p> {
                type Output = Expr<'p>;
                #[track_caller]
                fn $method(self, other: R) -> Expr<'p> {
                    self.graph.binary(Op::$trait, self.into(), other.into(), Location::caller())
                }
            }
            operators!(left $trait $method f64);
            operators!(left $trait $method i32);
        )*
    };
    (left $trait:ident $method:ident $literal:ty) => {
        impl<'p> $trait<Expr<'p>> for $literal {
            type Output = Expr<'p>;
            #[track_caller]
            fn $method(self, other: Expr<'p>) -> Expr<'p> {
                other.graph.binary(Op::$trait, self.into(), other.into(), Location::caller())
            }
        }
        impl<'p> $trait<Var<'p>> for $literal {
            type Output = Expr<'p>;
            #[track_caller]
            fn $method(self, other: Var<'p>) -> Expr<'p> {
                other.graph.binary(Op::$trait, self.into(), other.into(), Location::caller())
            }
        }
    };
}
operators!(Add add, Sub sub, Mul mul, Div div, Rem rem);

macro_rules! bit_operators {
    ($($trait:ident $method:ident $op:ident),*) => {
        $(
            impl<'p, R: Into<Operand<'p>>> $trait<R> for Expr<'p> {
                type Output = Expr<'p>;
                #[track_caller]
                fn $method(self, other: R) -> Expr<'p> {
                    self.graph.binary(Op::$op, self.into(), other.into(), Location::caller())
                }
            }
        )*
    };
}
bit_operators!(BitAnd bitand And, BitOr bitor Or, BitXor bitxor Xor, Shl shl Shl, Shr shr Shr);

impl<'p> Neg for Expr<'p> {
    type Output = Self;
    #[track_caller]
    fn neg(self) -> Self {
        self.graph.unary(Op::Neg, self, Location::caller())
    }
}

impl<'p> Neg for Var<'p> {
    type Output = Expr<'p>;
    #[track_caller]
    fn neg(self) -> Expr<'p> {
        self.graph.unary(Op::Neg, self.into(), Location::caller())
    }
}

impl<'p> Not for Expr<'p> {
    type Output = Self;
    #[track_caller]
    fn not(self) -> Self {
        self.graph.unary(Op::Not, self, Location::caller())
    }
}

macro_rules! unary {
    ($($(#[$meta:meta])* $name:ident = $op:expr;)*) => {
        $($(#[$meta])*
        #[track_caller]
        pub fn $name(self) -> Self {
            self.graph.unary($op, self, Location::caller())
        })*
    };
}

macro_rules! binary {
    ($($(#[$meta:meta])* $name:ident = $op:expr;)*) => {
        $($(#[$meta])*
        #[track_caller]
        pub fn $name(self, other: impl Into<Operand<'p>>) -> Self {
            self.graph.binary($op, self.into(), other.into(), Location::caller())
        })*
    };
}

impl<'p> Expr<'p> {
    unary! {
        /// The absolute value; of an integer without sign the value itself.
        abs = Op::Abs;
        /// e to this power.
        exp = Op::Math("exp");
        /// 2 to this power.
        exp2 = Op::Math("exp2");
        /// The natural logarithm.
        log = Op::Math("log");
        /// The logarithm to base 2.
        log2 = Op::Math("log2");
        /// The square root.
        sqrt = Op::Math("sqrt");
        /// One over the square root.
        rsqrt = Op::Math("rsqrt");
        /// The sine of an angle in radians.
        sin = Op::Math("sin");
        /// The cosine of an angle in radians.
        cos = Op::Math("cos");
        /// The hyperbolic tangent.
        tanh = Op::Math("tanh");
        /// The arc tangent, in radians.
        atan = Op::Math("atan");
        /// The largest whole number that is not above.
        floor = Op::Math("floor");
        /// The smallest whole number that is not below.
        ceil = Op::Math("ceil");
        /// The nearest whole number, halves to the even one.
        round = Op::Math("roundeven");
    }

    binary! {
        /// The smaller one; NaN if one is NaN.
        min = Op::Min;
        /// The larger one; NaN if one is NaN.
        max = Op::Max;
        /// To this power.
        pow = Op::Math("powf");
        /// The angle of the point (`other`, `self`), in radians.
        atan2 = Op::Math("atan2");
        /// Whether both are equal.
        eq = Op::Compare(Predicate::Eq);
        /// Whether they differ; yes where one is NaN.
        ne = Op::Compare(Predicate::Ne);
        /// Whether it is below `other`.
        lt = Op::Compare(Predicate::Lt);
        /// Whether it is not above `other`, and neither is NaN.
        le = Op::Compare(Predicate::Le);
        /// Whether it is above `other`.
        gt = Op::Compare(Predicate::Gt);
        /// Whether it is not below `other`, and neither is NaN.
        ge = Op::Compare(Predicate::Ge);
    }

    /// The nearest value that is neither below `lo` nor above `hi`.
    #[track_caller]
    pub fn clamp(self, lo: impl Into<Operand<'p>>, hi: impl Into<Operand<'p>>) -> Self {
        let place = Location::caller();
        let above = self.graph.binary(Op::Max, self.into(), lo.into(), place);
        self.graph.binary(Op::Min, above.into(), hi.into(), place)
    }

    /// `yes` where this bool holds, else `no`.
    #[track_caller]
    pub fn select(self, yes: impl Into<Operand<'p>>, no: impl Into<Operand<'p>>) -> Self {
        self.graph.select(self, yes.into(), no.into(), Location::caller())
    }

    /// The distance to `other`, which needs no sign: also between integers without one.
    #[track_caller]
    pub fn distance(self, other: impl Into<Operand<'p>>) -> Self {
        let place = Location::caller();
        let other = other.into();
        let less = self.graph.binary(Op::Compare(Predicate::Lt), self.into(), other, place);
        let up = self.graph.binary(Op::Sub, other, self.into(), place);
        let down = self.graph.binary(Op::Sub, self.into(), other, place);
        self.graph.select(less, up.into(), down.into(), place)
    }

    /// `self` at 0, `other` at 1, a straight line between and beyond.
    #[track_caller]
    pub fn lerp(self, other: impl Into<Operand<'p>>, at: impl Into<Operand<'p>>) -> Self {
        let place = Location::caller();
        let far = self.graph.binary(Op::Sub, other.into(), self.into(), place);
        let step = self.graph.binary(Op::Mul, far.into(), at.into(), place);
        self.graph.binary(Op::Add, self.into(), step.into(), place)
    }

    /// The value in another type. Integers keep their low bits, floats go towards zero and saturate (NaN gives 0), bools are 0
    /// and 1.
    #[track_caller]
    pub fn cast(self, to: Type) -> Self {
        self.graph.cast(self, to, Location::caller())
    }

    /// The nearest value that the type has: of floats the nearest integer, halves to even ones (NaN gives 0).
    #[track_caller]
    pub fn saturate(self, to: Type) -> Self {
        self.graph.saturate(self, to, Location::caller())
    }

    /// The value in the next wider type.
    #[track_caller]
    pub fn widen(self) -> Self {
        let place = Location::caller();
        match self.ty().wider() {
            Some(wider) => self.graph.cast(self, wider, place),
            None => self.graph.fail(place, format!("widen of {}, expected a type that has a wider one", self.ty())),
        }
    }

    /// Its type.
    pub fn ty(self) -> Type {
        self.graph.borrow().ty(self.id)
    }

    /// The number, if it is a constant of type `Index`.
    pub fn known_index(self) -> Option<i64> {
        let graph = self.graph.borrow();
        graph.known_integer(self.id).filter(|_| graph.ty(self.id) == Type::Index)
    }

    /// Whether both are the same expression of the same program.
    pub fn is_same(self, other: Self) -> bool {
        std::ptr::eq(self.graph, other.graph) && self.id == other.id
    }

    /// The expression with a coordinate replaced, everywhere in it.
    #[track_caller]
    pub fn substitute(self, var: Var<'p>, value: impl Into<Operand<'p>>) -> Self {
        let place = Location::caller();
        let value = self.graph.typed(value.into(), Type::Index, place);
        self.graph.substituted(self, &HashMap::from([(var.variable, value.id)]))
    }
}

impl<'p> Dim<'p> {
    /// How far it goes.
    pub fn extent(self) -> Expr<'p> {
        Expr { graph: self.var.graph, id: self.extent }
    }
}

impl<'p> Var<'p> {
    /// As a coordinate of a stage: from 0 to `extent` - 1.
    #[track_caller]
    pub fn to(self, extent: impl Into<Operand<'p>>) -> Dim<'p> {
        let extent = self.graph.extent(extent.into(), Location::caller());
        Dim { var: self, extent }
    }

    /// As a variable of a window.
    pub fn over(self, window: Range<i64>) -> Window<'p> {
        Window { var: self, lo: window.start, hi: window.end }
    }

    /// As a variable of a scatter's domain: from `lo` to `hi` - 1.
    #[track_caller]
    pub fn between(self, lo: i64, hi: impl Into<Operand<'p>>) -> Span<'p> {
        let hi = self.graph.number_of_program("end of an interval", hi.into(), Location::caller());
        Span { var: self, lo, hi }
    }

    /// As what a scan walks along from the first point to the last: the same as the coordinate itself.
    pub fn forward(self) -> Along<'p> {
        self.into()
    }

    /// As what a scan walks along from the last point to the first.
    pub fn backward(self) -> Along<'p> {
        Along { var: self, backward: true }
    }

    /// As a value: of type `Index`.
    #[track_caller]
    pub fn value(self) -> Expr<'p> {
        self.into()
    }
}

/// The same as [`Expr::select`], in another order.
#[track_caller]
pub fn select<'p>(condition: Expr<'p>, yes: impl Into<Operand<'p>>, no: impl Into<Operand<'p>>) -> Expr<'p> {
    condition.graph.select(condition, yes.into(), no.into(), Location::caller())
}

/// Points of an image: tuples, arrays or lists of coordinates, expressions and literals, one for each dimension.
pub trait Indices<'p> {
    /// As a list.
    fn operands(self) -> Vec<Operand<'p>>;
}

macro_rules! tuples {
    ($($($name:ident)*;)*) => {
        $(impl<'p, $($name: Into<Operand<'p>>),*> Indices<'p> for ($($name,)*) {
            #[allow(non_snake_case)]
            #[track_caller]
            fn operands(self) -> Vec<Operand<'p>> {
                let ($($name,)*) = self;
                vec![$($name.into()),*]
            }
        })*
    };
}
tuples! { ; A; A B; A B C; A B C D; }

impl<'p> Indices<'p> for Var<'p> {
    #[track_caller]
    fn operands(self) -> Vec<Operand<'p>> {
        vec![self.into()]
    }
}

impl<'p> Indices<'p> for Expr<'p> {
    fn operands(self) -> Vec<Operand<'p>> {
        vec![self.into()]
    }
}

impl<'p, T: Into<Operand<'p>>, const N: usize> Indices<'p> for [T; N] {
    #[track_caller]
    fn operands(self) -> Vec<Operand<'p>> {
        self.map(Into::into).into()
    }
}

impl<'p, T: Into<Operand<'p>>> Indices<'p> for Vec<T> {
    #[track_caller]
    fn operands(self) -> Vec<Operand<'p>> {
        self.into_iter().map(Into::into).collect()
    }
}

// ---- Making nodes ------------------------------------------------------------------------------------------------------------

impl GraphCell {
    pub(crate) fn make(&self, node: Node, ty: Type, place: Place) -> Expr<'_> {
        Expr { graph: self, id: self.borrow_mut().node(node, ty, place) }
    }

    pub(crate) fn fail(&self, place: Place, message: String) -> Expr<'_> {
        Expr { graph: self, id: self.borrow_mut().wrong(place, message) }
    }

    /// A value that stands for one which a mistake was reported of.
    pub(crate) fn quietly_wrong(&self, place: Place) -> Expr<'_> {
        self.make(Node::Wrong, Type::F32, place)
    }

    fn apply(&self, op: Op, operands: Vec<Id>, ty: Type, place: Place) -> Expr<'_> {
        Expr { graph: self, id: self.borrow_mut().op(op, operands, ty, place) }
    }

    pub(crate) fn is_wrong(&self, id: Id) -> bool {
        self.borrow().is_wrong(id)
    }

    /// An operand that has a type to be of.
    pub(crate) fn typed<'p>(&'p self, operand: Operand<'p>, ty: Type, place: Place) -> Expr<'p> {
        let bits = match operand {
            Operand::Expr(expr) if !std::ptr::eq(expr.graph, self) => {
                return self.fail(place, "a value of another program, expected one of this".into());
            }
            Operand::Expr(expr) => return expr,
            Operand::Float(value) if ty.is_float() => value.to_bits(),
            #[allow(clippy::cast_precision_loss)]
            Operand::Int(value) if ty.is_float() => (value as f64).to_bits(),
            Operand::Float(value) => {
                return self.fail(place, format!("literal {value:?} beside {ty}, expected an integer"));
            }
            Operand::Int(value) if ty == Type::Bool => {
                return self.fail(place, format!("literal {value} beside bool, expected a bool"));
            }
            Operand::Int(value) => {
                let (lo, hi) = ty.range();
                if !(lo..=hi).contains(&i128::from(value)) {
                    return self.fail(place, format!("literal {value} beside {ty}, expected {lo} to {hi}"));
                }
                value.cast_unsigned()
            }
        };
        self.make(Node::Constant(bits), ty, place)
    }

    /// Operands of one type; where all are literals, f32 or i32.
    pub(crate) fn alike<'p, const N: usize>(&'p self, operands: [Operand<'p>; N], place: Place) -> [Expr<'p>; N] {
        let of_expr = operands.iter().find_map(|operand| match operand {
            Operand::Expr(expr) => Some(expr.ty()),
            _ => None,
        });
        let is_float = operands.iter().any(|operand| matches!(operand, Operand::Float(_)));
        let ty = of_expr.unwrap_or(if is_float { Type::F32 } else { Type::I32 });
        operands.map(|operand| self.typed(operand, ty, place))
    }

    pub(crate) fn unary<'p>(&'p self, op: Op, a: Expr<'p>, place: Place) -> Expr<'p> {
        let ty = a.ty();
        if self.is_wrong(a.id) {
            return self.quietly_wrong(place);
        }
        let fits = match op {
            Op::Neg | Op::Abs => ty != Type::Bool,
            Op::Not => !ty.is_float() && ty != Type::Index,
            _ => ty.is_float(),
        };
        match op {
            _ if !fits => self.fail(place, format!("{} of {ty}, expected {}", op.name(), expected(op))),
            Op::Abs if ty.is_unsigned() => a,
            _ => self.apply(op, vec![a.id], ty, place),
        }
    }

    pub(crate) fn binary<'p>(&'p self, op: Op, a: Operand<'p>, b: Operand<'p>, place: Place) -> Expr<'p> {
        let [a, b] = self.alike([a, b], place);
        if self.is_wrong(a.id) || self.is_wrong(b.id) {
            return self.quietly_wrong(place);
        }
        let ty = a.ty();
        if ty != b.ty() {
            let message = format!("{} of {ty} and {}, expected equal types: cast one", op.name(), b.ty());
            return self.fail(place, message);
        }
        let fits = match op {
            Op::And | Op::Or | Op::Xor => !ty.is_float(),
            Op::Shl | Op::Shr => !ty.is_float() && ty != Type::Bool,
            Op::Compare(Predicate::Eq | Predicate::Ne) => true,
            Op::Math(_) => ty.is_float(),
            _ => ty != Type::Bool,
        };
        if !fits {
            return self.fail(place, format!("{} of {ty}, expected {}", op.name(), expected(op)));
        }
        let gives = if matches!(op, Op::Compare(_)) { Type::Bool } else { ty };
        self.apply(op, vec![a.id, b.id], gives, place)
    }

    pub(crate) fn select<'p>(
        &'p self,
        condition: Expr<'p>,
        yes: Operand<'p>,
        no: Operand<'p>,
        place: Place,
    ) -> Expr<'p> {
        let [yes, no] = self.alike([yes, no], place);
        if [condition, yes, no].iter().any(|expr| self.is_wrong(expr.id)) {
            return self.quietly_wrong(place);
        }
        if condition.ty() != Type::Bool {
            return self.fail(place, format!("select by {}, expected a bool", condition.ty()));
        }
        if yes.ty() != no.ty() {
            return self.fail(place, format!("select of {} and {}, expected equal types: cast one", yes.ty(), no.ty()));
        }
        self.apply(Op::Select, vec![condition.id, yes.id, no.id], yes.ty(), place)
    }

    pub(crate) fn cast<'p>(&'p self, a: Expr<'p>, to: Type, place: Place) -> Expr<'p> {
        let from = a.ty();
        match () {
            () if self.is_wrong(a.id) || from == to => a,
            () if to == Type::Bool => {
                self.fail(place, format!("cast of {from} to bool, expected a comparison: .ne(0)"))
            }
            // There is no op from an index to a float, or back; 32 bits hold every index of a kernel.
            () if from == Type::Index && to.is_float()
                || to == Type::Index && (from.is_float() || from == Type::Bool) =>
            {
                let between = self.apply(Op::Cast, vec![a.id], Type::I32, place);
                self.apply(Op::Cast, vec![between.id], to, place)
            }
            () => self.apply(Op::Cast, vec![a.id], to, place),
        }
    }

    pub(crate) fn saturate<'p>(&'p self, a: Expr<'p>, to: Type, place: Place) -> Expr<'p> {
        let from = a.ty();
        if self.is_wrong(a.id) || from == Type::Bool || to.is_float() || to == Type::Bool {
            return self.cast(a, to, place);
        }
        if from.is_float() {
            // `cast` saturates, and goes towards zero, which of a whole number is that number.
            let whole = self.apply(Op::Math("roundeven"), vec![a.id], from, place);
            return self.cast(whole, to, place);
        }
        let ((from_lo, from_hi), (to_lo, to_hi)) = (from.range(), to.range());
        let limit = |op, value: i128, a: Expr<'p>| match i64::try_from(value) {
            Ok(value) => self.binary(op, a.into(), Operand::Int(value), place),
            // Only the largest u64 does not fit, and nothing is wider than that.
            Err(_) => a,
        };
        let above = if from_lo < to_lo { limit(Op::Max, to_lo, a) } else { a };
        let inside = if from_hi > to_hi { limit(Op::Min, to_hi, above) } else { above };
        self.cast(inside, to, place)
    }

    /// An extent: an index that depends on no coordinate and no pixel.
    pub(crate) fn extent<'p>(&'p self, extent: Operand<'p>, place: Place) -> Id {
        self.number_of_program("extent", extent, place)
    }

    /// An index that depends on no coordinate and no pixel. `what` is what messages call it.
    pub(crate) fn number_of_program<'p>(&'p self, what: &str, number: Operand<'p>, place: Place) -> Id {
        let expr = self.typed(number, Type::Index, place);
        let message = {
            let graph = self.borrow();
            let known = graph.known_integer(expr.id);
            match () {
                () if graph.is_wrong(expr.id) => None,
                () if expr.ty() != Type::Index => {
                    Some(format!("{what} of type {}, expected an index: cast it", expr.ty()))
                }
                () if known.is_some_and(|extent| extent < 0) => {
                    Some(format!("{what} {}, expected at least 0", known.unwrap_or_default()))
                }
                () => graph.not_a_number(expr.id).map(|message| format!("{what} {message}")),
            }
        };
        message.map_or(expr.id, |message| self.fail(place, message).id)
    }

    pub(crate) fn substituted<'p>(&'p self, expr: Expr<'p>, values: &HashMap<usize, Id>) -> Expr<'p> {
        Expr { graph: self, id: self.borrow_mut().substitute(expr.id, values, &mut HashMap::new()) }
    }
}

/// What an op wants, for messages.
pub(crate) fn expected(op: Op) -> &'static str {
    match op {
        Op::And | Op::Or | Op::Xor => "integers or bools",
        Op::Not => "an integer or a bool",
        Op::Shl | Op::Shr => "integers",
        Op::Math(_) => "floats",
        _ => "numbers",
    }
}
