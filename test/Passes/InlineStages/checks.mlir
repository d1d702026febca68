// RUN: pipeline-opt %s -split-input-file --inline-stages | FileCheck %s
// RUN: pipeline-opt %s -split-input-file --inline-stages="policy=caches" | FileCheck %s

// What is checked at entry, since extents are not known, stays when stages and loads go: a program is right or wrong as it was written.

// A stage that reads nothing: whether it has the points that are read.
// CHECK-LABEL: func @constant
// CHECK-SAME: %[[A:.*]]: tensor<?xf32>, %[[B:.*]]: tensor<?xf32>
// CHECK-DAG: %[[N:.*]] = tensor.dim %[[A]]
// CHECK-DAG: %[[M:.*]] = tensor.dim %[[B]]
// CHECK: %[[INSIDE:.*]] = arith.cmpi sle, %[[M]], %[[N]]
// CHECK: %[[NONE:.*]] = arith.cmpi eq, %[[M]], %c0
// CHECK: %[[RIGHT:.*]] = arith.ori %[[INSIDE]], %[[NONE]]
// CHECK: cf.assert %[[RIGHT]], "index #0 (x) of stage \22t\22 leaves its source"
// CHECK: %[[T:.*]] = pipeline.stage "t"
// CHECK-NEXT: pipeline.yield %cst
// CHECK: return %[[T]]
func.func @constant(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %m = tensor.dim %b, %c0 : tensor<?xf32>
  %one = arith.constant 1.0 : f32
  %s = pipeline.stage "s" (%x) {
    pipeline.yield %one : f32
  } sized(%n) : tensor<?xf32>
  %t = pipeline.stage "t" (%x) {
    %0 = pipeline.load %s[%x] : tensor<?xf32>
    pipeline.yield %0 : f32
  } sized(%m) : tensor<?xf32>
  return %t : tensor<?xf32>
}

// -----

// What is read with a boundary mode has points.
// CHECK-LABEL: func @clamped
// CHECK: cf.assert %{{.*}}, "stage \22t\22 reads a source without points in dimension 0"
// CHECK-NEXT: %[[T:.*]] = pipeline.stage "t"
// CHECK: return %[[T]]
func.func @clamped(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %m = tensor.dim %b, %c0 : tensor<?xf32>
  %one = arith.constant 1.0 : f32
  %s = pipeline.stage "s" (%x) {
    pipeline.yield %one : f32
  } sized(%n) : tensor<?xf32>
  %t = pipeline.stage "t" (%x) {
    %0 = pipeline.load %s[%x - 1] clamp : tensor<?xf32>
    pipeline.yield %0 : f32
  } sized(%m) : tensor<?xf32>
  return %t : tensor<?xf32>
}

// -----

// The whole of a stage is right, or the program is wrong: also the points that nobody reads, and its own extents.
// CHECK-LABEL: func @whole
// CHECK-SAME: %[[A:.*]]: tensor<?xf32>, %[[K:.*]]: index, %[[J:.*]]: index
// CHECK: %[[SIZED:.*]] = arith.cmpi sge, %[[K]], %c0
// CHECK: cf.assert %[[SIZED]], "stage \22s\22 has a negative extent in dimension 0"
// CHECK: arith.cmpi sle, %[[J]], %[[K]]
// CHECK: cf.assert %{{.*}}, "index #0 (x) of stage \22t\22 leaves its source"
// CHECK: arith.cmpi sle, %[[K]], %{{.*}}
// CHECK: cf.assert %{{.*}}, "index #0 (x) of stage \22s\22 leaves its source"
// CHECK: pipeline.stage "t"
// CHECK-NEXT: pipeline.load %[[A]]
func.func @whole(%a: tensor<?xf32>, %k: index, %j: index) -> tensor<?xf32> {
  %s = pipeline.stage "s" (%x) {
    %0 = pipeline.load %a[%x] : tensor<?xf32>
    pipeline.yield %0 : f32
  } sized(%k) : tensor<?xf32>
  %t = pipeline.stage "t" (%x) {
    %0 = pipeline.load %s[%x] : tensor<?xf32>
    pipeline.yield %0 : f32
  } sized(%j) : tensor<?xf32>
  return %t : tensor<?xf32>
}

// -----

// Nothing is open, nothing is asked: of images of one extent, and where what is read is of one point more.
// CHECK-LABEL: func @known
// CHECK-NOT: cf.assert
// CHECK: return
func.func @known(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %less = arith.subi %n, %c1 : index
  %s = pipeline.stage "s" (%x) {
    %0 = pipeline.load %a[%x] clamp : tensor<?xf32>
    %1 = arith.negf %0 : f32
    pipeline.yield %1 : f32
  } sized(%n) : tensor<?xf32>
  %t = pipeline.stage "t" (%x) {
    %0 = pipeline.load %s[%x + 1] : tensor<?xf32>
    pipeline.yield %0 : f32
  } sized(%less) : tensor<?xf32>
  return %t : tensor<?xf32>
}

// -----

// In the body of an iterate, whose states have the extents of what they begin with: before all steps.
// CHECK-LABEL: func @steps
// CHECK: cf.assert %{{.*}}, "stage \22t\22 reads a source without points in dimension 0"
// CHECK-NEXT: pipeline.iterate
// CHECK-NOT: "s"
func.func @steps(%a: tensor<?xf32>, %b: tensor<?xf32>, %k: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %0 = pipeline.iterate "i" %k (%q = %a : tensor<?xf32>) {
    %n = tensor.dim %q, %c0 : tensor<?xf32>
    %m = tensor.dim %b, %c0 : tensor<?xf32>
    %s = pipeline.stage "s" (%x) {
      pipeline.yield %one : f32
    } sized(%m) : tensor<?xf32>
    %t = pipeline.stage "t" (%x) {
      %0 = pipeline.load %s[%x] clamp : tensor<?xf32>
      %1 = pipeline.load %q[%x] : tensor<?xf32>
      %2 = arith.addf %0, %1 : f32
      pipeline.yield %2 : f32
    } sized(%n) : tensor<?xf32>
    pipeline.yield %t : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}
