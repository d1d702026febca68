// How fast the machine copies: non-temporal stores or ordinary ones, one part of the buffer for each thread.
#include <immintrin.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

// So few bytes at once are copied with ordinary stores; of more, the C library would choose non-temporal ones itself.
enum { LINE = 64, MOST_THREADS = 256, PIECE = 1 << 16 };

enum { STREAMED, PLAIN };

typedef struct {
  const char *from;
  char *to;
  int64_t bytes;
} part;

static void *copy_streamed(void *argument) {
  const part *p = argument;
  for (int64_t i = 0; i < p->bytes; i += 16) {
    _mm_stream_si128((__m128i *)(p->to + i), _mm_load_si128((const __m128i *)(p->from + i)));
  }
  _mm_sfence();
  return 0;
}

static void *copy_plain(void *argument) {
  const part *p = argument;
  for (int64_t i = 0; i < p->bytes; i += PIECE) {
    int64_t left = p->bytes - i;
    memcpy(p->to + i, p->from + i, left < PIECE ? left : PIECE);
  }
  return 0;
}

// Both buffers begin at a cache line; what is left behind the last whole line of the last part is not copied.
void copy(const char *from, char *to, int64_t bytes, int threads, int kind) {
  void *(*copy_part)(void *) = kind == STREAMED ? copy_streamed : copy_plain;
  pthread_t ids[MOST_THREADS];
  part parts[MOST_THREADS];
  int64_t each = bytes / LINE / threads * LINE;
  for (int t = 0; t < threads; t++) {
    parts[t] = (part){from + t * each, to + t * each, each};
    if (t) pthread_create(&ids[t], 0, copy_part, &parts[t]);
  }
  copy_part(&parts[0]);
  for (int t = 1; t < threads; t++) pthread_join(ids[t], 0);
}
