//! From PTX text to the tree of its declarations and instructions.
//!
//! The grammar is what LLVM's NVPTX back end prints and near neighbours: module directives, `.entry` with parameters and
//! performance directives, variables of the state spaces with alignment and initialisers, register declarations (counted
//! `%r<5>` and single), labels, `.loc` lines, branch target lists, and instructions with a guard. Debug sections and the
//! bodies of `.func` are skipped: a call is an error when an entry is decoded.

use super::error::Error;
use super::lexer::{Token, tokens};
use super::tree::{Entry, Loc, Operand, Space, Statement, Tree, Variable, type_size};

type Result<T> = std::result::Result<T, Error>;

/// Bytes of all variables of a text. A GPU has more, but not of what a text declares.
const MOST_BYTES: u64 = 1 << 28;
/// The largest alignment of a variable.
const MOST_ALIGN: u64 = 1 << 16;
/// Registers of a kernel, before anybody has allocated them.
const MOST_REGISTERS: u64 = 1 << 17;
/// How deep the braces of an initialiser are.
const MOST_BRACES: usize = 16;

/// Parses a module.
pub(super) fn parse(text: &str) -> Result<Tree> {
    let mut parser = Parser { tokens: tokens(text)?, at: 0, tree: Tree::default(), bytes: 0, registers: 0 };
    parser.module()?;
    Ok(parser.tree)
}

struct Parser<'a> {
    tokens: Vec<(Token<'a>, u32)>,
    at: usize,
    tree: Tree,
    /// Of all variables so far.
    bytes: u64,
    /// Of this entry so far.
    registers: u64,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<Token<'a>> {
        self.tokens.get(self.at).map(|(token, _)| *token)
    }

    fn line(&self) -> u32 {
        self.tokens.get(self.at).or(self.tokens.last()).map_or(1, |(_, line)| *line)
    }

    fn next(&mut self) -> Option<Token<'a>> {
        let token = self.peek();
        self.at += 1;
        token
    }

    fn is(&self, sign: char) -> bool {
        self.peek() == Some(Token::Sign(sign))
    }

    fn eat(&mut self, sign: char) -> bool {
        let found = self.is(sign);
        self.at += usize::from(found);
        found
    }

    fn wanted<T>(&self, expected: &str) -> Result<T> {
        let found = match self.peek() {
            None => "the end of the file".to_owned(),
            Some(Token::Word(text)) => format!("'{text}'"),
            Some(Token::Dot(text)) => format!("'.{text}'"),
            Some(Token::Text(text)) => format!("\"{text}\""),
            Some(Token::Sign(sign)) => format!("'{sign}'"),
            Some(_) => "a number".to_owned(),
        };
        Err(Error::syntax(self.line(), format!("found {found}, expected {expected}")))
    }

    fn expect(&mut self, sign: char) -> Result<()> {
        if self.eat(sign) { Ok(()) } else { self.wanted(&format!("'{sign}'")) }
    }

    fn word(&mut self, what: &str) -> Result<&'a str> {
        match self.peek() {
            Some(Token::Word(word)) => {
                self.at += 1;
                Ok(word)
            }
            _ => self.wanted(what),
        }
    }

    fn integer(&mut self) -> Result<u64> {
        let negative = self.eat('-');
        match self.peek() {
            Some(Token::Int(value)) => {
                self.at += 1;
                Ok(if negative { value.wrapping_neg() } else { value })
            }
            _ => self.wanted("an integer"),
        }
    }

    /// Skips a block in braces, the opening one being next.
    fn skip_block(&mut self) -> Result<()> {
        let start = self.line();
        self.expect('{')?;
        let mut depth = 1;
        while depth > 0 {
            match self.next() {
                Some(Token::Sign('{')) => depth += 1,
                Some(Token::Sign('}')) => depth -= 1,
                Some(_) => {}
                None => return Err(Error::syntax(start, "found '{' without its '}'".into())),
            }
        }
        Ok(())
    }

    fn module(&mut self) -> Result<()> {
        while let Some(token) = self.peek() {
            let Token::Dot(name) = token else {
                return self.wanted("a directive");
            };
            match name {
                "version" => {
                    self.at += 2;
                }
                "address_size" => {
                    self.at += 1;
                    let line = self.line();
                    let size = self.integer()?;
                    if size != 64 {
                        return Err(Error::syntax(line, format!("found .address_size {size}, expected 64")));
                    }
                }
                "target" => {
                    self.at += 1;
                    self.tree.target = self.word("a target")?.to_owned();
                    while self.eat(',') {
                        self.word("a target option")?;
                    }
                }
                "file" => self.file()?,
                "visible" | "weak" | "common" => self.at += 1,
                "extern" => {
                    self.at += 1;
                    if self.peek() == Some(Token::Dot("func")) {
                        self.func()?;
                    }
                }
                "entry" => self.entry()?,
                "func" => self.func()?,
                "section" => {
                    self.at += 1;
                    while !self.is('{') {
                        if self.next().is_none() {
                            return self.wanted("'{'");
                        }
                    }
                    self.skip_block()?;
                }
                "global" | "const" | "shared" => {
                    let variables = self.variables()?;
                    self.tree.variables.extend(variables);
                }
                // `.pragma "…";`, `.alias a, b;`
                "pragma" | "alias" => self.skip_line()?,
                _ => return self.wanted("a module directive or a variable"),
            }
        }
        Ok(())
    }

    fn skip_line(&mut self) -> Result<()> {
        while !self.eat(';') {
            if self.next().is_none() {
                return self.wanted("';'");
            }
        }
        Ok(())
    }

    fn file(&mut self) -> Result<()> {
        self.at += 1;
        let index = self.integer()? as u32;
        let Some(Token::Text(path)) = self.next() else {
            self.at -= 1;
            return self.wanted("a file name");
        };
        // Optional time stamp and size.
        while self.eat(',') {
            self.integer()?;
        }
        self.tree.files.push((index, path.to_owned()));
        Ok(())
    }

    /// Skips a function, declared or defined.
    fn func(&mut self) -> Result<()> {
        self.at += 1;
        loop {
            if self.is('{') {
                return self.skip_block();
            }
            if self.eat(';') {
                return Ok(());
            }
            if self.next().is_none() {
                return self.wanted("the body of a function");
            }
        }
    }

    /// `.space [.align N] [.v4] .type name[N][M] [= init], …;`
    fn variables(&mut self) -> Result<Vec<Variable>> {
        let space = match self.next() {
            Some(Token::Dot("global")) => Space::Global,
            Some(Token::Dot("const")) => Space::Const,
            Some(Token::Dot("shared")) => Space::Shared,
            Some(Token::Dot("local")) => Space::Local,
            _ => Space::Param,
        };
        let mut align = None;
        let mut lanes = 1;
        // The attributes before the type come in any order; `.ptr` announces `.space .align N` of what it points to.
        let (element, name_line) = loop {
            let line = self.line();
            match self.next() {
                Some(Token::Dot("align")) => align = Some(self.integer()?),
                Some(Token::Dot("v2")) => lanes = 2,
                Some(Token::Dot("v4")) => lanes = 4,
                Some(Token::Dot("attribute")) => {
                    while !self.eat(')') {
                        if self.next().is_none() {
                            return self.wanted("')'");
                        }
                    }
                }
                Some(Token::Dot(name)) => match type_size(name) {
                    Some(size) => break (size, line),
                    None => {
                        self.at -= 1;
                        return self.wanted("a type");
                    }
                },
                _ => {
                    self.at -= 1;
                    return self.wanted("a type");
                }
            }
        };
        if space == Space::Param && self.peek() == Some(Token::Dot("ptr")) {
            self.at += 1;
            while let Some(Token::Dot(name)) = self.peek() {
                self.at += 1;
                if name == "align" {
                    self.integer()?;
                }
            }
        }
        let mut variables = Vec::new();
        loop {
            let name = self.word("a name")?.to_owned();
            let mut count: u64 = lanes;
            while self.eat('[') {
                let extent = if self.is(']') { 0 } else { self.integer()? };
                count = count.saturating_mul(extent);
                self.expect(']')?;
            }
            let size = element.saturating_mul(count);
            self.bytes = self.bytes.saturating_add(size);
            if self.bytes > MOST_BYTES {
                let reason =
                    format!("variable {name} is too large, expected at most {MOST_BYTES} bytes of all variables");
                return Err(Error::syntax(name_line, reason));
            }
            let align = align.unwrap_or(element * lanes);
            if !align.is_power_of_two() || align > MOST_ALIGN {
                let reason = format!("found .align {align}, expected a power of two up to {MOST_ALIGN}");
                return Err(Error::syntax(name_line, reason));
            }
            let mut variable = Variable { name, space, align, size, bytes: None, symbols: Vec::new() };
            if self.eat('=') {
                let mut bytes = Vec::new();
                self.initializer(element as usize, &mut bytes, &mut variable.symbols, MOST_BRACES)?;
                bytes.resize(bytes.len().max(size as usize), 0);
                variable.size = bytes.len() as u64;
                variable.bytes = Some(bytes);
            }
            variables.push(variable);
            if space == Space::Param || !self.eat(',') {
                break;
            }
        }
        if space != Space::Param {
            self.expect(';')?;
        }
        Ok(variables)
    }

    fn initializer(
        &mut self,
        element: usize,
        bytes: &mut Vec<u8>,
        symbols: &mut Vec<(usize, String, u64)>,
        braces: usize,
    ) -> Result<()> {
        if braces > 0 && self.eat('{') {
            while !self.eat('}') {
                self.initializer(element, bytes, symbols, braces - 1)?;
                self.eat(',');
            }
            return Ok(());
        }
        let value = match self.peek() {
            Some(Token::F32(bits)) => {
                self.at += 1;
                u64::from(bits)
            }
            Some(Token::F64(bits)) => {
                self.at += 1;
                bits
            }
            Some(Token::Word(name)) => {
                self.at += 1;
                // `generic(name)` is the name's generic address, which is what we hold anyway.
                let name = if name == "generic" && self.eat('(') {
                    let name = self.word("a variable")?;
                    self.expect(')')?;
                    name
                } else {
                    name
                };
                let offset = if self.eat('+') { self.integer()? } else { 0 };
                symbols.push((bytes.len(), name.to_owned(), offset));
                0
            }
            _ => self.integer()?,
        };
        bytes.extend(&value.to_le_bytes()[..element.min(8)]);
        Ok(())
    }

    fn triple(&mut self) -> Result<[u32; 3]> {
        let mut triple = [1; 3];
        for (index, extent) in triple.iter_mut().enumerate() {
            if index > 0 && !self.eat(',') {
                break;
            }
            *extent = self.integer()? as u32;
        }
        Ok(triple)
    }

    fn entry(&mut self) -> Result<()> {
        let mut entry = Entry { line: self.line(), ..Entry::default() };
        self.registers = 0;
        self.at += 1;
        entry.name = self.word("the name of an entry")?.to_owned();
        self.params(&mut entry)?;
        self.performance(&mut entry)?;
        if self.eat(';') {
            return Ok(()); // A declaration.
        }
        self.body(&mut entry)?;
        self.tree.entries.push(entry);
        Ok(())
    }

    /// `(.param .u64 a, .param .u32 b)`, or nothing.
    fn params(&mut self, entry: &mut Entry) -> Result<()> {
        if !self.eat('(') || self.eat(')') {
            return Ok(());
        }
        loop {
            if self.peek() != Some(Token::Dot("param")) {
                return self.wanted(".param");
            }
            entry.params.extend(self.variables()?);
            if !self.eat(',') {
                return self.expect(')');
            }
        }
    }

    /// Directives between parameters and body.
    fn performance(&mut self, entry: &mut Entry) -> Result<()> {
        while let Some(Token::Dot(name)) = self.peek() {
            self.at += 1;
            match name {
                "reqntid" => entry.reqntid = Some(self.triple()?),
                "maxntid" => entry.maxntid = Some(self.triple()?),
                "minnctapersm" => entry.minnctapersm = Some(self.triple()?[0]),
                "maxnreg" => entry.maxnreg = Some(self.triple()?[0]),
                "pragma" => self.skip_line()?,
                // `.explicitcluster` and the like change no result.
                _ => {
                    while matches!(self.peek(), Some(Token::Int(_) | Token::Sign(','))) {
                        self.at += 1;
                    }
                }
            }
        }
        Ok(())
    }

    /// Declarations, labels and instructions in braces.
    fn body(&mut self, entry: &mut Entry) -> Result<()> {
        self.expect('{')?;
        let mut depth = 1;
        let mut loc = None;
        while depth > 0 {
            match self.peek() {
                Some(Token::Sign('{')) => {
                    self.at += 1;
                    depth += 1;
                }
                Some(Token::Sign('}')) => {
                    self.at += 1;
                    depth -= 1;
                }
                Some(Token::Dot("reg")) => self.registers(entry)?,
                Some(Token::Dot("loc")) => loc = self.loc()?,
                Some(Token::Dot("file")) => self.file()?,
                Some(Token::Dot("pragma")) => self.skip_line()?,
                Some(Token::Dot("local" | "shared" | "global" | "const")) => {
                    let variables = self.variables()?;
                    entry.variables.extend(variables);
                }
                Some(Token::Dot("param")) => {
                    return Err(Error::syntax(self.line(), "a call with parameters is not supported".into()));
                }
                Some(Token::Word(name)) if self.is_label() => self.label(name, entry)?,
                Some(Token::Word(_) | Token::Sign('@')) => {
                    let statement = self.statement(loc)?;
                    entry.body.push(statement);
                }
                Some(Token::Sign(';')) => self.at += 1,
                _ => return self.wanted("an instruction"),
            }
        }
        Ok(())
    }

    /// `.loc 1 14 5, function_name $L+N, inlined_at 1 20 3`; no place for line 0.
    fn loc(&mut self) -> Result<Option<Loc>> {
        self.at += 1;
        let (file, line, column) = (self.integer()?, self.integer()?, self.integer()?);
        while self.eat(',') {
            while matches!(self.peek(), Some(Token::Int(_) | Token::Sign('+')))
                || matches!(self.peek(), Some(Token::Word(word))
                    if word.starts_with('$') || word == "function_name" || word == "inlined_at")
            {
                // It is one of the code, and not of the debug information.
                if self.is_label() {
                    break;
                }
                self.at += 1;
            }
        }
        Ok((line > 0).then_some(Loc { file: file as u32, line: line as u32, column: column as u32 }))
    }

    /// Whether what is next is a label: a colon follows it.
    fn is_label(&self) -> bool {
        self.tokens.get(self.at + 1).map(|next| next.0) == Some(Token::Sign(':'))
    }

    /// `name:`, and perhaps `.branchtargets a, b;`
    fn label(&mut self, name: &str, entry: &mut Entry) -> Result<()> {
        self.at += 2;
        if self.peek() != Some(Token::Dot("branchtargets")) {
            entry.labels.push((name.to_owned(), entry.body.len()));
            return Ok(());
        }
        self.at += 1;
        let mut targets = vec![self.word("a label")?.to_owned()];
        while self.eat(',') {
            targets.push(self.word("a label")?.to_owned());
        }
        entry.targets.push((name.to_owned(), targets));
        self.expect(';')
    }

    /// `.reg [.v4] .type %r<5>, %x;`
    fn registers(&mut self, entry: &mut Entry) -> Result<()> {
        self.at += 1;
        let mut vector = 0;
        let ty = loop {
            match self.next() {
                Some(Token::Dot("v2")) => vector = 2,
                Some(Token::Dot("v4")) => vector = 4,
                Some(Token::Dot(ty)) if ty == "pred" || type_size(ty).is_some() => break ty,
                _ => {
                    self.at -= 1;
                    return self.wanted("a register type");
                }
            }
        };
        loop {
            let name = self.word("a register")?;
            if self.eat('<') {
                let line = self.line();
                let count = self.integer()?;
                self.registers = self.registers.saturating_add(count);
                if self.registers > MOST_REGISTERS {
                    let found = self.registers;
                    let reason = format!("found {found} registers, expected at most {MOST_REGISTERS}");
                    return Err(Error::syntax(line, reason));
                }
                self.expect('>')?;
                entry.registers.push((name.to_owned(), Some(count as u32), ty.to_owned()));
            } else if vector > 0 {
                for part in &["x", "y", "z", "w"][..vector] {
                    entry.registers.push((format!("{name}.{part}"), None, ty.to_owned()));
                }
            } else {
                entry.registers.push((name.to_owned(), None, ty.to_owned()));
            }
            if !self.eat(',') {
                break;
            }
        }
        self.expect(';')
    }

    fn statement(&mut self, loc: Option<Loc>) -> Result<Statement> {
        let line = self.line();
        let mut guard = None;
        if self.eat('@') {
            let negated = self.eat('!');
            guard = Some((self.word("a predicate")?.to_owned(), negated));
        }
        let opcode = self.word("an instruction")?.to_owned();
        if opcode == "call" || opcode.starts_with("call.") {
            // Its operand lists in parentheses are a grammar of their own; the name of the callee says most.
            let callee = std::iter::from_fn(|| self.next().filter(|token| *token != Token::Sign(';')))
                .filter_map(|token| if let Token::Word(word) = token { Some(word) } else { None })
                .find(|word| !word.starts_with("retval"))
                .unwrap_or("a register");
            return Err(Error::instruction(line, &opcode, format!("a call ({callee}) is not supported")));
        }
        let mut operands = Vec::new();
        if !self.eat(';') {
            loop {
                operands.push(self.operand()?);
                if !self.eat(',') {
                    break;
                }
            }
            self.expect(';')?;
        }
        Ok(Statement { guard, opcode, operands, line, loc })
    }

    fn operand(&mut self) -> Result<Operand> {
        match self.peek() {
            Some(Token::Sign('{')) => {
                self.at += 1;
                let mut parts = Vec::new();
                loop {
                    // No vector is in another.
                    if self.is('{') {
                        return self.wanted("an operand");
                    }
                    parts.push(self.operand()?);
                    if !self.eat(',') {
                        break;
                    }
                }
                self.expect('}')?;
                Ok(Operand::Vector(parts))
            }
            Some(Token::Sign('[')) => {
                self.at += 1;
                let mut address = (None, 0i64);
                if let Some(Token::Word(base)) = self.peek() {
                    self.at += 1;
                    address.0 = Some(base.to_owned());
                    if self.eat('+') || self.is('-') {
                        address.1 = self.integer()? as i64;
                    }
                } else {
                    address.1 = self.integer()? as i64;
                }
                self.expect(']')?;
                Ok(Operand::Address { base: address.0, offset: address.1 })
            }
            Some(Token::Sign('!')) => {
                self.at += 1;
                Ok(Operand::Not(self.word("a predicate")?.to_owned()))
            }
            Some(Token::Word(name)) => {
                self.at += 1;
                if self.eat('|') {
                    return Ok(Operand::Pair(name.to_owned(), self.word("a second destination")?.to_owned()));
                }
                // `symbol+4` as a value.
                if self.is('+') {
                    self.at += 1;
                    let offset = self.integer()? as i64;
                    return Ok(Operand::Address { base: Some(name.to_owned()), offset });
                }
                Ok(Operand::Name(name.to_owned()))
            }
            Some(Token::F32(bits)) => {
                self.at += 1;
                Ok(Operand::F32(bits))
            }
            Some(Token::F64(bits)) => {
                self.at += 1;
                Ok(Operand::F64(bits))
            }
            Some(Token::Decimal(value)) => {
                self.at += 1;
                Ok(Operand::F64(value.to_bits()))
            }
            Some(Token::Int(_) | Token::Sign('-')) => {
                if let Some((Token::Decimal(value), _)) = self.tokens.get(self.at + 1).copied()
                    && self.eat('-')
                {
                    self.at += 1;
                    return Ok(Operand::F64((-value).to_bits()));
                }
                Ok(Operand::Int(self.integer()?))
            }
            _ => self.wanted("an operand"),
        }
    }
}
