/* Calls programs on images that lie on the GPU, on a stream of the caller's; the driver is of paper (object-driver.c).
 *
 *   object-on-gpu trace                               what the driver is asked for, and what is refused
 *   object-on-gpu fail                                each call of the driver fails in turn
 *   object-on-gpu check IMG.npy BLURRED.npy HEAT.npy  the results of the reference, where kernels are executed
 */

#include "object-driver.h"
#include "object.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 37, COLUMNS = 53, POINTS = ROWS * COLUMNS, BYTES = POINTS * sizeof(float) };

/* Ends the program where something is not so. */
#define REQUIRE(condition)                                               \
  do {                                                                   \
    if (!(condition)) {                                                  \
      printf("line %d: %s does not hold\n", __LINE__, #condition);       \
      exit(1);                                                           \
    }                                                                    \
  } while (0)

static struct paper *paper;
static int (*init)(unsigned), (*push)(void *), (*pop)(void **), (*retain)(void **, int), (*allocate)(uint64_t *, size_t), (*give_back)(uint64_t);
static int (*to_gpu)(uint64_t, const void *, size_t, void *), (*from_gpu)(void *, uint64_t, size_t, void *);

static void open_driver(void) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  REQUIRE(library);
  paper = dlsym(library, "paper");
  *(void **)&init = dlsym(library, "cuInit");
  *(void **)&push = dlsym(library, "cuCtxPushCurrent_v2");
  *(void **)&pop = dlsym(library, "cuCtxPopCurrent_v2");
  *(void **)&retain = dlsym(library, "cuDevicePrimaryCtxRetain");
  *(void **)&allocate = dlsym(library, "cuMemAlloc_v2");
  *(void **)&give_back = dlsym(library, "cuMemFree_v2");
  *(void **)&to_gpu = dlsym(library, "cuMemcpyHtoDAsync_v2");
  *(void **)&from_gpu = dlsym(library, "cuMemcpyDtoHAsync_v2");
  REQUIRE(paper && init && push && pop && retain && allocate && give_back && to_gpu && from_gpu);
  void *context;
  REQUIRE(init(0) == 0 && retain(&context, 7) == 0 && context == paper->own && push(context) == 0);
}

/* An image on the GPU. */
static weft_buffer image(const float *points) {
  uint64_t address;
  REQUIRE(allocate(&address, BYTES) == 0 && (!points || to_gpu(address, points, BYTES, (void *)2) == 0));
  return weft_2d(WEFT_F32, (void *)address, ROWS, COLUMNS);
}

static int is_same(weft_buffer image, const float *expected) {
  static float found[POINTS];
  REQUIRE(from_gpu(found, (uint64_t)image.data, BYTES, (void *)2) == 0);
  return memcmp(found, expected, BYTES) == 0;
}

/* Prints what was written of one call. */
#define TRACE(call, name)                                          \
  do {                                                             \
    printf("%s\n", #call);                                         \
    int blocks = paper->blocks;                                    \
    paper->used = paper->log[0] = 0;                               \
    int32_t code = call;                                           \
    fputs(paper->log, stdout);                                     \
    printf("%d %s\n", code, weft_##name##_error());                \
    REQUIRE(paper->blocks == blocks);                              \
  } while (0)

static void trace(void) {
  static float points[POINTS];
  for (int i = 0; i < POINTS; ++i)
    points[i] = 1.0f + (float)i;
  weft_buffer img = image(points), out = image(NULL), copy = image(NULL), bad;
  void *found;
  paper->writes = 1;
  TRACE(weft_blur_on_gpu(&img, &out, CALLERS), blur);
  TRACE(weft_heat_on_gpu(&img, 2, &out, &copy, CALLERS), heat);
  REQUIRE(is_same(out, points) && is_same(copy, points));
  int64_t n = 2;
  void *values[] = {&img, &n, &out, &copy, CALLERS};
  TRACE(weft_heat_on_gpu_packed(values), heat);
  puts("another context");
  REQUIRE(push(paper->second) == 0);
  TRACE(weft_blur_on_gpu(&img, &out, CALLERS), blur);
  TRACE(weft_blur_on_gpu(&img, &out, CALLERS), blur);
  REQUIRE(pop(&found) == 0);
  puts("no memory in a stream's order");
  paper->has_no_pools = 1;
  TRACE(weft_heat_on_gpu(&img, 2, &out, &copy, CALLERS), heat);
  paper->has_no_pools = 0;
  puts("wrong");
  weft_buffer part = out;
  bad = img, part.extents[0] = bad.extents[0] = ROWS / 2, bad.strides[0] = COLUMNS + 3;
  TRACE(weft_blur_on_gpu(&bad, &part, CALLERS), blur);
  bad = out, bad.data = (float *)out.data + POINTS - COLUMNS, bad.strides[0] = -COLUMNS;
  TRACE(weft_blur_on_gpu(&img, &bad, CALLERS), blur);
  bad = img, bad.data = (float *)img.data + 1, bad.extents[0] = 1, bad.strides[0] = 7;
  weft_buffer row = out;
  row.extents[0] = 1;
  paper->used = paper->log[0] = 0;
  REQUIRE(weft_blur_on_gpu(&bad, &row, CALLERS) == WEFT_ERROR_ALIGNMENT && paper->used == 0);
  puts(strstr(weft_blur_error(), ", "));
  bad.data = img.data;
  TRACE(weft_blur_on_gpu(&bad, &row, CALLERS), blur);
  TRACE(weft_blur_on_gpu(&img, &img, CALLERS), blur);
  TRACE(weft_blur_on_gpu(NULL, &img, CALLERS), blur);
  bad = weft_2d(WEFT_F32, NULL, 0, COLUMNS), bad.strides[0] = 3;
  TRACE(weft_blur_on_gpu(&bad, &bad, CALLERS), blur);
  TRACE(weft_blur_on_gpu(&img, &out, (void *)77), blur);
  REQUIRE(pop(&found) == 0);
  TRACE(weft_blur_on_gpu(&img, &out, CALLERS), blur);
}

/* A call of which one step fails; whether it came so far. */
static int fails_at(int step) {
  static float points[POINTS];
  weft_buffer img = image(points), out = image(NULL), copy = image(NULL);
  int blocks = paper->blocks;
  paper->steps = 0;
  paper->failed = NULL;
  paper->fail_at = step;
  int32_t code = weft_heat_on_gpu(&img, 2, &out, &copy, CALLERS);
  paper->fail_at = 0;
  const char *failed = paper->failed;
  if (failed)
    printf("%s: %d: %s\n", failed, code, weft_heat_error());
  REQUIRE(paper->blocks == blocks);
  REQUIRE(give_back((uint64_t)img.data) == 0 && give_back((uint64_t)out.data) == 0 && give_back((uint64_t)copy.data) == 0);
  return failed != NULL;
}

static void fail(void) {
  for (paper->has_no_pools = 0; paper->has_no_pools < 2; paper->has_no_pools++)
    for (int step = 1; fails_at(step);)
      ++step;
}

static void read_image(const char *path, float *to) {
  unsigned char header[10];
  FILE *file = fopen(path, "rb");
  REQUIRE(file && fread(header, 1, 10, file) == 10);
  REQUIRE(!fseek(file, header[8] + 256 * header[9], SEEK_CUR) && fread(to, 4, POINTS, file) == POINTS && !fclose(file));
}

static void check(char **paths) {
  static float points[POINTS], blurred[POINTS], heated[POINTS];
  read_image(paths[0], points);
  read_image(paths[1], blurred);
  read_image(paths[2], heated);
  weft_buffer img = image(points), out = image(NULL), copy = image(NULL);
  REQUIRE(weft_blur_on_gpu(&img, &out, CALLERS) == WEFT_OK && is_same(out, blurred));
  REQUIRE(weft_heat_on_gpu(&img, 5, &out, &copy, CALLERS) == WEFT_OK && is_same(out, heated) && is_same(copy, points));
  REQUIRE(is_same(img, points));
}

int main(int count, char **arguments) {
  REQUIRE(count >= 2);
  open_driver();
  if (strcmp(arguments[1], "trace") == 0)
    trace();
  else if (strcmp(arguments[1], "fail") == 0)
    fail();
  else if (strcmp(arguments[1], "check") == 0 && count == 5)
    check(arguments + 2);
  puts("done");
  return 0;
}
