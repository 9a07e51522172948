/*
 * buffer_arguments - through which arguments of a kernel a buffer was reached.
 */
#ifndef BUFFER_ARGUMENTS_H
#define BUFFER_ARGUMENTS_H

#include <stddef.h>
#include <stdint.h>

struct recording;

/* In how many recorded launches of kernel `kernel` (an index) its argument `argument` was the
 * buffer; *launches: of how many. */
size_t buffer_arguments_count(const struct recording *r, size_t kernel, size_t argument,
                              uint64_t buffer, size_t *launches);

#endif
