// Calls a program whose types it does not know when it is compiled: by its symbols alone.
#include <dlfcn.h>
#include <stdio.h>

#include "scaled.h"

int main(int count, char **names) {
  void *library = dlopen(names[count - 1], RTLD_NOW);
  if (!library) {
    puts(dlerror());
    return 1;
  }
  const char *(*signature)(void) = dlsym(library, "weft_scaled_signature");
  int32_t (*extents)(void *const *) = dlsym(library, "weft_scaled_extents_packed");
  int32_t (*call)(void *const *) = dlsym(library, "weft_scaled_packed");
  const char *(*error)(void) = dlsym(library, "weft_scaled_error");
  puts(signature());

  float img[2][3] = {{1, 2, 3}, {4, 5, 6}}, out[2][3];
  float by = 10;
  int64_t found[2];
  weft_buffer in = weft_2d(WEFT_F32, img, 2, 3), result = weft_2d(WEFT_F32, out, 2, 3);
  void *values[] = {&in, &by, found};
  if (extents(values) != WEFT_OK)
    return 1;
  printf("%d x %d\n", (int)found[0], (int)found[1]);
  values[2] = &result;
  if (call(values) != WEFT_OK)
    return 1;
  printf("%g %g\n", out[0][0], out[1][2]);
  result.extents[1] = 2;
  printf("%d %s\n", call(values), error());
}
