/* The size of the memory, as all threads know it. */
#ifndef FUTC_WASM_MEMORY_H
#define FUTC_WASM_MEMORY_H

/* Tells others how large the memory is that this thread sees. */
void futc_memory_grown(void);

#endif
