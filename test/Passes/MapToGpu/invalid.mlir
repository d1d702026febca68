// Schedules and groups that cannot become kernels.

// RUN: pipeline-opt %s -map-to-gpu -split-input-file -verify-diagnostics

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

// A schedule is verified for the last live-out; others may have another rank.
func.func @rank_of_another_live_out(%v: f32) -> (tensor<8x8xf32>, tensor<8xf32>) {
  // expected-error @+1 {{'pipeline.group' op stage "s": schedule key 'block' is array<i64: 32>, expected array<i64: ...> of 2 positive numbers, one for each dimension}}
  %0:2 = pipeline.group "g" schedule {block = array<i64: 32>} {
    %s = pipeline.stage "s" (%y, %x) {
      pipeline.yield %v : f32
    } : tensor<8x8xf32>
    %t = pipeline.stage "t" (%x) {
      pipeline.yield %v : f32
    } : tensor<8xf32>
    pipeline.yield %s, %t : tensor<8x8xf32>, tensor<8xf32>
  } : tensor<8x8xf32>, tensor<8xf32>
  return %0#0, %0#1 : tensor<8x8xf32>, tensor<8xf32>
}
