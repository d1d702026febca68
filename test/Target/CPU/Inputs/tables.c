// Calls the program of test/Integration/tables.mlir: what it looks up is in the object.
#include "tables.h"
#include <stdio.h>

enum { H = 5, W = 9 };

int main(void) {
    static const int16_t tone[] = {-300, 20, 3, 41, 5, 1000};
    static uint8_t img[H][W], dithered[H][W];
    static int16_t toned[H][W];
    static float blur[H][W];
    static double wide[H][W];
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) img[y][x] = (uint8_t)(y * W + x);
    weft_buffer in = weft_2d(WEFT_U8, img, H, W), tones = weft_2d(WEFT_I16, toned, H, W), dither = weft_2d(WEFT_U8, dithered, H, W);
    weft_buffer blurred = weft_2d(WEFT_F32, blur, H, W), sums = weft_2d(WEFT_F64, wide, H, W);
    if (weft_f(&in, &blurred, &tones, &dither, &sums) != WEFT_OK) return puts(weft_f_error()), 1;
    int wrong = 0;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) wrong += toned[y][x] != tone[img[y][x] / 8 < 5 ? img[y][x] / 8 : 5];
    printf("%d wrong, dithered %d, blur %g, wide %g\n", wrong, dithered[1][1], blur[2][4], wide[0][8]);
    return 0;
}
