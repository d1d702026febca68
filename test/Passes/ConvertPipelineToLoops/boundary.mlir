// Boundary modes as arithmetic, each the row of the table in pipeline.load.

// RUN: pipeline-opt %s -convert-pipeline-to-loops -canonicalize -cse | FileCheck %s

// CHECK-LABEL: @none
// CHECK-SAME:  %[[IMG:[^:]*]]: memref
func.func @none(%img: tensor<8xf32>) -> tensor<4xf32> {
  // CHECK:      scf.for %[[X:.*]] =
  // CHECK-NEXT:   %[[I:.*]] = arith.addi %[[X]], %{{.*}} : index
  // CHECK-NEXT:   memref.load %[[IMG]][%[[I]]]
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x + 2] : tensor<8xf32>
    pipeline.yield %a : f32
  } : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @clamp
// CHECK-SAME:  %[[IMG:[^:]*]]: memref
func.func @clamp(%img: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-DAG:  %[[C0:.*]] = arith.constant 0 : index
  // CHECK-DAG:  %[[C7:.*]] = arith.constant 7 : index
  // CHECK:        %[[I:.*]] = arith.addi
  // CHECK-NEXT:   %[[LOW:.*]] = arith.maxsi %[[I]], %[[C0]] : index
  // CHECK-NEXT:   %[[HIGH:.*]] = arith.minsi %[[LOW]], %[[C7]] : index
  // CHECK-NEXT:   memref.load %[[IMG]][%[[HIGH]]]
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x - 2] clamp : tensor<8xf32>
    pipeline.yield %a : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Twice the extent is the period; its second half runs backwards.
// CHECK-LABEL: @mirror
// CHECK-SAME:  %[[IMG:[^:]*]]: memref
func.func @mirror(%img: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-DAG:  %[[C0:.*]] = arith.constant 0 : index
  // CHECK-DAG:  %[[C15:.*]] = arith.constant 15 : index
  // CHECK-DAG:  %[[C16:.*]] = arith.constant 16 : index
  // CHECK:        %[[I:.*]] = arith.addi
  // CHECK-NEXT:   %[[REST:.*]] = arith.remsi %[[I]], %[[C16]] : index
  // CHECK-NEXT:   %[[IS_NEGATIVE:.*]] = arith.cmpi slt, %[[REST]], %[[C0]] : index
  // CHECK-NEXT:   %[[SHIFTED:.*]] = arith.addi %[[REST]], %[[C16]] : index
  // CHECK-NEXT:   %[[PLACE:.*]] = arith.select %[[IS_NEGATIVE]], %[[SHIFTED]], %[[REST]] : index
  // CHECK-NEXT:   %[[BACKWARDS:.*]] = arith.subi %[[C15]], %[[PLACE]] : index
  // CHECK-NEXT:   %[[INDEX:.*]] = arith.minsi %[[PLACE]], %[[BACKWARDS]] : index
  // CHECK-NEXT:   memref.load %[[IMG]][%[[INDEX]]]
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x - 2] mirror : tensor<8xf32>
    pipeline.yield %a : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Twice the extent less the two edges is the period; what is behind its middle is before it, as far from the end.
// CHECK-LABEL: @reflect101
// CHECK-SAME:  %[[IMG:[^:]*]]: memref
func.func @reflect101(%img: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-DAG:  %[[C0:.*]] = arith.constant 0 : index
  // CHECK-DAG:  %[[C14:.*]] = arith.constant 14 : index
  // CHECK:        %[[I:.*]] = arith.addi
  // CHECK-NEXT:   %[[REST:.*]] = arith.remsi %[[I]], %[[C14]] : index
  // CHECK-NEXT:   %[[IS_NEGATIVE:.*]] = arith.cmpi slt, %[[REST]], %[[C0]] : index
  // CHECK-NEXT:   %[[SHIFTED:.*]] = arith.addi %[[REST]], %[[C14]] : index
  // CHECK-NEXT:   %[[PLACE:.*]] = arith.select %[[IS_NEGATIVE]], %[[SHIFTED]], %[[REST]] : index
  // CHECK-NEXT:   %[[BACKWARDS:.*]] = arith.subi %[[C14]], %[[PLACE]] : index
  // CHECK-NEXT:   %[[INDEX:.*]] = arith.minsi %[[PLACE]], %[[BACKWARDS]] : index
  // CHECK-NEXT:   memref.load %[[IMG]][%[[INDEX]]]
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x - 2] reflect101 : tensor<8xf32>
    pipeline.yield %a : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Of an image of one point the period is 1, not 0.
// CHECK-LABEL: @reflect101_of_any_extent
// CHECK-SAME:  %[[IMG:[^:]*]]: memref
func.func @reflect101_of_any_extent(%img: tensor<?xf32>) -> tensor<8xf32> {
  // CHECK-DAG:  %[[C1:.*]] = arith.constant 1 : index
  // CHECK-DAG:  %[[CM1:.*]] = arith.constant -1 : index
  // CHECK-DAG:  %[[C2:.*]] = arith.constant 2 : index
  // CHECK-DAG:  %[[N:.*]] = memref.dim %[[IMG]]
  // CHECK:      %[[BETWEEN:.*]] = arith.addi %[[N]], %[[CM1]] : index
  // CHECK-NEXT: %[[TWICE:.*]] = arith.muli %[[BETWEEN]], %[[C2]] : index
  // CHECK-NEXT: %[[PERIOD:.*]] = arith.maxsi %[[TWICE]], %[[C1]] : index
  // CHECK-NEXT: arith.remsi %{{.*}}, %[[PERIOD]] : index
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x - 2] reflect101 : tensor<?xf32>
    pipeline.yield %a : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: @wrap
// CHECK-SAME:  %[[IMG:[^:]*]]: memref
func.func @wrap(%img: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-DAG:  %[[C0:.*]] = arith.constant 0 : index
  // CHECK-DAG:  %[[C8:.*]] = arith.constant 8 : index
  // CHECK:        %[[I:.*]] = arith.addi
  // CHECK-NEXT:   %[[REST:.*]] = arith.remsi %[[I]], %[[C8]] : index
  // CHECK-NEXT:   %[[IS_NEGATIVE:.*]] = arith.cmpi slt, %[[REST]], %[[C0]] : index
  // CHECK-NEXT:   %[[SHIFTED:.*]] = arith.addi %[[REST]], %[[C8]] : index
  // CHECK-NEXT:   %[[INDEX:.*]] = arith.select %[[IS_NEGATIVE]], %[[SHIFTED]], %[[REST]] : index
  // CHECK-NEXT:   memref.load %[[IMG]][%[[INDEX]]]
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x - 2] wrap : tensor<8xf32>
    pipeline.yield %a : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// The source is read at a point that exists; then the value is chosen.
// CHECK-LABEL: @constant
// CHECK-SAME:  %[[IMG:[^:]*]]: memref<8xf32>, %[[PADDING:[^:]*]]: f32
func.func @constant(%img: tensor<8xf32>, %padding: f32) -> tensor<8xf32> {
  // CHECK-DAG:  %[[C0:.*]] = arith.constant 0 : index
  // CHECK-DAG:  %[[C7:.*]] = arith.constant 7 : index
  // CHECK-DAG:  %[[C8:.*]] = arith.constant 8 : index
  // CHECK:        %[[I:.*]] = arith.addi
  // CHECK-DAG:    %[[ABOVE:.*]] = arith.cmpi sge, %[[I]], %[[C0]] : index
  // CHECK-DAG:    %[[BELOW:.*]] = arith.cmpi slt, %[[I]], %[[C8]] : index
  // CHECK-DAG:    %[[LOW:.*]] = arith.maxsi %[[I]], %[[C0]] : index
  // CHECK-DAG:    %[[HIGH:.*]] = arith.minsi %[[LOW]], %[[C7]] : index
  // CHECK-DAG:    %[[INSIDE:.*]] = arith.andi %[[ABOVE]], %[[BELOW]] : i1
  // CHECK:        %[[VALUE:.*]] = memref.load %[[IMG]][%[[HIGH]]]
  // CHECK-NEXT:   arith.select %[[INSIDE]], %[[VALUE]], %[[PADDING]] : f32
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x - 2] constant(%padding) : tensor<8xf32>
    pipeline.yield %a : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// One dimension outside is enough.
// CHECK-LABEL: @constant_of_two_dimensions
func.func @constant_of_two_dimensions(%img: tensor<8x8xf32>, %padding: f32) -> tensor<8x8xf32> {
  // CHECK: %[[Y:.*]] = arith.andi
  // CHECK: %[[X:.*]] = arith.andi
  // CHECK: %[[INSIDE:.*]] = arith.andi %[[Y]], %[[X]] : i1
  // CHECK: arith.select %[[INSIDE]]
  %0 = pipeline.stage "s" (%y, %x) {
    %a = pipeline.load %img[%y - 1, %x + 1] constant(%padding) : tensor<8x8xf32>
    pipeline.yield %a : f32
  } : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// The padding value may be computed in the body.
// CHECK-LABEL: @constant_of_the_body
func.func @constant_of_the_body(%img: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: %[[PADDING:.*]] = math.sqrt
  // CHECK: arith.select %{{.*}}, %{{.*}}, %[[PADDING]] : f32
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x] : tensor<8xf32>
    %padding = math.sqrt %a : f32
    %b = pipeline.load %img[%x + 1] constant(%padding) : tensor<8xf32>
    pipeline.yield %b : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// A boundary costs nothing where the index is known to stay inside.
// CHECK-LABEL: @no_need
func.func @no_need(%img: tensor<8xf32>) -> tensor<4xf32> {
  // CHECK-NOT: arith.{{(max|min|rem|cmp|sel)}}
  // CHECK:     return
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x + 2] clamp : tensor<8xf32>
    %b = pipeline.load %img[%x * 2] mirror : tensor<8xf32>
    %c = pipeline.load %img[%x floordiv 2] wrap : tensor<8xf32>
    %d = pipeline.load %img[7] constant(%a) : tensor<8xf32>
    %h = pipeline.load %img[%x + 4] reflect101 : tensor<8xf32>
    %e = arith.addf %h, %b : f32
    %f = arith.addf %c, %d : f32
    %g = arith.addf %e, %f : f32
    pipeline.yield %g : f32
  } : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// One source under two modes.
// CHECK-LABEL: @two_modes
// CHECK-SAME:  %[[IMG:[^:]*]]: memref
func.func @two_modes(%img: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: %[[CLAMPED:.*]] = arith.minsi
  // CHECK: memref.load %[[IMG]][%[[CLAMPED]]]
  // CHECK: arith.remsi
  // CHECK: %[[WRAPPED:.*]] = arith.select
  // CHECK: memref.load %[[IMG]][%[[WRAPPED]]]
  %0 = pipeline.stage "s" (%x) {
    %a = pipeline.load %img[%x - 2] clamp : tensor<8xf32>
    %b = pipeline.load %img[%x - 2] wrap : tensor<8xf32>
    %c = arith.addf %a, %b : f32
    pipeline.yield %c : f32
  } : tensor<8xf32>
  return %0 : tensor<8xf32>
}
