/*
 * recording_copy_private - what the parts of recording_copy share; private to trace/.
 */
#ifndef RECORDING_COPY_PRIVATE_H
#define RECORDING_COPY_PRIVATE_H

#include "array.h"
#include "recording_copy.h"

/* What a thing was called when it was written, and the number that it got. */
struct copied_name {
	char *key;
	uint32_t id;
};

/* Shared virtual memory of the recordings so far. */
struct copied_range {
	uint64_t first, last;
};

/* A recording whose programs were written, from number `first` on. */
struct copied_programs {
	const struct recording *recording; /* borrowed */
	uint32_t first;
};

struct recording_copy {
	struct recording_writer *w;
	struct array devices, kernels; /* struct copied_name */
	struct array ranges;           /* struct copied_range */
	struct array sets;             /* struct copied_programs */
	uint32_t programs;             /* written so far */
	uint64_t buffers, launches;    /* numbers given so far */
	size_t count;                  /* recordings */
	bool has_lists, has_end, has_status;
	int status;
	struct recorded_work work;
	uint64_t program_ns, left_out, left_out_bytes;
};

/* The numbers that the things of a recording get. */
struct copied_numbers {
	uint32_t *devices, *programs, *kernels;
	uint64_t buffers, launches; /* to be added */
};

/* The launches, tallies and their files of `r`, whose other things have their numbers. */
int recording_copy_launches(struct recording_copy *c, const struct recording *r,
                            const struct copied_numbers *n,
                            const struct recording_copy_choice *choice, struct err *err);

#endif
