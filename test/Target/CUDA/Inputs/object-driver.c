/* A driver of a GPU that computes nothing, for objects: it checks what it is asked for, writes it down, and fails where it is told to.
 *
 *   memory     malloc's, at addresses that the host cannot use: a block is found by its address, and accesses stay inside
 *   context    a stack for each thread; nothing is done without a current one, or with a module of another. The GPU's own, and `paper.second`
 *   streams    the threads' own, the caller's (CALLERS), and lanes that it makes, on which all is written down as such
 *   GPUs       two, of which the second has another context and no memory of its own
 *   pools      memory in a stream's order; without them where it is compiled with -DOLD_POOLS, or `paper.has_no_pools`
 *   kernels    copy their first tensor to their second; or where the environment variable KERNELS names a folder for files, ptx-run
 *              executes them, each of which reads all its tensors but the last and writes that one
 */

#include "object-driver.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int result;
typedef unsigned int uint;

enum { LANES = 64, BLOCKS = 256, DEPTH = 8, MODULES = 16, INVALID = 1, NOT_INITIALIZED = 3, NO_CONTEXT = 201, INVALID_HANDLE = 400, NOT_SUPPORTED = 801 };

static int context, second_context, other_context;
struct paper paper = {.lock = PTHREAD_MUTEX_INITIALIZER, .own = &context, .second = &second_context, .other_gpu = &other_context};

static const uint64_t FAR = (uint64_t)1 << 60;
static void *const STREAM = (void *)2;
static struct { char *memory; size_t bytes; } blocks[BLOCKS];
static _Thread_local void *stack[DEPTH];
static _Thread_local int depth;

/* A module belongs to a context; a function is a name that stands in its module's text. */
struct module { const char *text; void *context; };
static struct module modules[MODULES];
struct function { const struct module *module; char name[64]; };
static struct function functions[64];

/* Begins a call: the lock is held until `end`. Gives what the call shall return, if it is to do nothing. */
static result begin(const char *function, result failure, const char *format, ...) {
  pthread_mutex_lock(&paper.lock);
  if (paper.writes && paper.used < sizeof paper.log - 256) {
    paper.used += sprintf(paper.log + paper.used, "%s ", function);
    va_list arguments;
    va_start(arguments, format);
    paper.used += vsprintf(paper.log + paper.used, format, arguments);
    va_end(arguments);
    strcpy(paper.log + paper.used++, "\n");
  }
  if (++paper.steps == paper.fail_at) {
    paper.failed = function;
    return failure;
  }
  return 0;
}

static result end(result code) { return pthread_mutex_unlock(&paper.lock), code; }

static void *current_context(void) { return depth ? stack[depth - 1] : NULL; }

static result has_context(void) {
  void *current = current_context();
  return paper.inits && (current == paper.own || current == paper.second || current == paper.other_gpu) ? 0 : NO_CONTEXT;
}

/* Whether work can be done on a stream, and what is written of one that is not the threads' own. */
static char lanes[LANES];
static int lanes_made;
static int is_lane(const void *stream) { return (char *)stream >= lanes && (char *)stream < lanes + lanes_made; }
static int is_stream(const void *stream) { return stream == STREAM || stream == CALLERS || is_lane(stream); }
static const char *on(const void *stream) {
  static _Thread_local char lane[32];
  snprintf(lane, sizeof lane, " on lane %d", (int)((char *)stream - lanes));
  return is_lane(stream) ? lane : stream == STREAM ? "" : stream == CALLERS ? " on the caller's stream" : " on no stream";
}

/* The host's address of memory of a block. */
static char *within(uint64_t address, size_t bytes) {
  char *memory = (char *)(address - FAR);
  for (int i = 0; i < BLOCKS; ++i)
    if (blocks[i].memory && memory >= blocks[i].memory && memory + bytes <= blocks[i].memory + blocks[i].bytes)
      return memory;
  return NULL;
}

static size_t block_at(uint64_t address) {
  for (int i = 0; i < BLOCKS; ++i)
    if (blocks[i].memory && blocks[i].memory == (char *)(address - FAR))
      return i;
  return BLOCKS;
}

result cuInit(uint flags) {
  result code = begin("cuInit", 100, "%u", flags);
  if (!code)
    paper.inits++;
  return end(code);
}

result cuDeviceGet(int *device, int number) {
  result code = begin("cuDeviceGet", 101, "%d", number);
  if (!code)
    *device = 7 + number;
  return end(!paper.inits ? NOT_INITIALIZED : code);
}

result cuDevicePrimaryCtxRetain(void **place, int device) {
  result code = begin("cuDevicePrimaryCtxRetain", 2, "%d", device);
  if (!code && (device == 7 || device == 8))
    *place = device == 7 ? paper.own : paper.other_gpu, paper.contexts++;
  return end(device != 7 && device != 8 ? INVALID : code);
}

result cuCtxPushCurrent_v2(void *pushed) {
  result code = begin("cuCtxPushCurrent", 709, "%s", pushed == paper.own ? "" : "of the test");
  if (!code && depth < DEPTH)
    stack[depth++] = pushed;
  return end(code);
}

/* This and cuMemFree do what they shall before they fail. */
result cuCtxPopCurrent_v2(void **popped) {
  result code = begin("cuCtxPopCurrent", 709, "");
  if (!depth)
    return end(NO_CONTEXT);
  *popped = stack[--depth];
  return end(code);
}

result cuCtxGetCurrent(void **current) {
  result code = begin("cuCtxGetCurrent", 3, "");
  return *current = current_context(), end(code);
}

/* 9 is CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL; all memory is that of the first GPU. */
result cuPointerGetAttribute(void *value, int attribute, uint64_t address) {
  result code = begin("cuPointerGetAttribute", INVALID, "%d", attribute);
  if (code || attribute != 9 || !within(address, 1))
    return end(code ? code : INVALID);
  return *(int *)value = 0, end(0);
}

/* 75 and 76 are CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR and _MINOR. */
result cuDeviceGetAttribute(int *value, int attribute, int device) {
  result code = begin("cuDeviceGetAttribute", INVALID, "%d", attribute);
  if (code || (device != 7 && device != 8) || (attribute != 75 && attribute != 76))
    return end(code ? code : INVALID);
  return *value = attribute == 75 ? 7 : 5, end(0);
}

result cuModuleLoadDataEx(void **module, const char *text, uint count, int *options, void **values) {
  int starts = strstr(text, "\n.version ") != NULL && strstr(text, "\n.target sm_75") != NULL;
  result code = begin("cuModuleLoadDataEx", 218, "%s", starts ? ".version" : "something else");
  if (code || !starts) {
    if (count == 2 && options[0] == 5 && options[1] == 6)
      snprintf(values[0], (size_t)values[1], "ptxas: line 3\nnot good");
    return end(code ? code : INVALID);
  }
  if (paper.modules == MODULES)
    return end(INVALID);
  struct module *made = &modules[paper.modules++];
  *made = (struct module){text, current_context()};
  *module = made;
  return end(has_context());
}

result cuModuleGetFunction(void **place, const struct module *module, const char *name) {
  char entry[128];
  snprintf(entry, sizeof entry, ".entry %s(", name);
  result code = begin("cuModuleGetFunction", 500, "%s", name);
  if (code || !strstr(module->text, entry) || module->context != current_context())
    return end(code ? code : INVALID);
  size_t i = 0;
  while (functions[i].module && (functions[i].module != module || strcmp(functions[i].name, name) != 0))
    ++i;
  functions[i].module = module;
  strcpy(functions[i].name, name);
  *place = &functions[i];
  return end(has_context());
}

result cuFuncSetAttribute(void *function, int attribute, int value) {
  return end(begin("cuFuncSetAttribute", 1, "%s %d %d", ((struct function *)function)->name, attribute, value));
}

static result allocate(result code, uint64_t *address, size_t bytes) {
  size_t i = 0;
  while (i < BLOCKS && blocks[i].memory)
    ++i;
  if (code || has_context() || !bytes || i == BLOCKS)
    return end(code ? code : INVALID);
  blocks[i].memory = calloc(1, bytes);
  blocks[i].bytes = bytes;
  paper.blocks++;
  *address = (uint64_t)blocks[i].memory + FAR;
  return end(0);
}

result cuMemAlloc_v2(uint64_t *address, size_t bytes) {
  return allocate(begin("cuMemAlloc", 2, "%zu", bytes), address, bytes);
}

static result give_back(result code, size_t i) {
  if (i == BLOCKS || has_context())
    return end(INVALID);
  free(blocks[i].memory);
  blocks[i].memory = NULL;
  paper.blocks--;
  return end(code);
}

result cuMemFree_v2(uint64_t address) {
  size_t i = block_at(address);
  return give_back(begin("cuMemFree", 700, "%zu", i < BLOCKS ? blocks[i].bytes : 0), i);
}

#ifndef OLD_POOLS
result cuMemAllocAsync(uint64_t *address, size_t bytes, void *stream) {
  result code = begin("cuMemAllocAsync", 2, "%zu%s", bytes, on(stream));
  return allocate(code ? code : paper.has_no_pools ? NOT_SUPPORTED : is_stream(stream) ? 0 : INVALID_HANDLE, address, bytes);
}

result cuMemFreeAsync(uint64_t address, void *stream) {
  size_t i = block_at(address);
  result code = begin("cuMemFreeAsync", 700, "%zu%s", i < BLOCKS ? blocks[i].bytes : 0, on(stream));
  return give_back(code ? code : paper.has_no_pools ? NOT_SUPPORTED : is_stream(stream) ? 0 : INVALID_HANDLE, i);
}
#endif

result cuDeviceGetCount(int *count) {
  result code = begin("cuDeviceGetCount", 101, "");
  return *count = 2, end(!paper.inits ? NOT_INITIALIZED : code);
}

result cuStreamCreate(void **stream, uint flags) {
  result code = begin("cuStreamCreate", 2, "%u", flags);
  if (code || has_context() || lanes_made == LANES)
    return end(code ? code : INVALID);
  return *stream = &lanes[lanes_made++], end(0);
}

result cuStreamDestroy_v2(void *stream) {
  return end(begin("cuStreamDestroy", 700, "%s", on(stream) + 1));
}

/* Memory of the host. */
result cuMemHostAlloc(void **memory, size_t bytes, uint flags) {
  result code = begin("cuMemHostAlloc", 2, "%zu %u", bytes, flags);
  if (code || has_context())
    return end(code ? code : INVALID);
  return *memory = malloc(bytes), end(*memory ? 0 : 2);
}

result cuMemFreeHost(void *memory) {
  result code = begin("cuMemFreeHost", 700, "");
  return free(memory), end(code);
}

result cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, void *stream) {
  result code = begin("cuMemcpyHtoD", 999, "%zu%s", bytes, is_lane(stream) ? on(stream) : "");
  char *memory = within(to, bytes);
  if (code || !memory || !(stream == STREAM || is_lane(stream)) || has_context())
    return end(code ? code : INVALID);
  return memcpy(memory, from, bytes), end(0);
}

result cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *stream) {
  result code = begin("cuMemcpyDtoH", 999, "%zu%s", bytes, is_lane(stream) ? on(stream) : "");
  char *memory = within(from, bytes);
  if (code || !memory || !(stream == STREAM || is_lane(stream)) || has_context())
    return end(code ? code : INVALID);
  return memcpy(to, memory, bytes), end(0);
}

result cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, void *stream) {
  result code = begin("cuMemcpyDtoD", 999, "%zu%s", bytes, on(stream));
  char *memory = within(to, bytes), *source = within(from, bytes);
  if (code || !memory || !source || !is_stream(stream) || has_context())
    return end(code ? code : INVALID);
  return memcpy(memory, source, bytes), end(0);
}

/* CUDA_MEMCPY2D. */
struct side { size_t x, y; uint type; void *host; uint64_t device; void *array; size_t pitch; };
struct plane { struct side from, to; size_t width, height; };

/* Where a row of a side is, if it is within memory. */
static char *row_of(const struct side *side, size_t row, size_t width) {
  if (side->x || side->y || side->array || side->pitch < width || side->pitch > INT32_MAX)
    return NULL;
  return side->type == 1 ? (char *)side->host + row * side->pitch : within(side->device + row * side->pitch, width);
}

result cuMemcpy2DAsync_v2(const struct plane *plane, void *stream) {
  result code = begin("cuMemcpy2D", 999, "%s %zux%zu", plane->from.type == 1 ? "HtoD" : "DtoH", plane->height, plane->width);
  if (code || plane->from.type + plane->to.type != 3 || stream != STREAM || has_context())
    return end(code ? code : INVALID);
  for (size_t row = 0; row < plane->height; ++row) {
    char *to = row_of(&plane->to, row, plane->width), *from = row_of(&plane->from, row, plane->width);
    if (!to || !from)
      return end(INVALID);
    memcpy(to, from, plane->width);
  }
  return end(0);
}

/* Bytes in a file of NumPy: a header of 128, then they. */
static int write_bytes(const char *path, const void *bytes, size_t count) {
  char header[129], shape[64];
  snprintf(shape, sizeof shape, "(%zu,)", count);
  snprintf(header, sizeof header, "##########{'descr': '|u1', 'fortran_order': False, 'shape': %s, }", shape);
  memset(header + strlen(header), ' ', 128 - strlen(header));
  memcpy(header, "\x93NUMPY\x01\x00\x76\x00", 10);
  header[127] = '\n';
  FILE *file = fopen(path, "wb");
  return file && fwrite(header, 1, 128, file) == 128 && fwrite(bytes, 1, count, file) == count && !fclose(file);
}

static int read_bytes(const char *path, void *bytes, size_t count) {
  unsigned char header[10];
  FILE *file = fopen(path, "rb");
  return file && fread(header, 1, 10, file) == 10 && !fseek(file, header[8] + 256 * header[9], SEEK_CUR)
         && fread(bytes, 1, count, file) == count && !fclose(file);
}

/* Executes a kernel: its parameters are read in its text, and passed as files and numbers. */
static int execute(const struct function *function, const uint *grid, const uint *block, void **params, const char *folder) {
  char line[4096], path[256], entry[128];
  snprintf(path, sizeof path, "%s/kernel.ptx", folder);
  FILE *file = fopen(path, "w");
  if (!file || fputs(function->module->text, file) < 0 || fclose(file))
    return 0;
  size_t used = snprintf(line, sizeof line, "ptx-run%s %s %s --grid %u,%u,%u --block %u,%u,%u", paper.has_parts ? " --no-check" : "", path, function->name, grid[0], grid[1],
                         grid[2], block[0], block[1], block[2]);
  snprintf(entry, sizeof entry, ".entry %s(", function->name);
  const char *text = strstr(function->module->text, entry) + strlen(entry), *last = text, *end = strstr(text, "\n)");
  for (const char *at = text; (at = strstr(at, ".u64 .ptr")) && at < end; ++at)
    last = at;
  size_t result_block = BLOCKS;
  for (int i = 0; (text = strstr(text, ".param ")) && text < end; ++i) {
    text += strlen(".param ");
    char *to = line + used;
    size_t room = sizeof line - used;
    if (strncmp(text, ".u64 .ptr", 9) == 0) {
      size_t number = block_at(*(uint64_t *)params[i]);
      if (number == BLOCKS)
        return 0;
      snprintf(path, sizeof path, "%s/%d.npy", folder, i);
      if (text == last)
        result_block = number, used += snprintf(to, room, " zeros:u8:%zu=%s/result.npy", blocks[number].bytes, folder);
      else if (write_bytes(path, blocks[number].memory, blocks[number].bytes))
        used += snprintf(to, room, " %s", path);
      else
        return 0;
    } else if (strncmp(text, ".u8", 3) == 0)
      used += snprintf(to, room, " u8:%u", *(uint8_t *)params[i]);
    else if (strncmp(text, ".u16", 4) == 0 || strncmp(text, ".align 2 .b8", 12) == 0)
      used += snprintf(to, room, " u16:%u", *(uint16_t *)params[i]);
    else if (strncmp(text, ".u32", 4) == 0)
      used += snprintf(to, room, " u32:%u", *(uint32_t *)params[i]);
    else if (strncmp(text, ".u64", 4) == 0)
      used += snprintf(to, room, " u64:%llu", *(unsigned long long *)params[i]);
    else if (strncmp(text, ".f32", 4) == 0)
      used += snprintf(to, room, " f32:%.9g", *(float *)params[i]);
    else if (strncmp(text, ".f64", 4) == 0)
      used += snprintf(to, room, " f64:%.17g", *(double *)params[i]);
    else
      return 0;
  }
  snprintf(line + used, sizeof line - used, " > %s/said.txt", folder);
  snprintf(path, sizeof path, "%s/result.npy", folder);
  return result_block < BLOCKS && system(line) == 0 && read_bytes(path, blocks[result_block].memory, blocks[result_block].bytes);
}

#ifndef OLD
result cuLaunchKernel(struct function *function, uint gx, uint gy, uint gz, uint bx, uint by, uint bz, uint shared, void *stream,
                      void **params, void **extra) {
  char extents[64] = "";
  if (strncmp(function->name, "blur", 4) == 0 || strncmp(function->name, "heat", 4) == 0)
    snprintf(extents, sizeof extents, ", image of %d and %d", *(int *)params[2], *(int *)params[3]);
  result code = begin("cuLaunchKernel", 701, "%s %ux%ux%u blocks of %ux%ux%u%s%s", function->name, gx, gy, gz, bx, by, bz, extents, on(stream));
  if (code || shared || !is_stream(stream) || extra || function->module->context != current_context() || has_context())
    return end(code ? code : INVALID);
  paper.launches++;
  const char *folder = getenv("KERNELS");
  if (folder) {
    const uint grid[] = {gx, gy, gz}, block[] = {bx, by, bz};
    /* Meanwhile others may copy, as beside a kernel; but of kernels there is one at a time, since their files have one name. */
    static pthread_mutex_t kernels = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_unlock(&paper.lock);
    pthread_mutex_lock(&kernels);
    int is_done = execute(function, grid, block, params, folder);
    pthread_mutex_unlock(&kernels);
    pthread_mutex_lock(&paper.lock);
    return end(is_done ? 0 : 700);
  }
  /* Its first parameter is a result. */
  if (strncmp(function->name, "numbers", 7) == 0)
    return end(within(*(uint64_t *)params[0], 8) ? 0 : INVALID);
  size_t from = block_at(*(uint64_t *)params[0]), to = block_at(*(uint64_t *)params[1]);
  if (from == BLOCKS || to == BLOCKS)
    return end(INVALID);
  size_t bytes = blocks[from].bytes < blocks[to].bytes ? blocks[from].bytes : blocks[to].bytes;
  return memmove(blocks[to].memory, blocks[from].memory, bytes), end(0);
}
#endif

result cuStreamSynchronize(void *stream) {
  result code = begin("cuStreamSynchronize", 700, "%s", stream == STREAM ? "" : on(stream) + 1);
  return end(code ? code : !is_stream(stream) ? INVALID : has_context());
}

/* It has no words for some errors. */
result cuGetErrorName(result code, const char **text) {
  *text = code == 2 ? "CUDA_ERROR_OUT_OF_MEMORY" : code == 100 ? "CUDA_ERROR_NO_DEVICE" : code == 999 ? NULL : "CUDA_ERROR_OF_PAPER";
  return *text ? 0 : INVALID;
}
result cuGetErrorString(result code, const char **text) {
  *text = code == 2 ? "out of memory" : code == 999 ? NULL : "no good";
  return *text ? 0 : INVALID;
}
