//! Constants that the arithmetic of vectors reads lie in memory as wide as a register.
//!
//! ```text
//!                                              @weft.constant.3f000000 = internal constant <8 x float> splat (float 5.0e-1)
//! %y = fmul <8 x float> %x, splat (5.0e-1)     %half = load <8 x float>, ptr @weft.constant.3f000000, align 32
//!                                        ──▶   %y = fmul <8 x float> %x, %half
//!        │                                            │
//!        ▼                                            ▼
//! vbroadcastss .half(%rip), %ymm1              vmulps weft.constant.3f000000(%rip), %ymm0, %ymm0
//! vmulps       %ymm1, %ymm0, %ymm0
//! ```
//!
//! For AVX2 LLVM's code generator keeps four bytes of such a constant and spreads them over a register, for the sake of a smaller object. Long bodies of loops have
//! more constants than the 16 registers, so that they are spread in each iteration: a fifth of the instructions of a bilateral filter. A whole register in memory is an
//! operand of the instruction itself. AVX-512 needs nothing of the kind: its instructions spread what they read, and its registers are 32.

use std::collections::HashSet;

use inkwell::builder::{Builder, BuilderError};
use inkwell::module::{Linkage, Module};
use inkwell::types::{BasicTypeEnum, VectorType};
use inkwell::values::{
    BasicValue, BasicValueEnum, GlobalValue, InstructionOpcode, InstructionValue, UnnamedAddress, VectorValue,
};

use crate::checks::callee;
use crate::error::{Result, compile_error};

/// Lanes of a register, of 32 bits each.
const LANES: u32 = 8;

/// Bytes of a register, by which a load as an operand is aligned.
const REGISTER: u32 = 32;

/// So many constants of a block are too many for registers that are used for more. Fewer are spread before the loop.
const MANY: usize = 4;

/// Has additions, products and their like of floats read their constants from memory, on an x86-64 that gains by it, by the names that LLVM has for what it has. It goes behind all passes: they know a constant by
/// its value. (So does the code generator, of minima and comparisons: that a constant is no NaN spares instructions. Those keep theirs.)
pub(crate) fn keep(module: &Module<'_>, features: &[&str]) -> Result<()> {
    if !features.contains(&"avx2") || features.contains(&"avx512f") {
        return Ok(());
    }
    let builder = module.get_context().create_builder();
    for block in module.get_functions().flat_map(|function| function.get_basic_blocks()) {
        let read: Vec<Operand> = block.get_instructions().filter(is_arithmetic).flat_map(splats).collect();
        let numbers: HashSet<u32> = read.iter().map(|operand| operand.number.to_bits()).collect();
        if numbers.len() < MANY {
            continue;
        }
        for Operand { op, place, number, ty } in read {
            builder.position_before(&op);
            op.set_operand(place, load(&builder, constant(module, number), ty)?);
        }
    }
    Ok(())
}

/// A constant that an instruction reads.
struct Operand<'c> {
    op: InstructionValue<'c>,
    place: u32,
    number: f32,
    ty: VectorType<'c>,
}

/// The operands of an instruction that are one number in all lanes.
fn splats(op: InstructionValue) -> impl Iterator<Item = Operand> {
    (0..op.get_num_operands()).filter_map(move |place| match op.get_operand(place)?.value()? {
        BasicValueEnum::VectorValue(vector) => {
            Some(Operand { op, place, number: splat(vector)?, ty: vector.get_type() })
        }
        _ => None,
    })
}

/// Whether an instruction reads its operands from memory as well as from registers, whatever they are.
fn is_arithmetic(op: &InstructionValue) -> bool {
    match op.get_opcode() {
        InstructionOpcode::FAdd | InstructionOpcode::FSub | InstructionOpcode::FMul => true,
        InstructionOpcode::Call => callee(*op)
            .is_some_and(|function| function.get_name().to_str().is_ok_and(|name| name.starts_with("llvm.fma."))),
        _ => false,
    }
}

/// The number that all lanes of a constant have, if they fill registers. (0 is no data but a fill of zeros, which an instruction makes of nothing.)
fn splat(vector: VectorValue) -> Option<f32> {
    let ty = vector.get_type();
    let BasicTypeEnum::FloatType(element) = ty.get_element_type() else { return None };
    if element != ty.get_context().f32_type()
        || !ty.get_size().is_multiple_of(LANES)
        || !vector.is_constant_data_vector()
    {
        return None;
    }
    // A constant of f32 as f64 is the same number.
    let number = |lane| Some(vector.get_element_as_constant(lane).into_float_value().get_constant()?.0 as f32);
    let first = number(0)?;
    (1..ty.get_size()).all(|lane| number(lane).is_some_and(|other| other.to_bits() == first.to_bits())).then_some(first)
}

/// The constant in memory. LLVM must not know its value: to it, somebody else puts it there.
fn constant<'c>(module: &Module<'c>, number: f32) -> GlobalValue<'c> {
    let name = format!("weft.constant.{:08x}", number.to_bits());
    module.get_global(&name).unwrap_or_else(|| {
        let ty = module.get_context().f32_type();
        let all = [ty.const_float(number.into()); LANES as usize];
        let global = module.add_global(ty.vec_type(LANES), None, &name);
        global.set_initializer(&VectorType::const_vector(&all));
        global.set_externally_initialized(true);
        global.set_constant(true);
        global.set_linkage(Linkage::Internal);
        global.set_unnamed_address(UnnamedAddress::Global);
        global.set_alignment(REGISTER);
        global
    })
}

/// Reads a constant, as often as there are registers in a vector. The code generator hoists the load where a register is free, by its being invariant.
fn load<'c>(builder: &Builder<'c>, constant: GlobalValue<'c>, vector: VectorType<'c>) -> Result<BasicValueEnum<'c>> {
    let fail = |error: BuilderError| compile_error(&error.to_string());
    let context = vector.get_context();
    let register = context.f32_type().vec_type(LANES);
    let read = builder.build_load(register, constant.as_pointer_value(), "").map_err(fail)?.into_vector_value();
    if let Some(op) = read.as_instruction() {
        op.set_alignment(REGISTER).map_err(|error| compile_error(&error.to_string()))?;
        let invariant = context.get_kind_id("invariant.load");
        op.set_metadata(context.metadata_node(&[]), invariant).map_err(|error| compile_error(&error.to_string()))?;
    }
    if vector == register {
        return Ok(read.into());
    }
    let lanes: Vec<_> =
        (0..vector.get_size()).map(|lane| context.i32_type().const_int((lane % LANES).into(), false)).collect();
    let all = builder.build_shuffle_vector(read, register.get_poison(), VectorType::const_vector(&lanes), "");
    Ok(all.map_err(fail)?.as_basic_value_enum())
}

#[cfg(test)]
mod tests {
    use inkwell::context::Context;

    use crate::codegen::Cpu;
    use crate::instructions::link;

    /// The loads of constants in a function of products of these constants, on a CPU.
    fn loads(cpu: &str, ty: &str, constants: &[&str]) -> Vec<String> {
        let products = constants.iter().enumerate();
        let products: String =
            products.map(|(k, constant)| format!("%x{} = fmul {ty} %x{k}, {constant}\n", k + 1)).collect();
        let last = constants.len();
        let text = format!("define {ty} @product({ty} %x0) {{\n{products} ret {ty} %x{last}\n}}");
        let context = Context::create();
        let module = context.create_module("product");
        link(&module, &text).expect("the text is right");
        super::keep(&module, &Cpu::named(cpu).expect("it is known").features()).expect("it has no other vectors");
        module.verify().expect("it stays verified");
        let text = module.to_string();
        text.lines().filter_map(|line| line.split_once(" = load ")).map(|(_, load)| load.to_owned()).collect()
    }

    const FOUR: [&str; 4] = ["splat (float 0.5)", "splat (float 0.25)", "splat (float 0.125)", "splat (float 0.0625)"];

    #[test]
    fn many_constants_are_read_as_registers_on_avx2() {
        let read = ["3f000000", "3e800000", "3e000000", "3d800000"]
            .map(|bits| format!("<8 x float>, ptr @weft.constant.{bits}, align 32, !invariant.load !0"));
        assert_eq!(loads("znver3", "<8 x float>", &FOUR), read);
        assert_eq!(loads("znver3", "<32 x float>", &FOUR), read);
        for (cpu, constants) in [("znver4", &FOUR[..]), ("x86-64", &FOUR), ("znver3", &FOUR[1..])] {
            assert_eq!(loads(cpu, "<8 x float>", constants), [""; 0], "{cpu} {constants:?}");
        }
    }

    #[test]
    fn other_constants_stay() {
        for (ty, constants) in [
            ("float", ["0.5", "0.25", "0.125", "0.0625"]),
            ("<4 x float>", FOUR),
            (
                "<8 x float>",
                [
                    "zeroinitializer",
                    "poison",
                    "zeroinitializer",
                    "<float 0., float 1., float 2., float 3., float 4., float 5., float 6., float 7.>",
                ],
            ),
        ] {
            assert_eq!(loads("znver3", ty, &constants), [""; 0], "{ty} {constants:?}");
        }
    }
}
