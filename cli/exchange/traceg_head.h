/*
 * traceg_head - what the first lines of Accel-Sim's trace of a kernel say.
 */
#ifndef TRACEG_HEAD_H
#define TRACEG_HEAD_H

#include "text_lines.h"

#include <stdbool.h>
#include <stdint.h>

struct traceg_head {
	char name[TEXT_LINE_BYTES];
	uint64_t grid[3], group[3]; /* groups, and work-items of one; 0: not said */
	uint64_t shared_bytes, shared_base, private_base;
	uint64_t version;   /* of the tracer; 0: not said */
	uint64_t has_lines; /* an instruction's line begins with that of the source */
};

/* The version from which an instruction's line does not repeat group and warp. */
#define TRACEG_VERSION_SHORT 3

/* Read up to the first line that begins with '#', which stays the next one. Returns 0, ERR_FORMAT,
 * ERR_IO. */
int traceg_head_read(struct traceg_head *h, struct text_lines *lines, struct err *err);

#endif
