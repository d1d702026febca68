// RUN: pipeline-opt %s --factor-extremes | FileCheck %s

// Integers without a sign, in any order of operands.
// CHECK-LABEL: func.func @bytes
// CHECK-SAME:    (%[[X:.*]]: i8, %[[A:.*]]: i8, %[[B:.*]]: i8)
// CHECK-NEXT:    %[[MOST:.*]] = arith.maxui %[[A]], %[[B]] : i8
// CHECK-NEXT:    %[[LEAST:.*]] = arith.minui %[[X]], %[[MOST]] : i8
// CHECK-NEXT:    return %[[LEAST]]
func.func @bytes(%x: i8, %a: i8, %b: i8) -> i8 {
  %0 = arith.minui %a, %x : i8
  %1 = arith.minui %x, %b : i8
  %2 = arith.maxui %0, %1 : i8
  return %2 : i8
}

// The least of greatest ones, of floats.
// CHECK-LABEL: func.func @floats
// CHECK-SAME:    (%[[X:.*]]: f32, %[[A:.*]]: f32, %[[B:.*]]: f32)
// CHECK-NEXT:    %[[LEAST:.*]] = arith.minimumf %[[A]], %[[B]] : f32
// CHECK-NEXT:    %[[MOST:.*]] = arith.maximumf %[[X]], %[[LEAST]] : f32
// CHECK-NEXT:    return %[[MOST]]
func.func @floats(%x: f32, %a: f32, %b: f32) -> f32 {
  %0 = arith.maximumf %x, %a : f32
  %1 = arith.maximumf %x, %b : f32
  %2 = arith.minimumf %0, %1 : f32
  return %2 : f32
}

// Of three, one after the other.
// CHECK-LABEL: func.func @three
// CHECK-COUNT-2: arith.maxsi
// CHECK-NEXT:    arith.minsi
// CHECK-NEXT:    return
func.func @three(%x: i32, %a: i32, %b: i32, %c: i32) -> i32 {
  %0 = arith.minsi %x, %a : i32
  %1 = arith.minsi %x, %b : i32
  %2 = arith.maxsi %0, %1 : i32
  %3 = arith.minsi %x, %c : i32
  %4 = arith.maxsi %2, %3 : i32
  return %4 : i32
}

// One is read elsewhere.
// CHECK-LABEL: func.func @read
// CHECK-COUNT-2: arith.minsi
// CHECK-NEXT:    arith.maxsi
func.func @read(%x: i32, %a: i32, %b: i32) -> (i32, i32) {
  %0 = arith.minsi %x, %a : i32
  %1 = arith.minsi %x, %b : i32
  %2 = arith.maxsi %0, %1 : i32
  return %2, %0 : i32, i32
}

// Another order of numbers, and one that prefers numbers to none.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-2: arith.minsi
// CHECK-NEXT:    arith.maxui
// CHECK-COUNT-2: arith.minnumf
// CHECK-NEXT:    arith.maxnumf
func.func @others(%x: i32, %a: i32, %b: i32, %u: f32, %v: f32, %w: f32) -> (i32, f32) {
  %0 = arith.minsi %x, %a : i32
  %1 = arith.minsi %x, %b : i32
  %2 = arith.maxui %0, %1 : i32
  %3 = arith.minnumf %u, %v : f32
  %4 = arith.minnumf %u, %w : f32
  %5 = arith.maxnumf %3, %4 : f32
  return %2, %5 : i32, f32
}
