// What takes long to compute of a byte is computed for each byte once, and looked up.

// RUN: pipeline-opt %s --byte-tables="target=zen4" | FileCheck %s
// RUN: pipeline-opt %s --byte-tables="target=zen4" --byte-tables="target=zen4" | FileCheck %s
// RUN: pipeline-opt %s --byte-tables="target=avx2" | FileCheck %s --check-prefix=AVX2

// RUN: not pipeline-opt %s --byte-tables=target=z80 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: {{.*}}option 'target': CPU 'z80' is not known, expected host, zen3, zen4
// RUN: not pipeline-opt %s --byte-tables=size=0x1 2>&1 | FileCheck %s --check-prefix=SIZE
// SIZE: error: {{.*}}option 'size' is '0x1', expected positive numbers

// Numbers of the program are the same for all points.
// CHECK-LABEL: @gamma
// CHECK-SAME:  (%[[IMG:.*]]: tensor<?x?xi8> {{.*}}, %[[G:.*]]: f32)
// CHECK:         %[[TABLE:.*]] = pipeline.stage "out_table" (%[[I:.*]]) {
// CHECK-NEXT:      %[[INDEX:.*]] = arith.index_cast %[[I]] : index to i32
// CHECK-NEXT:      %[[BYTE:.*]] = arith.trunci %[[INDEX]] : i32 to i8
// CHECK-NEXT:      %[[FLOAT:.*]] = arith.uitofp %[[BYTE]] : i8 to f32
// CHECK-NEXT:      %[[POWER:.*]] = math.powf %[[FLOAT]], %[[G]] : f32
// CHECK-NEXT:      %[[NUMBER:.*]] = arith.fptosi %[[POWER]] : f32 to i32
// CHECK-NEXT:      %[[ENTRY:.*]] = arith.trunci %[[NUMBER]] : i32 to i8
// CHECK-NEXT:      pipeline.yield %[[ENTRY]] : i8
// CHECK-NEXT:    } : tensor<256xi8>
// CHECK:         pipeline.stage "out" (%[[Y:.*]], %[[X:.*]]) {
// CHECK-NEXT:      %[[PIXEL:.*]] = pipeline.load %[[IMG]][%[[Y]], %[[X]]]
// CHECK-NEXT:      %[[AT:.*]] = arith.index_castui %[[PIXEL]] : i8 to index
// CHECK-NEXT:      %[[FOUND:.*]] = pipeline.gather %[[TABLE]][%[[AT]]] clamp : tensor<256xi8>
// CHECK-NEXT:      pipeline.yield %[[FOUND]] : i8
// Without permutations of bytes it is worth that, too.
// AVX2-LABEL:  @gamma
// AVX2:          pipeline.stage "out_table"
func.func @gamma(%img: tensor<?x?xi8> {weft.estimate = array<i64: 1000, 1000>}, %g: f32) -> tensor<?x?xi8> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xi8>
  %w = tensor.dim %img, %c1 : tensor<?x?xi8>
  %out = pipeline.stage "out" (%y, %x) {
    %p = pipeline.load %img[%y, %x] : tensor<?x?xi8>
    %f = arith.uitofp %p : i8 to f32
    %e = math.powf %f, %g : f32
    %i = arith.fptosi %e : f32 to i32
    %b = arith.trunci %i : i32 to i8
    pipeline.yield %b : i8
  } sized(%h, %w) : tensor<?x?xi8>
  return %out : tensor<?x?xi8>
}

// A function that differs from plane to plane has a row for each. What it reads of a table is read once.
// CHECK-LABEL: @planes
// CHECK-SAME:  (%[[IMG:.*]]: tensor<3x?x?xi8> {{.*}}, %[[GAINS:.*]]: tensor<3xi32>, %[[CURVE:.*]]: tensor<256xi8>)
// CHECK:         %[[TABLE:.*]] = pipeline.stage "out_table" (%[[C:.*]], %[[I:.*]]) {
// CHECK-NEXT:      %[[INDEX:.*]] = arith.index_cast %[[I]] : index to i32
// CHECK-NEXT:      %[[BYTE:.*]] = arith.trunci %[[INDEX]] : i32 to i8
// CHECK-NEXT:      %[[GAIN:.*]] = pipeline.load %[[GAINS]][%[[C]]] : tensor<3xi32>
// CHECK-NEXT:      %[[WIDE:.*]] = arith.extui %[[BYTE]] : i8 to i32
// CHECK:           %[[LEVEL:.*]] = arith.minsi
// CHECK-NEXT:      %[[AT:.*]] = arith.index_cast %[[LEVEL]] : i32 to index
// CHECK-NEXT:      %[[ENTRY:.*]] = pipeline.gather %[[CURVE]][%[[AT]]] clamp : tensor<256xi8>
// CHECK-NEXT:      pipeline.yield %[[ENTRY]] : i8
// CHECK-NEXT:    } : tensor<3x256xi8>
// CHECK:         pipeline.stage "out" (%[[C:.*]], %[[Y:.*]], %[[X:.*]]) {
// CHECK-NEXT:      %[[PIXEL:.*]] = pipeline.load %[[IMG]][%[[C]], %[[Y]], %[[X]]]
// CHECK-NEXT:      %[[AT:.*]] = arith.index_castui %[[PIXEL]] : i8 to index
// CHECK-NEXT:      %[[FOUND:.*]] = pipeline.gather %[[TABLE]][%[[C]], %[[AT]]] clamp : tensor<3x256xi8>
// CHECK-NEXT:      pipeline.yield %[[FOUND]] : i8
func.func @planes(%img: tensor<3x?x?xi8> {weft.estimate = array<i64: 3, 1000, 1000>}, %gains: tensor<3xi32>, %curve: tensor<256xi8>) -> tensor<3x?x?xi8> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %half = arith.constant 128 : i32
  %eight = arith.constant 8 : i32
  %most = arith.constant 255 : i32
  %h = tensor.dim %img, %c1 : tensor<3x?x?xi8>
  %w = tensor.dim %img, %c2 : tensor<3x?x?xi8>
  %out = pipeline.stage "out" (%c, %y, %x) {
    %p = pipeline.load %img[%c, %y, %x] : tensor<3x?x?xi8>
    %gain = pipeline.load %gains[%c] : tensor<3xi32>
    %wide = arith.extui %p : i8 to i32
    %product = arith.muli %wide, %gain : i32
    %sum = arith.addi %product, %half : i32
    %shifted = arith.shrsi %sum, %eight : i32
    %other = arith.xori %shifted, %gain : i32
    %level = arith.minsi %other, %most : i32
    %i = arith.index_cast %level : i32 to index
    %v = pipeline.gather %curve[%i] clamp : tensor<256xi8>
    pipeline.yield %v : i8
  } sized(%h, %w) : tensor<3x?x?xi8>
  return %out : tensor<3x?x?xi8>
}

// One function of several bytes is one table; what else is computed of them stays.
// CHECK-LABEL: @twice
// CHECK:         %[[TABLE:.*]] = pipeline.stage "out_table"
// CHECK-NOT:     pipeline.stage "out_table_1"
// CHECK:         pipeline.stage "out" (%[[X:.*]]) {
// CHECK-DAG:       %[[A:.*]] = pipeline.gather %[[TABLE]]
// CHECK-DAG:       %[[B:.*]] = pipeline.gather %[[TABLE]]
// CHECK:           %[[SUM:.*]] = arith.addf %[[A]], %[[B]] : f32
// CHECK-NEXT:      pipeline.yield %[[SUM]] : f32
func.func @twice(%img: tensor<1000000xi8>) -> tensor<1000000xf32> {
  %out = pipeline.stage "out" (%x) {
    %p = pipeline.load %img[%x - 1] clamp : tensor<1000000xi8>
    %q = pipeline.load %img[%x + 1] clamp : tensor<1000000xi8>
    %f = arith.sitofp %p : i8 to f32
    %g = arith.sitofp %q : i8 to f32
    %e = math.sin %f : f32
    %d = math.sin %g : f32
    %ee = arith.mulf %e, %e : f32
    %dd = arith.mulf %d, %d : f32
    %a = arith.divf %ee, %f : f32
    %b = arith.divf %dd, %g : f32
    %s = arith.addf %a, %b : f32
    pipeline.yield %s : f32
  } : tensor<1000000xf32>
  return %out : tensor<1000000xf32>
}

// Where a byte is what is computed on the way, its table is one of bytes.
// CHECK-LABEL: @on_the_way
// CHECK:         pipeline.stage "out_table" (%{{.*}}) {
// CHECK:           arith.minsi
// CHECK-NEXT:      pipeline.yield %{{.*}} : i32
// CHECK-NEXT:    } : tensor<256xi32>
// CHECK:         pipeline.stage "out" (%{{.*}}) {
// CHECK:           %[[FOUND:.*]] = pipeline.gather
// CHECK-NEXT:      %[[FLOAT:.*]] = arith.sitofp %[[FOUND]] : i32 to f32
// CHECK-NEXT:      %[[HALF:.*]] = arith.mulf %[[FLOAT]], %{{.*}} : f32
// CHECK-NEXT:      pipeline.yield %[[HALF]] : f32
func.func @on_the_way(%img: tensor<1000000xi8>, %gain: i32) -> tensor<1000000xf32> {
  %zero = arith.constant 0 : i32
  %most = arith.constant 255 : i32
  %half = arith.constant 0.5 : f32
  %out = pipeline.stage "out" (%x) {
    %p = pipeline.load %img[%x] : tensor<1000000xi8>
    %wide = arith.extui %p : i8 to i32
    %product = arith.muli %wide, %gain : i32
    %other = arith.xori %product, %wide : i32
    %sum = arith.addi %other, %gain : i32
    %above = arith.maxsi %sum, %zero : i32
    %level = arith.minsi %above, %most : i32
    %float = arith.sitofp %level : i32 to f32
    %value = arith.mulf %float, %half : f32
    pipeline.yield %value : f32
  } : tensor<1000000xf32>
  return %out : tensor<1000000xf32>
}

// What is cheap stays, and what depends on two bytes, on columns, or is computed for few points.
// CHECK-LABEL: @others
// CHECK-NOT:     pipeline.gather
// CHECK:         return
func.func @others(%img: tensor<1000x1000xi8>, %small: tensor<16x16xi8>)
    -> (tensor<1000x1000xi8>, tensor<1000x1000xf32>, tensor<1000x1000xf32>, tensor<16x16xf32>) {
  %three = arith.constant 3 : i8
  %cheap = pipeline.stage "cheap" (%y, %x) {
    %p = pipeline.load %img[%y, %x] : tensor<1000x1000xi8>
    %v = arith.addi %p, %three : i8
    pipeline.yield %v : i8
  } : tensor<1000x1000xi8>
  %two = pipeline.stage "two" (%y, %x) {
    %p = pipeline.load %img[%y, %x] : tensor<1000x1000xi8>
    %q = pipeline.load %img[%y, %x + 1] clamp : tensor<1000x1000xi8>
    %d = arith.subi %p, %q : i8
    %f = arith.uitofp %d : i8 to f32
    %e = math.sin %f : f32
    %g = math.sin %e : f32
    pipeline.yield %g : f32
  } : tensor<1000x1000xf32>
  %columns = pipeline.stage "columns" (%y, %x) {
    %p = pipeline.load %img[%y, %x] : tensor<1000x1000xi8>
    %i = arith.index_cast %x : index to i32
    %w = arith.extui %p : i8 to i32
    %s = arith.addi %w, %i : i32
    %f = arith.uitofp %s : i32 to f32
    %e = math.sin %f : f32
    %g = math.sin %e : f32
    pipeline.yield %g : f32
  } : tensor<1000x1000xf32>
  %few = pipeline.stage "few" (%y, %x) {
    %p = pipeline.load %small[%y, %x] : tensor<16x16xi8>
    %f = arith.uitofp %p : i8 to f32
    %e = math.sin %f : f32
    %g = math.sin %e : f32
    pipeline.yield %g : f32
  } : tensor<16x16xf32>
  return %cheap, %two, %columns, %few : tensor<1000x1000xi8>, tensor<1000x1000xf32>, tensor<1000x1000xf32>, tensor<16x16xf32>
}

// A table has entries where the image has no points: it reads only what has some.
// CHECK-LABEL: @looked_up
// CHECK:         pipeline.stage "known_table"
// CHECK:           pipeline.gather %{{.*}} clamp : tensor<7xf32>
// CHECK-NOT:     "unknown_table"
// CHECK:         return
func.func @looked_up(%img: tensor<?x1000xi8>, %seven: tensor<7xf32>, %line: tensor<?xf32>)
    -> (tensor<?x1000xf32>, tensor<?x1000xf32>) {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %img, %c0 : tensor<?x1000xi8>
  %known = pipeline.stage "known" (%y, %x) {
    %p = pipeline.load %img[%y, %x] : tensor<?x1000xi8>
    %i = arith.index_castui %p : i8 to index
    %v = pipeline.gather %seven[%i] clamp : tensor<7xf32>
    %e = math.sin %v : f32
    %g = math.sin %e : f32
    pipeline.yield %g : f32
  } sized(%rows) : tensor<?x1000xf32>
  %unknown = pipeline.stage "unknown" (%y, %x) {
    %p = pipeline.load %img[%y, %x] : tensor<?x1000xi8>
    %i = arith.index_castui %p : i8 to index
    %v = pipeline.gather %line[%i] clamp : tensor<?xf32>
    %e = math.sin %v : f32
    %g = math.sin %e : f32
    pipeline.yield %g : f32
  } sized(%rows) : tensor<?x1000xf32>
  return %known, %unknown : tensor<?x1000xf32>, tensor<?x1000xf32>
}

// What the planes of a pixel have in common is looked up once for all of them.
// CHECK-LABEL: @shared
// CHECK:         pipeline.stage "out_table" (%{{.*}}) {
// CHECK:           math.log1p
// CHECK-NOT:       arith.mulf
// CHECK:         } : tensor<256xf32>
// CHECK:         pipeline.stage "out" (%[[Y:.*]], %[[X:.*]], %[[C:.*]]) {
// CHECK-COUNT-2:   pipeline.gather %{{.*}}[%{{.*}}] clamp : tensor<256xf32>
// CHECK-NOT:       pipeline.gather
// CHECK:           pipeline.yield
func.func @shared(%img: tensor<1000x1000x3xi8>, %weights: tensor<2x3xf32>) -> tensor<1000x1000x3xf32> {
  %out = pipeline.stage "out" (%y, %x, %c) {
    %p = pipeline.load %img[%y, %x, 0] : tensor<1000x1000x3xi8>
    %q = pipeline.load %img[%y, %x, 1] : tensor<1000x1000x3xi8>
    %u = arith.uitofp %p : i8 to f32
    %v = arith.uitofp %q : i8 to f32
    %u1 = math.exp %u : f32
    %v1 = math.exp %v : f32
    %a = math.log1p %u1 : f32
    %b = math.log1p %v1 : f32
    %m = pipeline.load %weights[0, %c] : tensor<2x3xf32>
    %n = pipeline.load %weights[1, %c] : tensor<2x3xf32>
    %d = arith.mulf %a, %m : f32
    %e = arith.mulf %b, %n : f32
    %f = arith.addf %d, %e : f32
    pipeline.yield %f : f32
  } : tensor<1000x1000x3xf32>
  return %out : tensor<1000x1000x3xf32>
}
