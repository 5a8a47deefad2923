" What `futc check` says, as a list of places: `:make`, `:copen`.
if exists("current_compiler")
  finish
endif
let current_compiler = "futc"

CompilerSet makeprg=futc\ check\ %:S
" [name] Error: message, on the next line the place between bars.
CompilerSet errorformat=%E[%*[^]]]\ Error:\ %m,%W[%*[^]]]\ Warning:\ %m,%Z%*[^[][\ %f:%l:%c\ ],%-G%.%#
