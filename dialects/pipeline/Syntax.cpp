//===- Syntax.cpp - Syntax of pipeline ops that ODS has no words for ------===//

#include "Syntax.h"

using namespace mlir;
using namespace mlir::glue;
using namespace weft;

/// `(%a = %init : f32, ...)`: arguments that begin as operands, added to
/// `arguments`.
static ParseResult parseCarriedArguments(
    OpAsmParser &parser, SmallVectorImpl<OpAsmParser::Argument> &arguments,
    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &initial,
    SmallVectorImpl<Type> &types) {
  return parser.parseCommaSeparatedList(
      OpAsmParser::Delimiter::Paren, [&]() -> ParseResult {
        OpAsmParser::Argument &carried = arguments.emplace_back();
        if (parser.parseArgument(carried) || parser.parseEqual() ||
            parser.parseOperand(initial.emplace_back()) ||
            parser.parseColonType(carried.type))
          return failure();
        types.push_back(carried.type);
        return success();
      });
}

static void printCarriedArguments(OpAsmPrinter &printer,
                                  ArrayRef<BlockArgument> arguments,
                                  OperandRange initial, TypeRange types) {
  printer << '(';
  llvm::interleaveComma(
      llvm::zip(arguments, initial, types), printer, [&](auto carried) {
        printer.printOperand(std::get<0>(carried));
        printer << " = " << std::get<1>(carried) << " : "
                << std::get<2>(carried);
      });
  printer << ')';
}

ParseResult pipeline::parseStatesRegion(
    OpAsmParser &parser, Region &body,
    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &initial,
    SmallVectorImpl<Type> &types, SmallVectorImpl<Type> &results) {
  SmallVector<OpAsmParser::Argument> states;
  if (parseCarriedArguments(parser, states, initial, types))
    return failure();
  results.assign(types.begin(), types.end());
  return parser.parseRegion(body, states);
}

void pipeline::printStatesRegion(OpAsmPrinter &printer, Operation *, Region &body,
                             OperandRange initial, TypeRange types, TypeRange) {
  printCarriedArguments(printer, argumentsOf(body), initial, types);
  printer << ' ';
  printer.printRegion(body, /*printEntryBlockArgs=*/false);
}

ParseResult pipeline::parseLineRegion(OpAsmParser &parser, Region &body,
                                  IntegerAttr &along, UnitAttr &backward) {
  SmallVector<OpAsmParser::Argument> arguments;
  int64_t dimension = 0;
  if (parseIndexArguments(parser, arguments) || parser.parseKeyword("along") ||
      parser.parseInteger(dimension))
    return failure();
  along = parser.getBuilder().getI64IntegerAttr(dimension);
  if (succeeded(parser.parseOptionalKeyword("backward")))
    backward = parser.getBuilder().getUnitAttr();
  return parser.parseRegion(body, arguments);
}

void pipeline::printLineRegion(OpAsmPrinter &printer, Operation *, Region &body,
                           IntegerAttr along, UnitAttr backward) {
  printIndexArguments(printer, argumentsOf(body));
  printer << " along " << along.getInt() << ' ';
  if (backward)
    printer << "backward ";
  printer.printRegion(body, /*printEntryBlockArgs=*/false);
}

ParseResult pipeline::parseDomainRegion(
    OpAsmParser &parser, Region &body, DenseI64ArrayAttr &domain,
    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &ends,
    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &initial,
    SmallVectorImpl<Type> &types, StringAttr &combine) {
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<int64_t> intervals;
  if (parseIndexArguments(parser, arguments) || parser.parseKeyword("over") ||
      parseIndexArguments(parser, arguments) || parser.parseKeyword("in"))
    return failure();
  do {
    int64_t lo = 0, hi = ShapedType::kDynamic;
    OpAsmParser::UnresolvedOperand end;
    if (parser.parseLSquare() || parser.parseInteger(lo) || parser.parseComma())
      return failure();
    OptionalParseResult isOperand = parser.parseOptionalOperand(end);
    if (isOperand.has_value()) {
      if (failed(*isOperand))
        return failure();
      ends.push_back(end);
    } else if (parser.parseInteger(hi)) {
      return failure();
    }
    if (parser.parseRParen())
      return failure();
    intervals.append({lo, hi});
  } while (succeeded(parser.parseOptionalKeyword("x")));
  domain = parser.getBuilder().getDenseI64ArrayAttr(intervals);
  return failure(
      parser.parseKeyword("from") || parser.parseLParen() ||
      parser.parseOperandList(initial) || parser.parseColonTypeList(types) ||
      parser.parseRParen() || parser.parseKeyword("combine") ||
      parser.parseAttribute(combine) || parser.parseRegion(body, arguments));
}

void pipeline::printDomainRegion(OpAsmPrinter &printer, Operation *, Region &body,
                           DenseI64ArrayAttr domain, OperandRange ends,
                           OperandRange initial, TypeRange types,
                           StringAttr combine) {
  ArrayRef<int64_t> intervals = domain.asArrayRef();
  ArrayRef<BlockArgument> arguments = argumentsOf(body);
  size_t variables = std::min(intervals.size() / 2, arguments.size());
  printIndexArguments(printer, arguments.drop_back(variables));
  printer << " over ";
  printIndexArguments(printer, arguments.take_back(variables));
  printer << " in ";
  size_t next = 0;
  for (size_t i = 0; i + 1 < intervals.size(); i += 2) {
    printer << (i ? " x [" : "[") << intervals[i] << ", ";
    if (!ShapedType::isDynamic(intervals[i + 1]))
      printer << intervals[i + 1];
    else if (next < ends.size())
      printer.printOperand(ends[next++]);
    printer << ')';
  }
  printer << " from(" << initial << " : " << types << ") combine ";
  printer.printAttribute(combine);
  printer << ' ';
  printer.printRegion(body, /*printEntryBlockArgs=*/false);
}

ParseResult pipeline::parseWindowRegion(
    OpAsmParser &parser, Region &body, DenseI64ArrayAttr &box,
    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &initial,
    SmallVectorImpl<Type> &types) {
  SmallVector<OpAsmParser::Argument> arguments;
  return failure(parseIndexArguments(parser, arguments) ||
                 parser.parseKeyword("in") || parseBox(parser, box) ||
                 parseCarriedArguments(parser, arguments, initial, types) ||
                 parser.parseRegion(body, arguments));
}

void pipeline::printWindowRegion(OpAsmPrinter &printer, Operation *op, Region &body,
                             DenseI64ArrayAttr box, OperandRange initial,
                             TypeRange types) {
  ArrayRef<BlockArgument> arguments = argumentsOf(body);
  size_t count = std::min<size_t>(box.size() / 2, arguments.size());
  printIndexArguments(printer, arguments.take_front(count));
  printer << " in ";
  printBox(printer, op, box);
  printer << ' ';
  printCarriedArguments(printer, arguments.drop_front(count), initial, types);
  printer << ' ';
  printer.printRegion(body, /*printEntryBlockArgs=*/false);
}
