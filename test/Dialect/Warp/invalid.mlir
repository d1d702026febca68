// Every message of the verifiers, one case each. Messages name the op, the operand and what is expected.

// RUN: pipeline-opt %s -split-input-file -verify-diagnostics

//===----------------------------------------------------------------------===//
// Numbers of tiles
//===----------------------------------------------------------------------===//

func.func @no_number() {
  // expected-error @+1 {{'warp.tile_id' op has 0 results, expected 1 to 3, as a grid has dimensions}}
  "warp.tile_id"() <{lanes = array<i64>, warps = array<i64>}> : () -> ()
  return
}

// -----

func.func @four_numbers() {
  // expected-error @+1 {{'warp.tile_id' op has 4 results, expected 1 to 3, as a grid has dimensions}}
  %0:4 = warp.tile_id warps [1, 1, 1, 1] lanes [1, 1, 1, 32] : index, index, index, index
  return
}

// -----

func.func @warps_of_another_rank() {
  // expected-error @+1 {{'warp.tile_id' op 'warps' is [4], expected 2 positive numbers, one for each result}}
  %0:2 = warp.tile_id warps [4] lanes [1, 32] : index, index
  return
}

// -----

func.func @lanes_of_another_rank() {
  // expected-error @+1 {{'warp.tile_id' op 'lanes' is [32], expected 2 positive numbers, one for each result}}
  %0:2 = warp.tile_id warps [4, 1] lanes [32] : index, index
  return
}

// -----

func.func @no_lane() {
  // expected-error @+1 {{'warp.tile_id' op 'lanes' is [0, 32], expected 2 positive numbers, one for each result}}
  %0:2 = warp.tile_id warps [4, 1] lanes [0, 32] : index, index
  return
}

// -----

func.func @half_a_warp() {
  // expected-error @+1 {{'warp.tile_id' op 'lanes' has 16 lanes, expected the 32 of a warp}}
  %0:2 = warp.tile_id warps [4, 1] lanes [1, 16] : index, index
  return
}

// -----

func.func @too_many_warps() {
  // expected-error @+1 {{'warp.tile_id' op 'warps' has 33 warps, expected at most 32 in a block}}
  %0:2 = warp.tile_id warps [33, 1] lanes [1, 32] : index, index
  return
}

// -----

func.func @too_many_threads() {
  // expected-error @+1 {{'warp.tile_id' op 'lanes' has 2048 threads, expected at most 1024 in a block}}
  %0:2 = warp.tile_id block lanes [64, 32] : index, index
  return
}

// -----

//===----------------------------------------------------------------------===//
// Computes
//===----------------------------------------------------------------------===//

func.func @number_of_another_rank(%t: index, %v: f32) {
  // expected-error @+1 {{'warp.compute' op has 1 numbers in 'at', expected 2, as many as in 'step'}}
  %0 = warp.compute "s" at (%t) step [8, 32] in [0, 8) x [0, 32) (%y, %x) {
    warp.yield %v : f32
  } : tensor<8x32xf32, #warp.shared>
  return
}

// -----

func.func @box_of_another_rank(%t: index, %v: f32) {
  // expected-error @+1 {{'warp.compute' op has 2 intervals in 'in', expected 1, as many as in 'step'}}
  %0 = warp.compute "s" at (%t) step [32] in [0, 8) x [0, 32) (%x) {
    warp.yield %v : f32
  } : tensor<32xf32, #warp.shared>
  return
}

// -----

func.func @extents_of_another_rank(%t: index, %v: f32) {
  // expected-error @+1 {{'warp.compute' op has 2 extents in 'of', expected 1, as many as in 'step'}}
  %0 = warp.compute "s" at (%t) step [32] in [0, 32) of (%t, %t) (%x) {
    warp.yield %v : f32
  } : tensor<32xf32, #warp.shared>
  return
}

// -----

func.func @needed_of_another_rank(%t: index, %v: f32) {
  // expected-error @+1 {{'warp.compute' op has 2 intervals in 'needed', expected 1, as many as in 'step'}}
  %0 = warp.compute "s" at (%t) step [32] in [0, 32) of (%t) needed [0, 8) x [0, 9) (%x) {
    warp.yield %v : f32
  } : tensor<32xf32, #warp.shared>
  return
}

// -----

func.func @coordinates_of_another_rank(%t: index, %v: f32) {
  // expected-error @+1 {{'warp.compute' op has 2 coordinates, expected 1, as many as in 'step'}}
  %0 = warp.compute "s" at (%t) step [32] in [0, 32) (%y, %x) {
    warp.yield %v : f32
  } : tensor<32xf32, #warp.shared>
  return
}

// -----

func.func @no_point(%t: index, %v: f32) {
  // expected-error @+1 {{'warp.compute' op computes no point of [3, 3), expected some}}
  %0 = warp.compute "s" at (%t, %t) step [8, 32] in [3, 3) x [0, 32) (%y, %x) {
    warp.yield %v : f32
  } : tensor<0x32xf32, #warp.shared>
  return
}

// -----

func.func @no_planes_together(%t: index, %v: f32) {
  // expected-error @+1 {{'warp.compute' op has 'planes_together' and 2 dimensions, expected planes before rows and columns}}
  %0 = warp.compute "s" at (%t, %t) step [4, 32] in [0, 4) x [0, 32) (%y, %x) {
    warp.yield %v : f32
  } {planes_together} : tensor<4x32xf32, #warp.shared>
  return
}

// -----

func.func @wrap_along_nothing(%t: index, %v: f32) {
  // expected-error @+1 {{'warp.compute' op 'wrap' names dimension 1, expected less than 1}}
  %0 = warp.compute "s" at (%t) step [32] in [0, 32) of (%t) wrap [1] (%x) {
    warp.yield %v : f32
  } : tensor<32xf32, #warp.shared>
  return
}

// -----

func.func @wrap_without_extents(%t: index, %v: f32) {
  // expected-error @+1 {{'warp.compute' op has 'needed' or 'wrap' without extents, expected 'of'}}
  %0 = warp.compute "s" at (%t) step [32] in [0, 32) wrap [0] (%x) {
    warp.yield %v : f32
  } : tensor<32xf32, #warp.shared>
  return
}

// -----

func.func @needed_without_extents(%t: index, %v: f32) {
  // expected-error @+1 {{'warp.compute' op has 'needed' or 'wrap' without extents, expected 'of'}}
  %0 = warp.compute "s" at (%t) step [32] in [0, 32) needed [0, 8) (%x) {
    warp.yield %v : f32
  } : tensor<32xf32, #warp.shared>
  return
}

// -----

func.func @no_tile(%t: index) {
  // expected-error @+1 {{'warp.compute' op gives no tile, expected one for each value of the stage}}
  "warp.compute"(%t) <{name = "s", step = array<i64: 32>, box = array<i64: 0, 32>, operandSegmentSizes = array<i32: 1, 0>}> ({
  ^bb0(%x: index):
    "warp.yield"() : () -> ()
  }) : (index) -> ()
  return
}

// -----

func.func @tile_of_other_extents(%t: index, %v: f32) {
  // expected-error @+1 {{'warp.compute' op gives 'tensor<10x32xf32, #warp.shared>', expected the extents [8, 32] of its box}}
  %0 = warp.compute "s" at (%t, %t) step [8, 32] in [0, 8) x [0, 32) (%y, %x) {
    warp.yield %v : f32
  } : tensor<10x32xf32, #warp.shared>
  return
}

// -----

func.func @tile_of_unknown_extents(%t: index, %v: f32) {
  // expected-error @+1 {{'warp.compute' op gives 'tensor<?xf32, #warp.shared>', expected the extents [32] of its box}}
  %0 = warp.compute "s" at (%t) step [32] in [0, 32) (%x) {
    warp.yield %v : f32
  } : tensor<?xf32, #warp.shared>
  return
}

// -----

func.func @no_encoding(%t: index, %v: f32) {
  // expected-error @+1 {{'warp.compute' op gives 'tensor<32xf32>', expected a tile with an encoding, for example #warp.shared}}
  %0 = warp.compute "s" at (%t) step [32] in [0, 32) (%x) {
    warp.yield %v : f32
  } : tensor<32xf32>
  return
}

// -----

func.func @another_encoding(%t: index, %v: f32) {
  // expected-error @+1 {{'warp.compute' op gives 'tensor<32xf32, "shared">', expected a tile with an encoding, for example #warp.shared}}
  %0 = warp.compute "s" at (%t) step [32] in [0, 32) (%x) {
    warp.yield %v : f32
  } : tensor<32xf32, "shared">
  return
}

// -----

func.func @cyclic_columns(%t: index, %v: f32) {
  // expected-error @+1 {{'warp.compute' op gives 'tensor<66xf32, #warp.cyclic<2>>', whose 66 columns the lanes of a warp cannot hold so}}
  %0 = warp.compute "s" at (%t) step [64] in [-1, 65) (%x) {
    warp.yield %v : f32
  } : tensor<66xf32, #warp.cyclic<2>>
  return
}

// -----

func.func @blocked_columns(%t: index, %v: f32) {
  // expected-error @+1 {{'warp.compute' op gives 'tensor<64xf32, #warp.blocked<4>>', whose 64 columns the lanes of a warp cannot hold so}}
  %0 = warp.compute "s" at (%t) step [64] in [0, 64) (%x) {
    warp.yield %v : f32
  } : tensor<64xf32, #warp.blocked<4>>
  return
}

// -----

func.func @hybrid_columns(%t: index, %v: f32) {
  // expected-error @+1 {{'warp.compute' op gives 'tensor<66xf32, #warp.hybrid<32>>', whose 66 columns the lanes of a warp cannot hold so}}
  %0 = warp.compute "s" at (%t) step [64] in [-2, 64) (%x) {
    warp.yield %v : f32
  } : tensor<66xf32, #warp.hybrid<32>>
  return
}

// -----

func.func @hybrid_without_registers(%t: index, %v: f32) {
  // expected-error @+1 {{'warp.compute' op gives 'tensor<64xf32, #warp.hybrid<64>>', whose 64 columns the lanes of a warp cannot hold so}}
  %0 = warp.compute "s" at (%t) step [64] in [0, 64) (%x) {
    warp.yield %v : f32
  } : tensor<64xf32, #warp.hybrid<64>>
  return
}

// -----

func.func @grid_lanes(%t: index, %v: f32) {
  // expected-error @+1 {{'warp.compute' op gives 'tensor<4x32xf32, #warp.grid<4, 16>>' in 4 x 16 lanes, expected the 32 of a warp}}
  %0 = warp.compute "s" at (%t, %t) step [4, 32] in [0, 4) x [0, 32) (%y, %x) {
    warp.yield %v : f32
  } : tensor<4x32xf32, #warp.grid<4, 16>>
  return
}

// -----

func.func @grid_without_rows(%t: index, %v: f32) {
  // expected-error @+1 {{'warp.compute' op gives 'tensor<32xf32, #warp.grid<2, 16>>', which has no rows for its rows of lanes}}
  %0 = warp.compute "s" at (%t) step [32] in [0, 32) (%x) {
    warp.yield %v : f32
  } : tensor<32xf32, #warp.grid<2, 16>>
  return
}

// -----

func.func @two_layouts(%t: index, %v: f32) {
  // expected-error @+1 {{'warp.compute' op gives 'tensor<32xf32, #warp.lane>', expected the layout of the first tile}}
  %0:2 = warp.compute "s" at (%t) step [32] in [0, 32) (%x) {
    warp.yield %v, %v : f32, f32
  } : tensor<32xf32, #warp.shared>, tensor<32xf32, #warp.lane>
  return
}

// -----

func.func @no_terminator(%t: index, %v: f32) {
  %0 = warp.compute "s" at (%t) step [32] in [0, 32) (%x) {
    // expected-error @+1 {{block with no terminator}}
    %1 = arith.addf %v, %v : f32
  } : tensor<32xf32, #warp.shared>
  return
}

// -----

func.func @another_terminator(%t: index, %v: f32) {
  // expected-error @+1 {{'warp.compute' op body does not end with warp.yield}}
  %0 = warp.compute "s" at (%t) step [32] in [0, 32) (%x) {
    llvm.unreachable
  } : tensor<32xf32, #warp.shared>
  return
}

// -----

func.func @yield_elsewhere(%v: f32) {
  // expected-error @+1 {{'warp.yield' op expects parent op 'warp.compute'}}
  warp.yield %v : f32
}

// -----

func.func @too_few_values(%t: index, %v: f32) {
  %0:2 = warp.compute "s" at (%t) step [32] in [0, 32) (%x) {
    // expected-error @+1 {{'warp.yield' op gives (f32), expected (f32, f32)}}
    warp.yield %v : f32
  } : tensor<32xf32, #warp.shared>, tensor<32xf32, #warp.shared>
  return
}

// -----

func.func @other_values(%t: index, %v: f64) {
  %0 = warp.compute "s" at (%t) step [32] in [0, 32) (%x) {
    // expected-error @+1 {{'warp.yield' op gives (f64), expected (f32)}}
    warp.yield %v : f64
  } : tensor<32xf32, #warp.shared>
  return
}

// -----

//===----------------------------------------------------------------------===//
// Reads
//===----------------------------------------------------------------------===//

func.func @read_of_an_argument(%t: index, %tile: tensor<32xf32, #warp.shared>) {
  %0 = warp.compute "s" at (%t) step [32] in [0, 32) (%x) {
    // expected-error @+1 {{'warp.read' op reads a tile that is not the result of a warp.compute}}
    %1 = warp.read %tile[%x] : tensor<32xf32, #warp.shared>
    warp.yield %1 : f32
  } : tensor<32xf32, #warp.shared>
  return
}

// -----

func.func @read_of_another_lane(%t: index, %v: f32) {
  %a = warp.compute "a" at (%t) step [32] in [0, 32) (%x) {
    warp.yield %v : f32
  } : tensor<32xf32, #warp.lane>
  %b = warp.compute "b" at (%t) step [32] in [0, 32) (%x) {
    // expected-error @+1 {{'warp.read' op reads a tile with #warp.lane, whose values no other lane can see}}
    %1 = warp.read %a[%x] : tensor<32xf32, #warp.lane>
    warp.yield %1 : f32
  } : tensor<32xf32, #warp.shared>
  return
}

// -----

func.func @read_of_another_block(%c: i1, %t: index, %v: f32) {
  %a = warp.compute "a" at (%t) step [32] in [0, 32) (%x) {
    warp.yield %v : f32
  } : tensor<32xf32, #warp.shared>
  scf.if %c {
    %b = warp.compute "b" at (%t) step [32] in [0, 32) (%x) {
      // expected-error @+1 {{'warp.read' op reads a tile of another block, expected one beside it}}
      %1 = warp.read %a[%x] : tensor<32xf32, #warp.shared>
      warp.yield %1 : f32
    } : tensor<32xf32, #warp.shared>
  }
  return
}

// -----

func.func @read_of_another_block_by_values(%c: i1, %t: index, %v: f32) {
  %a = warp.compute "a" at (%t) step [32] in [0, 32) (%x) {
    warp.yield %v : f32
  } : tensor<32xf32, #warp.shared>
  scf.if %c {
    // expected-error @+1 {{'warp.read' op reads a tile of another block, expected one beside it}}
    %1 = warp.read %a[%t] : tensor<32xf32, #warp.shared>
  }
  return
}

// -----

func.func @too_many_indices(%t: index, %v: f32) {
  %a = warp.compute "a" at (%t) step [32] in [0, 32) (%x) {
    warp.yield %v : f32
  } : tensor<32xf32, #warp.shared>
  %b = warp.compute "b" at (%t) step [32] in [0, 32) (%x) {
    // expected-error @+1 {{'warp.read' op has 2 indices, expected 1, one for each dimension of "a"}}
    %1 = warp.read %a[%x, %x] : tensor<32xf32, #warp.shared>
    warp.yield %1 : f32
  } : tensor<32xf32, #warp.shared>
  return
}

// -----

func.func @boundary_outside(%t: index, %v: f32) {
  %a = warp.compute "a" at (%t) step [32] in [0, 32) of (%t) (%x) {
    warp.yield %v : f32
  } : tensor<32xf32, #warp.shared>
  // expected-error @+1 {{'warp.read' op has boundary 'mirror' outside of a warp.compute, expected none}}
  %1 = warp.read %a[%t] mirror : tensor<32xf32, #warp.shared>
  return
}

// -----

func.func @no_coordinate(%t: index, %v: f32) {
  %a = warp.compute "a" at (%t) step [32] in [0, 32) (%x) {
    warp.yield %v : f32
  } : tensor<32xf32, #warp.shared>
  %b = warp.compute "b" at (%t) step [32] in [0, 32) (%x) {
    // expected-error @+1 {{'warp.read' op index operand #0 is not a coordinate of "b", nor computed in it}}
    %1 = warp.read %a[%t] : tensor<32xf32, #warp.shared>
    warp.yield %1 : f32
  } : tensor<32xf32, #warp.shared>
  return
}

// -----

func.func @constant_without_a_value(%t: index, %v: f32) {
  %a = warp.compute "a" at (%t) step [32] in [0, 32) of (%t) (%x) {
    warp.yield %v : f32
  } : tensor<32xf32, #warp.shared>
  %b = warp.compute "b" at (%t) step [32] in [0, 32) (%x) {
    // expected-error @+1 {{'warp.read' op boundary 'constant' has no value, expected one, as in constant(%v)}}
    %1 = warp.read %a[%x] constant : tensor<32xf32, #warp.shared>
    warp.yield %1 : f32
  } : tensor<32xf32, #warp.shared>
  return
}

// -----

func.func @boundary_without_extents(%t: index, %v: f32) {
  %a = warp.compute "a" at (%t) step [32] in [0, 32) (%x) {
    warp.yield %v : f32
  } : tensor<32xf32, #warp.shared>
  %b = warp.compute "b" at (%t) step [32] in [0, 32) (%x) {
    // expected-error @+1 {{'warp.read' op has boundary 'clamp', expected extents of "a" to bring indices inside of}}
    %1 = warp.read %a[%x] clamp : tensor<32xf32, #warp.shared>
    warp.yield %1 : f32
  } : tensor<32xf32, #warp.shared>
  return
}

// -----

func.func @constant_without_extents(%t: index, %v: f32) {
  %a = warp.compute "a" at (%t) step [32] in [0, 32) (%x) {
    warp.yield %v : f32
  } : tensor<32xf32, #warp.shared>
  %b = warp.compute "b" at (%t) step [32] in [0, 32) (%x) {
    // expected-error @+1 {{'warp.read' op has boundary 'constant', expected extents of "a" to bring indices inside of}}
    %1 = warp.read %a[%x] constant(%v) : tensor<32xf32, #warp.shared>
    warp.yield %1 : f32
  } : tensor<32xf32, #warp.shared>
  return
}

// -----

func.func @value_of_another_boundary(%t: index, %v: f32) {
  %a = warp.compute "a" at (%t) step [32] in [0, 32) of (%t) (%x) {
    warp.yield %v : f32
  } : tensor<32xf32, #warp.shared>
  %b = warp.compute "b" at (%t) step [32] in [0, 32) (%x) {
    // expected-error @+1 {{'warp.read' op boundary 'clamp' has a value in parentheses, expected none}}
    %1 = warp.read %a[%x] clamp(%v) : tensor<32xf32, #warp.shared>
    warp.yield %1 : f32
  } : tensor<32xf32, #warp.shared>
  return
}

// -----

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

func.func @load_with_too_few_indices(%t: index, %v: f32, %img: memref<480x640xf32, 1>) {
  %a = warp.compute "a" at (%t, %t) step [8, 32] in [0, 8) x [0, 32) of (%t, %t) (%y, %x) {
    // expected-error @+1 {{'warp.load' op has 1 indices, expected 2, one for each dimension of the memory}}
    %0 = warp.load %img[%x] : memref<480x640xf32, 1>
    warp.yield %0 : f32
  } : tensor<8x32xf32, #warp.shared>
  return
}

// -----

func.func @load_of_a_part_of_another_rank(%t: index, %v: f32, %img: memref<480x640xf32, 1>) {
  %a = warp.compute "a" at (%t, %t) step [8, 32] in [0, 8) x [0, 32) of (%t, %t) (%y, %x) {
    // expected-error @+1 {{'warp.load' op has 1 intervals in 'needed', expected 2}}
    %0 = "warp.load"(%img, %y, %x) <{boundary = 1 : i32, map = affine_map<(d0, d1) -> (d0, d1)>, needed = array<i64: 0, 8>,
        operandSegmentSizes = array<i32: 1, 2, 0>}> : (memref<480x640xf32, 1>, index, index) -> f32
    warp.yield %0 : f32
  } : tensor<8x32xf32, #warp.shared>
  return
}

// -----

func.func @load_outside(%t: index, %img: memref<480x640xf32, 1>) {
  // expected-error @+1 {{'warp.load' op stands outside of a warp.compute, expected in one}}
  %0 = warp.load %img[%t, %t] clamp : memref<480x640xf32, 1>
  return
}

// -----

func.func @modes_of_another_rank(%t: index, %v: f32, %img: memref<480x640xf32, 1>) {
  %a = warp.compute "a" at (%t, %t) step [8, 32] in [0, 8) x [0, 32) of (%t, %t) (%y, %x) {
    // expected-error @+1 {{'warp.load' op has 'modes' other than 2 of none, clamp, mirror, reflect101, wrap and constant}}
    %0 = "warp.load"(%img, %y, %x) <{map = affine_map<(d0, d1) -> (d0, d1)>, modes = ["clamp"],
        operandSegmentSizes = array<i32: 1, 2, 0>}> : (memref<480x640xf32, 1>, index, index) -> f32
    warp.yield %0 : f32
  } : tensor<8x32xf32, #warp.shared>
  return
}

// -----

func.func @two_kinds_of_modes(%t: index, %v: f32, %img: memref<480x640xf32, 1>) {
  %a = warp.compute "a" at (%t, %t) step [8, 32] in [0, 8) x [0, 32) of (%t, %t) (%y, %x) {
    // expected-error @+1 {{'warp.load' op has 'modes' and boundary 'clamp', expected one of them}}
    %0 = warp.load %img[%y, %x] modes ["none", "clamp"] clamp : memref<480x640xf32, 1>
    warp.yield %0 : f32
  } : tensor<8x32xf32, #warp.shared>
  return
}

// -----

func.func @no_mode(%t: index, %v: f32, %img: memref<480x640xf32, 1>) {
  %a = warp.compute "a" at (%t, %t) step [8, 32] in [0, 8) x [0, 32) of (%t, %t) (%y, %x) {
    // expected-error @+1 {{'warp.load' op has 'modes' other than 2 of none, clamp, mirror, reflect101, wrap and constant}}
    %0 = "warp.load"(%img, %y, %x) <{map = affine_map<(d0, d1) -> (d0, d1)>, modes = ["clamp", "repeat"],
        operandSegmentSizes = array<i32: 1, 2, 0>}> : (memref<480x640xf32, 1>, index, index) -> f32
    warp.yield %0 : f32
  } : tensor<8x32xf32, #warp.shared>
  return
}

// -----

func.func @load_of_constant_without_a_value(%t: index, %v: f32, %img: memref<480x640xf32, 1>) {
  %a = warp.compute "a" at (%t, %t) step [8, 32] in [0, 8) x [0, 32) of (%t, %t) (%y, %x) {
    // expected-error @+1 {{'warp.load' op boundary 'constant' has no value, expected one, as in constant(%v)}}
    %0 = warp.load %img[%y, %x] constant : memref<480x640xf32, 1>
    warp.yield %0 : f32
  } : tensor<8x32xf32, #warp.shared>
  return
}

// -----

func.func @constant_mode_without_a_value(%t: index, %v: f32, %img: memref<480x640xf32, 1>) {
  %a = warp.compute "a" at (%t, %t) step [8, 32] in [0, 8) x [0, 32) of (%t, %t) (%y, %x) {
    // expected-error @+1 {{'warp.load' op boundary 'constant' has no value, expected one, as in constant(%v)}}
    %0 = "warp.load"(%img, %y, %x) <{map = affine_map<(d0, d1) -> (d0, d1)>, modes = ["none", "constant"],
        operandSegmentSizes = array<i32: 1, 2, 0>}> : (memref<480x640xf32, 1>, index, index) -> f32
    warp.yield %0 : f32
  } : tensor<8x32xf32, #warp.shared>
  return
}

// -----

func.func @load_with_a_value_of_another_boundary(%t: index, %v: f32, %img: memref<480x640xf32, 1>) {
  %a = warp.compute "a" at (%t, %t) step [8, 32] in [0, 8) x [0, 32) of (%t, %t) (%y, %x) {
    // expected-error @+1 {{'warp.load' op has a value in parentheses, and no boundary 'constant'}}
    %0 = warp.load %img[%y, %x] clamp(%v) : memref<480x640xf32, 1>
    warp.yield %0 : f32
  } : tensor<8x32xf32, #warp.shared>
  return
}

// -----

func.func @value_without_constant_mode(%t: index, %v: f32, %img: memref<480x640xf32, 1>) {
  %a = warp.compute "a" at (%t, %t) step [8, 32] in [0, 8) x [0, 32) of (%t, %t) (%y, %x) {
    // expected-error @+1 {{'warp.load' op has a value in parentheses, and no boundary 'constant'}}
    %0 = "warp.load"(%img, %y, %x, %v) <{map = affine_map<(d0, d1) -> (d0, d1)>, modes = ["clamp", "mirror"],
        operandSegmentSizes = array<i32: 1, 2, 1>}> : (memref<480x640xf32, 1>, index, index, f32) -> f32
    warp.yield %0 : f32
  } : tensor<8x32xf32, #warp.shared>
  return
}

// -----

//===----------------------------------------------------------------------===//
// Writes
//===----------------------------------------------------------------------===//

func.func @write_of_an_argument(%tile: tensor<32xf32, #warp.lane>, %out: memref<64xf32, 1>) {
  // expected-error @+1 {{'warp.write' op writes a tile that is not the result of a warp.compute}}
  warp.write %tile in [0, 32) to %out : tensor<32xf32, #warp.lane>, memref<64xf32, 1>
  return
}

// -----

func.func @write_of_another_block(%c: i1, %t: index, %v: f32, %out: memref<64xf32, 1>) {
  %a = warp.compute "a" at (%t) step [32] in [0, 32) (%x) {
    warp.yield %v : f32
  } : tensor<32xf32, #warp.lane>
  scf.if %c {
    // expected-error @+1 {{'warp.write' op writes a tile of another block, expected one beside it}}
    warp.write %a in [0, 32) to %out : tensor<32xf32, #warp.lane>, memref<64xf32, 1>
  }
  return
}

// -----

func.func @write_of_more_than_there_is(%t: index, %v: f32, %out: memref<64x64xf32, 1>) {
  %a = warp.compute "a" at (%t, %t) step [8, 32] in [0, 8) x [0, 32) (%y, %x) {
    warp.yield %v : f32
  } : tensor<8x32xf32, #warp.lane>
  // expected-error @+1 {{'warp.write' op writes [-1, 8) x [0, 32), expected some of the computed [0, 8) x [0, 32)}}
  warp.write %a in [-1, 8) x [0, 32) to %out : tensor<8x32xf32, #warp.lane>, memref<64x64xf32, 1>
  return
}

// -----

func.func @write_of_nothing(%t: index, %v: f32, %out: memref<64xf32, 1>) {
  %a = warp.compute "a" at (%t) step [32] in [0, 32) (%x) {
    warp.yield %v : f32
  } : tensor<32xf32, #warp.lane>
  // expected-error @+1 {{'warp.write' op writes [8, 8), expected some of the computed [0, 32)}}
  warp.write %a in [8, 8) to %out : tensor<32xf32, #warp.lane>, memref<64xf32, 1>
  return
}

// -----

func.func @write_of_another_rank(%t: index, %v: f32, %out: memref<64xf32, 1>) {
  %a = warp.compute "a" at (%t) step [32] in [0, 32) (%x) {
    warp.yield %v : f32
  } : tensor<32xf32, #warp.lane>
  // expected-error @+1 {{'warp.write' op writes [0, 8) x [0, 32), expected some of the computed [0, 32)}}
  warp.write %a in [0, 8) x [0, 32) to %out : tensor<32xf32, #warp.lane>, memref<64xf32, 1>
  return
}

// -----

func.func @memory_of_another_rank(%t: index, %v: f32, %out: memref<64x64xf32, 1>) {
  %a = warp.compute "a" at (%t) step [32] in [0, 32) (%x) {
    warp.yield %v : f32
  } : tensor<32xf32, #warp.lane>
  // expected-error @+1 {{'warp.write' op writes to 'memref<64x64xf32, 1>', expected memory of 1 dimensions and the tile's elements}}
  warp.write %a in [0, 32) to %out : tensor<32xf32, #warp.lane>, memref<64x64xf32, 1>
  return
}

// -----

func.func @memory_of_other_elements(%t: index, %v: f32, %out: memref<64xf64, 1>) {
  %a = warp.compute "a" at (%t) step [32] in [0, 32) (%x) {
    warp.yield %v : f32
  } : tensor<32xf32, #warp.lane>
  // expected-error @+1 {{'warp.write' op writes to 'memref<64xf64, 1>', expected memory of 1 dimensions and the tile's elements}}
  warp.write %a in [0, 32) to %out : tensor<32xf32, #warp.lane>, memref<64xf64, 1>
  return
}

// -----

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

func.func @no_row() {
  // expected-error @+1 {{'warp.stream' op 'unroll' is 0, expected a positive number}}
  warp.stream unroll 0 {
  }
  return
}

// -----

func.func @stray_in_a_stream(%v: f32) {
  warp.stream unroll 8 {
    // expected-error @+1 {{'arith.addf' op is in a warp.stream, expected computes and writes only}}
    %0 = arith.addf %v, %v : f32
  }
  return
}
