/* blur.mlir whole, and in windows of parts that lie in the whole image: the same bits. A part that is another than the window needs is refused. */

#include "blur.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { H = 61, W = 83, ROWS = 17, COLUMNS = 24 };
static float image[H][W], whole[H][W], windows[H][W], part[H][W];

int main(void) {
  for (int y = 0; y < H; ++y)
    for (int x = 0; x < W; ++x)
      image[y][x] = (float)((y * 31 + x * 17) % 101) / 7;
  weft_buffer img = weft_2d(WEFT_F32, image, H, W), out = weft_2d(WEFT_F32, whole, H, W);
  if (weft_blur(&img, &out) != WEFT_OK)
    return puts(weft_blur_error()), 1;
  for (int64_t y = 0; y < H; y += ROWS)
    for (int64_t x = 0; x < W; x += COLUMNS) {
      int64_t y1 = y + ROWS < H ? y + ROWS : H, x1 = x + COLUMNS < W ? x + COLUMNS : W;
      int64_t needs[2][3], gives[2][5], about[2][2];
      weft_buffer n = weft_2d(WEFT_I64, needs, 2, 3), g = weft_2d(WEFT_I64, gives, 2, 5), a = weft_2d(WEFT_I64, about, 2, 2);
      if (weft_blur_window_needs(H, W, y, y1, x, x1, &n, &g, &a) != WEFT_OK)
        return puts(weft_blur_window_needs_error()), 1;
      img = weft_2d(WEFT_F32, &image[needs[0][1]][needs[1][1]], needs[0][2], needs[1][2]);
      out = weft_2d(WEFT_F32, part, gives[0][2], gives[1][2]);
      img.strides[0] = out.strides[0] = W;
      if (weft_blur_window(&img, H, W, y, y1, x, x1, &out) != WEFT_OK)
        return puts(weft_blur_window_error()), 1;
      for (int64_t row = 0; row < gives[0][4]; ++row)
        memcpy(&windows[y + row][x], &part[gives[0][3] + row][gives[1][3]], (size_t)gives[1][4] * sizeof(float));
    }
  puts(memcmp(whole, windows, sizeof whole) == 0 ? "the same" : "differ");

  img.extents[0] -= 1;
  if (weft_blur_window(&img, H, W, 51, H, 72, W, &out) == WEFT_ERROR_CHECK)
    puts(weft_blur_window_error());
  int64_t needs[2][3], gives[2][5], about[2][2];
  weft_buffer n = weft_2d(WEFT_I64, needs, 2, 3), g = weft_2d(WEFT_I64, gives, 2, 5), a = weft_2d(WEFT_I64, about, 2, 2);
  if (weft_blur_window_needs(H, W, 50, H + 1, 0, W, &n, &g, &a) == WEFT_ERROR_CHECK)
    puts(weft_blur_window_needs_error());
  return 0;
}
