// Calls a program with random buffers, right and wrong ones, and holds what it says and writes against the rules of docs/c.md, which stand here
// a second time: what is wrong with a buffer is asked of it alone, and overlap of every byte.
//
//   fuzz SEED COUNT    COUNT cases; each can be drawn alone, by its number
//
//   NAME         f
//   ARGUMENTS    IN(F32, 2d, 64, 80), NUMBER(5)
//   RESULTS      OUT(F32, 2d, 64, 80)
//   EXTENTS      those that the header says of all buffers, in turn, -1 for any
//
// A right call gives what a call on images without gaps gives; a wrong one has a code of what is wrong. Every other byte stays, of the images,
// between their rows, around them. Each image has a region of its own between pages without access, and often begins or ends there.
#define _GNU_SOURCE
#include HEADER
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PASTE(a, b, c) a##b##c
#define FUNCTION(name, suffix) PASTE(weft_, name, suffix)
#define TEXT(name) #name
#define STRING(name) TEXT(name)
#define BIT(code) (1u << (code))

enum { MOST = 64, REGION = 1 << 18, PAGE = 4096, STEP = REGION + PAGE, EDGE = 4096, SPACE = 1 << 22 };

// What the program takes, by its numbers in the order of a call: `described` is the call that is written down.
static struct { weft_buffer described; int is_result; int64_t extents[4]; } wanted[MOST];
static int buffers;

// The next call: a pointer each, to what `given` has or NULL; extents for the function that tells them.
static weft_buffer given[MOST], *passed[MOST];
static int64_t told[MOST][4], *told_to[MOST];
static int64_t shift; // of numbers
static void *workspace;
static int64_t workspace_bytes;

// Regions, what they held before a call, and whose each byte is: 0, 1 for an argument, else a result.
static unsigned char *regions, *before, *owner, *space;

static int64_t number(int64_t x) { return x - shift; }

static weft_buffer *slot(int index, weft_buffer described, int is_result) {
    wanted[index].described = described;
    wanted[index].is_result = is_result;
    if (index >= buffers) buffers = index + 1;
    return passed[index];
}

// The arguments of a call are evaluated in any order: a buffer's number is that of its place in the text.
#define NUMBER(x) number(x)
#define SLOT(is_result, type, rank, ...) slot(__COUNTER__ - start - 1, weft_##rank(WEFT_##type, NULL __VA_OPT__(, ) __VA_ARGS__), is_result)
#define IN(...) SLOT(0, __VA_ARGS__)
#define LAYER IN(F32, 4d, 64, 64, 3, 3), IN(F32, 1d, 64)
#define LAYERS_6 LAYER, LAYER, LAYER, LAYER, LAYER, LAYER
#define OUT(...) SLOT(1, __VA_ARGS__)
static int32_t call(void) {
    enum { start = __COUNTER__ };
    return FUNCTION(NAME, )(ARGUMENTS, RESULTS);
}
static int32_t call_in(void) {
    enum { start = __COUNTER__ };
    return FUNCTION(NAME, _in)(ARGUMENTS, RESULTS, workspace, workspace_bytes);
}
static int32_t ask_workspace(void) {
    enum { start = __COUNTER__ };
    return FUNCTION(NAME, _workspace)(ARGUMENTS, &workspace_bytes);
}
#undef OUT
#define OUT(...) told_to[__COUNTER__ - start - 1]
static int32_t ask_extents(void) {
    enum { start = __COUNTER__ };
    return FUNCTION(NAME, _extents)(ARGUMENTS, RESULTS);
}
static const char *message(void) { return FUNCTION(NAME, _error)(); }

// ---- chance -----------------------------------------------------------------------------------------------------------------------

static uint64_t state, case_number;

static uint64_t draw(void) {
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}
static int64_t below(int64_t end) { return (int64_t)(draw() % (uint64_t)end); }
static int one_in(int64_t times) { return below(times) == 0; }

static int64_t extreme(void) {
    static const int64_t some[] = {INT64_MAX, INT64_MIN, INT64_MIN + 1, (int64_t)1 << 62, (int64_t)1 << 32, (int64_t)1 << 31, -((int64_t)1 << 40), -1, -2, 0, 1, 2, 3};
    return some[below(sizeof some / sizeof *some)];
}

static void fail(const char *what, int32_t status) {
    printf("case %llu: status %d, %s: %s\n", (unsigned long long)case_number, status, what, message());
    for (int i = 0; i < buffers; i++) {
        const weft_buffer *it = &given[i];
        printf("  %s %d%s: data %p interface %d type %d rank %d", wanted[i].is_result ? "result" : "argument", i, passed[i] ? "" : " (NULL)", it->data, it->interface, it->type, it->rank);
        for (int d = 0; d < 4; d++) printf(" %lld*%lld", (long long)it->extents[d], (long long)it->strides[d]);
        puts("");
    }
    exit(1);
}

static void stopped(int signal) {
    printf("case %llu: signal %d\n", (unsigned long long)case_number, signal);
    fflush(stdout);
    _exit(1);
}

// ---- images -----------------------------------------------------------------------------------------------------------------------

static int64_t size_of(const weft_buffer *b) {
    static const int sizes[] = {[WEFT_I8] = 1, [WEFT_U8] = 1, [WEFT_I16] = 2, [WEFT_U16] = 2, [WEFT_F16] = 2, [WEFT_I32] = 4, [WEFT_U32] = 4, [WEFT_F32] = 4, [WEFT_I64] = 8, [WEFT_U64] = 8, [WEFT_F64] = 8};
    return sizes[b->type];
}

static int is_empty(const weft_buffer *b) {
    for (int d = 0; d < b->rank; d++) if (!b->extents[d]) return 1;
    return 0;
}

// The bytes from the first to behind the last, counted from its data.
static void hull(const weft_buffer *b, __int128 *low, __int128 *high) {
    *low = 0, *high = size_of(b);
    for (int d = 0; d < b->rank; d++) {
        __int128 reach = ((__int128)b->extents[d] - 1) * b->strides[d];
        // What is this far away is nowhere.
        const __int128 far = (__int128)1 << 100;
        reach = reach > far ? far : reach < -far ? -far : reach * size_of(b);
        if (reach < 0) *low += reach; else *high += reach;
    }
}

// Whether all of an image lies in one region; without points it may lie anywhere. With steps of 0 there is room for more points than can be
// looked at.
static int is_real(const weft_buffer *b) {
    if (is_empty(b)) return 1;
    double points = 1;
    for (int d = 0; d < b->rank; d++) points *= (double)b->extents[d];
    if (points > 4 * REGION) return 0;
    __int128 low, high, at = (__int128)(uintptr_t)b->data - (uintptr_t)regions;
    hull(b, &low, &high);
    if (at + low < 0 || at + high > (__int128)MOST * STEP) return 0;
    return (at + low) / STEP == (at + high - 1) / STEP && (at + high - 1) % STEP < REGION;
}

// Goes to the next point; 0 behind the last.
static int next(const weft_buffer *b, int64_t *at) {
    for (int d = b->rank - 1; d >= 0; d--) {
        if (++at[d] < b->extents[d]) return 1;
        at[d] = 0;
    }
    return 0;
}
static unsigned char *place(const weft_buffer *b, const int64_t *at) {
    int64_t offset = 0;
    for (int d = 0; d < b->rank; d++) if (at[d]) offset += at[d] * b->strides[d];
    return (unsigned char *)b->data + offset * size_of(b);
}
#define EACH_POINT(b, at) for (int64_t at[4] = {0}, more_ = !is_empty(b); more_; more_ = next(b, at))

static void dense_strides(weft_buffer *b) {
    int64_t step = 1;
    for (int d = b->rank - 1; d >= 0; d--) b->strides[d] = step, step *= b->extents[d];
}

static int64_t bytes_of(const weft_buffer *b) {
    int64_t bytes = size_of(b);
    for (int d = 0; d < b->rank; d++) bytes *= b->extents[d];
    return bytes;
}

static int is_same(const void *a, const void *b, const weft_buffer *image) {
    if (!memcmp(a, b, (size_t)size_of(image))) return 1;
    // Any NaN is any other.
    if (image->type == WEFT_F32) {
        float x, y;
        memcpy(&x, a, 4), memcpy(&y, b, 4);
        return x != x && y != y;
    }
    if (image->type == WEFT_F64) {
        double x, y;
        memcpy(&x, a, 8), memcpy(&y, b, 8);
        return x != x && y != y;
    }
    return 0;
}

static void write_values(const weft_buffer *b) {
    EACH_POINT(b, at) {
        uint64_t bits = draw();
        float f = (float)(bits % 4096) / 64 - 8;
        double d = f;
        if (b->type == WEFT_F16) bits &= 0x3fff;
        memcpy(place(b, at), b->type == WEFT_F32 ? (void *)&f : b->type == WEFT_F64 ? (void *)&d : (void *)&bits, (size_t)size_of(b));
    }
}

// Strides that are right: with gaps, planes with their rows in turn, the last first; of an argument also rows that overlap.
static void draw_strides(weft_buffer *b, int is_result) {
    dense_strides(b);
    if (b->rank < 2 || one_in(3)) return;
    int order[3] = {b->rank - 2, b->rank - 3, b->rank - 4};
    int outer = b->rank - 1;
    if (one_in(3)) {
        int i = (int)below(outer), swapped = order[i];
        order[i] = order[0], order[0] = swapped;
    }
    int64_t width = b->extents[outer], span = width ? width : 1;
    int gap = (int)below(3);
    for (int i = 0; i < outer; i++) {
        int d = order[i];
        int64_t steps = b->extents[d] > 1 ? b->extents[d] - 1 : 0;
        b->strides[d] = span + (gap == 0 ? 0 : gap == 1 ? below(9) : width + below(9));
        if (!is_result && one_in(6)) b->strides[d] = below(span + 1);
        span += steps * b->strides[d];
        if (one_in(4)) b->strides[d] = -b->strides[d];
        // No step is made.
        if (b->extents[d] < 2 && one_in(3)) b->strides[d] = extreme();
    }
}

// Memory for an image: in its own region, at an end of it or between, or beside another image, whose strides it may take.
static void draw_place(int index) {
    weft_buffer *b = &given[index];
    __int128 low, high;
    if (is_empty(b)) {
        b->data = one_in(2) ? NULL : (void *)(uintptr_t)(1 + below(4096));
        return;
    }
    hull(b, &low, &high);
    if (high - low > REGION) dense_strides(b), hull(b, &low, &high);
    if (high - low > REGION) fail("is too large for a region", 0);
    int64_t room = REGION - (int64_t)(high - low), size = size_of(b);
    int64_t from = one_in(3) ? 0 : one_in(2) ? room : one_in(8) ? below(room + 1) : below(room / size + 1) * size;
    b->data = regions + (int64_t)index * STEP + from - (int64_t)low;
    if (!wanted[index].is_result || !index || !one_in(3)) return;

    weft_buffer moved = *b;
    const weft_buffer *other = &given[below(index)];
    if (is_empty(other)) return;
    int is_alike = other->rank == b->rank && !one_in(3);
    if (is_alike) memcpy(moved.strides, other->strides, sizeof moved.strides);
    __int128 first, last;
    hull(other, &first, &last);
    int64_t width = other->rank ? other->extents[other->rank - 1] : 1;
    int64_t ways[] = {0, below(9) * size, width * size_of(other), -width * size, (int64_t)last, -(int64_t)(high - low), below(2000) - 1000};
    moved.data = (unsigned char *)other->data + ways[is_alike && one_in(2) ? 2 : below(7)];
    if (is_real(&moved)) *b = moved;
}

// ---- rules ------------------------------------------------------------------------------------------------------------------------

// What is wrong with a buffer by itself, as a set of codes. `extents` are those that it must have, -1 for any.
static unsigned wrong_with(int index, const int64_t *extents, int has_memory) {
    const weft_buffer *b = passed[index], *described = &wanted[index].described;
    if (!b) return BIT(WEFT_ERROR_NULL);
    if (b->interface != WEFT_INTERFACE) return BIT(WEFT_ERROR_INTERFACE);
    unsigned wrong = b->type != described->type || b->rank != described->rank ? BIT(WEFT_ERROR_TYPE) : 0;
    if (wrong) return wrong;
    for (int d = 0; d < b->rank; d++)
        if (b->extents[d] < 0 || (extents[d] >= 0 && b->extents[d] != extents[d])) wrong |= BIT(WEFT_ERROR_EXTENTS);
    if (!has_memory) return wrong;
    if (!b->data && !is_empty(b)) wrong |= BIT(WEFT_ERROR_NULL);
    if (b->rank && b->strides[b->rank - 1] != 1) wrong |= BIT(WEFT_ERROR_STRIDES);
    return wrong;
}

// Whether each stride of a result reaches over all that shorter ones reach, so that surely no point is two.
static int is_spread(const weft_buffer *b) {
    for (int d = 0; d < b->rank; d++) {
        if (b->extents[d] < 2) continue;
        __int128 span = 1, own = b->strides[d] < 0 ? -(__int128)b->strides[d] : b->strides[d];
        for (int e = 0; e < b->rank; e++) {
            __int128 step = b->strides[e] < 0 ? -(__int128)b->strides[e] : b->strides[e];
            if (e != d && (step < own || (step == own && e > d))) span += (b->extents[e] - 1) * step;
        }
        if (own < span) return 0;
    }
    return 1;
}

static int do_hulls_meet(const weft_buffer *a, const weft_buffer *b) {
    __int128 a_low, a_high, b_low, b_high, apart = (__int128)(uintptr_t)b->data - (uintptr_t)a->data;
    if (is_empty(a) || is_empty(b)) return 0;
    hull(a, &a_low, &a_high), hull(b, &b_low, &b_high);
    return apart + b_low < a_high && a_low < apart + b_high;
}

// Results whose ends lie within those of another image.
static int beside;

// Marks whose each byte is: codes of what points of a result share. `may` has what may be refused as well.
static unsigned shared_points(unsigned *may) {
    unsigned wrong = 0;
    beside = 0;
    for (int i = 0; i < buffers; i++) memset(owner + (int64_t)i * STEP, 0, REGION);
    for (int i = 0; i < buffers; i++) {
        const weft_buffer *b = &given[i];
        unsigned char mine = wanted[i].is_result ? (unsigned char)(2 + i) : 1;
        for (int j = 0; j < i; j++) beside += wanted[i].is_result && do_hulls_meet(b, &given[j]);
        if (wanted[i].is_result && !is_spread(b)) *may |= BIT(WEFT_ERROR_STRIDES);
        EACH_POINT(b, at) {
            unsigned char *its = owner + (place(b, at) - regions);
            for (int64_t k = 0; k < size_of(b); k++) {
                if (wanted[i].is_result && its[k]) wrong |= its[k] == mine ? BIT(WEFT_ERROR_STRIDES) : BIT(WEFT_ERROR_ALIAS);
                its[k] = mine;
            }
        }
    }
    return wrong;
}

// ---- a case -----------------------------------------------------------------------------------------------------------------------

static long right, apart, skipped, asked, in_workspace, seen[16];

// Extents that the program can be called with, most of the time: equal ones change together.
static void draw_extents(void) {
    int64_t from[4], to[4];
    for (int k = 0; k < 4; k++) from[k] = to[k] = -1;
    if (!one_in(3)) for (int k = 0; k < 4; k++) {
        const weft_buffer *b = &wanted[below(buffers)].described;
        if (!b->rank) continue;
        from[k] = b->extents[below(b->rank)];
        to[k] = one_in(4) ? below(5) : below(from[k] + from[k] / 4 + 1);
    }
    for (int i = 0; i < buffers; i++) {
        given[i] = wanted[i].described;
        passed[i] = &given[i];
        told_to[i] = told[i];
        for (int d = 0; d < given[i].rank; d++)
            for (int k = 0; k < 4; k++)
                if (wanted[i].extents[d] < 0 && wanted[i].described.extents[d] == from[k]) given[i].extents[d] = to[k];
    }
}

static void spoil(void) {
    int i = (int)below(buffers);
    weft_buffer *b = &given[i];
    int64_t d = b->rank > 0 && b->rank <= 4 ? below(b->rank) : 0;
    switch (below(12)) {
    case 0: passed[i] = NULL; break;
    case 1: b->interface = one_in(2) ? 0 : (int16_t)draw(); break;
    case 2: b->type = one_in(8) ? (int16_t)draw() : (int16_t)below(14); break;
    case 3: b->rank = one_in(8) ? (int32_t)draw() : (int32_t)below(7) - 1; break;
    case 4: b->data = one_in(4) ? (void *)(uintptr_t)draw() : NULL; break;
    case 5: b->extents[d] = one_in(2) ? -1 - below(3) : extreme(); break;
    case 6: b->extents[d] += one_in(2) ? 1 : -1; break;
    case 7: b->extents[d] = below(40); break;
    case 8: b->strides[wanted[i].described.rank ? wanted[i].described.rank - 1 : 0] = extreme(); break;
    case 9: b->strides[d] = extreme(); break;
    case 10: b->strides[d] += below(41) - 20; break;
    default: {
        const weft_buffer *other = &given[below(buffers)];
        b->data = (unsigned char *)other->data + (one_in(2) ? 0 : below(65) - 32);
    }
    }
}

// Holds what a call said against what is wrong: one of `must`, or of `may`.
static void judge(int32_t status, unsigned must, unsigned may) {
    if (status < 0 || status > 10) fail("no code", status);
    if (must ? !status || !((must | may) & BIT(status)) : status && !(may & BIT(status))) {
        char what[80];
        snprintf(what, sizeof what, "expected one of the set %#x, perhaps %#x", must ? must : 1, may);
        fail(what, status);
    }
    seen[status]++;
    const char *said = message();
    if (!status != !*said || strchr(said, '\n')) fail("its message", status);
    if (status && status != WEFT_ERROR_CHECK && strncmp(said, STRING(NAME) ": ", strlen(STRING(NAME)) + 2)) fail("its message", status);
}

static void compare_regions(int32_t status) {
    for (int i = 0; i < buffers; i++)
        if (memcmp(regions + (int64_t)i * STEP, before + (int64_t)i * STEP, REGION)) fail("wrote what is not its own", status);
}

// What the function that tells extents says of arguments alone, and where nothing is wrong with them, the extents of results in `told`.
static void judge_extents(unsigned must) {
    for (int i = 0; i < buffers; i++) for (int d = 0; d < 4; d++) told[i][d] = -77;
    int32_t status = ask_extents();
    judge(status, must, must ? 0 : BIT(WEFT_ERROR_CHECK));
    for (int i = 0; i < buffers; i++)
        for (int d = 0; d < 4; d++) {
            int is_told = !status && wanted[i].is_result && told_to[i] && d < wanted[i].described.rank;
            if (is_told ? told[i][d] < 0 : told[i][d] != -77) fail("extents that are told", status);
        }
}

// The same call on images without gaps, in memory of their own; what it said.
static int32_t reference(weft_buffer *dense) {
    for (int i = 0; i < buffers; i++) {
        dense[i] = given[i];
        dense_strides(&dense[i]);
        dense[i].data = malloc((size_t)bytes_of(&dense[i]) + 1);
        if (!wanted[i].is_result) EACH_POINT(&given[i], at) memcpy(place(&dense[i], at), place(&given[i], at), (size_t)size_of(&given[i]));
        passed[i] = &dense[i];
    }
    int32_t status = call();
    for (int i = 0; i < buffers; i++) passed[i] = &given[i];
    return status;
}

// Memory for a call in a workspace, wrong one time in four: what must be refused.
static unsigned draw_workspace(void) {
    workspace_bytes = -77;
    int32_t status = ask_workspace();
    if (status || workspace_bytes < 0) fail("its workspace", status);
    int64_t needed = workspace_bytes, least = SPACE - PAGE - EDGE;
    if (needed > least) return ~0u;
    workspace = space + EDGE + (one_in(2) ? least - needed : below(64));
    if (!one_in(4)) return 0;
    switch (below(5)) {
    case 4:
        for (int i = 0; i < buffers; i++) if (!is_empty(&given[i])) {
            workspace = given[i].data, workspace_bytes += !needed;
            return BIT(WEFT_ERROR_ALIAS);
        }
        return 0;
    case 0: workspace_bytes -= 1; break;
    case 1: workspace_bytes = -1 - below(100); break;
    case 2: workspace_bytes = below(needed + 1); break;
    default: workspace = NULL; break;
    }
    return (workspace ? workspace_bytes : 0) < needed ? BIT(WEFT_ERROR_MEMORY) : 0;
}

static void a_case(void) {
    shift = one_in(4) ? below(9) : 0;
    draw_extents();
    // Results fit arguments that are right.
    if (!ask_extents()) for (int i = 0; i < buffers; i++) if (wanted[i].is_result) memcpy(given[i].extents, told[i], sizeof(int64_t) * (size_t)given[i].rank);
    for (int i = 0; i < buffers; i++) {
        draw_strides(&given[i], wanted[i].is_result);
        draw_place(i);
        uint64_t *words = (uint64_t *)(void *)(regions + (int64_t)i * STEP);
        for (int64_t k = 0; k < REGION / 8; k++) words[k] = 0x0101010101010101u * (draw() & 255);
    }
    for (int i = 0; i < buffers; i++) if (!wanted[i].is_result) write_values(&given[i]);
    if (one_in(2)) for (int64_t times = 1 + below(3); times; times--) spoil();
    weft_buffer kept[MOST], dense[MOST];
    memcpy(kept, given, sizeof kept);

    unsigned must = 0, may = 0, with_memory = 0;
    for (int i = 0; i < buffers; i++) if (!wanted[i].is_result) {
        must |= wrong_with(i, wanted[i].extents, 0);
        with_memory |= wrong_with(i, wanted[i].extents, 1);
    }
    for (int i = 0; i < buffers; i++) told_to[i] = one_in(8) ? NULL : told[i];
    judge_extents(must);
    workspace_bytes = -77;
    int32_t status = ask_workspace();
    judge(status, must, must ? 0 : BIT(WEFT_ERROR_CHECK));
    if (status ? workspace_bytes != -77 : workspace_bytes < 0) fail("the bytes of its workspace", status);
    asked += 2;

    for (int i = 0; i < buffers; i++) told_to[i] = told[i];
    int is_refused = 0;
    if (!must && (is_refused = ask_extents() == WEFT_ERROR_CHECK)) must |= BIT(WEFT_ERROR_CHECK);
    int is_known = !must;
    must |= with_memory;
    for (int i = 0; i < buffers; i++) if (wanted[i].is_result) {
        static const int64_t any[4] = {-1, -1, -1, -1};
        must |= wrong_with(i, is_known ? told[i] : any, 1);
    }
    if (!is_known) may |= BIT(WEFT_ERROR_EXTENTS);
    int are_real = 1;
    for (int i = 0; i < buffers && are_real; i++)
        are_real = passed[i] && !(wrong_with(i, wanted[i].extents, 0) & ~BIT(WEFT_ERROR_EXTENTS)) && is_real(&given[i]);
    for (int i = 0; i < buffers && are_real; i++) for (int d = 0; d < given[i].rank; d++) are_real &= given[i].extents[d] >= 0;
    if (are_real) must |= shared_points(&may); else may |= BIT(WEFT_ERROR_STRIDES) | BIT(WEFT_ERROR_ALIAS);
    // Memory that is not there is the caller's fault, which no call can see.
    if (!must && !are_real) { skipped++; return; }

    memset(dense, 0, sizeof dense);
    int is_right = !must;
    if (is_right) {
        status = reference(dense);
        if (status == WEFT_ERROR_CHECK) must |= BIT(WEFT_ERROR_CHECK); else if (status) fail("images without gaps", status);
    } else may |= BIT(WEFT_ERROR_CHECK) * (unsigned)!is_known;
    for (int i = 0; i < buffers; i++) memcpy(before + (int64_t)i * STEP, regions + (int64_t)i * STEP, REGION);
    unsigned small = !must && one_in(2) ? draw_workspace() : ~0u;
    if (small != ~0u) {
        memset(space, 0xee, SPACE - PAGE);
        must |= small;
        status = call_in();
        in_workspace++;
        const unsigned char *first = workspace, *behind = first ? first + (must ? 0 : workspace_bytes) : space;
        if (!first) first = space;
        for (const unsigned char *at = space; at < space + SPACE - PAGE; at++)
            if ((at < first || at >= behind) && *at != 0xee) fail("wrote beside its workspace", status);
    } else status = call();
    judge(status, must, may);
    if (memcmp(kept, given, sizeof kept)) fail("wrote to a weft_buffer", status);
    if (!status) {
        right++;
        for (int i = 0; i < buffers; i++) if (wanted[i].is_result) EACH_POINT(&given[i], at) {
            unsigned char *its = place(&given[i], at);
            if (!is_same(its, place(&dense[i], at), &given[i])) fail("gave something else than without gaps", status);
            memcpy(before + (its - regions), its, (size_t)size_of(&given[i]));
        }
    }
    if (!must && beside) apart++;
    compare_regions(status);
    if (is_right) for (int i = 0; i < buffers; i++) free(dense[i].data);
}

static unsigned char *guarded(size_t bytes) {
    unsigned char *memory = mmap(NULL, bytes + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory, PAGE, PROT_NONE)) perror("fuzz"), exit(1);
    return memory + PAGE;
}

int main(int count, char **arguments) {
    if (count != 3) return 2;
    uint64_t seed = strtoull(arguments[1], NULL, 10), cases = strtoull(arguments[2], NULL, 10);
    int32_t status = call();
    if (status != WEFT_ERROR_NULL) fail("no buffers", status);
    const int64_t extents[] = {EXTENTS 0};
    for (int i = 0, at = 0; i < buffers; i++) for (int d = 0; d < wanted[i].described.rank; d++) wanted[i].extents[d] = extents[at++];
    regions = guarded((size_t)MOST * STEP), before = guarded((size_t)MOST * STEP), owner = guarded((size_t)MOST * STEP), space = guarded(SPACE);
    for (int i = 0; i < MOST; i++) if (mprotect(regions + (int64_t)i * STEP + REGION, PAGE, PROT_NONE)) return perror("fuzz"), 1;
    if (mprotect(space + SPACE - PAGE, PAGE, PROT_NONE)) return perror("fuzz"), 1;
    const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], stopped);
    for (uint64_t i = 0; i < cases; i++) {
        state = 0x2545f4914f6cdd1du * (case_number = seed + i);
        alarm(60);
        a_case();
    }
    long wrong = 0;
    for (int code = 1; code <= 10; code++) wrong += seen[code];
    printf("%ld calls right, %ld answers wrong:", right, wrong);
    for (int code = 1; code <= 10; code++) if (seen[code]) printf(" %ld of %d", seen[code], code);
    printf("; %ld in a workspace, %ld between points of others, %ld without memory\n", in_workspace, apart, skipped);
    if (cases < 200) return 0;
    // Each kind of case was met.
    if (right < (long)cases / 8 || !in_workspace) return puts("too few right calls"), 1;
    const int codes[] = {WEFT_ERROR_NULL, WEFT_ERROR_EXTENTS, WEFT_ERROR_STRIDES, WEFT_ERROR_INTERFACE, WEFT_ERROR_TYPE, WEFT_ERROR_ALIAS};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) if (!seen[codes[i]]) return printf("no call had code %d\n", codes[i]), 1;
    return 0;
}
