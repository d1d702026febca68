// What neighbouring points of a stage compute alike becomes a stage.

// RUN: pipeline-opt %s --share-neighbours | FileCheck %s
// RUN: pipeline-opt %s --share-neighbours --share-neighbours | FileCheck %s

// How alike a point is to the one on its left is how alike that is to the one on its right: the square does not tell which was subtracted. The
// point itself is read with the mode of its neighbours, as beside the image it is not inside. An image without points has none of these.
// CHECK-LABEL: @alike
// CHECK:       %[[SOME:.*]] = arith.minsi %[[W:.*]], %{{.*}} : index
// CHECK-NEXT:  %[[COLUMNS:.*]] = arith.addi %[[W]], %[[SOME]] : index
// CHECK:       %[[COMMON:.*]] = pipeline.stage "sum_common" (%x) {
// CHECK-NEXT:    %[[HERE:.*]] = pipeline.load %arg0[%x] clamp : tensor<?xf32>
// CHECK-NEXT:    %[[LEFT:.*]] = pipeline.load %arg0[%x - 1] clamp : tensor<?xf32>
// CHECK-NEXT:    %[[APART:.*]] = arith.subf %[[LEFT]], %[[HERE]] : f32
// CHECK-NEXT:    %[[SQUARE:.*]] = arith.mulf %[[APART]], %[[APART]] : f32
// CHECK-NEXT:    %[[WEIGHT:.*]] = math.exp %[[SQUARE]] : f32
// CHECK-NEXT:    pipeline.yield %[[WEIGHT]] : f32
// CHECK-NEXT:  } sized(%[[COLUMNS]]) : tensor<?xf32>
// CHECK-NEXT:  pipeline.stage "sum" (%x) {
// CHECK-NEXT:    %[[L:.*]] = pipeline.load %arg0[%x - 1] clamp
// CHECK-NEXT:    %[[R:.*]] = pipeline.load %arg0[%x + 1] clamp
// CHECK-NEXT:    %[[OF_LEFT:.*]] = pipeline.load %[[COMMON]][%x] : tensor<?xf32>
// CHECK-NEXT:    %[[OF_RIGHT:.*]] = pipeline.load %[[COMMON]][%x + 1] : tensor<?xf32>
// CHECK-NEXT:    arith.mulf %[[OF_LEFT]], %[[L]] : f32
// CHECK-NEXT:    arith.mulf %[[OF_RIGHT]], %[[R]] : f32
// CHECK:       } sized(%[[W]]) : tensor<?xf32>
func.func @alike(%img: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %w = tensor.dim %img, %c0 : tensor<?xf32>
  %sum = pipeline.stage "sum" (%x) {
    %here = pipeline.load %img[%x] : tensor<?xf32>
    %l = pipeline.load %img[%x - 1] clamp : tensor<?xf32>
    %r = pipeline.load %img[%x + 1] clamp : tensor<?xf32>
    %a = arith.subf %l, %here : f32
    %a2 = arith.mulf %a, %a : f32
    %ea = math.exp %a2 : f32
    %b = arith.subf %r, %here : f32
    %b2 = arith.mulf %b, %b : f32
    %eb = math.exp %b2 : f32
    %p = arith.mulf %ea, %l : f32
    %q = arith.mulf %eb, %r : f32
    %s = arith.addf %p, %q : f32
    pipeline.yield %s : f32
  } sized(%w) : tensor<?xf32>
  return %sum : tensor<?xf32>
}

// A program that has one stage where it could have two: the function of the points around each of three. What is added or multiplied may
// stand in any order.
// CHECK-LABEL: @gradients
// CHECK:       %[[COMMON:.*]] = pipeline.stage "o_common" (%y, %x) {
// CHECK-NEXT:    %[[A:.*]] = pipeline.load %arg0[%y, %x] : tensor<10x20xf32>
// CHECK-NEXT:    %[[B:.*]] = pipeline.load %arg0[%y + 1, %x] : tensor<10x20xf32>
// CHECK-NEXT:    arith.addf %[[A]], %[[B]] : f32
// CHECK-NEXT:    math.sqrt
// CHECK-NEXT:    pipeline.yield
// CHECK-NEXT:  } : tensor<9x20xf32>
// CHECK-NEXT:  pipeline.stage "o" (%y, %x) {
// CHECK-NEXT:    pipeline.load %[[COMMON]][%y, %x] : tensor<9x20xf32>
// CHECK-NEXT:    pipeline.load %[[COMMON]][%y, %x + 1] : tensor<9x20xf32>
// CHECK-NEXT:    pipeline.load %[[COMMON]][%y, %x + 2] : tensor<9x20xf32>
// CHECK-NEXT:    arith.addf
// CHECK-NEXT:    arith.addf
// CHECK:       } : tensor<9x18xf32>
func.func @gradients(%img: tensor<10x20xf32>) -> tensor<9x18xf32> {
  %o = pipeline.stage "o" (%y, %x) {
    %a = pipeline.load %img[%y, %x] : tensor<10x20xf32>
    %b = pipeline.load %img[%y + 1, %x] : tensor<10x20xf32>
    %ab = arith.addf %a, %b : f32
    %p = math.sqrt %ab : f32
    %c = pipeline.load %img[%y + 1, %x + 1] : tensor<10x20xf32>
    %d = pipeline.load %img[%y, %x + 1] : tensor<10x20xf32>
    %cd = arith.addf %c, %d : f32
    %q = math.sqrt %cd : f32
    %e = pipeline.load %img[%y, %x + 2] : tensor<10x20xf32>
    %f = pipeline.load %img[%y + 1, %x + 2] : tensor<10x20xf32>
    %ef = arith.addf %e, %f : f32
    %r = math.sqrt %ef : f32
    %pq = arith.addf %p, %q : f32
    %all = arith.addf %pq, %r : f32
    pipeline.yield %all : f32
  } : tensor<9x18xf32>
  return %o : tensor<9x18xf32>
}

// The opposite of a difference may have another zero, which the quotient tells.
// CHECK-LABEL: @opposite
// CHECK-NOT:   common
// CHECK:       return
func.func @opposite(%img: tensor<20xf32>) -> tensor<20xf32> {
  %o = pipeline.stage "o" (%x) {
    %here = pipeline.load %img[%x] : tensor<20xf32>
    %l = pipeline.load %img[%x - 1] clamp : tensor<20xf32>
    %r = pipeline.load %img[%x + 1] clamp : tensor<20xf32>
    %a = arith.subf %l, %here : f32
    %ea = math.exp %a : f32
    %b = arith.subf %r, %here : f32
    %eb = math.exp %b : f32
    %s = arith.addf %ea, %eb : f32
    pipeline.yield %s : f32
  } : tensor<20xf32>
  return %o : tensor<20xf32>
}

// Of an image that may be smaller than the stage it is not known that a load stays inside, which is asked when the program is entered.
// CHECK-LABEL: @unknown
// CHECK-NOT:   common
// CHECK:       return
func.func @unknown(%img: tensor<?xf32>) -> tensor<20xf32> {
  %o = pipeline.stage "o" (%x) {
    %here = pipeline.load %img[%x] : tensor<?xf32>
    %l = pipeline.load %img[%x - 1] clamp : tensor<?xf32>
    %r = pipeline.load %img[%x + 1] clamp : tensor<?xf32>
    %p = arith.mulf %l, %here : f32
    %ea = math.exp %p : f32
    %q = arith.mulf %r, %here : f32
    %eb = math.exp %q : f32
    %s = arith.addf %ea, %eb : f32
    pipeline.yield %s : f32
  } : tensor<20xf32>
  return %o : tensor<20xf32>
}

// A square costs as little as to load it.
// CHECK-LABEL: @cheap
// CHECK-NOT:   common
// CHECK:       return
func.func @cheap(%img: tensor<20xf32>) -> tensor<20xf32> {
  %o = pipeline.stage "o" (%x) {
    %l = pipeline.load %img[%x - 1] clamp : tensor<20xf32>
    %r = pipeline.load %img[%x + 1] clamp : tensor<20xf32>
    %p = arith.mulf %l, %l : f32
    %q = arith.mulf %r, %r : f32
    %s = arith.addf %p, %q : f32
    pipeline.yield %s : f32
  } : tensor<20xf32>
  return %o : tensor<20xf32>
}

// A part of what two points have in common is what three have: the new stage has something in common with itself.
// CHECK-LABEL: @parts
// CHECK:       %[[PART:.*]] = pipeline.stage "o_common_common" (%x) {
// CHECK:         math.sqrt
// CHECK:       } : tensor<22xf32>
// CHECK:       %[[WHOLE:.*]] = pipeline.stage "o_common" (%x) {
// CHECK:         pipeline.load %[[PART]][%x] : tensor<22xf32>
// CHECK:         pipeline.load %[[PART]][%x + 1] : tensor<22xf32>
// CHECK-NEXT:    arith.mulf
// CHECK-NEXT:    math.exp
// CHECK:       pipeline.stage "o" (%x) {
// CHECK:         pipeline.load %[[WHOLE]][%x] : tensor<21xf32>
// CHECK:         pipeline.load %[[WHOLE]][%x + 1] : tensor<21xf32>
func.func @parts(%img: tensor<20xf32>) -> tensor<20xf32> {
  %o = pipeline.stage "o" (%x) {
    %a = pipeline.load %img[%x - 1] clamp : tensor<20xf32>
    %b = pipeline.load %img[%x] clamp : tensor<20xf32>
    %c = pipeline.load %img[%x + 1] clamp : tensor<20xf32>
    %ra = math.sqrt %a : f32
    %qa = math.exp %ra : f32
    %sa = math.sqrt %qa : f32
    %rb = math.sqrt %b : f32
    %qb = math.exp %rb : f32
    %sb = math.sqrt %qb : f32
    %rc = math.sqrt %c : f32
    %qc = math.exp %rc : f32
    %sc = math.sqrt %qc : f32
    %p = arith.mulf %sa, %sb : f32
    %q = arith.mulf %sb, %sc : f32
    %ep = math.exp %p : f32
    %eq = math.exp %q : f32
    %s = arith.addf %ep, %eq : f32
    pipeline.yield %s : f32
  } : tensor<20xf32>
  return %o : tensor<20xf32>
}

// Two values of one point are one, and what is computed of both is nobody's part any more once these are loaded.
// CHECK-LABEL: @twice
// CHECK-COUNT-1: math.exp
// CHECK-NOT:   math.exp
// CHECK:       return
func.func @twice(%img: tensor<20xf32>) -> tensor<20xf32> {
  %o = pipeline.stage "o" (%x) {
    %a = pipeline.load %img[%x - 1] clamp : tensor<20xf32>
    %ea = math.exp %a : f32
    %b = pipeline.load %img[%x - 1] clamp : tensor<20xf32>
    %eb = math.exp %b : f32
    %ab = arith.addf %ea, %eb : f32
    %c = pipeline.load %img[%x + 1] clamp : tensor<20xf32>
    %ec = math.exp %c : f32
    %cc = arith.addf %ec, %ec : f32
    %d = pipeline.load %img[%x] clamp : tensor<20xf32>
    %ed = math.exp %d : f32
    %all = arith.addf %ab, %cc : f32
    %more = arith.addf %all, %ed : f32
    %e = pipeline.load %img[%x + 2] clamp : tensor<20xf32>
    %ee = math.exp %e : f32
    %most = arith.addf %more, %ee : f32
    pipeline.yield %most : f32
  } : tensor<20xf32>
  return %o : tensor<20xf32>
}
