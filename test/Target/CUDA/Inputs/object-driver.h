/* What a driver of paper (object-driver.c) knows, and may be told: it is a variable of the library, `paper`. */

#include <pthread.h>
#include <stddef.h>

/* A stream that a caller has made. */
#define CALLERS ((void *)0x5712)

struct paper {
  /* The call that shall fail, counted from 1 on; 0 for none. Calls are counted since the last `steps = 0`. */
  int fail_at, steps;
  /* The function that has failed. */
  const char *failed;
  /* How often things have happened. */
  int inits, contexts, modules, launches;
  /* What is allocated now. */
  int blocks;
  /* Whether the GPU knows no memory in a stream's order. */
  int has_no_pools;
  /* Whether results may be parts of their blocks: ptx-run looks for nothing, as it would say that nobody wrote the rest. */
  int has_parts;
  /* The GPU's own context, one more, and that of a second GPU. */
  void *own, *second, *other_gpu;
  /* Whether to write each call down, and what was written. */
  int writes;
  size_t used;
  char log[1 << 16];
  pthread_mutex_t lock;
};
