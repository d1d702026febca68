"""Ten programs on images of pixels, each written once and printed for both layouts.

`pixels<3xi8>` is the type of an image, and `[%y, %x; %c]` a place in it: planar these are tensor<3x?x?xi8> and [%c, %y, %x], interleaved
tensor<?x?x3xi8> and [%y, %x, %c]. `HEIGHT` and `WIDTH` are the dimensions of rows and columns.
"""

import re

HEAD = """
  %dy = arith.constant HEIGHT : index
  %dx = arith.constant WIDTH : index
  %h = tensor.dim %img, %dy : pixels<INxELEMENT>
  %w = tensor.dim %img, %dx : pixels<INxELEMENT>
"""

# Binomial blurs: a row of 5 weights along columns, then along rows.
BLUR_X = """
  %blurx = pipeline.stage "blurx" (%y, %x; %c) {
    %b0 = pipeline.load %img[%y, %x - 2; %c] clamp : pixels<3xi8>
    %b1 = pipeline.load %img[%y, %x - 1; %c] clamp : pixels<3xi8>
    %b2 = pipeline.load %img[%y, %x; %c] : pixels<3xi8>
    %b3 = pipeline.load %img[%y, %x + 1; %c] clamp : pixels<3xi8>
    %b4 = pipeline.load %img[%y, %x + 2; %c] clamp : pixels<3xi8>
    %p0 = arith.extui %b0 : i8 to i32
    %p1 = arith.extui %b1 : i8 to i32
    %p2 = arith.extui %b2 : i8 to i32
    %p3 = arith.extui %b3 : i8 to i32
    %p4 = arith.extui %b4 : i8 to i32
    %far = arith.addi %p0, %p4 : i32
    %near = arith.addi %p1, %p3 : i32
    %n = arith.muli %near, %four : i32
    %m = arith.muli %p2, %six : i32
    %s = arith.addi %far, %n : i32
    %v = arith.addi %s, %m : i32
    pipeline.yield %v : i32
  } sized(%h, %w) : pixels<3xi32>
"""
BLUR_Y = """
    %p0 = pipeline.load %blurx[%y - 2, %x; %c] clamp : pixels<3xi32>
    %p1 = pipeline.load %blurx[%y - 1, %x; %c] clamp : pixels<3xi32>
    %p2 = pipeline.load %blurx[%y, %x; %c] : pixels<3xi32>
    %p3 = pipeline.load %blurx[%y + 1, %x; %c] clamp : pixels<3xi32>
    %p4 = pipeline.load %blurx[%y + 2, %x; %c] clamp : pixels<3xi32>
    %far = arith.addi %p0, %p4 : i32
    %near = arith.addi %p1, %p3 : i32
    %n = arith.muli %near, %four : i32
    %m = arith.muli %p2, %six : i32
    %s = arith.addi %far, %n : i32
    %t = arith.addi %s, %m : i32
"""
WEIGHTS = """
  %four = arith.constant 4 : i32
  %six = arith.constant 6 : i32
  %half = arith.constant 128 : i32
  %eight = arith.constant 8 : i32
  %none = arith.constant 0 : i32
  %most = arith.constant 255 : i32
"""

# Name: channels and element of the argument, of the result (None: an image without channels), the body.
PROGRAMS = {
    "blur": ((3, "i8"), (3, "i8"), WEIGHTS + BLUR_X + """
  %out = pipeline.stage "blury" (%y, %x; %c) {""" + BLUR_Y + """
    %r = arith.addi %t, %half : i32
    %q = arith.shrui %r, %eight : i32
    %v = arith.trunci %q : i32 to i8
    pipeline.yield %v : i8
  } sized(%h, %w) : pixels<3xi8>
"""),
    "unsharp": ((3, "i8"), (3, "i8"), WEIGHTS + BLUR_X + """
  %two = arith.constant 512 : i32
  %out = pipeline.stage "sharp" (%y, %x; %c) {""" + BLUR_Y + """
    %b = pipeline.load %img[%y, %x; %c] : pixels<3xi8>
    %p = arith.extui %b : i8 to i32
    %d = arith.muli %p, %two : i32
    %e = arith.subi %d, %t : i32
    %r = arith.addi %e, %half : i32
    %q = arith.shrsi %r, %eight : i32
    %l = arith.maxsi %q, %none : i32
    %u = arith.minsi %l, %most : i32
    %v = arith.trunci %u : i32 to i8
    pipeline.yield %v : i8
  } sized(%h, %w) : pixels<3xi8>
"""),
    "sobel": ((3, "f32"), (None, "f32"), """
  %wr = arith.constant 0.299 : f32
  %wg = arith.constant 0.587 : f32
  %wb = arith.constant 0.114 : f32
  %two = arith.constant 2.0 : f32
  %gray = pipeline.stage "gray" (%y, %x) {
    %r = pipeline.load %img[%y, %x; 0] : pixels<3xf32>
    %g = pipeline.load %img[%y, %x; 1] : pixels<3xf32>
    %b = pipeline.load %img[%y, %x; 2] : pixels<3xf32>
    %0 = arith.mulf %r, %wr : f32
    %1 = arith.mulf %g, %wg : f32
    %2 = arith.mulf %b, %wb : f32
    %3 = arith.addf %0, %1 : f32
    %4 = arith.addf %3, %2 : f32
    pipeline.yield %4 : f32
  } sized(%h, %w) : tensor<?x?xf32>
  %out = pipeline.stage "sobel" (%y, %x) {
    %a = pipeline.load %gray[%y - 1, %x - 1] clamp : tensor<?x?xf32>
    %b = pipeline.load %gray[%y - 1, %x] clamp : tensor<?x?xf32>
    %c = pipeline.load %gray[%y - 1, %x + 1] clamp : tensor<?x?xf32>
    %d = pipeline.load %gray[%y, %x - 1] clamp : tensor<?x?xf32>
    %e = pipeline.load %gray[%y, %x + 1] clamp : tensor<?x?xf32>
    %f = pipeline.load %gray[%y + 1, %x - 1] clamp : tensor<?x?xf32>
    %g = pipeline.load %gray[%y + 1, %x] clamp : tensor<?x?xf32>
    %i = pipeline.load %gray[%y + 1, %x + 1] clamp : tensor<?x?xf32>
    %x0 = arith.subf %c, %a : f32
    %x1 = arith.subf %e, %d : f32
    %x2 = arith.subf %i, %f : f32
    %x3 = arith.mulf %x1, %two : f32
    %x4 = arith.addf %x0, %x3 : f32
    %gx = arith.addf %x4, %x2 : f32
    %y0 = arith.subf %f, %a : f32
    %y1 = arith.subf %g, %b : f32
    %y2 = arith.subf %i, %c : f32
    %y3 = arith.mulf %y1, %two : f32
    %y4 = arith.addf %y0, %y3 : f32
    %gy = arith.addf %y4, %y2 : f32
    %xx = arith.mulf %gx, %gx : f32
    %yy = arith.mulf %gy, %gy : f32
    %s = arith.addf %xx, %yy : f32
    %v = math.sqrt %s : f32
    pipeline.yield %v : f32
  } sized(%h, %w) : tensor<?x?xf32>
"""),
    "gray": ((3, "i8"), (None, "i8"), """
  %wr = arith.constant 4899 : i32
  %wg = arith.constant 9617 : i32
  %wb = arith.constant 1868 : i32
  %half = arith.constant 8192 : i32
  %bits = arith.constant 14 : i32
  %out = pipeline.stage "gray" (%y, %x) {
    %0 = pipeline.load %img[%y, %x; 0] : pixels<3xi8>
    %1 = pipeline.load %img[%y, %x; 1] : pixels<3xi8>
    %2 = pipeline.load %img[%y, %x; 2] : pixels<3xi8>
    %r = arith.extui %0 : i8 to i32
    %g = arith.extui %1 : i8 to i32
    %b = arith.extui %2 : i8 to i32
    %3 = arith.muli %r, %wr : i32
    %4 = arith.muli %g, %wg : i32
    %5 = arith.muli %b, %wb : i32
    %6 = arith.addi %3, %4 : i32
    %7 = arith.addi %6, %5 : i32
    %8 = arith.addi %7, %half : i32
    %9 = arith.shrui %8, %bits : i32
    %v = arith.trunci %9 : i32 to i8
    pipeline.yield %v : i8
  } sized(%h, %w) : tensor<?x?xi8>
"""),
    "ycrcb": ((3, "i8"), (3, "i8"), """
  %to = arith.constant dense<[[4899, 9617, 1868], [8192, -6860, -1332], [-2765, -5427, 8192]]> : tensor<3x3xi32>
  %plus = arith.constant dense<[8192, 2105344, 2105344]> : tensor<3xi32>
  %bits = arith.constant 14 : i32
  %none = arith.constant 0 : i32
  %most = arith.constant 255 : i32
  %out = pipeline.stage "ycrcb" (%y, %x; %c) {
    %0 = pipeline.load %img[%y, %x; 0] : pixels<3xi8>
    %1 = pipeline.load %img[%y, %x; 1] : pixels<3xi8>
    %2 = pipeline.load %img[%y, %x; 2] : pixels<3xi8>
    %wr = pipeline.load %to[%c, 0] : tensor<3x3xi32>
    %wg = pipeline.load %to[%c, 1] : tensor<3x3xi32>
    %wb = pipeline.load %to[%c, 2] : tensor<3x3xi32>
    %add = pipeline.load %plus[%c] : tensor<3xi32>
    %r = arith.extui %0 : i8 to i32
    %g = arith.extui %1 : i8 to i32
    %b = arith.extui %2 : i8 to i32
    %3 = arith.muli %r, %wr : i32
    %4 = arith.muli %g, %wg : i32
    %5 = arith.muli %b, %wb : i32
    %6 = arith.addi %3, %4 : i32
    %7 = arith.addi %6, %5 : i32
    %8 = arith.addi %7, %add : i32
    %9 = arith.shrsi %8, %bits : i32
    %l = arith.maxsi %9, %none : i32
    %u = arith.minsi %l, %most : i32
    %v = arith.trunci %u : i32 to i8
    pipeline.yield %v : i8
  } sized(%h, %w) : pixels<3xi8>
"""),
    "gamma": ((3, "i8"), (3, "i8"), """
  %table = arith.constant dense<TABLE> : tensor<256xi8>
  %out = pipeline.stage "gamma" (%y, %x; %c) {
    %0 = pipeline.load %img[%y, %x; %c] : pixels<3xi8>
    %1 = arith.index_castui %0 : i8 to index
    %v = pipeline.gather %table[%1] clamp : tensor<256xi8>
    pipeline.yield %v : i8
  } sized(%h, %w) : pixels<3xi8>
""".replace("TABLE", str([round(255 * (value / 255) ** (1 / 2.2)) for value in range(256)]))),
    "half": ((3, "i8"), (3, "i8"), """
  %two = arith.constant 2 : index
  %h2 = arith.divui %h, %two : index
  %w2 = arith.divui %w, %two : index
  %round = arith.constant 2 : i32
  %out = pipeline.stage "half" (%y, %x; %c) {
    %0 = pipeline.load %img[%y * 2, %x * 2; %c] clamp : pixels<3xi8>
    %1 = pipeline.load %img[%y * 2, %x * 2 + 1; %c] clamp : pixels<3xi8>
    %2 = pipeline.load %img[%y * 2 + 1, %x * 2; %c] clamp : pixels<3xi8>
    %3 = pipeline.load %img[%y * 2 + 1, %x * 2 + 1; %c] clamp : pixels<3xi8>
    %4 = arith.extui %0 : i8 to i32
    %5 = arith.extui %1 : i8 to i32
    %6 = arith.extui %2 : i8 to i32
    %7 = arith.extui %3 : i8 to i32
    %8 = arith.addi %4, %5 : i32
    %9 = arith.addi %6, %7 : i32
    %10 = arith.addi %8, %9 : i32
    %11 = arith.addi %10, %round : i32
    %12 = arith.shrui %11, %round : i32
    %v = arith.trunci %12 : i32 to i8
    pipeline.yield %v : i8
  } sized(%h2, %w2) : pixels<3xi8>
"""),
    "bilateral": ((3, "f32"), (3, "f32"), """
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %k = arith.constant 50.0 : f32
  %out = pipeline.stage "bilateral" (%y, %x; %c) {
    %here = pipeline.load %img[%y, %x; %c] : pixels<3xf32>
    %sum, %all = pipeline.reduce (%i, %j) in [-1, 2) x [-1, 2) (%s = %zero : f32, %n = %zero : f32) {
      %p = pipeline.load %img[%y + %i, %x + %j; %c] clamp : pixels<3xf32>
      %d = arith.subf %p, %here : f32
      %dd = arith.mulf %d, %d : f32
      %e = arith.mulf %dd, %k : f32
      %f = arith.addf %e, %one : f32
      %g = arith.divf %one, %f : f32
      %q = arith.mulf %p, %g : f32
      %t = arith.addf %s, %q : f32
      %u = arith.addf %n, %g : f32
      pipeline.yield %t, %u : f32, f32
    } : f32, f32
    %v = arith.divf %sum, %all : f32
    pipeline.yield %v : f32
  } sized(%h, %w) : pixels<3xf32>
"""),
    "blend": ((4, "i8"), (3, "i8"), """
  %most = arith.constant 255 : i32
  %half = arith.constant 127 : i32
  %out = pipeline.stage "blend" (%y, %x; %c) {
    %0 = pipeline.load %img[%y, %x; %c] : pixels<4xi8>
    %1 = pipeline.load %img[%y, %x; 3] : pixels<4xi8>
    %2 = pipeline.load %back[%y, %x; %c] clamp : pixels<3xi8>
    %p = arith.extui %0 : i8 to i32
    %a = arith.extui %1 : i8 to i32
    %b = arith.extui %2 : i8 to i32
    %n = arith.subi %most, %a : i32
    %3 = arith.muli %p, %a : i32
    %4 = arith.muli %b, %n : i32
    %5 = arith.addi %3, %4 : i32
    %6 = arith.addi %5, %half : i32
    %7 = arith.divui %6, %most : i32
    %v = arith.trunci %7 : i32 to i8
    pipeline.yield %v : i8
  } sized(%h, %w) : pixels<3xi8>
"""),
    "threshold": ((3, "i8"), (3, "i8"), """
  %lift = arith.constant 40 : i32
  %most = arith.constant 255 : i32
  %least = arith.constant 100 : i32
  %none = arith.constant 0 : i32
  %out = pipeline.stage "threshold" (%y, %x; %c) {
    %0 = pipeline.load %img[%y, %x; %c] : pixels<3xi8>
    %1 = arith.extui %0 : i8 to i32
    %2 = arith.addi %1, %lift : i32
    %3 = arith.minsi %2, %most : i32
    %4 = arith.cmpi sgt, %3, %least : i32
    %5 = arith.select %4, %3, %none : i32
    %v = arith.trunci %5 : i32 to i8
    pipeline.yield %v : i8
  } sized(%h, %w) : pixels<3xi8>
"""),
}


def text(name, is_interleaved):
    """A program of this layout."""
    (channels, element), (given, out), body = PROGRAMS[name]
    names = {"weft.name": '"img"', "weft.extents": '["H", "W", ""]' if is_interleaved else '["", "H", "W"]'}
    said = lambda **more: "{" + ", ".join(f"{key} = {value}" for key, value in {**names, **more}.items()) + "}"
    sign = lambda element: ", weft.unsigned}" if element == "i8" else "}"
    arguments = [f"%img: pixels<{channels}x{element}> {said()[:-1]}{sign(element)}"]
    if "%back" in body:
        arguments.append("%back: pixels<3xi8> " + said()[:-1].replace('"img"', '"back"') + sign("i8"))
    result = f"pixels<{given}x{out}>" if given else f"tensor<?x?x{out}>"
    head = HEAD.replace("INx", f"{channels}x").replace("ELEMENT", element)
    program = f"""func.func @{name}({', '.join(arguments)})
    -> ({result} {{weft.name = "out"{sign(out)}) {{{head}{body}
  return %out : {result}
}}
"""
    places = r"\2, \3" if is_interleaved else r"\3, \2"
    program = re.sub(r"([\[(])([^\[\]();]*); ([^\[\]();]*)(?=[\])])", rf"\1{places}", program)
    types = r"tensor<?x?x\1x\2>" if is_interleaved else r"tensor<\1x?x?x\2>"
    program = re.sub(r"pixels<(\d)x(\w+)>", types, program)
    rows = 0 if is_interleaved else 1
    return program.replace("HEIGHT", str(rows)).replace("WIDTH", str(rows + 1))
