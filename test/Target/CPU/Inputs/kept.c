// Counts the large blocks that calls make and give back.
#include "iir_blur.h"
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { W = 1500, H = 1900, MOST = 3 * (H + 40) * W, LARGE = 32 << 20 };

static atomic_long made, there;

void *__real_malloc(size_t bytes);
void __real_free(void *memory);

void *__wrap_malloc(size_t bytes) {
    void *memory = __real_malloc(bytes);
    if (memory && bytes >= LARGE) made++, there++;
    return memory;
}

void __wrap_free(void *memory) {
    // malloc gives no less than it was asked for, and hardly more.
    if (memory && malloc_usable_size(memory) >= LARGE) there--;
    __real_free(memory);
}

static float in[MOST];

// Runs behind the destructors of what is linked.
__attribute__((destructor(101))) static void end(void) { printf("end: %ld there\n", (long)there); }

static int call(int64_t h, float *to) {
    weft_buffer img = weft_3d(WEFT_F32, in, 3, h, W), out = weft_3d(WEFT_F32, to, 3, h, W);
    return weft_iir_blur(&img, 0.25f, &out);
}

static float expected[MOST];

static void *calls(void *to) {
    for (int i = 0; i < 6; i++) {
        memset(to, 0xff, sizeof expected);
        if (call(H + i % 3 * 20, to) || memcmp(to, expected, sizeof(float) * W)) return NULL;
    }
    return to;
}

int main(void) {
    static float out[2][MOST];
    for (int i = 0; i < MOST; i++) in[i] = (float)(i * 37 % 101);
    if (call(H, expected)) return puts(weft_iir_blur_error()), 1;
    printf("first: %ld made, %ld there\n", (long)made, (long)there);
    made = 0;
    // What was in the memory before does not show.
    if (call(H, out[0]) || memcmp(out[0], expected, sizeof(float) * 3 * H * W)) return puts("differs"), 1;
    printf("again: %ld made, %ld there\n", (long)made, (long)there);
    for (int h = H + 1; h <= H + 20; h++) {
        if (call(h, out[0])) return 1;
        if (there > 8) return printf("%ld there\n", (long)there), 1;
    }
    puts("20 sizes: at most 8 there");
    made = 0;
    if (call(20, out[0])) return 1;
    printf("small: %ld made\n", (long)made);
    // The first row depends on what is below it, but not on so far below.
    pthread_t threads[2];
    void *right[2] = {NULL, NULL};
    if (call(H, expected)) return 1;
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, calls, out[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], &right[i]);
    puts(right[0] && right[1] ? "two threads: right" : "two threads: wrong");
    return 0;
}
