/*
 * space_set - which memories are recorded, as bits: bit n for address space n of kernel_table.h.
 * Local memory may be recorded in all groups of a launch, or in a sample of them (launch_shape.h).
 */
#ifndef SPACE_SET_H
#define SPACE_SET_H

#include <stdbool.h>
#include <stdint.h>

#define SPACE_SET_SAMPLE 31u /* the bit of a sample */

struct err;

/*
 * Global memory, what generic pointers may point to, and what `list` adds: "constant", "local",
 * "sample" (local memory of a sample, where not of all), "all", "global" (nothing), with commas
 * between them; NULL or "": nothing. Returns 0, or ERR_USAGE for another word.
 */
int space_set_parse(const char *list, uint32_t *spaces, struct err *err);

/* Whether local memory is recorded in a sample of groups alone. */
bool space_set_samples(uint32_t spaces);

/* Whether a set holds an address space, if only in a sample. */
bool space_set_has(uint32_t spaces, unsigned space);

#endif
