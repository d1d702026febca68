//! What a program takes and gives, by the names that people use: `weft.name`, else `arg0`, `out0`.

use crate::Stop;
use melior::ir::{
    OperationRef, ShapedTypeLike, Type, TypeLike,
    attribute::{DenseI64ArrayAttribute, DictionaryAttribute, StringAttribute, TypeAttribute},
    operation::OperationLike,
    r#type::{FunctionType, RankedTensorType},
};
use weft_dialects::{pipeline::static_extents, weft};
use weft_passes::ir::symbol;
use weft_runtime::{ArgumentType, Element, Entry, Kind, TensorType, aot};

/// An argument.
#[derive(Debug, Clone)]
pub struct Argument {
    /// What people call it.
    pub name: String,
    /// Its type.
    pub ty: ArgumentType,
    /// The extents that models assume (`weft.estimate`).
    pub estimate: Option<Vec<usize>>,
    /// What people call its extents, "" where they do not (`weft.extents`); empty where none has a name.
    pub extents: Vec<String>,
}

/// A result.
#[derive(Debug, Clone)]
pub struct Output {
    /// What people call it.
    pub name: String,
    /// Its type.
    pub ty: TensorType,
}

/// A program's arguments and results.
#[derive(Debug, Clone)]
pub struct Signature {
    /// In order.
    pub arguments: Vec<Argument>,
    /// In order.
    pub results: Vec<Output>,
}

impl Signature {
    /// Reads the signature of a program on tensors.
    ///
    /// # Errors
    ///
    /// A type that no executor knows.
    pub fn of(func: OperationRef) -> Result<Self, Stop> {
        let ty = func.attribute("function_type").ok().and_then(|ty| TypeAttribute::try_from(ty).ok());
        let ty =
            ty.and_then(|ty| FunctionType::try_from(ty.value()).ok()).ok_or(Stop::Because("no function".into()))?;
        let mut arguments = Vec::new();
        for index in 0..ty.input_count() {
            let attributes = Attributes(weft::attributes_of(func, false, index));
            let name = attributes.name().unwrap_or_else(|| format!("arg{index}"));
            let input = ty.input(index).map_err(|error| error.to_string())?;
            arguments.push(Argument {
                ty: argument_type(&name, input, &attributes)?,
                estimate: attributes.estimate(),
                extents: weft::extents_at(func, index).unwrap_or_default(),
                name,
            });
        }
        let mut results = Vec::new();
        for index in 0..ty.result_count() {
            let attributes = Attributes(weft::attributes_of(func, true, index));
            let name = attributes.name().unwrap_or_else(|| format!("out{index}"));
            let result = ty.result(index).map_err(|error| error.to_string())?;
            match argument_type(&name, result, &attributes)? {
                ArgumentType::Tensor(ty) => results.push(Output { name, ty }),
                ArgumentType::Scalar(_) => {
                    return Err(Stop::Because(format!("result '{name}' has type '{result}', expected a tensor")));
                }
            }
        }
        Ok(Self { arguments, results })
    }

    /// The function with this signature, as executors know it.
    pub fn entry(&self, func: OperationRef) -> Entry {
        Entry {
            name: symbol(func).to_owned(),
            arguments: self.arguments.iter().map(|argument| argument.ty.clone()).collect(),
            results: self.results.iter().map(|result| result.ty.clone()).collect(),
        }
    }

    /// The function with this signature, as C calls it.
    pub fn program(&self, func: OperationRef) -> aot::Program {
        aot::Program {
            entry: self.entry(func),
            arguments: self.arguments.iter().map(|argument| argument.name.clone()).collect(),
            results: self.results.iter().map(|result| result.name.clone()).collect(),
            extents: self.arguments.iter().map(|argument| argument.extents.clone()).collect(),
            versions: aot::Versions::default(),
        }
    }
}

/// The attributes of one argument or result.
struct Attributes<'c>(Option<DictionaryAttribute<'c>>);

impl<'c> Attributes<'c> {
    fn name(&self) -> Option<String> {
        let name = self.0.as_ref()?.element_by_name(weft::NAME)?;
        StringAttribute::try_from(name).ok().map(|name| name.value().to_owned())
    }

    fn is_unsigned(&self) -> bool {
        self.0.as_ref().is_some_and(|attributes| attributes.element_by_name(weft::UNSIGNED).is_some())
    }

    fn estimate(&self) -> Option<Vec<usize>> {
        let array = DenseI64ArrayAttribute::try_from(self.0.as_ref()?.element_by_name(weft::ESTIMATE)?).ok()?;
        (0..array.len()).map(|i| usize::try_from(array.element(i).ok()?).ok()).collect()
    }
}

fn argument_type(name: &str, ty: Type, attributes: &Attributes) -> Result<ArgumentType, Stop> {
    let unknown = || Stop::Because(format!("'{name}' has type '{ty}', which no executor takes"));
    // The runtime and MLIR spell the kinds of numbers alike.
    let element = |ty: Type| {
        let element: Element = ty.to_string().parse().ok()?;
        Some(Element::new(element.kind(), attributes.is_unsigned()))
    };
    match RankedTensorType::try_from(ty) {
        Ok(tensor) => {
            let shape = static_extents(tensor).into_iter().map(|extent| extent.and_then(|n| usize::try_from(n).ok()));
            let element = element(tensor.element()).ok_or_else(unknown)?;
            Ok(ArgumentType::Tensor(TensorType { element, shape: shape.collect() }))
        }
        Err(_) if ty.is_index() => Ok(ArgumentType::Scalar(Kind::I64)),
        Err(_) => Ok(ArgumentType::Scalar(element(ty).ok_or_else(unknown)?.kind())),
    }
}
