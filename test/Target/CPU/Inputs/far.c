// Two rows far apart in memory that is not there but for them: places of 32 bits reach as far as they say, and no further.
#define _DEFAULT_SOURCE
#include "far.h"
#include <stdio.h>
#include <sys/mman.h>

enum { W = 77 };

static const int64_t FARTHEST = INT64_C(0x7fffffff) - (W - 1);

int main(void) {
    unsigned char *memory = mmap(NULL, (size_t)FARTHEST + 2 * W, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        return 2;
    }
    int64_t strides[] = {W, INT64_C(1) << 30, FARTHEST, -FARTHEST, FARTHEST + 1};
    // What is far beyond an edge is brought to it.
    float moves[] = {0.0f, 1.0f, -1.0f, 3e9f, -3e9f};
    for (int s = 0; s < 5; s++) {
        for (int m = 0; m < 5; m++) {
            int64_t stride = strides[s];
            unsigned char *first = memory + (stride < 0 ? -stride : 0), out[2 * W];
            for (int64_t y = 0; stride <= FARTHEST && y < 2; y++) {
                for (int64_t x = 0; x < W; x++) {
                    first[y * stride + x] = (unsigned char)(x * 3 + y * 101);
                }
            }
            weft_buffer img = weft_2d(WEFT_U8, first, 2, W), moved = weft_2d(WEFT_U8, out, 2, W);
            img.strides[0] = stride;
            if (weft_far(moves[m], &img, &moved) != 0) {
                printf("%d: %s\n", s, weft_far_error());
                break;
            }
            for (int64_t y = 0; y < 2; y++) {
                for (int64_t x = 0; x < W; x++) {
                    double at[2] = {x + (double)moves[m], y + (double)moves[m]};
                    int64_t from[2], ends[2] = {W - 1, 1};
                    for (int d = 0; d < 2; d++) {
                        from[d] = at[d] < 0 ? 0 : at[d] > ends[d] ? ends[d] : (int64_t)at[d];
                    }
                    if (out[y * W + x] != first[from[1] * stride + from[0]]) {
                        printf("stride %lld, move %g: (%d, %d) differs\n", (long long)stride, moves[m], (int)y, (int)x);
                        return 1;
                    }
                }
            }
        }
    }
    printf("done\n");
    return 0;
}
