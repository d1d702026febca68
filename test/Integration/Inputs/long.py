"""Writes a program of many stages: each reads the one before and the one three before it, along x and along y."""

import sys

stages = int(sys.argv[1])
print('func.func @long(%s: tensor<?x?xf32> {weft.name = "img"}) -> (tensor<?x?xf32> {weft.name = "out"}) {')
print("  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %half = arith.constant 0.5 : f32")
print("  %h = tensor.dim %s, %c0 : tensor<?x?xf32>\n  %w = tensor.dim %s, %c1 : tensor<?x?xf32>")
images = ["%s"]
for number in range(stages):
    before, further = images[-1], images[max(0, len(images) - 3)]
    print(f'  %s{number} = pipeline.stage "s{number}" (%y, %x) {{')
    print(f"    %a = pipeline.load {before}[%y, %x - 1] clamp : tensor<?x?xf32>")
    print(f"    %b = pipeline.load {further}[%y + 1, %x] clamp : tensor<?x?xf32>")
    print("    %c = arith.subf %a, %b : f32\n    %d = arith.mulf %c, %half : f32\n    %e = arith.addf %b, %d : f32")
    print("    pipeline.yield %e : f32\n  } sized(%h, %w) : tensor<?x?xf32>")
    images.append(f"%s{number}")
print(f"  return {images[-1]} : tensor<?x?xf32>\n}}")
