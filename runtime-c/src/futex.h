/* Sleeping until a word in memory changes. */
#ifndef FUTC_FUTEX_H
#define FUTC_FUTEX_H

#include <stdatomic.h>
#include <stdint.h>

/* Sleeps if *word is `expected`, until somebody wakes it; may also return for no reason. */
void futc_futex_wait(_Atomic uint32_t *word, uint32_t expected);
/* Wakes who sleeps on it; the word must have been changed before. */
void futc_futex_wake(_Atomic uint32_t *word);

#endif
