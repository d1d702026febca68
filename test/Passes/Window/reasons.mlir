// RUN: pipeline-opt --window --split-input-file --verify-diagnostics %s

func.func @sums(%img: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %w = tensor.dim %img, %c0 : tensor<?xi32>
  // expected-remark@below {{windows of the program are whole along dimension 0: scan "sums" needs its lines from their beginning}}
  %sums = pipeline.scan "sums" (%x) along 0 {
    %p = pipeline.previous 1 or %zero : i32
    %v = pipeline.load %img[%x] : tensor<?xi32>
    %s = arith.addi %p, %v : i32
    pipeline.yield %s : i32
  } sized(%w) : tensor<?xi32>
  return %sums : tensor<?xi32>
}

// -----

func.func @flip(%img: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %w = tensor.dim %img, %c0 : tensor<?xi32>
  %there = pipeline.stage "there" (%x) {
    // expected-remark@below {{windows of the program are whole along dimension 0: stage "there" reads along several coordinates, or backwards}}
    %v = pipeline.load %img[-%x] mirror : tensor<?xi32>
    %u = pipeline.load %img[%x] : tensor<?xi32>
    %s = arith.addi %u, %v : i32
    pipeline.yield %s : i32
  } sized(%w) : tensor<?xi32>
  return %there : tensor<?xi32>
}

// -----

func.func @around(%img: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %w = tensor.dim %img, %c0 : tensor<?xi32>
  %sum = pipeline.stage "sum" (%x) {
    // expected-remark@below {{stage "sum" reads around from the other edge}}
    %v = pipeline.load %img[%x - 1] wrap : tensor<?xi32>
    %u = pipeline.load %img[%x] : tensor<?xi32>
    %s = arith.addi %u, %v : i32
    pipeline.yield %s : i32
  } sized(%w) : tensor<?xi32>
  return %sum : tensor<?xi32>
}

// -----

func.func @across(%img: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %c0 = arith.constant 0 : index
  %h = tensor.dim %img, %c0 : tensor<?x?xi32>
  // expected-error@below {{is a group, expected a program without: --window comes before --fuse}}
  %g = pipeline.group "g" {
    %a = pipeline.stage "a" (%y, %x) {
      %v = pipeline.load %img[%y, %x] clamp : tensor<?x?xi32>
      pipeline.yield %v : i32
    } sized(%h, %h) : tensor<?x?xi32>
    pipeline.yield %a : tensor<?x?xi32>
  } : tensor<?x?xi32>
  return %g : tensor<?x?xi32>
}
