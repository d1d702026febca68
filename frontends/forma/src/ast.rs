//! A program as it was written.
//!
//! ```text
//! (X@[-1,0] + X)/3.0        #0 -1   #1 0   #2 X@[#0, #1]   #3 X   #4 #2 + #3   #5 3.0   #6 #4 / #5
//! ```
//!
//! Expressions lie in one list, operands before what uses them, and are known by their number: making and dropping a deep one
//! needs no stack.

use crate::{
    diagnostics::{Diagnostic, Kind as Error},
    lexer::Token,
    span::Span,
};
use std::cell::RefCell;
pub use weft_builder::Type;

/// A name and where it stands.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Name<'s> {
    pub text: &'s str,
    pub span: Span,
}

impl<'s> From<Token<'s>> for Name<'s> {
    fn from(token: Token<'s>) -> Self {
        Self { text: token.text, span: token.span }
    }
}

/// A type and where it stands.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct TypeName {
    pub ty: Type,
    pub span: Span,
}

impl From<Token<'_>> for TypeName {
    fn from(token: Token) -> Self {
        let ty = match token.text {
            "double" => Type::F64,
            "half" => Type::F16,
            "int" | "int32" => Type::I32,
            "int8" => Type::I8,
            "int16" => Type::I16,
            "int64" => Type::I64,
            "uint8" => Type::U8,
            "uint16" => Type::U16,
            "uint32" => Type::U32,
            "uint64" => Type::U64,
            "bool" => Type::Bool,
            "index" => Type::Index,
            _ => Type::F32,
        };
        Self { ty, span: token.span }
    }
}

/// How Forma calls a type.
pub fn type_name(ty: Type) -> &'static str {
    match ty {
        Type::F16 => "half",
        Type::F32 => "float",
        Type::F64 => "double",
        Type::I8 => "int8",
        Type::I16 => "int16",
        Type::I32 => "int",
        Type::I64 => "int64",
        Type::U8 => "uint8",
        Type::U16 => "uint16",
        Type::U32 => "uint32",
        Type::U64 => "uint64",
        Type::Bool => "bool",
        Type::Index => "index",
    }
}

/// An expression's place in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Id(pub(crate) u32);

/// What has two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    AndAnd,
    OrOr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl Binary {
    /// As written.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mul => "*",
            Self::Div => "/",
            Self::Rem => "%",
            Self::And => "&",
            Self::Or => "|",
            Self::Xor => "^",
            Self::Shl => "<<",
            Self::Shr => ">>",
            Self::AndAnd => "&&",
            Self::OrOr => "||",
            Self::Eq => "==",
            Self::Ne => "!=",
            Self::Lt => "<",
            Self::Le => "<=",
            Self::Gt => ">",
            Self::Ge => ">=",
        }
    }

    /// How tightly it binds, as in C; more is tighter. `?:` is 0.
    pub fn binds(self) -> u8 {
        match self {
            Self::Mul | Self::Div | Self::Rem => 10,
            Self::Add | Self::Sub => 9,
            Self::Shl | Self::Shr => 8,
            Self::Lt | Self::Le | Self::Gt | Self::Ge => 7,
            Self::Eq | Self::Ne => 6,
            Self::And => 5,
            Self::Xor => 4,
            Self::Or => 3,
            Self::AndAnd => 2,
            Self::OrOr => 1,
        }
    }

    /// Whether it gives a bool of two numbers.
    pub fn compares(self) -> bool {
        matches!(self, Self::Eq | Self::Ne | Self::Lt | Self::Le | Self::Gt | Self::Ge)
    }
}

/// What has one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Unary {
    Neg,
    Not,
}

/// An argument, and what lies beyond its edge if it is an image.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Arg<'s> {
    pub value: Id,
    pub mode: Option<Mode<'s>>,
}

/// A boundary mode as written.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Mode<'s> {
    pub name: Name<'s>,
    pub value: Option<Id>,
}

/// A variable of a window and its first and last value.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Window<'s> {
    pub name: Name<'s>,
    pub first: Id,
    pub last: Id,
}

/// What an expression is.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Kind<'s> {
    /// What a mistake was reported of.
    Wrong,
    Int(i64),
    Float(f64),
    Bool(bool),
    Name(&'s str),
    Unary(Unary, Id),
    Binary(Binary, Id, Id),
    Select(Id, Id, Id),
    /// `X@[dx,dy]`: relative to the point.
    Near(Name<'s>, Vec<Id>),
    /// `X@(x,y)`: a place of the image.
    Place(Name<'s>, Vec<Id>),
    /// `Y@[0,-1] or X`: what a scan has computed of its line, and what there is where the line begins.
    Before(Name<'s>, Vec<Id>, Id),
    /// A stencil on images with the extents of the result, or a function of numbers.
    Call(Name<'s>, Vec<Arg<'s>>, Option<Vec<Id>>),
    Cast(TypeName, Id),
    Saturate(TypeName, Id),
    /// `sum[i = -1..1](...)`.
    Over(Name<'s>, Vec<Window<'s>>, Id),
    /// Boxed, as all that is large and rare: the parser moves its values at every token.
    Compose(Box<Compose<'s>>),
    Iterate(Box<Iterate<'s>>),
}

/// An image put together of others.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Compose<'s> {
    pub extents: Vec<Id>,
    pub coordinates: Vec<Name<'s>>,
    pub parts: Vec<(Vec<Id>, Id)>,
    pub rest: Option<Id>,
}

/// Time steps.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Iterate<'s> {
    pub steps: Id,
    pub states: Vec<(Name<'s>, Id)>,
    pub body: Vec<Item<'s>>,
}

/// An expression, where it stands, and how deep it is.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Expr<'s> {
    pub kind: Kind<'s>,
    pub span: Span,
    pub depth: u32,
}

/// A parameter of a stencil or function; of a stencil's images the rank.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Param<'s> {
    pub rank: Option<(u32, Span)>,
    pub ty: TypeName,
    pub name: Name<'s>,
}

/// Constants in square brackets.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Table {
    pub entries: Vec<Entry>,
    pub span: Span,
}

/// What a table has one behind the other, along x or another dimension.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Entry {
    Number(Id),
    Row(Table),
}

impl Table {
    /// Its numbers, row by row.
    pub fn numbers(&self) -> Vec<Id> {
        let of = |entry: &Entry| match entry {
            Entry::Number(id) => vec![*id],
            Entry::Row(row) => row.numbers(),
        };
        self.entries.iter().flat_map(of).collect()
    }
}

/// A statement of a body.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Stmt<'s> {
    /// Several names are for the results of a function that has several.
    Let(Option<TypeName>, Vec<Name<'s>>, Id),
    Return(Span, Vec<Id>),
    Wrong,
}

/// What a definition is of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Role {
    #[default]
    Function,
    Stencil,
    Scan,
    Scatter,
}

impl Role {
    /// As written.
    pub fn word(self) -> &'static str {
        match self {
            Self::Function => "function",
            Self::Stencil => "stencil",
            Self::Scan => "scan",
            Self::Scatter => "scatter",
        }
    }

    /// Whether it is applied to images; else it is of numbers.
    pub fn is_applied(self) -> bool {
        self != Self::Function
    }
}

/// What a scan or scatter makes, by the name that its own body has for it; of a scatter what it begins with.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Own<'s> {
    pub ty: TypeName,
    pub name: Name<'s>,
    pub begin: Option<Id>,
}

/// What is applied to images, or a function of numbers.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Def<'s> {
    pub role: Role,
    pub ty: Option<TypeName>,
    /// Of scans and scatters.
    pub results: Vec<Own<'s>>,
    pub name: Name<'s>,
    pub params: Vec<Param<'s>>,
    pub coordinates: Option<Vec<Name<'s>>>,
    /// What a scatter goes over.
    pub domain: Vec<Window<'s>>,
    pub body: Vec<Stmt<'s>>,
}

impl<'s> Def<'s> {
    pub(crate) fn new(role: Role, name: Name<'s>, params: Vec<Param<'s>>, body: Vec<Stmt<'s>>) -> Self {
        Self { role, ty: None, results: Vec::new(), name, params, coordinates: None, domain: Vec::new(), body }
    }
}

/// A statement of a program.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Item<'s> {
    /// Extents, and what models assume they are.
    Extents(Vec<(Name<'s>, Option<Id>)>),
    Numbers(TypeName, Vec<Name<'s>>),
    Const(Option<TypeName>, Name<'s>, Id),
    Table(Option<TypeName>, Name<'s>, Table),
    Vector {
        rank: (u32, Span),
        ty: TypeName,
        name: Name<'s>,
        extents: Vec<Id>,
    },
    Def(Box<Def<'s>>),
    Assign(Vec<Name<'s>>, Id),
    Return(Span, Vec<Name<'s>>),
    Wrong,
}

/// A program.
#[derive(Debug, Default)]
#[allow(missing_docs)]
pub struct Ast<'s> {
    pub items: Vec<Item<'s>>,
    /// Where the last statement ends.
    pub end: u32,
    pub(crate) exprs: Vec<Expr<'s>>,
}

impl<'s> std::ops::Index<Id> for Ast<'s> {
    type Output = Expr<'s>;

    fn index(&self, id: Id) -> &Expr<'s> {
        &self.exprs[id.0 as usize]
    }
}

/// Expressions deeper than this are refused: what goes through them needs stack.
pub const DEEPEST: u32 = 500;

/// Operands with operators between them, so far: the last operand, and where those begin that wait for it.
#[derive(Clone, Copy)]
pub(crate) struct Chain {
    waiting: u32,
    last: Id,
}

/// What the parser fills.
pub(crate) struct Build<'s, 'e> {
    pub ast: Ast<'s>,
    /// Operands and the operators behind them, of all chains that are open; what lies above a chain's own is of chains in it.
    pub waiting: Vec<(Id, Binary)>,
    pub source: &'s str,
    /// Words of the language that were reported where names are expected.
    pub words: Vec<&'s str>,
    pub errors: &'e RefCell<Vec<Diagnostic>>,
}

impl<'s> Build<'s, '_> {
    pub fn error(&self, diagnostic: Diagnostic) {
        self.errors.borrow_mut().push(diagnostic);
    }

    pub fn span(&self, id: Id) -> Span {
        self.ast[id].span
    }

    fn depth(&self, id: Id) -> u32 {
        self.ast[id].depth
    }

    fn push(&mut self, kind: Kind<'s>, span: Span, below: u32) -> Id {
        let (kind, depth) = if below >= DEEPEST {
            let message = format!("an expression more than {DEEPEST} deep");
            self.error(Diagnostic::new(Error::Depth, span, message).help(Some("name its parts with let".into())));
            (Kind::Wrong, 0)
        } else {
            (kind, below + 1)
        };
        // There are fewer expressions than bytes.
        let id = Id(self.ast.exprs.len() as u32);
        self.ast.exprs.push(Expr { kind, span, depth });
        id
    }

    pub fn leaf(&mut self, kind: Kind<'s>, span: Span) -> Id {
        self.push(kind, span, 0)
    }

    pub fn over(&mut self, kind: Kind<'s>, span: Span, operands: &[Id]) -> Id {
        let below = operands.iter().map(|id| self.depth(*id)).max().unwrap_or(0);
        self.push(kind, span, below)
    }

    pub fn int(&mut self, token: Token<'s>) -> Id {
        let kind = match token.text.parse() {
            Ok(value) => Kind::Int(value),
            Err(_) => {
                self.error(Diagnostic::new(Error::Literal, token.span, format!("{} is too large", token.text)));
                Kind::Wrong
            }
        };
        self.leaf(kind, token.span)
    }

    pub fn float(&mut self, token: Token<'s>) -> Id {
        let kind = match token.text.parse::<f64>() {
            Ok(value) if value.is_finite() => Kind::Float(value),
            _ => {
                self.error(Diagnostic::new(Error::Literal, token.span, format!("{} is too large", token.text)));
                Kind::Wrong
            }
        };
        self.leaf(kind, token.span)
    }

    pub fn rank(&mut self, token: Token<'s>) -> (u32, Span) {
        // What is too large here is refused as a rank later.
        (token.text.parse().unwrap_or(u32::MAX), token.span)
    }

    pub fn begin(&self, last: Id) -> Chain {
        // Fewer wait than there are bytes.
        Chain { waiting: self.waiting.len() as u32, last }
    }

    pub fn extend(&mut self, chain: Chain, op: Binary, last: Id) -> Chain {
        let before = self.bound(chain, op.binds());
        self.waiting.push((before, op));
        Chain { last, ..chain }
    }

    pub fn finish(&mut self, chain: Chain) -> Id {
        self.bound(chain, 0)
    }

    /// Puts together what binds at least as tightly as what follows: `a + b * c`, of which before `- d` nothing waits.
    fn bound(&mut self, chain: Chain, least: u8) -> Id {
        let mut last = chain.last;
        while self.waiting.len() > chain.waiting as usize
            && let Some((before, op)) = self.waiting.pop_if(|(_, op)| op.binds() >= least)
        {
            last = self.binary(op, before, last);
        }
        last
    }

    fn binary(&mut self, op: Binary, a: Id, b: Id) -> Id {
        let span = self.span(a).to(self.span(b));
        self.over(Kind::Binary(op, a, b), span, &[a, b])
    }
}

/// A call; as deep as the deepest part of it.
pub(crate) fn call<'s>(
    build: &mut Build<'s, '_>,
    name: Name<'s>,
    args: Vec<Arg<'s>>,
    extents: Option<Vec<Id>>,
    end: Span,
) -> Id {
    let values = args.iter().flat_map(|arg| [Some(arg.value), arg.mode.and_then(|mode| mode.value)]).flatten();
    let all: Vec<Id> = values.chain(extents.iter().flatten().copied()).collect();
    build.over(Kind::Call(name, args, extents), name.span.to(end), &all)
}
