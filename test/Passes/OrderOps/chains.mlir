// What waits for a result stands behind what does not, where a core cannot look so far ahead: each of these chains is as long as its window. With 32
// registers, and where chains are short, the order stays.

// RUN: pipeline-opt %s --order-ops=target=avx2 | FileCheck %s
// RUN: pipeline-opt %s --order-ops=target=avx2 --order-ops=target=avx2 | FileCheck %s
// RUN: pipeline-opt %s --order-ops=target=emerald_rapids | FileCheck %s --check-prefix=WIDE
// RUN: not pipeline-opt %s --order-ops=target=z80 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// UNKNOWN: option 'target': CPU 'z80' is not known, expected host, {{.*}} or FILE.toml

// CHECK-LABEL: @chains
// CHECK:         %[[A:.*]] = vector.load
// CHECK-NEXT:    %[[B:.*]] = vector.load
// CHECK-NEXT:    %[[A1:.*]] = math.sqrt %[[A]]
// CHECK-NEXT:    %[[B1:.*]] = math.sqrt %[[B]]
// CHECK-NEXT:    %[[A2:.*]] = math.sqrt %[[A1]]
// CHECK-NEXT:    %[[B2:.*]] = math.sqrt %[[B1]]
// CHECK-NEXT:    math.sqrt %[[A2]]
// CHECK-NEXT:    math.sqrt %[[B2]]
// CHECK-COUNT-18: math.sqrt
// CHECK-NEXT:    vector.store
// WIDE-LABEL: @chains
// WIDE:         %[[A:.*]] = vector.load
// WIDE-NEXT:    %[[A1:.*]] = math.sqrt %[[A]]
// WIDE-NEXT:    %[[A2:.*]] = math.sqrt %[[A1]]
// WIDE:         vector.load
func.func @chains(%in: memref<2x96xf32>, %out: memref<2x96xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c48 = arith.constant 48 : index
  %c96 = arith.constant 96 : index
  scf.for %x = %c0 to %c96 step %c48 {
    %a0 = vector.load %in[%c0, %x] : memref<2x96xf32>, vector<48xf32>
    %a1 = math.sqrt %a0 : vector<48xf32>
    %a2 = math.sqrt %a1 : vector<48xf32>
    %a3 = math.sqrt %a2 : vector<48xf32>
    %a4 = math.sqrt %a3 : vector<48xf32>
    %a5 = math.sqrt %a4 : vector<48xf32>
    %a6 = math.sqrt %a5 : vector<48xf32>
    %a7 = math.sqrt %a6 : vector<48xf32>
    %a8 = math.sqrt %a7 : vector<48xf32>
    %a9 = math.sqrt %a8 : vector<48xf32>
    %a10 = math.sqrt %a9 : vector<48xf32>
    %a11 = math.sqrt %a10 : vector<48xf32>
    %a12 = math.sqrt %a11 : vector<48xf32>
    %b0 = vector.load %in[%c1, %x] : memref<2x96xf32>, vector<48xf32>
    %b1 = math.sqrt %b0 : vector<48xf32>
    %b2 = math.sqrt %b1 : vector<48xf32>
    %b3 = math.sqrt %b2 : vector<48xf32>
    %b4 = math.sqrt %b3 : vector<48xf32>
    %b5 = math.sqrt %b4 : vector<48xf32>
    %b6 = math.sqrt %b5 : vector<48xf32>
    %b7 = math.sqrt %b6 : vector<48xf32>
    %b8 = math.sqrt %b7 : vector<48xf32>
    %b9 = math.sqrt %b8 : vector<48xf32>
    %b10 = math.sqrt %b9 : vector<48xf32>
    %b11 = math.sqrt %b10 : vector<48xf32>
    %b12 = math.sqrt %b11 : vector<48xf32>
    vector.store %a12, %out[%c0, %x] : memref<2x96xf32>, vector<48xf32>
    vector.store %b12, %out[%c1, %x] : memref<2x96xf32>, vector<48xf32>
  }
  return
}

// CHECK-LABEL: @short
// CHECK:         %[[A:.*]] = vector.load
// CHECK-NEXT:    %[[A1:.*]] = math.sqrt %[[A]]
// CHECK-NEXT:    math.sqrt %[[A1]]
// CHECK-NEXT:    vector.load
func.func @short(%in: memref<2x96xf32>, %out: memref<2x96xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c96 = arith.constant 96 : index
  scf.for %x = %c0 to %c96 step %c8 {
    %a0 = vector.load %in[%c0, %x] : memref<2x96xf32>, vector<8xf32>
    %a1 = math.sqrt %a0 : vector<8xf32>
    %a2 = math.sqrt %a1 : vector<8xf32>
    %b0 = vector.load %in[%c1, %x] : memref<2x96xf32>, vector<8xf32>
    %b1 = math.sqrt %b0 : vector<8xf32>
    %b2 = math.sqrt %b1 : vector<8xf32>
    vector.store %a2, %out[%c0, %x] : memref<2x96xf32>, vector<8xf32>
    vector.store %b2, %out[%c1, %x] : memref<2x96xf32>, vector<8xf32>
  }
  return
}
