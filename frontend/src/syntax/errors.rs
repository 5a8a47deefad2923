//! What is wrong with a text: its tokens, its literals and its syntax.

use crate::diag::{Code, Diagnostic};
use futc_typed::span::Span;

/// What is wrong. What is expected and found is in words, as messages name tokens.
pub(super) enum SyntaxError {
    /// The file is too large to number its bytes.
    FileTooLarge,
    /// A character that begins no token.
    UnknownCharacter(char),
    /// A character literal without its end.
    UnterminatedCharacter,
    /// A string without its end.
    UnterminatedString,
    /// A literal that is wrong in itself.
    Literal(LiteralError),
    /// Something else stands here than is expected; of a closing bracket, where it was opened.
    Expected { what: String, found: String, opened: Option<Span>, hint: Option<String> },
    /// What is expected to follow is missing, of the `what` that begins here; `there` something else stands.
    Lacks { what: String, keyword: &'static str, place: String, found: String, there: Span },
    /// More levels than can be parsed.
    TooDeep { most: u32 },
    /// A number in an attribute that is no plain integer.
    AttributeNumber,
    /// A tuple of one element.
    TupleOfOne,
    /// `.(` behind what is no module.
    OpensNoModule,
    /// `=` where an expression begins.
    EqualsForExpression,
    /// An index without dimensions.
    IndexOfNothing,
    /// An operator in backticks.
    OperatorInBackticks { text: String },
    /// The definition of an operator of a module.
    QualifiedDefinition,
    /// The definition of `&&` or `||`.
    MayNotBeRedefined { name: &'static str },
    /// The definition of `=`.
    EqualsAsOperator,
    /// Size or type parameters behind others.
    ParametersLate,
    /// A declaration of a tuple or record.
    DeclaresParts,
    /// A declaration of another pattern than a name.
    DeclaresPattern,
}

/// What is wrong with a literal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LiteralError {
    /// An integer type, but a fraction or a decimal exponent.
    DecimalInteger,
    /// An integer type, but a fraction in hexadecimal.
    HexadecimalInteger,
    /// What follows the number is no type.
    UnknownSuffix(String),
    /// No digits.
    NoDigits,
    /// More digits than any type has.
    TooManyDigits,
    /// Not one character between apostrophes.
    NotOneCharacter,
    /// A backslash at the end.
    BackslashAtEnd,
    /// A backslash before this.
    UnknownEscape(char),
    /// A number that is that of no character.
    NoCodePoint,
}

impl LiteralError {
    fn message(&self) -> String {
        match self {
            LiteralError::DecimalInteger => {
                "A number with a fraction or an exponent cannot be an integer.".into()
            }
            LiteralError::HexadecimalInteger => {
                "A number with a fraction cannot be an integer.".into()
            }
            LiteralError::UnknownSuffix(text) => {
                format!("`{text}` is not a suffix of a number; suffixes are types, as in `1i64`.")
            }
            LiteralError::NoDigits => "This number has no digits.".into(),
            LiteralError::TooManyDigits => "This number has too many digits.".into(),
            LiteralError::NotOneCharacter => "A character literal holds one character.".into(),
            LiteralError::BackslashAtEnd => "There is nothing behind this backslash.".into(),
            LiteralError::UnknownEscape(c) => format!("`\\{c}` is not an escape sequence."),
            LiteralError::NoCodePoint => {
                "This escape sequence is not the number of a character.".into()
            }
        }
    }
}

impl SyntaxError {
    /// The diagnostic, of what is at `span`.
    pub(super) fn at(self, span: Span) -> Diagnostic {
        use SyntaxError as E;
        let error = |code, message: String| Diagnostic::error(code, span, message);
        let syntax = |message: &str| error(Code::SyntaxError, message.to_owned());
        match self {
            E::FileTooLarge => error(
                Code::FileTooLarge,
                "This file has 4 GiB or more, which is more than the compiler can number.".into(),
            ),
            E::UnknownCharacter(c) => {
                let what = if c.is_control() {
                    format!("The control character U+{:04X}", u32::from(c))
                } else {
                    format!("The character `{c}`")
                };
                error(Code::UnknownCharacter, format!("{what} has no meaning here."))
            }
            E::UnterminatedCharacter => error(
                Code::UnterminatedCharacter,
                "This character literal is not closed with `'`.".into(),
            ),
            E::UnterminatedString => error(
                Code::UnterminatedString,
                "This string is not closed with `\"` before the end of the line.".into(),
            ),
            E::Literal(why) => error(Code::InvalidLiteral, why.message()),
            E::Expected { what, found, opened, hint } => {
                let mut d = syntax(&format!("Expected {what}, but found {found}."));
                if let Some(opened) = opened {
                    d = d.label(opened, "opened here");
                }
                match hint {
                    Some(hint) => d.hint(hint),
                    None => d,
                }
            }
            E::Lacks { what, keyword, place, found, there } => {
                syntax(&format!("Expected {keyword} {place}, but found {found}."))
                    .at(format!("this {what} has no {keyword}"))
                    .label(there, format!("{keyword} should stand before this"))
            }
            E::TooDeep { most } => error(
                Code::NestingTooDeep,
                format!("The nesting is too deep: more than {most} levels."),
            )
            .hint("Give names to inner parts with `let` or `def`."),
            E::AttributeNumber => {
                syntax("A number in an attribute must be a plain integer of at most 64 bits.")
            }
            E::TupleOfOne => syntax("A tuple cannot have just one element."),
            E::OpensNoModule => syntax("Only a module can be opened with `.(`."),
            E::EqualsForExpression => {
                syntax("Expected an expression, but found `=`; equality is `==`.")
            }
            E::IndexOfNothing => syntax("An index needs at least one dimension."),
            E::OperatorInBackticks { text } => {
                syntax(&format!("`{text}` is an operator: write it without the backticks."))
            }
            E::QualifiedDefinition => {
                syntax("A qualified name cannot be defined; give only its last part.")
            }
            E::MayNotBeRedefined { name } => error(
                Code::MayNotBeRedefined,
                format!("The operator `{name}` may not be redefined."),
            )
            .hint(
                "it does not always evaluate its right operand, which no function can do; choose \
                 another name, such as `&&&`",
            ),
            E::EqualsAsOperator => syntax("`=` is no operator; equality is `==`."),
            E::ParametersLate => {
                syntax("Size and type parameters must come before the other parameters.").hint(
                    "Move it to where the name of the function ends, as in \
                     `def f [n] (k: i64) (xs: [n]i64)`.",
                )
            }
            E::DeclaresParts => {
                syntax("A declaration binds a single name; patterns are for `let` in expressions.")
            }
            E::DeclaresPattern => syntax("Expected the name of a definition, but found a pattern."),
        }
    }
}
