// A window of a part of a row begins where the part does: what loads beside each other add to an index is added last, so that they are seen
// to be beside each other.

// RUN: pipeline-opt %s --cpu-tile=target=zen4 --canonicalize --cse | FileCheck %s --check-prefix=TILE
// RUN: pipeline-opt %s --cpu-tile=target=zen4 --vectorize --canonicalize --cse | FileCheck %s --check-prefix=VECTOR

// TILE:      %[[TWICE:.*]] = arith.muli %{{.*}}, %c2
// TILE-NEXT: %[[PLACE:.*]] = arith.subi %[[TWICE]], %[[BASE:.*]] :
// TILE-NEXT: %[[LEFT:.*]] = memref.load %[[WINDOW:.*]][%{{.*}}, %[[PLACE]]]
// TILE-NEXT: %[[BESIDE:.*]] = arith.addi %[[PLACE]], %c1
// TILE-NEXT: %[[RIGHT:.*]] = memref.load %[[WINDOW]][%{{.*}}, %[[BESIDE]]]
// TILE-NEXT: arith.addi %[[LEFT]], %[[RIGHT]] : i16

// Even elements and odd ones are those of the same two vectors.
// VECTOR:      %[[ONE:.*]] = vector.load %{{.*}} : memref<4x1056xi16>, vector<32xi16>
// VECTOR:      %[[TWO:.*]] = vector.load %{{.*}} : memref<4x1056xi16>, vector<32xi16>
// VECTOR-NEXT: vector.shuffle %[[ONE]], %[[TWO]] [0, 2, 4,
// VECTOR-NEXT: vector.shuffle %[[ONE]], %[[TWO]] [1, 3, 5,
func.func @halved(%img: tensor<64x4096xi16>) -> tensor<64x2048xi16> {
  %out = pipeline.group "g0" schedule {tile = array<i64: 16, 512>} {
    %a = pipeline.stage "a" (%y, %x) {
      %0 = pipeline.load %img[%y, %x] : tensor<64x4096xi16>
      %1 = arith.addi %0, %0 : i16
      pipeline.yield %1 : i16
    } : tensor<64x4096xi16>
    %b = pipeline.stage "b" (%y, %x) {
      %0 = pipeline.load %a[%y, %x * 2] : tensor<64x4096xi16>
      %1 = pipeline.load %a[%y, %x * 2 + 1] : tensor<64x4096xi16>
      %2 = arith.addi %0, %1 : i16
      pipeline.yield %2 : i16
    } : tensor<64x2048xi16>
    pipeline.yield %b : tensor<64x2048xi16>
  } : tensor<64x2048xi16>
  return %out : tensor<64x2048xi16>
}
