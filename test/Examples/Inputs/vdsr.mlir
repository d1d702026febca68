// VDSR with 5 channels instead of 64: examples/vdsr.mlir otherwise.
//
//   pipeline-run examples/vdsr.mlir --arg img=img.npy --arg w0=w0.npy --arg b0=b0.npy ... --out sharp=sharp.npy

func.func @vdsr(%arg0: tensor<1x?x?xf32> {weft.estimate = array<i64: 1, 512, 512>, weft.name = "img"}, %arg1: tensor<5x1x3x3xf32> {weft.name = "w0"}, %arg2: tensor<5xf32> {weft.name = "b0"}, %arg3: tensor<5x5x3x3xf32> {weft.name = "w1"}, %arg4: tensor<5xf32> {weft.name = "b1"}, %arg5: tensor<5x5x3x3xf32> {weft.name = "w2"}, %arg6: tensor<5xf32> {weft.name = "b2"}, %arg7: tensor<5x5x3x3xf32> {weft.name = "w3"}, %arg8: tensor<5xf32> {weft.name = "b3"}, %arg9: tensor<5x5x3x3xf32> {weft.name = "w4"}, %arg10: tensor<5xf32> {weft.name = "b4"}, %arg11: tensor<5x5x3x3xf32> {weft.name = "w5"}, %arg12: tensor<5xf32> {weft.name = "b5"}, %arg13: tensor<5x5x3x3xf32> {weft.name = "w6"}, %arg14: tensor<5xf32> {weft.name = "b6"}, %arg15: tensor<5x5x3x3xf32> {weft.name = "w7"}, %arg16: tensor<5xf32> {weft.name = "b7"}, %arg17: tensor<5x5x3x3xf32> {weft.name = "w8"}, %arg18: tensor<5xf32> {weft.name = "b8"}, %arg19: tensor<5x5x3x3xf32> {weft.name = "w9"}, %arg20: tensor<5xf32> {weft.name = "b9"}, %arg21: tensor<5x5x3x3xf32> {weft.name = "w10"}, %arg22: tensor<5xf32> {weft.name = "b10"}, %arg23: tensor<5x5x3x3xf32> {weft.name = "w11"}, %arg24: tensor<5xf32> {weft.name = "b11"}, %arg25: tensor<5x5x3x3xf32> {weft.name = "w12"}, %arg26: tensor<5xf32> {weft.name = "b12"}, %arg27: tensor<5x5x3x3xf32> {weft.name = "w13"}, %arg28: tensor<5xf32> {weft.name = "b13"}, %arg29: tensor<5x5x3x3xf32> {weft.name = "w14"}, %arg30: tensor<5xf32> {weft.name = "b14"}, %arg31: tensor<5x5x3x3xf32> {weft.name = "w15"}, %arg32: tensor<5xf32> {weft.name = "b15"}, %arg33: tensor<5x5x3x3xf32> {weft.name = "w16"}, %arg34: tensor<5xf32> {weft.name = "b16"}, %arg35: tensor<5x5x3x3xf32> {weft.name = "w17"}, %arg36: tensor<5xf32> {weft.name = "b17"}, %arg37: tensor<5x5x3x3xf32> {weft.name = "w18"}, %arg38: tensor<5xf32> {weft.name = "b18"}, %arg39: tensor<1x5x3x3xf32> {weft.name = "w19"}, %arg40: tensor<1xf32> {weft.name = "b19"}) -> (tensor<1x?x?xf32> {weft.name = "sharp"}) {
  %c1 = arith.constant 1 : index
  %dim = tensor.dim %arg0, %c1 : tensor<1x?x?xf32>
  %c2 = arith.constant 2 : index
  %dim_0 = tensor.dim %arg0, %c2 : tensor<1x?x?xf32>
  %cst = arith.constant 0.000000e+00 : f32
  %layer0 = pipeline.stage "layer0" (%c, %y, %x) {
    %0 = pipeline.load %arg2[%c] : tensor<5xf32>
    %1 = pipeline.reduce (%rc, %ry, %rx) in [0, 1) x [0, 3) x [0, 3) (%acc = %0 : f32) {
      %3 = pipeline.load %arg1[%c, %rc, %ry, %rx] : tensor<5x1x3x3xf32>
      %4 = pipeline.load %arg0[%rc, %y + %ry - 1, %x + %rx - 1] constant(%cst) : tensor<1x?x?xf32>
      %5 = arith.mulf %3, %4 : f32
      %6 = arith.addf %acc, %5 : f32
      pipeline.yield %6 : f32
    } : f32
    %2 = arith.maximumf %1, %cst : f32
    pipeline.yield %2 : f32
  } sized(%dim, %dim_0) : tensor<5x?x?xf32>
  %layer1 = pipeline.stage "layer1" (%c, %y, %x) {
    %0 = pipeline.load %arg4[%c] : tensor<5xf32>
    %1 = pipeline.reduce (%rc, %ry, %rx) in [0, 5) x [0, 3) x [0, 3) (%acc = %0 : f32) {
      %3 = pipeline.load %arg3[%c, %rc, %ry, %rx] : tensor<5x5x3x3xf32>
      %4 = pipeline.load %layer0[%rc, %y + %ry - 1, %x + %rx - 1] constant(%cst) : tensor<5x?x?xf32>
      %5 = arith.mulf %3, %4 : f32
      %6 = arith.addf %acc, %5 : f32
      pipeline.yield %6 : f32
    } : f32
    %2 = arith.maximumf %1, %cst : f32
    pipeline.yield %2 : f32
  } sized(%dim, %dim_0) : tensor<5x?x?xf32>
  %layer2 = pipeline.stage "layer2" (%c, %y, %x) {
    %0 = pipeline.load %arg6[%c] : tensor<5xf32>
    %1 = pipeline.reduce (%rc, %ry, %rx) in [0, 5) x [0, 3) x [0, 3) (%acc = %0 : f32) {
      %3 = pipeline.load %arg5[%c, %rc, %ry, %rx] : tensor<5x5x3x3xf32>
      %4 = pipeline.load %layer1[%rc, %y + %ry - 1, %x + %rx - 1] constant(%cst) : tensor<5x?x?xf32>
      %5 = arith.mulf %3, %4 : f32
      %6 = arith.addf %acc, %5 : f32
      pipeline.yield %6 : f32
    } : f32
    %2 = arith.maximumf %1, %cst : f32
    pipeline.yield %2 : f32
  } sized(%dim, %dim_0) : tensor<5x?x?xf32>
  %layer3 = pipeline.stage "layer3" (%c, %y, %x) {
    %0 = pipeline.load %arg8[%c] : tensor<5xf32>
    %1 = pipeline.reduce (%rc, %ry, %rx) in [0, 5) x [0, 3) x [0, 3) (%acc = %0 : f32) {
      %3 = pipeline.load %arg7[%c, %rc, %ry, %rx] : tensor<5x5x3x3xf32>
      %4 = pipeline.load %layer2[%rc, %y + %ry - 1, %x + %rx - 1] constant(%cst) : tensor<5x?x?xf32>
      %5 = arith.mulf %3, %4 : f32
      %6 = arith.addf %acc, %5 : f32
      pipeline.yield %6 : f32
    } : f32
    %2 = arith.maximumf %1, %cst : f32
    pipeline.yield %2 : f32
  } sized(%dim, %dim_0) : tensor<5x?x?xf32>
  %layer4 = pipeline.stage "layer4" (%c, %y, %x) {
    %0 = pipeline.load %arg10[%c] : tensor<5xf32>
    %1 = pipeline.reduce (%rc, %ry, %rx) in [0, 5) x [0, 3) x [0, 3) (%acc = %0 : f32) {
      %3 = pipeline.load %arg9[%c, %rc, %ry, %rx] : tensor<5x5x3x3xf32>
      %4 = pipeline.load %layer3[%rc, %y + %ry - 1, %x + %rx - 1] constant(%cst) : tensor<5x?x?xf32>
      %5 = arith.mulf %3, %4 : f32
      %6 = arith.addf %acc, %5 : f32
      pipeline.yield %6 : f32
    } : f32
    %2 = arith.maximumf %1, %cst : f32
    pipeline.yield %2 : f32
  } sized(%dim, %dim_0) : tensor<5x?x?xf32>
  %layer5 = pipeline.stage "layer5" (%c, %y, %x) {
    %0 = pipeline.load %arg12[%c] : tensor<5xf32>
    %1 = pipeline.reduce (%rc, %ry, %rx) in [0, 5) x [0, 3) x [0, 3) (%acc = %0 : f32) {
      %3 = pipeline.load %arg11[%c, %rc, %ry, %rx] : tensor<5x5x3x3xf32>
      %4 = pipeline.load %layer4[%rc, %y + %ry - 1, %x + %rx - 1] constant(%cst) : tensor<5x?x?xf32>
      %5 = arith.mulf %3, %4 : f32
      %6 = arith.addf %acc, %5 : f32
      pipeline.yield %6 : f32
    } : f32
    %2 = arith.maximumf %1, %cst : f32
    pipeline.yield %2 : f32
  } sized(%dim, %dim_0) : tensor<5x?x?xf32>
  %layer6 = pipeline.stage "layer6" (%c, %y, %x) {
    %0 = pipeline.load %arg14[%c] : tensor<5xf32>
    %1 = pipeline.reduce (%rc, %ry, %rx) in [0, 5) x [0, 3) x [0, 3) (%acc = %0 : f32) {
      %3 = pipeline.load %arg13[%c, %rc, %ry, %rx] : tensor<5x5x3x3xf32>
      %4 = pipeline.load %layer5[%rc, %y + %ry - 1, %x + %rx - 1] constant(%cst) : tensor<5x?x?xf32>
      %5 = arith.mulf %3, %4 : f32
      %6 = arith.addf %acc, %5 : f32
      pipeline.yield %6 : f32
    } : f32
    %2 = arith.maximumf %1, %cst : f32
    pipeline.yield %2 : f32
  } sized(%dim, %dim_0) : tensor<5x?x?xf32>
  %layer7 = pipeline.stage "layer7" (%c, %y, %x) {
    %0 = pipeline.load %arg16[%c] : tensor<5xf32>
    %1 = pipeline.reduce (%rc, %ry, %rx) in [0, 5) x [0, 3) x [0, 3) (%acc = %0 : f32) {
      %3 = pipeline.load %arg15[%c, %rc, %ry, %rx] : tensor<5x5x3x3xf32>
      %4 = pipeline.load %layer6[%rc, %y + %ry - 1, %x + %rx - 1] constant(%cst) : tensor<5x?x?xf32>
      %5 = arith.mulf %3, %4 : f32
      %6 = arith.addf %acc, %5 : f32
      pipeline.yield %6 : f32
    } : f32
    %2 = arith.maximumf %1, %cst : f32
    pipeline.yield %2 : f32
  } sized(%dim, %dim_0) : tensor<5x?x?xf32>
  %layer8 = pipeline.stage "layer8" (%c, %y, %x) {
    %0 = pipeline.load %arg18[%c] : tensor<5xf32>
    %1 = pipeline.reduce (%rc, %ry, %rx) in [0, 5) x [0, 3) x [0, 3) (%acc = %0 : f32) {
      %3 = pipeline.load %arg17[%c, %rc, %ry, %rx] : tensor<5x5x3x3xf32>
      %4 = pipeline.load %layer7[%rc, %y + %ry - 1, %x + %rx - 1] constant(%cst) : tensor<5x?x?xf32>
      %5 = arith.mulf %3, %4 : f32
      %6 = arith.addf %acc, %5 : f32
      pipeline.yield %6 : f32
    } : f32
    %2 = arith.maximumf %1, %cst : f32
    pipeline.yield %2 : f32
  } sized(%dim, %dim_0) : tensor<5x?x?xf32>
  %layer9 = pipeline.stage "layer9" (%c, %y, %x) {
    %0 = pipeline.load %arg20[%c] : tensor<5xf32>
    %1 = pipeline.reduce (%rc, %ry, %rx) in [0, 5) x [0, 3) x [0, 3) (%acc = %0 : f32) {
      %3 = pipeline.load %arg19[%c, %rc, %ry, %rx] : tensor<5x5x3x3xf32>
      %4 = pipeline.load %layer8[%rc, %y + %ry - 1, %x + %rx - 1] constant(%cst) : tensor<5x?x?xf32>
      %5 = arith.mulf %3, %4 : f32
      %6 = arith.addf %acc, %5 : f32
      pipeline.yield %6 : f32
    } : f32
    %2 = arith.maximumf %1, %cst : f32
    pipeline.yield %2 : f32
  } sized(%dim, %dim_0) : tensor<5x?x?xf32>
  %layer10 = pipeline.stage "layer10" (%c, %y, %x) {
    %0 = pipeline.load %arg22[%c] : tensor<5xf32>
    %1 = pipeline.reduce (%rc, %ry, %rx) in [0, 5) x [0, 3) x [0, 3) (%acc = %0 : f32) {
      %3 = pipeline.load %arg21[%c, %rc, %ry, %rx] : tensor<5x5x3x3xf32>
      %4 = pipeline.load %layer9[%rc, %y + %ry - 1, %x + %rx - 1] constant(%cst) : tensor<5x?x?xf32>
      %5 = arith.mulf %3, %4 : f32
      %6 = arith.addf %acc, %5 : f32
      pipeline.yield %6 : f32
    } : f32
    %2 = arith.maximumf %1, %cst : f32
    pipeline.yield %2 : f32
  } sized(%dim, %dim_0) : tensor<5x?x?xf32>
  %layer11 = pipeline.stage "layer11" (%c, %y, %x) {
    %0 = pipeline.load %arg24[%c] : tensor<5xf32>
    %1 = pipeline.reduce (%rc, %ry, %rx) in [0, 5) x [0, 3) x [0, 3) (%acc = %0 : f32) {
      %3 = pipeline.load %arg23[%c, %rc, %ry, %rx] : tensor<5x5x3x3xf32>
      %4 = pipeline.load %layer10[%rc, %y + %ry - 1, %x + %rx - 1] constant(%cst) : tensor<5x?x?xf32>
      %5 = arith.mulf %3, %4 : f32
      %6 = arith.addf %acc, %5 : f32
      pipeline.yield %6 : f32
    } : f32
    %2 = arith.maximumf %1, %cst : f32
    pipeline.yield %2 : f32
  } sized(%dim, %dim_0) : tensor<5x?x?xf32>
  %layer12 = pipeline.stage "layer12" (%c, %y, %x) {
    %0 = pipeline.load %arg26[%c] : tensor<5xf32>
    %1 = pipeline.reduce (%rc, %ry, %rx) in [0, 5) x [0, 3) x [0, 3) (%acc = %0 : f32) {
      %3 = pipeline.load %arg25[%c, %rc, %ry, %rx] : tensor<5x5x3x3xf32>
      %4 = pipeline.load %layer11[%rc, %y + %ry - 1, %x + %rx - 1] constant(%cst) : tensor<5x?x?xf32>
      %5 = arith.mulf %3, %4 : f32
      %6 = arith.addf %acc, %5 : f32
      pipeline.yield %6 : f32
    } : f32
    %2 = arith.maximumf %1, %cst : f32
    pipeline.yield %2 : f32
  } sized(%dim, %dim_0) : tensor<5x?x?xf32>
  %layer13 = pipeline.stage "layer13" (%c, %y, %x) {
    %0 = pipeline.load %arg28[%c] : tensor<5xf32>
    %1 = pipeline.reduce (%rc, %ry, %rx) in [0, 5) x [0, 3) x [0, 3) (%acc = %0 : f32) {
      %3 = pipeline.load %arg27[%c, %rc, %ry, %rx] : tensor<5x5x3x3xf32>
      %4 = pipeline.load %layer12[%rc, %y + %ry - 1, %x + %rx - 1] constant(%cst) : tensor<5x?x?xf32>
      %5 = arith.mulf %3, %4 : f32
      %6 = arith.addf %acc, %5 : f32
      pipeline.yield %6 : f32
    } : f32
    %2 = arith.maximumf %1, %cst : f32
    pipeline.yield %2 : f32
  } sized(%dim, %dim_0) : tensor<5x?x?xf32>
  %layer14 = pipeline.stage "layer14" (%c, %y, %x) {
    %0 = pipeline.load %arg30[%c] : tensor<5xf32>
    %1 = pipeline.reduce (%rc, %ry, %rx) in [0, 5) x [0, 3) x [0, 3) (%acc = %0 : f32) {
      %3 = pipeline.load %arg29[%c, %rc, %ry, %rx] : tensor<5x5x3x3xf32>
      %4 = pipeline.load %layer13[%rc, %y + %ry - 1, %x + %rx - 1] constant(%cst) : tensor<5x?x?xf32>
      %5 = arith.mulf %3, %4 : f32
      %6 = arith.addf %acc, %5 : f32
      pipeline.yield %6 : f32
    } : f32
    %2 = arith.maximumf %1, %cst : f32
    pipeline.yield %2 : f32
  } sized(%dim, %dim_0) : tensor<5x?x?xf32>
  %layer15 = pipeline.stage "layer15" (%c, %y, %x) {
    %0 = pipeline.load %arg32[%c] : tensor<5xf32>
    %1 = pipeline.reduce (%rc, %ry, %rx) in [0, 5) x [0, 3) x [0, 3) (%acc = %0 : f32) {
      %3 = pipeline.load %arg31[%c, %rc, %ry, %rx] : tensor<5x5x3x3xf32>
      %4 = pipeline.load %layer14[%rc, %y + %ry - 1, %x + %rx - 1] constant(%cst) : tensor<5x?x?xf32>
      %5 = arith.mulf %3, %4 : f32
      %6 = arith.addf %acc, %5 : f32
      pipeline.yield %6 : f32
    } : f32
    %2 = arith.maximumf %1, %cst : f32
    pipeline.yield %2 : f32
  } sized(%dim, %dim_0) : tensor<5x?x?xf32>
  %layer16 = pipeline.stage "layer16" (%c, %y, %x) {
    %0 = pipeline.load %arg34[%c] : tensor<5xf32>
    %1 = pipeline.reduce (%rc, %ry, %rx) in [0, 5) x [0, 3) x [0, 3) (%acc = %0 : f32) {
      %3 = pipeline.load %arg33[%c, %rc, %ry, %rx] : tensor<5x5x3x3xf32>
      %4 = pipeline.load %layer15[%rc, %y + %ry - 1, %x + %rx - 1] constant(%cst) : tensor<5x?x?xf32>
      %5 = arith.mulf %3, %4 : f32
      %6 = arith.addf %acc, %5 : f32
      pipeline.yield %6 : f32
    } : f32
    %2 = arith.maximumf %1, %cst : f32
    pipeline.yield %2 : f32
  } sized(%dim, %dim_0) : tensor<5x?x?xf32>
  %layer17 = pipeline.stage "layer17" (%c, %y, %x) {
    %0 = pipeline.load %arg36[%c] : tensor<5xf32>
    %1 = pipeline.reduce (%rc, %ry, %rx) in [0, 5) x [0, 3) x [0, 3) (%acc = %0 : f32) {
      %3 = pipeline.load %arg35[%c, %rc, %ry, %rx] : tensor<5x5x3x3xf32>
      %4 = pipeline.load %layer16[%rc, %y + %ry - 1, %x + %rx - 1] constant(%cst) : tensor<5x?x?xf32>
      %5 = arith.mulf %3, %4 : f32
      %6 = arith.addf %acc, %5 : f32
      pipeline.yield %6 : f32
    } : f32
    %2 = arith.maximumf %1, %cst : f32
    pipeline.yield %2 : f32
  } sized(%dim, %dim_0) : tensor<5x?x?xf32>
  %layer18 = pipeline.stage "layer18" (%c, %y, %x) {
    %0 = pipeline.load %arg38[%c] : tensor<5xf32>
    %1 = pipeline.reduce (%rc, %ry, %rx) in [0, 5) x [0, 3) x [0, 3) (%acc = %0 : f32) {
      %3 = pipeline.load %arg37[%c, %rc, %ry, %rx] : tensor<5x5x3x3xf32>
      %4 = pipeline.load %layer17[%rc, %y + %ry - 1, %x + %rx - 1] constant(%cst) : tensor<5x?x?xf32>
      %5 = arith.mulf %3, %4 : f32
      %6 = arith.addf %acc, %5 : f32
      pipeline.yield %6 : f32
    } : f32
    %2 = arith.maximumf %1, %cst : f32
    pipeline.yield %2 : f32
  } sized(%dim, %dim_0) : tensor<5x?x?xf32>
  %layer19 = pipeline.stage "layer19" (%c, %y, %x) {
    %0 = pipeline.load %arg40[%c] : tensor<1xf32>
    %1 = pipeline.reduce (%rc, %ry, %rx) in [0, 5) x [0, 3) x [0, 3) (%acc = %0 : f32) {
      %4 = pipeline.load %arg39[%c, %rc, %ry, %rx] : tensor<1x5x3x3xf32>
      %5 = pipeline.load %layer18[%rc, %y + %ry - 1, %x + %rx - 1] constant(%cst) : tensor<5x?x?xf32>
      %6 = arith.mulf %4, %5 : f32
      %7 = arith.addf %acc, %6 : f32
      pipeline.yield %7 : f32
    } : f32
    %2 = pipeline.load %arg0[%c, %y, %x] : tensor<1x?x?xf32>
    %3 = arith.addf %1, %2 : f32
    pipeline.yield %3 : f32
  } sized(%dim, %dim_0) : tensor<1x?x?xf32>
  return %layer19 : tensor<1x?x?xf32>
}
