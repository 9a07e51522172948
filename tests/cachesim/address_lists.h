/*
 * address_lists - lists of 128-byte-line addresses on which five other cache simulators agree (for
 * tests and bench/): 20 million of each were given to Dinero IV, drcachesim, Cachegrind's
 * simulator and libcheetah.
 */
#ifndef ADDRESS_LISTS_H
#define ADDRESS_LISTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A 1024x1024 float matrix product by lines, 48 warps in turn: "mm20". */
void address_list_matrix(uint64_t *out, size_t count);

/*
 * "seq20": bursts of 32, two of the matrix product, one at random lines of 1 M with probabilities
 * as 1 / rank^0.9, one of a stream. False when out of memory.
 */
bool address_list_mixed(uint64_t *out, size_t count);

#endif
