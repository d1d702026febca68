//! Host code that launches kernels, written by hand, on the SIMT executor; and that a GPU which is not there is an error.

use weft_runtime::gpu::{Cuda, Simt};
use weft_runtime::simt::{Fault, GlobalMemory, Options};
use weft_runtime::{ArgumentType, Buffer, Element, Entry, Error, GpuArgument, GpuProgram, Kind, Scalar, TensorType};

/// Multiplies by a number: a thread for each element.
const PTX: &str = ".version 8.0\\0A.target sm_90\\0A.address_size 64\\0A\
    .visible .entry times(.param .u64 a, .param .u64 b, .param .f32 k) {\\0A\
    .reg .b32 %r<9>; .reg .b64 %d<9>;\\0A\
    ld.param.u64 %d1, [a]; ld.param.u64 %d2, [b]; ld.param.f32 %r3, [k];\\0A\
    mov.u32 %r1, %tid.x; mul.wide.u32 %d3, %r1, 4; add.s64 %d1, %d1, %d3; add.s64 %d2, %d2, %d3;\\0A\
    ld.global.b32 %r2, [%d1]; mul.rn.f32 %r2, %r2, %r3; st.global.b32 [%d2], %r2; ret; }\\0A\\00";

/// A program `f(memref<8xf32>, f32) -> memref<8xf32>` whose host code is `body`: `%in` and `%out` are addresses, `%k` the number.
fn host(ptx: &str, body: &str) -> String {
    let bytes = ptx.len() - 2 * ptx.matches('\\').count();
    format!(
        "@text = internal constant [{bytes} x i8] c\"{ptx}\"
         @name = internal constant [6 x i8] c\"times\\00\"
         @module = internal global ptr null
         @llvm.global_ctors = appending global [1 x {{i32, ptr, ptr}}] [{{i32, ptr, ptr}} {{i32 1, ptr @load, ptr null}}]
         declare ptr @mgpuModuleLoadJIT(ptr, i32)
         declare ptr @mgpuModuleGetFunction(ptr, ptr)
         declare void @mgpuLaunchKernel(ptr, i64, i64, i64, i64, i64, i64, i32, ptr, ptr, ptr, i64)
         declare ptr @mgpuMemAlloc(i64, ptr, i8)
         declare void @mgpuMemFree(ptr, ptr)
         declare void @mgpuMemcpy(ptr, ptr, i64, ptr)
         define internal void @load() {{
           %m = call ptr @mgpuModuleLoadJIT(ptr @text, i32 0)
           store ptr %m, ptr @module
           ret void
         }}
         define void @times(ptr %from, ptr %to, float %k, i64 %threads) {{
           %slots = alloca {{ptr, ptr, float}}
           store ptr %from, ptr %slots
           %b = getelementptr {{ptr, ptr, float}}, ptr %slots, i32 0, i32 1
           store ptr %to, ptr %b
           %c = getelementptr {{ptr, ptr, float}}, ptr %slots, i32 0, i32 2
           store float %k, ptr %c
           %params = alloca [3 x ptr]
           store ptr %slots, ptr %params
           %p1 = getelementptr ptr, ptr %params, i32 1
           store ptr %b, ptr %p1
           %p2 = getelementptr ptr, ptr %params, i32 2
           store ptr %c, ptr %p2
           %m = load ptr, ptr @module
           %f = call ptr @mgpuModuleGetFunction(ptr %m, ptr @name)
           call void @mgpuLaunchKernel(ptr %f, i64 1, i64 1, i64 1, i64 %threads, i64 1, i64 1, i32 0, ptr null, ptr %params, ptr null, i64 3)
           ret void
         }}
         define void @_mlir_ciface_f(ptr %a, float %k, ptr %r) {{
           %pa = getelementptr ptr, ptr %a, i32 1
           %in = load ptr, ptr %pa
           %pr = getelementptr ptr, ptr %r, i32 1
           %out = load ptr, ptr %pr
           {body}
           ret void
         }}"
    )
}

fn entry() -> Entry {
    let tensor = TensorType { element: Element::F32, shape: vec![Some(8)] };
    let arguments = vec![ArgumentType::Tensor(tensor.clone()), ArgumentType::Scalar(Kind::F32)];
    Entry { name: "f".into(), arguments, results: vec![tensor] }
}

fn program(ptx: &str, body: &str) -> Result<GpuProgram, Error> {
    let device = Box::new(Simt::new(Options::default()));
    // SAFETY: the host code above passes on what it is given, and the kernel's parameters as they are; `body` does so too.
    unsafe { GpuProgram::from_llvm_ir(device, &[entry()], &host(ptx, body)) }
}

/// Runs it on 0, 1, ... 7 and 3.0: the result, or what went wrong.
fn run(ptx: &str, body: &str) -> Result<Vec<f32>, String> {
    let program = program(ptx, body).map_err(|error| error.to_string())?;
    let input = program.upload(&Buffer::from_slice(&[8], &[0.0f32, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]));
    let input = input.map_err(|error| error.to_string())?;
    let arguments = [GpuArgument::Tensor(&input), GpuArgument::Scalar(Scalar::F32(3.0))];
    let buffers = program.outputs("f", &arguments).map_err(|error| error.to_string())?;
    let run = program.call("f", &arguments, &buffers).map_err(|error| error.to_string())?;
    if let Some((kernel, report)) = run.reports().next() {
        return Err(format!("{kernel}: {report}"));
    }
    assert_eq!(program.unwritten(&buffers[0]).map_err(|error| error.to_string())?, 0);
    let result = program.download(&buffers[0]).map_err(|error| error.to_string())?;
    Ok(result.view::<f32>().expect("they are f32").to_vec())
}

const ONCE: &str = "call void @times(ptr %in, ptr %out, float %k, i64 8)";

#[test]
fn kernels_run_on_the_memory_of_the_device() {
    assert_eq!(run(PTX, ONCE), Ok(vec![0.0, 3.0, 6.0, 9.0, 12.0, 15.0, 18.0, 21.0]));
    let through_memory = "%t = call ptr @mgpuMemAlloc(i64 32, ptr null, i8 0)
        call void @times(ptr %in, ptr %t, float %k, i64 8)
        call void @times(ptr %t, ptr %t, float %k, i64 8)
        call void @mgpuMemcpy(ptr %out, ptr %t, i64 32, ptr null)
        call void @mgpuMemFree(ptr %t, ptr null)";
    assert_eq!(run(PTX, through_memory), Ok(vec![0.0, 9.0, 18.0, 27.0, 36.0, 45.0, 54.0, 63.0]));
}

#[test]
fn reports_come_from_the_first_kernel_that_has_some() {
    let unwritten = "%t = call ptr @mgpuMemAlloc(i64 32, ptr null, i8 0)
        call void @times(ptr %in, ptr %t, float %k, i64 7)
        call void @times(ptr %t, ptr %out, float %k, i64 8)
        call void @times(ptr %in, ptr %out, float %k, i64 9)";
    let message = run(PTX, unwritten).expect_err("one element is not written");
    assert!(message.starts_with("times: unwritten: thread (7, 0, 0) of block (0, 0, 0), PTX line 8"), "{message}");
    let freed = "%t = call ptr @mgpuMemAlloc(i64 32, ptr null, i8 0)
        %u = call ptr @mgpuMemAlloc(i64 32, ptr null, i8 0)
        call void @mgpuMemFree(ptr %t, ptr null)
        call void @times(ptr %t, ptr %out, float %k, i64 8)";
    let message = run(PTX, freed).expect_err("memory is freed");
    assert!(message.contains("out of bounds") && message.contains("was freed"), "{message}");
    let program = program(PTX, "call void @times(ptr %in, ptr %out, float %k, i64 9)").expect("it compiles");
    let input = program.upload(&Buffer::zeros(Element::F32, &[8])).expect("it fits");
    let arguments = [GpuArgument::Tensor(&input), GpuArgument::Scalar(Scalar::F32(3.0))];
    let buffers = program.outputs("f", &arguments).expect("it fits");
    let run = program.call("f", &arguments, &buffers).expect("it runs");
    let faults: Vec<Fault> = run.reports().map(|(_, report)| report.fault).collect();
    assert_eq!(faults, [Fault::OutOfBounds, Fault::OutOfBounds]);
    assert_eq!(run.launches[0].counters.as_ref().map(|counters| counters.float), Some(9));
}

#[test]
fn failures_are_errors_of_the_call() {
    let error = |ptx: &str, body: &str| run(ptx, body).expect_err("it is wrong");
    assert_eq!(error("no PTX\\00", ONCE), "SIMT executor: PTX line 1: found 'no', expected a directive");
    assert_eq!(
        error(&PTX.replace("times", "other"), ONCE),
        "SIMT executor: found no kernel times, expected one of other"
    );
    let message = error(PTX, "call void @times(ptr %in, ptr %out, float %k, i64 2000)");
    assert_eq!(message, "SIMT executor: kernel times: found a block of 2000 threads, expected 1 to 1024");
    let message = error(PTX, "call void @times(ptr %in, ptr %out, float %k, i64 -1)");
    assert_eq!(message, "a launch of -1x1x1: found -1, expected an extent of 32 bits");
    // The rest of the host code then does nothing.
    let message = error(PTX, &format!("%t = call ptr @mgpuMemAlloc(i64 -1, ptr null, i8 0)\n{ONCE}"));
    assert_eq!(message, "SIMT executor: 18446744073709551615 bytes do not fit into memory");
    let message = error(PTX, "call void @mgpuMemFree(ptr null, ptr null)");
    assert!(message.contains("expected some to free"), "{message}");
    let message = error(PTX, "call void @mgpuMemcpy(ptr %out, ptr %in, i64 33, ptr null)");
    assert!(message.contains("found no 33 bytes of allocated memory"), "{message}");
}

#[test]
fn arguments_are_checked() {
    let program = program(PTX, ONCE).expect("it compiles");
    let input = program.upload(&Buffer::zeros(Element::F64, &[8])).expect("it fits");
    let error = program.outputs("f", &[GpuArgument::Tensor(&input), GpuArgument::Scalar(Scalar::F32(3.0))]);
    let message = error.expect_err("it is no f32").to_string();
    assert_eq!(message, "call of f: found a tensor of 8xf64 as argument 0, expected a tensor of 8xf32");
    assert!(program.outputs("g", &[]).is_err());
}

#[test]
fn memory_is_copied_with_what_is_unwritten() {
    let mut memory = GlobalMemory::new();
    let all: Vec<u8> = (1..=23).collect();
    for (from_offset, to_offset) in [(0, 0), (1, 1), (1, 2), (3, 0), (4, 8)] {
        let from = memory.alloc(32) + from_offset;
        let to = memory.alloc(32) + to_offset;
        memory.write(from, &all).expect("it fits");
        memory.copy(to, from, 23).expect("it fits");
        let mut copy = [0; 23];
        memory.read(to, &mut copy).expect("it fits");
        assert_eq!((&copy[..], memory.unwritten(to, 23).expect("it fits")), (&all[..], 0));
    }
    let from = memory.alloc(8);
    let to = memory.alloc(8);
    memory.write(from + 2, &[7; 3]).expect("it fits");
    memory.copy(to, from, 8).expect("it fits");
    assert_eq!(memory.unwritten(to, 8).expect("it fits"), 5);
    assert_eq!(memory.unwritten(to + 2, 3).expect("it fits"), 0);
    memory.free(to).expect("it is allocated");
    assert!(memory.free(to).is_err() && memory.read(to, &mut [0]).is_err());
}

#[test]
fn a_gpu_that_is_not_there_is_an_error() {
    match Cuda::open() {
        Ok(cuda) => assert!(cuda.capability().0 > 0),
        Err(error) => assert!(error.to_string().starts_with("CUDA: ") && error.to_string().lines().count() == 1),
    }
}
