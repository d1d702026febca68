// Schedules that no thread block can have.

// RUN: pipeline-opt %s -warp-tile -split-input-file -verify-diagnostics

func.func @too_many_threads(%v: f32) -> tensor<8x8xf32> {
  // expected-error @+1 {{'pipeline.group' op schedule key 'block' asks for 2048 threads, expected at most 1024}}
  %0 = pipeline.group "g" schedule {block = array<i64: 64, 32>} {
    %s = pipeline.stage "s" (%y, %x) {
      pipeline.yield %v : f32
    } : tensor<8x8xf32>
    pipeline.yield %s : tensor<8x8xf32>
  } : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

func.func @overflowing_threads(%v: f32) -> tensor<8x8xf32> {
  // expected-error @+1 {{'pipeline.group' op schedule key 'block' asks for 1073741824 threads, expected at most 1024}}
  %0 = pipeline.group "g" schedule {block = array<i64: 32768, 32768>} {
    %s = pipeline.stage "s" (%y, %x) {
      pipeline.yield %v : f32
    } : tensor<8x8xf32>
    pipeline.yield %s : tensor<8x8xf32>
  } : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// 100 threads along x are four warps, the last of which uses four lanes.
func.func @padded(%v: f32) -> tensor<8x8xf32> {
  // expected-error @+1 {{'pipeline.group' op schedule key 'block' asks for 40 warps, padding included, expected at most 32}}
  %0 = pipeline.group "g" schedule {block = array<i64: 10, 100>} {
    %s = pipeline.stage "s" (%y, %x) {
      pipeline.yield %v : f32
    } : tensor<8x8xf32>
    pipeline.yield %s : tensor<8x8xf32>
  } : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

func.func @threads_along_n(%v: f32) -> tensor<8x8x8x8xf32> {
  // expected-error @+1 {{'pipeline.group' op schedule key 'block' has several threads along n or c of four dimensions, expected 1}}
  %0 = pipeline.group "g" schedule {block = array<i64: 2, 1, 8, 32>} {
    %s = pipeline.stage "s" (%n, %c, %y, %x) {
      pipeline.yield %v : f32
    } : tensor<8x8x8x8xf32>
    pipeline.yield %s : tensor<8x8x8x8xf32>
  } : tensor<8x8x8x8xf32>
  return %0 : tensor<8x8x8x8xf32>
}

// -----

func.func @points(%v: f32) -> tensor<8x8xf32> {
  // expected-error @+1 {{'pipeline.group' op schedule key 'tile' asks for 1024 points of a thread, expected at most 256}}
  %0 = pipeline.group "g" schedule {scope = "thread", tile = array<i64: 8, 128>} {
    %s = pipeline.stage "s" (%y, %x) {
      pipeline.yield %v : f32
    } : tensor<8x8xf32>
    pipeline.yield %s : tensor<8x8xf32>
  } : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
