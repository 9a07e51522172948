/*
 * nvcc_take - what one option of nvcc does to a command line that is being read.
 */
#ifndef NVCC_TAKE_H
#define NVCC_TAKE_H

#include "nvcc_line.h"

struct err;

/* How an option takes its value. */
enum nvcc_form { NVCC_FORM_NONE, NVCC_FORM_ONE, NVCC_FORM_STUCK };

/* A row of nvcc_options.def. */
struct nvcc_option {
	const char *name, *letter; /* long and short */
	enum nvcc_form form;
	enum nvcc_meaning meaning;
	const char *text;
};

/* An option as it was written, and its value; borrowed. */
struct nvcc_given {
	const char *argument, *value;
};

/*
 * Do to *l what the option means; all but NVCC_OPTIONS_FILE. Returns 0; ERR_USAGE for a value or an
 * option that cannot be; ERR_LIMIT, ERR_NOMEM.
 */
int nvcc_take(struct nvcc_line *l, const struct nvcc_option *o, const struct nvcc_given *given,
              struct err *err);

#endif
