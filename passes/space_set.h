/*
 * space_set - which memories are recorded, as bits: bit n for address space n of kernel_table.h.
 */
#ifndef SPACE_SET_H
#define SPACE_SET_H

#include <stdbool.h>
#include <stdint.h>

struct err;

/*
 * Global memory, what generic pointers may point to, and what `list` adds: "constant", "local",
 * with commas between them; NULL or "": nothing. Returns 0, or ERR_USAGE for another word.
 */
int space_set_parse(const char *list, uint32_t *spaces, struct err *err);

/* Whether a set holds an address space. */
bool space_set_has(uint32_t spaces, unsigned space);

#endif
