//! Numbers of the program that say how large something is.

use super::{
    checker::Checker,
    limits::LEAST,
    names::Scope,
    ty::{Ty, Value, range},
};
use crate::{
    ast::{Id, Type},
    diagnostics::Kind as Error,
};

impl<'s> Checker<'s, '_> {
    /// An extent, or another index of the program.
    pub(super) fn extent(&mut self, id: Id) {
        let mut scope = Scope::new();
        self.value(id, &mut scope, Some(Type::Index));
        if let Some(value) = self.known(id)
            && value.float() < 1.0
        {
            self.error(Error::Size, self.ast[id].span, format!("an extent of {value}, expected at least 1"));
            self.set(id, Ty::Wrong);
        }
        self.fit(id, Type::Index);
    }

    /// A whole number that is known now.
    pub(super) fn constant(&mut self, id: Id, what: &str, least: i64) -> Option<i64> {
        let mut scope = Scope::new();
        let span = self.ast[id].span;
        let ty = self.value(id, &mut scope, Some(Type::Index));
        match (ty, self.known(id)) {
            (Ty::Wrong, _) => None,
            (_, Some(Value::Int(value))) if value > range(Type::Index).1 as i64 => {
                let message = format!("{what} of {value}, expected at most {}", range(Type::Index).1);
                self.error(Error::Constant, span, message);
                None
            }
            (_, Some(Value::Int(value))) if value >= least => {
                self.set(id, Ty::Is(Type::Index));
                Some(value)
            }
            (_, Some(value)) => {
                let least = if least == LEAST && value.float() >= LEAST as f64 {
                    String::new()
                } else {
                    format!(" of at least {least}")
                };
                let message = format!("{what} of {value}, expected a whole number{least}");
                self.error(Error::Constant, span, message);
                None
            }
            (_, None) => {
                let help = Some("write a number, or a name that const defines".to_owned());
                self.error(Error::Constant, span, format!("{what} that is not constant, expected a whole number"))
                    .help = help;
                None
            }
        }
    }
}
