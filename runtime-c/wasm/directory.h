/* The folder that names of files are looked up in. */
#ifndef FUTC_WASM_DIRECTORY_H
#define FUTC_WASM_DIRECTORY_H

/* wasi-libc begins at the root of the file system; PWD says where the program was started. */
void futc_enter_directory(void);

#endif
