// A table that is a result or a state is copied by a stage, and an argument where nothing else is done.

// RUN: pipeline-opt %s --copy-results | FileCheck %s

// CHECK-LABEL: @given
// CHECK-SAME:  (%[[IMG:[^:]*]]: tensor<?x8xf32>
// CHECK:       %[[H:.*]] = tensor.dim %[[IMG]], %c0
// CHECK:       %[[COPY:.*]] = pipeline.stage "img_copy" (%y, %x) {
// CHECK-NEXT:    %[[V:.*]] = pipeline.load %[[IMG]][%y, %x] : tensor<?x8xf32>
// CHECK-NEXT:    pipeline.yield %[[V]] : f32
// CHECK-NEXT:  } sized(%[[H]])
// CHECK:       return %[[COPY]]
func.func @given(%img: tensor<?x8xf32> {weft.name = "img"}, %n: index) -> tensor<?x8xf32> {
  return %img : tensor<?x8xf32>
}

// CHECK-LABEL: @only_a_table
// CHECK:       %[[COPY:.*]] = pipeline.stage "ramp" (%x)
// CHECK:       return %[[COPY]]
func.func @only_a_table() -> tensor<3xi8> {
  %t = arith.constant dense<[1, 2, 3]> : tensor<3xi8> loc("ramp")
  return %t : tensor<3xi8>
}

// Beside work an argument stays; lowerings copy it.
// CHECK-LABEL: @beside_work
// CHECK-SAME:  (%[[IMG:[^:]*]]:
// CHECK:       %[[T:.*]] = arith.constant dense
// CHECK:       %[[S:.*]] = pipeline.stage "s"
// CHECK:       %[[COPY:.*]] = pipeline.stage "table" (%x)
// CHECK-NEXT:    pipeline.load %[[T]][%x]
// CHECK:       return %[[IMG]], %[[S]], %[[COPY]]
func.func @beside_work(%img: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %t = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %s = pipeline.stage "s" (%x) {
    %a = pipeline.load %t[%x] : tensor<2xf32>
    pipeline.yield %a : f32
  } : tensor<2xf32>
  return %img, %s, %t : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: @states
// CHECK:       %[[FIRST:.*]] = pipeline.stage "table" (%x)
// CHECK:       pipeline.iterate "steps" {{.*}}%[[FIRST]]
// CHECK:         %[[NEXT:.*]] = pipeline.stage "table_1" (%x)
// CHECK:         pipeline.yield %{{.*}}, %[[NEXT]]
func.func @states(%n: index, %img: tensor<2xf32>) -> tensor<2xf32> {
  %t = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0:2 = pipeline.iterate "steps" %n (%a = %t : tensor<2xf32>, %b = %img : tensor<2xf32>) {
    %s = pipeline.stage "s" (%x) {
      %v = pipeline.load %b[%x] : tensor<2xf32>
      pipeline.yield %v : f32
    } : tensor<2xf32>
    pipeline.yield %s, %t : tensor<2xf32>, tensor<2xf32>
  }
  return %0#0 : tensor<2xf32>
}

// No programs: nobody else calls the first, and the second gives numbers.
// CHECK-LABEL: @own
// CHECK-NOT:   pipeline.stage
func.func private @own(%img: tensor<2xf32>) -> tensor<2xf32> {
  return %img : tensor<2xf32>
}
func.func @number(%img: tensor<2xf32>, %n: index) -> (tensor<2xf32>, index) {
  return %img, %n : tensor<2xf32>, index
}
