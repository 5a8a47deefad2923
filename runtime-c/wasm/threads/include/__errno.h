/* In place of wasi-libc's: as that was compiled for one thread, its error number is not one of each thread. Only the
 * thread that calls the program looks at it. */
#ifndef FUTC_WASM_ERRNO_H
#define FUTC_WASM_ERRNO_H

extern int errno;
#define errno errno

#endif
