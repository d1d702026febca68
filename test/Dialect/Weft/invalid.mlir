// Every message on the attributes of arguments and results.

// RUN: pipeline-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{'func.func' op argument #0: weft.name is "", expected a string that is not empty}}
func.func private @name_empty(tensor<8xf32> {weft.name = ""})

// -----

// expected-error @+1 {{'func.func' op argument #1: weft.name is 3 : i64, expected a string that is not empty}}
func.func private @name_no_string(f32, tensor<8xf32> {weft.name = 3})

// -----

// expected-error @+1 {{'func.func' op result #0: weft.name is unit, expected a string that is not empty}}
func.func private @name_of_a_result() -> (tensor<8xf32> {weft.name})

// -----

// expected-error @+1 {{'func.func' op argument #1: weft.name is "img", which #0 is called already, expected another name}}
func.func private @name_twice(f32 {weft.name = "img"}, f32 {weft.name = "img"})

// -----

// expected-error @+1 {{'func.func' op result #2: weft.name is "a", which #0 is called already, expected another name}}
func.func private @name_twice_results() -> (f32 {weft.name = "a"}, f32, f32 {weft.name = "a"})

// -----

// expected-error @+1 {{'func.func' op argument #0: weft.unsigned is true, expected no value}}
func.func private @unsigned_with_a_value(tensor<8xi8> {weft.unsigned = true})

// -----

// expected-error @+1 {{'func.func' op argument #0: weft.unsigned is on 'tensor<8xf32>', expected integer elements}}
func.func private @unsigned_floats(tensor<8xf32> {weft.unsigned})

// -----

// expected-error @+1 {{'func.func' op argument #0: weft.unsigned is on 'f32', expected integer elements}}
func.func private @unsigned_float(f32 {weft.unsigned})

// -----

// expected-error @+1 {{'func.func' op argument #0: weft.unsigned is on 'index', expected integer elements}}
func.func private @unsigned_index(index {weft.unsigned})

// -----

// expected-error @+1 {{'func.func' op argument #0: weft.unsigned is on 'memref<8xf32>', expected integer elements}}
func.func private @unsigned_floats_in_memory(memref<8xf32> {weft.unsigned})

// -----

// expected-error @+1 {{'func.func' op result #0: weft.unsigned is on 'tensor<8xf64>', expected integer elements}}
func.func private @unsigned_result() -> (tensor<8xf64> {weft.unsigned})

// -----

// expected-error @+1 {{'func.func' op argument #0: weft.estimate is 8 : i64, expected array<i64: ...>}}
func.func private @estimate_no_array(tensor<?xf32> {weft.estimate = 8})

// -----

// expected-error @+1 {{'func.func' op argument #0: weft.estimate is array<i32: 8>, expected array<i64: ...>}}
func.func private @estimate_of_i32(tensor<?xf32> {weft.estimate = array<i32: 8>})

// -----

// expected-error @+1 {{'func.func' op argument #0: weft.estimate has 2 extents, expected 1, the rank of 'tensor<?xf32>'}}
func.func private @estimate_rank(tensor<?xf32> {weft.estimate = array<i64: 8, 8>})

// -----

// expected-error @+1 {{'func.func' op argument #0: weft.estimate is array<i64: 8, 0>, expected positive numbers}}
func.func private @estimate_zero(tensor<?x?xf32> {weft.estimate = array<i64: 8, 0>})

// -----

// expected-error @+1 {{'func.func' op argument #0: weft.estimate has extent 4 in dimension 0, expected what 'tensor<3x?xf32>' says where it has no ?}}
func.func private @estimate_against_the_type(tensor<3x?xf32> {weft.estimate = array<i64: 4, 8>})

// -----

// expected-error @+1 {{'func.func' op result #0: weft.estimate is on a result, expected an argument}}
func.func private @estimate_of_a_result() -> (tensor<?xf32> {weft.estimate = array<i64: 8>})

// -----

// expected-error @+1 {{'func.func' op argument #0: unknown attribute 'weft.nmae', expected weft.name, weft.unsigned, weft.estimate, weft.extents or weft.interleaved}}
func.func private @unknown(tensor<8xf32> {weft.nmae = "img"})

// -----

// expected-error @+1 {{'func.func' op argument #0: weft.extents is "N", expected a list of strings}}
func.func private @extents_no_list(tensor<?xf32> {weft.extents = "N"})

// -----

// expected-error @+1 {{'func.func' op argument #0: weft.extents is [8], expected a list of strings}}
func.func private @extents_of_numbers(tensor<?xf32> {weft.extents = [8]})

// -----

// expected-error @+1 {{'func.func' op argument #0: weft.extents is ["N"], expected 2 strings, the rank of 'tensor<?x?xf32>'}}
func.func private @extents_rank(tensor<?x?xf32> {weft.extents = ["N"]})

// -----

// expected-error @+1 {{'func.func' op result #0: weft.extents is on a result, expected an argument}}
func.func private @extents_of_a_result() -> (tensor<?xf32> {weft.extents = ["N"]})

// -----

// expected-error @+1 {{'func.func' op argument #0: weft.interleaved is 1 : i64, expected no value}}
func.func private @interleaved_value(tensor<3x?x?xi8> {weft.interleaved = 1})

// -----

// expected-error @+1 {{'func.func' op result #0: weft.interleaved is on 'tensor<3x?xi8>', expected channels before rows and columns}}
func.func private @interleaved_rank() -> (tensor<3x?xi8> {weft.interleaved})

// -----

// expected-error @+1 {{'func.func' op argument #0: weft.interleaved is on 'tensor<?x8x8xi8>', expected a known number of channels}}
func.func private @interleaved_channels(tensor<?x8x8xi8> {weft.interleaved})
