/* Calls compiled programs: on dense images and on parts of larger ones, with wrong arguments, and from several threads.
 *
 *   object write IMG.npy                              the image that the reference is given
 *   object check IMG.npy BLURRED.npy HEAT.npy CALLS   all the rest; the other files are what the reference made of it; with
 *                                                     1000 calls and more, 4000 pairs of random parts, with fewer 40
 */

#include "object.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 37, COLUMNS = 53, POINTS = ROWS * COLUMNS, THREADS = 8 };

static int calls_per_thread;
static float image[POINTS], blurred[POINTS], heated[POINTS];

/* Ends the program where something is not so. */
#define REQUIRE(condition)                                               \
  do {                                                                   \
    if (!(condition)) {                                                  \
      printf("line %d: %s does not hold\n", __LINE__, #condition);       \
      exit(1);                                                           \
    }                                                                    \
  } while (0)

/* Files of NumPy: a header of 128 bytes, then the numbers. */
static void write_image(const char *path) {
  unsigned state = 1;
  for (int i = 0; i < POINTS; ++i) {
    state = state * 1664525u + 1013904223u;
    image[i] = (float)(state >> 8) / 16777216.0f;
  }
  char header[129];
  snprintf(header, sizeof header, "%-127s\n", "##########{'descr': '<f4', 'fortran_order': False, 'shape': (37, 53), }");
  memcpy(header, "\x93NUMPY\x01\x00\x76\x00", 10);
  FILE *file = fopen(path, "wb");
  REQUIRE(file && fwrite(header, 1, 128, file) == 128 && fwrite(image, 4, POINTS, file) == POINTS && !fclose(file));
}

static void read_image(const char *path, float *to) {
  unsigned char header[10];
  FILE *file = fopen(path, "rb");
  REQUIRE(file && fread(header, 1, 10, file) == 10);
  REQUIRE(!fseek(file, header[8] + 256 * header[9], SEEK_CUR) && fread(to, 4, POINTS, file) == POINTS && !fclose(file));
}

static weft_buffer view(void *data, int64_t rows, int64_t columns, int64_t stride) {
  weft_buffer buffer = weft_2d(WEFT_F32, data, rows, columns);
  buffer.strides[0] = stride;
  return buffer;
}

static int is_same(const float *a, int64_t stride, const float *expected) {
  for (int y = 0; y < ROWS; ++y)
    if (memcmp(a + y * stride, expected + y * COLUMNS, COLUMNS * sizeof(float)) != 0)
      return 0;
  return 1;
}

/* Each image in memory of its own, whose ends AddressSanitizer watches. */
static void dense(void) {
  float *in = malloc(sizeof image), *out = malloc(sizeof image);
  REQUIRE(in && out);
  memcpy(in, image, sizeof image);
  weft_buffer img = view(in, ROWS, COLUMNS, COLUMNS), result = view(out, ROWS, COLUMNS, COLUMNS);
  REQUIRE(weft_blur(&img, &result) == WEFT_OK);
  REQUIRE(is_same(out, COLUMNS, blurred));
  free(in);
  free(out);
}

/* A part of a larger image, into a part of another: with rows far apart, and with the last row first. */
static void parts(void) {
  enum { WIDE = 91, TALL = 51, TOP = 5, LEFT = 7 };
  float *in = malloc(TALL * WIDE * sizeof(float)), *out = malloc(TALL * WIDE * sizeof(float)), *copy = malloc(TALL * WIDE * sizeof(float));
  REQUIRE(in && out && copy);
  for (int i = 0; i < TALL * WIDE; ++i)
    in[i] = out[i] = copy[i] = -1.0f;
  for (int y = 0; y < ROWS; ++y)
    memcpy(in + (TOP + y) * WIDE + LEFT, image + y * COLUMNS, COLUMNS * sizeof(float));
  weft_buffer img = view(in + TOP * WIDE + LEFT, ROWS, COLUMNS, WIDE), result = view(out + TOP * WIDE + LEFT, ROWS, COLUMNS, WIDE);
  REQUIRE(weft_blur(&img, &result) == WEFT_OK);
  REQUIRE(is_same(result.data, WIDE, blurred));
  weft_buffer second = view(copy + TOP * WIDE + LEFT, ROWS, COLUMNS, WIDE);
  REQUIRE(weft_heat(&img, 5, &result, &second) == WEFT_OK);
  REQUIRE(is_same(result.data, WIDE, heated) && is_same(second.data, WIDE, image));
  REQUIRE(weft_heat(&img, 0, &result, &second) == WEFT_OK);
  REQUIRE(is_same(result.data, WIDE, image));
  for (int y = 0; y < TALL; ++y)
    for (int x = 0; x < WIDE; ++x)
      if (y < TOP || y >= TOP + ROWS || x < LEFT || x >= LEFT + COLUMNS)
        REQUIRE(out[y * WIDE + x] == -1.0f && copy[y * WIDE + x] == -1.0f);

  /* A stride may be negative: the last row comes first. */
  weft_buffer flipped = view(out + (TOP + ROWS - 1) * WIDE + LEFT, ROWS, COLUMNS, -WIDE), down = view(copy + TOP * WIDE + LEFT, ROWS, COLUMNS, WIDE);
  REQUIRE(weft_heat(&img, 0, &flipped, &down) == WEFT_OK);
  REQUIRE(memcmp(out + TOP * WIDE + LEFT, image + (ROWS - 1) * COLUMNS, COLUMNS * sizeof(float)) == 0);
  free(in);
  free(out);
  free(copy);
}

/* What does not vary, numbers, and images without points. */
static void others(void) {
  uint8_t in[2 * 3] = {0, 1, 2, 253, 254, 255}, out[2 * 4] = {0, 0, 0, 77, 0, 0, 0, 77};
  float one = 2.5f, line[3];
  weft_buffer image_of_6 = weft_2d(WEFT_U8, in, 2, 3), single = weft_0d(WEFT_F32, &one), result = weft_2d(WEFT_U8, out, 2, 3), row = weft_1d(WEFT_F32, line, 3);
  result.strides[0] = 4;
  REQUIRE(weft_fixed(&image_of_6, &single, &result, &row) == WEFT_OK);
  const uint8_t expected[2 * 4] = {1, 2, 3, 77, 254, 255, 0, 77};
  REQUIRE(memcmp(out, expected, sizeof out) == 0 && line[0] == 2.5f && line[2] == 2.5f);

  double sum = 0;
  weft_buffer sum_of_all = weft_1d(WEFT_F64, &sum, 1);
  REQUIRE(weft_numbers(-1, -300, 70000, INT64_C(1) << 40, 7, 0x3c00, 0.5f, 0.25, false, &sum_of_all) == WEFT_OK);
  REQUIRE(sum == -1.0 - 300 + 70000 + 1099511627776.0 + 7 + 1 + 0.75);
  REQUIRE(weft_numbers(-1, -300, 70000, INT64_C(1) << 40, 7, 0x3c00, 0.5f, 0.25, true, &sum_of_all) == WEFT_OK);
  REQUIRE(sum == -(-1.0 - 300 + 70000 + 1099511627776.0 + 7 + 1 + 0.75));

  weft_buffer nothing = view(NULL, 0, COLUMNS, COLUMNS), no_result = view(NULL, 0, COLUMNS, COLUMNS);
  REQUIRE(weft_heat(&nothing, 0, &no_result, &no_result) == WEFT_OK);
}

/* Parts of one image that share no point: one is an argument, the other a result. */
static void neighbours(void) {
  enum { WIDE = 2 * COLUMNS, TALL = 2 * ROWS };
  float *both = malloc(TALL * WIDE * sizeof(float));
  REQUIRE(both);
  weft_buffer img = view(both, ROWS, COLUMNS, 0), result = img;
  /* Left and right, one behind the other, below and to the right, and right with the last row first. */
  const struct { int64_t stride, to; } ways[] = {{WIDE, COLUMNS}, {COLUMNS, POINTS}, {WIDE, WIDE * ROWS + 7}, {WIDE, COLUMNS + (ROWS - 1) * WIDE}};
  for (int i = 0; i < 4; ++i) {
    img.strides[0] = ways[i].stride;
    result.strides[0] = i == 3 ? -ways[i].stride : ways[i].stride;
    result.data = both + ways[i].to;
    for (int y = 0; y < ROWS; ++y)
      memcpy(both + y * ways[i].stride, image + y * COLUMNS, COLUMNS * sizeof(float));
    REQUIRE(weft_blur(&img, &result) == WEFT_OK);
    REQUIRE(is_same(result.data, result.strides[0], blurred));
  }
  /* Rows above and rows below of two planes. */
  weft_buffer planes = weft_3d(WEFT_F32, both, 2, ROWS, COLUMNS), below = planes;
  planes.strides[0] = below.strides[0] = 2 * POINTS;
  below.data = both + POINTS;
  REQUIRE(weft_planes(&planes, &below) == WEFT_OK);
  below.data = both + POINTS - COLUMNS;
  REQUIRE(weft_planes(&planes, &below) == WEFT_ERROR_ALIAS);
  free(both);
}

static int64_t choose(int64_t from, int64_t to) {
  static unsigned state = 7;
  state = state * 1664525u + 1013904223u;
  return from + (int64_t)(state >> 16) % (to - from);
}

/* How often each number of the memory belongs to an image. */
static void count(const weft_buffer *image, const float *memory, unsigned char *counts) {
  for (int64_t c = 0; c < image->extents[0]; ++c)
    for (int64_t y = 0; y < image->extents[1]; ++y)
      for (int64_t x = 0; x < image->extents[2]; ++x)
        ++counts[(const float *)image->data - memory + c * image->strides[0] + y * image->strides[1] + x];
}

/* Any two parts of one memory: those that share a number are refused, as are results that have a number twice, and of the others none is. */
static void random_parts(int pairs) {
  enum { SIZE = 4096, MIDDLE = SIZE / 2 };
  static float memory[SIZE];
  int shared = 0, apart = 0, twice = 0, once = 0;
  for (int i = 0; i < pairs; ++i) {
    int64_t row = choose(4, 24), n = choose(1, 4), h = choose(1, 5), w = choose(1, 8);
    weft_buffer parts[2];
    for (int k = 0; k < 2; ++k) {
      parts[k] = weft_3d(WEFT_F32, memory + MIDDLE + choose(-200, 200), n, h, w);
      parts[k].strides[1] = choose(0, 4) ? row : choose(8, 24);
      parts[k].strides[0] = parts[k].strides[1] * choose(1, 8) + (choose(0, 4) ? 0 : choose(0, 9));
      for (int d = 0; d < 2; ++d)
        if (!choose(0, 4))
          parts[k].strides[d] = -parts[k].strides[d];
    }
    unsigned char counts[2][SIZE] = {{0}};
    count(&parts[0], memory, counts[0]);
    count(&parts[1], memory, counts[1]);
    int is_shared = 0, is_twice = 0;
    for (int j = 0; j < SIZE; ++j) {
      is_shared |= counts[0][j] && counts[1][j];
      is_twice |= counts[1][j] > 1;
    }
    int32_t status = weft_planes(&parts[0], &parts[1]);
    REQUIRE(!is_twice || status == WEFT_ERROR_STRIDES);
    twice += is_twice;
    once += !is_twice && status == WEFT_ERROR_STRIDES;
    if (status == WEFT_ERROR_STRIDES)
      continue;
    REQUIRE(status == WEFT_OK || status == WEFT_ERROR_ALIAS);
    REQUIRE(is_shared == (status == WEFT_ERROR_ALIAS));
    shared += is_shared;
    apart += !is_shared;
  }
  REQUIRE(shared >= pairs / 20 && apart >= pairs / 20);
  REQUIRE(twice >= pairs / 20 && once <= pairs / 20);
}

static void extents(void) {
  weft_buffer img = view(NULL, ROWS, COLUMNS, 0);
  int64_t cropped[2], of_heat[2], line[1] = {0};
  REQUIRE(weft_crop_extents(&img, 1.0f, cropped) == WEFT_OK && cropped[0] == ROWS - 2 && cropped[1] == COLUMNS);
  REQUIRE(weft_heat_extents(&img, 1, NULL, of_heat) == WEFT_OK && of_heat[0] == ROWS && of_heat[1] == COLUMNS);
  weft_buffer in = weft_2d(WEFT_U8, NULL, 2, 3), one = weft_0d(WEFT_F32, NULL);
  REQUIRE(weft_fixed_extents(&in, &one, NULL, line) == WEFT_OK && line[0] == 3);
}

static void say(const char *what, int32_t code, const char *message) { printf("%s: %d: %s\n", what, code, message); }

/* One wrong thing each; nothing may be written. */
static void wrong(void) {
  float *out = calloc(POINTS, sizeof(float));
  REQUIRE(out);
  weft_buffer img = view(image, ROWS, COLUMNS, COLUMNS), result = view(out, ROWS, COLUMNS, COLUMNS), bad;
  say("no buffer", weft_blur(NULL, &result), weft_blur_error());
  bad = view(NULL, ROWS, COLUMNS, COLUMNS);
  say("no data", weft_blur(&bad, &result), weft_blur_error());
  say("no memory", weft_blur(&img, &bad), weft_blur_error());
  bad = view(image, -1, COLUMNS, COLUMNS);
  say("negative", weft_blur(&bad, &result), weft_blur_error());
  bad = view(out, ROWS, COLUMNS - 1, COLUMNS);
  say("narrow result", weft_blur(&img, &bad), weft_blur_error());
  bad = view(image, ROWS, COLUMNS / 2, COLUMNS);
  bad.strides[1] = 2;
  say("every other", weft_blur(&bad, &result), weft_blur_error());
  bad = view(out, ROWS, COLUMNS, COLUMNS - 1);
  say("overlap", weft_blur(&img, &bad), weft_blur_error());
  bad = view(image, 1, COLUMNS, COLUMNS);
  weft_buffer none = view(out, 0, COLUMNS, COLUMNS);
  say("too small", weft_crop(&bad, 1.0f, &none), weft_crop_error());
  int64_t cropped[2] = {7, 7};
  say("extents of too small", weft_crop_extents(&bad, 1.0f, cropped), weft_crop_error());
  REQUIRE(cropped[0] == 7);
  static float second[POINTS];
  bad = view(second, ROWS, COLUMNS, COLUMNS);
  say("back in time", weft_heat(&img, -1, &result, &bad), weft_heat_error());
  uint8_t bytes[6] = {0};
  float one = 1.0f, line[3];
  weft_buffer wide = weft_2d(WEFT_U8, bytes, 3, 2), single = weft_0d(WEFT_F32, &one), row = weft_1d(WEFT_F32, line, 3);
  say("fixed", weft_fixed(&wide, &single, &wide, &row), weft_fixed_error());
  weft_buffer right = weft_2d(WEFT_U8, bytes, 2, 3), long_row = weft_1d(WEFT_F32, line, 4);
  uint8_t more[6];
  weft_buffer image_of_6 = weft_2d(WEFT_U8, more, 2, 3);
  say("fixed result", weft_fixed(&right, &single, &right, &long_row), weft_fixed_error());
  bad = (weft_buffer){image, 0, 0, 0, {ROWS, COLUMNS}, {COLUMNS, 1}};
  say("not filled", weft_blur(&bad, &result), weft_blur_error());
  bad = img;
  bad.interface++;
  say("another header", weft_blur(&bad, &result), weft_blur_error());
  bad = weft_2d(WEFT_F64, image, ROWS, COLUMNS / 2);
  say("wide elements", weft_blur(&bad, &result), weft_blur_error());
  bad.type = 99;
  say("no elements", weft_blur(&bad, &result), weft_blur_error());
  bad = weft_2d(WEFT_I8, bytes, 2, 3);
  say("signed result", weft_fixed(&right, &single, &bad, &row), weft_fixed_error());
  bad = weft_3d(WEFT_F32, image, 1, ROWS, COLUMNS);
  say("planes", weft_blur(&bad, &result), weft_blur_error());
  bad = weft_1d(WEFT_F32, image, ROWS);
  int64_t of_line[2];
  say("extents of a line", weft_blur_extents(&bad, of_line), weft_blur_error());
  bad = result;
  say("in place", weft_blur(&result, &bad), weft_blur_error());
  bad = view(out + 1, ROWS, COLUMNS - 1, COLUMNS);
  weft_buffer shorter = view(out, ROWS, COLUMNS - 1, COLUMNS);
  say("a column further", weft_blur(&shorter, &bad), weft_blur_error());
  shorter = view(out, ROWS, 3, COLUMNS), bad = view(out + 4, ROWS, 3, COLUMNS - 1);
  say("other strides", weft_blur(&shorter, &bad), weft_blur_error());
  say("one for two", weft_heat(&img, 0, &result, &result), weft_heat_error());
  bad = weft_0d(WEFT_F32, &line[2]);
  say("a number", weft_fixed(&right, &bad, &image_of_6, &row), weft_fixed_error());
  for (int i = 0; i < POINTS; ++i)
    REQUIRE(out[i] == 0.0f);
  REQUIRE(weft_blur(&img, &result) == WEFT_OK && strcmp(weft_blur_error(), "") == 0);
  free(out);
}

/* Many calls at once, good and bad ones; a thread sees its own message. */
static void *call(void *number) {
  float *out = malloc(sizeof image);
  weft_buffer img = view(image, ROWS, COLUMNS, COLUMNS), result = view(out, ROWS, COLUMNS, COLUMNS);
  int64_t mine = (intptr_t)number;
  char expected[32];
  snprintf(expected, sizeof expected, "extent %d in", -1 - (int)mine);
  for (int i = 0; i < calls_per_thread; ++i) {
    memset(out, 0, sizeof image);
    if (weft_blur(&img, &result) != WEFT_OK || !is_same(out, COLUMNS, blurred))
      return out;
    weft_buffer bad = view(image, -1 - mine, COLUMNS, COLUMNS);
    if (weft_blur(&bad, &result) != WEFT_ERROR_EXTENTS || !strstr(weft_blur_error(), expected))
      return out;
  }
  free(out);
  return NULL;
}

static void threads(void) {
  pthread_t threads[THREADS];
  for (intptr_t i = 0; i < THREADS; ++i)
    REQUIRE(!pthread_create(&threads[i], NULL, call, (void *)i));
  for (int i = 0; i < THREADS; ++i) {
    void *failed;
    REQUIRE(!pthread_join(threads[i], &failed) && !failed);
  }
}

int main(int count, char **arguments) {
  REQUIRE(count >= 3);
  if (strcmp(arguments[1], "write") == 0) {
    write_image(arguments[2]);
    return 0;
  }
  REQUIRE(count == 6);
  read_image(arguments[2], image);
  read_image(arguments[3], blurred);
  read_image(arguments[4], heated);
  int calls = atoi(arguments[5]);
  calls_per_thread = calls / THREADS;
  REQUIRE(strcmp(weft_blur_error(), "") == 0);
  dense();
  parts();
  others();
  neighbours();
  random_parts(calls < 1000 ? 40 : 4000);
  extents();
  wrong();
  threads();
  puts("done");
  return 0;
}
