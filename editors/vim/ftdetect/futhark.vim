autocmd BufRead,BufNewFile *.fut setfiletype futhark
