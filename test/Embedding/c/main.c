/* Weft in a C program: parse, fuse, print, compile to PTX.
 *
 *   embed PROGRAM.mlir [PIPELINE]      the pipeline is fuse{strategy=all} where none is given
 *
 * Besides weft.h there is only MLIR's own C interface here. A context prints its diagnostics to stderr by itself.
 */

#include "mlir-c/IR.h"
#include "weft-c/weft.h"

#include <stdio.h>
#include <stdlib.h>

/* A callback of MLIR's: writes text to the file that comes along. */
static void print(MlirStringRef text, void *file) { fwrite(text.data, 1, text.length, file); }

/* The same for an error, which is a line. */
static void complain(MlirStringRef text, void *file) {
  (void)file;
  fprintf(stderr, "embed: %.*s\n", (int)text.length, text.data);
}

/* The whole of a file, ended by a NUL; to be freed. */
static char *read(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    perror(path);
    exit(1);
  }
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  char *text = calloc(1, size + 1);
  if (fread(text, 1, size, file) != (size_t)size) {
    perror(path);
    exit(1);
  }
  fclose(file);
  return text;
}

/* Fuses a module, prints it, and prints its PTX. */
static int compile(MlirOperation module, const char *pipeline) {
  MlirLogicalResult result = weftRunPipeline(module, mlirStringRefCreateFromCString(pipeline), complain, NULL);
  if (mlirLogicalResultIsFailure(result))
    return 1;
  mlirOperationPrint(module, print, stdout);
  result = weftCompileToPtx(module, mlirStringRefCreateFromCString("sm_90"), print, complain, stdout);
  return mlirLogicalResultIsFailure(result);
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: embed PROGRAM.mlir [PIPELINE]\n");
    return 1;
  }
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  weftRegisterUpstream(registry);
  weftRegisterDialects(registry);
  weftRegisterPasses();
  MlirContext context = mlirContextCreateWithRegistry(registry, /*threadingEnabled=*/false);

  char *text = read(argv[1]);
  MlirModule module = mlirModuleCreateParse(context, mlirStringRefCreateFromCString(text));
  int code = mlirModuleIsNull(module) || compile(mlirModuleGetOperation(module), argc > 2 ? argv[2] : "fuse{strategy=all}");

  if (!mlirModuleIsNull(module))
    mlirModuleDestroy(module);
  free(text);
  mlirContextDestroy(context);
  mlirDialectRegistryDestroy(registry);
  return code;
}
