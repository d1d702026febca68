//===- Glue.cpp - Where ODS-generated C++ meets Rust ----------------------===//

#include "Glue.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Pass.h"
#include "mlir/CAPI/Support.h"
#include "mlir/CAPI/Wrap.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/CSE.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"

#include <mutex>
#include <shared_mutex>

using namespace mlir;

//===----------------------------------------------------------------------===//
// Hooks
//===----------------------------------------------------------------------===//

// Set before any context exists.
static const GlueHooks *hooks = nullptr;

// One thread may register a dialect while another one verifies in a context
// of its own.
namespace {
struct Entries {
  std::shared_mutex mutex;
  llvm::StringMap<const void *> map;
};
} // namespace
static Entries &entries() {
  static Entries entries;
  return entries;
}
static const void *entryOf(StringRef name) {
  std::shared_lock lock(entries().mutex);
  return entries().map.lookup(name);
}
static const void *entryOf(Operation *op) {
  return entryOf(op->getName().getStringRef());
}

LogicalResult glue::verify(Operation *op) {
  const void *entry = entryOf(op);
  return success(!entry || hooks->verify(entry, wrap(op)));
}

LogicalResult glue::verifyRegions(Operation *op) {
  const void *entry = entryOf(op);
  return success(!entry || hooks->verifyRegions(entry, wrap(op)));
}

void glue::nameResults(Operation *op, OpAsmSetValueNameFn set) {
  if (const void *entry = entryOf(op))
    hooks->nameResults(entry, wrap(op), &set);
}

void glue::nameArguments(Operation *op, Region &region,
                         OpAsmSetValueNameFn set) {
  if (const void *entry = entryOf(op))
    hooks->nameArguments(entry, wrap(op), region.getRegionNumber(), &set);
}

LogicalResult glue::verifyValueAttribute(StringRef dialect, Operation *op,
                                         bool isResult, unsigned index,
                                         NamedAttribute attribute) {
  const void *entry = entryOf(dialect);
  return success(!entry || hooks->verifyValueAttribute(
                               entry, wrap(op), isResult, index,
                               wrap(attribute.getName().getValue()),
                               wrap(attribute.getValue())));
}

void glueSetHooks(const GlueHooks *table) { hooks = table; }
void glueRegisterHooks(MlirStringRef name, const void *entry) {
  std::unique_lock lock(entries().mutex);
  entries().map[unwrap(name)] = entry;
}
void glueSetName(void *set, MlirValue value, MlirStringRef name) {
  (*static_cast<OpAsmSetValueNameFn *>(set))(unwrap(value), unwrap(name));
}

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

ParseResult glue::parseIndexArguments(
    OpAsmParser &parser, SmallVectorImpl<OpAsmParser::Argument> &arguments) {
  size_t before = arguments.size();
  if (parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren))
    return failure();
  for (OpAsmParser::Argument &argument :
       MutableArrayRef(arguments).drop_front(before))
    argument.type = parser.getBuilder().getIndexType();
  return success();
}

void glue::printIndexArguments(OpAsmPrinter &printer,
                               ArrayRef<BlockArgument> arguments) {
  printer << '(';
  llvm::interleaveComma(arguments, printer, [&](BlockArgument argument) {
    printer.printOperand(argument);
  });
  printer << ')';
}

ArrayRef<BlockArgument> glue::argumentsOf(Region &body) {
  return body.empty() ? ArrayRef<BlockArgument>()
                      : ArrayRef<BlockArgument>(body.getArguments());
}

ParseResult glue::parseIndexRegion(OpAsmParser &parser, Region &body) {
  SmallVector<OpAsmParser::Argument> arguments;
  return failure(parseIndexArguments(parser, arguments) ||
                 parser.parseRegion(body, arguments));
}

void glue::printIndexRegion(OpAsmPrinter &printer, Operation *, Region &body) {
  printIndexArguments(printer, argumentsOf(body));
  printer << ' ';
  printer.printRegion(body, /*printEntryBlockArgs=*/false);
}

ParseResult glue::parseSubscript(
    OpAsmParser &parser,
    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands,
    AffineMapAttr &map) {
  // The parser wants to put the map into a list of attributes; ODS wants it
  // back by reference.
  NamedAttrList scratch;
  Attribute parsed;
  if (parser.parseAffineMapOfSSAIds(operands, parsed, "map", scratch))
    return failure();
  map = cast<AffineMapAttr>(parsed);
  return success();
}

void glue::printSubscript(OpAsmPrinter &printer, Operation *,
                          OperandRange operands, AffineMapAttr map) {
  printer << '[';
  printer.printAffineMapOfSSAIds(map, operands);
  printer << ']';
}

ParseResult glue::parseBox(OpAsmParser &parser, DenseI64ArrayAttr &box) {
  SmallVector<int64_t> ends;
  auto parseEnd = [&]() -> ParseResult {
    int64_t end = ShapedType::kDynamic;
    if (failed(parser.parseOptionalQuestion()) && parser.parseInteger(end))
      return failure();
    ends.push_back(end);
    return success();
  };
  do {
    if (parser.parseLSquare() || parseEnd() || parser.parseComma() ||
        parseEnd() || parser.parseRParen())
      return failure();
  } while (succeeded(parser.parseOptionalKeyword("x")));
  box = parser.getBuilder().getDenseI64ArrayAttr(ends);
  return success();
}

void glue::printBox(OpAsmPrinter &printer, Operation *, DenseI64ArrayAttr box) {
  auto printEnd = [&](int64_t end) {
    if (ShapedType::isDynamic(end))
      printer << '?';
    else
      printer << end;
  };
  ArrayRef<int64_t> ends = box.asArrayRef();
  for (size_t i = 0; i + 1 < ends.size(); i += 2) {
    printer << (i ? " x [" : "[");
    printEnd(ends[i]);
    printer << ", ";
    printEnd(ends[i + 1]);
    printer << ')';
  }
}

//===----------------------------------------------------------------------===//
// Options: declared by Rust, real llvm::cl options to everybody else.
//===----------------------------------------------------------------------===//

namespace {

/// The options of one pass (Owner: the pass) or of one pipeline (Owner: its
/// PassOptions). `Opt` is the option class that registers with that owner.
template <typename Owner, template <typename> class Opt> class OptionSet {
public:
  OptionSet(Owner &owner, const GlueOption *declared, intptr_t count) {
    for (const GlueOption &option : ArrayRef(declared, count)) {
      StringRef name = unwrap(option.name);
      llvm::cl::desc help(unwrap(option.help));
      slots.emplace_back();
      Slot &slot = slots.back();
      slot.declared = &option;
      switch (option.kind) {
      case GlueOptionBool:
        slot.boolean = std::make_unique<Opt<bool>>(
            owner, name, help, llvm::cl::init(option.defaultInt != 0));
        break;
      case GlueOptionInt:
        slot.integer = std::make_unique<Opt<int64_t>>(
            owner, name, help, llvm::cl::init(option.defaultInt));
        break;
      case GlueOptionString:
      case GlueOptionChoice:
        slot.string = std::make_unique<Opt<std::string>>(
            owner, name, help,
            llvm::cl::init(unwrap(option.defaultString).str()));
        break;
      }
    }
  }

  /// A choice is a string to llvm::cl, whose own complaint of an unknown name
  /// goes to stderr and not to whoever parses the pipeline.
  LogicalResult
  check(function_ref<LogicalResult(const Twine &)> errorHandler) const {
    for (const Slot &slot : slots) {
      if (slot.declared->kind != GlueOptionChoice || slot.choice() >= 0)
        continue;
      return errorHandler("option '" + unwrap(slot.declared->name) + "' is '" +
                          slot.string->getValue() + "', expected one of " +
                          listed(slot.choices()));
    }
    return success();
  }

  /// MLIR's words on a text that it cannot parse, without the name of its
  /// parser, and with the options that there are where there is no such one.
  std::string explain(const Twine &words) const {
    std::string buffer = words.str();
    StringRef message = StringRef(buffer).trim();
    message.consume_front("<Pass-Options-Parser>: ");
    if (!message.starts_with("no such option"))
      return message.str();
    SmallVector<MlirStringRef> names;
    for (const Slot &slot : slots)
      names.push_back(slot.declared->name);
    return (message + ", expected " +
            (names.empty() ? "none" : "one of " + listed(names)))
        .str();
  }

  int64_t getInt(intptr_t index) const {
    const Slot &slot = slots[index];
    if (slot.boolean)
      return slot.boolean->getValue();
    if (slot.string)
      return slot.choice();
    return slot.integer->getValue();
  }
  StringRef getString(intptr_t index) const {
    return slots[index].string->getValue();
  }

private:
  static std::string listed(ArrayRef<MlirStringRef> names) {
    std::string text;
    for (MlirStringRef name : names)
      text += (text.empty() ? "" : ", ") + unwrap(name).str();
    return text;
  }

  struct Slot {
    const GlueOption *declared = nullptr;
    std::unique_ptr<Opt<bool>> boolean;
    std::unique_ptr<Opt<int64_t>> integer;
    std::unique_ptr<Opt<std::string>> string;

    ArrayRef<MlirStringRef> choices() const {
      return ArrayRef(declared->choices, declared->nChoices);
    }
    /// The index of the name that was chosen, or -1.
    int64_t choice() const {
      const auto *it = llvm::find_if(choices(), [&](MlirStringRef name) {
        return unwrap(name) == string->getValue();
      });
      return it == choices().end() ? -1 : it - choices().begin();
    }
  };
  std::vector<Slot> slots;
};

/// What Rust reads values through, whoever owns the options.
struct OptionReader {
  std::function<int64_t(intptr_t)> getInt;
  std::function<StringRef(intptr_t)> getString;
};

template <typename Set> OptionReader readerOf(const Set &set) {
  return {[&](intptr_t index) { return set.getInt(index); },
          [&](intptr_t index) { return set.getString(index); }};
}

} // namespace

int64_t glueOptionInt(const void *options, intptr_t index) {
  return static_cast<const OptionReader *>(options)->getInt(index);
}
MlirStringRef glueOptionString(const void *options, intptr_t index) {
  return wrap(static_cast<const OptionReader *>(options)->getString(index));
}

//===----------------------------------------------------------------------===//
// Passes and pipelines
//===----------------------------------------------------------------------===//

namespace {

/// The TypeIDs of the passes registered under each argument: the same one for
/// every instance, also when two libraries bring the same pass into one process.
class PassIds {
public:
  TypeID of(StringRef argument) {
    std::unique_lock lock(mutex);
    auto [it, isNew] = ids.try_emplace(argument);
    if (isNew)
      it->second = allocator.allocate();
    return it->second;
  }

  /// Whether a pass is one of ours, and so a RustPass.
  bool has(const Pass &pass) {
    std::shared_lock lock(mutex);
    auto it = ids.find(pass.getArgument());
    return it != ids.end() && it->second == pass.getTypeID();
  }

private:
  std::shared_mutex mutex;
  TypeIDAllocator allocator;
  llvm::StringMap<TypeID> ids;
};

PassIds &passIds() {
  static PassIds ids;
  return ids;
}

std::optional<StringRef> anchorOf(const GluePass &declared) {
  StringRef anchor = unwrap(declared.anchor);
  return anchor.empty() ? std::nullopt : std::optional<StringRef>(anchor);
}

class RustPass : public Pass {
public:
  template <typename T> using Opt = Pass::Option<T>;

  explicit RustPass(const GluePass &declared)
      : Pass(passIds().of(unwrap(declared.argument)), anchorOf(declared)),
        declared(declared),
        options(*this, declared.options, declared.nOptions) {
    for (const GlueStatistic &statistic :
         ArrayRef(declared.statistics, declared.nStatistics))
      statistics.push_back(std::make_unique<Pass::Statistic>(
          this, statistic.name, statistic.help));
  }

  StringRef getName() const override { return unwrap(declared.argument); }
  StringRef getArgument() const override { return unwrap(declared.argument); }
  StringRef getDescription() const override { return unwrap(declared.summary); }

  void getDependentDialects(DialectRegistry &registry) const override {
    declared.dialects(wrap(&registry));
  }

  LogicalResult initializeOptions(
      StringRef text,
      function_ref<LogicalResult(const Twine &)> errorHandler) override {
    auto say = [&](const Twine &message) {
      return errorHandler("pass '" + getArgument() + "': " + message);
    };
    if (failed(Pass::initializeOptions(text, [&](const Twine &message) {
          return say(options.explain(message));
        })))
      return failure();
    return options.check(say);
  }

  bool canScheduleOn(RegisteredOperationName name) const override {
    std::optional<StringRef> anchor = anchorOf(declared);
    return !anchor || *anchor == name.getStringRef();
  }

  void runOnOperation() override {
    OptionReader reader = readerOf(options);
    counts.assign(statistics.size(), 0);
    if (!declared.run(declared.self, wrap(getOperation()), this, &reader,
                      sinks))
      return signalPassFailure();
    // What a pass looked at and did not use in the end.
    getOperation()->walk<WalkOrder::PostOrder, ReverseIterator>(
        [](Operation *op) {
          if (isOpTriviallyDead(op))
            op->erase();
        });
    for (auto [index, count] : llvm::enumerate(counts))
      remark::analysis(
          getOperation()->getLoc(),
          remark::RemarkOpts::name(declared.statistics[index].name)
              .category(getArgument()))
          << remark::metric("count", count);
  }

  std::unique_ptr<Pass> clonePass() const override {
    return std::make_unique<RustPass>(declared);
  }

  void addStatistic(intptr_t index, int64_t count) {
    *statistics[index] += static_cast<unsigned>(count);
    counts[index] += count;
  }

  void setSinks(const void *ofRun) { sinks = ofRun; }

private:
  const GluePass &declared;
  OptionSet<RustPass, Opt> options;
  std::vector<std::unique_ptr<Pass::Statistic>> statistics;
  /// The same once more, of this run. A release build of LLVM such as Debian's
  /// compiles statistics to nothing: `--remarks-filter=ARGUMENT` prints these.
  std::vector<int64_t> counts;
  const void *sinks = nullptr;
};

/// Tells each pass before it runs which sinks are those of the run. Passes are
/// nested in adaptors, and cloned for threads: this is where all come by.
class SinksOfRun : public PassInstrumentation {
public:
  explicit SinksOfRun(const void *sinks) : sinks(sinks) {}

  void runBeforePass(Pass *pass, Operation *) override {
    if (passIds().has(*pass))
      static_cast<RustPass *>(pass)->setSinks(sinks);
  }

private:
  const void *sinks;
};

template <typename T> using PipelineOpt = detail::PassOptions::Option<T>;

/// The options of a named pipeline while it is parsed or printed.
struct PipelineOptions : detail::PassOptions {
  explicit PipelineOptions(const GluePipeline &declared)
      : set(*this, declared.options, declared.nOptions) {}
  OptionSet<detail::PassOptions, PipelineOpt> set;
};

} // namespace

// Two threads may each register all that they need.
static std::mutex registering;

void glueRegisterPass(const GluePass *declared) {
  static llvm::StringMap<bool> known;
  std::lock_guard lock(registering);
  if (known.try_emplace(unwrap(declared->argument), true).second)
    registerPass([declared] { return std::make_unique<RustPass>(*declared); });
}

void glueRegisterPipeline(const GluePipeline *declared) {
  static llvm::StringMap<bool> known;
  std::lock_guard lock(registering);
  if (!known.try_emplace(unwrap(declared->argument), true).second)
    return;
  registerPassPipeline(
      unwrap(declared->argument), unwrap(declared->summary),
      [declared](OpPassManager &manager, StringRef text,
                 function_ref<LogicalResult(const Twine &)> fail) {
        PipelineOptions options(*declared);
        auto say = [&](const Twine &message) {
          return fail("pipeline '" + unwrap(declared->argument) +
                      "': " + message);
        };
        std::string complaint;
        llvm::raw_string_ostream complaints(complaint);
        if (failed(options.parseFromString(text, complaints)))
          return say(options.set.explain(complaint));
        if (failed(options.set.check(say)))
          return failure();
        OptionReader reader = readerOf(options.set);
        std::string pipeline;
        auto append = [](MlirStringRef part, void *data) {
          *static_cast<std::string *>(data) += unwrap(part);
        };
        if (!declared->expand(declared->self, &reader, append, &pipeline))
          return fail(pipeline);
        std::string message;
        llvm::raw_string_ostream errors(message);
        if (failed(parsePassPipeline(pipeline, manager, errors)))
          return fail(message);
        return success();
      },
      [declared](function_ref<void(const detail::PassOptions &)> visit) {
        visit(PipelineOptions(*declared));
      });
}

void glueSetSinks(MlirPassManager manager, const void *sinks) {
  unwrap(manager)->addInstrumentation(std::make_unique<SinksOfRun>(sinks));
}

void glueAddStatistic(void *pass, intptr_t index, int64_t count) {
  static_cast<RustPass *>(static_cast<Pass *>(pass))
      ->addStatistic(index, count);
}

//===----------------------------------------------------------------------===//
// Diagnostics
//===----------------------------------------------------------------------===//

void glueEmit(int severity, MlirLocation location, MlirStringRef message,
              intptr_t nNotes, const MlirLocation *noteLocations,
              const MlirStringRef *noteMessages) {
  Location loc = unwrap(location);
  DiagnosticSeverity kind = severity == 0   ? DiagnosticSeverity::Error
                            : severity == 1 ? DiagnosticSeverity::Warning
                                            : DiagnosticSeverity::Remark;
  InFlightDiagnostic diagnostic =
      loc.getContext()->getDiagEngine().emit(loc, kind);
  diagnostic << unwrap(message);
  for (intptr_t i = 0; i < nNotes; ++i)
    diagnostic.attachNote(unwrap(noteLocations[i])) << unwrap(noteMessages[i]);
}

//===----------------------------------------------------------------------===//
// IR
//===----------------------------------------------------------------------===//

bool glueAreRegionsEquivalent(MlirOperation a, MlirOperation b) {
  return llvm::equal(unwrap(a)->getRegions(), unwrap(b)->getRegions(),
                     [](Region &a, Region &b) {
                       return OperationEquivalence::isRegionEquivalentTo(
                           &a, &b, OperationEquivalence::IgnoreLocations);
                     });
}

bool glueAreEquivalent(MlirOperation a, MlirOperation b) {
  return OperationEquivalence::isEquivalentTo(
      unwrap(a), unwrap(b), OperationEquivalence::exactValueMatch,
      /*markEquivalent=*/nullptr, OperationEquivalence::IgnoreLocations);
}

void glueEliminateCommon(MlirOperation op) {
  IRRewriter rewriter(unwrap(op)->getContext());
  DominanceInfo dominance(unwrap(op));
  eliminateCommonSubExpressions(rewriter, dominance, unwrap(op));
}

//===----------------------------------------------------------------------===//
// Tools
//===----------------------------------------------------------------------===//

MlirModule glueParseModule(MlirContext context, MlirStringRef text,
                           MlirStringRef name) {
  ParserConfig config(unwrap(context));
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(unwrap(text), config, unwrap(name));
  return MlirModule{module ? module.release().getOperation() : nullptr};
}

void glueRegisterUpstream(MlirDialectRegistry wrapped) {
  DialectRegistry &registry = *unwrap(wrapped);
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAllToLLVMIRTranslations(registry);
  registerAllGPUToLLVMIRTranslations(registry);
}

void glueNameValuesByLocation() {
  registerAsmPrinterCLOptions();
  auto &options = llvm::cl::getRegisteredOptions();
  if (llvm::cl::Option *option = options.lookup("mlir-use-nameloc-as-prefix"))
    static_cast<llvm::cl::opt<bool> *>(option)->setInitialValue(true);
}

static std::unique_ptr<llvm::MemoryBuffer> read(const GlueFiles &files,
                                                StringRef file) {
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  auto copy = [](MlirStringRef name, MlirStringRef content, void *data) {
    *static_cast<std::unique_ptr<llvm::MemoryBuffer> *>(data) =
        llvm::MemoryBuffer::getMemBufferCopy(unwrap(content), unwrap(name));
  };
  if (!files.read(files.self, wrap(file), copy, &buffer))
    return nullptr;
  return buffer;
}

static LogicalResult write(const GlueFiles &files, StringRef file,
                           StringRef content) {
  return success(files.write(files.self, wrap(file), wrap(content)));
}

/// The main function of mlir-opt, but for its files, and that every pass has
/// these sinks.
static LogicalResult optMain(StringRef inputName, StringRef outputName,
                             DialectRegistry &registry,
                             MlirOptMainConfig config, const GlueFiles &files,
                             const void *sinks) {
  if (sinks)
    config.setPassPipelineSetupFn(
        [base = config, sinks](PassManager &manager) {
          manager.addInstrumentation(std::make_unique<SinksOfRun>(sinks));
          return base.setupPassPipeline(manager);
        });
  auto input = read(files, inputName);
  if (!input)
    return failure();
  std::string output;
  llvm::raw_string_ostream stream(output);
  LogicalResult result =
      MlirOptMain(stream, std::move(input), registry, config);
  // As mlir-opt does: a stream has what was printed before the failure, a file
  // has all or nothing.
  if (failed(result) && outputName != "-")
    return failure();
  return success(succeeded(write(files, outputName, output)) &&
                 succeeded(result));
}

int glueOptMain(int argc, char **argv, MlirStringRef tool,
                MlirDialectRegistry wrapped, const GlueFiles *files,
                const void *sinks) {
  DialectRegistry &registry = *unwrap(wrapped);
  registerAllPasses();
  auto [input, output] =
      registerAndParseCLIOptions(argc, argv, unwrap(tool), registry);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (files && !config.shouldShowDialects() && !config.shouldListPasses()) {
    llvm::InitLLVM init(argc, argv);
    return asMainReturnCode(
        optMain(input, output, registry, std::move(config), *files, sinks));
  }
  return asMainReturnCode(MlirOptMain(argc, argv, input, output, registry));
}

int glueLspMain(int argc, char **argv, MlirDialectRegistry registry) {
  return asMainReturnCode(MlirLspServerMain(argc, argv, *unwrap(registry)));
}
