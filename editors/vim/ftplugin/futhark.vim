" Editing Futhark: comments, and `:make` as `futc check`.
if exists("b:did_ftplugin")
  finish
endif
let b:did_ftplugin = 1

setlocal comments=:--
setlocal commentstring=--\ %s
setlocal expandtab shiftwidth=2
setlocal iskeyword+='
compiler futc

let b:undo_ftplugin = "setlocal comments< commentstring< expandtab< shiftwidth< iskeyword< makeprg< errorformat<"
