// Groups written by hand that cannot be one kernel: the message names the stage, the rule and the number.

// RUN: pipeline-opt --fuse="target=h200" -split-input-file -verify-diagnostics %s -o /dev/null

// Computed indices need all of the producer, which nobody knows the size of.

func.func @gathered(%img: tensor<?x64xf32>, %h: index) -> tensor<?x64xf32> {
  // expected-warning @below {{group "g" has no overlapped tiles, and will be split: stage "table" is read at a computed index: every tile needs all of it, and its extent is not known}}
  %g = pipeline.group "g" {
    %t = pipeline.stage "table" (%y, %x) {
      %0 = pipeline.load %img[%y, %x] clamp : tensor<?x64xf32>
      pipeline.yield %0 : f32
    } sized(%h) : tensor<?x64xf32>
    %b = pipeline.stage "b" (%y, %x) {
      %0 = pipeline.load %img[%y, %x] clamp : tensor<?x64xf32>
      %1 = arith.fptosi %0 : f32 to i32
      %2 = arith.index_cast %1 : i32 to index
      %3 = pipeline.gather %t[%2, %x] clamp : tensor<?x64xf32>
      pipeline.yield %3 : f32
    } sized(%h) : tensor<?x64xf32>
    pipeline.yield %b : tensor<?x64xf32>
  } : tensor<?x64xf32>
  return %g : tensor<?x64xf32>
}

// -----

// The size is known, and too large for every tile to compute.

func.func @large(%img: tensor<128x64xf32>) -> tensor<128x64xf32> {
  // expected-warning @below {{group "g" has no overlapped tiles, and will be split: stage "table" is read at a computed index: every tile needs 8192 points of it, expected at most 4096}}
  %g = pipeline.group "g" {
    %t = pipeline.stage "table" (%y, %x) {
      %0 = pipeline.load %img[%y, %x] : tensor<128x64xf32>
      pipeline.yield %0 : f32
    } : tensor<128x64xf32>
    %b = pipeline.stage "b" (%y, %x) {
      %0 = pipeline.load %img[%y, %x] : tensor<128x64xf32>
      %1 = arith.fptosi %0 : f32 to i32
      %2 = arith.index_cast %1 : i32 to index
      %3 = pipeline.gather %t[%2, %2] clamp : tensor<128x64xf32>
      pipeline.yield %3 : f32
    } : tensor<128x64xf32>
    pipeline.yield %b : tensor<128x64xf32>
  } : tensor<128x64xf32>
  return %g : tensor<128x64xf32>
}

// -----

// Two scales of one producer.

func.func @scales(%img: tensor<256x256xf32>) -> (tensor<128x128xf32>, tensor<64x64xf32>) {
  // expected-warning @below {{group "g" has no overlapped tiles, and will be split: stage "a" is read at different scales by its consumers}}
  %g:2 = pipeline.group "g" {
    %a = pipeline.stage "a" (%y, %x) {
      %0 = pipeline.load %img[%y, %x] : tensor<256x256xf32>
      pipeline.yield %0 : f32
    } : tensor<256x256xf32>
    %b = pipeline.stage "b" (%y, %x) {
      %0 = pipeline.load %a[%y * 2, %x * 2] : tensor<256x256xf32>
      %1 = pipeline.load %a[%y, %x] : tensor<256x256xf32>
      %2 = arith.addf %0, %1 : f32
      pipeline.yield %2 : f32
    } : tensor<128x128xf32>
    %c = pipeline.stage "c" (%y, %x) {
      %0 = pipeline.load %b[%y, %x] : tensor<128x128xf32>
      pipeline.yield %0 : f32
    } : tensor<64x64xf32>
    pipeline.yield %b, %c : tensor<128x128xf32>, tensor<64x64xf32>
  } : tensor<128x128xf32>, tensor<64x64xf32>
  return %g#0, %g#1 : tensor<128x128xf32>, tensor<64x64xf32>
}

// -----

// A boundary mode that leads far away.

func.func @far(%img: tensor<512x512xf32>) -> tensor<512x512xf32> {
  // expected-warning @below {{group "g" has no overlapped tiles, and will be split: stage "a" is read where a boundary mode leads back over 199 points, expected at most 64}}
  %g = pipeline.group "g" {
    %a = pipeline.stage "a" (%y, %x) {
      %0 = pipeline.load %img[%y, %x] : tensor<512x512xf32>
      pipeline.yield %0 : f32
    } : tensor<512x512xf32>
    %b = pipeline.stage "b" (%y, %x) {
      %0 = pipeline.load %a[%y, %x + 100] mirror : tensor<512x512xf32>
      %1 = pipeline.load %a[%y, %x] : tensor<512x512xf32>
      %2 = arith.addf %0, %1 : f32
      pipeline.yield %2 : f32
    } : tensor<512x512xf32>
    pipeline.yield %b : tensor<512x512xf32>
  } : tensor<512x512xf32>
  return %g : tensor<512x512xf32>
}

// -----

// More threads than the target has: an error.

func.func @threads(%img: tensor<512x512xf32>) -> tensor<512x512xf32> {
  // expected-error @below {{group "g" cannot be on h200: schedule key 'block' asks for 2048 threads, expected at most 1024}}
  %g = pipeline.group "g" schedule {block = array<i64: 64, 32>} {
    %a = pipeline.stage "a" (%y, %x) {
      %0 = pipeline.load %img[%y, %x] : tensor<512x512xf32>
      pipeline.yield %0 : f32
    } : tensor<512x512xf32>
    pipeline.yield %a : tensor<512x512xf32>
  } : tensor<512x512xf32>
  return %g : tensor<512x512xf32>
}

// -----

// A group that would wait for itself cannot be written: it would use what is computed behind it.

func.func @cycle(%img: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %g = pipeline.group "g" {
    %a = pipeline.stage "a" (%y, %x) {
      // expected-error @below {{operand #0 does not dominate this use}}
      %0 = pipeline.load %b[%y, %x] : tensor<512x512xf32>
      pipeline.yield %0 : f32
    } : tensor<512x512xf32>
    pipeline.yield %a : tensor<512x512xf32>
  } : tensor<512x512xf32>
  // expected-note @below {{operand defined here}}
  %b = pipeline.stage "b" (%y, %x) {
    %0 = pipeline.load %g[%y, %x] : tensor<512x512xf32>
    pipeline.yield %0 : f32
  } : tensor<512x512xf32>
  return %b : tensor<512x512xf32>
}
