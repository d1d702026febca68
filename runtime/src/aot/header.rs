//! The C header of compiled programs.
//!
//! ```text
//! @blur(%img: tensor<?x?xf32>) -> tensor<?x?xf32>    /* img: f32 [rows][columns], any extents ... */
//!                                                    int32_t weft_blur(const weft_buffer *img, weft_buffer *blurred);
//! ```
//!
//! Names of arguments are those of the program where C can have them. What all headers share stands in each, behind a guard.

use std::collections::HashSet;

use super::program::{INTERFACE, Machine, Program, is_identifier, type_number};
use crate::buffer::{Element, Kind, TensorType};
use crate::entry::ArgumentType;

/// Words that C or C++ keeps for itself, and could be a name of an argument.
const KEYWORDS: &str = "alignas alignof and asm auto bool break case catch char class compl concept const constexpr continue decltype \
    default delete do double else enum explicit export extern false float for friend goto if inline int long mutable namespace new \
    noexcept not nullptr operator or private protected public register requires restrict return short signed sizeof static struct \
    switch template this throw true try typedef typeid typename typeof union unsigned using virtual void volatile while xor \
    int8_t int16_t int32_t int64_t uint8_t uint16_t weft_buffer workspace bytes stream";

/// What all headers share, behind the numbers of the interface and the types.
const SHARED: &str = r"
/* An image in memory, outermost dimension first. Extents and strides count elements, and only as many are read as it has dimensions.
   The last stride is 1. The others are free, so that a part of a larger image is an image, but points of a result must lie apart. */
typedef struct {
    void *data;
    int16_t interface; /* WEFT_INTERFACE */
    int16_t type;      /* one of weft_type */
    int32_t rank;
    int64_t extents[4];
    int64_t strides[4];
} weft_buffer;

/* Images without gaps, for which strides may then be set. Memory of an argument is only read. */
static inline weft_buffer weft_4d(enum weft_type type, const void *data, int64_t n0, int64_t n1, int64_t n2, int64_t n3) {
    weft_buffer made = {(void *)data, WEFT_INTERFACE, (int16_t)type, 4, {n0, n1, n2, n3}, {n1 * n2 * n3, n2 * n3, n3, 1}};
    return made;
}
static inline weft_buffer weft_3d(enum weft_type type, const void *data, int64_t planes, int64_t rows, int64_t columns) {
    weft_buffer made = {(void *)data, WEFT_INTERFACE, (int16_t)type, 3, {planes, rows, columns, 0}, {rows * columns, columns, 1, 0}};
    return made;
}
static inline weft_buffer weft_2d(enum weft_type type, const void *data, int64_t rows, int64_t columns) {
    weft_buffer made = {(void *)data, WEFT_INTERFACE, (int16_t)type, 2, {rows, columns, 0, 0}, {columns, 1, 0, 0}};
    return made;
}
static inline weft_buffer weft_1d(enum weft_type type, const void *data, int64_t points) {
    weft_buffer made = {(void *)data, WEFT_INTERFACE, (int16_t)type, 1, {points, 0, 0, 0}, {1, 0, 0, 0}};
    return made;
}
static inline weft_buffer weft_0d(enum weft_type type, const void *data) {
    weft_buffer made = {(void *)data, WEFT_INTERFACE, (int16_t)type, 0, {0, 0, 0, 0}, {0, 0, 0, 0}};
    return made;
}

/* What a call returns. */
enum weft_status {
    WEFT_OK = 0,
    WEFT_ERROR_NULL = 1,      /* a buffer, or the memory of one that has points, is NULL */
    WEFT_ERROR_EXTENTS = 2,   /* an extent is another than the program wants */
    WEFT_ERROR_STRIDES = 3,   /* the last stride is not 1, or points of a result overlap */
    WEFT_ERROR_CHECK = 4,     /* the program refuses its arguments; the message says which line of it does */
    WEFT_ERROR_NO_GPU = 5,    /* a program for a GPU finds no driver, or no GPU that it may use */
    WEFT_ERROR_MEMORY = 6,    /* there is not enough memory, or the GPU has not enough */
    WEFT_ERROR_GPU = 7,       /* the GPU's driver refuses something else, or a kernel failed */
    WEFT_ERROR_INTERFACE = 8, /* a buffer was not filled, or by another header than the program's */
    WEFT_ERROR_TYPE = 9,      /* a buffer has elements of another type than the program wants, or another rank */
    WEFT_ERROR_ALIAS = 10,    /* a result overlaps an argument or another result, or a workspace an image */
    WEFT_ERROR_ALIGNMENT = 11 /* the memory of an image on the GPU begins at no multiple of 16 bytes */
};
";

/// The numbers of the interface and the types, and what all headers share.
fn shared() -> String {
    let types: Vec<String> = Element::ALL
        .iter()
        .map(|element| format!("    WEFT_{} = {}", element.to_string().to_uppercase(), type_number(*element)))
        .collect();
    format!(
        "#ifndef WEFT_INTERFACE\n#define WEFT_INTERFACE {INTERFACE}\n\n/* What an element is: WEFT_I1 is bool, WEFT_I8 int8_t, WEFT_U8 uint8_t, \
         WEFT_F32 float, WEFT_F64 double. */\nenum weft_type {{\n{}\n}};\n{SHARED}#elif WEFT_INTERFACE != {INTERFACE}\n\
         #error \"headers of several versions of Weft: compile their programs anew with one\"\n#endif\n",
        types.join(",\n")
    )
}

/// The header of programs that are linked with these libraries.
pub fn header(programs: &[Program], machine: Machine<'_>, libraries: &[&str]) -> String {
    let how = match machine {
        Machine::Cpu(_) => {
            "Programs that run in parallel use as many threads as the\n   \
             environment variable WEFT_NUM_THREADS says, else one for each CPU that the process may run on. The first call looks, for all."
        }
        Machine::Cuda => {
            "Programs run on the first NVIDIA GPU; the first call\n   \
             opens its driver. Images are in the host's memory, but for weft_NAME_on_gpu. Where the GPU fails at the copy of a result, or between\n   \
             two kernels of weft_NAME_on_gpu, some of a result may be written."
        }
    };
    let links: Vec<String> = libraries.iter().map(|library| format!("-l{library}")).collect();
    let functions: Vec<String> = programs.iter().map(|program| functions(program, machine)).collect();
    format!(
        "/* Compiled by Weft. An object is linked with {}.\n\n\
         \x20  A call that fails has written nothing, and weft_NAME_error() says why\n\
         \x20  (\"\" where the calling thread's last call was right). Any number of threads may call at once. The memory of a result is its own:\n\
         \x20  it overlaps no argument, also where it is the very same image, and no other result. {how} */\n\
         #pragma once\n#include <stdbool.h>\n#include <stdint.h>\n\n\
         #ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n{}\n{}\n#ifdef __cplusplus\n}}\n#endif\n",
        links.join(" "),
        shared(),
        functions.join("\n"),
    )
}

/// The declarations of a program's functions.
fn functions(program: &Program, machine: Machine<'_>) -> String {
    let name = &program.entry.name;
    let mut taken: HashSet<String> = KEYWORDS.split_whitespace().map(str::to_owned).collect();
    let arguments: Vec<String> = program.arguments.iter().map(|name| identifier(name, &mut taken)).collect();
    let results: Vec<String> = program.results.iter().map(|name| identifier(name, &mut taken)).collect();

    let mut lines = Vec::new();
    let mut inputs = Vec::new();
    for (argument, called) in program.entry.arguments.iter().zip(&arguments) {
        match argument {
            ArgumentType::Tensor(tensor) => {
                lines.push(format!("{called}: {}", tensor_text(tensor)));
                inputs.push(format!("const weft_buffer *{called}"));
            }
            ArgumentType::Scalar(kind) => {
                if *kind == Kind::F16 {
                    lines.push(format!("{called}: the bits of an f16"));
                }
                inputs.push(format!("{} {called}", number(*kind)));
            }
        }
    }
    let outputs = program.entry.results.iter().zip(&results);
    lines.extend(outputs.map(|(tensor, called)| format!("{called}: {} (result)", tensor_text(tensor))));
    let list = |outputs: Vec<String>| {
        let all = [&inputs[..], &outputs].concat();
        if all.is_empty() { "void".to_owned() } else { all.join(", ") }
    };
    let buffers: Vec<String> = results.iter().map(|called| format!("weft_buffer *{called}")).collect();
    let workspace = match machine {
        Machine::Cpu(_) => format!(
            "/* The same in memory of the caller's, at any address: the call allocates none. weft_{name}_workspace says how many bytes; of the\n\
             \x20  arguments it reads extents and numbers only. */\nint32_t weft_{name}_in({});\nint32_t weft_{name}_workspace({});\n",
            list([&buffers[..], &["void *workspace", "int64_t bytes"].map(str::to_owned)].concat()),
            list(vec!["int64_t *bytes".to_owned()]),
        ),
        Machine::Cuda => format!(
            "/* The same for images whose data are in the GPU's memory, dense and from a multiple of 16 bytes on. Kernels run on a stream\n\
             \x20  (CUstream, cudaStream_t) of the thread's current context, and nobody waits for them. */\nint32_t weft_{name}_on_gpu({});\n",
            list([&buffers[..], &["void *stream".to_owned()]].concat()),
        ),
    };
    let packed_more = match machine {
        Machine::Cpu(_) => format!("int32_t weft_{name}_workspace_packed(void *const *values);\n"),
        Machine::Cuda => {
            format!("int32_t weft_{name}_on_gpu_packed(void *const *values); /* the last is the stream */\n")
        }
    };
    let extents = results.iter().zip(&program.entry.results).map(|(called, tensor)| match tensor.shape.len() {
        0 => format!("int64_t *{called}"),
        rank => format!("int64_t {called}[{rank}]"),
    });
    format!(
        "/* {} */\nint32_t weft_{name}({});\n\
         /* The extents that each result must have, outermost first; of the arguments only extents and numbers are read. NULL where they\n\
         \x20  are not wanted. */\nint32_t weft_{name}_extents({});\n{workspace}const char *weft_{name}_error(void);\n\
         /* The same for callers that learn types at run time: an array of pointers to the buffers, to the numbers, and to what is filled; and the\n\
         \x20  types, as JSON. */\nint32_t weft_{name}_packed(void *const *values);\nint32_t weft_{name}_extents_packed(void *const *values);\n{packed_more}\
         const char *weft_{name}_signature(void);\n",
        lines.join("\n   "),
        list(buffers),
        list(extents.collect()),
    )
}

/// A name that C can have and no other parameter has.
fn identifier(name: &str, taken: &mut HashSet<String>) -> String {
    let letter = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
    let mut plain: String = name.chars().map(letter).collect();
    if !is_identifier(&plain) {
        plain.insert(0, '_');
    }
    while !taken.insert(plain.clone()) {
        plain.push('_');
    }
    plain
}

/// The type of a number.
fn number(kind: Kind) -> &'static str {
    match kind {
        Kind::F16 => "uint16_t",
        Kind::F32 => "float",
        Kind::F64 => "double",
        Kind::I1 => "bool",
        Kind::I8 => "int8_t",
        Kind::I16 => "int16_t",
        Kind::I32 => "int32_t",
        Kind::I64 => "int64_t",
    }
}

/// Elements and extents: `f32 [?][3]`.
fn tensor_text(tensor: &TensorType) -> String {
    let element = tensor.element;
    let extent = |extent: &Option<usize>| extent.map_or("[?]".to_owned(), |extent| format!("[{extent}]"));
    let extents: String = tensor.shape.iter().map(extent).collect();
    if extents.is_empty() { format!("one {element}") } else { format!("{element} {extents}") }
}
