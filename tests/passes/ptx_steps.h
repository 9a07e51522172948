/*
 * ptx_steps - instructions of PTX and what they compute, as the PTX ISA defines it: the oracle of
 * the reader of PTX. Written from that manual alone.
 */
#ifndef PTX_STEPS_H
#define PTX_STEPS_H

#include <stddef.h>
#include <stdint.h>

struct ptx_step_row {
	char kind;          /* R, Q, F, D, P: where the result is */
	const char *ptx;    /* instructions, or NULL */
	const char *source; /* an expression of CUDA C++, or NULL */
	/* The result of 64 bits: numbers as their bits, narrow ones with zeros above. */
	uint64_t (*value)(uint64_t a, uint64_t b, uint64_t c);
};

extern const struct ptx_step_row ptx_step_rows[];
extern const size_t ptx_step_count;

#endif
