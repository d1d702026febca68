// What is looked up beside each other in a small table becomes one number, which is looked up at once.

// RUN: pipeline-opt %s --pack-tables --canonicalize | FileCheck %s
// RUN: pipeline-opt %s --pack-tables --canonicalize --pack-tables --canonicalize | FileCheck %s
// RUN: pipeline-opt %s --pack-tables=size=8x8 --canonicalize | FileCheck %s --check-prefix=SMALL

// RUN: not pipeline-opt %s --pack-tables=size=0x1 2>&1 | FileCheck %s --check-prefix=SIZE
// SIZE: error: {{.*}}option 'size' is '0x1', expected positive numbers

// Beyond the edges are the entries at the edges: one more before the first.
// CHECK-LABEL: @curves
// CHECK-SAME:  (%[[IMG:.*]]: tensor<?x?xi8>, %[[AT:.*]]: tensor<?x?xi16>, %[[T:.*]]: tensor<8x256xi8>)
// CHECK:         %[[WORDS:.*]] = pipeline.stage "out_words" (%[[I:.*]], %[[K:.*]]) {
// CHECK-NEXT:      %[[A:.*]] = pipeline.load %[[T]][%[[I]] - 1, %[[K]]] clamp
// CHECK-NEXT:      %[[LOW:.*]] = arith.extui %[[A]] : i8 to i32
// CHECK-NEXT:      %[[B:.*]] = pipeline.load %[[T]][%[[I]], %[[K]]] clamp
// CHECK-NEXT:      %[[WIDE:.*]] = arith.extui %[[B]] : i8 to i32
// CHECK-NEXT:      %[[HIGH:.*]] = arith.shli %[[WIDE]], %c8_i32
// CHECK-NEXT:      %[[WORD:.*]] = arith.ori %[[LOW]], %[[HIGH]]
// CHECK-NEXT:      pipeline.yield %[[WORD]]
// CHECK-NEXT:    } : tensor<9x256xi32>
// CHECK:         pipeline.stage "out" (%[[Y:.*]], %[[X:.*]]) {
// CHECK:           %[[CURVE:.*]] = arith.index_cast %{{.*}} : i16 to index
// CHECK:           %[[BYTE:.*]] = arith.index_castui %{{.*}} : i8 to index
// CHECK-NEXT:      %[[NEXT:.*]] = arith.addi %[[CURVE]], %c1
// CHECK-NEXT:      %[[N:.*]] = pipeline.gather %[[WORDS]][%[[NEXT]], %[[BYTE]]] clamp : tensor<9x256xi32>
// CHECK-NEXT:      %[[LOW:.*]] = arith.trunci %[[N]] : i32 to i8
// CHECK-NEXT:      %[[ABOVE:.*]] = arith.shrui %[[N]], %c8_i32
// CHECK-NEXT:      %[[HIGH:.*]] = arith.trunci %[[ABOVE]] : i32 to i8
// CHECK-NEXT:      %[[SUM:.*]] = arith.addi %[[LOW]], %[[HIGH]]
// CHECK-NEXT:      pipeline.yield %[[SUM]]
// An image must have more points than a table.
// SMALL-LABEL: @curves
// SMALL-NOT:     "out_words"
// SMALL:         return
func.func @curves(%img: tensor<?x?xi8>, %at: tensor<?x?xi16>, %t: tensor<8x256xi8>) -> tensor<?x?xi8> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xi8>
  %w = tensor.dim %img, %c1 : tensor<?x?xi8>
  %out = pipeline.stage "out" (%y, %x) {
    %n = pipeline.load %at[%y, %x] clamp : tensor<?x?xi16>
    %i = arith.index_cast %n : i16 to index
    %p = pipeline.load %img[%y, %x] : tensor<?x?xi8>
    %k = arith.index_castui %p : i8 to index
    %a = pipeline.gather %t[%i, %k] clamp : tensor<8x256xi8>
    %next = arith.addi %i, %c1 : index
    %b = pipeline.gather %t[%next, %k] clamp : tensor<8x256xi8>
    %s = arith.addi %a, %b : i8
    pipeline.yield %s : i8
  } sized(%h, %w) : tensor<?x?xi8>
  return %out : tensor<?x?xi8>
}

// The corners of a cube are a word of 64 bits; an entry that is read twice is in it once.
// CHECK-LABEL: @cube
// CHECK:         pipeline.stage "out_words"
// CHECK-COUNT-8:   pipeline.load
// CHECK-NOT:       pipeline.load
// CHECK:         } : tensor<6x6x6xi64>
// CHECK:         pipeline.stage "out"
// CHECK-COUNT-1:   pipeline.gather
// CHECK-NOT:       pipeline.gather
// CHECK:           pipeline.yield
func.func @cube(%p: tensor<2048x2048xi32>, %t: tensor<5x5x5xi8>) -> tensor<2048x2048xi8> {
  %c1 = arith.constant 1 : index
  %out = pipeline.stage "out" (%y, %x) {
    %n = pipeline.load %p[%y, %x] : tensor<2048x2048xi32>
    %i = arith.index_cast %n : i32 to index
    %j = arith.addi %i, %c1 : index
    %a0 = pipeline.gather %t[%i, %i, %i] clamp : tensor<5x5x5xi8>
    %a1 = pipeline.gather %t[%i, %i, %j] clamp : tensor<5x5x5xi8>
    %a2 = pipeline.gather %t[%i, %j, %i] clamp : tensor<5x5x5xi8>
    %a3 = pipeline.gather %t[%i, %j, %j] clamp : tensor<5x5x5xi8>
    %a4 = pipeline.gather %t[%j, %i, %i] clamp : tensor<5x5x5xi8>
    %a5 = pipeline.gather %t[%j, %i, %j] clamp : tensor<5x5x5xi8>
    %a6 = pipeline.gather %t[%j, %j, %i] clamp : tensor<5x5x5xi8>
    %a7 = pipeline.gather %t[%j, %j, %j] clamp : tensor<5x5x5xi8>
    %a8 = pipeline.gather %t[%j, %j, %j] clamp : tensor<5x5x5xi8>
    %b0 = arith.xori %a0, %a1 : i8
    %b1 = arith.maxui %b0, %a2 : i8
    %b2 = arith.xori %b1, %a3 : i8
    %b3 = arith.maxui %b2, %a4 : i8
    %b4 = arith.xori %b3, %a5 : i8
    %b5 = arith.maxui %b4, %a6 : i8
    %b6 = arith.xori %b5, %a7 : i8
    %b7 = arith.maxui %b6, %a8 : i8
    pipeline.yield %b7 : i8
  } : tensor<2048x2048xi8>
  return %out : tensor<2048x2048xi8>
}

// A row that all lanes look up stays in registers, and so does a table of one.
// CHECK-LABEL: @registers
// CHECK-NOT:     pipeline.stage "out_words"
// CHECK:         return
func.func @registers(%img: tensor<2048x2048xi8>, %t: tensor<9x256xi8>) -> tensor<2048x2048xi8> {
  %c1 = arith.constant 1 : index
  %out = pipeline.stage "out" (%y, %x) {
    %p = pipeline.load %img[%y, %x] : tensor<2048x2048xi8>
    %k = arith.index_castui %p : i8 to index
    %l = arith.addi %k, %c1 : index
    %a = pipeline.gather %t[%y, %k] clamp : tensor<9x256xi8>
    %b = pipeline.gather %t[%y + 1, %k] clamp : tensor<9x256xi8>
    %c = pipeline.gather %t[%y, %l] clamp : tensor<9x256xi8>
    %d = arith.maxui %a, %b : i8
    %e = arith.maxui %d, %c : i8
    pipeline.yield %e : i8
  } : tensor<2048x2048xi8>
  return %out : tensor<2048x2048xi8>
}

// Nor are other modes packed, wide entries, more than 64 bits, and places that a sum may wrap around.
// CHECK-LABEL: @others
// CHECK-NOT:     _words"
// CHECK:         return
func.func @others(%p: tensor<2048x2048xi32>, %q: tensor<2048x2048xi64>, %t: tensor<9x9xi8>, %u: tensor<9x9xi32>) -> (tensor<2048x2048xi8>, tensor<2048x2048xi32>, tensor<2048x2048xi8>) {
  %c1 = arith.constant 1 : index
  %out = pipeline.stage "out" (%y, %x) {
    %n = pipeline.load %p[%y, %x] : tensor<2048x2048xi32>
    %i = arith.index_cast %n : i32 to index
    %j = arith.addi %i, %c1 : index
    %a = pipeline.gather %t[%i, %j] wrap : tensor<9x9xi8>
    %b = pipeline.gather %t[%j, %j] wrap : tensor<9x9xi8>
    %c = arith.maxui %a, %b : i8
    pipeline.yield %c : i8
  } : tensor<2048x2048xi8>
  %wide = pipeline.stage "wide" (%y, %x) {
    %n = pipeline.load %p[%y, %x] : tensor<2048x2048xi32>
    %i = arith.index_cast %n : i32 to index
    %j = arith.addi %i, %c1 : index
    %a = pipeline.gather %u[%i, %j] clamp : tensor<9x9xi32>
    %b = pipeline.gather %u[%j, %j] clamp : tensor<9x9xi32>
    %c = arith.maxui %a, %b : i32
    pipeline.yield %c : i32
  } : tensor<2048x2048xi32>
  %far = pipeline.stage "far" (%y, %x) {
    %n = pipeline.load %q[%y, %x] : tensor<2048x2048xi64>
    %i = arith.index_cast %n : i64 to index
    %j = arith.addi %i, %c1 : index
    %a = pipeline.gather %t[%i, %i] clamp : tensor<9x9xi8>
    %b = pipeline.gather %t[%j, %i] clamp : tensor<9x9xi8>
    %c = arith.maxui %a, %b : i8
    pipeline.yield %c : i8
  } : tensor<2048x2048xi8>
  return %out, %wide, %far : tensor<2048x2048xi8>, tensor<2048x2048xi32>, tensor<2048x2048xi8>
}
