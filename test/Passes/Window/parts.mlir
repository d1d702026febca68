// RUN: pipeline-opt --window --split-input-file %s | FileCheck %s

// The part begins a row before the window and ends two behind it. Stages are as they were, of as many points as the part has.

// CHECK-LABEL: func.func @blur_window(
// CHECK-SAME: %[[IMG:.*]]: tensor<?x?xf32> {weft.name = "img"}
// CHECK-SAME: %[[H:[^:]*]]: index {weft.name = "img_extent0"}
// CHECK-SAME: %[[FIRST:[^:]*]]: index {weft.name = "first0"}
// CHECK-SAME: %[[END:[^:]*]]: index {weft.name = "end0"}
// CHECK: %[[BEFORE:.*]] = arith.addi %[[FIRST]], %c-1
// CHECK: %[[BEGIN:.*]] = arith.maxsi %[[BEFORE]], %c0
// CHECK: %[[BEHIND:.*]] = arith.addi %[[END]], %c2
// CHECK: %[[LAST:.*]] = arith.minsi %[[BEHIND]], %[[H]]
// CHECK: %[[COUNT:.*]] = arith.subi %[[LAST]], %[[BEGIN]]
// CHECK: cf.assert %{{.*}}, "first0 and end0 are no window"
// CHECK: %[[ROWS:.*]] = tensor.dim %[[IMG]], %c0
// CHECK: arith.cmpi eq, %[[ROWS]], %[[COUNT]]
// CHECK: cf.assert %{{.*}}, "'img' is another part than the window needs along dimension 0"
// CHECK: pipeline.stage "wide" (%y, %x) {
// CHECK: pipeline.load %[[IMG]][%y, %x - 1] clamp
// CHECK: sized(%[[ROWS]], %{{.*}})
// CHECK: pipeline.stage "blurred" (%y, %x) {
// CHECK: pipeline.load %wide[%y - 1, %x] clamp
// CHECK: sized(%[[ROWS]], %{{.*}})

// What it needs: extent, first point and count of the part; of the result where the window lies in it, too.
// CHECK-LABEL: func.func @blur_window_needs(
// CHECK-NOT: tensor<?x?xf32>
// CHECK-SAME: -> (tensor<2x3xi64> {weft.name = "img"}, tensor<2x5xi64> {weft.name = "blurred"}, tensor<2x2xi64> {weft.name = "window"})
func.func @blur(%img: tensor<?x?xf32> {weft.name = "img"}) -> (tensor<?x?xf32> {weft.name = "blurred"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xf32>
  %w = tensor.dim %img, %c1 : tensor<?x?xf32>
  %wide = pipeline.stage "wide" (%y, %x) {
    %l = pipeline.load %img[%y, %x - 1] clamp : tensor<?x?xf32>
    %r = pipeline.load %img[%y, %x + 1] clamp : tensor<?x?xf32>
    %s = arith.addf %l, %r : f32
    pipeline.yield %s : f32
  } sized(%h, %w) : tensor<?x?xf32>
  %blurred = pipeline.stage "blurred" (%y, %x) {
    %l = pipeline.load %wide[%y - 1, %x] clamp : tensor<?x?xf32>
    %r = pipeline.load %wide[%y + 2, %x] clamp : tensor<?x?xf32>
    %s = arith.addf %l, %r : f32
    pipeline.yield %s : f32
  } sized(%h, %w) : tensor<?x?xf32>
  return %blurred : tensor<?x?xf32>
}

// -----

// Every second row: the image is cut where the result is, times two, and the index stays.

// CHECK-LABEL: func.func @half_window(
// CHECK-SAME: %[[IMG:.*]]: tensor<?xf32>
// CHECK: %[[FIRST:.*]] = arith.maxsi %{{.*}}, %c0
// CHECK: arith.muli %[[FIRST]], %c2
// CHECK: pipeline.load %[[IMG]][%x * 2 + 1] clamp
func.func @half(%img: tensor<?xf32> {weft.name = "img"}) -> (tensor<?xf32> {weft.name = "half"}) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %w = tensor.dim %img, %c0 : tensor<?xf32>
  %w2 = arith.divui %w, %c2 : index
  %half = pipeline.stage "half" (%x) {
    %v = pipeline.load %img[%x * 2 + 1] clamp : tensor<?xf32>
    pipeline.yield %v : f32
  } sized(%w2) : tensor<?xf32>
  return %half : tensor<?xf32>
}

// -----

// Twice as many: windows begin best at even points, and their parts do, so that a division stays what it is.

// CHECK-LABEL: func.func @double_window(
// CHECK: %[[PAIRS:.*]] = arith.floordivsi %{{.*}}, %c2
// CHECK: %[[FIRST:.*]] = arith.muli %[[PAIRS]], %c2
// CHECK: pipeline.load %{{.*}}[%x floordiv 2] clamp
// CHECK-LABEL: func.func @double_window_needs(
// CHECK: pipeline.stage "window"
// CHECK: arith.select %{{.*}}, %{{.*}}, %c2
func.func @double(%img: tensor<?xf32> {weft.name = "img"}) -> (tensor<?xf32> {weft.name = "double"}) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %w = tensor.dim %img, %c0 : tensor<?xf32>
  %w2 = arith.muli %w, %c2 : index
  %double = pipeline.stage "double" (%x) {
    %v = pipeline.load %img[%x floordiv 2] : tensor<?xf32>
    pipeline.yield %v : f32
  } sized(%w2) : tensor<?xf32>
  return %double : tensor<?xf32>
}

// -----

// What a body computes of coordinates is that of the whole image, and a table is read there.

// CHECK-LABEL: func.func @coordinates_window(
// CHECK-SAME: %[[IMG:.*]]: tensor<?xf32> {weft.name = "img"}, %[[GAIN:.*]]: tensor<64xf32>
// CHECK: %[[FIRST:first0.*]] = arith.maxsi
// CHECK: pipeline.stage "out" (%x) {
// CHECK: %x_whole = arith.addi %x, %[[FIRST]]
// CHECK: pipeline.load %[[IMG]][%x]
// CHECK: %[[ROUND:.*]] = arith.addi %x_whole, %{{.*}}
// CHECK: pipeline.gather %[[GAIN]][%[[ROUND]]] clamp
// CHECK: arith.index_cast %x_whole
func.func @coordinates(%img: tensor<?xf32> {weft.name = "img"}, %gain: tensor<64xf32> {weft.name = "gain"}) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %w = tensor.dim %img, %c0 : tensor<?xf32>
  %out = pipeline.stage "out" (%x) {
    %v = pipeline.load %img[%x] : tensor<?xf32>
    %g = pipeline.load %gain[%x mod 64] : tensor<64xf32>
    %k = arith.index_cast %x : index to i32
    %f = arith.sitofp %k : i32 to f32
    %p = arith.mulf %v, %g : f32
    %r = arith.addf %p, %f : f32
    pipeline.yield %r : f32
  } sized(%w) : tensor<?xf32>
  return %out : tensor<?xf32>
}

// -----

// Each step reaches a point farther.

// CHECK-LABEL: func.func @heat_window(
// CHECK-SAME: %[[N:[^:]*]]: index {weft.name = "n"}
// CHECK-SAME: %[[FIRST:[^:]*]]: index {weft.name = "first0"}
// CHECK: %[[MORE:.*]] = arith.addi %[[N]], %c-1
// CHECK: %[[OTHERS:.*]] = arith.maxsi %[[MORE]], %c0
// CHECK: %[[REACH:.*]] = arith.addi %c1, %[[OTHERS]]
// CHECK: arith.subi %[[FIRST]], %[[REACH]]
// CHECK: pipeline.iterate "heat" %[[N]]
func.func @heat(%u: tensor<?xf32> {weft.name = "u"}, %n: index {weft.name = "n"}) -> (tensor<?xf32> {weft.name = "last"}) {
  %c0 = arith.constant 0 : index
  %w = tensor.dim %u, %c0 : tensor<?xf32>
  %r = pipeline.iterate "heat" %n (%s = %u : tensor<?xf32>) {
    %next = pipeline.stage "step" (%x) {
      %a = pipeline.load %s[%x - 1] clamp : tensor<?xf32>
      %b = pipeline.load %s[%x + 1] clamp : tensor<?xf32>
      %v = arith.addf %a, %b : f32
      pipeline.yield %v : f32
    } sized(%w) : tensor<?xf32>
    pipeline.yield %next : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

// Channels are few, and not cut; their number stays known.

// CHECK-LABEL: func.func @channels_window(
// CHECK-SAME: tensor<3x?xf32> {weft.name = "img"}
// CHECK-SAME: -> (tensor<3x?xf32>
// CHECK: pipeline.load %{{.*}}[%y, %x]
// CHECK: : tensor<3x?xf32>
func.func @channels(%img: tensor<3x?xf32> {weft.name = "img"}) -> tensor<3x?xf32> {
  %c1 = arith.constant 1 : index
  %w = tensor.dim %img, %c1 : tensor<3x?xf32>
  %out = pipeline.stage "out" (%c, %x) {
    %v = pipeline.load %img[%c, %x] : tensor<3x?xf32>
    pipeline.yield %v : f32
  } sized(%w) : tensor<3x?xf32>
  return %out : tensor<3x?xf32>
}
