//! The CPU executor on small modules written by hand: what each is about stands above its text.

use half::f16;
use inkwell::context::Context;
use weft_runtime::cpu::{Form, emit, parse_llvm_ir};
use weft_runtime::{
    Argument, ArgumentType, Buffer, CpuProgram, Element, Entry, Error, Kind, Optimize, Sample, Scalar, TensorType,
};

const ALL: [Optimize; 3] = [Optimize::Reference, Optimize::Plain, Optimize::Full];

fn tensor(element: Element, shape: &[Option<usize>]) -> TensorType {
    TensorType { element, shape: shape.to_vec() }
}

fn entry(name: &str, arguments: &[ArgumentType], results: &[TensorType]) -> Entry {
    Entry { name: name.to_owned(), arguments: arguments.to_vec(), results: results.to_vec() }
}

fn compile(entry: &Entry, optimize: Optimize, text: &str) -> Result<CpuProgram, Error> {
    // SAFETY: the modules of this file keep to the calling convention and to their tensors.
    unsafe { CpuProgram::from_llvm_ir(std::slice::from_ref(entry), optimize, text) }
}

fn message<T>(result: Result<T, Error>) -> String {
    result.err().map_or("no error".to_owned(), |error| error.to_string())
}

/// Sixteen floats at once.
const TWICE_16: &str = r#"
define void @_mlir_ciface_twice(ptr %at) {
  %x = load <16 x float>, ptr %at
  %y = fadd <16 x float> %x, %x
  store <16 x float> %y, ptr %at
  ret void
}
"#;

/// One parameter a tensor of any length, a number added to each element.
const ADD: &str = r#"
%m1 = type { ptr, ptr, i64, [1 x i64], [1 x i64] }
define void @_mlir_ciface_add(ptr %src, float %number, ptr %dst) {
  %a = load %m1, ptr %src
  %from = extractvalue %m1 %a, 1
  %n = extractvalue %m1 %a, 3, 0
  %b = load %m1, ptr %dst
  %to = extractvalue %m1 %b, 1
  br label %head
head:
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %end
body:
  %p = getelementptr float, ptr %from, i64 %i
  %x = load float, ptr %p
  %y = fadd float %x, %number
  %q = getelementptr float, ptr %to, i64 %i
  store float %y, ptr %q
  %next = add i64 %i, 1
  br label %head
end:
  ret void
}
define void @_mlir_ciface_add_extents(ptr %src, float %number, ptr %extents) {
  %a = load %m1, ptr %src
  %n = extractvalue %m1 %a, 3, 0
  %b = load %m1, ptr %extents
  %to = extractvalue %m1 %b, 1
  store i64 %n, ptr %to
  ret void
}
"#;

fn add_entry() -> Entry {
    let any = tensor(Element::F32, &[None]);
    entry("add", &[ArgumentType::Tensor(any.clone()), ArgumentType::Scalar(Kind::F32)], &[any])
}

#[test]
fn a_tensor_and_a_number_are_passed() {
    for optimize in ALL {
        let program = compile(&add_entry(), optimize, ADD).expect("it compiles");
        for n in [0, 1, 7, 1000] {
            let source = Buffer::random(Element::F32, &[n], 3);
            let mut place = Buffer::zeros(Element::F32, &[n]);
            let one = Argument::Scalar(Scalar::F32(1.0));
            let arguments = &mut [Argument::Input(&source), one, Argument::Output(&mut place)];
            program.call("add", arguments).expect("the arguments fit");
            let sum = |v: &f32| v + 1.0;
            let expected: Vec<f32> = source.view::<f32>().expect("f32").iter().map(sum).collect();
            assert_eq!(place.view::<f32>(), Some(&expected[..]));

            let arguments = [Argument::Input(&source), Argument::Scalar(Scalar::F32(1.0))];
            assert_eq!(program.result_shapes("add", &arguments).expect("the arguments fit"), [[n]]);
            let results = program.run("add", &arguments).expect("the arguments fit");
            assert_eq!(results[0].first_difference(&place), None);
        }
    }
}

#[test]
fn calls_are_checked() {
    let program = compile(&add_entry(), Optimize::Reference, ADD).expect("it compiles");
    let (floats, bytes) = (Buffer::zeros(Element::F32, &[4]), Buffer::zeros(Element::U8, &[4]));
    let square = Buffer::zeros(Element::F32, &[2, 2]);
    let mut place = Buffer::zeros(Element::F32, &[4]);
    let one = || Argument::Scalar(Scalar::F32(1.0));
    assert_eq!(message(program.call("sub", &mut [])), "call of sub: found no such function, expected one of: add");
    assert_eq!(
        message(program.call("add", &mut [Argument::Input(&floats), one()])),
        "call of add: found 2 arguments, expected 2 and places for 1 results"
    );
    assert_eq!(
        message(program.call("add", &mut [Argument::Input(&bytes), one(), Argument::Output(&mut place)])),
        "call of add: found a tensor of 4xu8 as argument 0, expected a tensor of ?xf32"
    );
    assert_eq!(
        message(program.call("add", &mut [Argument::Input(&square), one(), Argument::Output(&mut place)])),
        "call of add: found a tensor of 2x2xf32 as argument 0, expected a tensor of ?xf32"
    );
    let half = Argument::Scalar(Scalar::F64(0.5));
    assert_eq!(
        message(program.call("add", &mut [Argument::Input(&floats), half, Argument::Output(&mut place)])),
        "call of add: found a number of f64 as argument 1, expected a number of f32"
    );
    assert_eq!(
        message(program.call("add", &mut [Argument::Input(&floats), one(), Argument::Input(&floats)])),
        "call of add: found a tensor of 4xf32, expected a place for a tensor of ?xf32"
    );
    assert_eq!(
        message(program.run("add", &[Argument::Output(&mut place), one()])),
        "call of add: found a place for a tensor of 4xf32 as argument 0, expected a tensor of ?xf32"
    );
    assert_eq!(message(program.run("add", &[Argument::Input(&floats)])), "call of add: found 1 arguments, expected 2");
}

#[test]
fn extents_are_checked() {
    // The module computes n where the type says 3.
    let mut entry = add_entry();
    entry.results = vec![tensor(Element::F32, &[Some(3), None])];
    let text = ADD.replace("store i64 %n, ptr %to\n", "store <2 x i64> <i64 -1, i64 5>, ptr %to\n");
    let program = compile(&entry, Optimize::Full, &text).expect("it compiles");
    let floats = Buffer::zeros(Element::F32, &[4]);
    let arguments = [Argument::Input(&floats), Argument::Scalar(Scalar::F32(1.0))];
    assert_eq!(
        message(program.result_shapes("add", &arguments)),
        "call of add: found computed extents -1x5, expected a result of 3x?xf32"
    );
    let text = ADD.replace("store i64 %n, ptr %to\n", "store i64 9223372036854775807, ptr %to\n");
    let program = compile(&add_entry(), Optimize::Full, &text).expect("it compiles");
    assert_eq!(
        message(program.run("add", &arguments)),
        "call of add: found computed extents 9223372036854775807, expected a result of ?xf32 that fits into memory"
    );
    let text = ADD.replace("@_mlir_ciface_add_extents", "@other");
    let program = compile(&add_entry(), Optimize::Full, &text).expect("it compiles");
    assert_eq!(
        message(program.result_shapes("add", &arguments)),
        "call of add: found a result with dynamic extents, expected a function add_extents that computes them"
    );
}

/// As MLIR lowers `cf.assert`: `puts` and `abort`. Neither is called; what fails returns, in a function of extents too.
#[test]
fn a_failed_check_is_an_error() {
    let checked = |function: &str, text: &str| {
        let body = format!(
            r#"
  %good = fcmp oge float %number, 0.0
  br i1 %good, label %go, label %stop
stop:
  call void @puts(ptr @text_{function})
  call void @abort()
  unreachable
go:
"#
        );
        let name = format!("@_mlir_ciface_{function}(");
        let (before, rest) = text.split_once(&name).expect("the function");
        let (head, rest) = rest.split_once("{\n").expect("its body");
        let rest = rest.replacen("[ 0, %0 ]", "[ 0, %go ]", 1);
        format!(
            "@text_{function} = private constant [12 x i8] c\"f.mlir:1:\\0A2\\00\"\n{before}{name}{head}{{\n{body}{rest}"
        )
    };
    let declared = format!("declare void @puts(ptr)\ndeclare void @abort()\n{ADD}");
    for optimize in ALL {
        for text in [checked("add", &declared), checked("add", &checked("add_extents", &declared))] {
            let program = compile(&add_entry(), optimize, &text).expect("it compiles");
            let floats = Buffer::from_slice(&[2], &[1.0f32, 2.0]);
            let run = |v: f32| program.run("add", &[Argument::Input(&floats), Argument::Scalar(Scalar::F32(v))]);
            assert_eq!(message(run(-1.0)), "f.mlir:1: 2");
            let results = run(1.0).expect("the next call knows nothing of it");
            assert_eq!(results[0].view::<f32>(), Some(&[2.0, 3.0][..]));
        }
    }
}

/// What cannot return is refused, and so is what says nothing.
#[test]
fn checks_that_cannot_return_are_refused() {
    let helper = "declare void @abort()\n@t = private constant [1 x i8] zeroinitializer\ndeclare void @puts(ptr)\n";
    let valued = format!(
        "{helper}{ADD}define i32 @f() {{\n  call void @puts(ptr @t)\n  call void @abort()\n  unreachable\n}}\n"
    );
    let found = compile(&add_entry(), Optimize::Reference, &valued);
    assert_eq!(
        message(found.map(drop)),
        "the module cannot be compiled: a check of f stands in a function that returns a value"
    );
    let silent = format!("{helper}{ADD}define void @f() {{\n  call void @abort()\n  unreachable\n}}\n");
    let found = compile(&add_entry(), Optimize::Reference, &silent);
    assert_eq!(message(found.map(drop)), "the module cannot be compiled: a check of f has no message");
}

/// Every kind of number, stored one after the other in a tensor of bytes.
#[test]
fn every_kind_of_number_is_passed() {
    let text = r#"
%m1 = type { ptr, ptr, i64, [1 x i64], [1 x i64] }
define void @_mlir_ciface_put(i1 %a, i8 %b, i16 %c, i32 %d, i64 %e, half %f, float %g, double %h, ptr %dst) {
  %m = load %m1, ptr %dst
  %p0 = extractvalue %m1 %m, 1
  %a8 = zext i1 %a to i8
  store i8 %a8, ptr %p0
  %p1 = getelementptr i8, ptr %p0, i64 1
  store i8 %b, ptr %p1
  %p2 = getelementptr i8, ptr %p0, i64 2
  store i16 %c, ptr %p2
  %p3 = getelementptr i8, ptr %p0, i64 4
  store i32 %d, ptr %p3
  %p4 = getelementptr i8, ptr %p0, i64 8
  store i64 %e, ptr %p4
  %p5 = getelementptr i8, ptr %p0, i64 16
  store half %f, ptr %p5
  %p6 = getelementptr i8, ptr %p0, i64 20
  store float %g, ptr %p6
  %p7 = getelementptr i8, ptr %p0, i64 24
  store double %h, ptr %p7
  ret void
}"#;
    let scalars = [
        Scalar::I1(true),
        Scalar::I8(-2),
        Scalar::I16(-300),
        Scalar::I32(70_000),
        Scalar::I64(i64::MIN + 5),
        Scalar::F16(f16::from_f32(1.5)),
        Scalar::F32(-0.1),
        Scalar::F64(1e300),
    ];
    let kinds: Vec<ArgumentType> = scalars.iter().map(|scalar| ArgumentType::Scalar(scalar.kind())).collect();
    let entry = entry("put", &kinds, &[tensor(Element::U8, &[Some(32)])]);
    for optimize in ALL {
        let program = compile(&entry, optimize, text).expect("it compiles");
        let results = program.run("put", &scalars.map(Argument::Scalar)).expect("the arguments fit");
        let mut expected = vec![1u8, 0xfe];
        expected.extend((-300i16).to_le_bytes());
        expected.extend(70_000i32.to_le_bytes());
        expected.extend((i64::MIN + 5).to_le_bytes());
        expected.extend(f16::from_f32(1.5).to_le_bytes());
        expected.extend([0, 0]);
        expected.extend((-0.1f32).to_le_bytes());
        expected.extend(1e300f64.to_le_bytes());
        assert_eq!(results[0].bytes(), expected);
    }
}

#[test]
fn modules_are_checked() {
    let full = Optimize::Full;
    let text = message(compile(&add_entry(), full, "define void @f() {"));
    assert!(text.starts_with("the module cannot be compiled: "), "{text}");
    assert!(text.lines().count() == 1, "{text}");
    assert_eq!(
        message(compile(&add_entry(), full, "declare void @_mlir_ciface_add(ptr, float, ptr)")),
        "function add: found no definition of _mlir_ciface_add in the module, expected one"
    );
    assert_eq!(
        message(compile(&add_entry(), full, "define i32 @_mlir_ciface_add(ptr %a, double %b) { ret i32 0 }")),
        "function add: found i32 (ptr, double) in the module, expected void (ptr, float, ptr)"
    );
    let calls = "declare void @weft_nowhere()
        define void @_mlir_ciface_add(ptr %a, float %b, ptr %c) { call void @weft_nowhere() ret void }";
    assert_eq!(
        message(compile(&add_entry(), full, calls)),
        "the module cannot be linked: found no function weft_nowhere, which the compiled code calls"
    );
}

/// Three tensors a, b, c and a place; `OPERATION` makes %r from %x, %y and %z.
fn ternary(ty: &str, declarations: &str, operation: &str) -> String {
    let text = r#"
%m1 = type { ptr, ptr, i64, [1 x i64], [1 x i64] }
DECLARATIONS
define void @_mlir_ciface_f(ptr noalias %a, ptr noalias %b, ptr noalias %c, ptr noalias %d) {
  %ma = load %m1, ptr %a
  %mb = load %m1, ptr %b
  %mc = load %m1, ptr %c
  %md = load %m1, ptr %d
  %pa = extractvalue %m1 %ma, 1
  %pb = extractvalue %m1 %mb, 1
  %pc = extractvalue %m1 %mc, 1
  %pd = extractvalue %m1 %md, 1
  %n = extractvalue %m1 %ma, 3, 0
  br label %head
head:
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %end
body:
  %qa = getelementptr TYPE, ptr %pa, i64 %i
  %qb = getelementptr TYPE, ptr %pb, i64 %i
  %qc = getelementptr TYPE, ptr %pc, i64 %i
  %qd = getelementptr TYPE, ptr %pd, i64 %i
  %x = load TYPE, ptr %qa
  %y = load TYPE, ptr %qb
  %z = load TYPE, ptr %qc
  OPERATION
  store TYPE %r, ptr %qd
  %next = add i64 %i, 1
  br label %head
end:
  ret void
}"#;
    text.replace("TYPE", ty).replace("DECLARATIONS", declarations).replace("OPERATION", operation)
}

fn run_ternary(element: Element, optimize: Optimize, text: &str, inputs: &[Buffer; 3]) -> Buffer {
    let any = tensor(element, &[None]);
    let fixed = tensor(element, &[Some(inputs[0].len())]);
    let entry = entry("f", &[any.clone(), any.clone(), any].map(ArgumentType::Tensor), &[fixed]);
    let program = compile(&entry, optimize, text).expect("it compiles");
    let arguments = inputs.each_ref().map(Argument::Input);
    program.run("f", &arguments).expect("the arguments fit").remove(0)
}

fn inputs(element: Element) -> [Buffer; 3] {
    [1, 2, 3].map(|seed| Buffer::random(element, &[1003], seed))
}

const MULTIPLY_ADD: &str = "%p = fmul TYPE %x, %y\n  %r = fadd TYPE %p, %z";

/// A multiply and an add stay two operations, whatever the machine can do.
#[test]
fn multiply_and_add_are_not_fused() {
    let text = ternary("float", "", &MULTIPLY_ADD.replace("TYPE", "float"));
    let [mut a, mut b, mut c] = inputs(Element::F32);
    // (1 + 2^-12)^2 - 1: rounding the product loses 2^-24, which fma keeps.
    let near = 1.0 + 2.0f32.powi(-12);
    a.view_mut::<f32>().expect("f32")[0] = near;
    b.view_mut::<f32>().expect("f32")[0] = near;
    c.view_mut::<f32>().expect("f32")[0] = -1.0;
    let inputs = [a, b, c];
    let views = inputs.each_ref().map(|buffer| buffer.view::<f32>().expect("f32"));
    let [x, y, z] = views;
    let separate: Vec<f32> = (0..x.len()).map(|i| x[i] * y[i] + z[i]).collect();
    let fused: Vec<f32> = (0..x.len()).map(|i| x[i].mul_add(y[i], z[i])).collect();
    assert_ne!(separate[0], fused[0]);
    assert!(separate.iter().zip(&fused).filter(|(a, b)| a != b).count() > 100, "the test would notice a fusion");
    for optimize in ALL {
        let result = run_ternary(Element::F32, optimize, &text, &inputs);
        assert_eq!(result.view::<f32>(), Some(&separate[..]), "{optimize:?}");
    }
    // And one that is asked for is one, also where the instruction is missing.
    let asked = ternary(
        "float",
        "declare float @llvm.fma.f32(float, float, float)",
        "%r = call float @llvm.fma.f32(float %x, float %y, float %z)",
    );
    for optimize in ALL {
        let result = run_ternary(Element::F32, optimize, &asked, &inputs);
        assert_eq!(result.view::<f32>(), Some(&fused[..]), "{optimize:?}");
    }
}

/// The same, read from the code: this machine's instruction is used when asked for and only then.
#[test]
#[cfg(target_arch = "x86_64")]
fn full_compiles_for_this_cpu() {
    let assembly = |operation: &str| {
        let context = Context::create();
        let declaration = "declare float @llvm.fma.f32(float, float, float)";
        let module = parse_llvm_ir(&context, &ternary("float", declaration, operation)).expect("it parses");
        emit(&module, Optimize::Full, Form::Assembly).expect("it compiles")
    };
    let fma = assembly("%r = call float @llvm.fma.f32(float %x, float %y, float %z)");
    let plain = assembly(&MULTIPLY_ADD.replace("TYPE", "float"));
    assert!(!plain.contains("vfm"), "{plain}");
    if std::is_x86_feature_detected!("fma") {
        assert!(fma.contains("vfmadd") && plain.contains("vmulss"), "{fma}");
    }
    // Vectors are made before LLVM sees the code; it finds the registers for them.
    let context = Context::create();
    let module = parse_llvm_ir(&context, TWICE_16).expect("it parses");
    let vectors = emit(&module, Optimize::Full, Form::Assembly).expect("it compiles");
    if std::is_x86_feature_detected!("avx512f") {
        assert!(vectors.contains("zmm"), "{vectors}");
    }
    let ir = emit(&module, Optimize::Full, Form::LlvmIr).expect("it compiles");
    assert!(ir.contains("\"target-cpu\"="), "{ir}");
}

/// Half precision computes in f32 and rounds after each operation, with F16C or by library calls.
#[test]
fn half_precision_agrees() {
    let text = ternary("half", "", &MULTIPLY_ADD.replace("TYPE", "half"));
    let inputs = inputs(Element::F16);
    let [x, y, z] = inputs.each_ref().map(|buffer| buffer.view::<f16>().expect("f16"));
    let expected: Vec<f16> = (0..x.len())
        .map(|i| f16::from_f32(f16::from_f32(x[i].to_f32() * y[i].to_f32()).to_f32() + z[i].to_f32()))
        .collect();
    for optimize in ALL {
        let result = run_ternary(Element::F16, optimize, &text, &inputs);
        assert_eq!(result.view::<f16>(), Some(&expected[..]), "{optimize:?}");
    }
}

/// 1 + 2^-11 is a tie between two halves; a remainder that f32 cannot hold must decide it, so there is no step over f32.
#[test]
fn double_to_half_rounds_once() {
    let operation = "%e = fpext half %x to double
  %small = fmul double %e, 0x3D70000000000000
  %w = fadd double %small, 0x3FF0020000000000
  %r = fptrunc double %w to half";
    let text = ternary("half", "", operation);
    let inputs = inputs(Element::F16);
    let up = |x: &f16| if *x == f16::ZERO { 0x3c00 } else { 0x3c01 };
    let expected: Vec<u16> = inputs[0].view::<f16>().expect("f16").iter().map(up).collect();
    for optimize in ALL {
        let result = run_ternary(Element::F16, optimize, &text, &inputs);
        let bits: Vec<u16> = result.view::<f16>().expect("f16").iter().map(|v| v.to_bits()).collect();
        assert_eq!(bits, expected, "{optimize:?}");
    }
}

/// An f16 fma by way of an f32 one would round twice; the operands are such that the sum does not fit f32.
#[test]
fn half_fma_rounds_once() {
    let declaration = "declare half @llvm.fma.f16(half, half, half)";
    let text = ternary("half", declaration, "%r = call half @llvm.fma.f16(half %x, half %y, half %z)");
    let [mut a, mut b, mut c] = [1, 2, 3].map(|seed| Buffer::random(Element::F16, &[100_003], seed));
    let scale = |buffer: &mut Buffer, factor: f32| {
        buffer.view_mut::<f16>().expect("f16").iter_mut().for_each(|v| *v = f16::from_f32(v.to_f32() * factor));
    };
    scale(&mut a, 64.0);
    scale(&mut b, 64.0);
    scale(&mut c, 1e-6);
    let inputs = [a, b, c];
    let [x, y, z] = inputs.each_ref().map(|buffer| buffer.view::<f16>().expect("f16"));
    // In f64 the product is exact, and so is the sum: its bits lie between 2^12 and 2^-24.
    let exact = |i: usize| f16::nearest(x[i].to_f64() * y[i].to_f64() + z[i].to_f64());
    let expected: Vec<f16> = (0..x.len()).map(exact).collect();
    for optimize in ALL {
        let result = run_ternary(Element::F16, optimize, &text, &inputs);
        assert_eq!(result.view::<f16>(), Some(&expected[..]), "{optimize:?}");
    }
}

/// LLVM leaves open what `maxnum(-0.0, 0.0)` is; whatever it is, vector and scalar code must say the same.
#[test]
fn minima_and_maxima_agree() {
    let special = [0.0f32, -0.0, f32::NAN, 1.0, -1.0, f32::INFINITY];
    let pairs = || special.iter().flat_map(|p| special.iter().map(move |q| (*p, *q)));
    let (a, b): (Vec<f32>, Vec<f32>) = (0..8).flat_map(|_| pairs()).unzip();
    let shape = [a.len()];
    let inputs = [Buffer::from_slice(&shape, &a), Buffer::from_slice(&shape, &b), Buffer::from_slice(&shape, &a)];
    for name in ["maxnum", "minnum", "maximum", "minimum", "maximumnum", "minimumnum"] {
        let declaration = format!("declare float @llvm.{name}.f32(float, float)");
        let operation = format!("%r = call float @llvm.{name}.f32(float %x, float %y)");
        let text = ternary("float", &declaration, &operation);
        let [reference, others @ ..] = ALL.map(|optimize| run_ternary(Element::F32, optimize, &text, &inputs));
        for other in others {
            assert_eq!(reference.first_difference(&other), None, "{name}");
        }
    }
}

/// The functions that lowered programs call: allocation, copies, and the mathematical library.
#[test]
fn the_c_library_is_there() {
    let declarations = "declare ptr @malloc(i64)
declare ptr @aligned_alloc(i64, i64)
declare void @free(ptr)
declare ptr @memcpy(ptr, ptr, i64)
declare float @expf(float)
declare float @llvm.pow.f32(float, float)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)";
    let operation = "%h = call ptr @malloc(i64 4)
  %g = call ptr @aligned_alloc(i64 64, i64 64)
  %e = call float @expf(float %x)
  %w = call float @llvm.pow.f32(float %e, float %y)
  store float %w, ptr %h
  call ptr @memcpy(ptr %g, ptr %h, i64 4)
  %v = load float, ptr %g
  call void @free(ptr %h)
  call void @free(ptr %g)
  %r = fadd float %v, %z";
    let text = ternary("float", declarations, operation);
    let inputs = inputs(Element::F32);
    let [x, y, z] = inputs.each_ref().map(|buffer| buffer.view::<f32>().expect("f32"));
    let reference = run_ternary(Element::F32, Optimize::Reference, &text, &inputs);
    for (i, value) in reference.view::<f32>().expect("f32").iter().enumerate() {
        assert!((value - (x[i].exp().powf(y[i]) + z[i])).abs() < 1e-5);
    }
    let full = run_ternary(Element::F32, Optimize::Full, &text, &inputs);
    assert_eq!(reference.first_difference(&full), None);
}

/// OpenMP's runtime is found when a module needs it.
#[test]
fn openmp_is_loaded_on_demand() {
    let text = r#"
%m1 = type { ptr, ptr, i64, [1 x i64], [1 x i64] }
declare void @__kmpc_fork_call(ptr, i32, ptr, ...)
declare i32 @omp_get_thread_num()
@where = private constant [1 x i8] zeroinitializer
@ident = private constant { i32, i32, i32, i32, ptr } { i32 0, i32 2, i32 0, i32 0, ptr @where }
define internal void @region(ptr %gtid, ptr %tid, ptr %to) {
  %one = atomicrmw add ptr %to, i64 1 seq_cst
  %me = call i32 @omp_get_thread_num()
  ret void
}
define void @_mlir_ciface_count(ptr %dst) {
  %m = load %m1, ptr %dst
  %to = extractvalue %m1 %m, 1
  call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr @ident, i32 1, ptr @region, ptr %to)
  ret void
}"#;
    let entry = entry("count", &[], &[tensor(Element::I64, &[Some(1)])]);
    for optimize in ALL {
        let program = compile(&entry, optimize, text).expect("it compiles");
        let result = program.run("count", &[]).expect("there are no arguments").remove(0);
        assert!(result.view::<i64>().expect("i64")[0] >= 1);
    }
}
