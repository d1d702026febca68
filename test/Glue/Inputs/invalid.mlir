func.func @empty_interval(%x: i64) -> i64 {
  // expected-error@+1 {{'toy.clamp' op has bounds [3, 2], expected lo <= hi}}
  %0 = toy.clamp %x between 3 and 2
  return %0 : i64
}
