// Images that begin or end at memory that nobody may read, the right way up and upside down, against the same ones in the middle of a buffer.
#define _DEFAULT_SOURCE
#include "ends.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

static unsigned char *guarded(size_t bytes, int at_end) {
    size_t pages = (bytes + PAGE - 1) / PAGE * PAGE;
    unsigned char *all = mmap(NULL, pages + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED || mprotect(all + PAGE, pages, PROT_READ | PROT_WRITE) != 0) {
        exit(2);
    }
    return all + PAGE + (at_end ? pages - bytes : 0);
}

static weft_buffer image(unsigned char *data, int64_t h, int64_t w, int turned) {
    weft_buffer made = weft_3d(WEFT_U8, data + (turned ? (h - 1) * w * 3 : 0), h, w, 3);
    made.strides[0] *= turned ? -1 : 1;
    return made;
}

int main(void) {
    int64_t sizes[][2] = {{1, 1}, {2, 2}, {1, 64}, {64, 1}, {3, 200}, {64, 64}, {70, 129}};
    for (size_t size = 0; size < sizeof sizes / sizeof *sizes; size++) {
        int64_t h = sizes[size][0], w = sizes[size][1];
        size_t bytes = (size_t)(h * w * 3), more = 4096;
        for (int which = 0; which < 4; which++) {
            unsigned char *own = guarded(bytes, which & 1), *middle = calloc(1, bytes + 2 * more);
            for (size_t i = 0; i < bytes; i++) {
                own[i] = middle[more + i] = (unsigned char)rand();
            }
            unsigned char *out[2] = {guarded(bytes, which & 1), malloc(bytes)};
            int32_t *down[2] = {(int32_t *)guarded(4 * (size_t)(h * w), which & 1), malloc(4 * (size_t)(h * w))};
            for (int run = 0; run < 2; run++) {
                weft_buffer in = image(run ? middle + more : own, h, w, which >> 1);
                weft_buffer result = weft_3d(WEFT_U8, out[run], h, w, 3), sums = weft_2d(WEFT_I32, down[run], w, h);
                if (weft_ends(&in, &result, &sums) != 0) {
                    printf("%s\n", weft_ends_error());
                    return 1;
                }
            }
            if (memcmp(out[0], out[1], bytes) != 0 || memcmp(down[0], down[1], 4 * (size_t)(h * w)) != 0) {
                printf("%dx%d differs\n", (int)h, (int)w);
                return 1;
            }
        }
    }
    printf("done\n");
    return 0;
}
