// Calls a program once for each of its allocations, which that time gives nothing: the call says so, frees the rest, and the next one
// does all. Or it does all itself, where a thread that got no memory came too late to have any work. Only what the object calls is
// counted (--wrap).
//
//   CALL    weft_f(IN(F32, 2d, 64, 80), 5, OUT(F32, 2d, 64, 80))
#include HEADER
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IN(type, rank, ...) image(weft_##rank(WEFT_##type, NULL, __VA_ARGS__))
#define OUT(type, rank, ...) (result = IN(type, rank, __VA_ARGS__))
// The layers of vdsr that are alike.
#define LAYER IN(F32, 4d, 64, 64, 3, 3), IN(F32, 1d, 64)
#define LAYERS_6 LAYER, LAYER, LAYER, LAYER, LAYER, LAYER

void *__real_malloc(size_t bytes);
void __real_free(void *memory);

static atomic_long asked, held;
static long fails; // which one, from 1 on; 0 for none

void *__wrap_malloc(size_t bytes) {
    if (atomic_fetch_add(&asked, 1) + 1 == fails) return NULL;
    atomic_fetch_add(&held, 1);
    return __real_malloc(bytes);
}

void __wrap_free(void *memory) {
    if (memory) atomic_fetch_sub(&held, 1);
    __real_free(memory);
}

// The images of a call, in the order in which it makes them; the memory is that of the first call.
static weft_buffer images[64], *result;
static int made;
static void *expected;

static size_t bytes_of(const weft_buffer *image) {
    static const size_t sizes[] = {[WEFT_F32] = 4, [WEFT_F64] = 8, [WEFT_U8] = 1, [WEFT_U16] = 2};
    size_t bytes = sizes[image->type];
    for (int d = 0; d < image->rank; d++) bytes *= (size_t)image->extents[d];
    return bytes;
}

static weft_buffer *image(weft_buffer wanted) {
    weft_buffer *it = &images[made++];
    wanted.data = it->data;
    *it = wanted;
    if (!it->data) {
        unsigned char *bytes = it->data = __real_malloc(bytes_of(it));
        for (size_t i = 0; i < bytes_of(it); i++) bytes[i] = i % 61;
    }
    return it;
}

static int32_t call(long failing) {
    made = 0, asked = 0, fails = failing;
    if (result) memset(result->data, 0xa5, bytes_of(result));
    return CALL;
}

int main(void) {
    call(0);
    int32_t status = call(0);
    long all = asked;
    if (status || held) return printf("status %d, %ld not freed: %s\n", status, (long)held, LAST_ERROR()), 1;
    size_t bytes = bytes_of(result);
    expected = __real_malloc(bytes);
    memcpy(expected, result->data, bytes);
    long refused = 0;
    for (long n = 1; n <= all; n++) {
        status = call(n);
        int is_right = status == WEFT_ERROR_MEMORY || (!status && !memcmp(expected, result->data, bytes));
        if (status && !strstr(LAST_ERROR(), "not enough memory")) return printf("allocation %ld: %s\n", n, LAST_ERROR()), 1;
        refused += status != 0;
        if (!is_right || held) return printf("allocation %ld: status %d, %ld not freed\n", n, status, (long)held), 1;
        status = call(0);
        if (status || held || memcmp(expected, result->data, bytes)) return printf("behind allocation %ld: status %d\n", n, status), 1;
    }
    printf("%ld allocations, each failed once; %ld calls did without\n", all, all - refused);
    return 0;
}
