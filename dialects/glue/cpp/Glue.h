//===- Glue.h - Where ODS-generated C++ meets Rust --------------*- C++ -*-===//
//
// Two halves. The C++ half is included by the code that mlir-tblgen generates:
// hooks that look an op up in the table of Rust callbacks, and syntax that ODS
// has no words for (index regions, affine subscripts, boxes). The C half is
// what Rust calls: descriptors of passes and pipelines, diagnostics, and the
// main functions of the tools. Nothing here knows any dialect.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_GLUE_H
#define MLIR_GLUE_H

#include "mlir-c/IR.h"
#include "mlir-c/Pass.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <cctype>

namespace mlir::glue {

//===----------------------------------------------------------------------===//
// Hooks: ODS calls these, Rust answers.
//===----------------------------------------------------------------------===//

LogicalResult verify(Operation *op);
LogicalResult verifyRegions(Operation *op);
void nameResults(Operation *op, OpAsmSetValueNameFn set);
void nameArguments(Operation *op, Region &region, OpAsmSetValueNameFn set);
/// An attribute of `dialect` on argument (or result) `index` of a function.
LogicalResult verifyValueAttribute(StringRef dialect, Operation *op,
                                   bool isResult, unsigned index,
                                   NamedAttribute attribute);

//===----------------------------------------------------------------------===//
// Syntax: custom<...> directives for assembly formats.
//===----------------------------------------------------------------------===//

/// `(%y, %x) { ... }`: a region whose arguments are all of type index.
ParseResult parseIndexRegion(OpAsmParser &parser, Region &body);
void printIndexRegion(OpAsmPrinter &printer, Operation *op, Region &body);

/// `[%y, %x - 1]`: an affine map applied to operands.
ParseResult
parseSubscript(OpAsmParser &parser,
               SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands,
               AffineMapAttr &map);
void printSubscript(OpAsmPrinter &printer, Operation *op, OperandRange operands,
                    AffineMapAttr map);

/// `[0, 480) x [1, ?)`: half-open intervals, kept as lo, hi, lo, hi, ...
ParseResult parseBox(OpAsmParser &parser, DenseI64ArrayAttr &box);
void printBox(OpAsmPrinter &printer, Operation *op, DenseI64ArrayAttr box);

/// `(%y, %x)`, each of type index, added to `arguments`: for directives of
/// dialects.
ParseResult
parseIndexArguments(OpAsmParser &parser,
                    SmallVectorImpl<OpAsmParser::Argument> &arguments);
void printIndexArguments(OpAsmPrinter &printer,
                         ArrayRef<BlockArgument> arguments);

/// The arguments of a region, which may have lost its block: it is printed all
/// the same, for a message.
ArrayRef<BlockArgument> argumentsOf(Region &body);

/// One of the keywords of an enum attribute, or nothing. (ODS's own optional
/// enum reads past a misspelt keyword and complains of the token behind it.)
template <typename EnumAttr>
OptionalParseResult parseCase(OpAsmParser &parser, EnumAttr &attr) {
  using Enum = typename EnumAttr::ValueType;
  auto caseOf = [](uint32_t value) { return stringifyEnum(Enum(value)); };
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (!std::isalpha(static_cast<unsigned char>(*loc.getPointer())))
    return std::nullopt;
  if (parser.parseKeyword(&keyword))
    return failure();
  for (uint32_t value = 0; !caseOf(value).empty(); ++value) {
    if (caseOf(value) == keyword) {
      attr = EnumAttr::get(parser.getContext(), Enum(value));
      return success();
    }
  }
  InFlightDiagnostic error = parser.emitError(loc)
                             << "unknown keyword '" << keyword
                             << "', expected one of";
  for (uint32_t value = 0; !caseOf(value).empty(); ++value)
    error << (value ? ", " : " ") << caseOf(value);
  return ParseResult(error);
}
template <typename EnumAttr>
void printCase(OpAsmPrinter &printer, Operation *, EnumAttr attr) {
  printer << stringifyEnum(attr.getValue());
}

} // namespace mlir::glue

//===----------------------------------------------------------------------===//
// The C side. Everything handed over by Rust is 'static.
//===----------------------------------------------------------------------===//

extern "C" {

/// Rust's answers to the hooks above. `entry` is what the op's name was
/// registered with.
typedef struct {
  bool (*verify)(const void *entry, MlirOperation op);
  bool (*verifyRegions)(const void *entry, MlirOperation op);
  void (*nameResults)(const void *entry, MlirOperation op, void *set);
  void (*nameArguments)(const void *entry, MlirOperation op, intptr_t region,
                        void *set);
  bool (*verifyValueAttribute)(const void *entry, MlirOperation op,
                               bool isResult, intptr_t index,
                               MlirStringRef name, MlirAttribute value);
} GlueHooks;

typedef enum {
  GlueOptionBool,
  GlueOptionInt,
  GlueOptionString,
  GlueOptionChoice
} GlueOptionKind;

typedef struct {
  GlueOptionKind kind;
  MlirStringRef name;
  MlirStringRef help;
  /// Bool: 0 or 1. Int: the number. (String and Choice have the other one.)
  int64_t defaultInt;
  MlirStringRef defaultString;
  const MlirStringRef *choices;
  intptr_t nChoices;
} GlueOption;

/// Both strings end with a NUL: llvm::Statistic wants C strings.
typedef struct {
  const char *name;
  const char *help;
} GlueStatistic;

typedef struct {
  const void *self;
  MlirStringRef argument;
  MlirStringRef summary;
  /// The op that the pass is anchored on, or empty for any.
  MlirStringRef anchor;
  /// Registers the dialects whose ops the pass creates.
  void (*dialects)(MlirDialectRegistry registry);
  const GlueOption *options;
  intptr_t nOptions;
  const GlueStatistic *statistics;
  intptr_t nStatistics;
  /// `sinks` are those of the run, see glueSetSinks.
  bool (*run)(const void *self, MlirOperation op, void *pass,
              const void *options, const void *sinks);
} GluePass;

typedef struct {
  const void *self;
  MlirStringRef argument;
  MlirStringRef summary;
  const GlueOption *options;
  intptr_t nOptions;
  /// Sends the textual pipeline to `sink`; false: sends an error message.
  bool (*expand)(const void *self, const void *options,
                 MlirStringCallback sink, void *userData);
} GluePipeline;

void glueSetHooks(const GlueHooks *hooks);
void glueRegisterHooks(MlirStringRef name, const void *entry);
void glueSetName(void *set, MlirValue value, MlirStringRef name);

void glueRegisterPass(const GluePass *pass);
void glueRegisterPipeline(const GluePipeline *pipeline);
int64_t glueOptionInt(const void *options, intptr_t index);
MlirStringRef glueOptionString(const void *options, intptr_t index);
void glueAddStatistic(void *pass, intptr_t index, int64_t count);

/// Hands `sinks` to every pass of ours that `manager` runs.
void glueSetSinks(MlirPassManager manager, const void *sinks);

/// severity: 0 error, 1 warning, 2 remark.
void glueEmit(int severity, MlirLocation location, MlirStringRef message,
              intptr_t nNotes, const MlirLocation *noteLocations,
              const MlirStringRef *noteMessages);

/// Parses and verifies a module; `name` stands in its locations. Null after
/// diagnostics. (MLIR's own C function has no name to give.)
MlirModule glueParseModule(MlirContext context, MlirStringRef text,
                           MlirStringRef name);

/// Whether the regions of two ops hold the same, whatever the locations.
bool glueAreRegionsEquivalent(MlirOperation a, MlirOperation b);

/// Whether two ops are the same, operands and all, whatever the locations.
bool glueAreEquivalent(MlirOperation a, MlirOperation b);

/// What `--cse` does, to all inside an op.
void glueEliminateCommon(MlirOperation op);

/// All upstream dialects, extensions and translations to LLVM IR.
void glueRegisterUpstream(MlirDialectRegistry registry);

/// Prints values under the names of their locations from now on, where the
/// command line does not say otherwise.
void glueNameValuesByLocation(void);

/// Where a driver reads and writes: Rust has the limits of the one, and replaces
/// files whole in the other. Both say themselves what went wrong.
typedef struct {
  const void *self;
  /// The name of a file, as the command line has it, to the name that stands in
  /// its locations and to its content.
  bool (*read)(const void *self, MlirStringRef file,
               void (*sink)(MlirStringRef name, MlirStringRef content,
                            void *data),
               void *data);
  bool (*write)(const void *self, MlirStringRef file, MlirStringRef content);
} GlueFiles;

/// `files` and `sinks` (as for glueSetSinks) may be null; sinks need files.
int glueOptMain(int argc, char **argv, MlirStringRef tool,
                MlirDialectRegistry registry, const GlueFiles *files,
                const void *sinks);
int glueLspMain(int argc, char **argv, MlirDialectRegistry registry);
}

#endif // MLIR_GLUE_H
