// Calls a program once for each of its allocations, which that time gives nothing: the call says so, frees the rest, has written nothing, and
// the next one does all. Then in a workspace, at any address, where it allocates nothing and has not a byte too much.
// Only what the object calls is counted (--wrap). With a name, the result's bytes are written to a file of that name.
//
//   NAME         f
//   ARGUMENTS    IN(F32, 2d, 64, 80), NUMBER(5)
//   RESULTS      OUT(F32, 2d, 64, 80)
#include HEADER
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PASTE(a, b, c) a##b##c
#define FUNCTION(name, suffix) PASTE(weft_, name, suffix)
#define NUMBER(x) x
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
static weft_buffer images[128], *result;
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
    return FUNCTION(NAME, )(ARGUMENTS, RESULTS);
}

// Whether a call has left its result alone.
static int is_untouched(void) {
    const unsigned char *first = result->data;
    return *first == 0xa5 && !memcmp(first, first + 1, bytes_of(result) - 1);
}

// A call in so many bytes at this place: all right, or refused before anything is written.
static int is_right_in(unsigned char *workspace, int64_t bytes, int is_enough) {
    made = 0, asked = 0, fails = 0;
    memset(result->data, 0xa5, bytes_of(result));
    int32_t status = FUNCTION(NAME, _in)(ARGUMENTS, RESULTS, workspace, bytes);
    if (is_enough) return !status && !asked && !held && !memcmp(expected, result->data, bytes_of(result));
    return status == WEFT_ERROR_MEMORY && !asked && is_untouched();
}

// What is wrong with calls in a workspace, if anything.
static const char *in_workspace(void) {
    int64_t bytes = -1;
    // Images of its own: it has no result among them.
    made = 64, asked = 0;
    if (FUNCTION(NAME, _workspace)(ARGUMENTS, &bytes) || asked || bytes < 0) return "its size";
    // Behind it is what nobody may write to.
    unsigned char *memory = __real_malloc((size_t)bytes + 128);
    const char *wrong = NULL;
    for (int offset = 0; offset < 64 && !wrong; offset += 21) {
        memset(memory, 0xee, (size_t)bytes + 128);
        if (!is_right_in(memory + offset, bytes, 1)) wrong = "a call in it";
        for (int i = 0; i < offset; i++) if (memory[i] != 0xee) wrong = "what is before it";
        for (int i = 0; i < 64; i++) if (memory[bytes + offset + i] != 0xee) wrong = "what is behind it";
    }
    if (!wrong && bytes && !is_right_in(memory, bytes - 1, 0)) wrong = "one too small";
    if (!wrong && bytes && !is_right_in(NULL, bytes, 0)) wrong = "none";
    __real_free(memory);
    return wrong;
}

int main(int count, char **arguments) {
    call(0);
    int32_t status = call(0);
    long all = asked;
    if (status || held) return printf("status %d, %ld not freed: %s\n", status, (long)held, FUNCTION(NAME, _error)()), 1;
    size_t bytes = bytes_of(result);
    expected = __real_malloc(bytes);
    memcpy(expected, result->data, bytes);
    if (count > 1) {
        FILE *file = fopen(arguments[1], "wb");
        if (!file || fwrite(expected, 1, bytes, file) != bytes || fclose(file)) return puts("the result cannot be written"), 1;
    }
    for (long n = 1; n <= all; n++) {
        status = call(n);
        if (status != WEFT_ERROR_MEMORY || held || !is_untouched()) return printf("allocation %ld: status %d, %ld not freed\n", n, status, (long)held), 1;
        if (!strstr(FUNCTION(NAME, _error)(), "not enough memory")) return printf("allocation %ld: %s\n", n, FUNCTION(NAME, _error)()), 1;
        status = call(0);
        if (status || held || memcmp(expected, result->data, bytes)) return printf("behind allocation %ld: status %d\n", n, status), 1;
    }
    const char *wrong = in_workspace();
    if (wrong) return printf("workspace: %s is wrong: %s\n", wrong, FUNCTION(NAME, _error)()), 1;
    printf("%ld allocations, each failed once; none in a workspace\n", all);
    return 0;
}
