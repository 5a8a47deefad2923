" Colours of Futhark.
if exists("b:current_syntax")
  finish
endif

syntax keyword futharkDeclaration def entry val type module
syntax keyword futharkImport import include open local
syntax keyword futharkKeyword let in loop do with match case assert
syntax keyword futharkConditional if then else
syntax keyword futharkRepeat for while
syntax keyword futharkBoolean true false
syntax keyword futharkType i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 bool
syntax match futharkNumber "\<\%(0[xX][0-9a-fA-F_]\+\|0[bB][01_]\+\|\d[0-9_]*\%(\.\d[0-9_]*\)\?\%([eE][+-]\?\d\+\)\?\)\%([iuf]\d\+\)\?\>"
syntax match futharkConstructor "#[a-zA-Z_][a-zA-Z0-9_']*"
syntax match futharkAttribute "#\[[^\]]*\]"
syntax match futharkTypeParameter "\%(\k\)\@<!'[~^]\?[a-zA-Z_]\w*"
syntax match futharkCharacter "\%(\k\)\@<!'\%(\\.\|[^\\']\)'"
syntax region futharkString start=+"+ skip=+\\.+ end=+"+ oneline
syntax match futharkComment "--.*$" contains=@Spell
syntax match futharkDocumentation "^\s*-- |.*\%(\n\s*--.*\)*" contains=@Spell

highlight default link futharkDeclaration Keyword
highlight default link futharkImport Include
highlight default link futharkKeyword Keyword
highlight default link futharkConditional Conditional
highlight default link futharkRepeat Repeat
highlight default link futharkBoolean Boolean
highlight default link futharkType Type
highlight default link futharkNumber Number
highlight default link futharkConstructor Constant
highlight default link futharkAttribute PreProc
highlight default link futharkTypeParameter Identifier
highlight default link futharkCharacter Character
highlight default link futharkString String
highlight default link futharkComment Comment
highlight default link futharkDocumentation SpecialComment

let b:current_syntax = "futhark"
