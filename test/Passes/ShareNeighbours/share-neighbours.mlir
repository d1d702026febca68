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

// What flows from a point to the next is what flows back, but for its sign: the stage has it for the magnitude of the difference, and each point gives
// it the sign of its own.
// CHECK-LABEL: @flows
// CHECK:       %[[COMMON:.*]] = pipeline.stage "sum_common" (%x) {
// CHECK:         %[[APART:.*]] = arith.subf
// CHECK-NEXT:    %[[FAR:.*]] = math.absf %[[APART]] : f32
// CHECK-NEXT:    %[[SQUARE:.*]] = arith.mulf %[[FAR]], %[[FAR]] : f32
// CHECK-NEXT:    %[[MORE:.*]] = arith.addf %[[SQUARE]], %{{.*}} : f32
// CHECK-NEXT:    %[[FLOW:.*]] = arith.divf %[[FAR]], %[[MORE]] : f32
// CHECK-NEXT:    pipeline.yield %[[FLOW]] : f32
// CHECK:       pipeline.stage "sum" (%x) {
// CHECK:         %[[TO_LEFT:.*]] = arith.subf
// CHECK-NEXT:    %[[OF_LEFT:.*]] = pipeline.load %[[COMMON]][%x] : tensor<?xf32>
// CHECK-NEXT:    %[[SIGN:.*]] = math.copysign %{{.*}}, %[[TO_LEFT]] : f32
// CHECK-NEXT:    %[[LEFT:.*]] = arith.mulf %[[OF_LEFT]], %[[SIGN]] : f32
// CHECK-NEXT:    %[[TO_RIGHT:.*]] = arith.subf
// CHECK-NEXT:    %[[OF_RIGHT:.*]] = pipeline.load %[[COMMON]][%x + 1] : tensor<?xf32>
// CHECK-NEXT:    %[[SIGN:.*]] = math.copysign %{{.*}}, %[[TO_RIGHT]] : f32
// CHECK-NEXT:    %[[RIGHT:.*]] = arith.mulf %[[OF_RIGHT]], %[[SIGN]] : f32
// CHECK-NEXT:    arith.addf %[[LEFT]], %[[RIGHT]] : f32
func.func @flows(%img: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %w = tensor.dim %img, %c0 : tensor<?xf32>
  %sum = pipeline.stage "sum" (%x) {
    %here = pipeline.load %img[%x] : tensor<?xf32>
    %l = pipeline.load %img[%x - 1] clamp : tensor<?xf32>
    %r = pipeline.load %img[%x + 1] clamp : tensor<?xf32>
    %a = arith.subf %l, %here : f32
    %a2 = arith.mulf %a, %a : f32
    %an = arith.addf %a2, %one : f32
    %fa = arith.divf %a, %an : f32
    %b = arith.subf %r, %here : f32
    %b2 = arith.mulf %b, %b : f32
    %bn = arith.addf %b2, %one : f32
    %fb = arith.divf %b, %bn : f32
    %s = arith.addf %fa, %fb : f32
    pipeline.yield %s : f32
  } sized(%w) : tensor<?xf32>
  return %sum : tensor<?xf32>
}

// A sum of two such is none: of what is opposite both ways give 0.0, and not -0.0 one of them.
// CHECK-LABEL: @sums
// CHECK-NOT:   sum_common
// CHECK:       return
func.func @sums(%img: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %w = tensor.dim %img, %c0 : tensor<?xf32>
  %sum = pipeline.stage "sum" (%x) {
    %here = pipeline.load %img[%x] : tensor<?xf32>
    %l = pipeline.load %img[%x - 1] clamp : tensor<?xf32>
    %r = pipeline.load %img[%x + 1] clamp : tensor<?xf32>
    %a = arith.subf %l, %here : f32
    %a2 = arith.mulf %a, %a : f32
    %a3 = arith.divf %a, %a2 : f32
    %fa = arith.addf %a3, %a : f32
    %b = arith.subf %r, %here : f32
    %b2 = arith.mulf %b, %b : f32
    %b3 = arith.divf %b, %b2 : f32
    %fb = arith.addf %b3, %b : f32
    %ga = math.exp %fa : f32
    %gb = math.exp %fb : f32
    %s = arith.addf %ga, %gb : f32
    pipeline.yield %s : f32
  } sized(%w) : tensor<?xf32>
  return %sum : tensor<?xf32>
}

// In an iterate the state has the extents that its first value has: of a load without a mode it is known that it stays inside.
// CHECK-LABEL: @state
// CHECK:       pipeline.iterate
// CHECK:         pipeline.stage "next_common"
func.func @state(%img: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %w = tensor.dim %img, %c0 : tensor<?xf32>
  %last = pipeline.iterate "last" %c3 (%u = %img : tensor<?xf32>) {
    %next = pipeline.stage "next" (%x) {
      %here = pipeline.load %u[%x] : tensor<?xf32>
      %l = pipeline.load %u[%x - 1] clamp : tensor<?xf32>
      %r = pipeline.load %u[%x + 1] clamp : tensor<?xf32>
      %a = arith.subf %l, %here : f32
      %a2 = arith.mulf %a, %a : f32
      %ea = math.exp %a2 : f32
      %b = arith.subf %r, %here : f32
      %b2 = arith.mulf %b, %b : f32
      %eb = math.exp %b2 : f32
      %s = arith.addf %ea, %eb : f32
      pipeline.yield %s : f32
    } sized(%w) : tensor<?xf32>
    pipeline.yield %next : tensor<?xf32>
  }
  return %last : tensor<?xf32>
}
