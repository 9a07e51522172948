/*
 * kernel_data - the first contents of the corpus's buffers, made from a word.
 *
 *   zero              all bits 0
 *   iota              0, 1, 2, ... (wraps in small types)
 *   const(N)          N everywhere
 *   random            any bits; of floating types numbers of small magnitude, as random(-8,8)
 *   random(LO,HI)     LO <= value < HI; of integers whole, of floating types multiples of 1/256
 *   shuffle           0..COUNT-1, each once, in disorder
 *   steps(N)          N, 2N, 3N, ... : item i has (i + 1) * N
 *
 * The generator is seeded by the argument's number alone: the same every time, everywhere.
 */
#ifndef KERNEL_DATA_H
#define KERNEL_DATA_H

#include "kernel_lines.h"

/*
 * Make the contents of argument `index` of a run: *bytes long, freed by the caller. NULL when
 * the fill is not one of the above or memory is short.
 */
void *kernel_data_make(const struct kernel_run *run, unsigned index, size_t *bytes);

/* The bytes of a scalar argument in value[128] (16 doubles); returns how many. */
size_t kernel_data_scalar(const struct kernel_argument_line *a, void *value);

/* Value i of contents of this type as an integer; floating values are cut. */
int64_t kernel_data_integer(const void *data, enum value_type type, size_t i);

#endif
