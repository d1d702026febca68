//! What is wrong with a text or a launch.

/// Why a text cannot be executed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The text is not PTX as we know it.
    #[error("PTX line {line}: {reason}")]
    Syntax {
        /// The line, from 1.
        line: u32,
        /// What was found and what was expected.
        reason: String,
    },
    /// An instruction is not known, or not in this form.
    #[error("PTX line {line}: {instruction}: {reason}")]
    Instruction {
        /// The line, from 1.
        line: u32,
        /// The opcode with its modifiers.
        instruction: String,
        /// What is wrong.
        reason: String,
    },
    /// A launch that no machine would accept.
    #[error("{reason}")]
    Launch {
        /// What was found and what was expected.
        reason: String,
    },
}

impl Error {
    pub(super) fn syntax(line: u32, reason: String) -> Self {
        Error::Syntax { line, reason }
    }

    pub(super) fn instruction(line: u32, instruction: &str, reason: String) -> Self {
        Error::Instruction { line, instruction: instruction.to_owned(), reason }
    }

    pub(super) fn launch(reason: String) -> Self {
        Error::Launch { reason }
    }
}
