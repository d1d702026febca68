/* A driver of a GPU that is not there: it computes nothing and writes down what a program asks of it, so that `ptx-run --trace` can do it later.
 *
 *   cc -shared -fPIC -o FOLDER/libcuda.so.1 driver.c
 *   LD_LIBRARY_PATH=FOLDER TRACE=trace PROGRAM
 *   ptx-run --trace trace
 *
 * The folder TRACE, which must be there, gets moduleN.ptx (texts that were loaded), inN.bin (what was copied to the device), and
 * trace.jsonl, a line for each thing that was done, in order:
 *
 *   {"do": "module", "file": F}                                {"do": "write", "address": A, "bytes": N, "file": F}
 *   {"do": "allocate", "address": A, "bytes": N}               {"do": "fill", "address": A, "bytes": N, "value": V}
 *   {"do": "free", "address": A}                               {"do": "copy", "to": A, "from": A, "bytes": N}
 *   {"do": "launch", "module": M, "kernel": K, "grid": [X, Y, Z], "block": [X, Y, Z], "shared": N, "arguments": ["hex", ...]}
 *   {"do": "read", "address": A, "bytes": N}
 *
 * A program reads zeros back: one whose launches depend on what kernels computed cannot be written down. Allocations are 2^36 bytes
 * apart, so that an address says which one it is of. Copies of parts with strides are refused. CAPABILITY (70) is the GPU's.
 */

#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int result;
typedef unsigned int uint;

enum { OK = 0, INVALID = 1, NO_FILE = 301, NOT_FOUND = 500, MOST_PARAMS = 256, NAME = 512 };

/* Attributes of a device: what programs ask for to decide on blocks. */
enum { THREADS = 1, BLOCK_X = 2, BLOCK_Y = 3, BLOCK_Z = 4, GRID_X = 5, GRID_Y = 6, GRID_Z = 7, SHARED = 8, WARP = 10, REGISTERS = 12, SMS = 16,
       MAJOR = 75, MINOR = 76, SHARED_OPT_IN = 97 };

struct module { int number; char *text; };
struct function { int module; char name[NAME]; int count; size_t sizes[MOST_PARAMS]; };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *trace;
static int modules, inputs;
static uint64_t slots;
static int context, stream;

static const char *folder(void) {
  const char *name = getenv("TRACE");
  return name ? name : ".";
}

static FILE *opened(const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder(), name);
  FILE *file = fopen(path, "wb");
  if (!file)
    fprintf(stderr, "the recording driver cannot write %s\n", path);
  return file;
}

/* Writes a file; 0 if it cannot. */
static int written(const char *name, const void *bytes, size_t count) {
  FILE *file = opened(name);
  return file && fwrite(bytes, 1, count, file) == count && !fclose(file);
}

/* A line of the trace. */
static result note(const char *format, ...) {
  pthread_mutex_lock(&lock);
  if (!trace)
    trace = opened("trace.jsonl");
  result code = trace ? OK : NO_FILE;
  if (trace) {
    va_list values;
    va_start(values, format);
    vfprintf(trace, format, values);
    va_end(values);
    fflush(trace);
  }
  pthread_mutex_unlock(&lock);
  return code;
}

/* The device, its context, streams and events: there is one of each. */
result cuInit(uint flags) { return OK; }
result cuDriverGetVersion(int *version) { return *version = 12000, OK; }
result cuDeviceGetCount(int *count) { return *count = 1, OK; }
result cuDeviceGet(int *device, int number) { return *device = number, OK; }
result cuDeviceGetName(char *name, int size, int device) { return snprintf(name, size, "recording driver"), OK; }
result cuDeviceTotalMem_v2(size_t *bytes, int device) { return *bytes = (size_t)1 << 35, OK; }
result cuDeviceTotalMem(size_t *bytes, int device) { return cuDeviceTotalMem_v2(bytes, device); }

result cuDeviceGetAttribute(int *value, int attribute, int device) {
  const char *capability = getenv("CAPABILITY");
  int version = capability ? atoi(capability) : 70;
  switch (attribute) {
  case THREADS: case BLOCK_X: case BLOCK_Y: *value = 1024; break;
  case BLOCK_Z: *value = 64; break;
  case GRID_X: *value = INT32_MAX; break;
  case GRID_Y: case GRID_Z: *value = 65535; break;
  case SHARED: *value = 48 << 10; break;
  case SHARED_OPT_IN: *value = 96 << 10; break;
  case WARP: *value = 32; break;
  case REGISTERS: *value = 65536; break;
  case SMS: *value = 80; break;
  case MAJOR: *value = version / 10; break;
  case MINOR: *value = version % 10; break;
  default: *value = 0;
  }
  return OK;
}

result cuCtxCreate_v2(void **made, uint flags, int device) { return *made = &context, OK; }
result cuCtxDestroy_v2(void *made) { return OK; }
result cuCtxGetApiVersion(void *made, uint *version) { return *version = 3020, OK; }
result cuCtxGetDevice(int *device) { return *device = 0, OK; }
result cuCtxPushCurrent_v2(void *pushed) { return OK; }
result cuCtxPopCurrent_v2(void **popped) { return *popped = &context, OK; }
result cuCtxSetCurrent(void *current) { return OK; }
result cuCtxGetCurrent(void **current) { return *current = &context, OK; }
result cuCtxSynchronize(void) { return OK; }
result cuDevicePrimaryCtxRetain(void **retained, int device) { return *retained = &context, OK; }
result cuDevicePrimaryCtxRelease_v2(int device) { return OK; }
result cuProfilerStop(void) { return OK; }
result cuStreamCreate(void **made, uint flags) { return *made = &stream, OK; }
result cuStreamDestroy_v2(void *made) { return OK; }
result cuStreamSynchronize(void *made) { return OK; }
result cuEventCreate(void **event, uint flags) { return *event = &stream, OK; }
result cuEventDestroy_v2(void *event) { return OK; }
result cuEventRecord(void *event, void *made) { return OK; }
result cuEventSynchronize(void *event) { return OK; }
result cuEventElapsedTime(float *ms, void *from, void *to) { return *ms = 0, OK; }
result cuEventElapsedTime_v2(float *ms, void *from, void *to) { return *ms = 0, OK; }
result cuPointerGetAttribute(void *value, int attribute, uint64_t address) { return *(void **)value = &context, OK; }

/* Memory. */
result cuMemAlloc_v2(uint64_t *address, size_t bytes) {
  pthread_mutex_lock(&lock);
  *address = ++slots << 36;
  pthread_mutex_unlock(&lock);
  return bytes ? note("{\"do\": \"allocate\", \"address\": %" PRIu64 ", \"bytes\": %zu}\n", *address, bytes) : INVALID;
}

result cuMemFree_v2(uint64_t address) { return note("{\"do\": \"free\", \"address\": %" PRIu64 "}\n", address); }

result cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes) {
  char name[32];
  pthread_mutex_lock(&lock);
  snprintf(name, sizeof name, "in%d.bin", inputs++);
  pthread_mutex_unlock(&lock);
  if (!written(name, from, bytes))
    return NO_FILE;
  return note("{\"do\": \"write\", \"address\": %" PRIu64 ", \"bytes\": %zu, \"file\": \"%s\"}\n", to, bytes, name);
}

result cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes) {
  memset(to, 0, bytes);
  return note("{\"do\": \"read\", \"address\": %" PRIu64 ", \"bytes\": %zu}\n", from, bytes);
}

result cuMemcpyDtoD_v2(uint64_t to, uint64_t from, size_t bytes) {
  return note("{\"do\": \"copy\", \"to\": %" PRIu64 ", \"from\": %" PRIu64 ", \"bytes\": %zu}\n", to, from, bytes);
}

result cuMemsetD8_v2(uint64_t to, unsigned char value, size_t bytes) {
  return note("{\"do\": \"fill\", \"address\": %" PRIu64 ", \"bytes\": %zu, \"value\": %d}\n", to, bytes, value);
}

result cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, void *in) { return cuMemcpyHtoD_v2(to, from, bytes); }
result cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *in) { return cuMemcpyDtoH_v2(to, from, bytes); }
result cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, void *in) { return cuMemcpyDtoD_v2(to, from, bytes); }

static result refused(const char *what) {
  fprintf(stderr, "the recording driver refuses %s: it writes down copies of whole ranges only\n", what);
  return INVALID;
}

result cuMemcpy2DAsync_v2(const void *copy, void *in) { return refused("cuMemcpy2DAsync"); }
result cuMemcpy3D_v2(const void *copy) { return refused("cuMemcpy3D"); }

/* Modules and kernels. */
result cuModuleLoadData(void **place, const char *text) {
  struct module *module = malloc(sizeof *module);
  char name[32];
  pthread_mutex_lock(&lock);
  *module = (struct module){modules++, strdup(text)};
  pthread_mutex_unlock(&lock);
  snprintf(name, sizeof name, "module%d.ptx", module->number);
  *place = module;
  return written(name, text, strlen(text)) ? note("{\"do\": \"module\", \"file\": \"%s\"}\n", name) : NO_FILE;
}

result cuModuleLoadDataEx(void **place, const char *text, uint count, int *options, void **values) { return cuModuleLoadData(place, text); }
result cuModuleUnload(struct module *module) { return free(module->text), free(module), OK; }

/* Bytes of a parameter, of its text behind `.param`: `.u64 .ptr .align 1 name`, or `.align 4 .b8 name[12]`. */
static size_t size_of_param(const char *text, const char *end) {
  size_t bytes = 0;
  for (const char *at = text; at < end; ++at) {
    if (*at == '.' && at + 1 < end && strchr("busf", at[1]) && at[2] >= '0' && at[2] <= '9')
      bytes = atoi(at + 2) / 8;
    else if (*at == '[')
      return bytes * atoi(at + 1);
  }
  return bytes;
}

result cuModuleGetFunction(struct function **place, struct module *module, const char *name) {
  char entry[NAME + 16];
  snprintf(entry, sizeof entry, ".entry %s(", name);
  const char *begin = strlen(name) < NAME ? strstr(module->text, entry) : NULL, *end = begin ? strchr(begin, ')') : NULL;
  if (!end)
    return NOT_FOUND;
  struct function *function = calloc(1, sizeof *function);
  function->module = module->number;
  strcpy(function->name, name);
  for (const char *at = strstr(begin, ".param"); at && at < end;) {
    const char *next = strstr(at + 6, ".param");
    if (function->count == MOST_PARAMS)
      return free(function), INVALID;
    function->sizes[function->count++] = size_of_param(at + 6, next && next < end ? next : end);
    at = next;
  }
  *place = function;
  return OK;
}

result cuFuncGetAttribute(int *value, int attribute, void *function) { return *value = 0, OK; }
result cuFuncSetAttribute(void *function, int attribute, int value) { return OK; }
result cuFuncSetCacheConfig(void *function, int config) { return OK; }

result cuLaunchKernel(struct function *function, uint gx, uint gy, uint gz, uint bx, uint by, uint bz, uint shared, void *in, void **params,
                      void **extra) {
  if (extra)
    return INVALID;
  size_t room = 4;
  for (int i = 0; i < function->count; ++i)
    room += 2 * function->sizes[i] + 4;
  char *arguments = malloc(room), *to = arguments;
  *to = 0;
  for (int i = 0; i < function->count; ++i) {
    to += sprintf(to, i ? ", \"" : "\"");
    for (size_t byte = 0; byte < function->sizes[i]; ++byte)
      to += sprintf(to, "%02x", ((const unsigned char *)params[i])[byte]);
    to += sprintf(to, "\"");
  }
  result code = note("{\"do\": \"launch\", \"module\": %d, \"kernel\": \"%s\", \"grid\": [%u, %u, %u], \"block\": [%u, %u, %u], "
                     "\"shared\": %u, \"arguments\": [%s]}\n",
                     function->module, function->name, gx, gy, gz, bx, by, bz, shared, arguments);
  return free(arguments), code;
}

result cuGetErrorName(result error, const char **text) { return *text = "CUDA_ERROR_OF_RECORDING", OK; }
result cuGetErrorString(result error, const char **text) { return *text = "the recording driver refused", OK; }
