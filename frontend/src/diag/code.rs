//! The codes of diagnostics: what users write in `-W` and `futc explain`, and tools read.

use std::fmt;

macro_rules! codes {
    ($($case:ident = $name:literal,)*) => {
        /// What kind of thing is said of a program. Each has a page, `errors/NAME.md`.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Code {
            $(
                #[doc = concat!("`", $name, "`")]
                $case,
            )*
        }

        impl Code {
            /// All, by their names.
            pub const ALL: &[Code] = &[$(Code::$case),*];

            /// The stable name, in kebab case.
            pub fn name(self) -> &'static str {
                match self {
                    $(Code::$case => $name,)*
                }
            }
        }
    };
}

codes! {
    AliasFreeVariable = "alias-free-variable",
    AliasesPreviouslyReturned = "aliases-previously-returned",
    AmbiguousAutomap = "ambiguous-automap",
    AmbiguousSize = "ambiguous-size",
    AmbiguousType = "ambiguous-type",
    AnonymousNonconstructive = "anonymous-nonconstructive",
    AnonymousSizeInSpec = "anonymous-size-in-spec",
    AnonymousSizeInstance = "anonymous-size-instance",
    AttributeWithoutEffect = "attribute-without-effect",
    AutomapTooLarge = "automap-too-large",
    CausalityCheck = "causality-check",
    ConstructorArity = "constructor-arity",
    ConsumingArgument = "consuming-argument",
    ConsumingLoopParamAliases = "consuming-loop-param-aliases",
    ContainsConsumption = "contains-consumption",
    DefaultedType = "defaulted-type",
    DuplicateConstructor = "duplicate-constructor",
    DuplicateDefinition = "duplicate-definition",
    DuplicateField = "duplicate-field",
    DuplicateName = "duplicate-name",
    DuplicateParameter = "duplicate-parameter",
    ExistentialParamRet = "existential-param-ret",
    FileNotFound = "file-not-found",
    FileTooLarge = "file-too-large",
    FunctionalBranch = "functional-branch",
    FunctionalLoop = "functional-loop",
    HiddenByInclude = "hidden-by-include",
    HigherOrderEntry = "higher-order-entry",
    ImportCycle = "import-cycle",
    InaccessibleSize = "inaccessible-size",
    InternalError = "internal-error",
    IntrinsicsModule = "intrinsics-module",
    InvalidLiteral = "invalid-literal",
    LiftedArrayElement = "lifted-array-element",
    LiftedTypeArgument = "lifted-type-argument",
    LiftednessMismatch = "liftedness-mismatch",
    LiteralOutOfBounds = "literal-out-of-bounds",
    LoopNotUnrolled = "loop-not-unrolled",
    LoopParameterAliasesOther = "loop-parameter-aliases-other",
    LoopVariantEscape = "loop-variant-escape",
    LoopWithoutInitialValue = "loop-without-initial-value",
    MatchTooLarge = "match-too-large",
    MayNotBeRedefined = "may-not-be-redefined",
    MissingField = "missing-field",
    MissingModule = "missing-module",
    MissingType = "missing-type",
    MissingValue = "missing-value",
    ModuleIsParametric = "module-is-parametric",
    ModuleMismatch = "module-mismatch",
    ModuleNotParametric = "module-not-parametric",
    ModuleTypeMismatch = "module-type-mismatch",
    ModuleValueMismatch = "module-value-mismatch",
    NestedEntry = "nested-entry",
    NestingTooDeep = "nesting-too-deep",
    NoEquality = "no-equality",
    NonconstructiveEntry = "nonconstructive-entry",
    NotAFunction = "not-a-function",
    NotASize = "not-a-size",
    NotAnArray = "not-an-array",
    NotConsumable = "not-consumable",
    NotImplemented = "not-implemented",
    OccursCheck = "occurs-check",
    OverflowingLiteral = "overflowing-literal",
    ParametricModuleType = "parametric-module-type",
    PolymorphicEntry = "polymorphic-entry",
    RecordTypeNotKnown = "record-type-not-known",
    RecursionChangesFunction = "recursion-changes-function",
    RecursionNotFirstOrder = "recursion-not-first-order",
    RecursionNotSaturated = "recursion-not-saturated",
    RefutablePattern = "refutable-pattern",
    ResultNotUnique = "result-not-unique",
    ReturnAliased = "return-aliased",
    RunTimeCheck = "run-time-check",
    ScheduleRefused = "schedule-refused",
    ScopeViolation = "scope-violation",
    SelfAliasingArg = "self-aliasing-arg",
    ShadowedSize = "shadowed-size",
    SizeExpressionBind = "size-expression-bind",
    SizeMismatch = "size-mismatch",
    SizePolymorphicEntry = "size-polymorphic-entry",
    SizePolymorphicValue = "size-polymorphic-value",
    SyntaxError = "syntax-error",
    TooManyArguments = "too-many-arguments",
    TooManyConstructors = "too-many-constructors",
    TypeArgumentCount = "type-argument-count",
    TypeArgumentKind = "type-argument-kind",
    TypeMismatch = "type-mismatch",
    TypeNotAbstract = "type-not-abstract",
    TypeNotApplicable = "type-not-applicable",
    TypeTooLarge = "type-too-large",
    UnderscoreUse = "underscore-use",
    UnifyConsumingParam = "unify-consuming-param",
    UniqueConstant = "unique-constant",
    UniqueReturnAliased = "unique-return-aliased",
    UnknownAttribute = "unknown-attribute",
    UnknownCharacter = "unknown-character",
    UnknownConstructor = "unknown-constructor",
    UnknownField = "unknown-field",
    UnknownModule = "unknown-module",
    UnknownModuleType = "unknown-module-type",
    UnknownName = "unknown-name",
    UnknownParamDef = "unknown-param-def",
    UnknownType = "unknown-type",
    UnmatchedCases = "unmatched-cases",
    UnreachableCase = "unreachable-case",
    UnterminatedCharacter = "unterminated-character",
    UnterminatedString = "unterminated-string",
    UnusedDefinition = "unused-definition",
    UnusedExistential = "unused-existential",
    UnusedImport = "unused-import",
    UnusedName = "unused-name",
    UnusedOpen = "unused-open",
    UnusedParameter = "unused-parameter",
    UnusedSize = "unused-size",
    UnusedSizeParameter = "unused-size-parameter",
    UnusedUniqueness = "unused-uniqueness",
    UpdateAliasesSource = "update-aliases-source",
    UseAfterConsume = "use-after-consume",
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Code {
    /// Whether a name is not there, and another may have been meant.
    pub fn is_unknown_name(self) -> bool {
        use Code::{UnknownModule, UnknownModuleType, UnknownName, UnknownType};
        matches!(self, UnknownModule | UnknownModuleType | UnknownName | UnknownType)
    }

    /// Whether it is about how a definition calls itself.
    pub fn is_about_recursion(self) -> bool {
        use Code::{RecursionChangesFunction, RecursionNotFirstOrder, RecursionNotSaturated};
        matches!(self, RecursionChangesFunction | RecursionNotFirstOrder | RecursionNotSaturated)
    }

    /// Whether what it speaks of could as well not be there; editors show it faintly.
    pub fn is_of_no_use(self) -> bool {
        use Code::{
            UnreachableCase, UnusedDefinition, UnusedExistential, UnusedImport, UnusedName,
            UnusedOpen, UnusedParameter, UnusedSize, UnusedSizeParameter, UnusedUniqueness,
        };
        matches!(
            self,
            UnreachableCase
                | UnusedDefinition
                | UnusedExistential
                | UnusedImport
                | UnusedName
                | UnusedOpen
                | UnusedParameter
                | UnusedSize
                | UnusedSizeParameter
                | UnusedUniqueness
        )
    }
}
