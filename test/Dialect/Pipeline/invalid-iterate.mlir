// RUN: pipeline-opt -split-input-file -verify-diagnostics %s

func.func @shape(%img: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %r = pipeline.iterate "grow" %n (%u = %img : tensor<8xf32>) {
    %next = pipeline.stage "step" (%x) {
      %a = pipeline.load %u[%x] clamp : tensor<8xf32>
      pipeline.yield %a : f32
    } : tensor<9xf32>
    // expected-error @below {{operand #0 has type 'tensor<9xf32>', expected 'tensor<8xf32>' for result #0 of iterate "grow"}}
    pipeline.yield %next : tensor<9xf32>
  }
  return %r : tensor<8xf32>
}

// -----

func.func @element(%img: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %r = pipeline.iterate "cast" %n (%u = %img : tensor<8xf32>) {
    %next = pipeline.stage "step" (%x) {
      %a = pipeline.load %u[%x] : tensor<8xf32>
      %v = arith.truncf %a : f32 to f16
      pipeline.yield %v : f16
    } : tensor<8xf16>
    // expected-error @below {{operand #0 has type 'tensor<8xf16>', expected 'tensor<8xf32>' for result #0 of iterate "cast"}}
    pipeline.yield %next : tensor<8xf16>
  }
  return %r : tensor<8xf32>
}

// -----

func.func @count(%img: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %r = pipeline.iterate "two" %n (%u = %img : tensor<8xf32>) {
    // expected-error @below {{has 2 operands, expected 1, one for each result of iterate "two"}}
    pipeline.yield %u, %u : tensor<8xf32>, tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

func.func @nothing(%n: index) {
  // expected-error @below {{has no result, expected at least one image}}
  pipeline.iterate "nothing" %n () {
    pipeline.yield
  }
  return
}

// -----

func.func @unnamed(%img: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  // expected-error @below {{name is "", expected a string that is not empty}}
  %r = pipeline.iterate "" %n (%u = %img : tensor<8xf32>) {
    pipeline.yield %u : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

func.func @nested(%img: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %r = pipeline.iterate "outer" %n (%u = %img : tensor<8xf32>) {
    // expected-error @below {{is in iterate "outer", expected no iterate in another}}
    %s = pipeline.iterate "inner" %n (%v = %u : tensor<8xf32>) {
      pipeline.yield %v : tensor<8xf32>
    }
    pipeline.yield %s : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

func.func @results(%img: tensor<8xf32>, %n: index) -> tensor<9xf32> {
  // expected-error @below {{state #0 has type 'tensor<8xf32>' and result #0 type 'tensor<9xf32>', expected 'tensor<8xf32>', with which it begins}}
  %r = "pipeline.iterate"(%n, %img) <{name = "wrong"}> ({
  ^bb0(%u: tensor<8xf32>):
    pipeline.yield %u : tensor<8xf32>
  }) : (index, tensor<8xf32>) -> tensor<9xf32>
  return %r : tensor<9xf32>
}

// -----

func.func @states(%img: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  // expected-error @below {{body has 0 states, expected 1, one for each result}}
  %r = "pipeline.iterate"(%n, %img) <{name = "wrong"}> ({
    pipeline.yield %img : tensor<8xf32>
  }) : (index, tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
