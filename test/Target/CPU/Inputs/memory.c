// Calls a program once for each of its allocations, which that time gives nothing: the call says so, frees the rest, and the next one
// does all. Or it does all itself, where a thread that got no memory came too late to have any work. Only what the object calls is
// counted (--wrap).
#include HEADER
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static weft_buffer image(void) {
    weft_buffer made = {NULL, WEFT_INTERFACE, TYPE, RANK, EXTENTS, {0}};
    int64_t points = 1;
    for (int d = RANK - 1; d >= 0; d--) {
        made.strides[d] = points;
        points *= made.extents[d];
    }
    made.data = calloc(points, 8); // of any type
    return made;
}

int main(void) {
    weft_buffer a = image(), b = image(), c = image(), result = image(), expected = image();
    (void)b, (void)c;
    size_t bytes = 8 * a.strides[0] * a.extents[0];
    for (size_t i = 0; i < bytes; i++) ((unsigned char *)a.data)[i] = i % 61;
    memset(result.data, 0xa5, 8 * result.strides[0] * result.extents[0]);
    int32_t status = CALL;
    memcpy(expected.data, result.data, bytes);
    long all = asked;
    char said[1024] = "";
    if (status || held) return printf("status %d, %ld not freed\n", status, (long)held), 1;
    for (long n = 1; n <= all; n++) {
        asked = 0, fails = n;
        memset(result.data, 0xa5, bytes);
        status = CALL;
        int is_right = status == WEFT_ERROR_MEMORY || (!status && !memcmp(expected.data, result.data, bytes));
        if (status) snprintf(said, sizeof said, "%s", LAST_ERROR());
        if (!is_right || held) return printf("allocation %ld: status %d, %ld not freed\n", n, status, (long)held), 1;
        fails = 0;
        memset(result.data, 0xa5, bytes);
        status = CALL;
        if (status || held || memcmp(expected.data, result.data, bytes)) return printf("behind allocation %ld: status %d\n", n, status), 1;
    }
    printf("%s; of %ld allocations each failed once\n", said, all);
    return 0;
}
