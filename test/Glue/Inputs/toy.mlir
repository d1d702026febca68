// CHECK-LABEL: @clamps
// CHECK-SAME:  %[[X:.*]]: i64
func.func @clamps(%x: i64) -> i64 {
  // CHECK-NEXT: %[[BYTE:.*]] = toy.clamp %[[X]] between 0 and 255
  %0 = toy.clamp %x between 0 and 255
  // CHECK-NEXT: return %[[BYTE]]
  %1 = toy.clamp %0 between -1000 and 1000
  return %1 : i64
}
