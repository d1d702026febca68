//! Types: what literals become beside others, and what operators take and give.

use super::{
    checker::Checker,
    ty::{Ty, Value, fold, range},
};
use crate::{
    ast::{Binary, Id, Kind, Type, TypeName, Unary, type_name},
    diagnostics::Kind as Error,
    span::Span,
};

impl<'s> Checker<'s, '_> {
    /// Reports a type that images cannot have.
    pub(super) fn pixel(&mut self, ty: TypeName) {
        if !ty.ty.is_pixel() {
            let message = format!("an image of {}, expected floats or integers", type_name(ty.ty));
            self.error(Error::Type, ty.span, message);
        }
    }

    /// The type of a literal that stands alone.
    pub(super) fn settle(&mut self, id: Id) -> Ty {
        match self.ty(id) {
            Ty::Literal(Value::Int(_)) => self.fit(id, Type::I32),
            Ty::Literal(Value::Float(_)) => self.fit(id, Type::F32),
            ty => ty,
        }
    }

    /// Makes an expression be of this type, if it is a literal; else it must be.
    pub(super) fn fit(&mut self, id: Id, ty: Type) -> Ty {
        let span = self.ast[id].span;
        let name = type_name(ty);
        let found = match self.ty(id) {
            Ty::Wrong => Ty::Wrong,
            Ty::Is(found) if found == ty => Ty::Is(ty),
            Ty::Is(found) => {
                let help = (ty != Type::Bool).then(|| format!("write {name}(...)"));
                let help = help.or_else(|| Some("compare it: ... != 0".into()));
                let message = format!("{} where {name} is expected", type_name(found));
                let diagnostic = self.error(Error::Type, span, message);
                diagnostic.help = help;
                diagnostic.label = Some(format!("is {}", type_name(found)));
                Ty::Wrong
            }
            Ty::Literal(value) => match (value, ty) {
                (_, Type::Bool) => {
                    self.wrong(Error::Type, span, "a number where bool is expected", Some("write true or false".into()))
                }
                (_, ty) if ty.is_float() => Ty::Is(ty),
                (Value::Float(value), _) => {
                    let help = Some(format!("write a whole number, or {name}(...)"));
                    self.wrong(Error::Type, span, format!("{value} where {name} is expected"), help)
                }
                (Value::Int(value), _) => {
                    let (lo, hi) = range(ty);
                    if (lo..=hi).contains(&i128::from(value)) {
                        Ty::Is(ty)
                    } else {
                        let message = format!("{value} where {name} is expected, which has {lo} to {hi}");
                        self.wrong(Error::Literal, span, message, None)
                    }
                }
            },
        };
        self.set(id, found)
    }

    /// Operands of one type.
    pub(super) fn alike(&mut self, a: Id, b: Id, want: Option<Type>, sign: &str, span: Span) -> Ty {
        match (self.ty(a), self.ty(b)) {
            (Ty::Wrong, _) | (_, Ty::Wrong) => Ty::Wrong,
            (Ty::Literal(x), Ty::Literal(y)) => {
                let floats = matches!(x, Value::Float(_)) || matches!(y, Value::Float(_));
                let want = want.filter(|ty| *ty != Type::Bool && (ty.is_float() || !floats));
                let ty = want.unwrap_or(if floats { Type::F32 } else { Type::I32 });
                if self.fit(a, ty) == Ty::Wrong { Ty::Wrong } else { self.fit(b, ty) }
            }
            (Ty::Literal(literal), Ty::Is(ty)) => self.fit_beside(a, literal, b, ty),
            (Ty::Is(ty), Ty::Literal(literal)) => self.fit_beside(b, literal, a, ty),
            (Ty::Is(x), Ty::Is(y)) if x == y => Ty::Is(x),
            (Ty::Is(x), Ty::Is(y)) => {
                let [x, y] = [x, y].map(type_name);
                let message = format!("{sign} of {x} and {y}, expected equal types");
                self.error(Error::Type, span, message).help = Some(format!("cast one: {x}(...) or {y}(...)"));
                Ty::Wrong
            }
        }
    }

    /// Makes a literal be of the type of the operand beside it.
    fn fit_beside(&mut self, id: Id, literal: Value, beside: Id, ty: Type) -> Ty {
        let Value::Float(value) = literal else { return self.fit(id, ty) };
        if ty.is_float() || ty == Type::Bool {
            return self.fit(id, ty);
        }
        // It is rather the other operand that has the wrong type.
        let other = match &self.ast[beside].kind {
            Kind::Name(name) => (*name).to_owned(),
            Kind::Near(name, _) => format!("{}@[...]", name.text),
            Kind::Place(name, _) => format!("{}@(...)", name.text),
            _ => "...".to_owned(),
        };
        let message = format!("{value} beside {}, expected a whole number", type_name(ty));
        let help = format!("write float({other}) to compute with floats");
        let wrong = self.wrong(Error::Type, self.ast[id].span, message, Some(help));
        self.set(id, wrong)
    }

    /// What an operator gives of an operand that has been checked.
    pub(super) fn unary(&mut self, op: Unary, ty: Ty, span: Span) -> Ty {
        match (op, ty) {
            (_, Ty::Wrong) => Ty::Wrong,
            (Unary::Neg, Ty::Literal(Value::Int(value))) => {
                value.checked_neg().map_or(Ty::Wrong, |value| Ty::Literal(Value::Int(value)))
            }
            (Unary::Neg, Ty::Literal(Value::Float(value))) => Ty::Literal(Value::Float(-value)),
            (Unary::Neg, Ty::Is(Type::Bool)) => self.wrong(Error::Type, span, "- of bool, expected a number", None),
            (Unary::Not, Ty::Is(ty)) if ty.is_float() || ty == Type::Index => {
                let message = format!("! of {}, expected a bool or an integer", type_name(ty));
                self.wrong(Error::Type, span, message, None)
            }
            (Unary::Not, Ty::Literal(_)) => {
                self.wrong(Error::Type, span, "! of a literal, expected a bool or an integer", None)
            }
            (_, ty) => ty,
        }
    }

    /// What an operator gives of operands that have been checked.
    pub(super) fn binary(&mut self, op: Binary, a: Id, b: Id, span: Span, want: Option<Type>) -> Ty {
        if let (Ty::Literal(x), Ty::Literal(y)) = (self.ty(a), self.ty(b))
            && let Some(value) = fold(op, x, y, want == Some(Type::Index))
        {
            return Ty::Literal(value);
        }
        let divides = matches!(op, Binary::Div | Binary::Rem);
        let by_zero = divides && self.known(b) == Some(Value::Int(0));
        let ty = self.alike(a, b, None, op.sign(), span);
        let Ty::Is(of) = ty else { return ty };
        let (fits, expected) = match op {
            Binary::AndAnd | Binary::OrOr => (of == Type::Bool, "bools"),
            Binary::And | Binary::Or | Binary::Xor => (!of.is_float(), "integers or bools"),
            Binary::Shl | Binary::Shr => (!of.is_float() && of != Type::Bool, "integers"),
            Binary::Eq | Binary::Ne => (true, ""),
            _ => (of != Type::Bool, "numbers"),
        };
        if !fits {
            let message = format!("{} of {}, expected {expected}", op.sign(), type_name(of));
            let help = match op {
                Binary::AndAnd | Binary::OrOr if of.is_integer() => Some("compare each side: ... != 0".to_owned()),
                _ => None,
            };
            return self.wrong(Error::Type, span, message, help);
        }
        if by_zero && !of.is_float() {
            return self.wrong(Error::Constant, span, format!("{} by 0 of {}", op.sign(), type_name(of)), None);
        }
        if op.compares() { Ty::Is(Type::Bool) } else { ty }
    }
}
