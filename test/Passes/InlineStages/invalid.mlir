// What --inline-stages refuses: stages that are named and cannot be inlined, programs that are wrong, options.

// RUN: pipeline-opt %s -inline-stages=only=a -split-input-file -verify-diagnostics
// RUN: not pipeline-opt %examples/blur.mlir -inline-stages=only=blurx,blurz 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: 'builtin.module' op option 'only' names "blurz", which is no stage, expected one of "blurx", "blury"
// RUN: not pipeline-opt %examples/blur.mlir -inline-stages=max-cost=-1 2>&1 | FileCheck %s --check-prefix=COST
// COST: error: 'builtin.module' op option 'max-cost' is -1, expected 0 or more

func.func @beside(%img: tensor<8xf32>) -> tensor<8xf32> {
  // expected-note @+1 {{option 'only' names this stage}}
  %a = pipeline.stage "a" (%x) {
    %0 = pipeline.load %img[%x - 1] clamp : tensor<8xf32>
    pipeline.yield %0 : f32
  } : tensor<8xf32>
  %b = pipeline.stage "b" (%x) {
    // expected-error @+1 {{of stage "b" cannot be replaced by the body of "a": 'clamp' does not move to index #0 (x - 1) of a load of it, expected a coordinate of the source's own extent}}
    %0 = pipeline.load %a[%x + 1] clamp : tensor<8xf32>
    pipeline.yield %0 : f32
  } : tensor<8xf32>
  return %b : tensor<8xf32>
}

// -----

func.func @other_mode(%img: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-note @+1 {{option 'only' names this stage}}
  %a = pipeline.stage "a" (%y, %x) {
    %0 = pipeline.load %img[%y - 1, %x] wrap : tensor<8x8xf32>
    pipeline.yield %0 : f32
  } : tensor<8x8xf32>
  %b = pipeline.stage "b" (%y, %x) {
    // expected-error @+1 {{of stage "b" cannot be replaced by the body of "a": 'mirror' does not move to a load of it with 'wrap'}}
    %0 = pipeline.load %a[%y, %x + 1] mirror : tensor<8x8xf32>
    pipeline.yield %0 : f32
  } : tensor<8x8xf32>
  return %b : tensor<8x8xf32>
}

// -----

func.func @outside(%img: tensor<8xf32>, %v: f32) -> tensor<8xf32> {
  // expected-note @+1 {{option 'only' names this stage}}
  %a = pipeline.stage "a" (%x) {
    %0 = pipeline.load %img[%x] : tensor<8xf32>
    %1 = arith.negf %0 : f32
    pipeline.yield %1 : f32
  } : tensor<8xf32>
  %b = pipeline.stage "b" (%x) {
    // expected-error @+1 {{of stage "b" cannot be replaced by the body of "a": 'constant' moves only to the load of a stage that is a copy}}
    %0 = pipeline.load %a[%x + 1] constant(%v) : tensor<8xf32>
    pipeline.yield %0 : f32
  } : tensor<8xf32>
  return %b : tensor<8xf32>
}

// -----

func.func @fewer_dimensions(%row: tensor<8xf32>, %v: f32) -> tensor<8x8xf32> {
  // expected-note @+1 {{option 'only' names this stage}}
  %a = pipeline.stage "a" (%y, %x) {
    %0 = pipeline.load %row[%x] : tensor<8xf32>
    pipeline.yield %0 : f32
  } : tensor<8x8xf32>
  %b = pipeline.stage "b" (%y, %x) {
    // expected-error @+1 {{of stage "b" cannot be replaced by the body of "a": 'constant' does not move to a source of fewer dimensions}}
    %0 = pipeline.load %a[%y - 1, %x] constant(%v) : tensor<8x8xf32>
    pipeline.yield %0 : f32
  } : tensor<8x8xf32>
  return %b : tensor<8x8xf32>
}

// -----

func.func @numbers() -> tensor<8xi32> {
  // expected-note @+1 {{option 'only' names this stage}}
  %a = pipeline.stage "a" (%x) {
    %0 = arith.index_cast %x : index to i32
    pipeline.yield %0 : i32
  } : tensor<8xi32>
  %b = pipeline.stage "b" (%x) {
    // expected-error @+1 {{of stage "b" cannot be replaced by the body of "a": index #0 (x + 1) may leave it, and it computes with that coordinate}}
    %0 = pipeline.load %a[%x + 1] clamp : tensor<8xi32>
    pipeline.yield %0 : i32
  } : tensor<8xi32>
  return %b : tensor<8xi32>
}

// -----

// Each of the two indices stays inside and is known to; of what they compose to the range is not exact.
func.func @not_proved(%img: tensor<?xf32>, %n: index) -> tensor<?x?xf32> {
  // expected-note @+1 {{option 'only' names this stage}}
  %a = pipeline.stage "a" (%y, %x) {
    %0 = pipeline.load %img[(%y * 2 + %x * 3) mod 7 + %y] : tensor<?xf32>
    pipeline.yield %0 : f32
  } sized(%n, %n) : tensor<?x?xf32>
  %b = pipeline.stage "b" (%y, %x) {
    // expected-error @+1 {{of stage "b" cannot be replaced by the body of "a": index #0 of a load of it becomes y + (y * 2 + x * 3) mod 7, which cannot be proved to stay inside}}
    %0 = pipeline.load %a[%y, %x] : tensor<?x?xf32>
    pipeline.yield %0 : f32
  } sized(%n, %n) : tensor<?x?xf32>
  return %b : tensor<?x?xf32>
}

// -----

func.func @large(%img: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  // expected-note @+1 {{option 'only' names this stage}}
  %a = pipeline.stage "a" (%x) {
    %0 = pipeline.load %img[%x * 65536] wrap : tensor<?xf32>
    pipeline.yield %0 : f32
  } sized(%n) : tensor<?xf32>
  %b = pipeline.stage "b" (%x) {
    // expected-error @+1 {{of stage "b" cannot be replaced by the body of "a": the composed index has numbers of more than 31 bits}}
    %0 = pipeline.load %a[%x * 65536] : tensor<?xf32>
    pipeline.yield %0 : f32
  } sized(%n) : tensor<?xf32>
  return %b : tensor<?xf32>
}

// -----

func.func @not_read(%img: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{"a" is named by option 'only', but no stage reads it}}
  %a = pipeline.stage "a" (%x) {
    %0 = pipeline.load %img[%x] : tensor<8xf32>
    pipeline.yield %0 : f32
  } : tensor<8xf32>
  return %a : tensor<8xf32>
}

// -----

// A load that leaves its source is wrong, also where nobody would read what it gives.
func.func @wrong(%img: tensor<8xf32>) -> tensor<8xf32> {
  %a = pipeline.stage "a" (%x) {
    // expected-error @+1 {{index #0 (x) of stage "a" covers [0, 9], expected inside [0, 7]}}
    %0 = pipeline.load %img[%x] : tensor<8xf32>
    pipeline.yield %0 : f32
  } : tensor<10xf32>
  %b = pipeline.stage "b" (%x) {
    %0 = pipeline.load %a[%x] : tensor<10xf32>
    pipeline.yield %0 : f32
  } : tensor<8xf32>
  return %b : tensor<8xf32>
}

// -----

// expected-error @+1 {{'func.func' op @branches has several blocks, expected a program without branches}}
func.func @branches(%v: f32, %condition: i1) -> tensor<8xf32> {
  %a = pipeline.stage "a" (%x) {
    pipeline.yield %v : f32
  } : tensor<8xf32>
  cf.cond_br %condition, ^then, ^else
^then:
  return %a : tensor<8xf32>
^else:
  return %a : tensor<8xf32>
}

// -----

// A gather takes a computed index as it is, here one that is known to stay inside.
func.func @computed(%img: tensor<16xi32>) -> tensor<8xi32> {
  // expected-note @+1 {{option 'only' names this stage}}
  %a = pipeline.stage "a" (%x) {
    %0 = pipeline.load %img[%x * 2] : tensor<16xi32>
    pipeline.yield %0 : i32
  } : tensor<8xi32>
  %b = pipeline.stage "b" (%x) {
    %last = arith.constant 7 : index
    %from = arith.subi %last, %x : index
    // expected-error @+1 {{of stage "b" cannot be replaced by the body of "a": index #0 of a load of it becomes v0 * 2, expected a computed value alone}}
    %0 = pipeline.gather %a[%from] clamp : tensor<8xi32>
    pipeline.yield %0 : i32
  } : tensor<8xi32>
  return %b : tensor<8xi32>
}
