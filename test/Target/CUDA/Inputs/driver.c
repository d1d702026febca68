// A driver of a GPU that does nothing: memory is malloc's, a launch is a line on stderr, and time is the number of events.
// BAD_PTX and BAD_KERNEL in the environment make it refuse a module and report a kernel that failed.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int result;
typedef unsigned int uint;

static int blocks, clock_ticks;

result cuInit(uint flags) { return 0; }
result cuDeviceGetCount(int *count) { return *count = 1, 0; }
result cuDeviceGet(int *device, int number) { return *device = number, 0; }
result cuDeviceGetName(char *name, int size, int device) { return snprintf(name, size, "GPU of paper"), 0; }
result cuDeviceGetAttribute(int *value, int attribute, int device) {
  const char *major = getenv("MAJOR");
  *value = attribute == 75 ? (major ? atoi(major) : 8) : 0;
  return 0;
}
result cuDevicePrimaryCtxRetain(void **context, int device) { return *context = &blocks, 0; }
result cuDevicePrimaryCtxRelease_v2(int device) { return fprintf(stderr, "released, %d blocks left\n", blocks), 0; }
result cuCtxSetCurrent(void *context) { return context != &blocks; }
result cuStreamCreate(void **stream, uint flags) { return *stream = &clock_ticks, 0; }
result cuStreamSynchronize(void *stream) { return stream != &clock_ticks ? 1 : getenv("BAD_KERNEL") ? 700 : 0; }
result cuStreamDestroy_v2(void *stream) { return 0; }
result cuEventCreate(void **event, uint flags) { return *event = calloc(1, sizeof(int)), 0; }
result cuEventRecord(void *event, void *stream) { return *(int *)event = ++clock_ticks, 0; }
result cuEventElapsedTime(float *ms, void *from, void *to) { return *ms = *(int *)to - *(int *)from, 0; }
result cuEventDestroy_v2(void *event) { return free(event), 0; }
result cuMemAlloc_v2(uint64_t *address, size_t bytes) {
  if (bytes == 0)
    return 1;
  blocks++;
  *address = (uint64_t)calloc(1, bytes);
  return 0;
}
result cuMemFree_v2(uint64_t address) { return blocks--, free((void *)address), 0; }
result cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, void *stream) {
  return memcpy((void *)to, from, bytes), 0;
}
result cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *stream) {
  return memcpy(to, (void *)from, bytes), 0;
}
result cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, void *stream) {
  return memcpy((void *)to, (void *)from, bytes), 0;
}
result cuModuleLoadDataEx(void **module, const char *text, uint count, int *options, void **values) {
  if (getenv("BAD_PTX"))
    return snprintf(values[0], (size_t)values[1], "ptxas: line 3\nnot good"), 218;
  *module = strstr(text, ".target sm_") ? strdup(strstr(text, ".target sm_")) : 0;
  return *module ? 0 : 218;
}
result cuModuleGetFunction(void **function, void *module, const char *name) { return *function = strdup(name), 0; }
result cuModuleUnload(void *module) { return free(module), 0; }
result cuFuncGetAttribute(int *value, int attribute, void *function) { return *value = 10 * attribute, 0; }
result cuLaunchKernel(const char *function, uint gx, uint gy, uint gz, uint bx, uint by, uint bz, uint shared, void *stream,
                      void **params, void **extra) {
  fprintf(stderr, "%s: %ux%ux%u blocks of %ux%ux%u threads, %d rows\n", function, gx, gy, gz, bx, by, bz, *(int *)params[2]);
  return 0;
}
result cuGetErrorName(result error, const char **text) {
  return *text = error == 700 ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "CUDA_ERROR_INVALID_PTX", 0;
}
result cuGetErrorString(result error, const char **text) { return *text = "no good", 0; }
