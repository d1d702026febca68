// OpenMP's runtime as far as emitted code calls it, with teams of one thread: for CPUs that there is no such runtime for here. Loops are
// given out in their chunks, one after the other, as one thread of many gets them.
#include <stdarg.h>
#include <stdint.h>

// The loop that a thread is in: what is left of it, ends included.
static _Thread_local struct {
    uint64_t next, last, step, chunk;
    int is_done;
} loop;

typedef void body(int32_t *thread, int32_t *of_team, ...);

int32_t omp_get_num_procs(void) { return 3; }
int32_t omp_get_thread_num(void) { return 0; }
int32_t __kmpc_global_thread_num(void *place) { return (void)place, 0; }
void __kmpc_push_num_threads(void *place, int32_t thread, int32_t threads) { (void)place, (void)thread, (void)threads; }
void __kmpc_barrier(void *place, int32_t thread) { (void)place, (void)thread; }

void __kmpc_fork_call(void *place, int32_t count, body *run, ...) {
    int32_t thread = 0, of_team = 0;
    void *values[8] = {0};
    va_list given;
    va_start(given, run);
    for (int32_t i = 0; i < count && i < 8; i++) values[i] = va_arg(given, void *);
    va_end(given);
    (void)place;
    ((void (*)(int32_t *, int32_t *, void *, void *, void *, void *, void *, void *, void *, void *))run)(
        &thread, &of_team, values[0], values[1], values[2], values[3], values[4], values[5], values[6], values[7]);
}

void __kmpc_dispatch_init_8u(void *place, int32_t thread, int32_t kind, uint64_t first, uint64_t last, int64_t step, int64_t chunk) {
    (void)place, (void)thread, (void)kind;
    loop.next = first, loop.last = last, loop.step = step, loop.chunk = chunk < 1 ? 1 : chunk, loop.is_done = first > last;
}

int32_t __kmpc_dispatch_next_8u(void *place, int32_t thread, int32_t *is_last, uint64_t *first, uint64_t *last, int64_t *step) {
    (void)place, (void)thread;
    if (loop.is_done) return 0;
    uint64_t left = (loop.last - loop.next) / loop.step;
    *first = loop.next, *step = (int64_t)loop.step;
    loop.is_done = left < loop.chunk;
    *last = loop.is_done ? loop.last : loop.next + (loop.chunk - 1) * loop.step;
    *is_last = loop.is_done, loop.next = *last + loop.step;
    return 1;
}
