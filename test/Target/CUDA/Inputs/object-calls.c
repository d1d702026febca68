/* Calls programs that were compiled for GPUs, on a driver of paper (object-driver.c), whose kernels copy their first tensor to their second.
 *
 *   object-calls none             one call where there is no driver, or an old one
 *   object-calls trace            what the driver is asked for
 *   object-calls parts            parts of larger images
 *   object-calls fail             each call of the driver fails in turn
 *   object-calls threads CALLS    many calls at once, the first of all among them
 */

#include "object-driver.h"
#include "object.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 19, COLUMNS = 37, POINTS = ROWS * COLUMNS, WIDE = 53, TALL = 41, TOP = 5, LEFT = 7, THREADS = 8 };

/* Ends the program where something is not so. */
#define REQUIRE(condition)                                               \
  do {                                                                   \
    if (!(condition)) {                                                  \
      printf("line %d: %s does not hold\n", __LINE__, #condition);       \
      exit(1);                                                           \
    }                                                                    \
  } while (0)

static struct paper *paper;
static int (*push)(void *), (*pop)(void **);
static float image[POINTS];

static void open_driver(void) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  REQUIRE(library);
  paper = dlsym(library, "paper");
  *(void **)&push = dlsym(library, "cuCtxPushCurrent_v2");
  *(void **)&pop = dlsym(library, "cuCtxPopCurrent_v2");
  REQUIRE(paper && push && pop);
}

static weft_buffer view(void *data, int64_t rows, int64_t columns, int64_t stride) {
  weft_buffer buffer = weft_2d(WEFT_F32, data, rows, columns);
  buffer.strides[0] = stride;
  return buffer;
}

/* One call, whatever there is. */
static void once(void) {
  float out[POINTS] = {0};
  weft_buffer img = view(image, ROWS, COLUMNS, COLUMNS), result = view(out, ROWS, COLUMNS, COLUMNS);
  int32_t code = weft_blur(&img, &result);
  printf("%d: %s\n", code, weft_blur_error());
  int64_t extents[2];
  REQUIRE(weft_blur_extents(&img, extents) == WEFT_OK && extents[0] == ROWS && extents[1] == COLUMNS);
  img.extents[0] = -1;
  REQUIRE(weft_blur(&img, &result) == WEFT_ERROR_EXTENTS);
  img.extents[0] = ROWS;
  REQUIRE(weft_blur(&img, &result) == code);
  for (int i = 0; i < POINTS; ++i)
    REQUIRE(out[i] == 0.0f);
}

/* Prints what was written of one call. */
#define TRACE(call)                     \
  do {                                  \
    printf("%s\n", #call);              \
    paper->used = paper->log[0] = 0;    \
    int32_t code = call;                \
    fputs(paper->log, stdout);          \
    printf("%d\n", code);               \
    REQUIRE(paper->blocks == 0);        \
  } while (0)

static void trace(void) {
  static float in[TALL * WIDE], out[TALL * WIDE], copy[TALL * WIDE];
  paper->writes = 1;
  weft_buffer dense = view(image, ROWS, COLUMNS, COLUMNS), to_dense = view(out, ROWS, COLUMNS, COLUMNS);
  TRACE(weft_blur(&dense, &to_dense));
  weft_buffer part = view(in, ROWS, COLUMNS, WIDE), to_part = view(out, ROWS, COLUMNS, WIDE), to_copy = view(copy, ROWS, COLUMNS, WIDE);
  TRACE(weft_blur(&part, &to_part));
  TRACE(weft_heat(&dense, 2, &to_part, &to_copy));
  weft_buffer few = view(in, 2, COLUMNS, COLUMNS), flipped = view(out + WIDE, 2, COLUMNS, -WIDE);
  TRACE(weft_blur(&few, &flipped));
  weft_buffer again = view(in, 2, COLUMNS, 0);
  TRACE(weft_blur(&again, &flipped));
  uint8_t bytes[6], next[6];
  float one = 1, line[3];
  weft_buffer six = weft_2d(WEFT_U8, bytes, 2, 3), single = weft_0d(WEFT_F32, &one), to_six = weft_2d(WEFT_U8, next, 2, 3), row = weft_1d(WEFT_F32, line, 3);
  TRACE(weft_fixed(&six, &single, &to_six, &row));
  double sum;
  weft_buffer to_sum = weft_1d(WEFT_F64, &sum, 1);
  TRACE(weft_numbers(1, 2, 3, 4, 5, 6, 7, 8, true, &to_sum));
  weft_buffer nothing = view(NULL, 0, COLUMNS, COLUMNS);
  TRACE(weft_blur(&nothing, &nothing));
  TRACE(weft_blur(NULL, &nothing));
}

/* Copies of parts, forward and with the last row first; the rest of the images stays as it is. */
static void parts(void) {
  float *in = malloc(TALL * WIDE * sizeof(float)), *out = malloc(TALL * WIDE * sizeof(float));
  REQUIRE(in && out);
  for (int flips = 0; flips < 4; ++flips) {
    for (int i = 0; i < TALL * WIDE; ++i)
      in[i] = (float)i, out[i] = -1.0f;
    float *from = in + TOP * WIDE + LEFT, *to = out + TOP * WIDE + LEFT;
    weft_buffer img = flips & 1 ? view(from + (ROWS - 1) * WIDE, ROWS, COLUMNS, -WIDE) : view(from, ROWS, COLUMNS, WIDE);
    weft_buffer result = flips & 2 ? view(to + (ROWS - 1) * WIDE, ROWS, COLUMNS, -WIDE) : view(to, ROWS, COLUMNS, WIDE);
    REQUIRE(weft_blur(&img, &result) == WEFT_OK);
    for (int y = 0; y < TALL; ++y)
      for (int x = 0; x < WIDE; ++x) {
        int row = y - TOP, source = flips == 1 || flips == 2 ? ROWS - 1 - row : row;
        int is_inside = row >= 0 && row < ROWS && x >= LEFT && x < LEFT + COLUMNS;
        REQUIRE(out[y * WIDE + x] == (is_inside ? in[(TOP + source) * WIDE + x] : -1.0f));
      }
  }
  /* Four dimensions, of which the inner two are dense together. */
  enum { A = 3, B = 4, C = 5, D = 6, STEP = C * D + 2, FAR = B * STEP + 7 };
  float *large = malloc(A * FAR * sizeof(float)), *small = malloc(A * B * C * D * sizeof(float));
  REQUIRE(large && small);
  for (int i = 0; i < A * FAR; ++i)
    large[i] = (float)i;
  weft_buffer img = weft_4d(WEFT_F32, large, A, B, C, D), result = weft_4d(WEFT_F32, small, A, B, C, D);
  img.strides[0] = FAR, img.strides[1] = STEP;
  REQUIRE(weft_rank4(&img, &result) == WEFT_OK);
  for (int a = 0; a < A; ++a)
    for (int b = 0; b < B; ++b)
      for (int i = 0; i < C * D; ++i)
        REQUIRE(small[(a * B + b) * C * D + i] == large[a * FAR + b * STEP + i]);
  for (int i = 0; i < A * FAR; ++i)
    large[i] = -1.0f;
  REQUIRE(weft_rank4(&result, &img) == WEFT_OK);
  for (int i = 0; i < A * FAR; ++i) {
    int a = i / FAR, b = i % FAR / STEP, inner = i % FAR % STEP;
    REQUIRE(large[i] == (b < B && inner < C * D ? small[(a * B + b) * C * D + inner] : -1.0f));
  }
  free(in);
  free(out);
  free(large);
  free(small);
}

/* A call of which one step fails, where the caller has a context of its own; whether it came so far. */
static int fails_at(int step) {
  static float out[TALL * WIDE], copy[TALL * WIDE];
  static int own;
  static int has_copied;
  void *found;
  memset(out, 0, sizeof out);
  weft_buffer img = view(image, ROWS, COLUMNS, COLUMNS);
  weft_buffer result = view(out, ROWS, COLUMNS, WIDE), second = view(copy, ROWS, COLUMNS, WIDE);
  REQUIRE(push(&own) == 0);
  paper->steps = 0;
  paper->failed = NULL;
  paper->fail_at = step;
  int32_t code = weft_heat(&img, 1, &result, &second);
  paper->fail_at = 0;
  REQUIRE(paper->blocks == 0 && pop(&found) == 0 && found == &own);
  if (paper->failed)
    printf("%s: %d: %s\n", paper->failed, code, code ? weft_heat_error() : "");
  has_copied |= paper->failed && strcmp(paper->failed, "cuMemcpy2D") == 0;
  if (code == WEFT_OK)
    REQUIRE(out[0] == image[0] && copy[WIDE] == image[COLUMNS]);
  else
    REQUIRE(has_copied || out[0] == 0.0f);
  return paper->failed != NULL;
}

/* The driver refuses each step once: of calls that open it, until a module is loaded, and of one later on. */
static void fail(void) {
  int step = 1;
  while (!paper->modules)
    REQUIRE(fails_at(step++));
  puts("later");
  for (step = 1; fails_at(step);)
    ++step;
  REQUIRE(paper->contexts == 1 && paper->modules == 1);
}

static int calls_per_thread;
static pthread_barrier_t barrier;

static void *call(void *number) {
  intptr_t mine = (intptr_t)number;
  float *in = malloc(sizeof image), *out = malloc(sizeof image), *copy = malloc(sizeof image);
  for (int i = 0; i < POINTS; ++i)
    in[i] = (float)(i + 1000 * mine);
  weft_buffer img = view(in, ROWS, COLUMNS, COLUMNS), result = view(out, ROWS, COLUMNS, COLUMNS), second = view(copy, ROWS, COLUMNS, COLUMNS);
  pthread_barrier_wait(&barrier);
  for (int i = 0; i < calls_per_thread; ++i) {
    memset(out, 0, sizeof image);
    int32_t code = (i + mine) % 2 ? weft_blur(&img, &result) : weft_heat(&img, i % 4, &result, &second);
    REQUIRE(code == WEFT_OK && memcmp(in, out, sizeof image) == 0);
    img.extents[0] = -1 - mine;
    char expected[32];
    snprintf(expected, sizeof expected, "extent %d in", -1 - (int)mine);
    REQUIRE(weft_blur(&img, &result) == WEFT_ERROR_EXTENTS && strstr(weft_blur_error(), expected));
    img.extents[0] = ROWS;
  }
  free(in);
  free(out);
  free(copy);
  return NULL;
}

static void threads(void) {
  pthread_t threads[THREADS];
  pthread_barrier_init(&barrier, NULL, THREADS);
  for (intptr_t i = 0; i < THREADS; ++i)
    REQUIRE(!pthread_create(&threads[i], NULL, call, (void *)i));
  for (int i = 0; i < THREADS; ++i)
    REQUIRE(!pthread_join(threads[i], NULL));
  printf("%d init, %d context, %d modules, %d blocks\n", paper->inits, paper->contexts, paper->modules, paper->blocks);
}

int main(int count, char **arguments) {
  REQUIRE(count >= 2);
  for (int i = 0; i < POINTS; ++i)
    image[i] = 1.0f + (float)i;
  const char *what = arguments[1];
  if (strcmp(what, "none") == 0)
    return once(), 0;
  open_driver();
  if (strcmp(what, "trace") == 0)
    trace();
  else if (strcmp(what, "parts") == 0)
    parts();
  else if (strcmp(what, "fail") == 0)
    fail();
  else if (strcmp(what, "threads") == 0 && count == 3)
    calls_per_thread = atoi(arguments[2]) / THREADS, threads();
  puts("done");
  return 0;
}
