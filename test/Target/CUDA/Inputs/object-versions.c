/* Calls a program for images of several sizes, on a driver of paper (object-driver.c), and prints the kernels that each call launches. */

#include "object-driver.h"
#include "object.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void call(struct paper *paper, int64_t rows, int64_t columns) {
  float *points = calloc(2 * rows * columns, sizeof *points);
  weft_buffer img = weft_2d(WEFT_F32, points, rows, columns), blurred = weft_2d(WEFT_F32, points + rows * columns, rows, columns);
  paper->used = paper->log[0] = 0;
  int32_t code = weft_blur(&img, &blurred);
  printf("%dx%d: %d", (int)rows, (int)columns, (int)code);
  for (char *launch = paper->log; (launch = strstr(launch, "cuLaunchKernel ")); ++launch)
    printf(" %.*s", (int)strcspn(launch + 15, " "), launch + 15);
  printf("\n");
  free(points);
}

int main(void) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  struct paper *paper = library ? dlsym(library, "paper") : NULL;
  if (!paper)
    return 1;
  paper->writes = 1;
  call(paper, 1, 1);
  call(paper, 511, 512);
  call(paper, 512, 512);
  call(paper, 262143, 1);
  call(paper, 4096, 100);
  return 0;
}
