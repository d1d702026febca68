/* Steps of the heat equation in diamonds, as Pluto's papers tile them, for bench/diamonds/run; the arithmetic of examples/heat_1d.mlir and heat_2d.mlir.
 *
 *        t ^     /\    /\    /\       A point depends on its neighbours one step before. Time and the outermost dimension are cut along t + i and t - i,
 *          |    /  \  /  \  /  \      so that a diamond has what it needs of the two below it. Diamonds of one wave, side by side, need nothing of each
 *          |   /    \/    \/    \     other: all threads begin at once, and no point is computed twice.
 *          |   \    /\    /\    /
 *          +----\--/--\--/--\--/--> i
 *
 * In two dimensions rows are cut further along t + j, in order, so that what a piece reads stays in a cache. Two buffers hold the even and the odd
 * steps; both have a border, which has the values of the edge. Functions give the seconds of the steps, without what it takes to fill the buffers.
 */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

static long floor_div(long a, long b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }
static long at_least(long a, long b) { return a > b ? a : b; }
static long at_most(long a, long b) { return a < b ? a : b; }

/* A row of a step. */
static void row_1d(double *restrict to, const double *restrict u, long lo, long hi) {
  for (long i = lo; i < hi; i++)
    to[i] = 0.125 * ((u[i + 1] - u[i] * 2.0) + u[i - 1]) + u[i];
}

static void row_2d(double *restrict to, const double *restrict u, long stride, long lo, long hi) {
  for (long j = lo; j < hi; j++) {
    double here = u[j] * 2.0;
    double down = 0.125 * ((u[j + stride] - here) + u[j - stride]);
    double along = 0.125 * ((u[j + 1] - here) + u[j - 1]);
    to[j] = (down + along) + u[j];
  }
}

/* Calls what is computed of each diamond, wave by wave: `steps` steps of `points` points along the outermost dimension, which diamonds of 2 * size
 * points cover. */
#define WAVES(points, steps, size, ...)                                                                                                      \
  for (long wave = floor_div(1 - (points), size) - 1; wave <= floor_div(2 * (steps) + (points), size) + 1; wave++) {                          \
    /* Of t + i in [a size, (a + 1) size) and t - i in [b size, (b + 1) size), a + b = wave. */                                               \
    long first = at_least(floor_div(1, size), wave - floor_div(steps, size));                                                                  \
    long last = at_most(floor_div((steps) + (points) - 1, size), wave - floor_div(1 - ((points) - 1), size));                                  \
    _Pragma("omp parallel for schedule(dynamic)") for (long a = first; a <= last; a++) {                                                       \
      long sum = a * (size), difference = (wave - a) * (size);                                                                                 \
      long begin = at_least(1, floor_div(sum + difference + 1, 2)), end = at_most(steps, floor_div(sum + difference, 2) + (size) - 1);           \
      __VA_ARGS__                                                                                                                              \
    }                                                                                                                                          \
  }

/* Points of a diamond at step t. */
#define FROM(t) at_least(at_least(sum - (t), (t) - difference - size + 1), 0)
#define TO(t, points) at_most(at_most(sum + size - 1 - (t), (t) - difference), (points) - 1)

double heat_1d(const double *given, double *result, long points, long steps, long size) {
  double *memory = calloc(2 * (points + 2), sizeof(double)), *buffers[2] = {memory + 1, memory + points + 3};
  memcpy(buffers[0], given, points * sizeof(double));
  buffers[0][-1] = given[0], buffers[0][points] = given[points - 1];
  double start = omp_get_wtime();
  WAVES(points, steps, size, {
    for (long t = begin; t <= end; t++) {
      double *to = buffers[t & 1];
      long lo = FROM(t), hi = TO(t, points) + 1;
      if (lo >= hi)
        continue;
      row_1d(to, buffers[(t - 1) & 1], lo, hi);
      if (lo == 0)
        to[-1] = to[0];
      if (hi == points)
        to[points] = to[points - 1];
    }
  })
  double seconds = omp_get_wtime() - start;
  memcpy(result, buffers[steps & 1], points * sizeof(double));
  free(memory);
  return seconds;
}

double heat_2d(const double *given, double *result, long rows, long columns, long steps, long size, long width) {
  long stride = columns + 16;
  size_t bytes = (rows + 2) * stride * sizeof(double);
  double *memory[2] = {aligned_alloc(64, (bytes + 63) / 64 * 64), aligned_alloc(64, (bytes + 63) / 64 * 64)};
  double *buffers[2] = {memory[0] + stride + 8, memory[1] + stride + 8};
#pragma omp parallel for
  for (long i = -1; i <= rows; i++) {
    const double *from = given + at_most(at_least(i, 0), rows - 1) * columns;
    double *to = buffers[0] + i * stride;
    memcpy(to, from, columns * sizeof(double));
    to[-1] = from[0], to[columns] = from[columns - 1];
    memset(buffers[1] + i * stride - 1, 0, (columns + 2) * sizeof(double));
  }
  double start = omp_get_wtime();
  WAVES(rows, steps, size, {
    for (long piece = begin; piece <= end + columns - 1; piece += width) {
      for (long t = begin; t <= end; t++) {
        long left = at_least(piece - t, 0), right = at_most(piece + width - t, columns);
        if (left >= right)
          continue;
        for (long i = FROM(t); i <= TO(t, rows); i++) {
          double *to = buffers[t & 1] + i * stride;
          row_2d(to, buffers[(t - 1) & 1] + i * stride, stride, left, right);
          if (left == 0)
            to[-1] = to[0];
          if (right == columns)
            to[columns] = to[columns - 1];
          if (i == 0)
            memcpy(to - stride + left, to + left, (right - left) * sizeof(double));
          if (i == rows - 1)
            memcpy(to + stride + left, to + left, (right - left) * sizeof(double));
        }
      }
    }
  })
  double seconds = omp_get_wtime() - start;
#pragma omp parallel for
  for (long i = 0; i < rows; i++)
    memcpy(result + i * columns, buffers[steps & 1] + i * stride, columns * sizeof(double));
  free(memory[0]), free(memory[1]);
  return seconds;
}
